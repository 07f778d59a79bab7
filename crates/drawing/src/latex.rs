//! LaTeX code that documents and pictures share, for letters without a command.

/// Preamble with the packages that letters need in pdfLaTeX, as far as they are installed. Unicode engines print the letters
/// that their font has.
#[macro_export]
macro_rules! latex_packages {
    () => {
        r"\ifdefined\Umathchar\else
  \IfFileExists{t2aenc.def}{\usepackage[T2A,T1,OT1]{fontenc}}{\usepackage[T1,OT1]{fontenc}}
  \IfFileExists{CJKutf8.sty}{\usepackage{CJKutf8}}{}
\fi
"
    };
}

/// The definition of `\fletchletter{script}{code}{letter}`, which prints the code, such as `u5909`, of a letter that cannot be
/// printed.
#[macro_export]
macro_rules! latex_letters {
    () => {
        r##"\providecommand{\fletchLatin}[2]{\ifcsname T@T1\endcsname{\fontencoding{T1}\selectfont#1}\else\texttt{#2}\fi}
\providecommand{\fletchCyrillic}[2]{\ifcsname T@T2A\endcsname{\fontencoding{T2A}\selectfont#1}\else\texttt{#2}\fi}
\providecommand{\fletchCJK}[3]{\ifcsname CJK\endcsname
  \IfFileExists{c70#1.fd}{\begin{CJK}{UTF8}{#1}#2\end{CJK}}{\texttt{#3}}\else\texttt{#3}\fi}
\providecommand{\fletchHan}{\fletchCJK{min}}
\providecommand{\fletchHangul}{\fletchCJK{mj}}
\providecommand{\fletchOther}[2]{\texttt{#2}}
\providecommand{\fletchletter}[3]{\ifdefined\Umathchar\iffontchar\font"#2 #3\else\texttt{u#2}\fi
  \else\csname fletch#1\endcsname{#3}{u#2}\fi}
"##
    };
}

/// [`latex_letters`] as a constant.
pub const LETTERS: &str = latex_letters!();
/// Name of the command that `LETTERS` defines.
pub const LETTER: &str = "\\fletchletter";
