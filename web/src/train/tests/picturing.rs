//! Tests of the pictures of a training, its curves and its data.

use super::shown;
use crate::answered::MLP;
use crate::train::charts::ChartMsg;
use crate::train::pictures::{Classes, PictureMsg};
use crate::train::runs::{Scale, path};
use crate::train::{Field, SaveCurves, TrainMsg};
use fletch_playground::protocol::{Kind, Look, Over, Samples};

const SINE: &str = include_str!("../../../../examples/sine.fletch");
const SPIRALS: &str = include_str!("../../../../examples/spirals.fletch");
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
    // The reader's choice stays for a data set of the same type.
    assert_eq!(page.model.train.pictures.adds, Some(1));
}

#[test]
fn runs_that_are_kept_stay_beside_the_curves_and_are_saved() {
    let mut page = shown(SINE);
    page.train(TrainMsg::Keep);
    assert_eq!(page.model.train.runs.len(), 0, "nothing was trained");
    // The same run again has the same curve.
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
    // A run that is kept twice is listed once.
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
    assert_eq!(lines[0], "run,name,given,epoch,loss,error");
    assert_eq!(lines.len(), 1 + 2 + 2 + 2 + 4 + 4);
    assert!(lines[1].contains(",\"\",\"α 0.03\",0,"), "{}", lines[1]);
    assert_eq!(svg.matches("<polyline").count(), 2 * 5);
    page.train(TrainMsg::Forget);
    assert!(page.model.train.runs.is_empty());
}

#[test]
fn kept_runs_say_the_sizes_and_seeds_that_differ() {
    let mut page = shown(SINE);
    page.train(TrainMsg::Epoch);
    page.train(TrainMsg::Keep);
    let train = &page.model.train;
    assert_eq!(train.said(&train.runs[0]), "α 0.05", "there is no other");
    let wider = SINE.replace("n_hid = 8", "n_hid = 12");
    page.program(&wider.replace("glorot(seed: 2)", "glorot(seed: 7)"));
    page.train(TrainMsg::Epoch);
    let train = &page.model.train;
    let (before, now) = (train.said(&train.runs[0]), train.said(&train.run()));
    assert_eq!(before, "α 0.05, n_hid 8, seed of w1 2");
    assert_eq!(now, "α 0.05, n_hid 12, seed of w1 7");
    page.train(TrainMsg::Save(SaveCurves::Csv));
    let csv = std::str::from_utf8(&page.saved[0].bytes).unwrap();
    assert!(csv.contains("\"α 0.05, n_hid 8, seed of w1 2\""), "{csv}");
}

#[test]
fn two_fingers_spread_the_epochs_that_they_hold() {
    let mut page = shown(MLP);
    page.train(TrainMsg::Go(true));
    let finger = |page: &mut crate::answered::Page, pointer, place| {
        page.train(TrainMsg::Chart(ChartMsg::Finger(pointer, place)));
    };
    finger(&mut page, 1, 0.4);
    assert!(page.model.train.read.is_some(), "one finger reads off");
    finger(&mut page, 2, 0.6);
    assert_eq!(page.model.train.charts.zoom, None);
    let end = page.model.train.end();
    let whole = page.model.train.axis();
    assert_eq!((whole.from, whole.to), (0.0, end));
    finger(&mut page, 1, 0.1);
    finger(&mut page, 2, 0.9);
    let window = page.model.train.axis();
    let at = |place: f64| window.place(whole.epoch(place));
    assert!(
        (at(0.4) - 0.1).abs() < 0.02 && (at(0.6) - 0.9).abs() < 0.02,
        "{window:?}"
    );
    // Fingers that cross change nothing.
    finger(&mut page, 1, 0.95);
    assert_eq!(page.model.train.axis(), window);
    for pointer in [1, 2] {
        page.train(TrainMsg::Chart(ChartMsg::Lift(pointer)));
    }
    // Fingers that come together show all epochs again.
    finger(&mut page, 1, 0.0);
    finger(&mut page, 2, 1.0);
    finger(&mut page, 1, 0.45);
    finger(&mut page, 2, 0.55);
    assert_eq!(page.model.train.charts.zoom, None);
}

