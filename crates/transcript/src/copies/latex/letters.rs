//! LaTeX of letters beyond ASCII, outside of math mode. Letters are written with commands for accents, which every engine reads.
//! A letter without a command in every encoding is written as it is, in `\fletchletter`, which tests what the engine can print
//! (`fletch_drawing::latex`).

use fletch_drawing::latex::LETTER;
use fletch_syntax::accented;

/// LaTeX of a letter, without a space after it.
pub(super) fn letter(letter: char) -> String {
    let code = u32::from(letter);
    let command = LATIN.iter().find(|(known, ..)| *known == letter);
    match command {
        Some((_, command, true)) => return format!("{{\\{command}}}"),
        Some((_, command, false)) => {
            return format!("{LETTER}{{Latin}}{{{code:04X}}}{{\\{command}}}");
        }
        None => {}
    }
    if let Some(text) = with_accent(letter) {
        return text;
    }
    let script = match code {
        0x400..=0x52f => "Cyrillic",
        0x1100..=0x11ff | 0x3130..=0x318f | 0xac00..=0xd7a3 => "Hangul",
        0x2e80..=0x9fff | 0xf900..=0xfaff | 0xff00..=0xffef | 0x20000..=0x3ffff => "Han",
        _ => "Other",
    };
    format!("{LETTER}{{{script}}}{{{code:04X}}}{{{letter}}}")
}

/// LaTeX of a Latin letter with any number of accents; `None` for other letters.
fn with_accent(letter: char) -> Option<String> {
    if letter.is_ascii_alphabetic() {
        return Some(letter.to_string());
    }
    let (base, mark) = accented(letter)?;
    let (_, command, above) = ACCENTS.iter().find(|(known, ..)| *known == mark)?;
    // The letters i and j lose their dots below a mark.
    let base = match (base, above) {
        ('i' | 'j', true) => format!("\\{base}"),
        _ => with_accent(base)?,
    };
    Some(format!("\\{command}{{{base}}}"))
}

/// Combining marks and their commands; true if the mark is above its letter.
const ACCENTS: &[(char, &str, bool)] = &[
    ('\u{300}', "`", true),
    ('\u{301}', "'", true),
    ('\u{302}', "^", true),
    ('\u{303}', "~", true),
    ('\u{304}', "=", true),
    ('\u{306}', "u", true),
    ('\u{307}', ".", true),
    ('\u{308}', "\"", true),
    ('\u{30a}', "r", true),
    ('\u{30b}', "H", true),
    ('\u{30c}', "v", true),
    ('\u{323}', "d", false),
    ('\u{327}', "c", false),
    ('\u{331}', "b", false),
];

/// Letters and their commands; true if every encoding has the command.
const LATIN: &[(char, &str, bool)] = &[
    ('ß', "ss", true),
    ('ẞ', "SS", true),
    ('æ', "ae", true),
    ('Æ', "AE", true),
    ('œ', "oe", true),
    ('Œ', "OE", true),
    ('ø', "o", true),
    ('Ø', "O", true),
    ('ł', "l", true),
    ('Ł', "L", true),
    ('đ', "dj", false),
    ('Đ', "DJ", false),
    ('ð', "dh", false),
    ('Ð', "DH", false),
    ('þ', "th", false),
    ('Þ', "TH", false),
    ('ŋ', "ng", false),
    ('Ŋ', "NG", false),
    ('ı', "i", true),
    ('ą', "k{a}", false),
    ('Ą', "k{A}", false),
    ('ę', "k{e}", false),
    ('Ę', "k{E}", false),
];

/// The letter, digit or sign that a subscript character stands for; `None` for other characters.
pub(super) fn subscript(character: char) -> Option<char> {
    let code = u32::from(character);
    if let Some(digit) = code.checked_sub(0x2080)
        && let Some(digit) = char::from_digit(digit, 10)
    {
        return Some(digit);
    }
    let found = SUBSCRIPTS.iter().find(|(known, _)| *known == character);
    found.map(|(_, letter)| *letter)
}

const SUBSCRIPTS: &[(char, char)] = &[
    ('₊', '+'),
    ('₋', '-'),
    ('₌', '='),
    ('₍', '('),
    ('₎', ')'),
    ('ₐ', 'a'),
    ('ₑ', 'e'),
    ('ₒ', 'o'),
    ('ₓ', 'x'),
    ('ₕ', 'h'),
    ('ₖ', 'k'),
    ('ₗ', 'l'),
    ('ₘ', 'm'),
    ('ₙ', 'n'),
    ('ₚ', 'p'),
    ('ₛ', 's'),
    ('ₜ', 't'),
];

#[cfg(test)]
mod tests {
    use super::letter;

    #[test]
    fn letters_have_their_accents() {
        for (character, expected) in [
            ('é', "\\'{e}"),
            ('ö', "\\\"{o}"),
            ('ï', "\\\"{\\i}"),
            ('ç', "\\c{c}"),
            ('ế', "\\'{\\^{e}}"),
            ('ß', "{\\ss}"),
            ('ł', "{\\l}"),
            ('þ', "\\fletchletter{Latin}{00FE}{\\th}"),
            ('変', "\\fletchletter{Han}{5909}{変}"),
            ('ж', "\\fletchletter{Cyrillic}{0436}{ж}"),
            ('한', "\\fletchletter{Hangul}{D55C}{한}"),
            ('ا', "\\fletchletter{Other}{0627}{ا}"),
        ] {
            assert_eq!(letter(character), expected);
        }
    }
}
