//! Opening and folding of boxes and runs leaves the remainder of a picture as it is.

use super::{STYLES, main_of, named};
use fletch_arrows::{Arrow, Pass};
use fletch_diagrams::{Flow, Graph, Mark, Opening, Picture, Shape, Style};
use fletch_tests::nested::nested;
use fletch_tests::{examples, must_check, programs};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// Checks that an operation opens in both lanes at once, and that saved values keep their names.
#[test]
fn opening_an_operation_shows_both_of_its_clauses() {
    let (arrow, source) = main_of("mlp");
    let graph = Graph::opened(&arrow, &source, &named(&["FC[ℓ0]"]));
    assert!(graph.unknown.is_empty());
    let picture = Picture::of(&graph, Style::Bent);
    let frames: Vec<String> = picture.frames.iter().map(|f| f.header_text()).collect();
    assert_eq!(frames, ["FC[ℓ0] forward", "FC[ℓ0] backward"]);
    assert_eq!(picture.frames[0].opens, picture.frames[1].opens);
    let inside = |key: &str| -> Vec<&str> {
        let own = |shape: &&Shape| shape.within.as_deref() == Some(key);
        let own = picture.boxes.iter().filter(own);
        own.map(|shape| shape.label.as_str()).collect()
    };
    assert_eq!(inside(&picture.frames[0].key)[0], "Get[ℓ0]");
    assert_eq!(
        inside(&picture.frames[1].key),
        ["w − y ∗ xᵀ", "Put[ℓ0]", "wᵀ ∗ y"]
    );
    let chips: BTreeSet<&str> = picture
        .chips
        .iter()
        .map(|chip| chip.text.as_str())
        .collect();
    assert_eq!(chips, BTreeSet::from(["w", "x", "x_hid", "z_hid"]));
    let saved = picture.wires.iter();
    let saved = saved.filter(|w| w.flow == Flow::Saved && w.name.as_deref() == Some("w"));
    let types: BTreeSet<&str> = saved.map(|wire| wire.ty.as_str()).collect();
    assert_eq!(types, BTreeSet::from(["Real(16)", "Real(8)"]));
    let folded = Picture::of(&Graph::of(&arrow, &source), Style::Bent);
    let first = folded.boxes.iter().find(|shape| shape.label == "FC[ℓ0]");
    assert_eq!(first.unwrap().saves, ["w", "x"]);
}

/// Checks that the return clause, a term, and everything that a handler handles can be opened by name, and that other names are refused.
#[test]
fn names_open_clauses_terms_and_handlers() {
    let (arrow, source) = main_of("mlp");
    let open = |names: &[&str]| {
        let graph = Graph::opened(&arrow, &source, &named(names));
        let frames: Vec<&str> = graph.frames.iter().map(|f| f.label.as_str()).collect();
        (frames.join(" "), graph.unknown.join(" "))
    };
    let fine = |frames: &str| (frames.to_owned(), String::new());
    assert_eq!(open(&["return"]), fine("return"));
    assert_eq!(open(&["FC[ℓ1]"]), fine("FC[ℓ1] FC[ℓ1]"));
    assert_eq!(open(&["H_MLP"]), fine("FC[ℓ0] FC[ℓ1] return FC[ℓ1] FC[ℓ0]"));
    assert_eq!(
        open(&["FC[ℓ0]", "w − y ∗ xᵀ"]),
        fine("FC[ℓ0] FC[ℓ0] w − y ∗ xᵀ")
    );
    assert_eq!(open(&["FB"]), (String::new(), "FB".to_owned()));
    let graph = Graph::of(&arrow, &source);
    assert_eq!(
        graph.openable,
        ["FC[ℓ0]", "FC", "H_MLP", "FC[ℓ1]", "return"]
    );
}

