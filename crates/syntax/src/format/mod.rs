//! The formatter: lays a program out and keeps its comments. It prints the tokens of the source in their order, so no token can get lost;
//! the tree only decides where lines break.
//!
//! The layout is that of the language page. Where two layouts are common, line breaks of the source are kept: after the `in` of a single
//! `let`, before the `|` of a clause, around the only clause of a handler.

mod command;
mod comments;
mod doc;
mod handler;
mod item;
mod printer;
mod program;
mod size;
mod term;

use crate::diagnostic::Diagnostic;
use crate::lexer::lex;
use crate::limits::MAX_SOURCE;
use crate::outline::Outline;
use crate::parser::parse;
use crate::span::Span;
use crate::tree::Program;
use printer::Text;

/// Diagnostic code for a defect of Fletch itself, which no program should trigger.
const DEFECT: &str = "F0999";

/// Spelling of tokens that have two spellings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// `⇐`, `⌊M⌋`, `⟨M, N⟩`
    Unicode,
    /// `<=`, `pure(M)`, `<M, N>`
    Ascii,
}

/// Formats a file as [`format`] does, and keeps its byte order mark and the kind of line end of its first line. Both are a choice of the
/// file's users, not part of the layout.
///
/// # Errors
///
/// Fails as [`format`] does.
pub fn format_file(
    source: &str,
    spelling: Spelling,
    symbols: &[&str],
) -> Result<String, Vec<Diagnostic>> {
    let layout = format(source, spelling, symbols)?;
    let first = source.split_inclusive('\n').next();
    let layout = match first.is_some_and(|line| line.ends_with("\r\n")) {
        true => layout.replace("\r\n", "\n").replace('\n', "\r\n"),
        false => layout,
    };
    Ok(match source.starts_with('\u{FEFF}') {
        true => format!("\u{FEFF}{layout}"),
        false => layout,
    })
}

/// Formats a program; keeps all its comments. Only white space and the spelling of tokens change, so the result is the same program, and
/// formatting the result again changes nothing. Both spellings break lines at the same tokens. `symbols` are the names of the function
/// symbols.
///
/// # Errors
///
/// Returns the diagnostics if the program does not parse, or a single `F0999` if the result is not the same program.
pub fn format(
    source: &str,
    spelling: Spelling,
    symbols: &[&str],
) -> Result<String, Vec<Diagnostic>> {
    let (program, diagnostics) = parse(source, symbols);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(diagnostics);
    }
    let unicode = lay_out(source, &program, Spelling::Unicode);
    let again = verified(&unicode, &program, source, symbols)?;
    if spelling == Spelling::Unicode {
        return Ok(unicode);
    }
    let ascii = lay_out(&unicode, &again, Spelling::Ascii);
    verified(&ascii, &program, source, symbols)?;
    Ok(ascii)
}

fn lay_out(source: &str, program: &Program, spelling: Spelling) -> String {
    let lexed = lex(source);
    let outline = Outline::new(&lexed.tokens);
    let text = Text {
        source,
        tokens: &lexed.tokens,
        comments: &lexed.comments,
        outline: &outline,
        spelling,
    };
    program::layout(text, program)
}

/// Parses a formatted text and checks that it has the tree and the comments of the source. The check protects the user's text from a
/// defect of the formatter.
fn verified(
    formatted: &str,
    program: &Program,
    source: &str,
    symbols: &[&str],
) -> Result<Program, Vec<Diagnostic>> {
    let (again, diagnostics) = parse(formatted, symbols);
    if formatted.len() > MAX_SOURCE {
        return Err(diagnostics);
    }
    let comments = |source| {
        let comments = lex(source).comments.into_iter();
        let text = |comment| comments::lines(source, comment).collect::<Vec<&str>>();
        comments.map(text).collect::<Vec<_>>()
    };
    let parses = !diagnostics.iter().any(Diagnostic::is_error);
    if parses && again == *program && comments(formatted) == comments(source) {
        return Ok(again);
    }
    let message = "this program would not be the same when formatted; nothing was changed";
    let hint = "this is a defect of fletch; please report it with the program";
    let error = Diagnostic::error(DEFECT, Span::new(0, 0), message);
    Err(vec![error.hint(hint)])
}
