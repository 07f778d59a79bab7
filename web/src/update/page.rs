//! What belongs to the page alone: menus, the views of chips, and the sizes of the panes.

use crate::effects::{Effect, Timer, stored};
use crate::model::{Model, Overlay, Pane, PaneSizes, Popover, Split};

/// How long the pointer rests on a chip before it opens, and how long it may be away before it closes.
const REST: u32 = 140;

pub(super) fn over(model: &mut Model, overlay: Overlay, effects: &mut Vec<Effect>) {
    let focus = match (model.overlay, overlay) {
        (_, Overlay::Examples(number)) => Some(format!("examples-{number}")),
        (_, Overlay::Outline(number)) => Some(format!("outline-{number}")),
        (_, Overlay::Jump(number)) => Some(format!("jump-{number}")),
        (Overlay::Examples(_), Overlay::None) => Some("examples".to_owned()),
        (Overlay::Outline(_), Overlay::None) => Some("outline".to_owned()),
        (Overlay::Jump(_), Overlay::None) => Some("jump".to_owned()),
        (Overlay::Copy, Overlay::None) => Some(super::COPY.to_owned()),
        _ => None,
    };
    model.overlay = overlay;
    effects.extend(focus.map(Effect::Focus));
}

pub(super) fn chip_hovered(model: &mut Model, popover: Popover, effects: &mut Vec<Effect>) {
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

pub(super) fn chip_opened(model: &mut Model, popover: Popover, effects: &mut Vec<Effect>) {
    effects.push(Effect::Cancel(Timer::Hover));
    model.hovered = None;
    let again = model
        .popover
        .as_ref()
        .is_some_and(|open| open.pinned && popover.pinned && open.anchor == popover.anchor);
    model.popover = (!again).then_some(popover);
    super::heap::want(model, effects);
}

pub(super) fn chip_left(model: &mut Model, effects: &mut Vec<Effect>) {
    model.hovered = None;
    effects.push(Effect::Start(Timer::Hover, REST));
}

/// The pointer has rested on a chip, or has been away from it, for long enough.
pub(super) fn hover_rested(model: &mut Model, effects: &mut Vec<Effect>) {
    let pinned = model.popover.as_ref().is_some_and(|popover| popover.pinned);
    if !pinned {
        model.popover = model.hovered.take();
        super::heap::want(model, effects);
    }
}

pub(super) fn chip_closed(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.popover.is_some() || model.hovered.is_some() {
        model.popover = None;
        model.hovered = None;
        effects.push(Effect::Cancel(Timer::Hover));
    }
}

/// Shows what a link within the page leads to; on a narrow page, the pane that has it.
pub(super) fn visit(model: &mut Model, id: String, effects: &mut Vec<Effect>) {
    model.layout.pane = if id.starts_with("cell-") {
        Pane::Heap
    } else {
        Pane::Sandwich
    };
    effects.push(Effect::Visit(id));
}

pub(super) fn keep_layout(model: &Model, effects: &mut Vec<Effect>) {
    let PaneSizes {
        editor,
        heap,
        sandwich,
        ..
    } = model.layout;
    effects.push(Effect::Store(
        stored::LAYOUT,
        format!("{editor} {heap} {sandwich}").into(),
    ));
}

/// Reads what `keep_layout` kept; what cannot be read leaves the default.
pub(crate) fn restore_layout(text: &str) -> PaneSizes {
    let mut layout = PaneSizes::default();
    let sizes = text.split(' ').filter_map(|size| size.parse().ok());
    for (split, size) in [Split::Editor, Split::Heap, Split::Sandwich]
        .into_iter()
        .zip(sizes)
    {
        layout.set(split, size);
    }
    layout
}
