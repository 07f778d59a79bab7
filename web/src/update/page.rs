//! Updates of the page alone: tabs, menus, the popovers of chips, and the sizes of the panes.

use crate::effects::{Effect, Timer, stored};
use crate::examples;
use crate::ids;
use crate::model::{Model, Opened, Overlay, Pane, PaneSizes, Popover, Split, Tab};
use crate::steps::run::Trace;
use fletch_playground::protocol::derivation::Which;

/// Time in milliseconds that the pointer rests on a chip before its popover opens, and may be away before it closes.
const REST: u32 = 140;

/// Shows another tab of the stage.
pub(crate) fn tab(model: &mut Model, tab: Tab, effects: &mut Vec<Effect>) {
    // A cursor that no reader has moved is in the first line, usually a comment. The derivation of types then starts
    // at the redex, with the whole lines of its statement.
    if tab == Tab::Types && model.stepping.cursor == 0 {
        let view = model.trace.as_ref().and_then(|trace| trace.view.as_ref());
        if let Some((view, redex)) = view.and_then(|view| Some((view, view.source?))) {
            let place = lines(&model.program.text, redex);
            let of = view.clause.clone().map(Which::ClauseOf);
            let which = of.unwrap_or(Which::Number(0));
            model.types.start(place, which);
        }
    }
    model.tab = tab;
    if tab != Tab::Steps {
        super::ask::start(model, effects);
    }
}

/// Range of the lines that a range touches, without surrounding blanks; offsets are in UTF-16 code units.
fn lines(text: &str, (from, to): (u32, u32)) -> (u32, u32) {
    let mut start = 0_u32;
    let mut found: Option<(u32, u32)> = None;
    for line in text.split_inclusive('\n') {
        let units = |text: &str| {
            text.chars()
                .map(|letter| if letter.len_utf16() == 1 { 1 } else { 2 })
                .sum::<u32>()
        };
        let (length, words) = (units(line), line.trim());
        if start <= to && from < start + length && !words.is_empty() {
            let begins = start + units(line) - units(line.trim_start());
            let (first, _) = found.unwrap_or((begins, begins));
            found = Some((first, begins + units(words)));
        }
        start += length;
    }
    found.unwrap_or((from, to))
}

/// Shows a tab, instead of any other pane that a narrow page shows.
pub(crate) fn turn_to(model: &mut Model, to: Tab, effects: &mut Vec<Effect>) {
    model.layout.pane = Pane::Steps;
    tab(model, to, effects);
}

/// Shows a tab and focuses it.
#[inline(never)] // A start does without it.
pub(crate) fn tab_by_key(model: &mut Model, to: Tab, effects: &mut Vec<Effect>) {
    turn_to(model, to, effects);
    effects.push(Effect::Focus(ids::tab(to)));
}

/// Marks the range of the program that a figure is about, and shows it, unless the text has changed since.
#[inline(never)] // A start does without it.
pub(crate) fn mark(model: &Model, place: (u32, u32), effects: &mut Vec<Effect>) {
    if !model.is_outdated() {
        effects.push(Effect::Mark {
            ran: None,
            range: Some(place),
            reveal: true,
        });
    }
}

/// Shows a call or return clause in the sandwich. Position `met` met it; the sandwich has it from position `there` on.
#[inline(never)] // A start does without it.
pub(crate) fn sandwich_entry(model: &mut Model, met: u32, there: u32, effects: &mut Vec<Effect>) {
    tab(model, Tab::Steps, effects);
    let met_by = |trace: &Trace| trace.position > met;
    if !model.trace.as_ref().is_some_and(met_by) {
        crate::steps::update::trace::show(model, there, effects);
    }
    visit(model, ids::layer(met), effects);
}

#[inline(never)] // A start does without it.
pub(crate) fn over(model: &mut Model, overlay: Overlay, effects: &mut Vec<Effect>) {
    let focus = match (model.overlay, overlay) {
        (_, Overlay::Examples(number)) => Some(format!("examples-{number}")),
        (_, Overlay::Outline(number)) => Some(format!("outline-{number}")),
        (_, Overlay::Jump(number)) => Some(format!("jump-{number}")),
        (Overlay::Examples(_), Overlay::None) => Some("examples".to_owned()),
        (Overlay::Outline(_), Overlay::None) => Some("outline".to_owned()),
        (Overlay::Jump(_), Overlay::None) => Some("jump".to_owned()),
        (Overlay::Copy, Overlay::None) => Some(ids::MORE.to_owned()),
        (Overlay::Share, Overlay::None) => Some("share".to_owned()),
        (Overlay::Drafts, Overlay::None) => Some("drafts".to_owned()),
        _ => None,
    };
    if overlay == Overlay::Drafts {
        crate::drafts::update::show(model, effects);
    }
    model.overlay = overlay;
    model.sought = "".into();
    effects.extend(focus.map(Effect::Focus));
}

/// Goes to the entry of the open menu that the typed letters begin. A letter that fits no entry starts a new search,
/// so a repeated letter goes to the next entry.
#[inline(never)] // A start does without it.
pub(crate) fn seek(model: &mut Model, character: char, effects: &mut Vec<Effect>) {
    let outline = model.check.outline.clone();
    let (names, here): (Vec<&str>, usize) = match model.overlay {
        Overlay::Examples(here) => (examples::all().map(|example| example.title).collect(), here),
        Overlay::Outline(here) => (outline.iter().map(|entry| &*entry.name).collect(), here),
        _ => return,
    };
    let character = character.to_ascii_lowercase().to_string();
    let longer = format!("{}{character}", model.sought);
    let found = match entry(&names, &longer, here) {
        Some(number) => Some((number, longer)),
        None => entry(&names, &character, here + 1).map(|number| (number, character)),
    };
    let Some((number, sought)) = found else {
        return;
    };
    let overlay = match model.overlay {
        Overlay::Outline(_) => Overlay::Outline(number),
        _ => Overlay::Examples(number),
    };
    over(model, overlay, effects);
    model.sought = sought.into();
}

