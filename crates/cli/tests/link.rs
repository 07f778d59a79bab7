//! `fletch link` and `fletch open`: what is sent is what arrives, and what is wrong with a link is said.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed test is a panic.

mod common;

use common::fletch;
use serde_json::{Value as Json, json};

const PROGRAM: &str = "-- ℓ0\r\nmain = ⌊1 + 2⌋";

#[test]
fn a_program_goes_there_and_back() {
    let base = "https://example.org/fletch/";
    let arguments = [
        "link", "-", "--base", base, "--step", "3", "--level", "every", "--view", "diagram",
    ];
    let (code, link, errors) = fletch(&arguments, PROGRAM);
    assert_eq!((code, errors.as_str()), (0, ""));
    let start = format!("{base}#v1.");
    assert!(
        link.starts_with(&start) && link.contains("&step=3&level=every&view=diagram&sum="),
        "{link}"
    );
    let (code, source, told) = fletch(&["open", link.trim()], "");
    assert_eq!((code, source.as_str()), (0, PROGRAM));
    assert_eq!(
        told,
        "fletch: step = 3\nfletch: level = every\nfletch: view = diagram\n"
    );
    let (code, output, _) = fletch(&["open", "-", "--json"], &link);
    let opened: Json = serde_json::from_str(&output).unwrap();
    assert_eq!(code, 0);
    assert_eq!(opened["source"], PROGRAM);
    assert_eq!(
        opened["keys"],
        json!({ "step": "3", "level": "every", "view": "diagram" })
    );
}

#[test]
fn without_a_base_it_is_the_fragment() {
    let (_, link, _) = fletch(&["link", "-", "--json"], PROGRAM);
    let link: Json = serde_json::from_str(&link).unwrap();
    let address = link["link"].as_str().unwrap();
    assert!(address.starts_with("#v1."));
    assert_eq!(link["length"], address.len());
}

#[test]
fn what_cannot_be_opened_exits_with_one_and_says_why() {
    for (address, reason) in [
        ("#v1.@@", "damaged"),
        ("#v2.AA", "version"),
        ("https://example.org/", "no program"),
    ] {
        let (code, output, errors) = fletch(&["open", address], "");
        assert_eq!((code, output.as_str()), (1, ""), "{address}");
        assert!(errors.contains(reason), "{errors}");
    }
    let (code, _, errors) = fletch(&["link", "-"], "a".repeat(1_000_001));
    assert_eq!(code, 1);
    assert!(errors.contains("1 MB"), "{errors}");
}

#[test]
fn wrong_usage_exits_with_two() {
    for arguments in [
        &["link", "-", "--level", "all"][..],
        &["link", "-", "--step", "-1"],
        &["link", "/no/such"],
        &["open"],
    ] {
        assert_eq!(fletch(arguments, "").0, 2, "{arguments:?}");
    }
}

#[test]
fn keys_that_are_not_known_are_told() {
    let (_, link, _) = fletch(&["link", "-"], PROGRAM);
    let (code, source, errors) = fletch(&["open", &format!("{}&zoom=3&step=-1", link.trim())], "");
    assert_eq!((code, source.as_str()), (0, PROGRAM));
    assert!(
        errors.contains("\"zoom\"") && errors.contains("\"step\""),
        "{errors}"
    );
}
