//! Comparison of two runs: the edit of each, how they end, and both heaps with their difference.

use crate::compare::{BOTH, CompareMsg, TwoRuns};
use crate::controls::{Typed, button, empty, option, select, status};
use crate::model::Model;
use crate::number;
use crate::texts::capitalised;
use crate::update::Msg;
use crate::view::heatmap::{self, Grid};
use crate::view::prose::prose;
use fletch_playground::protocol::TextEdit;
use fletch_playground::protocol::{End, Pair, Ran, RunTensor, Variant, Wrong};
use std::rc::Rc;
use yew::{Callback, Html, html};

const OF_THE_SECOND_RUN: &str = "second run";

const OF_THE_FIRST_RUN: &str = "first run";

/// Height of a map, in pixels.
const HEIGHT: u32 = 84;

/// The comparison of two runs.
pub(super) fn runs(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let runs = &model.compare.runs;
    let Some((_, variants)) = &runs.variants else {
        return empty("Looking for ways to run it …", None);
    };
    if variants.is_empty() {
        return empty(
            prose("There is nothing to run: the program has no `main`."),
            None,
        );
    }
    let choices = BOTH.iter().zip(&runs.edits);
    let choices = choices.map(|(number, edit)| choice(*number, edit, variants, dispatch));
    html! {
        <div class="comparison-body">
            <div class="run-choices">{ for choices }</div>
            if runs.edits[0] == runs.edits[1] {
                { empty(prose(same(variants)), None) }
            } else {
                { answer(runs, dispatch) }
            }
        </div>
    }
}

/// Advice for a reader who compares a run with itself.
fn same(variants: &[Variant]) -> &'static str {
    match variants {
        [_] => {
            "There is one way to run this program: write something else for the second run, as in `main = ⌊1⌋`, or declare another handler."
        }
        _ => "Both runs are the same: choose another one for the second, or write it.",
    }
}

