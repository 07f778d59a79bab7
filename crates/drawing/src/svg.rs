//! An SVG file while it is written: its head, its ground, texts and its end. Shapes are written into it as they are.

use crate::colours::Colour;
use std::fmt::{Arguments, Result, Write};

/// A side this much larger than a whole number of pixels is that number, in pixels.
const ROUNDING: f64 = 1e-6;

/// An SVG file that has no end yet.
#[derive(Clone, Debug)]
pub struct Svg(String);

impl Svg {
    /// A file that shows a part of the plane (left, top, width and height in pixels) on a ground, with attributes for all that is
    /// in it. The sides are rounded up to whole pixels, so that the ground has no half transparent edge.
    pub fn new((x, y, w, h): (f64, f64, f64, f64), attributes: &str, ground: Colour) -> Svg {
        let [w, h] = [w, h].map(|side| (side - ROUNDING).ceil());
        let ground = ground.light;
        let space = if attributes.is_empty() { "" } else { " " };
        Svg(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{x:.1} {y:.1} {w:.1} {h:.1}\" width=\"{w:.0}\" height=\"{h:.0}\"{space}{attributes}>\n\
             <rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" fill=\"{ground}\"/>\n"
        ))
    }

    /// A text with its attributes.
    pub fn text(&mut self, attributes: Arguments<'_>, words: &str) {
        // Writing to a string cannot fail.
        let _ = write!(self.0, "<text {attributes}>");
        self.words(words);
        self.0.push_str("</text>");
    }

    /// Words inside a text, their signs escaped.
    pub fn words(&mut self, words: &str) {
        let escaped = words
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;");
        self.0.push_str(&escaped);
    }

    /// The end of a line of the file.
    pub fn end_line(&mut self) {
        self.0.push('\n');
    }

    /// The file.
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