#[test]
fn the_inside_of_the_network_is_shown_while_it_is_open() {
    let mut page = shown(MLP);
    assert!(page.model.train.inside.shown.is_none());
    page.train(TrainMsg::Inside(true));
    let inside = page.model.train.inside.shown.clone().unwrap();
    assert_eq!((&*inside.of, inside.over), ("output", Over::Plane(32)));
    let names: Vec<&str> = inside.layers.iter().map(|layer| &*layer.name).collect();
    assert_eq!(names, ["FC[ℓ0]", "swish", "FC[ℓ1]"]);
    assert_eq!(inside.layers[0].scales.len(), 8);
    assert_eq!(inside.layers[0].entries.len(), 8 * 32 * 32);
    assert_eq!(inside.figures.layers.len(), 3);
    page.train(TrainMsg::Go(true));
    let now = page.model.train.inside.shown.clone().unwrap();
    assert_eq!(now.epochs, 2000);
    assert_ne!(now.layers[0].entries, inside.layers[0].entries);
    let gradients = now.figures.layers.iter().map(|it| it.gradient.unwrap());
    assert!(gradients.into_iter().all(|it| it < 1e-9), "it has learned");
    assert!(page.model.train.inside.trail.len() > 1);
    // A past epoch shows the heap of that time.
    page.train(TrainMsg::Past(0));
    let past = page.model.train.inside.shown.clone().unwrap();
    assert_eq!((past.epochs, &past.layers), (0, &inside.layers));
    page.train(TrainMsg::Inside(false));
    page.train(TrainMsg::Reset);
    assert_eq!(page.model.train.inside.trail.len(), 0);
}

#[test]
fn other_networks_are_drawn_over_what_goes_into_them() {
    let of = |source: &str| {
        let mut page = shown(source);
        page.train(TrainMsg::Inside(true));
        (*page.model.train.inside.shown.clone().unwrap()).clone()
    };
    let line = of(SINE);
    assert_eq!(
        (line.over, line.layers[0].entries.len()),
        (Over::Line, 8 * 64)
    );
    let images = of(GLYPHS);
    assert_eq!(images.over, Over::Samples);
    assert!(images.layers[0].entries.len() >= images.layers[0].scales.len());
    // Without a prediction, the network of the training is shown.
    let lines = MLP.lines().filter(|line| !line.starts_with("predict"));
    let alone = of(&lines.collect::<Vec<_>>().join("\n"));
    assert_eq!(
        (alone.over, alone.trained, &*alone.of),
        (Over::Plane(32), true, "xor")
    );
    assert_eq!(alone.layers.len(), 3);
    let constant = of(&MLP.replace(
        "= handle R_MLP(v) with H_infer\n\nmain",
        "= ⌊[0.5]⌋\n\nmain",
    ));
    assert!(constant.layers.is_empty() && constant.empty.is_some());
}

#[test]
fn several_predictions_are_drawn_at_once() {
    let more =
        "predict half(v : Real(n_in)) = let y ⇐ handle R_MLP(v) with H_infer in ⌊0.5 · y⌋\nmain";
    let mut page = shown(&MLP.replace("\nmain", &format!("\n{more}")));
    let pictures = &page.model.train.pictures;
    assert_eq!(pictures.others.keys().collect::<Vec<_>>(), [&1]);
    assert_eq!(pictures.picture.as_ref().unwrap().look.prediction, 0);
    page.picture(PictureMsg::Look(Look {
        prediction: 1,
        set: 0,
    }));
    let pictures = &page.model.train.pictures;
    assert_eq!(pictures.picture.as_ref().unwrap().look.prediction, 1);
    assert!(pictures.others.contains_key(&0));
}

#[test]
fn an_edit_of_the_network_is_one_change_of_the_text() {
    let mut page = shown(MLP);
    page.train(TrainMsg::Changes(true));
    let (_, edits) = page.model.train.inside.edits.clone().unwrap();
    let layer = edits
        .iter()
        .position(|edit| edit.title.starts_with("Add a layer"))
        .unwrap();
    page.train(TrainMsg::Change(layer));
    let changed = page.edited();
    assert!(changed.contains("FC[ℓ2](swish(z_hid))"), "{changed}");
    page.program(&changed);
    let heap = &page.model.train.trained.as_ref().unwrap().heap;
    let names: Vec<&str> = heap.iter().map(|cell| &*cell.name).collect();
    assert_eq!(names.len(), 3, "{names:?}");
    let (_, edits) = page.model.train.inside.edits.clone().unwrap();
    let layers = edits
        .iter()
        .filter(|edit| edit.title.starts_with("Add a layer"));
    assert_eq!(layers.count(), 2, "they are those of the new text");
}

