//! Two runs compared: what is written otherwise in each, how they end, and both heaps with their difference.

use crate::controls::{button, field, option, select, status};
use crate::figures::compare::{BOTH, CompareMsg, TwoRuns};
use crate::figures::model::Model;
use crate::figures::update::Msg;
use crate::number;
use crate::texts;
use crate::view::heatmap::{self, Grid};
use fletch_playground::figures::protocol::{End, Half, Pair, Ran, Variant, Wrong};
use fletch_playground::protocol::TextEdit;
use std::rc::Rc;
use yew::{Callback, Html, html};

/// The height of a map, in pixels.
const HEIGHT: u32 = 84;

/// Both runs.
pub(super) fn runs(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let runs = &model.compare.runs;
    let Some(variants) = &runs.variants else {
        return status("figures-note", texts::compare::LOOKING_FOR_WAYS_TO_RUN);
    };
    if variants.is_empty() {
        return status("figures-note", texts::compare::THERE_IS_NOTHING_TO_RUN);
    }
    let choices = BOTH.iter().zip(&runs.edits);
    let choices = choices.map(|(number, edit)| choice(*number, edit, variants, dispatch));
    html! {
        <div class="comparison-body">
            <div class="run-choices">{ for choices }</div>
            { answer(runs, dispatch) }
        </div>
    }
}

