//! Characters that resemble a token but are other characters, typed on a phone or pasted from a paper or a word processor.
//! Each gives an error with a fix, and is read as the token it resembles.

use std::borrow::Cow;

/// Token that `character` resembles, in its Unicode spelling.
pub(super) fn resembles(character: char) -> Option<&'static str> {
    Some(match character {
        '⋅' | '‧' | '∙' | '・' | '\u{0387}' => "·",
        '‐' | '‑' | '‒' | '–' | '—' | '―' | '⸺' | '⸻' | '﹘' | '－' | '﹣' => {
            "−"
        }
        '\u{2329}' | '\u{3008}' | '‹' | '❬' | '＜' => "⟨",
        '\u{232A}' | '\u{3009}' | '›' | '❭' | '＞' => "⟩",
        '⎣' => "⌊",
        '⎦' => "⌋",
        '⎡' => "⌈",
        '⎤' => "⌉",
        '＊' | '⁎' | '✱' | '﹡' => "∗",
        '⨀' | '☉' | '⦿' => "⊙",
        '✕' | '✖' | '⨯' | '╳' | '⨉' => "×",
        '⟵' => "←",
        '⟸' => "⇐",
        '⟹' => "⇒",
        '⟼' => "↦",
        '▹' | '▻' | '⊳' | '►' | '▶' => "▷",
        '●' | '⚫' => "•",
        '⊤' | '⊺' => "ᵀ",
        '∶' | '：' => ":",
        '，' | '、' => ",",
        '；' => ";",
        '．' => ".",
        '（' => "(",
        '）' => ")",
        '［' => "[",
        '］' => "]",
        '｛' => "{",
        '｝' => "}",
        '＝' => "=",
        '＋' => "+",
        '⁄' | '∕' | '／' => "/",
        '∣' | '│' | '｜' | '❘' => "|",
        _ => return None,
    })
}

/// True if a character is a dash or a minus.
pub(super) fn is_dash(character: char) -> bool {
    matches!(
        character,
        '-' | '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' | '⸺' | '⸻' | '﹘' | '－' | '﹣'
    )
}

/// True if a dash is at least as long as an em dash: word processors and phones write these for `--`.
pub(super) fn is_long_dash(character: char) -> bool {
    matches!(character, '—' | '―' | '⸺' | '⸻' | '﹘')
}

/// Closing marks for a string that starts with this quotation mark, one that other languages or word processors use for
/// `"`.
pub(super) fn closing_marks(opening: char) -> Option<&'static [char]> {
    Some(match opening {
        '“' | '”' | '„' | '‟' | '＂' | '«' | '»' | '「' | '〝' => DOUBLE,
        '\'' | '‘' | '’' | '‚' | '‛' | '＇' | '`' | '´' => {
            &['\'', '’', '‘', '‛', '＇', '`', '´']
        }
        _ => return None,
    })
}

/// Text between the quotation marks of a string; the closing mark may be missing.
pub(crate) fn unquoted(string: &str) -> &str {
    let mut inside = string.chars();
    let opening = inside.next().unwrap_or('"');
    let closing = closing_marks(opening).unwrap_or(DOUBLE);
    let inside = inside.as_str();
    inside.strip_suffix(closing).unwrap_or(inside)
}

/// Quotation marks that close a string, `"` included.
pub(super) const DOUBLE: &[char] = &['"', '”', '“', '‟', '＂', '»', '«', '」', '〞', '〟'];

/// ASCII digit that a digit of another script resembles or has as its value.
pub(crate) fn resembles_digit(character: char) -> Option<char> {
    // Code points of the zeros: Arabic, Persian, Devanagari, Bengali, Thai, full-width, and five mathematical alphabets.
    const ZEROS: [u32; 11] = [
        0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10, 0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6,
    ];
    let code = u32::from(character);
    let mut digits = ZEROS.iter().filter_map(|zero| code.checked_sub(*zero));
    digits.find_map(|digit| char::from_digit(digit, 10))
}

