//! A diagram while one steps.

use super::{MLP, Page};
use crate::figures::carried::{carried, onto};
use crate::figures::following::Phase;
use crate::figures::model::HANDLED;
use crate::figures::sheet::SheetMsg;
use crate::figures::update::Msg;
use crate::talk::{At, FromFigures, ToFigures};
use fletch_playground::protocol::{Reply, Request, Show, StepView};
use fletch_playground::{Budget, Session};

const AUTOENCODER: &str = include_str!("../../../../../examples/autoencoder.fletch");
const UNET: &str = include_str!("../../../../../examples/unet_training.fletch");

/// The page of figures beside a run.
struct Run {
    page: Page,
    steps: Session,
    last: u32,
}

impl Run {
    fn of(source: &str) -> Run {
        let mut steps = Session::new(Budget::steps(100_000));
        steps.handle(Request::Load {
            revision: 1,
            source: source.to_owned(),
            heap: Vec::new(),
            mode: Default::default(),
        });
        let milliseconds = u32::MAX;
        let advanced = steps.handle(Request::Advance {
            revision: 1,
            milliseconds,
        });
        let Reply::Advanced(advanced) = advanced else {
            panic!("{advanced:?}")
        };
        let Reply::Timeline(timeline) = steps.handle(Request::Timeline { revision: 1 }) else {
            panic!("no timeline")
        };
        let mut page = Page::with(source);
        page.hear(Msg::Told(ToFigures::Timeline(*timeline)));
        Run {
            page,
            steps,
            last: advanced.steps,
        }
    }

    fn view(&mut self, position: u32) -> StepView {
        let show = Show {
            revision: 1,
            position,
            width: 60,
            ..Show::default()
        };
        match self.steps.handle(Request::Show(show)) {
            Reply::Shown(view) => *view,
            other => panic!("{other:?}"),
        }
    }

    /// Goes to a position.
    fn at(&mut self, position: u32) {
        let view = self.view(position);
        self.page.hear(Msg::Told(ToFigures::At(At {
            revision: 1,
            position,
            to: position + 1,
            redex: view.source,
            work: view.work,
        })));
    }

    /// The boxes of a phase, with the way they go.
    fn boxes(&self, phase: Phase) -> Vec<String> {
        let following = self.page.model.following(HANDLED).unwrap();
        let picture = self.page.model.diagram.sheets[HANDLED].picture().unwrap();
        let mut boxes: Vec<_> = picture
            .boxes
            .iter()
            .filter(|shape| following.phase(shape) == phase)
            .collect();
        boxes.sort_by_key(|shape| shape.statements.first());
        let back = |shape: &fletch_playground::diagram::Shape| match shape.mark {
            Some(mark) if mark.is_back() => "‹",
            _ => "",
        };
        let names = boxes.iter();
        names
            .map(|shape| format!("{}{}", back(shape), shape.label))
            .collect()
    }

    fn click(&mut self, label: &str) {
        let at = self.page.at(label);
        self.page.sheet(SheetMsg::Pressed(1, at));
        self.page.sheet(SheetMsg::Released(1, at));
    }
}

#[test]
fn the_box_at_work_is_lit_and_what_has_not_run_waits() {
    let mut run = Run::of(MLP);
    run.at(44);
    assert_eq!(run.boxes(Phase::Lit), ["‹FC[ℓ1]"]);
    assert_eq!(run.boxes(Phase::Waits), ["R′[swish]", "‹FC[ℓ0]"]);
    run.at(3);
    assert_eq!(run.boxes(Phase::Lit), ["FC[ℓ0]"]);
    assert_eq!(run.boxes(Phase::Done), ["[1, 0]"]);
    run.at(0);
    assert_eq!(run.boxes(Phase::Lit), [""; 0], "between boxes");
    let last = run.last;
    run.at(last);
    assert_eq!(run.boxes(Phase::Done).len(), 8);
    let following = run.page.model.following(HANDLED).unwrap();
    assert!((0..following.links.wires.len()).all(|wire| following.carries(wire)));
}