/// Number of the next entry, cyclically from `from`, that starts with `start`; failing that, of one with a word that does.
fn entry(names: &[&str], start: &str, from: usize) -> Option<usize> {
    let numbers = || (0..names.len()).map(|number| (number + from) % names.len());
    let name = |number: usize| {
        names
            .get(number)
            .map_or_else(String::new, |name| name.to_ascii_lowercase())
    };
    let word = |number: usize| {
        let name = name(number);
        let mut words = name
            .match_indices(start)
            .map(|(at, _)| name.get(..at).unwrap_or(""));
        words.any(|before| !before.ends_with(char::is_alphanumeric))
    };
    numbers()
        .find(|number| name(*number).starts_with(start))
        .or_else(|| numbers().find(|number| word(*number)))
}

/// Number of the tensor that a chip shows, which all its chips in the view share; 0 for a word.
fn tensor(popover: &Popover) -> u32 {
    match &popover.opened {
        Opened::Chip(chip) => chip.value,
        Opened::Gloss { .. } => 0,
    }
}

#[inline(never)] // A start does without it.
pub(crate) fn chip_hovered(model: &mut Model, popover: Popover, effects: &mut Vec<Effect>) {
    model.alike = tensor(&popover);
    if model
        .popover
        .as_ref()
        .is_some_and(|open| open.anchor == popover.anchor)
    {
        effects.push(Effect::Cancel(Timer::Hover));
        return;
    }
    model.hovered = Some(popover);
    effects.push(Effect::Start(Timer::Hover, REST));
}

#[inline(never)] // A start does without it.
pub(crate) fn chip_opened(model: &mut Model, popover: Popover, effects: &mut Vec<Effect>) {
    model.alike = tensor(&popover);
    effects.push(Effect::Cancel(Timer::Hover));
    model.hovered = None;
    let again = model
        .popover
        .as_ref()
        .is_some_and(|open| open.pinned && popover.pinned && open.anchor == popover.anchor);
    model.popover = (!again).then_some(popover);
    crate::steps::update::heap::want(model, effects);
}

#[inline(never)] // A start does without it.
pub(crate) fn chip_left(model: &mut Model, effects: &mut Vec<Effect>) {
    model.alike = 0;
    model.hovered = None;
    effects.push(Effect::Start(Timer::Hover, REST));
}

/// The pointer has rested on a chip, or has been away from it, for the time `REST`.
#[inline(never)] // A start does without it.
pub(crate) fn hover_rested(model: &mut Model, effects: &mut Vec<Effect>) {
    let pinned = model.popover.as_ref().is_some_and(|popover| popover.pinned);
    if !pinned {
        model.popover = model.hovered.take();
        crate::steps::update::heap::want(model, effects);
    }
}

pub(crate) fn chip_closed(model: &mut Model, effects: &mut Vec<Effect>) {
    model.alike = 0;
    if model.popover.is_some() || model.hovered.is_some() {
        model.popover = None;
        model.hovered = None;
        effects.push(Effect::Cancel(Timer::Hover));
    }
}

/// Shows the target of a link within the page: a layer of the sandwich, or a card of the heap. A narrow page shows its pane.
#[inline(never)] // A start does without it.
pub(crate) fn visit(model: &mut Model, id: String, effects: &mut Vec<Effect>) {
    model.layout.pane = if id.starts_with("cell-") {
        model.heap.whole = true;
        Pane::Heap
    } else {
        Pane::Sandwich
    };
    tab(model, Tab::Steps, effects);
    effects.push(Effect::Visit(id));
}

/// Shows the program: its pane on a narrow page, its drawer if it is folded.
pub(crate) fn unfold(model: &mut Model, effects: &mut Vec<Effect>) {
    model.layout.pane = Pane::Program;
    if model.layout.folds(model.tab) {
        model.layout.fold(model.tab, false);
        keep_layout(model, effects);
    }
}

pub(crate) fn keep_layout(model: &Model, effects: &mut Vec<Effect>) {
    let PaneSizes {
        editor,
        heap,
        sandwich,
        text,
        lesson,
        folded,
        ..
    } = model.layout;
    let folded = folded.map(|folded| if folded { '1' } else { '0' });
    let folded: String = folded.into_iter().collect();
    effects.push(Effect::Store(
        stored::LAYOUT,
        format!("{editor} {heap} {sandwich} {folded} {text} {lesson}").into(),
    ));
}

/// Parses the text that `keep_layout` stores; an unreadable value leaves the default.
pub(crate) fn restore_layout(text: &str) -> PaneSizes {
    let mut layout = PaneSizes::default();
    let words: Vec<&str> = text.split(' ').collect();
    let sizes = [
        (Split::Editor, 0),
        (Split::Heap, 1),
        (Split::Sandwich, 2),
        (Split::Text, 4),
        (Split::Lesson, 5),
    ];
    for (split, place) in sizes {
        if let Some(size) = words.get(place).and_then(|size| size.parse().ok()) {
            layout.set(split, size);
        }
    }
    let folds = words.get(3).copied().unwrap_or_default().bytes();
    for (place, fold) in layout.folded.iter_mut().zip(folds) {
        *place = fold == b'1';
    }
    layout
}
