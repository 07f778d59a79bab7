//! Links of version 1: those of the fixtures open forever, and what is written is read again, by others too.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed test is a panic.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use fletch_link::{Diagram, Link, Opened, Part, Settings, View};
use fletch_playground::diagram::Style;
use fletch_playground::protocol::{Edit, FoldKey, Level, Mode};
use proptest::prelude::*;
use serde_json::{Value as Json, json};
use std::io::{Read, Write};

fn said(opened: &Opened) -> Json {
    let heap = opened.link.heap.iter();
    let heap: Vec<Json> = heap
        .map(|edit| json!([edit.location, edit.entries]))
        .collect();
    json!({
        "source": opened.link.source,
        "keys": opened.link.settings.pairs(),
        "heap": heap,
        "ignored": opened.ignored,
    })
}

/// They were made by Python's zlib, and never change.
#[test]
fn links_of_version_1_open() {
    let mut count = 0;
    for line in include_str!("v1.jsonl").lines() {
        let mut expected: Json = serde_json::from_str(line).unwrap();
        let address = expected["link"].as_str().unwrap().to_owned();
        expected.as_object_mut().unwrap().remove("link");
        // Numbers are compared as numbers.
        for cell in expected["heap"].as_array_mut().unwrap() {
            for entry in cell[1].as_array_mut().unwrap() {
                *entry = json!(entry.as_f64().unwrap());
            }
        }
        let opened = Link::read(&address).unwrap();
        assert_eq!(said(&opened), expected, "{address}");
        count += 1;
    }
    assert_eq!(count, 9);
}

fn payload(link: &str) -> Vec<u8> {
    let packed = link.strip_prefix("v1.").unwrap().split('&').next().unwrap();
    URL_SAFE_NO_PAD.decode(packed).unwrap()
}

/// Another implementation of deflate reads the payload of every example, and does hardly better at its highest level.
#[test]
fn the_payload_is_raw_deflate_and_no_longer_than_others_make_it() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|end| end != "fletch") {
            continue;
        }
        let source = std::fs::read_to_string(&path).unwrap();
        let link = Link {
            source: source.clone(),
            ..Link::default()
        };
        let packed = payload(&link.fragment());
        let mut unpacked = String::new();
        let mut decoder = DeflateDecoder::new(&packed[..]);
        decoder.read_to_string(&mut unpacked).unwrap();
        assert_eq!(unpacked, source);
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(source.as_bytes()).unwrap();
        let best = encoder.finish().unwrap().len();
        assert!(
            packed.len() * 100 <= best * 103,
            "{path:?}: {} for {best}",
            packed.len()
        );
        count += 1;
    }
    assert!(count > 20);
}

#[test]
fn defaults_are_left_out() {
    let link = Link {
        source: "main = ⌊1⌋".to_owned(),
        ..Link::default()
    };
    let fragment = link.fragment();
    assert_eq!(fragment.matches('&').count(), 1, "{fragment}");
    assert!(fragment.contains("&sum="));
}

fn settings() -> impl Strategy<Value = Settings> {
    let level = prop_oneof![
        Just(Level::Every),
        Just(Level::Plain),
        Just(Level::Operations),
        Just(Level::Handlers)
    ];
    let view = prop_oneof![
        Just(View::Steps),
        Just(View::Diagram),
        Just(View::Types),
        Just(View::Compare)
    ];
    let folds = prop::collection::vec(any::<(u32, u32, u32)>(), 0..5);
    let boxes = || prop::collection::vec("[^;]{1,20}", 0..4);
    let part = prop_oneof![Just(Part::Handled), Just(Part::Network), Just(Part::Both)];
    let style = prop_oneof![Just(Style::Bent), Just(Style::Unbent)];
    let diagram = (".{0,9}", part, style, boxes(), boxes());
    let diagram = diagram.prop_map(|(of, part, style, open, inner)| Diagram {
        of,
        part,
        style,
        open,
        inner,
    });
    let lines = prop::collection::btree_set(any::<u32>(), 0..5);
    (
        ("\\PC{0,9}", any::<u32>()),
        level,
        view,
        folds,
        diagram,
        lines,
        any::<(bool, bool)>(),
    )
        .prop_map(
            |((name, step), level, view, folds, diagram, lines, (total, shortcuts))| Settings {
                name,
                step,
                level,
                view,
                folds: folds
                    .into_iter()
                    .map(|(a, b, c)| FoldKey(a, b, c))
                    .collect(),
                diagram,
                breakpoints: lines.into_iter().collect(),
                mode: Mode { total, shortcuts },
            },
        )
}

fn heap() -> impl Strategy<Value = Vec<Edit>> {
    let finite = any::<f64>().prop_filter("finite", |number| number.is_finite());
    let cell = ("[^;:]{1,10}", prop::collection::vec(finite, 1..6));
    let cell = cell.prop_map(|(location, entries)| Edit { location, entries });
    prop::collection::vec(cell, 0..3)
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(source in any::<String>(), settings in settings(), heap in heap()) {
        let link = Link { source, settings, heap };
        let fragment = link.fragment();
        prop_assert!(fragment.bytes().all(|byte| byte.is_ascii_graphic()));
        let opened = Link::read(&format!("https://example.org/#{fragment}")).unwrap();
        prop_assert_eq!(opened, Opened { link, ignored: Vec::new() });
    }
}

/// What is not one sort of text only: NUL, line ends of every kind, signs of four bytes, and much of the same.
#[test]
fn any_text_travels() {
    let long = "let x ⇐ ⌊𝕏⌋ in\r\n".repeat(40_000);
    for source in ["", "\0", "\r\n\r\u{feff}", "🪶\u{301}", &long] {
        let link = Link {
            source: source.to_owned(),
            ..Link::default()
        };
        assert_eq!(Link::read(&link.fragment()).unwrap().link, link);
    }
}