/// What is written in a run: chosen from a list, and changed as one likes.
fn choice(number: usize, edit: &TextEdit, variants: &[Variant], dispatch: &Callback<Msg>) -> Html {
    let name = if number == 0 {
        texts::compare::FIRST_RUN
    } else {
        texts::compare::SECOND_RUN
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
    let written = (!known).then(|| option("", texts::compare::AS_WRITTEN_BELOW, true));
    let before = match place {
        Some(variant) if variant.main => "main =",
        _ => "with",
    };
    html! {
        <div class="run-choice" role="group" aria-label={name}>
            <b>{ name }</b>
            { select(texts::compare::what_is_run(name), options.chain(written)).title(texts::compare::WHAT_IS_RUN).on_change(&tell, listed) }
            <label><span>{ before }</span>
                { field("text", one_line(&edit.insert)).with("spellcheck", "false").with("autocomplete", "off").label(format!("{name}: {before}"))
                    .on_change(&tell, move |text| CompareMsg::Insert(number, text)) }
            </label>
        </div>
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A way to run the program, in a few words; all of it is written beside them.
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
        (false, true) => texts::compare::as_it_is(name(&variant.written)),
        (false, false) if alone => name(&variant.edit.insert),
        (false, false) => texts::compare::for_(name(&variant.edit.insert), name(&variant.written)),
    }
}

fn answer(runs: &TwoRuns, dispatch: &Callback<Msg>) -> Html {
    let Some(known) = &runs.ran else {
        return status("verdict", texts::compare::RUNNING);
    };
    let ran = &known.1;
    let rows = |pairs: &[Pair], location: bool| -> Html {
        let rows = pairs.iter().map(|pair| row(pair, location, dispatch));
        html! { <>{ for rows }</> }
    };
    html! {
        <>
            { verdict(ran) }
            <div class="pairs" role="table" aria-label={texts::compare::WHAT_BOTH_RUNS_COME_TO}>
                <div role="row" class="pairs-head">
                    <span role="columnheader">{ texts::compare::LOCATION }</span>
                    <span role="columnheader">{ texts::compare::OF_THE_FIRST_RUN }</span>
                    <span role="columnheader">{ texts::compare::OF_THE_SECOND_RUN }</span>
                    <span role="columnheader">{ texts::compare::SECOND_FIRST }</span>
                </div>
                { rows(&ran.values, false) }
                { rows(&ran.heap, true) }
            </div>
        </>
    }
}

fn verdict(ran: &Ran) -> Html {
    let ends = [
        (texts::compare::FIRST, &ran.left),
        (texts::compare::SECOND, &ran.right),
    ];
    let problems: Vec<Html> = ends
        .into_iter()
        .filter_map(|(which, end)| Some((which, problem(end)?)))
        .map(|(which, text)| html! { <p class="verdict unknown" role="status"><i aria-hidden="true">{ "!" }</i><span>{ texts::compare::the_run(which, &text) }</span></p> })
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
    let result = match ran.values.iter().filter(apart).count() {
        _ if ran.values.is_empty() => "",
        0 => texts::compare::THE_RESULTS_ARE_EQUAL,
        _ => texts::compare::THE_RESULTS_DIFFER,
    };
    let (class, sign, heap) = match different.as_slice() {
        [] => (
            "holds",
            "=",
            texts::compare::BOTH_HEAPS_ARE_EQUAL.to_owned(),
        ),
        names if names.len() == ran.heap.len() => (
            "fails",
            "≠",
            texts::compare::THE_HEAPS_DIFFER_IN_ALL.to_owned(),
        ),
        names => {
            let text = texts::compare::the_heaps_differ_in(names.join(", "));
            ("fails", "≠", text)
        }
    };
    let text = match result {
        "" => {
            let mut letters = heap.chars();
            let first = letters.next().map(|first| first.to_uppercase().to_string());
            format!("{}{}", first.unwrap_or_default(), letters.as_str())
        }
        _ => format!("{result}{heap}"),
    };
    html! { <p class={yew::classes!("verdict", class)} role="status"><i aria-hidden="true">{ sign }</i><span>{ text }</span></p> }
}

/// Why a run has no value, to go on with after "The first run".
fn problem(end: &End) -> Option<String> {
    let told = |wrong: &Wrong| {
        let hint = wrong.hint.as_ref().map(|hint| format!("; {hint}"));
        format!("{}{}", wrong.message, hint.unwrap_or_default())
    };
    match end {
        End::Value => None,
        End::Rejected(wrong) => Some(texts::compare::is_rejected(told(wrong))),
        End::Stopped(wrong) => Some(texts::compare::stops(told(wrong))),
        End::NoMain => Some(texts::compare::HAS_NO_MAIN.to_owned()),
    }
}

fn row(pair: &Pair, location: bool, dispatch: &Callback<Msg>) -> Html {
    // What both come to is on one scale, so that they can be compared by their colours.
    let halves = [&pair.left, &pair.right].into_iter().flatten();
    let shown = halves.flat_map(|half| &half.entries);
    let scale = heatmap::largest(&shown.copied().collect::<Vec<_>>());
    let grid = Grid::small(pair.rows, pair.columns, HEIGHT);
    let cell = |half: &Option<Half>, scale: f64, words: Html| match half {
        None => html! { <span class="none">{ texts::compare::NOT_THERE }</span> },
        Some(half) => html! {
            <>
                <span role="img" aria-label={entries(&half.entries)} title={entries(&half.entries)}>{ heatmap::map(&half.entries, &grid, scale, HEIGHT, None) }</span>
                <span class="norm">{ words }</span>
            </>
        },
    };
    let change = |half: &Option<Half>| {
        let text = half
            .as_ref()
            .map(|half| match (location, half.norm == 0.0) {
                (true, true) => texts::compare::UNCHANGED.to_owned(),
                (true, false) => texts::compare::changed_by(number::bare(half.norm)),
                (false, _) => texts::compare::norm(number::bare(half.norm)),
            });
        html! { { text.unwrap_or_default() } }
    };
    let (difference, factor) = match &pair.difference {
        Some(half) => {
            let factor = heatmap::magnification(heatmap::largest(&half.entries), scale);
            let times = match factor {
                1.0 => String::new(),
                _ => texts::compare::colours(number::bound(factor)),
            };
            let text = match half.norm {
                0.0 => texts::compare::EQUAL.to_owned(),
                norm => texts::compare::norm_at_scale(number::bare(norm), &times),
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
        html! { { button("loc", &pair.name).title(texts::compare::ITS_CARD_IN_THE_HEAP).on_click(dispatch, Msg::Location(pair.name.as_str().into())) } }
    } else {
        html! { <b>{ &pair.name }</b> }
    };
    html! {
        <div role="row" class={yew::classes!("pair-row", equal.then_some("equal"))} key={pair.name.clone()}>
            <span role="rowheader">{ title }<span class="shape">{ fletch_playground::space(&pair.shape) }</span></span>
            <span role="cell" data-column={texts::compare::OF_THE_FIRST_RUN}>{ cell(&pair.left, scale, change(&pair.left)) }</span>
            <span role="cell" data-column={texts::compare::OF_THE_SECOND_RUN}>{ cell(&pair.right, scale, change(&pair.right)) }</span>
            <span role="cell" data-column="second − first">{ cell(&pair.difference, scale / factor, difference) }</span>
        </div>
    }
}

/// The entries as text, of many the first ones.
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
        more => texts::compare::and_more(shown.join(", "), more),
    }
}
