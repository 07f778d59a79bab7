//! Links of version 1: the fixtures open forever, and written links can be read, also by other implementations of
//! deflate.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use fletch_diagrams::Style;
use fletch_link::{Diagram, Link, Opened, Part, Settings, Tab};
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

/// Python's zlib made the fixtures, which never change.
#[test]
fn links_of_version_1_open() {
    let mut count = 0;
    for line in include_str!("v1.jsonl").lines() {
        let mut expected: Json = serde_json::from_str(line).unwrap();
        let address = expected["link"].as_str().unwrap().to_owned();
        expected.as_object_mut().unwrap().remove("link");
        // Numbers are compared by value: JSON distinguishes integers and floats.
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

/// Another implementation of deflate can read the payload of every example, and the payload is at most 3 % longer
/// than that implementation's best.
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
        Just(Level::Handlers),
        Just(Level::Moments)
    ];
    let view = prop::sample::select(&Tab::ALL[..]);
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

/// Locations with the entries that a reader set. Names are in NFC, as in the program.
fn heap() -> impl Strategy<Value = Vec<Edit>> {
    let finite = any::<f64>().prop_filter("finite", |number| number.is_finite());
    let cell = ("[^;:]{1,10}", prop::collection::vec(finite, 1..6));
    let cell = cell.prop_map(|(name, entries)| Edit {
        location: fletch_syntax::nfc(&name),
        entries,
    });
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

/// Source texts unlike ordinary programs: NUL, all kinds of line ends, characters of four bytes, and long
/// repetitions.
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

/// Every change that software makes to an address in transit is undone.
#[test]
fn links_open_as_they_arrive() {
    for (source, step) in [
        ("main = ⌊1 + 2⌋\n".to_owned(), 3),
        (format!("-- {}\nmain = ⌊1⌋\n", "ℓ x_y-z ".repeat(40)), 0),
    ] {
        let mut link = Link {
            source,
            ..Link::default()
        };
        link.settings.step = step;
        link.settings.diagram.open = vec!["FC[ℓ0]".to_owned(), "return".to_owned()];
        let address = format!("https://example.org/fletch/#{}", link.fragment());
        let with_keys = |open: &str| {
            let opened = Link::read(open).unwrap_or_else(|error| panic!("{open}: {error}"));
            assert_eq!(
                (&opened.link, &opened.ignored),
                (&link, &Vec::new()),
                "{open}"
            );
        };
        // The address is in a sentence, in brackets or in quotation marks.
        for (before, behind) in [
            ("", "."),
            ("(", ")"),
            ("(", ")."),
            ("<", ">"),
            ("<", ">,"),
            ("", ","),
            ("\"", "\""),
            ("'", "'"),
            ("“", "”"),
            ("«", "»"),
            ("[link](", ")"),
            ("see ", " and run it"),
            ("see ", ", and run it."),
            ("URL: ", "\n\nBest regards"),
            ("", "!"),
            ("", "?"),
            ("", ";"),
            ("**", "**"),
            ("`", "`"),
            ("  ", "  "),
            ("", "\u{200b}"),
            ("<a href=\"", "\">it</a>"),
            ("", "…"),
        ] {
            with_keys(&format!("{before}{address}{behind}"));
        }
        // Mail programs wrap and quote the address.
        for width in [20, 38, 60, 76] {
            let lines = |between: &str| {
                let letters: Vec<char> = address.chars().collect();
                let lines: Vec<String> = letters
                    .chunks(width)
                    .map(|line| line.iter().collect())
                    .collect();
                lines.join(between)
            };
            for between in [
                "\n", "\r\n", " \n", "\n ", "\n> ", "\n> > ", "\n\t", " ", "\u{a0}", "\u{200b}",
                "\u{ad}",
            ] {
                with_keys(&lines(between));
                with_keys(&format!("<{}>.\n\nBest regards", lines(between)));
                // Text follows in the next line or word, with letters that are hexadecimal digits.
                for behind in [
                    "\nBest regards",
                    "\n> cheers",
                    " yesterday.",
                    "\r\ndeadbeef",
                ] {
                    with_keys(&format!("{}{behind}", lines(between)));
                }
            }
            // Mails are encoded as quoted-printable.
            with_keys(&lines("=\n"));
            let quoted = address.replace('=', "=3D");
            let letters: Vec<char> = quoted.chars().collect();
            let mut wrapped = String::new();
            for line in letters.chunks(60) {
                wrapped.extend(line);
                wrapped.push_str("=\r\n");
            }
            // The case is left out if the wrapping splits an encoded `=`: mail programs do not break there.
            if !wrapped.contains("==\r\n") && !wrapped.contains("=3=\r\n") {
                with_keys(&wrapped);
            }
        }
        // A dot, a space or a line break may be percent-encoded.
        for (sign, written) in [(".", "%2E"), (".", "%2e"), ("-", "-%0A"), ("_", "%20_")] {
            with_keys(&address.replacen(sign, written, 1));
        }
        // Other software encodes the address, or passes it as a parameter of its own address.
        with_keys(&address.replace('&', "&amp;"));
        with_keys(&address.replace('&', "&#38;"));
        with_keys(&address.replace('-', "%2D").replace('_', "%5F"));
        let encoded = |text: &str| -> String {
            text.bytes()
                .map(|byte| {
                    if byte.is_ascii_alphanumeric() {
                        char::from(byte).to_string()
                    } else {
                        format!("%{byte:02X}")
                    }
                })
                .collect()
        };
        with_keys(&encoded(&address));
        with_keys(&encoded(&encoded(&address)));
        with_keys(&format!(
            "https://safelinks.example/?url={}&data=05%7C01&reserved=0",
            encoded(&address)
        ));
        with_keys(&format!(
            "https://www.example/url?q={}&sa=D",
            encoded(&address)
        ));
        with_keys(&address.replacen("#v1.", "%23v1.", 1).replace('&', "%26"));
        // Two copies of one address are one program.
        with_keys(&format!("{address} {address}"));
        with_keys(&format!("<{address}> [{address}]"));
        // Addresses with two different programs are an error.
        let other = Link {
            source: "main = ⌊2⌋".to_owned(),
            ..Link::default()
        }
        .fragment();
        for both in [
            format!("{address}#{other}"),
            format!("{address} https://example.org/#{other}"),
            format!("{address}\n#{other}"),
            format!("{address}\n#{other}\n{address}"),
        ] {
            let error = Link::read(&both).unwrap_err();
            assert!(
                error.to_string().starts_with("there are 2 programs"),
                "{both}: {error}"
            );
        }
        // A truncated or changed address stays damaged.
        let changed = address.replacen("#v1.", "#v1.A", 1);
        for damaged in [
            format!("{}.", &address[..address.find("&").unwrap() - 8]),
            changed,
        ] {
            assert!(Link::read(&damaged).is_err(), "{damaged}");
        }
    }
}

#[test]
fn files_are_not_in_a_link() {
    let source = "data d : Real(1) = csv(\"a.csv\")\ndata e : Real(1) = csv(\"b.csv\")\ndata f : Real(1) = csv(\"a.csv\")\nmain = ⌊1⌋";
    let link = Link {
        source: source.to_owned(),
        ..Link::default()
    };
    assert_eq!(link.files(), ["a.csv", "b.csv"]);
}
