//! The lines of a command. Of a long one only what is near the part of the pane that can be seen is in the
//! document, in chunks of lines that all have the same height.

use super::pieces;
use super::watch::Watch;
use crate::update::Msg;
use fletch_playground::protocol::{Line, Mark};
use std::rc::Rc;
use web_sys::Element;
use yew::{
    Callback, Html, NodeRef, Properties, component, html, use_effect_with, use_node_ref,
    use_state_eq,
};

/// Lines of a chunk.
const CHUNK: usize = 40;
/// A command of no more lines than this is drawn whole.
const SHORT: usize = 120;
/// How far beyond the pane chunks are drawn.
const MARGIN: &str = "600px 0px";

/// All lines of a command.
pub(super) fn lines(lines: &Rc<[Line]>, dispatch: &Callback<Msg>) -> Html {
    if lines.len() <= SHORT {
        return html! { <>{ for lines.iter().map(|line| row(line, dispatch)) }</> };
    }
    let chunks = (0..lines.len().div_ceil(CHUNK)).map(|number| {
        html! { <Chunk key={number} {number} lines={Lines(Rc::clone(lines))} dispatch={dispatch.clone()} /> }
    });
    html! { <>{ for chunks }</> }
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
    lines: Lines,
    dispatch: Callback<Msg>,
}

/// Some lines of a long command; empty, but of the same height, while they are far from what can be seen. The
/// chunk of the redex is always there, so that it can be scrolled to.
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
    let start = props.number * CHUNK;
    let end = (start + CHUNK).min(props.lines.0.len());
    let lines = props.lines.0.get(start..end).unwrap_or_default();
    let works = lines
        .iter()
        .flat_map(|line| &line.pieces)
        .any(|piece| piece.mark == Mark::Redex);
    html! {
        <div class="chunk" ref={place} style={format!("--lines: {}", end - start)}>
            if *near || works { { for lines.iter().map(|line| row(line, &props.dispatch)) } }
        </div>
    }
}