#[test]
fn a_run_is_called_by_what_it_was_trained_with_and_by_its_name() {
    let mut page = shown(SINE);
    let rate = |rate: &str| SINE.replace("H(0.05, t)\n", &format!("H({rate}, t)\n"));
    let given = |page: &crate::answered::Page| page.model.train.run().given.to_string();
    page.train(TrainMsg::Epoch);
    // A number that no epoch was trained with is not part of the run.
    for rates in ["0.04", "0.02"] {
        page.train(TrainMsg::Scalar(0, rates.into()));
        page.program(&rate(rates));
        assert_eq!(given(&page), "α 0.05");
    }
    page.train(TrainMsg::Epoch);
    assert_eq!(given(&page), "α 0.05, from epoch 1 0.02");
    page.train(TrainMsg::Keep);
    page.train(TrainMsg::Reset);
    page.train(TrainMsg::Epoch);
    assert_eq!(given(&page), "α 0.02");
    page.train(TrainMsg::Keep);
    page.train(TrainMsg::Name(1, " the \"first\" ".into()));
    page.train(TrainMsg::Save(SaveCurves::Csv));
    let csv = String::from_utf8(page.saved[0].bytes.to_vec()).unwrap();
    let line = csv.lines().nth(1).unwrap();
    let label = "1,\"the \"\"first\"\"\",\"α 0.05, from epoch 1 0.02\",0,";
    assert!(line.starts_with(label), "{line}");
    page.train(TrainMsg::Drop(1));
    let numbers: Vec<u32> = page.model.train.runs.iter().map(|run| run.number).collect();
    assert_eq!(numbers, [2]);
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
    // The training continues, and the last of the other numbers follows.
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
    // An image added twice is there twice, and the generator stays in the text.
    let mut page = shown(GLYPHS);
    page.picture(PictureMsg::Ink(9, true));
    for count in [201, 202] {
        page.picture(PictureMsg::AddInk(3));
        let changed = page.edited();
        let made = "= join(glyphs(n: 200, noise: 0.1, seed: 1), [⟨[";
        assert!(changed.contains(made), "{changed}");
        assert!(changed.len() < GLYPHS.len() + 1000);
        page.program(&changed);
        let samples = page.model.train.pictures.samples().unwrap().clone();
        assert_eq!(
            (samples.count, samples.origin.as_deref()),
            (count, Some("join"))
        );
        assert!(
            !page.model.train.pictures.ink.is_empty(),
            "it stays in hand"
        );
    }
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

#[test]
fn classes_are_counted_by_what_is_predicted_for_them() {
    let mut page = shown(MLP);
    let (before, all) = page.model.train.pictures.confusion().unwrap();
    assert_eq!((before.len(), all), (2, 4));
    page.train(TrainMsg::Go(true));
    let (after, _) = page.model.train.pictures.confusion().unwrap();
    assert_eq!(after, [[2, 0], [0, 2]], "exclusive or is learned");
    // For images, the class with the largest output is predicted.
    let page = shown(GLYPHS);
    let pictures = &page.model.train.pictures;
    let (counts, all) = pictures.confusion().unwrap();
    assert_eq!((counts.len(), all), (10, 40));
    assert_eq!(counts.iter().flatten().sum::<usize>(), 40);
    // Numbers that are not classes are not counted.
    assert_eq!(shown(SINE).model.train.pictures.confusion(), None);
}

#[test]
fn measures_share_a_chart_and_a_drag_chooses_epochs() {
    let mut page = shown(SINE);
    let groups = |page: &crate::answered::Page| page.model.train.groups();
    assert_eq!(groups(&page), [[0, 1]], "the same on two data sets");
    let mut apart = shown(GLYPHS);
    assert_eq!(groups(&apart), [[0], [1]], "a loss, and how much is right");
    let chart = |page: &mut crate::answered::Page, msg| page.train(TrainMsg::Chart(msg));
    chart(&mut apart, ChartMsg::Together(true));
    assert_eq!(groups(&apart), [[0, 1]]);
    let end = page.model.train.end();
    let window = |page: &crate::answered::Page| {
        let axis = page.model.train.axis();
        (axis.from, axis.to)
    };
    assert_eq!(window(&page), (0.0, end));
    for (from, to, seen) in [(5.0, 5.1, (0.0, end)), (100.2, 10.0, (10.0, 100.0))] {
        chart(&mut page, ChartMsg::Drag(from));
        chart(&mut page, ChartMsg::Drop(to));
        assert_eq!(window(&page), seen);
    }
    chart(&mut page, ChartMsg::In);
    let (from, to) = window(&page);
    assert!(from > 10.0 && to < 100.0 && from < to, "{from} {to}");
    chart(&mut page, ChartMsg::Out);
    assert!(window(&page).0 <= 10.0);
    for _ in 0..20 {
        chart(&mut page, ChartMsg::Out);
    }
    assert_eq!(page.model.train.charts.zoom, None, "no farther than all");
    chart(&mut page, ChartMsg::In);
    chart(&mut page, ChartMsg::Whole);
    assert_eq!(window(&page), (0.0, end));
    chart(&mut page, ChartMsg::Steep(Some(true)));
    assert_eq!(page.model.train.charts.steep, Some(true));
}

#[test]
fn heights_are_logarithmic_or_linear_by_choice() {
    let scale = |values: &[f64], choice| Scale::of(values.iter().copied(), choice).unwrap();
    let narrow = [1.0, 2.0];
    assert!(!scale(&narrow, None).steep && scale(&narrow, Some(true)).steep);
    let wide = [1e-6, 1.0];
    assert!(scale(&wide, None).steep && !scale(&wide, Some(false)).steep);
    assert_eq!(scale(&wide, Some(false)).bottom, 0.0);
    // Values not above 0 are at the bottom.
    let some = scale(&[0.0, 0.01, 1.0], Some(true));
    assert_eq!(
        (some.bottom, some.share(0.0), some.share(1.0)),
        (0.01, 0.0, 1.0)
    );
    assert!(!scale(&[-1.0, 0.0], Some(true)).steep);
    let line = [(0.0, 1.0), (1.0, 1.0), (10.0, 1.0), (100.0, 1.0)];
    let axis = crate::train::axis::Axis {
        from: 2.0,
        to: 9.0,
        even: false,
    };
    let corners = path(&line, axis, &scale(&narrow, None), (100.0, 100.0));
    assert_eq!(
        corners.split(' ').count(),
        2,
        "on to the points outside: {corners}"
    );
}

#[test]
fn sizes_data_and_seeds_are_written_into_the_program() {
    let mut page = shown(SPIRALS);
    let all = |page: &crate::answered::Page| -> Vec<String> {
        let numerals = page.model.train.numerals.iter();
        numerals
            .map(|it| format!("{} {} {}", it.of, it.name, it.value))
            .collect()
    };
    let found = all(&page);
    let place = |name: &str| found.iter().position(|it| it.contains(name)).unwrap();
    // A size that the data determine is not offered.
    assert!(found.iter().any(|it| it.starts_with(" n_hid")), "{found:?}");
    assert!(!found.iter().any(|it| it.starts_with(" n_in")), "{found:?}");
    page.train(TrainMsg::Epoch);
    // With other data the training continues, and with other sizes it restarts.
    for (number, text, epochs) in [(place("points noise"), "0.3", 1), (place(" n_hid"), "5", 0)] {
        page.train(TrainMsg::Numeral(number, text.into()));
        let changed = page.edited();
        page.program(&changed);
        assert_eq!(page.model.train.trained.as_ref().unwrap().epochs, epochs);
        assert!(all(&page)[number].ends_with(text), "{:?}", all(&page));
    }
    page.train(TrainMsg::Numeral(place(" n_hid"), "2.5".into()));
    let why = "“2.5” is no whole number".into();
    assert_eq!(
        page.model.train.wrong,
        Some((Field::Numeral(place(" n_hid")), why))
    );
    assert!(page.edits.is_empty());
}

#[test]
fn one_number_cuts_a_data_set_in_two() {
    let cut = SPIRALS.replacen("data points = ", "data all = ", 1).replacen(
        "\ntrain ",
        "\ndata points = take(shuffle(all, seed: 1), 160)\ndata rest = drop(shuffle(all, seed: 1), 160)\ntrain ",
        1,
    );
    let mut page = shown(&cut);
    let numerals = page.model.train.numerals.clone();
    let cuts = numerals
        .iter()
        .enumerate()
        .filter(|(_, it)| it.name == "cut");
    let cuts: Vec<_> = cuts
        .map(|(number, it)| (number, &*it.of, it.most))
        .collect();
    let [(number, "all", most)] = cuts[..] else {
        panic!("{numerals:?}");
    };
    let count = most.unwrap();
    page.train(TrainMsg::Numeral(number, "120".into()));
    let changed = page.edited();
    assert_eq!(changed, cut.replace(", 160)", ", 120)"));
    page.program(&changed);
    page.train(TrainMsg::Numeral(number, "100000".into()));
    let why = format!("there are {count} samples").into();
    assert_eq!(page.model.train.wrong, Some((Field::Numeral(number), why)));
    assert!(page.edits.is_empty());
}
