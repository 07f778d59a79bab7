//! What the style sheets keep to: lengths follow the type that a reader has chosen in the browser.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic)] // A failed test is a panic.

use std::fs;
use std::path::{Path, PathBuf};

/// No line is thicker.
const HAIRLINE: f64 = 3.0;

/// The style sheets, and the looks of the editor.
fn sheets() -> Vec<(PathBuf, String)> {
    let web = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sheets = fs::read_dir(web.join("style")).unwrap();
    let sheets = sheets.map(|entry| entry.unwrap().path());
    sheets
        .chain([web.join("editor/theme.js")])
        .map(|path| {
            let text = fs::read_to_string(&path).unwrap();
            (path, text)
        })
        .collect()
}

/// The lengths in pixels, with their signs.
fn pixels(text: &str) -> Vec<f64> {
    let is_number = |letter: char| letter.is_ascii_digit() || letter == '.';
    let before: Vec<&str> = text.split("px").collect();
    let lengths = before.split_last().map_or(&[][..], |(_, before)| before);
    lengths
        .iter()
        .filter_map(|before| {
            before[before.trim_end_matches(is_number).len()..]
                .parse()
                .ok()
        })
        .collect()
}

#[test]
fn lengths_but_those_of_hairlines_follow_the_size_of_type() {
    let sheets = sheets();
    assert!(sheets.len() > 10);
    for (path, text) in sheets {
        let fixed: Vec<f64> = pixels(&text)
            .into_iter()
            .filter(|length| *length > HAIRLINE)
            .collect();
        assert!(
            fixed.is_empty(),
            "{}: in pixels, not in rem: {fixed:?}",
            path.display()
        );
    }
}

#[test]
fn pixels_are_found() {
    assert_eq!(
        pixels("a { width: 12.5px; inset: -1px .5px; } 3rem"),
        [12.5, 1.0, 0.5]
    );
    assert!(pixels("nothing").is_empty());
}
