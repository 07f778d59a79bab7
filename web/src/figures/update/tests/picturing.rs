//! Pictures of a training, its curves and its data.

use super::{MLP, Page};
use crate::figures::train::pictures::{Classes, PictureMsg};
use crate::figures::train::{SaveCurves, TrainMsg};
use crate::figures::update::Msg;
use crate::talk::{FromFigures, Tab, ToFigures};
use fletch_playground::figures::protocol::{Kind, Samples};

const SINE: &str = include_str!("../../../../../examples/sine.fletch");
const GLYPHS: &str = include_str!("../../../../../examples/softmax_glyphs.fletch");

fn shown(source: &str) -> Page {
    let mut page = Page::new();
    page.program(1, source);
    page.hear(Msg::Told(ToFigures::Tab(Tab::Train)));
    page.told.clear();
    page
}

fn do_(page: &mut Page, msg: PictureMsg) {
    page.hear(Msg::Train(TrainMsg::Picture(msg)));
}

/// What the page was told to write, and not to keep.
fn written(page: &mut Page) -> Vec<FromFigures> {
    let mut told = std::mem::take(&mut page.told);
    told.retain(|said| !matches!(said, FromFigures::Keep(_)));
    told
}

/// The program with what the page was told to write.
fn edited(page: &mut Page, source: &str) -> String {
    let told = written(page);
    let [FromFigures::Edits(edits)] = told.as_slice() else {
        panic!("{told:?}");
    };
    let mut units: Vec<u16> = source.encode_utf16().collect();
    for edit in edits.iter().rev() {
        units.splice(
            edit.from as usize..edit.to as usize,
            edit.insert.encode_utf16(),
        );
    }
    String::from_utf16(&units).unwrap()
}

#[test]
fn what_is_pointed_at_is_read_off_chosen_and_added() {
    let mut page = shown(MLP);
    let kind = page.model.train.pictures.sketch().unwrap().kind;
    assert_eq!(kind, Kind::Surface);
    page.hear(Msg::Train(TrainMsg::Go(true)));
    do_(&mut page, PictureMsg::Point(Some((0.9, 0.1))));
    let pictures = &page.model.train.pictures;
    let (x, y) = pictures.pointed().unwrap();
    assert!((x - 0.996).abs() < 1e-9 && (y - 0.996).abs() < 1e-9);
    assert!(pictures.value().unwrap()[0].abs() < 0.1);
    do_(&mut page, PictureMsg::Click);
    let chosen = page.model.train.pictures.chosen.clone().unwrap();
    assert_eq!((&*chosen.set, chosen.sample), ("xor", 3));
    assert_eq!(
        written(&mut page),
        [],
        "a sample is chosen, nothing is written"
    );
    do_(&mut page, PictureMsg::Adds(Some(1)));
    do_(&mut page, PictureMsg::Move(-40, 40));
    do_(&mut page, PictureMsg::Click);
    let changed = edited(&mut page, MLP);
    assert!(changed.contains("[0]⟩, ⟨[0.5, 0.5], [1]⟩]"), "{changed}");
    page.program(2, &changed);
    assert_eq!(page.model.train.pictures.samples().unwrap().count, 5);
    // Of the same type, it is looked at in the same way.
    assert_eq!(page.model.train.pictures.adds, Some(1));
}

#[test]
fn earlier_runs_stay_beside_the_curves_and_are_saved() {
    let mut page = shown(SINE);
    page.hear(Msg::Train(TrainMsg::Reset));
    assert_eq!(page.model.train.runs.len(), 0, "nothing was trained");
    // The same run once more is the same curve.
    for _ in 0..3 {
        page.hear(Msg::Train(TrainMsg::Epoch));
        page.hear(Msg::Train(TrainMsg::Reset));
    }
    assert_eq!(page.model.train.runs.len(), 1);
    for (revision, rate) in (2..).zip(["0.04", "0.03", "0.02", "0.01", "0.06"]) {
        page.program(
            revision,
            &SINE.replace("H(0.05, t)\n", &format!("H({rate}, t)\n")),
        );
        page.hear(Msg::Train(TrainMsg::Epoch));
    }
    let given: Vec<&str> = page
        .model
        .train
        .runs
        .iter()
        .map(|run| &*run.given)
        .collect();
    assert_eq!(given, ["α 0.04", "α 0.03", "α 0.02", "α 0.01"]);
    // Kept twice, a run is there once.
    for _ in 0..2 {
        page.hear(Msg::Train(TrainMsg::Epoch));
        page.hear(Msg::Train(TrainMsg::Keep));
    }
    let kept = &page.model.train.runs;
    let lengths: Vec<usize> = kept.iter().map(|run| run.points.len()).collect();
    assert_eq!(lengths, [2, 2, 2, 4]);
    page.hear(Msg::Train(TrainMsg::Save(SaveCurves::Csv)));
    page.hear(Msg::Train(TrainMsg::Save(SaveCurves::Svg)));
    let [csv, svg] = page.texts.as_slice() else {
        panic!("{:?}", page.texts);
    };
    let lines: Vec<&str> = csv.text.lines().collect();
    assert_eq!(lines[0], "run,given,epoch,loss,error");
    assert_eq!(lines.len(), 1 + 2 + 2 + 2 + 4 + 4);
    assert!(lines[1].contains(",\"α 0.03\",0,"), "{}", lines[1]);
    assert_eq!(svg.text.matches("<polyline").count(), 2 * 5);
    page.hear(Msg::Train(TrainMsg::Forget));
    assert!(page.model.train.runs.is_empty());
}

