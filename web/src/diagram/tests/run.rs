//! Tests of a diagram that follows the run.

use crate::answered::{MLP, Page, units_before};
use crate::diagram::following::Phase;
use crate::diagram::sheet::SheetMsg;
use crate::diagram::view::carried::{carried, onto};
use crate::diagram::{DiagramMsg, HANDLED};
use fletch_playground::diagram::{Flow, Shape};

const AUTOENCODER: &str = include_str!("../../../../examples/autoencoder.fletch");
const GATED: &str = include_str!("../../../../examples/gru.fletch");
const TRUNCATED: &str = include_str!("../../../../examples/truncated.fletch");
const UNET: &str = include_str!("../../../../examples/unet_training.fletch");

impl Page {
    /// Last position of the run.
    fn last(&self) -> u32 {
        self.model.trace.as_ref().unwrap().steps
    }

    /// Labels of the boxes in a phase, with a sign for backward halves.
    fn boxes(&self, phase: Phase) -> Vec<String> {
        let following = self.model.following(HANDLED).unwrap();
        let picture = self.model.diagram.sheets[HANDLED].picture().unwrap();
        let mut boxes: Vec<_> = picture
            .boxes
            .iter()
            .filter(|shape| following.phase(shape) == phase)
            .collect();
        boxes.sort_by_key(|shape| shape.statements.first());
        let back = |shape: &Shape| match shape.mark {
            Some(mark) if mark.is_back() => "‹",
            _ => "",
        };
        let names = boxes.iter();
        names
            .map(|shape| format!("{}{}", back(shape), shape.label))
            .collect()
    }
}

#[test]
fn the_box_at_work_is_lit_and_what_has_not_run_waits() {
    let mut page = Page::with(MLP);
    page.at(44);
    assert_eq!(page.boxes(Phase::Lit), ["‹FC[ℓ1]"]);
    assert_eq!(page.boxes(Phase::Waits), ["rd[swish]", "‹FC[ℓ0]"]);
    page.at(3);
    assert_eq!(page.boxes(Phase::Lit), ["FC[ℓ0]"]);
    assert_eq!(page.boxes(Phase::Done), ["[1, 0]"]);
    page.at(0);
    assert_eq!(page.boxes(Phase::Lit), [""; 0], "between boxes");
    page.at(page.last());
    assert_eq!(page.boxes(Phase::Done).len(), 8);
    let following = page.model.following(HANDLED).unwrap();
    assert!((0..following.links.wires.len()).all(|wire| following.carries(wire)));
}

#[test]
fn a_value_is_saved_once_the_box_that_saves_it_has_run() {
    let mut page = Page::with(MLP);
    let saved = |page: &Page| -> Vec<String> {
        let following = page.model.following(HANDLED).unwrap();
        let picture = page.model.diagram.sheets[HANDLED].picture().unwrap();
        let paths = picture.wires.iter();
        let saved = paths.filter(|path| path.flow == Flow::Saved && following.holds(picture, path));
        saved.filter_map(|path| path.name.clone()).collect()
    };
    page.at(3);
    assert_eq!(saved(&page), [""; 0], "the input is there, and not saved");
    page.at(11);
    assert_eq!(saved(&page), ["w", "z_hid", "x"]);
    page.at(page.last());
    assert_eq!(saved(&page).len(), 5, "{:?}", saved(&page));
}

#[test]
fn a_value_is_there_when_the_steps_have_it_and_not_before() {
    let mut page = Page::with(MLP);
    page.at(10);
    let picture = |page: &Page| {
        let following = page.model.following(HANDLED).unwrap();
        let sheet = &page.model.diagram.sheets[HANDLED];
        carried(sheet.picture().unwrap(), &following)
    };
    let texts = |page: &Page| -> Vec<String> {
        let all = picture(page).into_iter().rev();
        all.map(|carried| carried.text).collect()
    };
    assert_eq!(texts(&page), ["ℝ²"], "the input alone");
    page.at(11);
    assert_eq!(texts(&page), ["ℝ²", "ℝ⁸"]);
    page.at(30);
    let trace = page.model.trace.as_ref().unwrap();
    assert_eq!(trace.view.as_ref().unwrap().sandwich.len(), 1);
    assert_eq!(texts(&page).len(), 5, "and the first cotangent");
}