/// ASCII character that a full-width character is a variant of.
pub(crate) fn narrow(character: char) -> Option<char> {
    let code = u32::from(character).checked_sub(0xfee0)?;
    let narrow = char::from_u32(code)?;
    narrow.is_ascii_graphic().then_some(narrow)
}

/// Converts the digits and signs of a number to ASCII.
pub(crate) fn plain_number(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let plain = |letter| resembles_digit(letter).or_else(|| narrow(letter));
    let plain = |letter| match letter {
        '−' => '-',
        letter => plain(letter).unwrap_or(letter),
    };
    Cow::Owned(text.chars().map(plain).collect())
}

/// ASCII primes that a character inside or after a name resembles.
pub(crate) fn resembles_prime(character: char) -> Option<&'static str> {
    Some(match character {
        '’' | '‘' | '´' | '＇' | 'ʹ' | 'ʼ' => "'",
        '″' | '”' => "''",
        '‴' => "'''",
        _ => return None,
    })
}

/// Pairs of strings: letters, and the letters that they look like, in the same order.
const ALIKE: &[(&str, &str)] = &[
    ("µ", "μ"),
    ("аеорсухіјѕԁһԛԝ", "aeopcyxijsdhqw"),
    ("АВЕКМНОРСТХЅІЈ", "ABEKMHOPCTXSIJ"),
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"),
    ("οıɑɡ", "oiag"),
    ("ϵϕϑϱϖςϐ", "εφθρπσβ"),
    ("′ʹ", "''"),
];

/// Letter that a reader sees: a letter of another script, full-width or mathematical, becomes the letter it resembles.
fn seen_letter(letter: char) -> char {
    let code = u32::from(letter);
    if let Some(narrow) = narrow(letter) {
        return narrow;
    }
    // The mathematical alphabets (bold, italic and so on) follow one another, each with 26 capitals and 26 small letters.
    if let Some(place) = code.checked_sub(0x1d400).filter(|place| *place < 13 * 52) {
        let place = place % 52;
        let first = if place < 26 {
            u32::from('A')
        } else {
            u32::from('a') - 26
        };
        return char::from_u32(first + place).unwrap_or(letter);
    }
    let alike = ALIKE.iter().find_map(|(others, own)| {
        let place = others.chars().position(|other| other == letter)?;
        own.chars().nth(place)
    });
    alike.unwrap_or(letter)
}

/// Name as a reader sees it: every letter is replaced by the letter it resembles.
pub fn seen(name: &str) -> String {
    name.chars().map(seen_letter).collect()
}

/// Explains the difference of two names that look the same: the first letter that differs, in words. `None` if these
/// letters look different.
pub fn told_apart(name: &str, other: &str) -> Option<String> {
    let mut letters = name.chars().zip(other.chars());
    let (one, another) = letters.find(|(one, another)| one != another)?;
    (seen_letter(one) == seen_letter(another)).then(|| {
        format!(
            "its `{one}` is {}, and not {}",
            described(one),
            described(another)
        )
    })
}

/// Script and code point of a letter, in words: `the Cyrillic letter U+0430`.
fn described(letter: char) -> String {
    let code = u32::from(letter);
    let script = match letter {
        'a'..='z' | 'A'..='Z' => "Latin",
        'ı' | 'ɑ' | 'ɡ' => "Latin",
        'µ' => return "the sign of a millionth, U+00B5".to_owned(),
        '\u{370}'..='\u{3FF}' | '\u{1F00}'..='\u{1FFF}' => "Greek",
        '\u{400}'..='\u{52F}' => "Cyrillic",
        '\u{FF01}'..='\u{FF5E}' => "full-width",
        '\u{1D400}'..='\u{1D7FF}' => "mathematical",
        _ => "foreign",
    };
    format!("the {script} letter U+{code:04X}")
}