/// Checks that opening one operation of a chain moves four rigid groups: forward boxes left of it, which do not move along the flow,
/// forward boxes right of it, and backward boxes left and right of it.
#[test]
fn opening_a_layer_moves_rigid_groups() {
    let source = nested(1, 12);
    let program = must_check(&source).program;
    let arrow = Arrow::unrolled(&[], &program.main, &program.ty, 256)
        .map(|(arrow, _)| arrow)
        .unwrap();
    let folded = Graph::of(&arrow, &source);
    let before = Picture::of(&folded, Style::Bent);
    let mut tried = 0;
    for block in &folded.boxes {
        let (Some(opens), Some(Mark::Right)) = (
            &block.opens,
            before
                .boxes
                .iter()
                .find(|b| b.key == block.key)
                .unwrap()
                .mark,
        ) else {
            continue;
        };
        let opening = Opening {
            keys: [opens.clone()].into(),
            ..Opening::default()
        };
        let after = Picture::of(&Graph::opened(&arrow, &source, &opening), Style::Bent);
        let at = before.boxes.iter().find(|shape| shape.key == block.key);
        let at = at.unwrap().frame;
        let mut moves: BTreeMap<(bool, bool), BTreeSet<String>> = BTreeMap::new();
        for shape in &before.boxes {
            if let Some(now) = after.boxes.iter().find(|now| now.key == shape.key) {
                let (was, now) = (shape.frame, now.frame);
                if was.1 > at.1 && was.1 < at.1 + 60.0 && shape.mark.is_none() && was.0 > at.0 {
                    continue; // The return clause stands between the lanes.
                }
                let group = (was.0 > at.0, was.1 > at.1);
                let by = format!("{:.3} {:.3}", now.0 - was.0, now.1 - was.1);
                moves.entry(group).or_default().insert(by);
            }
        }
        let unmoved = moves.get(&(false, false));
        assert!(moves.values().all(|by| by.len() == 1), "{opens}: {moves:?}");
        assert!(unmoved.is_none_or(|by| by.iter().all(|by| by.starts_with("0.000 "))));
        tried += 1;
    }
    assert_eq!(tried, 12);
}

/// Checks that opening any one box moves rigid groups. Along the flow, a lane falls into at most three consecutive groups, each of
/// which keeps its distances. A box that was above or before another box remains so. A frame around the opened box grows.
pub(crate) fn opens_rigidly(arrow: &Arrow, source: &str) -> Result<usize, String> {
    let folded = Graph::of(arrow, source);
    let keys = folded.boxes.iter().filter_map(|block| block.opens.clone());
    let keys: BTreeSet<String> = keys.collect();
    let lanes: BTreeMap<&str, (Option<usize>, bool)> = (folded.boxes.iter())
        .map(|block| {
            let back = block.part.is_some_and(|part| part.pass == Pass::Backward);
            (block.key.as_str(), (block.part.map(|part| part.run), back))
        })
        .collect();
    let mut moved = 0;
    for style in STYLES {
        let before = Picture::of(&folded, style);
        for key in &keys {
            let opening = Opening {
                keys: [key.clone()].into(),
                ..Opening::default()
            };
            let after = Picture::of(&Graph::opened(arrow, source, &opening), style);
            let mut stay = Vec::new();
            for was in &before.boxes {
                if let Some(now) = after.boxes.iter().find(|now| now.key == was.key) {
                    stay.push((lanes[was.key.as_str()], was.frame, now.frame));
                }
            }
            stay.sort_by(|a, b| a.1.0.total_cmp(&b.1.0));
            let of = |what: &str| format!("{what} ({style:?}, {key}): {stay:?}");
            for lane in lanes.values().collect::<BTreeSet<_>>() {
                let own = stay.iter().filter(|(own, ..)| own == lane);
                let mut along: Vec<f64> = own.map(|(_, was, now)| now.0 - was.0).collect();
                along.dedup_by(|a, b| (*a - *b).abs() < 0.01);
                if along.len() > 3 {
                    return Err(of("a lane falls apart"));
                }
            }
            for (n, (lane, was, now)) in stay.iter().enumerate() {
                for (other, is, then) in stay.iter().skip(n + 1) {
                    let apart = was.0 + was.2 <= is.0;
                    if lane == other && apart && now.0 + now.2 > then.0 {
                        return Err(of("what came before does no longer"));
                    }
                    let beside = is.0 < was.0 + was.2 && then.0 < now.0 + now.2;
                    if beside && now.0 < then.0 + then.2 && (was.1 < is.1) != (now.1 < then.1) {
                        return Err(of("what stood above does no longer"));
                    }
                }
            }
            moved += stay.len();
        }
    }
    Ok(moved)
}

