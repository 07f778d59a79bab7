//! The diagrams of the paper: drawn in the documents next to the paper's figures, with straight spines and without crossings.

use super::{main_of, named};
use fletch_diagrams::{Flow, Graph, Mark, Opening, Picture, Style};
use fletch_runs::denotation::{clause, denotation, network};
use fletch_runs::diagram::{Drawing, opened};
use fletch_tests::examples;
use std::collections::BTreeSet;
use std::fs;

/// Returns the pictures that `docs/diagrams.md` shows, by their paths in `docs/diagrams`.
fn shown() -> BTreeSet<String> {
    let page = fs::read_to_string(examples().join("../docs/diagrams.md")).unwrap();
    let pictures = page.split("\"diagrams/").skip(1);
    let pictures = pictures.map(|rest| rest.split('"').next().unwrap().to_owned());
    pictures.collect()
}

/// Draws the picture of a name. The name gives an example; its network, a clause of its first operation or the whole command; folded or
/// opened; bent or unbent. `deep_autoencoder-network-opened-unbent`
fn drawing_of(stem: &str) -> Picture {
    let (example, words) = stem.split_once('-').unwrap();
    let words: Vec<&str> = words.split('-').collect();
    let known = "network return forward backward opened bent unbent";
    assert!(
        words
            .iter()
            .all(|word| known.split(' ').any(|known| known == *word)),
        "{stem}"
    );
    let has = |word: &str| words.contains(&word);
    let source = fs::read_to_string(examples().join(format!("{example}.fletch"))).unwrap();
    let checked = fletch_ide::check(&source);
    let found = if has("network") {
        network(&checked, &source, "main")
    } else if has("return") {
        clause(&checked, &source, "main", "return")
    } else if has("forward") {
        clause(&checked, &source, "main", "FC[ℓ0] forward")
    } else if has("backward") {
        clause(&checked, &source, "main", "FC[ℓ0] backward")
    } else {
        denotation(&checked, &source, "main")
    };
    let Ok(denotation) = found else {
        panic!("{stem}")
    };
    let style = if has("unbent") {
        Style::Unbent
    } else {
        Style::Bent
    };
    let mut opening = Opening::default();
    if has("opened") {
        let graph = Graph::of(&denotation.arrow, &source);
        let operations = graph.boxes.into_iter().filter(|block| block.mark.is_some());
        opening.keys = operations.filter_map(|block| block.opens).collect();
    }
    let drawing = Drawing {
        style,
        opening,
        ..Drawing::default()
    };
    opened(&denotation, &source, &drawing).unwrap()
}

/// Checks that each picture of `docs/diagrams.md` is the one that the command line draws of an example. `FLETCH_DRAW=1` draws them again.
#[test]
fn the_pictures_of_the_documents_are_up_to_date() {
    let docs = examples().join("../docs/diagrams");
    let mut pictures = 0;
    for name in shown().iter().filter(|name| !name.starts_with("paper/")) {
        let svg = drawing_of(name.strip_suffix(".svg").unwrap()).svg();
        let file = docs.join(name);
        if std::env::var_os("FLETCH_DRAW").is_some() {
            fs::write(&file, &svg).unwrap();
        }
        let drawn = fs::read_to_string(&file).unwrap_or_default();
        assert!(
            drawn == svg,
            "{name} is drawn otherwise now: see FLETCH_DRAW"
        );
        pictures += 1;
    }
    assert!(pictures >= 20, "{pictures}");
}

