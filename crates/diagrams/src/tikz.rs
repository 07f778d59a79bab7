//! The display list as TikZ, for a paper.

use crate::display::{Mark, Picture};
use crate::graph::Kind;
use fletch_drawing::colours;
use fletch_drawing::latex::{LETTER, LETTERS};
use std::fmt::Write;

/// Points per pixel: a box is 30 px high, about two lines of text.
const POINTS: f64 = 0.6;

/// A preamble for letters that pdfLaTeX has no command for.
const MORE: &str = "\\IfFileExists{t2aenc.def}{\\usepackage[T2A,T1]{fontenc}}{} \\IfFileExists{CJKutf8.sty}{\\usepackage{CJKutf8}}{}";

impl Picture {
    /// The picture as a `tikzpicture`; `text` converts labels to LaTeX.
    pub fn tikz(&self, text: impl Fn(&str) -> String) -> String {
        let [
            backward,
            saved,
            run,
            operation,
            ground,
            pure,
            pure_ground,
            white,
        ] = [
            colours::BACKWARD,
            colours::SAVED,
            colours::RUN_LINE,
            colours::OPERATION,
            colours::OPERATION_GROUND,
            colours::PURE,
            colours::PURE_GROUND,
            colours::WHITE,
        ]
        .map(|colour| colour.latex);
        let mut tikz = format!(
            "\\begin{{tikzpicture}}[x={POINTS}pt,y=-{POINTS}pt,\n  \
             forward/.style={{line width=0.7pt,rounded corners=4pt}},\n  \
             backward/.style={{forward,{backward}}},\n  \
             saved/.style={{forward,{saved},dashed}},\n  \
             thick/.style={{line width=1.8pt}},\n  \
             run/.style={{line width=0.3pt,{run},rounded corners=4pt}},\n  \
             label/.style={{font=\\scriptsize\\ttfamily}},\n  \
             operation/.style={{label,draw={operation},text={operation},fill={ground},rounded corners=1.5pt,line width=0.8pt}},\n  \
             pure/.style={{label,draw={pure},text={pure},fill={pure_ground},rounded corners=5pt}},\n  \
             chip/.style={{label,draw={saved},text={saved},fill={white},rounded corners=2pt,inner sep=1.5pt}}]\n"
        );
        for frame in &self.frames {
            let (x, y, w, h) = frame.frame;
            let (left, top, _, height) = frame.header;
            let (fill, line, ink) = frame.colours();
            let (line, ink) = (line.latex, ink.latex);
            let style = match fill {
                Some(fill) => format!("{line},fill={},rounded corners=4pt", fill.latex),
                None => "run".to_owned(),
            };
            let _ = writeln!(
                tikz,
                "\\draw[{style}] {} rectangle {};",
                at((x, y)),
                at((x + w, y + h))
            );
            if frame.is_named() {
                let _ = writeln!(
                    tikz,
                    "\\node[label,anchor=west,text={ink}] at {} {{{}}};",
                    at((left + 4.0, top + height / 2.0)),
                    text(&frame.header_text())
                );
            }
        }
        for wire in &self.wires {
            let corners: Vec<String> = wire.points.iter().map(|p| at(*p)).collect();
            let _ = writeln!(
                tikz,
                "\\draw[{}{}] {};",
                wire.flow.name(),
                if wire.thick { ",thick" } else { "" },
                corners.join(" -- ")
            );
            for ((x, y), (dx, dy)) in &wire.heads {
                let (bx, by) = (x - 5.0 * dx, y - 5.0 * dy);
                let _ = writeln!(
                    tikz,
                    "\\draw[{},sharp corners] {} -- {} -- {};",
                    wire.flow.name(),
                    at((bx - 5.0 * dy, by + 5.0 * dx)),
                    at((*x, *y)),
                    at((bx + 5.0 * dy, by - 5.0 * dx))
                );
            }
        }
        for dot in &self.dots {
            let colour = dot.flow.colour().latex;
            let _ = writeln!(tikz, "\\fill[{colour}] {} circle[radius=2pt];", at(dot.at));
        }
        for shape in &self.boxes {
            let (x, y, w, h) = shape.frame;
            let centre = at((x + w / 2.0, y + h / 2.0));
            if shape.kind == Kind::Sum {
                let _ = writeln!(
                    tikz,
                    "\\node[pure,circle,inner sep=0pt,minimum size={:.1}pt] at {centre} {{$+$}};",
                    h * POINTS
                );
                continue;
            }
            if let Some([a, b, c]) = shape.triangle() {
                let _ = writeln!(
                    tikz,
                    "\\draw[draw={pure},fill={white},line width=0.8pt] {} -- {} -- {} -- cycle;",
                    at(a),
                    at(b),
                    at(c)
                );
                continue;
            }
            let style = if shape.kind == Kind::Operation {
                "operation"
            } else {
                "pure"
            };
            let label = text(shape.shown());
            let label = match shape.mark {
                None => label,
                Some(Mark::Right) => format!("{label} $\\rangle$"),
                Some(Mark::Left) => format!("$\\langle$ {label}"),
                Some(Mark::Down) => format!("{label} $\\vee$"),
                Some(Mark::Up) => format!("$\\wedge$ {label}"),
                Some(Mark::Letter(letter)) => format!("{label} \\textit{{{letter}}}"),
            };
            let _ = writeln!(
                tikz,
                "\\node[{style},minimum width={:.1}pt,minimum height={:.1}pt,inner sep=0pt] at {centre} {{{label}}};",
                w * POINTS,
                h * POINTS
            );
        }
        for chip in &self.chips {
            let _ = writeln!(
                tikz,
                "\\node[chip] at {} {{{}}};",
                at(chip.at),
                text(&chip.text)
            );
        }
        for end in &self.types {
            let anchor = if end.left { "east" } else { "west" };
            let _ = writeln!(
                tikz,
                "\\node[label,anchor={anchor}] at {} {{{}}};",
                at(end.at),
                text(&end.text)
            );
        }
        tikz.push_str("\\end{tikzpicture}\n");
        // The first line of the picture lists the packages that it needs.
        let packages = "% \\usepackage{tikz} \\usepackage[T1]{fontenc}";
        match tikz.contains(LETTER) {
            true => format!("{packages} {MORE}\n{LETTERS}{tikz}"),
            false => format!("{packages}\n{tikz}"),
        }
    }
}