#[test]
fn opening_a_box_of_the_examples_moves_rigid_groups() {
    let mut moved = 0;
    for (name, source) in programs(&examples()) {
        let program = must_check(&source).program;
        let arrow = Arrow::unrolled(&[], &program.main, &program.ty, 256)
            .map(|(arrow, _)| arrow)
            .unwrap();
        match opens_rigidly(&arrow, &source) {
            Ok(count) => moved += count,
            Err(error) => panic!("{name}: {error}"),
        }
    }
    assert!(moved > 2_000, "{moved}");
}

#[test]
fn opening_a_box_of_nested_handlers_moves_rigid_groups() {
    for source in [nested(1, 5), nested(2, 3)] {
        let program = must_check(&source).program;
        let arrow = Arrow::unrolled(&[], &program.main, &program.ty, 256)
            .map(|(arrow, _)| arrow)
            .unwrap();
        let moved = opens_rigidly(&arrow, &source);
        assert!(moved.unwrap_or_else(|error| panic!("{error}")) > 20);
    }
}

/// Checks that a run that an inner handler made of the network is in a quiet frame in each lane of the outer run, and that frames nest.
#[test]
fn runs_of_inner_handlers_are_framed_and_folded() {
    let drawn = |source: &str, opening: &Opening, style| {
        let program = must_check(source).program;
        let arrow = Arrow::unrolled(&[], &program.main, &program.ty, 256)
            .map(|(arrow, _)| arrow)
            .unwrap();
        Picture::of(&Graph::opened(&arrow, source, opening), style)
    };
    let frames = |picture: &Picture| -> Vec<String> {
        let frames = picture.frames.iter();
        frames
            .map(|frame| {
                format!(
                    "{}{}",
                    frame.header_text(),
                    ["", "!"][usize::from(frame.within.is_some())]
                )
            })
            .collect()
    };
    let autoencoder = fs::read_to_string(examples().join("autoencoder.fletch")).unwrap();
    for style in STYLES {
        let picture = drawn(&autoencoder, &Opening::default(), style);
        let both: BTreeSet<String> = frames(&picture).into_iter().collect();
        assert_eq!(
            both,
            BTreeSet::from(["H_AE backward", "H_AE forward"].map(str::to_owned))
        );
        assert!(picture.frames.iter().all(|frame| frame.is_run));
        let three = drawn(&nested(3, 1), &Opening::default(), style);
        let (forward, backward) = ("H forward", "H backward");
        let inner = |side: &str| {
            frames(&three)
                .iter()
                .filter(|text| **text == format!("{side}!"))
                .count()
        };
        let outer = |side: &str| frames(&three).iter().filter(|text| *text == side).count();
        assert_eq!((outer(forward), outer(backward)), (1, 1));
        // The innermost handler's run has two halves in each lane of the outermost run.
        assert_eq!(inner(forward) + inner(backward), 4);
        // A run that is folded by its handler is one box in each lane.
        let folded = Opening {
            folded: vec!["H_AE".to_owned()],
            ..Opening::default()
        };
        let picture = drawn(&autoencoder, &folded, style);
        assert_eq!(frames(&picture), Vec::<String>::new());
        let labels: Vec<&str> = picture
            .boxes
            .iter()
            .map(|shape| shape.label.as_str())
            .collect();
        assert_eq!(
            labels
                .iter()
                .filter(|label| **label == "rev handle … with H_AE")
                .count(),
            2
        );
        let whole = picture
            .boxes
            .iter()
            .filter(|shape| shape.label.starts_with("rev"));
        let opens: BTreeSet<&Option<String>> = whole.map(|shape| &shape.opens).collect();
        assert_eq!(opens.len(), 1, "both sides open together");
        // Folding by key, as the page does, gives the same picture.
        let key = opens.first().unwrap().as_ref().unwrap().clone();
        let keyed = Opening {
            keys: [key].into(),
            ..Opening::default()
        };
        assert_eq!(drawn(&autoencoder, &keyed, style), picture);
    }
    // The outermost run has no frame. Folded, it is a box between the boxes before and after it.
    let folded = Opening {
        folded: vec!["H_MLP".to_owned()],
        ..Opening::default()
    };
    let picture = drawn(&autoencoder, &folded, Style::Bent);
    let labels: Vec<&str> = picture
        .boxes
        .iter()
        .map(|shape| shape.label.as_str())
        .collect();
    assert_eq!(
        labels,
        ["[0.8, 0.2, −0.5, −0.9]", "rev handle … with H_MLP"]
    );
}