#[test]
fn a_slider_writes_one_number_after_the_other() {
    let mut page = shown(MLP);
    page.hear(Msg::Train(TrainMsg::Epoch));
    page.told.clear();
    for value in [0.2, 0.3, 0.4] {
        page.hear(Msg::Train(TrainMsg::Slide(0, value)));
    }
    let told = written(&mut page);
    let [FromFigures::Edit(edit)] = told.as_slice() else {
        panic!("{told:?}");
    };
    assert_eq!(edit.insert, "0.2");
    page.told.clear();
    page.hear(Msg::Told(ToFigures::Stale));
    assert_eq!(page.model.train.pending, Some((0, 0.4)));
    let changed = MLP.replace("H_MLP(0.1, t)\nmeasure", "H_MLP(0.2, t)\nmeasure");
    page.program(2, &changed);
    // The training goes on, and the last of the others follows.
    let trained = page.model.train.trained.clone().unwrap();
    assert_eq!((trained.epochs, trained.scalars[0].value), (1, 0.2));
    let told = written(&mut page);
    let [FromFigures::Edit(edit)] = told.as_slice() else {
        panic!("{told:?}");
    };
    assert_eq!(edit.insert, "0.4");
}

#[test]
fn an_image_that_is_drawn_is_predicted_and_added() {
    let mut page = shown(GLYPHS);
    do_(&mut page, PictureMsg::Copy(1));
    let pictures = &page.model.train.pictures;
    assert_eq!(
        pictures.tried.as_deref().unwrap()[..],
        pictures.picture.as_ref().unwrap().values[10..20]
    );
    do_(&mut page, PictureMsg::Clear);
    do_(&mut page, PictureMsg::Ink(9, true));
    assert_eq!(page.model.train.pictures.ink.iter().sum::<f64>(), 1.0);
    assert_eq!(page.model.train.pictures.tried.as_ref().unwrap().len(), 10);
    let small = GLYPHS.replace("n: 200", "n: 20");
    let mut page = shown(&small);
    do_(&mut page, PictureMsg::Ink(9, true));
    do_(&mut page, PictureMsg::AddInk(3));
    let changed = edited(&mut page, &small);
    page.program(2, &changed);
    let samples = page.model.train.pictures.samples().unwrap().clone();
    assert_eq!((samples.count, samples.origin), (21, None));
    let last = &samples.target[200..];
    assert_eq!(last, [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
}

#[test]
fn data_sets_are_listed_when_they_are_shown_and_saved() {
    let mut page = shown(MLP);
    assert!(page.model.train.pictures.cards.is_none());
    do_(&mut page, PictureMsg::Open(true));
    let (_, cards) = page.model.train.pictures.cards.clone().unwrap();
    assert_eq!((cards[0].name.as_str(), cards[0].count), ("xor", 4));
    do_(&mut page, PictureMsg::Save(0));
    assert_eq!(page.texts[0].text, "0,0,0\n0,1,1\n1,0,1\n1,1,0\n");
    do_(&mut page, PictureMsg::Save(7));
    assert!(page.model.train.pictures.refused.is_some());
    do_(&mut page, PictureMsg::Reseed);
    let changed = edited(&mut page, MLP);
    assert!(changed.contains("glorot(seed: 3)"), "{changed}");
    assert!(page.model.train.pictures.refused.is_none());
}

#[test]
fn classes_are_told_by_their_targets() {
    let samples = |targets, target: &[f64]| Samples {
        targets,
        target: target.to_vec(),
        ..Samples::default()
    };
    let two = Classes::of(&samples(1, &[1.0, 0.0, 0.0])).unwrap();
    assert_eq!((two.class(&[0.8]), two.target(1)), (1, vec![1.0]));
    let hot = Classes::of(&samples(3, &[0.0, 1.0, 0.0, 0.0, 0.0, 1.0])).unwrap();
    assert_eq!(
        (hot.class(&[0.1, 0.2, 0.7]), hot.target(1)),
        (2, vec![0.0, 1.0, 0.0])
    );
    assert_eq!(Classes::of(&samples(2, &[0.5, 0.5])), None);
    assert_eq!(Classes::of(&samples(1, &[1.0, 1.0])), None);
}