#[test]
fn a_chosen_box_leads_to_its_call_its_steps_and_its_cells() {
    let mut page = Page::with(MLP);
    page.at(44);
    page.marks.clear();
    page.click("FC[ℓ1]");
    let marked = page.text_at(page.marks[0]);
    assert_eq!(marked, "FC[ℓ1](x_hid)");
    let following = page.model.following(HANDLED).unwrap();
    let (sheet, chosen) = page.model.diagram.chosen.unwrap();
    let shape = page.model.diagram.sheets[sheet].shape(chosen).unwrap();
    let part = following.part(shape).unwrap();
    assert_eq!(following.steps(part), [("forward", 16), ("backward", 39)]);
    assert_eq!(part.locations, ["ℓ1"]);
    assert_eq!(following.entry(part), Some(16));
    page.diagram(DiagramMsg::Unchoose);
    assert_eq!(page.model.diagram.chosen, None);
}

#[test]
fn an_entry_of_the_sandwich_leads_to_its_box_be_it_of_a_handler_inside() {
    let mut page = Page::with(AUTOENCODER);
    page.at(60);
    for (met, label) in [
        (4, "FC[ℓ0]"),
        (38, "FC[ℓ1]"),
        (3, "FC[ℓ0]"),
        (51, "α · (x − t)"),
    ] {
        page.diagram(DiagramMsg::Box(met));
        assert_eq!(page.focused(), label, "{met}");
    }
}

#[test]
fn the_cursor_marks_the_boxes_of_what_it_is_in() {
    let mut page = Page::with(MLP);
    page.at(44);
    page.cursor(units_before(MLP, "swish(z_hid)") + 2);
    let following = page.model.following(HANDLED).unwrap();
    let picture = page.model.diagram.sheets[HANDLED].picture().unwrap();
    let chosen = picture.boxes.iter().filter(|shape| following.chosen(shape));
    let mut labels: Vec<&str> = chosen.map(|shape| &*shape.label).collect();
    labels.sort_unstable();
    assert_eq!(labels, ["rd[swish]", "swish"]);
}

/// The operation at work is open, all others are folded, and the scale never changes. An operation that the reader folded stays
/// folded.
#[test]
fn the_operation_at_work_opens_by_itself() {
    let mut page = Page::with(MLP);
    page.sheet(SheetMsg::Sized(1200.0, 600.0));
    let sheet = |page: &Page| page.model.diagram.sheets[HANDLED].clone();
    let frames = |page: &Page| -> Vec<String> {
        let frames = sheet(page).picture().unwrap().frames.clone();
        let told = frames.iter().filter(|frame| !frame.is_run);
        told.map(|frame| format!("{} {}", frame.label, frame.half))
            .collect()
    };
    assert_eq!(frames(&page), [""; 0], "nothing has begun");
    let scale = sheet(&page).camera.scale;
    let halves = |name: &str| ["forward", "backward"].map(|half| format!("{name} {half}"));
    // Forward through both, back through both; the pure map between them opens nothing.
    for (position, name) in [
        (3, "FC[ℓ0]"),
        (14, "FC[ℓ0]"),
        (16, "FC[ℓ1]"),
        (44, "FC[ℓ1]"),
        (page.last(), "FC[ℓ0]"),
    ] {
        page.at(position);
        assert_eq!(frames(&page), halves(name), "{position}");
        assert_eq!(sheet(&page).camera.scale, scale, "{position}");
        assert!(sheet(&page).is_whole(), "{position}");
    }
    // A selected box stays selected.
    page.at(44);
    page.click("swish");
    page.at(page.last());
    let (_, chosen) = page.model.diagram.chosen.unwrap();
    assert_eq!(sheet(&page).shape(chosen).unwrap().label, "swish");
    // The header of the operation folds it, and no other operation opens.
    let (x, y, _, height) = sheet(&page).picture().unwrap().frames[0].header;
    let header = sheet(&page).camera.screen((x + 12.0, y + height / 2.0));
    page.sheet(SheetMsg::Pressed(1, header));
    page.sheet(SheetMsg::Released(1, header));
    page.at(16);
    assert_eq!(frames(&page), [""; 0]);
    page.diagram(DiagramMsg::AtWork(true));
    assert_eq!(frames(&page), halves("FC[ℓ1]"));
    // Nothing opens, and no drawing is requested, where labels would be too small.
    let mut page = Page::with(UNET);
    page.sheet(SheetMsg::Sized(1200.0, 600.0));
    let asked = page.asked.len();
    page.at(131);
    assert_eq!((frames(&page), page.asked.len()), (Vec::new(), asked));
}

