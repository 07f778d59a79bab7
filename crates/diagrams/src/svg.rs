//! The display list as an SVG file, on a light background.

use crate::display::{Flow, Frame, Mark, Picture, Shape};
use crate::graph::Kind;
use crate::measure::chip_width;
use fletch_drawing::{Svg, colours};
use std::fmt::Write;

const MONO: &str = "'JetBrains Mono','DejaVu Sans Mono',monospace";
const RADIUS: f64 = 9.0;
/// Distance of the background of a header from the border of its frame.
const INSET: f64 = 2.0;

impl Picture {
    /// The picture as an SVG file.
    pub fn svg(&self) -> String {
        let mut svg = Svg::new(self.bounds, "", colours::PAPER);
        for frame in &self.frames {
            framed(&mut svg, frame);
        }
        for wire in &self.wires {
            let colour = wire.flow.colour().light;
            let dashes = match wire.flow {
                Flow::Forward | Flow::Backward => "",
                Flow::Saved => " stroke-dasharray=\"5 3.5\"",
            };
            let _ = writeln!(
                svg,
                "<path d=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{}\"{dashes}/>",
                rounded(&wire.points),
                if wire.thick { 4.0 } else { 1.75 }
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
        for frame in self.frames.iter().filter(|frame| frame.is_named()) {
            headed(&mut svg, frame);
        }
        for dot in &self.dots {
            let colour = dot.flow.colour().light;
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
            let (fill, stroke) = (colours::WHITE.light, colours::SAVED.light);
            let _ = write!(
                svg,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{w:.1}\" height=\"16\" rx=\"4\" fill=\"{fill}\" stroke=\"{stroke}\"/>",
                x - w / 2.0,
                y - 8.0
            );
            svg.text(
                format_args!(
                    "x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-family=\"{MONO}\" font-size=\"11\" fill=\"{stroke}\"",
                    y + 4.0
                ),
                &chip.text,
            );
            svg.end_line();
        }
        for text in &self.types {
            let (x, y) = text.at;
            let (x, anchor) = if text.left {
                (x - 6.0, "end")
            } else {
                (x + 6.0, "start")
            };
            let colour = colours::QUIET_INK.light;
            svg.text(
                format_args!(
                    "x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\" font-family=\"{MONO}\" font-size=\"12\" fill=\"{colour}\"",
                    y + 4.0
                ),
                &text.text,
            );
            svg.end_line();
        }
        svg.finish()
    }
}

fn framed(svg: &mut Svg, frame: &Frame) {
    let (x, y, w, h) = frame.frame;
    let (fill, stroke, _) = frame.colours();
    let (fill, stroke) = (fill.map_or("none", |fill| fill.light), stroke.light);
    let line = if frame.is_run { 0.75 } else { 1.25 };
    let _ = writeln!(
        svg,
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" rx=\"8\" fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"{line}\"/>"
    );
}

/// Draws the header of a frame, on top of the wires that pass it.
fn headed(svg: &mut Svg, frame: &Frame) {
    let (left, top, _, height) = frame.header;
    let (x, y, w, h) = frame.written();
    let (fill, _, text) = frame.colours();
    let (ground, text) = (fill.unwrap_or(colours::PAPER).light, text.light);
    let level = top + height / 2.0;
    let _ = write!(
        svg,
        "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{ground}\"/>",
        x + INSET,
        y + INSET,
        w - 2.0 * INSET,
        h - 2.0 * INSET
    );
    let _ = write!(
        svg,
        "<path d=\"M{:.1} {:.1}l4 4l4 -4\" fill=\"none\" stroke=\"{text}\" stroke-width=\"1.4\"/>",
        left + 8.0,
        level - 2.0
    );
    svg.text(
        format_args!(
            "x=\"{:.1}\" y=\"{:.1}\" font-family=\"{MONO}\" font-size=\"11.5\" fill=\"{text}\"",
            left + 21.0,
            level + 4.0
        ),
        &frame.header_text(),
    );
    svg.end_line();
}

fn boxed(svg: &mut Svg, shape: &Shape) {
    let (x, y, w, h) = shape.frame;
    let (cx, cy) = (x + w / 2.0, y + h / 2.0);
    let (pure, ground) = (colours::PURE.light, colours::PURE_GROUND.light);
    if shape.kind == Kind::Sum {
        let _ = writeln!(
            svg,
            "<circle cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"{:.1}\" fill=\"{ground}\" stroke=\"{pure}\"/>\
             <path d=\"M{:.1} {cy:.1}h10M{cx:.1} {:.1}v10\" stroke=\"{pure}\" stroke-width=\"1.5\"/>",
            h / 2.0,
            cx - 5.0,
            cy - 5.0
        );
        return;
    }
    if let Some([a, b, c]) = shape.triangle() {
        let white = colours::WHITE.light;
        let _ = writeln!(
            svg,
            "<path d=\"M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}Z\" fill=\"{white}\" stroke=\"{pure}\" stroke-width=\"1.5\" stroke-linejoin=\"round\"/>",
            a.0, a.1, b.0, b.1, c.0, c.1
        );
        return;
    }
    let (fill, stroke, radius, line, weight) = match shape.kind {
        Kind::Operation => {
            let (ground, operation) = (colours::OPERATION_GROUND, colours::OPERATION);
            (ground.light, operation.light, 3, 1.5, 600)
        }
        Kind::Pure | Kind::Sum | Kind::Delay => (ground, pure, 10, 1.0, 500),
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
    svg.text(
        format_args!(
            "x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-family=\"{MONO}\" font-size=\"12.5\" font-weight=\"{weight}\" fill=\"{stroke}\"",
            cy + 4.5
        ),
        shape.shown(),
    );
    svg.end_line();
}

/// SVG path through these points, with rounded corners.
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

#[cfg(test)]
mod tests {
    use super::rounded;
    use crate::cases::{graph, sketch};
    use crate::display::{Flow, Picture};
    use crate::picture::Style;

    fn paths(svg: &str) -> Vec<&str> {
        svg.lines()
            .filter(|line| line.starts_with("<path") && line.contains("fill=\"none\""))
            .collect()
    }

    #[test]
    fn a_corner_is_round_and_rounder_than_half_a_stretch_it_is_not() {
        assert_eq!(rounded(&[(0.0, 0.0), (50.0, 0.0)]), "M0.0 0.0L50.0 0.0");
        assert_eq!(
            rounded(&[(0.0, 0.0), (50.0, 0.0), (50.0, 50.0)]),
            "M0.0 0.0L41.0 0.0Q50.0 0.0 50.0 9.0L50.0 50.0"
        );
        assert_eq!(
            rounded(&[(0.0, 0.0), (50.0, 0.0), (50.0, 8.0)]),
            "M0.0 0.0L46.0 0.0Q50.0 0.0 50.0 4.0L50.0 8.0"
        );
        assert_eq!(
            rounded(&[(0.0, 0.0), (8.0, 0.0), (8.0, 50.0)]),
            "M0.0 0.0L4.0 0.0Q8.0 0.0 8.0 4.0L8.0 50.0"
        );
    }

    #[test]
    fn what_is_saved_is_dashed_and_a_sequence_thick() {
        let picture = Picture::of(
            &sketch("F› r⤺ F‹", "in0 → F›; F› → r⤺ F‹; r⤺ → F‹; F‹ → out0"),
            Style::Bent,
        );
        let svg = picture.svg();
        let dashed = paths(&svg)
            .iter()
            .filter(|path| path.contains("stroke-dasharray"))
            .count();
        let saved = picture.wires.iter().filter(|wire| wire.flow == Flow::Saved);
        assert_eq!((dashed, saved.count()), (1, 1));
        let main = "feedback[3]([1, 2], [[1, 2], [3, 4], [5, 6]])⟨s, x⟩. ⌊⟨s + x, sin(x)⟩⌋";
        let svg = Picture::of(&graph(main), Style::Unbent).svg();
        let thick = paths(&svg)
            .iter()
            .filter(|path| path.contains("stroke-width=\"4\""))
            .count();
        assert_eq!(thick, 2, "entries and results");
    }

    #[test]
    fn a_label_is_escaped() {
        let svg = Picture::of(&sketch("a<b", "a<b → out0"), Style::Bent).svg();
        assert!(svg.contains(">a&lt;b</text>"), "{svg}");
    }
}
