//! What can be seen of a pane of lines, and which lines will be seen when the next command is shown there.

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
/// What the pane leaves free above its lines and below them.
const ABOVE: f64 = 15.0;
const BELOW: f64 = 24.0;
/// What a line leaves free above its text and below it.
const INSET: f64 = 4.0;

/// How far a pane has been scrolled, and how much of it can be seen, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Extent {
    top: f64,
    height: f64,
}

impl Extent {
    /// None while the pane is hidden.
    fn of(pane: &Element) -> Option<Extent> {
        // On a phone it is the page around the pane that scrolls.
        let height = f64::from(pane.client_height()).min(page_height());
        let top = f64::from(pane.scroll_top());
        (height > 0.0).then_some(Extent { top, height })
    }
}

impl Default for Extent {
    /// More of a pane than is seen as long as the reader has not moved its borders.
    fn default() -> Self {
        Extent {
            top: 0.0,
            height: 0.55 * page_height(),
        }
    }
}

fn page_height() -> f64 {
    let height = web_sys::window().and_then(|window| window.inner_height().ok()?.as_f64());
    height.unwrap_or(1000.0)
}

/// The extent of the pane around these lines, kept up to date without a new view.
#[hook]
pub(super) fn use_extent(lines: &NodeRef) -> Rc<Cell<Extent>> {
    let extent = use_memo((), |()| Cell::new(Extent::default()));
    let kept = Rc::clone(&extent);
    use_effect_with(lines.clone(), move |lines| {
        let pane = lines
            .cast::<Element>()
            .and_then(|lines| lines.closest(".command").ok().flatten());
        let listening = pane.map(|pane| {
            let measured = pane.clone();
            let measure = Rc::new(move || kept.set(Extent::of(&measured).unwrap_or_default()));
            let scrolled = Rc::clone(&measure);
            (
                Resize::of(&pane, move || measure()),
                EventListener::new(&pane, "scroll", move |_| scrolled()),
            )
        });
        move || drop(listening)
    });
    extent
}

/// The lines that will be seen: those where the pane is, or if the redex is not among them, those where it will be scrolled to
/// (`shell::doing`): the redex at a third of the height.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss
)] // Heights and numbers of lines; casts saturate.
pub(super) fn to_be_seen(lines: &[Line], Extent { top, height }: Extent) -> Range<usize> {
    let at = |line: usize| ABOVE + line as f64 * LINE;
    // A shorter command than the last one cannot be scrolled as far.
    let lowest = (at(lines.len()) + BELOW - height).max(0.0);
    let mut top = top.min(lowest);
    let works = |line: &Line| line.pieces.iter().any(|piece| piece.mark == Mark::Redex);
    if let Some(redex) = lines.iter().position(works) {
        let (first, last) = (at(redex) + INSET, at(redex + 1) - INSET);
        if first < top || last > top + height {
            top = (first - height / 3.0).clamp(0.0, lowest);
        }
    }
    // A line more on either side: what is above the lines differs by as much from pane to pane.
    let first = ((top - ABOVE) / LINE).floor() - 1.0;
    let last = ((top + height - ABOVE) / LINE).ceil() + 1.0;
    first.max(0.0) as usize..(last as usize).min(lines.len())
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
        // Ten lines high.
        let height = 260.0;
        let cases = [
            ("whole", 8, None, 0.0, 0..8),
            ("from the top", 90, Some(3), 0.0, 0..11),
            (
                "half a line can be seen of the redex",
                90,
                Some(9),
                0.0,
                4..17,
            ),
            ("where the pane is", 90, Some(24), 535.0, 19..31),
            ("above it", 90, Some(3), 535.0, 0..11),
            ("below it", 90, Some(50), 535.0, 45..58),
            ("at the end", 90, Some(89), 535.0, 79..90),
            ("no redex", 90, None, 535.0, 19..31),
            ("shorter than the last one", 22, None, 535.0, 11..22),
        ];
        for (what, count, redex, top, seen) in cases {
            let extent = Extent { top, height };
            assert_eq!(to_be_seen(&command(count, redex), extent), seen, "{what}");
        }
    }
}
