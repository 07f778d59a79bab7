//! Invisible characters. They come with copied text, and can split names, end lines in other programs or change the direction of the
//! text.

use crate::codes;
use crate::diagnostic::{Diagnostic, Severity};
use crate::span::Span;

/// Name of an invisible character in The Unicode Standard; a range has one name, without numbers.
pub(super) fn invisible(character: char) -> Option<&'static str> {
    Some(match character {
        '\u{AD}' => "SOFT HYPHEN",
        '\u{34F}' => "COMBINING GRAPHEME JOINER",
        '\u{61C}' => "ARABIC LETTER MARK",
        '\u{115F}' => "HANGUL CHOSEONG FILLER",
        '\u{1160}' => "HANGUL JUNGSEONG FILLER",
        '\u{180E}' => "MONGOLIAN VOWEL SEPARATOR",
        '\u{200B}' => "ZERO WIDTH SPACE",
        '\u{200C}' => "ZERO WIDTH NON-JOINER",
        '\u{200D}' => "ZERO WIDTH JOINER",
        '\u{200E}' => "LEFT-TO-RIGHT MARK",
        '\u{200F}' => "RIGHT-TO-LEFT MARK",
        '\u{202A}' => "LEFT-TO-RIGHT EMBEDDING",
        '\u{202B}' => "RIGHT-TO-LEFT EMBEDDING",
        '\u{202C}' => "POP DIRECTIONAL FORMATTING",
        '\u{202D}' => "LEFT-TO-RIGHT OVERRIDE",
        '\u{202E}' => "RIGHT-TO-LEFT OVERRIDE",
        '\u{2060}' => "WORD JOINER",
        '\u{2061}' => "FUNCTION APPLICATION",
        '\u{2062}' => "INVISIBLE TIMES",
        '\u{2063}' => "INVISIBLE SEPARATOR",
        '\u{2064}' => "INVISIBLE PLUS",
        '\u{2066}' => "LEFT-TO-RIGHT ISOLATE",
        '\u{2067}' => "RIGHT-TO-LEFT ISOLATE",
        '\u{2068}' => "FIRST STRONG ISOLATE",
        '\u{2069}' => "POP DIRECTIONAL ISOLATE",
        '\u{206A}'..='\u{206F}' => "deprecated format character",
        '\u{3164}' => "HANGUL FILLER",
        '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}' => "VARIATION SELECTOR",
        '\u{FEFF}' => "ZERO WIDTH NO-BREAK SPACE",
        '\u{FFA0}' => "HALFWIDTH HANGUL FILLER",
        '\u{FFF9}'..='\u{FFFB}' => "INTERLINEAR ANNOTATION",
        '\u{E0001}' | '\u{E0020}'..='\u{E007F}' => "TAG",
        _ => return None,
    })
}

/// True if a character changes the direction of the text after it.
pub(super) fn turns(character: char) -> bool {
    matches!(character, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Error for a run of invisible characters: its first character, the number of further characters, and its span.
pub(super) fn unseen(first: char, more: usize, span: Span) -> Diagnostic {
    let name = invisible(first).unwrap_or("control character");
    let also = match more {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let code = u32::from(first);
    let message = format!("here is U+{code:04X} {name}{also}, which is invisible");
    let hint = match turns(first) {
        true => {
            "it turns the direction of the text behind it, which is then read otherwise than it is shown"
        }
        false => "it may have come with a copied text",
    };
    let error = Diagnostic::error(codes::UNKNOWN_CHARACTER, span, message);
    error.hint(hint).fix("delete it", span, "")
}

/// Name, in The Unicode Standard, of a character that other programs show as a line end. In Fletch the character is white space, and
/// ends no comment.
pub(super) fn breaks_elsewhere(character: char) -> Option<&'static str> {
    Some(match character {
        '\u{B}' => "LINE TABULATION",
        '\u{C}' => "FORM FEED",
        '\u{85}' => "NEXT LINE",
        '\u{2028}' => "LINE SEPARATOR",
        '\u{2029}' => "PARAGRAPH SEPARATOR",
        _ => return None,
    })
}

/// Diagnostic for a character that other programs show as a line end.
pub(super) fn broken(character: char, severity: Severity, span: Span) -> Diagnostic {
    let name = breaks_elsewhere(character).unwrap_or("control character");
    let code = u32::from(character);
    let message =
        format!("here is U+{code:04X} {name}, which other programs show as the end of a line");
    let hint = match severity {
        Severity::Hint => "it is white space here, and may have come with a copied text",
        Severity::Error | Severity::Warning => {
            "it ends no line here: what follows still belongs to the comment or the string"
        }
    };
    let diagnostic = Diagnostic::new(severity, codes::UNKNOWN_CHARACTER, span, message);
    diagnostic.hint(hint).fix("break the line", span, "\n")
}