/// At every position, chips cover nothing and the box at work is in sight.
#[test]
fn chips_stand_free_and_what_is_at_work_is_in_sight() {
    let cases = [
        (MLP, 1, false),
        (MLP, 1, true),
        (AUTOENCODER, 3, false),
        (UNET, 131, false),
        (UNET, 197, true),
    ];
    for (source, every, turned) in cases {
        let mut page = Page::with(source);
        if turned {
            page.diagram(DiagramMsg::Turn);
        }
        let (mut chips, mut lit) = (0, 0);
        for position in (0..=page.last()).step_by(every) {
            page.at(position);
            let following = page.model.following(HANDLED).unwrap();
            let sheet = &page.model.diagram.sheets[HANDLED];
            let picture = sheet.picture().unwrap();
            let placed = carried(picture, &following);
            for (index, carried) in placed.iter().enumerate() {
                let others = placed.iter().skip(index + 1).map(|other| other.frame);
                let boxes = picture.boxes.iter().map(|shape| shape.frame);
                let apart = |(x, y, width, height), (a, b, c, d)| {
                    x + width <= a || a + c <= x || y + height <= b || b + d <= y
                };
                for other in others.chain(boxes.clone()) {
                    assert!(apart(carried.frame, other), "{position}: {carried:?}");
                }
                let (end, foot) = (onto(carried.frame, carried.foot), carried.foot);
                let stem = (
                    end.0.min(foot.0),
                    end.1.min(foot.1),
                    (end.0 - foot.0).abs(),
                    (end.1 - foot.1).abs(),
                );
                for shape in boxes {
                    assert!(apart(stem, shape), "{position}: the stem of {carried:?}");
                }
            }
            chips += placed.len();
            for shape in &picture.boxes {
                if following.phase(shape) == Phase::Lit {
                    let (x, y) = sheet.camera.screen((shape.frame.0, shape.frame.1));
                    let seen = x > -1.0 && x < sheet.size.0 && y > -1.0 && y < sheet.size.1;
                    assert!(seen, "{position}: {}", shape.label);
                    lit += 1;
                }
            }
        }
        assert!(chips > 20 && lit > 5, "{chips} {lit}");
    }
}

