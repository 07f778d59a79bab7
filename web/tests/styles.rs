//! Tests of the style sheets: lengths scale with the type size chosen in the browser, and a step restyles only what it changes.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic)] // A failed test is a panic.

use std::fs;
use std::path::{Path, PathBuf};

/// Greatest thickness of a line, in pixels; such lengths may stay in pixels.
const HAIRLINE: f64 = 3.0;

/// Paths and texts of the style sheets, and of the theme of the editor.
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

/// The unsigned lengths in pixels that a text contains.
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

/// Allowed type sizes, in rem: 11, 13, 15, 16 and 20 pixels if the browser's type has 16. The presenter's window has 14, 17 and 24.
const TYPE: [f64; 8] = [0.6875, 0.8125, 0.875, 0.9375, 1.0, 1.0625, 1.25, 1.5];

/// Type sizes in a sheet, in rem: the first length of each font.
fn types(text: &str) -> Vec<f64> {
    let values = ["font: ", "font-size: ", "fontSize: "]
        .iter()
        .flat_map(|property| text.split(property).skip(1));
    let sizes = values.filter_map(|rest| {
        let value = rest
            .trim_start_matches('\'')
            .split([';', '}', '\''])
            .next()?;
        let (before, _) = value.split_once("rem")?;
        before.rsplit(' ').next()?.parse().ok()
    });
    sizes.collect()
}

#[test]
fn type_has_few_sizes() {
    for (path, text) in sheets() {
        for size in types(&text) {
            assert!(TYPE.contains(&size), "{}: {size}rem", path.display());
        }
    }
}

#[test]
fn sizes_of_type_are_found() {
    assert_eq!(
        types(
            "a { font: 600 .71875rem/1.25rem var(--mono); font-size: 1rem; font: inherit; width: 2rem } '.b': { font: '.75rem x', fontSize: '.5rem' }"
        ),
        [0.71875, 0.75, 1.0, 0.5]
    );
}

/// Selectors with `:has(`, each as its text before `:has(` and its text after the closing parenthesis.
fn looks_inside(text: &str) -> Vec<(&str, &str)> {
    let starts = text.match_indices(":has(");
    let found = starts.map(|(at, mark)| {
        let head = text[..at]
            .rfind(['{', '}', ',', '\n'])
            .map_or(0, |end| end + 1);
        let inner = at + mark.len();
        let mut open = 1;
        let closing = text[inner..].find(|letter| {
            open += i32::from(letter == '(') - i32::from(letter == ')');
            open == 0
        });
        let rest = &text[inner + closing.unwrap() + 1..];
        (
            text[head..at].trim(),
            &rest[..rest.find(['{', ',']).unwrap()],
        )
    });
    found.collect()
}

// A browser evaluates `:has()` again at each change inside the element: for the whole page at each step, for the tab
// of a training at each frame. A rule that then applies to all elements below (`*`) makes the browser restyle all of
// them.
#[test]
fn no_rule_looks_into_what_changes_all_the_time() {
    const WHOLE: [&str; 10] = [
        ".page",
        ".panes",
        ".stage",
        "main",
        "body",
        "html",
        ".training-body",
        ".training-main",
        ".training-side",
        ".curves",
    ];
    for (path, text) in sheets() {
        let narrow = path.ends_with("narrow.css");
        for (before, after) in looks_inside(&text) {
            let looked = before.rsplit([' ', '>', '~', '+']).next().unwrap();
            let whole = WHOLE.iter().any(|name| {
                let rest = looked.strip_prefix(name);
                rest.is_some_and(|rest| !rest.starts_with(['-', '_']))
            });
            let place = format!("{}: {before}:has(…){after}", path.display());
            assert!(narrow || !whole, "{place}");
            assert!(!after.contains('*'), "{place}");
        }
    }
}

#[test]
fn looks_into_elements_are_found() {
    assert_eq!(
        looks_inside("a { b: c; }\n.page[d] .e:has(> p:is(:focus)) > * { f: g; }"),
        [(".page[d] .e", " > * ")]
    );
}
