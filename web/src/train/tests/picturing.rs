//! Pictures of a training, its curves and its data.

use super::shown;
use crate::answered::MLP;
use crate::train::pictures::{Classes, PictureMsg};
use crate::train::{SaveCurves, TrainMsg};
use fletch_playground::protocol::{Kind, Samples};

const SINE: &str = include_str!("../../../../examples/sine.fletch");
const GLYPHS: &str = include_str!("../../../../examples/softmax_glyphs.fletch");

#[test]
fn what_is_pointed_at_is_read_off_chosen_and_added() {
    let mut page = shown(MLP);
    let kind = page.model.train.pictures.sketch().unwrap().kind;
    assert_eq!(kind, Kind::Surface);
    page.train(TrainMsg::Go(true));
    page.picture(PictureMsg::Point(Some((0.9, 0.1))));
    let pictures = &page.model.train.pictures;
    let (x, y) = pictures.pointed().unwrap();
    assert!((x - 0.996).abs() < 1e-9 && (y - 0.996).abs() < 1e-9);
    assert!(pictures.value().unwrap()[0].abs() < 0.1);
    page.picture(PictureMsg::Click);
    let chosen = page.model.train.pictures.chosen.clone().unwrap();
    assert_eq!((&*chosen.set, chosen.sample), ("xor", 3));
    assert!(
        page.edits.is_empty(),
        "a sample is chosen, nothing is written"
    );
    page.picture(PictureMsg::Adds(Some(1)));
    page.picture(PictureMsg::Move(-40, 40));
    page.picture(PictureMsg::Click);
    let changed = page.edited();
    assert!(changed.contains("[0]⟩, ⟨[0.5, 0.5], [1]⟩]"), "{changed}");
    page.program(&changed);
    assert_eq!(page.model.train.pictures.samples().unwrap().count, 5);
    // Of the same type, it is looked at in the same way.
    assert_eq!(page.model.train.pictures.adds, Some(1));
}

#[test]
fn runs_that_are_kept_stay_beside_the_curves_and_are_saved() {
    let mut page = shown(SINE);
    page.train(TrainMsg::Keep);
    assert_eq!(page.model.train.runs.len(), 0, "nothing was trained");
    // The same run once more is the same curve.
    for _ in 0..3 {
        page.train(TrainMsg::Epoch);
        page.train(TrainMsg::Keep);
        page.train(TrainMsg::Reset);
    }
    assert_eq!(page.model.train.runs.len(), 1);
    for rate in ["0.04", "0.03", "0.02", "0.01", "0.06"] {
        page.program(&SINE.replace("H(0.05, t)\n", &format!("H({rate}, t)\n")));
        page.train(TrainMsg::Epoch);
        page.train(TrainMsg::Keep);
    }
    let given: Vec<&str> = page
        .model
        .train
        .runs
        .iter()
        .map(|run| &*run.given)
        .collect();
    assert_eq!(given, ["α 0.03", "α 0.02", "α 0.01", "α 0.06"]);
    // Kept twice, a run is there once.
    for _ in 0..2 {
        page.train(TrainMsg::Epoch);
        page.train(TrainMsg::Keep);
    }
    let kept = &page.model.train.runs;
    let lengths: Vec<usize> = kept.iter().map(|run| run.points.len()).collect();
    assert_eq!(lengths, [2, 2, 2, 4]);
    page.train(TrainMsg::Save(SaveCurves::Csv));
    page.train(TrainMsg::Save(SaveCurves::Svg));
    let names: Vec<&str> = page.saved.iter().map(|file| &*file.name).collect();
    assert_eq!(names, ["curves.csv", "curves.svg"]);
    let text = |number: usize| std::str::from_utf8(&page.saved[number].bytes).unwrap();
    let (csv, svg) = (text(0), text(1));
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "run,given,epoch,loss,error");
    assert_eq!(lines.len(), 1 + 2 + 2 + 2 + 4 + 4);
    assert!(lines[1].contains(",\"α 0.03\",0,"), "{}", lines[1]);
    assert_eq!(svg.matches("<polyline").count(), 2 * 5);
    page.train(TrainMsg::Forget);
    assert!(page.model.train.runs.is_empty());
}

#[test]
fn a_slider_writes_one_number_after_the_other() {
    let mut page = shown(MLP);
    page.train(TrainMsg::Epoch);
    page.edits.clear();
    for value in [0.2, 0.3, 0.4] {
        page.train(TrainMsg::Slide(0, value));
    }
    let changed = page.edited();
    let written = MLP.replace("H_MLP(0.1, t)\nmeasure", "H_MLP(0.2, t)\nmeasure");
    assert_eq!(changed, written);
    page.stale();
    assert_eq!(page.model.train.pending, Some((0, 0.4)));
    page.program(&changed);
    // The training goes on, and the last of the others follows.
    let trained = page.model.train.trained.clone().unwrap();
    assert_eq!((trained.epochs, trained.scalars[0].value), (1, 0.2));
    let written = MLP.replace("H_MLP(0.1, t)\nmeasure", "H_MLP(0.4, t)\nmeasure");
    assert_eq!(page.edited(), written);
}

#[test]
fn an_image_that_is_drawn_is_predicted_and_added() {
    let mut page = shown(GLYPHS);
    page.picture(PictureMsg::Copy(1));
    let pictures = &page.model.train.pictures;
    assert_eq!(
        pictures.tried.as_deref().unwrap()[..],
        pictures.picture.as_ref().unwrap().values[10..20]
    );
    page.picture(PictureMsg::Clear);
    page.picture(PictureMsg::Ink(9, true));
    assert_eq!(page.model.train.pictures.ink.iter().sum::<f64>(), 1.0);
    assert_eq!(page.model.train.pictures.tried.as_ref().unwrap().len(), 10);
    let small = GLYPHS.replace("n: 200", "n: 20");
    let mut page = shown(&small);
    page.picture(PictureMsg::Ink(9, true));
    page.picture(PictureMsg::AddInk(3));
    let changed = page.edited();
    page.program(&changed);
    let samples = page.model.train.pictures.samples().unwrap().clone();
    assert_eq!((samples.count, samples.origin), (21, None));
    let last = &samples.target[200..];
    assert_eq!(last, [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
}

#[test]
fn data_sets_are_listed_when_they_are_shown_and_saved() {
    let mut page = shown(MLP);
    assert!(page.model.train.pictures.cards.is_none());
    page.picture(PictureMsg::Open(true));
    let (_, cards) = page.model.train.pictures.cards.clone().unwrap();
    assert_eq!((cards[0].name.as_str(), cards[0].count), ("xor", 4));
    page.picture(PictureMsg::Save(0));
    assert_eq!(&*page.saved[0].bytes, b"0,0,0\n0,1,1\n1,0,1\n1,1,0\n");
    page.picture(PictureMsg::Save(7));
    assert!(page.model.train.pictures.refused.is_some());
    page.picture(PictureMsg::Reseed);
    let changed = page.edited();
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