/// A picture that is seen in parts begins at the box at work, whatever the size of its canvas, and whether the run or the canvas is
/// known first.
#[test]
fn a_picture_in_parts_begins_at_the_box_at_work() {
    let in_sight = |page: &Page| {
        let following = page.model.following(HANDLED).unwrap();
        let sheet = &page.model.diagram.sheets[HANDLED];
        let boxes = &sheet.picture().unwrap().boxes;
        let lit = (boxes.iter()).find(|shape| following.phase(shape) == Phase::Lit);
        let (x, y, width, height) = lit.unwrap().frame;
        let (left, top) = sheet.camera.screen((x, y));
        let (right, bottom) = sheet.camera.screen((x + width, y + height));
        assert!(!sheet.is_whole(), "in parts");
        left >= 0.0 && top >= 0.0 && right <= sheet.size.0 && bottom <= sheet.size.1
    };
    for (width, height) in [(980.0, 560.0), (390.0, 400.0), (1330.0, 420.0)] {
        let mut page = Page::with(UNET);
        let mut position = page.last() / 2;
        while page.boxes(Phase::Lit).is_empty() {
            position += 1;
            page.at(position);
        }
        page.sheet(SheetMsg::Sized(width, height));
        assert!(in_sight(&page), "{width} × {height}");
        page.diagram(DiagramMsg::Turn);
        assert!(in_sight(&page), "{width} × {height}, turned");
        page.sheet(SheetMsg::Sized(width - 100.0, height - 40.0));
        assert!(in_sight(&page), "{width} × {height}, smaller");
    }
}

/// While nothing is at work, a picture that is seen in parts begins at the last box that has run, or at the start of a run at the
/// first box. Boxes with nothing to run, such as sums, are at its end.
#[test]
fn a_picture_in_parts_begins_at_the_last_box_that_has_run() {
    let mut seen = 0;
    for source in [GATED, TRUNCATED, UNET] {
        let mut page = Page::with(source);
        for position in [0, page.last() / 4, page.last() / 3, page.last() / 2] {
            page.at(position);
            if !page.boxes(Phase::Lit).is_empty() {
                continue;
            }
            page.sheet(SheetMsg::Sized(980.0, 300.0));
            page.sheet(SheetMsg::Sized(700.0, 300.0));
            let following = page.model.following(HANDLED).unwrap();
            let sheet = &page.model.diagram.sheets[HANDLED];
            assert!(!sheet.is_whole(), "in parts");
            let boxes = sheet.picture().unwrap().boxes.iter();
            let begun =
                |shape: &&Shape| following.part(shape).and_then(|part| following.begun(part));
            let ran = boxes.clone().filter(|shape| begun(shape).is_some());
            let last = ran.max_by_key(|shape| (begun(shape), shape.statements.first()));
            let first = boxes.min_by(|one, other| one.frame.0.total_cmp(&other.frame.0));
            let (x, y, width, height) = last.or(first).unwrap().frame;
            let (left, top) = sheet.camera.screen((x, y));
            let (right, bottom) = sheet.camera.screen((x + width, y + height));
            let whole =
                left >= 0.0 && top >= 0.0 && right <= sheet.size.0 && bottom <= sheet.size.1;
            assert!(whole, "{position}: {left}, {top}");
            seen += 1;
        }
    }
    assert!(seen > 4, "{seen}");
}

#[test]
fn in_an_open_operation_the_box_of_the_redex_is_lit() {
    let mut page = Page::with(MLP);
    page.diagram(DiagramMsg::OpenAll(true));
    let all = ["w − y ∗ xᵀ", "Put[ℓ1]", "wᵀ ∗ y"];
    for (position, lit) in [(44, 0), (46, 0), (47, 1), (49, 2)] {
        page.at(position);
        assert_eq!(page.boxes(Phase::Lit), [all[lit]], "{position}");
        // Boxes of the other layer wait too, after `rd[swish]`.
        let waits = page.boxes(Phase::Waits);
        let waits: Vec<_> = waits
            .iter()
            .take_while(|name| *name != "rd[swish]")
            .collect();
        assert_eq!(
            waits,
            all[lit + 1..].iter().collect::<Vec<_>>(),
            "{position}"
        );
    }
    page.at(48);
    assert_eq!(
        page.boxes(Phase::Lit),
        all,
        "what only moves values is of all of it"
    );
}

#[test]
fn in_a_loop_the_box_of_the_moment_is_lit() {
    let mut page = Page::with(GATED);
    page.sheet(SheetMsg::Sized(1900.0, 900.0));
    page.diagram(DiagramMsg::OpenAll(true));
    page.at(151);
    assert_eq!(page.boxes(Phase::Lit), ["w1 ∗ h1"]);
}
