//! Colours by their roles. The table is `colours.json`, whose text is also a Rust array.
//!
//! A row has a role, its CSS colour on a light and on a dark background, the system colour that replaces it under forced
//! colours, and its colour in LaTeX. A cell is empty if the role has no use for it. A role without a dark colour is no custom
//! property of the style sheets (`web/editor/build.mjs`). A role without a system colour keeps its colour under forced colours.
//! This module has a constant for each role that Rust code names.

/// The rows: role, light, dark, forced and LaTeX colour.
const TABLE: &[[&str; 5]] = &include!("../colours.json");

/// The colour of a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour {
    /// The role: the name of the custom property, without its dashes.
    pub role: &'static str,
    /// The CSS colour on a light background, which files have.
    pub light: &'static str,
    /// The colour in LaTeX: an expression of the package `xcolor`, or three components of the model `rgb`.
    pub latex: &'static str,
}

/// Background of the page and of a picture.
pub const PAPER: Colour = colour("paper");
/// Background of elements that lie on the page.
pub const SURFACE: Colour = colour("surface");
/// Text.
pub const INK: Colour = colour("ink");
/// Secondary text.
pub const QUIET_INK: Colour = colour("ink-2");
/// A line with a strong contrast.
pub const STRONG_LINE: Colour = colour("line-strong");
/// An operation: its border and its name.
pub const OPERATION: Colour = colour("op");
/// Background of an operation.
pub const OPERATION_GROUND: Colour = colour("op-bg");
/// An operation in mathematics, as the paper has it.
pub const OPERATION_IN_TEXT: Colour = colour("op-in-text");
/// A function symbol.
pub const FUNCTION: Colour = colour("fn");
/// A pure map: its border and its name.
pub const PURE: Colour = colour("pure");
/// Background of a pure map.
pub const PURE_GROUND: Colour = colour("pure-bg");
/// A location of the heap.
pub const LOCATION: Colour = colour("loc");
/// Background of a redex.
pub const REDEX: Colour = colour("redex");
/// The border of a redex, and of what is running.
pub const REDEX_LINE: Colour = colour("redex-line");
/// The text of a redex.
pub const REDEX_INK: Colour = colour("redex-ink");
/// The mark of the current choice among several.
pub const ACCENT: Colour = colour("accent");
/// The mark of the focus.
pub const FOCUS: Colour = colour("focus");
/// A wire of the forward half.
pub const FORWARD: Colour = colour("wire");
/// A wire of the backward half.
pub const BACKWARD: Colour = colour("wire-back");
/// A wire of a saved value.
pub const SAVED: Colour = colour("wire-saved");
/// Background of an opened operation.
pub const FRAME: Colour = colour("frame");
/// The border of an opened operation in a file.
pub const FRAME_LINE: Colour = colour("frame-line");
/// Background of an opened pure map.
pub const PURE_FRAME: Colour = colour("pure-frame");
/// The border of an opened pure map in a file.
pub const PURE_FRAME_LINE: Colour = colour("pure-frame-line");
/// The name of an opened pure map in a file.
pub const PURE_FRAME_INK: Colour = colour("pure-frame-ink");
/// The border of the run of a handler in a file.
pub const RUN_LINE: Colour = colour("run-line");
/// The name of the run of a handler in a file.
pub const RUN_INK: Colour = colour("run-ink");
/// White on every background.
pub const WHITE: Colour = colour("white");
/// Black on every background.
pub const BLACK: Colour = colour("black");
/// Dark text on a light cell of a heat map, where white has too little contrast.
pub const CELL_INK: Colour = colour("cell-ink");

/// The end of the diverging scale below zero, as red, green and blue.
pub const SCALE_BELOW: [u8; 3] = channels("scale-below");
/// The middle of the diverging scale.
pub const SCALE_NONE: [u8; 3] = channels("scale-none");
/// The end of the diverging scale above zero.
pub const SCALE_ABOVE: [u8; 3] = channels("scale-above");
/// [`CELL_INK`] as red, green and blue.
pub const CELL_INK_CHANNELS: [u8; 3] = channels("cell-ink");
/// The end of the scale of a plotted surface, below its middle. Readers who see fewer colours can distinguish blue and orange.
pub const SURFACE_BELOW: [u8; 3] = channels("surface-below");
/// The end of the scale of a plotted surface, above its middle.
pub const SURFACE_ABOVE: [u8; 3] = channels("surface-above");
/// Colours of classes that readers who see fewer colours can distinguish (Okabe and Ito).
pub const CLASSES: [[u8; 3]; 8] = [
    channels("class-0"),
    channels("class-1"),
    channels("class-2"),
    channels("class-3"),
    channels("class-4"),
    channels("class-5"),
    channels("class-6"),
    channels("class-7"),
];

