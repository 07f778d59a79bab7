//! One run of a handler, drawn as a U: its calls from the outermost to the innermost, and the return clause at the bottom. A run of
//! an inner handler is a box among the calls, at the position where it was met.

use crate::controls::note;
use crate::steps::numbering::Numbering;
use crate::steps::view::numbered::{number, step};
use crate::steps::view::sandwich::layer;
use crate::steps::view::sandwich::layer::Drawn;
use crate::steps::view::sandwich::summary::{Summary, phase_left_out};
use crate::steps::view::sandwich::texts;
use crate::steps::view::sandwich::{TO_COME, source};
use crate::update::Msg;
use crate::view::{chip, gloss};
use fletch_playground::protocol::{Chip, Entry, Layer, Phase, Stack, Turn};
use std::collections::BTreeSet;
use yew::{Callback, Html, MouseEvent, UseStateHandle, html};

/// Context shared by the stacks of a pane.
#[derive(Clone, Copy)]
pub(crate) struct Around<'a> {
    /// Position shown.
    pub(crate) position: u32,
    /// Position at which the current call was met, if a call runs.
    pub(crate) lit: Option<u32>,
    /// Name of the enclosing handler.
    pub(crate) within: Option<&'a str>,
    /// Lists of finished calls that the reader has opened, each by the revision of the program and the position at which the
    /// handler's run begins.
    pub(crate) opened: &'a UseStateHandle<BTreeSet<(u32, u32)>>,
    /// Revision of the program.
    pub(crate) revision: u32,
    /// True if waiting calls take one line each.
    pub(crate) compact: bool,
    /// Numbers of the positions.
    pub(crate) numbering: &'a Numbering,
    pub(crate) dispatch: &'a Callback<Msg>,
}

/// A stack: the run of one handler.
pub(crate) fn stack(stack: &Stack, around: &Around<'_>) -> Html {
    let inner = around.within.is_some();
    let summary = Summary::of(stack);
    let over = inner && summary.is_over(stack);
    let mut rows = rows(&stack.entries, around.compact);
    let bottom = rows.len();
    let done = rows.split_off(open(&rows, around.compact));
    // A row keeps its element while it keeps its level, which calls do until they are done.
    let drawn = rows
        .iter()
        .enumerate()
        .map(|(level, row)| draw(stack, row, level, &below(stack, &rows, level), around))
        .chain(earlier(stack, &done, bottom, around))
        .chain((!over).then(|| turn(stack, bottom, around)).flatten());
    html! {
        <section class={yew::classes!("stack", inner.then_some("inner"), over.then_some("over"), around.compact.then_some("dense"))}
            aria-label={format!("Calls that {handler} handles", handler = stack.handler)}>
            <div class="stack-head"><header>
                <p>
                    <b class="handler">{ &stack.handler }</b>{ " from " }{ step(stack.from, around.numbering, around.dispatch) }
                    if let Some(at) = stack.done_at.filter(|_| over) { { texts::TO }{ step(at, around.numbering, around.dispatch) } }
                </p>
                <span class="summary">{ summary.words() }</span>
            </header>
            if let Some(outer) = around.within.filter(|_| !over) {
                <p class="role">{ format!("Inside {outer}, which handles what its clauses call.") }</p>
            }
            if stack.entries.is_empty() && stack.turn.is_none() {
                if !inner { { note("empty-note", TO_COME) } }
            } else if !over {
                <div class="ways">
                    <span>{ gloss::short("forward", "forward clause", around.dispatch) }<i aria-hidden="true">{ " ↓" }</i></span>
                    <span>{ gloss::short("backward", "backward clause", around.dispatch) }<i aria-hidden="true">{ " ↑" }</i></span>
                </div>
            }
            </div>
            <ol class={yew::classes!("u", around.compact.then_some("compact"))}>
                { for drawn }
            </ol>
        </section>
    }
}

/// Number of finished rows that are drawn, the last ones to finish, if there are many. The other finished rows are listed on
/// request.
const DONE: usize = 3;

/// Row of a stack.
#[derive(Debug, PartialEq)]
enum Row<'a> {
    Call(&'a Layer),
    /// Adjacent functions in the same phase.
    Pure(&'a [Entry], Phase),
    Inner(&'a Stack),
    Left(u32, Phase),
}

impl Row<'_> {
    /// Number of calls of the row.
    fn calls(&self) -> usize {
        match self {
            Row::Call(_) | Row::Inner(_) => 1,
            Row::Pure(run, _) => run.len(),
            Row::Left(count, _) => usize::try_from(*count).unwrap_or(0),
        }
    }
}

/// Rows of a stack. In a compact stack, adjacent functions that wait or are done share a row.
fn rows(entries: &[Entry], compact: bool) -> Vec<Row<'_>> {
    let folds = |entry: &Entry| match entry {
        Entry::Call(layer)
            if !layer.operation && matches!(layer.phase, Phase::Waiting | Phase::Done) =>
        {
            Some(layer.phase)
        }
        _ => None,
    };
    let runs =
        entries.chunk_by(|one, next| compact && folds(one).is_some() && folds(one) == folds(next));
    let mut number = 0;
    let mut rows = Vec::new();
    for run in runs {
        rows.push(match run {
            [Entry::Call(layer)] => Row::Call(layer),
            [Entry::Inner(stack)] => Row::Inner(stack),
            [Entry::Left(count)] => Row::Left(*count, phase_left_out(entries, number)),
            _ => Row::Pure(run, run.first().and_then(folds).unwrap_or(Phase::Waiting)),
        });
        number += run.len();
    }
    rows
}

