//! What can be seen of a pane of lines, and which lines will be seen when the next command is shown there.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss
)] // Heights and numbers of lines; casts saturate.

use crate::geometry::Resize;
use fletch_playground::protocol::{Line, Mark};
use gloo::events::EventListener;
use std::cell::Cell;
use std::ops::Range;
use std::rc::Rc;
use web_sys::Element;
use yew::{NodeRef, hook, use_effect_with, use_memo};

/// The height of a line, in pixels, as `command.css` has it.
const LINE: f64 = 26.0;
/// What the pane leaves free below its lines.
const BELOW: f64 = 24.0;
/// What a line leaves free above its text and below it.
const INSET: f64 = 4.0;

/// What can be seen of the pane around the lines, in pixels from the beginning of the first line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Extent {
    /// Where it begins; less than zero where the pane leaves something free above the lines.
    top: f64,
    height: f64,
    /// What comes before the lines and after them when all of it is scrolled through.
    above: f64,
    below: f64,
}

impl Extent {
    /// None while the lines are hidden.
    fn of(lines: &Element) -> Option<Extent> {
        let closest = |selector: &str| lines.closest(selector).ok().flatten();
        // In a slim page the command is as high as its lines, and what is around it and the sandwich scrolls (`narrow.css`).
        let around = closest(".work").filter(scrolls);
        let pane = around.clone().or_else(|| closest(".command"))?;
        let (seen, text) = (
            pane.get_bounding_client_rect(),
            lines.get_bounding_client_rect(),
        );
        let top = seen.top() - text.top();
        let behind = f64::from(pane.scroll_height()) - f64::from(pane.scroll_top());
        let extent = Extent {
            top,
            height: seen.height(),
            above: f64::from(pane.scroll_top()) - top,
            below: if around.is_some() {
                behind + seen.top() - text.bottom()
            } else {
                BELOW
            },
        };
        (extent.height > 0.0).then_some(extent)
    }
}

impl Default for Extent {
    /// More of a pane than is seen as long as the reader has not moved its borders.
    fn default() -> Self {
        let page = web_sys::window().and_then(|window| window.inner_height().ok()?.as_f64());
        Extent {
            top: 0.0,
            height: 0.55 * page.unwrap_or(1000.0),
            above: 0.0,
            below: BELOW,
        }
    }
}

/// Whether an element scrolls what it holds.
fn scrolls(element: &Element) -> bool {
    web_sys::window()
        .and_then(|window| window.get_computed_style(element).ok().flatten())
        .and_then(|style| style.get_property_value("overflow-y").ok())
        .is_some_and(|overflow| overflow == "auto")
}

/// What can be seen around these lines, kept up to date without a new view.
#[hook]
pub(super) fn use_extent(lines: &NodeRef) -> Rc<Cell<Extent>> {
    let extent = use_memo((), |()| Cell::new(Extent::default()));
    let kept = Rc::clone(&extent);
    use_effect_with(lines.clone(), move |lines| {
        let listening = lines.cast::<Element>().map(|lines| {
            let panes: Vec<Element> = [".command", ".work"]
                .into_iter()
                .filter_map(|pane| lines.closest(pane).ok().flatten())
                .collect();
            let measure = Rc::new(move || kept.set(Extent::of(&lines).unwrap_or_default()));
            let listen = |pane: &Element| {
                let (resized, scrolled) = (Rc::clone(&measure), Rc::clone(&measure));
                (
                    Resize::of(pane, move || resized()),
                    EventListener::new(pane, "scroll", move |_| scrolled()),
                )
            };
            panes.iter().map(listen).collect::<Vec<_>>()
        });
        move || drop(listening)
    });
    extent
}

/// The lines that will be seen: those where the pane is, and where it will be if it is scrolled to the redex (`shell::doing`),
/// which comes to stand at a third of the height. Not every view is scrolled: not one that is passed in a drag, nor one of the
/// same step.
pub(super) fn to_be_seen(lines: &[Line], extent: Extent) -> [Range<usize>; 2] {
    let at = |line: usize| line as f64 * LINE;
    let Extent { top, height, .. } = extent;
    // A shorter command than the last one cannot be scrolled as far.
    let highest = -extent.above;
    let lowest = (at(lines.len()) + extent.below - height).max(highest);
    let stays = top.clamp(highest, lowest);
    let works = |line: &Line| line.pieces.iter().any(|piece| piece.mark == Mark::Redex);
    let redex = lines.iter().position(works);
    let goes = redex
        .map(|redex| (at(redex) + INSET, at(redex + 1) - INSET))
        .filter(|(first, last)| *first < stays || *last > stays + height)
        .map(|(first, _)| (first - height / 3.0).clamp(highest, lowest));
    [stays, goes.unwrap_or(stays)].map(|top| seen(top, height, lines.len()))
}

/// The lines between two heights, and one more on either side for what is rounded.
fn seen(top: f64, height: f64, count: usize) -> Range<usize> {
    let first = (top / LINE).floor() - 1.0;
    let last = ((top + height) / LINE).ceil() + 1.0;
    first.max(0.0) as usize..(last.max(0.0) as usize).min(count)
}

#[cfg(test)]
mod tests {
    use super::{Extent, Line, Mark, to_be_seen};
    use fletch_playground::protocol::{Piece, PieceKind};

    fn command(count: usize, redex: Option<usize>) -> Vec<Line> {
        let piece = |mark| Piece {
            kind: PieceKind::Plain,
            text: "x".into(),
            mark,
            chip: None,
            node: 0,
            fold: None,
        };
        let line = |at| Line {
            indent: 0,
            pieces: vec![piece(if redex == Some(at) {
                Mark::Redex
            } else {
                Mark::None
            })],
        };
        (0..count).map(line).collect()
    }

    #[test]
    fn lines_that_will_be_seen_are_told_beforehand() {
        // Ten lines high, and fifteen pixels above the first one.
        let cases = [
            ("whole", 8, None, -15.0, [0..8, 0..8]),
            ("from the top", 90, Some(3), -15.0, [0..11, 0..11]),
            (
                "half a line can be seen",
                90,
                Some(9),
                -15.0,
                [0..11, 4..17],
            ),
            ("where the pane is", 90, Some(24), 520.0, [19..31, 19..31]),
            ("above it", 90, Some(3), 520.0, [19..31, 0..11]),
            ("below it", 90, Some(50), 520.0, [19..31, 45..58]),
            ("at the end", 90, Some(89), 520.0, [19..31, 79..90]),
            ("no redex", 90, None, 520.0, [19..31, 19..31]),
            ("shorter", 22, None, 520.0, [11..22, 11..22]),
        ];
        for (what, count, redex, top, lines) in cases {
            let extent = Extent {
                top,
                height: 260.0,
                above: 15.0,
                below: 24.0,
            };
            assert_eq!(to_be_seen(&command(count, redex), extent), lines, "{what}");
        }
    }
}