fn at((x, y): (f64, f64)) -> String {
    format!("({x:.1},{y:.1})")
}

#[cfg(test)]
mod tests {
    use crate::cases::{opened, opening, sketch};
    use crate::display::Picture;
    use crate::picture::Style;

    /// Lines of a picture that begin with `begin`; texts are in angle brackets.
    fn drawn(style: Style, begin: &str) -> Vec<String> {
        let graph = sketch(
            "F› r⤺ +‹ F‹",
            "in0 → F›; F› → r⤺ F‹; r⤺ → +‹; +‹ → F‹; F‹ → out0",
        );
        let tikz = Picture::of(&graph, style).tikz(|text| format!("<{text}>"));
        let lines = tikz.lines().filter(|line| line.starts_with(begin));
        lines.map(str::to_owned).collect()
    }

    #[test]
    fn a_box_says_its_half_by_a_sign_or_a_letter() {
        let ends = |style| -> Vec<String> {
            let labels = drawn(style, "\\node[operation");
            let labels = labels.iter().filter_map(|line| line.split_once(" {"));
            labels.map(|(_, label)| label.to_owned()).collect()
        };
        assert_eq!(ends(Style::Bent), ["<F> $\\rangle$};", "$\\langle$ <F>};"]);
        assert_eq!(
            ends(Style::Unbent),
            ["<F> \\textit{f}};", "<F> \\textit{b}};"]
        );
    }

    #[test]
    fn a_sum_is_a_circle_as_large_as_in_pixels_times_six_tenths() {
        let sums = drawn(Style::Unbent, "\\node[pure,circle");
        assert_eq!(sums.len(), 1);
        assert!(
            sums.iter().all(|sum| sum.contains("minimum size=10.8pt")),
            "{sums:?}"
        );
    }

    #[test]
    fn a_frame_without_a_header_has_no_label() {
        let graph = opened("rev handle([1, 2])⟨x⟩. F(x) with H", &opening(&["F"], &[]));
        let mut picture = Picture::of(&graph, Style::Bent);
        let labels = |picture: &Picture| {
            let tikz = picture.tikz(str::to_owned);
            tikz.matches("\\node[label,anchor=west,text=").count()
        };
        let named = picture.frames.iter().filter(|frame| frame.is_named());
        let named = named.count();
        assert!(named > 0);
        assert_eq!(labels(&picture), named);
        for frame in &mut picture.frames {
            frame.header.2 = 0.0;
        }
        assert_eq!(labels(&picture), 0);
    }

    #[test]
    fn a_wire_has_the_style_of_what_it_carries() {
        let wires = drawn(Style::Bent, "\\draw[");
        let styles: Vec<&str> = wires
            .iter()
            .filter_map(|wire| wire.split([']', ',']).next())
            .collect();
        for (style, count) in [("\\draw[forward", 4), ("\\draw[saved", 1)] {
            assert_eq!(
                styles.iter().filter(|own| **own == style).count(),
                count,
                "{wires:?}"
            );
        }
    }
}
