//! Tooltip with a description of the element under the pointer.

use crate::diagram::camera::Rectangle;
use crate::diagram::following::Following;
use crate::diagram::sheet::{Sheet, Target};
use fletch_playground::diagram::{Flow, Kind, Picture, Shape};
use fletch_playground::numbers;
use fletch_playground::protocol::Chip;
use std::rc::Rc;
use web_sys::Element;
use yew::{Html, Properties, component, html, use_effect_with, use_node_ref, use_state_eq};

/// Tooltip of a sheet.
pub(crate) fn tip(sheet: &Sheet, following: Option<&Following>) -> Html {
    let (Some((target, at)), Some(picture)) = (sheet.hover, sheet.picture()) else {
        return Html::default();
    };
    let text = match target {
        Target::Box(number) => picture.boxes.get(number).map(|shape| {
            let figure = sheet
                .drawn
                .as_ref()
                .and_then(|drawn| drawn.figure.as_ref().ok());
            let definition = figure.and_then(|figure| figure.definitions.get(number));
            let definition = definition.filter(|text| !text.is_empty() && **text != shape.label);
            let definition = definition.map_or_else(String::new, |text| format!("\n{text}"));
            let opens = shape.opens.is_some();
            let hint = match (opens, shape.chevron()) {
                (false, _) => "",
                (true, None) => "\na double click opens it",
                (true, Some(_)) => "\na double click opens it, or a click on its sign",
            };
            let part = following.and_then(|following| following.part(shape));
            let heap = part.map_or(&[][..], |part| &part.locations);
            let heap = match heap {
                [] => String::new(),
                names => format!("\nin the heap: {names}", names = names.join(", ")),
            };
            format!("{}{definition}{heap}{hint}", said(shape))
        }),
        Target::Frame(number) => (picture.frames.get(number)).map(|frame| {
            let run = if frame.is_run { "a run of " } else { "" };
            let text = format!("{run}{} {}", frame.label, frame.half);
            format!("{trim_end}\na click folds it", trim_end = text.trim_end())
        }),
        Target::Wire(number) => wire(picture, number, following),
    };
    let Some(text) = text else {
        return Html::default();
    };
    let at = (at.0.round(), at.1.round());
    let boxes = picture.boxes.iter().map(|shape| sheet.seen(shape.frame));
    html! { <Placed {text} {at} room={sheet.size} boxes={boxes.collect::<Rc<[_]>>()} /> }
}

#[derive(Properties, PartialEq)]
struct PlacedProps {
    text: String,
    /// Coordinates of the pointer on the canvas, in CSS pixels.
    at: (f64, f64),
    /// Width and height of the canvas, in CSS pixels.
    room: (f64, f64),
    /// Rectangles of the boxes on the canvas, in CSS pixels.
    boxes: Rc<[Rectangle]>,
}

/// A tooltip, which is measured and then placed where it covers least.
#[component]
fn Placed(props: &PlacedProps) -> Html {
    let place = use_node_ref();
    let size = use_state_eq(|| (0.0, 0.0));
    {
        let (place, size) = (place.clone(), size.clone());
        use_effect_with((props.text.clone(), props.room), move |_| {
            if let Some(tip) = place.cast::<Element>() {
                let frame = tip.get_bounding_client_rect();
                size.set((frame.width().ceil(), frame.height().ceil()));
            }
        });
    }
    let (left, top) = spot(*size, props.at, props.room, &props.boxes);
    html! { <p class="tip" ref={place} style={format!("left: {left:.0}px; top: {top:.0}px")}>{ &props.text }</p> }
}

/// Left and top edge of a tooltip: next to the pointer, or at a height where it covers fewer boxes. A distance of 200 pixels from
/// the pointer weighs as much as one covered box.
fn spot(
    (width, height): (f64, f64),
    at: (f64, f64),
    room: (f64, f64),
    boxes: &[Rectangle],
) -> (f64, f64) {
    const BESIDE: f64 = 12.0;
    const WAY: f64 = 200.0;
    let within = |place: f64, most: f64| place.clamp(0.0, most.max(0.0));
    let lefts = [at.0 + BESIDE, at.0 - BESIDE - width, at.0 - width / 2.0];
    let edges = boxes
        .iter()
        .flat_map(|(_, top, _, tall)| [top - BESIDE - height, top + tall + BESIDE]);
    let tops = [at.1 + BESIDE, at.1 - BESIDE - height]
        .into_iter()
        .chain(edges);
    let places = tops.flat_map(|top| {
        let top = within(top, room.1 - height);
        lefts.map(|left| (within(left, room.0 - width), top))
    });
    let cost = |(left, top): (f64, f64)| {
        let covered = boxes.iter().filter(|(x, y, wide, tall)| {
            let across = left < x + wide && *x < left + width;
            across && top < y + tall && *y < top + height
        });
        let away = |from: f64, length: f64, to: f64| (from - to).max(to - from - length).max(0.0);
        let way = away(left, width, at.0).hypot(away(top, height, at.1));
        // Covering the pointer counts as one more covered box.
        let covered = covered.count() + usize::from(way <= 0.0);
        covered as f64 + way / WAY
    };
    let best = places.min_by(|one, other| cost(*one).total_cmp(&cost(*other)));
    best.unwrap_or(at)
}

