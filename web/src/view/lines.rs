//! The lines of a command, in chunks. All lines have the same height, so that it is known beforehand which of them will be
//! seen: those are drawn at once, so that a large state shows as soon as a small one, and the others when the reader pauses.
//! Of a long command only those are ever drawn that come near what can be seen.

mod extent;

use super::pieces;
use super::watch::Watch;
use crate::update::Msg;
use fletch_playground::protocol::Line;
use gloo::timers::callback::Timeout;
use std::ops::Range;
use std::rc::Rc;
use web_sys::Element;
use yew::{
    Callback, Html, NodeRef, Properties, component, hook, html, use_effect_with, use_node_ref,
    use_state, use_state_eq,
};

/// Lines of a chunk.
const CHUNK: usize = 8;
/// A command of no more lines than this is drawn whole.
const SHORT: usize = 120;
/// How long the reader pauses, in milliseconds.
const PAUSE: u32 = 40;
/// How far beyond the pane chunks of a longer one are drawn.
const MARGIN: &str = "600px 0px";

#[derive(Properties, PartialEq)]
pub(super) struct LinesProps {
    pub(super) lines: Shown,
    /// The element around them.
    pub(super) place: NodeRef,
    pub(super) dispatch: Callback<Msg>,
}

/// The lines of a view, compared by which view they are of.
#[derive(Clone)]
pub(super) struct Shown(pub(super) Rc<[Line]>);

impl PartialEq for Shown {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

/// All lines of a command.
#[component]
pub(super) fn Lines(props: &LinesProps) -> Html {
    let extent = extent::use_extent(&props.place);
    let settled = use_settled(&props.lines);
    let lines = &props.lines.0;
    let seen = extent::to_be_seen(lines, extent.get());
    let settled = settled || seen.iter().any(|seen| seen.len() == lines.len());
    let chunks = (0..lines.len().div_ceil(CHUNK)).map(|number| {
        let start = number * CHUNK;
        let whole = start..(start + CHUNK).min(lines.len());
        let seen = hull(seen.each_ref().map(|seen| both(&whole, seen)));
        html! {
            <Chunk key={number} {whole} {seen} {settled} lines={props.lines.clone()} dispatch={props.dispatch.clone()} />
        }
    });
    html! { <>{ for chunks }</> }
}

/// What lies in both ranges; if nothing does, an empty one at the start of the first.
fn both(one: &Range<usize>, other: &Range<usize>) -> Range<usize> {
    let (start, end) = (one.start.max(other.start), one.end.min(other.end));
    if start < end {
        start..end
    } else {
        one.start..one.start
    }
}

/// All from the first to the last of two ranges.
fn hull([one, other]: [Range<usize>; 2]) -> Range<usize> {
    match (one.is_empty(), other.is_empty()) {
        (true, _) => other,
        (_, true) => one,
        _ => one.start.min(other.start)..one.end.max(other.end),
    }
}

/// Whether the reader has paused on these lines.
#[hook]
fn use_settled(lines: &Shown) -> bool {
    let settled = use_state(|| None::<Shown>);
    let reached = settled.as_ref() == Some(lines);
    use_effect_with(lines.clone(), move |lines| {
        let lines = lines.clone();
        let pause = Timeout::new(PAUSE, move || settled.set(Some(lines)));
        move || drop(pause)
    });
    reached
}

#[derive(Properties, PartialEq)]
struct ChunkProps {
    /// The lines that it has room for.
    whole: Range<usize>,
    /// Those of them that are drawn at once.
    seen: Range<usize>,
    settled: bool,
    lines: Shown,
    dispatch: Callback<Msg>,
}

/// Some lines of a command; of the same height, whether or not they are drawn.
#[component]
fn Chunk(props: &ChunkProps) -> Html {
    let place = use_node_ref();
    let near = use_near(&place);
    let ChunkProps { whole, seen, .. } = props;
    // Lines of the last command are never kept meanwhile: they would bring its redex along.
    let drawn = if props.settled && (near || props.lines.0.len() <= SHORT) {
        whole
    } else {
        seen
    };
    let rows = drawn
        .clone()
        .filter_map(|number| Some((number, props.lines.0.get(number)?)));
    let above = drawn.start.saturating_sub(whole.start);
    html! {
        <div class="chunk" ref={place} style={format!("--lines: {}; --above: {above}", whole.len())}>
            { for rows.map(|(number, line)| row(number, line, &props.dispatch)) }
        </div>
    }
}

fn row(number: usize, line: &Line, dispatch: &Callback<Msg>) -> Html {
    let indent = " ".repeat(usize::try_from(line.indent).unwrap_or(0));
    html! { <div key={number} class="line">{ indent }{ pieces::pieces(&line.pieces, dispatch) }</div> }
}

/// Whether an element is near what can be seen of the pane around it.
#[hook]
fn use_near(place: &NodeRef) -> bool {
    let near = use_state_eq(|| false);
    let reached = *near;
    use_effect_with(place.clone(), move |place| {
        let watch = place.cast::<Element>().and_then(|chunk| {
            let pane = chunk.closest(".command").ok().flatten();
            let watch = Watch::new(pane.as_ref(), MARGIN, move |_, now| near.set(now))?;
            watch.observe(&chunk);
            Some(watch)
        });
        move || drop(watch)
    });
    reached
}
