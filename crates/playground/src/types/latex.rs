//! The shown derivation as a self-contained LaTeX document. It uses `\inferrule` of mathpartir, or defines a substitute
//! if that package is missing. A derivation wider than the page is scaled down.

use super::derivation::{Judgement, Named, Node};
use fletch_print::{Piece, PieceKind};
use fletch_transcript::{NOTATION, latex_name, latex_piece};

const HEAD: &str = r"\documentclass[10pt]{article}
\usepackage[a4paper,landscape,margin=15mm]{geometry}
\usepackage{graphicx}
";

const RULES: &str = r"% Inference rules.
\IfFileExists{mathpartir.sty}{\usepackage{mathpartir}}{%
  \def\inferrule*[right=##1]##2##3{\dfrac{\let\\\qquad ##2}{##3}\;\textsc{##1}}}
\newcommand{\revvdash}{\vdash^{\mathrm{r}}}
% Robust, as \inferrule expands its premises once, and takes each \\ that it then sees for its own.
\DeclareRobustCommand{\stacked}[1]{\begin{array}[b]{@{}l@{}}#1\end{array}}
\DeclareRobustCommand{\elided}[1]{\begin{array}[b]{@{}c@{}}\vdots\\#1\end{array}}
% On one line, however wide it is, and then as wide as the page.
\newcommand{\derivation}[1]{%
  \setbox0=\hbox{\hsize=\maxdimen\linewidth=\maxdimen$\displaystyle #1$}\noindent
  \ifdim\wd0>\linewidth\resizebox{\linewidth}{!}{\box0}\else\box0\fi\par}
\setlength{\parindent}{0pt}
";

/// Writes the document.
pub(super) fn document(tree: &Node, environments: &[Named]) -> String {
    let mut out = [HEAD, NOTATION, RULES, "\\begin{document}\n"].concat();
    out += "\\derivation{%\n";
    node(tree, 1, &mut out);
    out += "}\n";
    for named in environments {
        let name = latex_name(&named.name);
        let entries = math(&named.entries);
        out += &format!("\\smallskip\n${name} = {entries}$\\par\n");
    }
    out += "\\end{document}\n";
    out
}

fn node(it: &Node, level: usize, out: &mut String) {
    let indent = "  ".repeat(level.min(12));
    let conclusion = judgement(&it.judgement);
    if !it.open {
        *out += &format!("{indent}\\elided{{{conclusion}}}%\n");
        return;
    }
    *out += &format!("{indent}\\inferrule*[right={}]{{", it.rule);
    if it.stacked {
        *out += "\\stacked{";
    }
    *out += "%\n";
    let mut first = true;
    let mut separate = |out: &mut String| {
        if !std::mem::take(&mut first) {
            *out += &format!("{indent}  \\\\\n");
        }
    };
    for premise in &it.premises {
        separate(out);
        node(premise, level + 1, out);
    }
    if it.others > 0 {
        separate(out);
        *out += &format!("{indent}  \\dots\n");
    }
    for side in &it.side {
        separate(out);
        *out += &format!("{indent}  {}%\n", math(side));
    }
    *out += &indent;
    if it.stacked {
        *out += "}";
    }
    *out += &format!("}}{{{conclusion}}}%\n");
}

fn judgement(it: &Judgement) -> String {
    let turnstile = if it.turnstile == "⊢" {
        "\\vdash"
    } else {
        "\\revvdash"
    };
    format!(
        "{} {turnstile} {} : {}",
        math(&it.environment),
        math(&it.subject),
        math(&it.ty)
    )
}

fn math(pieces: &[Piece]) -> String {
    pieces
        .iter()
        .map(|piece| match piece.kind {
            PieceKind::Metavariable => latex_name(&piece.text),
            PieceKind::Plain => latex_piece(piece).replace("Real", "\\mathtt{Real}"),
            _ => latex_piece(piece),
        })
        .collect()
}
