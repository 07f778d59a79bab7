//! Writer of an SVG file: its head, its background, texts and its end. Shapes are written as raw markup.

use crate::colours::Colour;
use std::fmt::{Arguments, Result, Write};

/// Tolerance in pixels: a side that exceeds a whole number of pixels by at most this is rounded down to it.
const ROUNDING: f64 = 1e-6;

/// An unfinished SVG file.
#[derive(Clone, Debug)]
pub struct Svg(String);

impl Svg {
    /// Begins a file that shows a rectangle of the plane (left, top, width and height in pixels) on a background. The
    /// attributes apply to all its contents. Width and height are rounded up to whole pixels, so that the background has no
    /// half-transparent edge.
    pub fn new((x, y, w, h): (f64, f64, f64, f64), attributes: &str, ground: Colour) -> Svg {
        let [w, h] = [w, h].map(|side| (side - ROUNDING).ceil());
        let ground = ground.light;
        let space = if attributes.is_empty() { "" } else { " " };
        Svg(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{x:.1} {y:.1} {w:.1} {h:.1}\" width=\"{w:.0}\" height=\"{h:.0}\"{space}{attributes}>\n\
             <rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" fill=\"{ground}\"/>\n"
        ))
    }

    /// Writes a text with its attributes.
    pub fn text(&mut self, attributes: Arguments<'_>, words: &str) {
        // Writing to a string cannot fail.
        let _ = write!(self.0, "<text {attributes}>");
        self.words(words);
        self.0.push_str("</text>");
    }

    /// Writes words inside a text, with special characters escaped.
    pub fn words(&mut self, words: &str) {
        let escaped = words
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;");
        self.0.push_str(&escaped);
    }

    /// Ends a line of the file.
    pub fn end_line(&mut self) {
        self.0.push('\n');
    }

    /// Ends the file and returns it.
    pub fn finish(mut self) -> String {
        self.0.push_str("</svg>\n");
        self.0
    }
}

impl Write for Svg {
    fn write_str(&mut self, part: &str) -> Result {
        self.0.write_str(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::colours;

    #[test]
    fn a_file_has_a_ground_and_escaped_texts() {
        let mut svg = Svg::new((-1.0, 0.0, 20.0, 10.0), "font-size=\"12\"", colours::PAPER);
        svg.text(format_args!("x=\"{}\"", 3), "a < b & c");
        svg.end_line();
        assert_eq!(
            svg.finish(),
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-1.0 0.0 20.0 10.0\" width=\"20\" height=\"10\" font-size=\"12\">\n\
             <rect x=\"-1.0\" y=\"0.0\" width=\"20.0\" height=\"10.0\" fill=\"#fbfaf7\"/>\n\
             <text x=\"3\">a &lt; b &amp; c</text>\n\
             </svg>\n"
        );
    }
}
