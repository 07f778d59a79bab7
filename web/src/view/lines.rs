//! The lines of a command, in chunks of lines that all have the same height. Those around the redex are drawn at once, and of
//! the others those that come near what can be seen of the pane; the rest of a command that is not long follows when the
//! reader pauses, so that a large state shows as soon as a small one.

use super::pieces;
use super::watch::Watch;
use crate::update::Msg;
use fletch_playground::protocol::{Line, Mark};
use gloo::timers::callback::Timeout;
use std::ops::Range;
use std::rc::Rc;
use web_sys::Element;
use yew::{
    Callback, Html, NodeRef, Properties, component, html, use_effect_with, use_node_ref, use_state,
    use_state_eq,
};

/// Lines of a chunk.
const CHUNK: usize = 8;
/// A command of no more lines than this is drawn whole when the reader pauses.
const SHORT: usize = 120;
/// How long that pause is, in milliseconds.
const PAUSE: u32 = 40;
/// The height of a line, in pixels, as `command.css` has it.
const LINE: f64 = 26.0;
/// How much of the height of the window the command takes at most, if the reader has not moved the borders.
const PART: f64 = 0.55;
/// How far beyond the pane chunks are drawn.
const MARGIN: &str = "600px 0px";

/// All lines of a command.
pub(super) fn lines(lines: &Rc<[Line]>, dispatch: &Callback<Msg>) -> Html {
    let at_once = at_once(lines, room());
    if lines.len() <= at_once.len() + CHUNK {
        return html! { <>{ for lines.iter().map(|line| row(line, dispatch)) }</> };
    }
    let chunks = (0..lines.len().div_ceil(CHUNK)).map(|number| {
        let (start, end) = (number * CHUNK, (number + 1) * CHUNK);
        html! {
            <Chunk key={number} {number} now={start < at_once.end && at_once.start < end} lines={Lines(Rc::clone(lines))}
                dispatch={dispatch.clone()} />
        }
    });
    html! { <>{ for chunks }</> }
}

/// How many lines can be seen at a time.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // A height; casts saturate.
fn room() -> usize {
    let height = web_sys::window().and_then(|window| window.inner_height().ok()?.as_f64());
    (PART * height.unwrap_or(1000.0) / LINE) as usize
}

/// The lines that can be seen when the beginning of the redex is: the first ones if it is among them, else those around it,
/// as it is brought to a third of the height.
fn at_once(lines: &[Line], room: usize) -> Range<usize> {
    let works = |line: &Line| line.pieces.iter().any(|piece| piece.mark == Mark::Redex);
    let redex = lines.iter().position(works).unwrap_or(0);
    let seen = if redex < room {
        0..room
    } else {
        redex - room / 2..redex + room
    };
    seen.start..seen.end.min(lines.len())
}

fn row(line: &Line, dispatch: &Callback<Msg>) -> Html {
    let indent = " ".repeat(usize::try_from(line.indent).unwrap_or(0));
    html! { <div class="line">{ indent }{ pieces::pieces(&line.pieces, dispatch) }</div> }
}

/// Lines that are compared by what they are part of.
#[derive(Clone)]
struct Lines(Rc<[Line]>);

impl PartialEq for Lines {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

#[derive(Properties, PartialEq)]
struct ChunkProps {
    number: usize,
    /// Whether it is drawn at once.
    now: bool,
    lines: Lines,
    dispatch: Callback<Msg>,
}

/// Some lines of a command; empty, but of the same height, while they are far from what can be seen and not yet drawn.
#[component]
fn Chunk(props: &ChunkProps) -> Html {
    let place = use_node_ref();
    let near = use_state_eq(|| false);
    {
        let near = near.clone();
        use_effect_with(place.clone(), move |place: &NodeRef| {
            let watch = place.cast::<Element>().and_then(|chunk| {
                let pane = chunk.closest(".command").ok().flatten();
                let watch = Watch::new(pane.as_ref(), MARGIN, move |_, now| near.set(now))?;
                watch.observe(&chunk);
                Some(watch)
            });
            move || drop(watch)
        });
    }
    // The lines on which the reader has paused.
    let settled = use_state(|| None::<Lines>);
    {
        let settled = settled.clone();
        use_effect_with(props.lines.clone(), move |lines| {
            let lines = Some(lines.clone()).filter(|lines| lines.0.len() <= SHORT);
            let pause =
                (*settled != lines).then(|| Timeout::new(PAUSE, move || settled.set(lines)));
            move || drop(pause)
        });
    }
    let start = props.number * CHUNK;
    let end = (start + CHUNK).min(props.lines.0.len());
    // Lines of another state would bring its redex along.
    let drawn = *near || props.now || settled.as_ref() == Some(&props.lines);
    let lines = props.lines.0.get(start..end).filter(|_| drawn);
    html! {
        <div class="chunk" ref={place} style={format!("--lines: {}", end - start)}>
            { for lines.unwrap_or_default().iter().map(|line| row(line, &props.dispatch)) }
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::{Line, Mark, at_once};
    use fletch_playground::protocol::{Piece, PieceKind};

    #[test]
    fn the_lines_around_the_redex_are_drawn_at_once() {
        let command = |count: usize, redex: Option<usize>| -> Vec<Line> {
            let line = |at| Line {
                indent: 0,
                pieces: vec![Piece {
                    kind: PieceKind::Plain,
                    text: "x".into(),
                    mark: if redex == Some(at) {
                        Mark::Redex
                    } else {
                        Mark::None
                    },
                    chip: None,
                    node: 0,
                    fold: None,
                }],
            };
            (0..count).map(line).collect()
        };
        let cases = [
            (10, Some(3), 0..10),
            (90, Some(19), 0..20),
            (90, Some(50), 40..70),
            (90, Some(85), 75..90),
            (90, None, 0..20),
        ];
        for (count, redex, drawn) in cases {
            assert_eq!(at_once(&command(count, redex), 20), drawn, "{redex:?}");
        }
    }
}