/// Checks that each figure of the paper is in `docs/diagrams.md` under its label, next to Fletch's pictures in both styles, and that no
/// picture is unused.
#[test]
fn the_figures_of_the_paper_stand_beside_what_is_drawn() {
    let docs = examples().join("../docs");
    let svgs = |folder: &str| -> BTreeSet<String> {
        let files = fs::read_dir(docs.join("diagrams").join(folder)).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        let names = names.filter(|name| name.ends_with(".svg"));
        names.map(|name| format!("{folder}{name}")).collect()
    };
    let drawn: BTreeSet<String> = svgs("").union(&svgs("paper/")).cloned().collect();
    assert_eq!(shown(), drawn);
    let page = fs::read_to_string(docs.join("diagrams.md")).unwrap();
    // Figures of the paper by their labels, each with Fletch's pictures: one if both styles give the same picture.
    let figures = [
        ("ex:mlp-denotation", "mlp-network", &["mlp-network"][..]),
        (
            "ex:mlp-denotation",
            "mlp-handled",
            &["mlp-bent", "mlp-unbent"],
        ),
        ("ex:mlp-denotation", "mlp-return", &["mlp-return"]),
        ("ex:mlp-denotation", "mlp-forward", &["mlp-forward"]),
        ("ex:mlp-denotation", "mlp-backward", &["mlp-backward"]),
        ("ex:resnet-denotation", "resnet", &["resnet-network"]),
        (
            "ex:autoencoder-denotation",
            "autoencoder",
            &[
                "autoencoder-network-opened",
                "autoencoder-network-opened-unbent",
            ],
        ),
        (
            "ex:autoencoder-denotation",
            "deep_autoencoder",
            &[
                "deep_autoencoder-network-opened",
                "deep_autoencoder-network-opened-unbent",
            ],
        ),
        (
            "ex:U-net-denotation",
            "unet",
            &["unet_training-network-bent", "unet_training-network-unbent"],
        ),
    ];
    let named = |text: &str, picture: &str| text.contains(&format!("\"diagrams/{picture}.svg\""));
    for (label, figure, pictures) in figures {
        let (_, section) = page.split_once(&format!("(Example `{label}`)\n")).unwrap();
        let section = section.split("\n## ").next().unwrap();
        let mut tables = section.split("<table>").skip(1);
        let table = tables.find(|table| named(table, &format!("paper/{figure}")));
        let table = table.unwrap_or_else(|| panic!("{figure} is not in {label}"));
        let table = table.split("</table>").next().unwrap();
        for picture in pictures {
            assert!(named(table, picture), "{picture} is not beside {figure}");
            // A single picture must be the same in both styles.
            let other = format!("{}-unbent", picture.trim_end_matches("-bent"));
            let alike = pictures.len() > 1 || drawing_of(picture) == drawing_of(&other);
            assert!(alike, "{figure}: {picture} is not all");
        }
    }
    assert_eq!(page.matches("(Example `").count(), 4);
    assert_eq!(svgs("paper/").len(), figures.len());
}

/// Returns the pairs of wires with different values that cross each other.
pub(crate) fn crossings(picture: &Picture) -> Vec<(usize, usize)> {
    let pieces: Vec<_> = (picture.wires.iter())
        .flat_map(|wire| {
            let ends = wire.points.windows(2);
            ends.map(|ends| (wire.wire, ends[0], ends[1]))
        })
        .collect();
    let inside = |at: f64, a: f64, b: f64| at > a.min(b) + 0.6 && at < a.max(b) - 0.6;
    let mut found = Vec::new();
    for (wire, a, b) in pieces.iter().filter(|(_, a, b)| a.1 == b.1) {
        for (other, c, d) in pieces.iter().filter(|(_, c, d)| c.0 == d.0) {
            if wire != other && inside(c.0, a.0, b.0) && inside(a.1, c.1, d.1) {
                found.push((*wire, *other));
            }
        }
    }
    found
}

#[test]
fn the_diagrams_of_the_paper_have_straight_spines_and_no_crossing() {
    for name in [
        "mlp",
        "resnet",
        "autoencoder",
        "deep_autoencoder",
        "unet_training",
    ] {
        let (arrow, source) = main_of(name);
        let graph = Graph::of(&arrow, &source);
        assert_eq!(crossings(&Picture::of(&graph, Style::Unbent)), [], "{name}");
        let picture = Picture::of(&graph, Style::Bent);
        assert_eq!(crossings(&picture), [], "{name}");
        for mark in [Mark::Right, Mark::Left] {
            let lane = picture
                .boxes
                .iter()
                .filter(|shape| shape.mark == Some(mark));
            let levels: BTreeSet<i64> = lane
                .map(|shape| (10.0 * (shape.frame.1 + shape.frame.3 / 2.0)) as i64)
                .collect();
            assert_eq!(levels.len(), 1, "{name}: operations {mark:?} on one line");
        }
    }
}

/// Checks the unbent style. A result that a return clause passes on unchanged continues the spine, and saved values run below it, as in
/// the paper.
#[test]
fn unbent_the_spine_goes_on_through_the_turn_and_what_is_saved_runs_below() {
    let source = fs::read_to_string(examples().join("deep_autoencoder.fletch")).unwrap();
    let checked = fletch_ide::check(&source);
    let Ok(network) = network(&checked, &source, "main") else {
        panic!("no network")
    };
    for names in [&[][..], &["EnDe"]] {
        let graph = Graph::opened(&network.arrow, &source, &named(names));
        let picture = Picture::of(&graph, Style::Unbent);
        let levels = picture.boxes.iter();
        let levels: BTreeSet<i64> = levels.map(|shape| shape.frame.1 as i64).collect();
        assert_eq!((picture.boxes.len(), levels.len()), (4, 1));
        assert!(picture.wires.iter().all(|wire| wire.flow != Flow::Saved));
    }
    let (arrow, source) = main_of("mlp");
    let picture = Picture::of(&Graph::of(&arrow, &source), Style::Unbent);
    let (_, y, _, h) = picture.boxes[0].frame;
    let saved = picture.wires.iter();
    let saved: Vec<_> = saved.filter(|wire| wire.flow == Flow::Saved).collect();
    assert_eq!(saved.len(), 5);
    for wire in saved {
        assert!(wire.points.iter().all(|at| at.1 >= y + h / 2.0), "{wire:?}");
    }
}
