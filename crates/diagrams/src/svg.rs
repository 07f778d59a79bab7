//! The display list as an SVG file, on a light ground.

use crate::display::{Flow, Frame, Mark, Picture, Shape};
use crate::graph::Kind;
use crate::measure::chip_width;
use std::fmt::Write;

const MONO: &str = "'JetBrains Mono','DejaVu Sans Mono',monospace";
const RADIUS: f64 = 9.0;

impl Picture {
    /// The picture as an SVG file.
    pub fn svg(&self) -> String {
        let (x, y, w, h) = self.bounds;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{x:.1} {y:.1} {w:.1} {h:.1}\" width=\"{w:.0}\" height=\"{h:.0}\">\n\
             <rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" fill=\"#fbfaf7\"/>\n"
        );
        for frame in &self.frames {
            framed(&mut svg, frame);
        }
        for wire in &self.wires {
            let (colour, dashes) = match wire.flow {
                Flow::Forward => ("#3d3a34", ""),
                Flow::Backward => ("#0c7a8a", ""),
                Flow::Saved => ("#6b4fa0", " stroke-dasharray=\"5 3.5\""),
            };
            let _ = writeln!(
                svg,
                "<path d=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.75\"{dashes}/>",
                rounded(&wire.points)
            );
            for ((x, y), (dx, dy)) in &wire.heads {
                let (bx, by) = (x - 5.0 * dx, y - 5.0 * dy);
                let _ = writeln!(
                    svg,
                    "<path d=\"M{:.1} {:.1}L{x:.1} {y:.1}L{:.1} {:.1}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.75\"/>",
                    bx - 5.0 * dy,
                    by + 5.0 * dx,
                    bx + 5.0 * dy,
                    by - 5.0 * dx
                );
            }
        }
        for dot in &self.dots {
            let colour = match dot.flow {
                Flow::Forward => "#3d3a34",
                Flow::Backward => "#0c7a8a",
                Flow::Saved => "#6b4fa0",
            };
            let (x, y) = dot.at;
            let _ = writeln!(
                svg,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{colour}\"/>"
            );
        }
        for shape in &self.boxes {
            boxed(&mut svg, shape);
        }
        for chip in &self.chips {
            let (x, y) = chip.at;
            let w = chip_width(&chip.text);
            let _ = writeln!(
                svg,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{w:.1}\" height=\"16\" rx=\"4\" fill=\"#fff\" stroke=\"#6b4fa0\"/>\
                 <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-family=\"{MONO}\" font-size=\"11\" fill=\"#6b4fa0\">{}</text>",
                x - w / 2.0,
                y - 8.0,
                y + 4.0,
                escaped(&chip.text)
            );
        }
        for text in &self.types {
            let (x, y) = text.at;
            let (x, anchor) = if text.left {
                (x - 6.0, "end")
            } else {
                (x + 6.0, "start")
            };
            let _ = writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\" font-family=\"{MONO}\" font-size=\"12\" fill=\"#5b5850\">{}</text>",
                y + 4.0,
                escaped(&text.text)
            );
        }
        svg.push_str("</svg>\n");
        svg
    }
}

fn framed(svg: &mut String, frame: &Frame) {
    let (x, y, w, h) = frame.frame;
    let (left, top, _, height) = frame.header;
    let (fill, stroke, text) = match frame.kind {
        _ if frame.is_run => ("none", "#b8b3a6", "#6b675d"),
        Kind::Operation => ("#fef4f9", "#c9669d", "#b3126d"),
        Kind::Pure | Kind::Sum => ("#f3faf5", "#6fae8e", "#17734a"),
    };
    let level = top + height / 2.0;
    let line = if frame.is_run { 0.75 } else { 1.25 };
    let _ = writeln!(
        svg,
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" rx=\"8\" fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"{line}\"/>\
         <path d=\"M{:.1} {:.1}l4 4l4 -4\" fill=\"none\" stroke=\"{text}\" stroke-width=\"1.4\"/>\
         <text x=\"{:.1}\" y=\"{:.1}\" font-family=\"{MONO}\" font-size=\"11.5\" fill=\"{text}\">{}</text>",
        left + 8.0,
        level - 2.0,
        left + 21.0,
        level + 4.0,
        escaped(&frame.header_text())
    );
}

fn boxed(svg: &mut String, shape: &Shape) {
    let (x, y, w, h) = shape.frame;
    let (cx, cy) = (x + w / 2.0, y + h / 2.0);
    if shape.kind == Kind::Sum {
        let _ = writeln!(
            svg,
            "<circle cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"{:.1}\" fill=\"#e4f5ea\" stroke=\"#17734a\"/>\
             <path d=\"M{:.1} {cy:.1}h10M{cx:.1} {:.1}v10\" stroke=\"#17734a\" stroke-width=\"1.5\"/>",
            h / 2.0,
            cx - 5.0,
            cy - 5.0
        );
        return;
    }
    let (fill, stroke, radius, line, weight) = match shape.kind {
        Kind::Operation => ("#fde7f2", "#b3126d", 3, 1.5, 600),
        Kind::Pure | Kind::Sum => ("#e4f5ea", "#17734a", 10, 1.0, 500),
    };
    let _ = write!(
        svg,
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" rx=\"{radius}\" fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"{line}\"/>"
    );
    if let Some(Mark::Letter(letter)) = shape.mark {
        let _ = write!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-family=\"{MONO}\" font-size=\"11\" fill=\"{stroke}\">{letter}</text>",
            x + w - 13.0,
            cy + 4.0
        );
    }
    if let Some([(ax, ay), (bx, by), (cx, cy)]) = shape.chevron() {
        let _ = write!(
            svg,
            "<path d=\"M{ax:.1} {ay:.1}L{bx:.1} {by:.1}L{cx:.1} {cy:.1}\" fill=\"none\" stroke=\"{stroke}\" stroke-width=\"1.4\" stroke-linecap=\"round\" stroke-linejoin=\"round\"/>"
        );
    }
    let middle = shape.label_at();
    let _ = writeln!(
        svg,
        "<text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-family=\"{MONO}\" font-size=\"12.5\" font-weight=\"{weight}\" fill=\"{stroke}\">{}</text>",
        cy + 4.5,
        escaped(&shape.label)
    );
}

/// A line with rounded corners.
fn rounded(points: &[(f64, f64)]) -> String {
    let mut path = String::new();
    let Some((x, y)) = points.first() else {
        return path;
    };
    let _ = write!(path, "M{x:.1} {y:.1}");
    for three in points.windows(3) {
        let [a, b, c] = three else { continue };
        let length = |p: &(f64, f64), q: &(f64, f64)| (p.0 - q.0).abs() + (p.1 - q.1).abs();
        let r = RADIUS.min(length(a, b) / 2.0).min(length(b, c) / 2.0);
        let toward = |p: &(f64, f64), q: &(f64, f64)| {
            let d = length(p, q).max(1e-9);
            (p.0 + (q.0 - p.0) / d * r, p.1 + (q.1 - p.1) / d * r)
        };
        let (from, to) = (toward(b, a), toward(b, c));
        let _ = write!(
            path,
            "L{:.1} {:.1}Q{:.1} {:.1} {:.1} {:.1}",
            from.0, from.1, b.0, b.1, to.0, to.1
        );
    }
    if let Some((x, y)) = points.last() {
        let _ = write!(path, "L{x:.1} {y:.1}");
    }
    path
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