/// Number of rows that are drawn outright: all rows, or the unfinished rows and the last [`DONE`] finished ones.
fn open(rows: &[Row<'_>], compact: bool) -> usize {
    let done = |row: &Row<'_>| match row {
        Row::Call(layer) => layer.phase == Phase::Done,
        Row::Pure(_, phase) | Row::Left(_, phase) => *phase == Phase::Done,
        Row::Inner(_) => false,
    };
    let waiting = rows
        .iter()
        .rposition(|row| !done(row))
        .map_or(0, |at| at + 1);
    if compact && rows.len() > waiting + DONE + 1 {
        waiting + DONE
    } else {
        rows.len()
    }
}

impl Row<'_> {
    /// Key of the row's element in its list.
    fn key(&self, level: usize) -> String {
        let kind = match self {
            Row::Call(_) | Row::Pure(..) => "call",
            Row::Inner(_) => "run",
            Row::Left(..) => "left",
        };
        format!("{kind} {level}")
    }
}

/// List of the rows that finished earlier.
fn earlier(outer: &Stack, rows: &[Row<'_>], bottom: usize, around: &Around<'_>) -> Option<Html> {
    if rows.is_empty() {
        return None;
    }
    let level = bottom - rows.len();
    let count: usize = rows.iter().map(Row::calls).sum();
    let name = (around.revision, outer.from);
    let open = around.opened.contains(&name);
    // A closed list is not drawn: each step would compute the styles of all its rows.
    let drawn = open.then(|| {
        let rows = (level..).zip(rows);
        let rows = rows.map(|(level, row)| draw(outer, row, level, "", around));
        html! { <ol class="u compact">{ for rows }</ol> }
    });
    // Opened by the page and not by the browser, so that the rows are there when it opens.
    let opened = around.opened.clone();
    let toggled = move |event: MouseEvent| {
        event.prevent_default();
        let mut lists = (*opened).clone();
        if !lists.remove(&name) {
            lists.insert(name);
        }
        opened.set(lists);
    };
    Some(html! {
        <li key="earlier" class="left-out">
            <details {open}>
                <summary onclick={toggled}>{ format!("{count} more are done") }</summary>
                { drawn }
            </details>
        </li>
    })
}

/// Source of the cotangent that a row waits for: the backward half of the next row, or the return clause.
fn below(stack: &Stack, rows: &[Row<'_>], level: usize) -> String {
    let next = rows.iter().skip(level + 1).find_map(|row| match row {
        Row::Call(layer) => Some(layer::backward_name(layer)),
        Row::Pure(..) | Row::Left(..) => Some("the next call".to_owned()),
        Row::Inner(_) => None,
    });
    next.unwrap_or_else(|| {
        if stack.turn.is_some() {
            "the return clause"
        } else {
            "the rest"
        }
        .to_owned()
    })
}

fn draw(outer: &Stack, row: &Row<'_>, level: usize, below: &str, around: &Around<'_>) -> Html {
    let key = row.key(level);
    match *row {
        Row::Call(layer) => layer::layer(
            layer,
            &Drawn {
                key,
                level,
                below,
                lit: around.lit == Some(layer.met_at),
                compact: around.compact,
                numbering: around.numbering,
                dispatch: around.dispatch,
            },
        ),
        Row::Pure(run, phase) => pure(run, phase, key, level, around),
        Row::Inner(inner) => {
            let within = Around {
                within: Some(&outer.handler),
                ..*around
            };
            html! { <li key={key.as_str()} class="within">{ stack(inner, &within) }</li> }
        }
        Row::Left(count, phase) => {
            let word = if phase == Phase::Done {
                texts::DONE
            } else {
                texts::WAIT
            };
            html! { <li {key} class="left-out">{ format!("{count} more, {word}") }</li> }
        }
    }
}

/// Position at which the first of several calls was met.
fn first(run: &[Entry]) -> u32 {
    let since = run.iter().find_map(|entry| match entry {
        Entry::Call(layer) => Some(layer.met_at),
        _ => None,
    });
    since.unwrap_or(0)
}

/// Several functions on one line.
fn pure(run: &[Entry], phase: Phase, key: String, level: usize, around: &Around<'_>) -> Html {
    let since = first(run);
    let names = run.iter().filter_map(|entry| match entry {
        Entry::Call(layer) => Some(layer.name.as_str()),
        _ => None,
    });
    let title = names.collect::<Vec<_>>().join(", ");
    let (state, word, derivatives) = if phase == Phase::Done {
        ("done", "✓ done", String::new())
    } else {
        ("waits", texts::WAIT, format!("{run} rd", run = run.len()))
    };
    html! {
        <li {key} class={yew::classes!("layer", "brief", state)} style={layer::indent(level)} {title}>
            <div class="half forward"><b class="fn name">{ format!("{run} pure", run = run.len()) }</b><p>{ number(since, around.numbering, around.dispatch) }</p></div>
            <div class="half backward">if !derivatives.is_empty() { <b class="bwd name">{ derivatives }</b> }<p>{ word }</p></div>
        </li>
    }
}

/// Bottom of the U: the return clause, where the forward pass turns into the backward pass.
fn turn(stack: &Stack, level: usize, around: &Around<'_>) -> Option<Html> {
    let style = layer::indent(level);
    let dispatch = around.dispatch;
    let Some(turn) = &stack.turn else {
        let at = stack.turns_at.filter(|_| !stack.entries.is_empty())?;
        let now = at == around.position;
        return Some(html! {
            <li key="turn" class={yew::classes!("bottom", if now { "lit" } else { "to-come" })} {style}>
                if now {
                    <p class="now">{ "turns back now" }</p>
                } else {
                    <p>{ "turns back at " }{ step(at, around.numbering, dispatch) }</p>
                }
            </li>
        });
    };
    let lit = around.lit == Some(turn.met_at);
    let state = if turn.done_at.is_some() { "ran" } else { "now" };
    Some(html! {
        <li key="turn" id={crate::ids::layer(turn.met_at)} class={yew::classes!("bottom", state, lit.then_some("lit"))} {style}
            aria-current={lit.then_some("step")}>
            { returned(turn, around) }
        </li>
    })
}

/// The return clause: its argument while it runs, its result once it is done.
fn returned(turn: &Turn, around: &Around<'_>) -> Html {
    let dispatch = around.dispatch;
    let name = html! { <b>{ gloss::term("return clause", dispatch) }</b> };
    let shown = |word: &'static str, chip: &Option<Chip>| {
        chip.as_ref()
            .map(|chip| html! { <>{ word }{ chip::button(chip, dispatch) }</> })
    };
    let first = if turn.gradient {
        ": first cotangent "
    } else {
        ": sends back "
    };
    match turn.told_at {
        Some(at) => html! {
            <p>
                <span class="check" aria-hidden="true">{ "✓ " }</span>{ name }{ shown(first, &turn.result) }{ " " }<span class="at">{ "· " }{ step(at, around.numbering, dispatch) }</span>
            </p>
        },
        None => html! {
            <>
                { name }
                <p>{ shown("result ", &turn.argument) }{ " " }<span class="at">{ "· " }{ step(turn.met_at, around.numbering, dispatch) }{ " · " }{ source(turn.source, dispatch) }</span></p>
                <p class="now">{ texts::RUNS_NOW }</p>
            </>
        },
    }
}

#[cfg(test)]
mod tests {
    use super::{Entry, Phase, Row, open, rows};
    use fletch_playground::protocol::Layer;

    fn call(name: &str, phase: Phase) -> Entry {
        Entry::Call(Layer {
            name: name.into(),
            operation: name.contains('['),
            handler: "H".into(),
            met_at: 1,
            saved: Vec::new(),
            result: None,
            gradient: true,
            cotangent_type: "Real(2)".into(),
            cotangent: None,
            cotangent_at: None,
            told_at: None,
            done_at: None,
            phase,
            source: (0, 0),
            line: 1,
            locations: Vec::new(),
            puts: Vec::new(),
        })
    }

    #[test]
    fn where_there_is_little_room_functions_share_a_line() {
        use Phase::{Backward, Done, Waiting};
        let entries = [
            Entry::Left(3),
            call("FC[ℓ0]", Waiting),
            call("swish", Waiting),
            call("swish", Waiting),
            call("swish", Backward),
            call("swish", Done),
            call("relu", Done),
        ];
        let drawn: Vec<_> = rows(&entries, true)
            .iter()
            .map(|row| match row {
                Row::Call(layer) => layer.name.clone(),
                Row::Pure(run, phase) => format!("{} {phase:?}", run.len()),
                Row::Inner(stack) => stack.handler.clone(),
                Row::Left(count, phase) => format!("{count} left {phase:?}"),
            })
            .collect();
        assert_eq!(
            drawn,
            ["3 left Waiting", "FC[ℓ0]", "2 Waiting", "swish", "2 Done"]
        );
        assert_eq!(rows(&entries, false).len(), entries.len());
        let mut long = entries.to_vec();
        long.extend((0..9).map(|_| call("FC[ℓ0]", Done)));
        let drawn = rows(&long, true);
        assert_eq!((drawn.len(), open(&drawn, true)), (14, 7));
        assert_eq!(
            open(&rows(&entries, true), true),
            5,
            "one more needs no fold"
        );
    }
}
