//! States as a LaTeX document in the paper's notation. The document declares the commands that it uses, so that it compiles alone. Its text
//! is ASCII, except for letters without a command in LaTeX. RH(V)⟨ȳ⟩. R with H becomes 𝓡𝓗 with V above and H below; a long V gets a name,
//! and is written below the command.

pub(crate) mod command;
mod letters;
pub(crate) mod names;
mod values;

use super::{FOLDED, Stops, skipped};
use fletch_drawing::colours;
use fletch_explain::RuleView;
use fletch_print::numbers::Digits;
use fletch_print::{Chips, Piece, PieceKind, Values};

/// Width of a command, in columns: as much as fits on a line of the page.
const WIDTH: usize = 76;

const HEAD: &str = r"\documentclass[10pt]{article}
\usepackage[a4paper,margin=20mm]{geometry}
";

/// Definitions for the preamble of a document that has commands. A test compares its colours with the table of colours.
pub const NOTATION: &str = concat!(
    fletch_drawing::latex_packages!(),
    r"\usepackage{amsmath,amssymb}
\usepackage{xcolor}
% The notation of ``Programming Backpropagation with Reverse Handlers for Arrows''.
\newcommand{\fromvec}[1]{\underline{#1}}
\newcommand{\tlet}{\mathtt{let}}
\newcommand{\tbind}{\leftarrow}
\newcommand{\tin}{\mathtt{in}}
\newcommand{\trd}{\mathtt{rd}}
\newcommand{\pbind}{\Leftarrow}
\newcommand{\prevhandle}{\mathtt{rev\ handle}}
\newcommand{\phandle}{\mathtt{handle}}
\newcommand{\pwith}{\mathtt{with}}
\newcommand{\oprcolor}[1]{\textcolor{magenta}{#1}}
\newcommand{\funccolor}[1]{\textcolor{blue}{#1}}
\newcommand{\redto}{\rightarrow}
\newcommand{\rewriterevh}[2]{\mathcal{RH}^{#1}_{#2}}
",
    fletch_drawing::latex_letters!(),
);

const STATES: &str = r"% A line of a command: its indentation, then what stands on it.
\newcommand{\codeline}[2]{\par\noindent\hangindent=#1\advance\hangindent by 2em\relax
  \hspace*{#1}$#2$}
% The part that the next step rewrites: in a box, which cannot be broken, or where no line has room for it, coloured.
\newcommand{\redex}[1]{\allowbreak\setlength{\fboxsep}{1.5pt}\setbox0=\hbox{\colorbox{redexcolor}{$#1$}}%
  \ifdim\wd0<\dimexpr\linewidth-\hangindent-2em\relax{\box0}\else\begingroup\color{redextext}#1\endgroup\fi}
\newcommand{\rewrites}[2]{\par\medskip\noindent$\xrightarrow{\ \mathsf{#1}\ }$\quad #2\par}
\newcommand{\unfolds}[2]{\par\medskip\noindent$\overset{\mathsf{#1}}{=}$\quad #2\par}
\setlength{\parindent}{0pt}
\setlength{\emergencystretch}{3em}
\raggedright
";

/// Definitions of the colours of a redex: of its box, and of its text where it has no box.
fn redex_colours() -> String {
    let (ground, ink) = (colours::REDEX.latex, colours::REDEX_INK.latex);
    format!(
        "\\definecolor{{redexcolor}}{{rgb}}{{{ground}}}\n\\definecolor{{redextext}}{{rgb}}{{{ink}}}\n"
    )
}

/// The document.
pub(super) fn document(stops: &Stops<'_>) -> String {
    let mut out = [HEAD, NOTATION, &redex_colours(), STATES].concat();
    out += "\\begin{document}\n";
    out += &format!("\\section*{{{}}}\n", names::prose(&stops.title()));
    if let Some(notice) = stops.notice() {
        out += &format!("\\textbf{{{}}}\n", names::prose(&notice));
    }
    let total = stops.positions.len();
    let chips = Chips::written(stops.digits);
    for stop in stops.each(Values::Chips(&chips)) {
        if total > 1 {
            out += &format!("\n\\subsection*{{State {}}}\n", stop.position);
        }
        out += "{\\footnotesize\n";
        if !stop.same_heap && !stops.locations.is_empty() {
            out += "\\codeline{0em}{\\bigl[";
            for (position, (location, tensor)) in stops.cells(stop.heap).enumerate() {
                if position > 0 {
                    out += ",\\allowbreak\\ ";
                }
                let contents = values::tensor(&chips.chip(tensor), stops.digits);
                out += &format!("{} \\mapsto {contents}", names::name(&location.name));
            }
            out += "\\bigr]}\n\\par\\smallskip\n";
        }
        let written = command::write(&stop.command, stop.style, WIDTH, stops.digits);
        out += &written.lines;
        for (name, value) in &written.named {
            out += &format!("\\par\\smallskip\nwhere ${name} = {value}$\n");
        }
        out += "\\par}\n";
        if written.folded {
            out += &format!("{}\\par\n", names::prose(FOLDED));
        }
        if let Some(leaving) = &stop.leaving {
            let mut sentence = sentence(&leaving.sentence);
            if let Some(more) = skipped(leaving) {
                sentence += &format!(" ({more})");
            }
            out += &rewriting(&leaving.rule, &sentence);
        }
    }
    out += "\\end{document}\n";
    out
}

fn rewriting(rule: &RuleView, sentence: &str) -> String {
    let command = if rule.equation { "unfolds" } else { "rewrites" };
    let name = rule.rule.name().replace('-', "\\text{-}");
    format!("\\{command}{{{name}}}{{{sentence}}}\n")
}

/// A sentence with its names and values in math mode.
fn sentence(pieces: &[Piece]) -> String {
    let piece = |piece: &Piece| match piece.kind {
        PieceKind::Plain => names::prose(&piece.text),
        _ => format!("${}$", command::piece(piece, Digits::Rounded)),
    };
    pieces.iter().map(piece).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_notation_has_the_colours_of_the_table() {
        for (command, colour) in [
            ("oprcolor", colours::OPERATION_IN_TEXT),
            ("funccolor", colours::FUNCTION),
        ] {
            let written = format!(
                "\\newcommand{{\\{command}}}[1]{{\\textcolor{{{}}}{{#1}}}}\n",
                colour.latex
            );
            assert!(NOTATION.contains(&written), "{written}");
        }
    }
}