/// The colours as custom properties of a style sheet, for a page in a file of its own.
pub fn style_sheet() -> String {
    let mut usual = String::new();
    let mut forced = String::new();
    for [role, light, dark, system, _] in TABLE.iter().filter(|[_, _, dark, ..]| !dark.is_empty()) {
        usual += &match light == dark {
            true => format!("  --{role}: {light};\n"),
            false => format!("  --{role}: light-dark({light}, {dark});\n"),
        };
        if !system.is_empty() {
            forced += &format!("  --{role}: {system};\n");
        }
    }
    format!(":root {{\n{usual}}}\n@media (forced-colors: active) {{\n:root {{\n{forced}}}\n}}\n")
}

/// Returns the row of a role. Only constants call it, so a role without a row is a compile-time error.
#[allow(clippy::panic)]
const fn colour(role: &str) -> Colour {
    let mut rows = TABLE;
    while let [[name, light, _, _, latex], others @ ..] = rows {
        if same(name.as_bytes(), role.as_bytes()) {
            return Colour {
                role: name,
                light,
                latex,
            };
        }
        rows = others;
    }
    panic!("the table has no such role")
}

const fn same(mut one: &[u8], mut other: &[u8]) -> bool {
    while let ([a, more @ ..], [b, rest @ ..]) = (one, other) {
        if *a != *b {
            return false;
        }
        (one, other) = (more, rest);
    }
    one.is_empty() && other.is_empty()
}

/// The light colour of a role as red, green and blue. Only constants call it, like `colour`.
#[allow(clippy::panic)]
const fn channels(role: &str) -> [u8; 3] {
    match colour(role).light.as_bytes() {
        [b'#', a, b, c, d, e, f] => [byte(*a, *b), byte(*c, *d), byte(*e, *f)],
        _ => panic!("not a colour of six digits"),
    }
}

const fn byte(high: u8, low: u8) -> u8 {
    16 * digit(high) + digit(low)
}

#[allow(clippy::panic)]
const fn digit(digit: u8) -> u8 {
    match digit {
        b'0'..=b'9' => digit - b'0',
        b'a'..=b'f' => digit - b'a' + 10,
        _ => panic!("not a hexadecimal digit"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    #[test]
    fn a_row_is_found_by_its_role() {
        assert_eq!(OPERATION.light, "#b3126d");
        assert_eq!(OPERATION.latex, "magenta!70!black");
        assert_eq!(SCALE_ABOVE, [178, 24, 43]);
    }

    #[test]
    fn a_style_sheet_has_each_colour_of_the_page() {
        let sheet = style_sheet();
        assert!(sheet.starts_with(":root {\n  --paper: light-dark(#fbfaf7, #15161a);\n"));
        assert!(sheet.contains("  --paper: Canvas;\n"), "{sheet}");
        assert!(!sheet.contains("--op-in-text"), "{sheet}");
    }

    #[test]
    fn no_role_has_two_rows() {
        for (at, [role, ..]) in TABLE.iter().enumerate() {
            let first = TABLE.iter().position(|[other, ..]| other == role);
            assert_eq!(first, Some(at), "{role}");
        }
    }

    #[test]
    fn under_forced_colours_text_is_seen_on_its_ground() {
        for [role, _, dark, forced, _] in TABLE {
            if !forced.is_empty() {
                assert!(!dark.is_empty(), "{role} is no custom property");
            }
            if let Some(of) = role.strip_suffix("-bg") {
                let ground = TABLE.iter().find(|[other, ..]| other == &of);
                let text = ground.map(|[_, _, _, forced, _]| forced);
                assert!(text.is_some_and(|text| text != forced), "{role}");
            }
        }
    }

    /// A role that keeps its colour under forced colours looks the same on every background, or is a shade of another colour.
    #[test]
    fn under_forced_colours_a_role_of_the_page_has_a_system_colour() {
        for [role, light, dark, forced, _] in TABLE {
            let page = !dark.is_empty() && light != dark && dark.starts_with('#');
            assert_eq!(page, !forced.is_empty(), "{role}");
        }
    }

    /// Static files: each names colours of the table.
    #[test]
    fn static_files_have_the_colours_of_the_table() {
        let row = |role: &str| TABLE.iter().find(|[name, ..]| *name == role).unwrap();
        let [_, paper, dark, ..] = *row("paper");
        let head = |colour: &str, scheme: &str| {
            format!(
                "<meta name=\"theme-color\" content=\"{colour}\" media=\"(prefers-color-scheme: {scheme})\">"
            )
        };
        let icon = |part: &str, colour: &str| format!("{part}=\"{colour}\"");
        for (file, written) in [
            ("web/index.html", head(paper, "light")),
            ("web/index.html", head(dark, "dark")),
            (
                "static/site.webmanifest",
                format!("\"background_color\": \"{paper}\""),
            ),
            (
                "static/site.webmanifest",
                format!("\"theme_color\": \"{paper}\""),
            ),
            ("static/icon.svg", icon("fill", paper)),
            ("static/icon.svg", icon("stroke", OPERATION.light)),
            ("static/icon.svg", icon("stroke", BACKWARD.light)),
            ("static/icon.svg", icon("stroke", INK.light)),
        ] {
            let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
            let text = fs::read_to_string(root.join(file)).unwrap();
            assert!(text.contains(&written), "{file} has no {written}");
        }
    }
}
