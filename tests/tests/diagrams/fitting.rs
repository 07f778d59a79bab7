//! Diagrams that are broken into rows and fitted to screens. They keep the rules of pictures, and have no more crossings than the
//! *road*, the layout in one row. Labels are large enough to be read, or the diagram is a road that is seen in parts.

use super::STYLES;
use super::rules::{clear, complete, joined};
use fletch_arrows::{Arrow, Fault};
use fletch_diagrams::{FIT_MOST, Graph, Kind, LEGIBLE, Picture, Room, Style};
use fletch_tests::{examples, must_check, programs};
use std::collections::BTreeMap;

/// Free part of the canvas on these screens, in pixels, as `layout.spec.mjs` measures it. The last one is for one of two diagrams on a
/// large screen.
const ROOMS: [(&str, u32, u32); 8] = [
    ("1280 × 720", 1252, 536),
    ("1366 × 625", 1338, 441),
    ("1920 × 1080", 1892, 896),
    ("1024 × 768", 996, 584),
    ("390 × 844", 390, 528),
    ("640 × 360", 573, 251),
    ("360 × 640", 360, 376),
    ("1888 × 392", 1888, 392),
];

pub(crate) fn arrows() -> impl Iterator<Item = (String, Arrow, String)> {
    let all = programs(&examples()).into_iter();
    all.filter_map(|(name, source)| {
        let program = must_check(&source).program;
        match Arrow::of(&[], &program.main, &program.ty) {
            Ok(arrow) => Some((name, arrow, source)),
            Err(Fault::TooLarge { .. }) => None,
            Err(fault) => panic!("{name}: {fault:?}"),
        }
    })
}

#[test]
fn rows_keep_the_rules_of_a_road() {
    for (name, arrow, source) in arrows().filter(|(_, arrow, _)| arrow.counts().0 <= 1_500) {
        let mut graph = Graph::of(&arrow, &source);
        for style in STYLES {
            for down in [false, true] {
                graph.down = down;
                graph.rows = 1;
                let road = Picture::of(&graph, style);
                for rows in 2..=4 {
                    graph.rows = rows;
                    let broken = Picture::of(&graph, style);
                    let at = format!("{name}, {style:?}, down: {down}, {rows} rows");
                    complete(&arrow, &broken).unwrap_or_else(|error| panic!("{at}: {error}"));
                    clear(&broken).unwrap_or_else(|error| panic!("{at}: {error}"));
                    joined(&broken).unwrap_or_else(|error| panic!("{at}: {error}"));
                    assert_eq!(signs(&broken), signs(&road), "{at}: a sign is turned");
                    let crossings = |picture: &Picture| super::paper::crossings(picture).len();
                    assert!(crossings(&broken) <= crossings(&road), "{at}: wires cross");
                }
            }
        }
    }
}

/// Returns the direction of the sign of each box, by key: true for rightward, true for downward. The direction of a row does not change
/// it.
fn signs(picture: &Picture) -> BTreeMap<&str, Option<(bool, bool)>> {
    let boxes = picture
        .boxes
        .iter()
        .filter(|shape| shape.kind != Kind::Delay);
    let signs = boxes.map(|shape| {
        let sign = shape.chevron();
        let sign = sign.map(|[from, tip, _]| (tip.0 > from.0, tip.1 > from.1));
        (shape.key.as_str(), sign)
    });
    signs.collect()
}

/// Fits a diagram to a room. Returns its scale, and true if the whole diagram is in sight.
fn seen(graph: &mut Graph, room: Room) -> (f64, bool) {
    let picture = Picture::fitted(graph, Style::Bent, room);
    let scale = room.scale(&picture);
    for shape in picture.boxes.iter() {
        assert!(
            !shape.shown().starts_with('…'),
            "{} has no name",
            shape.label
        );
    }
    let turned = picture.boxes.iter().any(|shape| shape.turned);
    assert!(
        !(picture.down && turned && room.width > room.height),
        "columns in a wide room"
    );
    (scale.clamp(LEGIBLE, FIT_MOST), scale >= LEGIBLE)
}

#[test]
fn every_example_can_be_read_on_every_screen() {
    let mut whole = 0;
    let mut parts = Vec::new();
    for (name, arrow, source) in arrows() {
        let mut sizes = Vec::new();
        for (screen, width, height) in ROOMS {
            let room = Room {
                width,
                height,
                ..Room::default()
            };
            let (scale, all) = seen(&mut Graph::of(&arrow, &source), room);
            sizes.push(format!("{:.1}{}", 12.5 * scale, if all { "" } else { "*" }));
            if all {
                whole += 1;
            } else {
                parts.push(format!("{name} at {screen}"));
            }
        }
        eprintln!("{name}: {}", sizes.join(" "));
    }
    eprintln!("{whole} are in sight whole, in parts: {}", parts.join(", "));
    // Other diagrams may be seen in parts only on a phone or in a low window.
    let low = ["390 × 844", "640 × 360", "360 × 640", "1888 × 392"];
    let small = |part: &&String| low.iter().any(|screen| part.ends_with(screen));
    let parts: Vec<&String> = parts.iter().filter(|part| !small(part)).collect();
    let large = [
        "clip_global_norm",
        "elman",
        "linear_system",
        "gru",
        "lossless_pyramid",
        "read_once",
        "recurrent",
        "refactoring",
        "transformer",
        "truncated",
    ];
    let known = |part: &&&String| large.iter().any(|name| part.starts_with(name));
    assert!(parts.iter().all(|part| known(&part)), "{parts:?}");
    // Each state of a loop has a separate delay, which makes these diagrams high.
    let loops = ["gru at 1920 × 1080", "truncated at 1920 × 1080"];
    assert!(
        !(parts.iter())
            .any(|part| part.ends_with("1920 × 1080") && !loops.contains(&part.as_str())),
        "{parts:?}"
    );
    assert!(whole >= 270, "{whole}");
}