/// Selector of the edit of a run, and a field to change its text.
fn choice(number: usize, edit: &TextEdit, variants: &[Variant], dispatch: &Callback<Msg>) -> Html {
    let name = if number == 0 {
        "First run"
    } else {
        "Second run"
    };
    let options = variants.iter().enumerate().map(|(at, variant)| {
        html! { { option(at.to_string(), &title(variant, variants), variant.edit == *edit) } }
    });
    let known = variants.iter().any(|variant| variant.edit == *edit);
    let place = variants
        .iter()
        .find(|variant| (variant.edit.from, variant.edit.to) == (edit.from, edit.to));
    let all: Vec<TextEdit> = variants
        .iter()
        .map(|variant| variant.edit.clone())
        .collect();
    let tell = dispatch.reform(Msg::Compare);
    let listed = move |at: Rc<str>| {
        let at: Option<usize> = at.parse().ok();
        let edit = at.and_then(|at| all.get(at).cloned());
        CompareMsg::Edit(number, edit.unwrap_or_default())
    };
    let written = (!known).then(|| option("", "as written below", true));
    let before = match place {
        Some(variant) if variant.main => "main =",
        _ => "with",
    };
    html! {
        <div class="run-choice" role="group" aria-label={name}>
            <b>{ name }</b>
            { select(format!("{name}: what is run"), options.chain(written)).title("What is run").on_change(&tell, listed) }
            <label><span>{ before }</span>
                <Typed kind="text" value={one_line(&edit.insert)} label={format!("{name}: {before}")}
                    changed={tell.reform(move |text| CompareMsg::Insert(number, text))} />
            </label>
        </div>
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Short title of a variant; the field next to it has the full text.
fn title(variant: &Variant, all: &[Variant]) -> String {
    let name = |text: &str| {
        let end = text.find(['(', '[', '{']).unwrap_or(text.len());
        one_line(text.get(..end).unwrap_or(text))
    };
    let places = all.iter();
    let places = places.filter(|other| !other.main && other.is_original());
    let alone = places.count() <= 1;
    match (variant.main, variant.is_original()) {
        (true, true) => "main".to_owned(),
        (true, false) => format!("main = {}", one_line(&variant.edit.insert)),
        (false, true) => format!("{written}, as it is", written = name(&variant.written)),
        (false, false) if alone => name(&variant.edit.insert),
        (false, false) => format!(
            "{insert} for {written}",
            insert = name(&variant.edit.insert),
            written = name(&variant.written)
        ),
    }
}

fn answer(runs: &TwoRuns, dispatch: &Callback<Msg>) -> Html {
    let Some(known) = &runs.ran else {
        return status("verdict", "Running …");
    };
    let ran = &known.1;
    let rows = |pairs: &[Pair], location: bool| -> Html {
        let rows = pairs.iter().map(|pair| row(pair, location, dispatch));
        html! { <>{ for rows }</> }
    };
    html! {
        <>
            { verdict(ran) }
            <div class="pairs" role="table" aria-label={"What both runs come to"}>
                <div role="row" class="pairs-head">
                    <span role="columnheader">{ "location" }</span>
                    <span role="columnheader">{ OF_THE_FIRST_RUN }</span>
                    <span role="columnheader">{ OF_THE_SECOND_RUN }</span>
                    <span role="columnheader">{ "second − first" }</span>
                </div>
                { rows(&ran.values, false) }
                { rows(&ran.heap, true) }
            </div>
        </>
    }
}

fn verdict(ran: &Ran) -> Html {
    let ends = [("first", &ran.left), ("second", &ran.right)];
    let problems: Vec<Html> = ends
        .into_iter()
        .filter_map(|(which, end)| Some((which, problem(end)?)))
        .map(|(which, text)| html! { <p class="verdict unknown" role="status"><i aria-hidden="true">{ "!" }</i><span>{ format!("The {which} run {text}") }</span></p> })
        .collect();
    if !problems.is_empty() {
        return html! { <>{ for problems }</> };
    }
    let apart = |pair: &&Pair| pair.difference.as_ref().is_none_or(|half| half.norm != 0.0);
    let different: Vec<&str> = ran
        .heap
        .iter()
        .filter(apart)
        .map(|pair| &*pair.name)
        .collect();
    let results = ran.values.iter().filter(apart).count();
    let result = match results {
        _ if ran.values.is_empty() => "",
        0 => "The results are equal; ",
        _ => "The results differ; ",
    };
    let heap = match different.as_slice() {
        [] => "both heaps are equal.".to_owned(),
        names if names.len() == ran.heap.len() => "the heaps differ in all locations.".to_owned(),
        names => format!("the heaps differ in {names}.", names = names.join(", ")),
    };
    let (class, sign) = match (results, different.is_empty()) {
        (0, true) => ("holds", "="),
        _ => ("fails", "≠"),
    };
    let text = match result {
        "" => capitalised(&heap),
        _ => format!("{result}{heap}"),
    };
    html! { <p class={yew::classes!("verdict", class)} role="status"><i aria-hidden="true">{ sign }</i><span>{ text }</span></p> }
}

/// Predicate of the sentence "The first run …" for a run without a value.
fn problem(end: &End) -> Option<String> {
    let told = |wrong: &Wrong| {
        let hint = wrong.hint.as_ref().map(|hint| format!("; {hint}"));
        format!("{}{}", wrong.message, hint.unwrap_or_default())
    };
    match end {
        End::Value => None,
        End::Rejected(wrong) => Some(format!("is rejected: {wrong}.", wrong = told(wrong))),
        End::Stopped(wrong) => Some(format!("stops: {wrong}.", wrong = told(wrong))),
        End::NoMain => Some("has no `main`.".to_owned()),
    }
}

fn row(pair: &Pair, location: bool, dispatch: &Callback<Msg>) -> Html {
    // Both runs share a scale, so that their colours can be compared.
    let halves = [&pair.left, &pair.right].into_iter().flatten();
    let shown = halves.flat_map(|half| &half.entries);
    let scale = heatmap::largest(&shown.copied().collect::<Vec<_>>());
    let grid = Grid::small(pair.rows, pair.columns, HEIGHT);
    let cell = |half: &Option<RunTensor>, scale: f64, words: Html| match half {
        None => html! { <span class="none">{ "not there" }</span> },
        Some(half) => html! {
            <>
                <span role="img" aria-label={entries(&half.entries)} title={entries(&half.entries)}>{ heatmap::map(&half.entries, &grid, scale, HEIGHT, None) }</span>
                <span class="norm">{ words }</span>
            </>
        },
    };
    let change = |half: &Option<RunTensor>| {
        let text = half
            .as_ref()
            .map(|half| match (location, half.norm == 0.0) {
                (true, true) => "unchanged".to_owned(),
                (true, false) => format!("changed by {norm}", norm = number::bare(half.norm)),
                (false, _) => format!("norm {norm}", norm = number::bare(half.norm)),
            });
        html! { { text.unwrap_or_default() } }
    };
    let (difference, factor) = match &pair.difference {
        Some(half) => {
            let factor = heatmap::magnification(heatmap::largest(&half.entries), scale);
            let times = match factor {
                1.0 => String::new(),
                _ => format!(" (colours × {factor})", factor = number::bound(factor)),
            };
            let text = match half.norm {
                0.0 => "equal".to_owned(),
                norm => format!("norm {norm}{times}", norm = number::bare(norm)),
            };
            (html! { { text } }, factor)
        }
        None => (Html::default(), 1.0),
    };
    let equal = pair
        .difference
        .as_ref()
        .is_some_and(|half| half.norm == 0.0);
    let title = if location {
        html! { { button("loc", &pair.name).title("Its card in the heap").on_click(dispatch, Msg::Location(pair.name.as_str().into())) } }
    } else {
        html! { <b>{ &pair.name }</b> }
    };
    html! {
        <div role="row" class={yew::classes!("pair-row", equal.then_some("equal"))} key={pair.name.clone()}>
            <span role="rowheader">{ title }<span class="shape">{ fletch_playground::space(&pair.shape) }</span></span>
            <span role="cell" data-column={OF_THE_FIRST_RUN}>{ cell(&pair.left, scale, change(&pair.left)) }</span>
            <span role="cell" data-column={OF_THE_SECOND_RUN}>{ cell(&pair.right, scale, change(&pair.right)) }</span>
            <span role="cell" data-column="second − first">{ cell(&pair.difference, scale / factor, difference) }</span>
        </div>
    }
}

/// Text of the entries, at most the first 16.
fn entries(entries: &[f64]) -> String {
    const SHOWN: usize = 16;
    let shown: Vec<String> = entries
        .iter()
        .take(SHOWN)
        .map(|value| number::bare(*value))
        .collect();
    let more = entries.len().saturating_sub(SHOWN);
    match more {
        0 => format!("[{}]", shown.join(", ")),
        more => format!("[{shown}, …] and {more} more", shown = shown.join(", ")),
    }
}
