//! Untrusted links: none panics, none unpacks more than the cap, and no damaged link gives a program.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use fletch_link::{Damage, Link, MAX_SOURCE, Settings, Unreadable};
use proptest::prelude::*;
use std::io::Write;

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn of(bytes: &[u8]) -> String {
    format!("#v1.{}", URL_SAFE_NO_PAD.encode(bytes))
}

fn refused(address: &str) -> Unreadable {
    Link::read(address).unwrap_err()
}

fn damage(address: &str) -> Damage {
    match refused(address) {
        Unreadable::Damaged(damage) => damage,
        other => panic!("{other:?}"),
    }
}

fn good() -> String {
    let source = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/resnet.fletch"
    ));
    Link {
        source: source.unwrap(),
        ..Link::default()
    }
    .fragment()
}

#[test]
fn a_bomb_ends_at_the_cap() {
    let most = of(&packed(&vec![b'a'; MAX_SOURCE]));
    assert_eq!(Link::read(&most).unwrap().link.source.len(), MAX_SOURCE);
    for size in [MAX_SOURCE + 1, 100 * MAX_SOURCE] {
        assert_eq!(damage(&of(&packed(&vec![b'a'; size]))), Damage::Large);
    }
}

#[test]
fn damage_is_told_by_its_kind() {
    assert_eq!(damage("#v1.***"), Damage::Signs);
    assert_eq!(damage("#v1."), Damage::Packed);
    // The unused bits of the last character are not 0.
    assert_eq!(damage("#v1.AB"), Damage::Signs);
    assert_eq!(damage(&of(b"\xff\xff\xff")), Damage::Packed);
    assert_eq!(damage(&of(&packed(b"\xff\xfe"))), Damage::Text);
    let mut longer = packed(b"main");
    longer.extend(b"xyz");
    assert_eq!(damage(&of(&longer)), Damage::Longer);
    let other = good().replace("&sum=", "&sum=0");
    assert_eq!(damage(&other), Damage::Sum);
    // A truncated check sum agrees with the expected sum as far as it reaches.
    let good = good();
    for missing in [1, 5, 8] {
        assert_eq!(damage(&good[..good.len() - missing]), Damage::End);
    }
}

#[test]
fn no_program_and_other_versions_are_told() {
    for address in [
        "",
        "#",
        "https://example.org/",
        "#step=3",
        "v.",
        "#w1.AA",
        "#v1",
        "javascript:alert(1)",
    ] {
        assert_eq!(refused(address), Unreadable::NoProgram, "{address}");
    }
    for version in ["v0", "v2", "v10", "v99999999999999999999"] {
        let told = refused(&format!("#{version}.AA")).to_string();
        assert!(told.contains(&version[..version.len().min(12)]), "{told}");
    }
}

/// Truncation or a flipped bit gives the program that was sent or an error, because the link has a check sum.
#[test]
fn no_truncation_and_no_flipped_bit_gives_another_program() {
    let link = good();
    let source = Link::read(&link).unwrap().link.source;
    for end in 0..link.len() {
        if let Ok(opened) = Link::read(&link[..end]) {
            assert_eq!(opened.link.source, source, "up to {end}");
        }
    }
    let mut refused = 0;
    for at in 0..link.len() {
        for bit in 0..7 {
            let mut bytes = link.clone().into_bytes();
            bytes[at] ^= 1 << bit;
            match Link::read(std::str::from_utf8(&bytes).unwrap()) {
                Ok(opened) => assert_eq!(opened.link.source, source, "bit {bit} of {at}"),
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > link.len() * 6, "{refused}");
}

/// Values that an attacker may put in place of a valid value.
const VALUES: [&str; 22] = [
    "",
    "0",
    "-1",
    "+1",
    "1000000000",
    "4294967296",
    "99999999999999999999999",
    "NaN",
    "inf",
    "1e9",
    "<b>x</b>",
    "<script>alert(1)</script>",
    "javascript:alert(1)",
    "%",
    "%2",
    "%zz",
    "%FF",
    "%00",
    "\u{202e}",
    "..%2F..%2Fetc",
    "1.2.3.4",
    "ℓ0:NaN",
];

#[test]
fn no_value_of_any_key_does_harm_and_what_is_ignored_is_told() {
    let program = good();
    let source = Link::read(&program).unwrap().link.source;
    let keys = [
        "name",
        "step",
        "level",
        "view",
        "fold",
        "open",
        "stop",
        "mode",
        "heap",
        "zoom",
        "of",
        "part",
        "style",
        "inner",
        "__proto__",
        "<i>",
        "",
    ];
    for key in keys {
        for value in VALUES {
            let address = format!("#{program}&{key}={value}");
            let opened = Link::read(&address).unwrap();
            assert_eq!(opened.link.source, source);
            let unchanged =
                opened.link.settings == Settings::default() && opened.link.heap.is_empty();
            let told = opened.ignored.len() == 1;
            let default = value == "0" && key == "step";
            assert_eq!(unchanged && !default, told, "{address}");
        }
    }
    for entries in ["ℓ0:NaN", "ℓ0:inf", "ℓ0:", ":1", "ℓ0", "ℓ0:1e999"] {
        let opened = Link::read(&format!("#{program}&heap={entries}")).unwrap();
        assert_eq!(
            (opened.link.heap.len(), opened.ignored.len()),
            (0, 1),
            "{entries}"
        );
    }
}

#[test]
fn very_many_keys_and_parts_are_not_all_read() {
    let program = good();
    let keys = "&x=1".repeat(100_000);
    assert!(
        Link::read(&format!("#{program}{keys}"))
            .unwrap()
            .ignored
            .len()
            <= 8
    );
    for many in [
        format!("fold={}", "1.2.3,".repeat(5000)),
        format!("stop={}1", "1,".repeat(5000)),
        format!("open={}a", "a;".repeat(5000)),
        format!("heap=l:{}1", "1,".repeat(20_000)),
    ] {
        assert_eq!(
            Link::read(&format!("#{program}&{many}"))
                .unwrap()
                .ignored
                .len(),
            1
        );
    }
}

proptest! {
    #[test]
    fn no_text_panics(text in any::<String>(), bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        for address in [text.clone(), format!("#v1.{text}"), of(&bytes), format!("{}&{text}", of(&packed(text.as_bytes())))] {
            if let Ok(opened) = Link::read(&address) {
                prop_assert!(opened.link.source.len() <= MAX_SOURCE);
            }
        }
    }
}