/// Description of a box: `FC[ℓ0], forward, saves w and x`.
pub(crate) fn said(shape: &Shape) -> String {
    let half = match shape.mark {
        _ if shape.kind == Kind::Delay => "",
        None => "",
        Some(mark) if mark.is_back() => ", backward",
        Some(_) => ", forward",
    };
    let label = match shape.kind {
        Kind::Sum => "the sum",
        Kind::Delay => "delay: first the first state, then the state of the moment before",
        Kind::Operation | Kind::Pure => &shape.label,
    };
    let saves = match shape.saves.as_slice() {
        [] => String::new(),
        [only] => format!(", saves {only}"),
        [first @ .., last] => format!(", saves {first} and {last}", first = first.join(", ")),
    };
    format!("{label}{half}{saves}")
}

fn wire(picture: &Picture, number: usize, following: Option<&Following>) -> Option<String> {
    let wire = picture.wires.get(number)?;
    let what = match wire.flow {
        Flow::Forward => "a value on its way forward",
        Flow::Backward => "what goes back",
        Flow::Saved => "saved for the way back",
    };
    let all = if wire.thick { ", of all moments" } else { "" };
    let name = wire.name.as_ref().map(|name| format!("{name} : "));
    let what = format!("{}{}, {what}{all}", name.unwrap_or_default(), wire.ty);
    let Some(following) = following else {
        return Some(what);
    };
    let value = match following.value(wire.wire) {
        _ if !following.holds(picture, wire) => match following.carries(wire.wire) {
            true => "not yet saved".to_owned(),
            false => "not yet computed".to_owned(),
        },
        Some(chip) => entries(chip),
        None => return Some(what),
    };
    Some(format!("{what}\n{value}"))
}

/// Text of a value: all entries of a small one; of a large one the first entries and the range; of a very large one, for each
/// block, the entry farthest from zero.
fn entries(chip: &Chip) -> String {
    const COLUMNS: usize = 12;
    const ROWS: usize = 6;
    let columns = usize::try_from(chip.columns).unwrap_or(1).max(1);
    if let [only] = chip.entries.as_slice() {
        return numbers::short(*only);
    }
    let row = |row: &[f64]| {
        let entries = row.iter().take(COLUMNS).copied().map(numbers::short);
        let mut entries: Vec<String> = entries.collect();
        if row.len() > COLUMNS {
            entries.push("…".to_owned());
        }
        entries.join(", ")
    };
    let rows: Vec<String> = chip.entries.chunks(columns).take(ROWS).map(row).collect();
    let text = match rows.as_slice() {
        [only] => format!("[{only}]"),
        _ => format!("\n{}", rows.join("\n")),
    };
    let space = chip.space();
    if chip.entries.len() != chip.size as usize {
        let parts = format!(
            "{entries} × {columns} parts",
            entries = chip.entries.len() / columns
        );
        return format!("{space} : of each of {parts}, the entry farthest from 0{text}");
    }
    if chip.entries.len() <= columns.min(COLUMNS) * rows.len() {
        return format!("{space} : {text}");
    }
    let ends = chip
        .entries
        .iter()
        .fold((f64::MAX, f64::MIN), |ends, entry| {
            (ends.0.min(*entry), ends.1.max(*entry))
        });
    let (least, most) = (numbers::short(ends.0), numbers::short(ends.1));
    format!("{space}, all from {least} to {most} : {text}\n…")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chip(rows: u32, columns: u32, size: u32) -> Chip {
        Chip {
            id: 0,
            value: 0,
            shape: format!("{rows} × {columns}"),
            rows,
            columns,
            entries: (0..rows * columns).map(f64::from).collect(),
            size,
        }
    }

    #[test]
    fn a_tip_stands_beside_the_pointer_or_where_it_covers_no_box() {
        let room = (400.0, 300.0);
        assert_eq!(spot((80.0, 40.0), (100.0, 100.0), room, &[]), (60.0, 112.0));
        // The box under the pointer and a row below it: above both, nothing is covered.
        let row = [(90.0, 90.0, 40.0, 20.0), (90.0, 120.0, 200.0, 20.0)];
        assert_eq!(spot((80.0, 40.0), (100.0, 100.0), room, &row), (60.0, 48.0));
        // At an edge of the canvas, the tooltip stays in sight.
        let (left, top) = spot((80.0, 40.0), (395.0, 295.0), room, &[]);
        assert_eq!((left, top), (303.0, 260.0));
        // On a smaller canvas, its left and top are in sight.
        assert_eq!(spot((500.0, 400.0), (10.0, 10.0), room, &[]), (0.0, 0.0));
    }

    #[test]
    fn a_value_is_told_as_far_as_it_fits() {
        assert_eq!(entries(&chip(1, 1, 1)), "0");
        assert!(entries(&chip(2, 2, 4)).ends_with(": \n0, 1\n2, 3"));
        let large = entries(&chip(10, 3, 30));
        assert!(large.contains("all from 0 to 29") && large.ends_with("15, 16, 17\n…"));
        let parts = entries(&chip(4, 4, 1600));
        assert!(parts.contains("of each of 4 × 4 parts, the entry farthest from 0"));
    }
}