#[test]
fn a_value_is_there_when_the_steps_have_it_and_not_before() {
    let mut run = Run::of(MLP);
    run.at(10);
    let picture = |run: &Run| {
        let following = run.page.model.following(HANDLED).unwrap();
        let sheet = &run.page.model.diagram.sheets[HANDLED];
        carried(sheet.picture().unwrap(), &following)
    };
    let texts = |run: &Run| -> Vec<String> {
        let all = picture(run).into_iter().rev();
        all.map(|carried| carried.text).collect()
    };
    assert_eq!(texts(&run), ["ℝ²"], "the input alone");
    run.at(11);
    assert_eq!(texts(&run), ["ℝ²", "ℝ⁸"]);
    run.at(30);
    let view = run.view(30);
    assert_eq!(view.sandwich.len(), 1);
    assert_eq!(texts(&run).len(), 5, "and the first cotangent");
}

#[test]
fn a_chosen_box_leads_to_its_call_its_steps_and_its_cells() {
    let mut run = Run::of(MLP);
    run.at(44);
    run.page.told.clear();
    run.click("FC[ℓ1]");
    let Some(FromFigures::Mark(from, to)) = run.page.told.first() else {
        panic!("{:?}", run.page.told)
    };
    let units: Vec<u16> = MLP.encode_utf16().collect();
    let marked = String::from_utf16(&units[*from as usize..*to as usize]).unwrap();
    assert_eq!(marked, "FC[ℓ1](x_hid)");
    let following = run.page.model.following(HANDLED).unwrap();
    let (sheet, chosen) = run.page.model.diagram.chosen.unwrap();
    let shape = run.page.model.diagram.sheets[sheet].shape(chosen).unwrap();
    let part = following.part(shape).unwrap();
    assert_eq!(following.steps(part), [("forward", 16), ("backward", 39)]);
    assert_eq!(part.locations, ["ℓ1"]);
    assert_eq!(following.entry(part), Some(16));
    run.page.hear(Msg::Unchoose);
    assert_eq!(run.page.model.diagram.chosen, None);
}

#[test]
fn an_entry_of_the_sandwich_leads_to_its_box_be_it_of_a_handler_inside() {
    let mut run = Run::of(AUTOENCODER);
    run.at(60);
    for (met, label) in [
        (4, "FC[ℓ0]"),
        (38, "FC[ℓ1]"),
        (3, "FC[ℓ0]"),
        (51, "α · (x − t)"),
    ] {
        run.page.hear(Msg::Told(ToFigures::Box(met)));
        assert_eq!(run.page.focused(), label, "{met}");
    }
}

#[test]
fn the_cursor_marks_the_boxes_of_what_it_is_in() {
    let mut run = Run::of(MLP);
    run.at(44);
    let place = MLP.find("swish(z_hid)").unwrap();
    let units = MLP[..place].encode_utf16().count() + 2;
    run.page
        .hear(Msg::Told(ToFigures::Cursor(u32::try_from(units).unwrap())));
    let following = run.page.model.following(HANDLED).unwrap();
    let picture = run.page.model.diagram.sheets[HANDLED].picture().unwrap();
    let chosen = picture.boxes.iter().filter(|shape| following.chosen(shape));
    let mut labels: Vec<&str> = chosen.map(|shape| &*shape.label).collect();
    labels.sort_unstable();
    assert_eq!(labels, ["R′[swish]", "swish"]);
}

/// Wherever one is, chips stand free, and the box at work is in sight.
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
        let mut run = Run::of(source);
        if turned {
            run.page.hear(Msg::Turn);
        }
        let (mut chips, mut lit) = (0, 0);
        for position in (0..=run.last).step_by(every) {
            run.at(position);
            let following = run.page.model.following(HANDLED).unwrap();
            let sheet = &run.page.model.diagram.sheets[HANDLED];
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
