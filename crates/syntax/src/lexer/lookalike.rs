//! Characters that look like a token and are none: typed by a phone, pasted from a paper or a word
//! processor. Each is an error with a fix, and is read as the token it resembles.

use std::borrow::Cow;

/// The token that `character` resembles, in its Unicode spelling.
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

/// Tells if a character is a dash or a minus.
pub(super) fn is_dash(character: char) -> bool {
    matches!(
        character,
        '-' | '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' | '⸺' | '⸻' | '﹘' | '－' | '﹣'
    )
}

/// Tells if a dash is as long as two: word processors and phones write it for `--`.
pub(super) fn is_long_dash(character: char) -> bool {
    matches!(character, '—' | '―' | '⸺' | '⸻' | '﹘')
}

/// The marks that end a string that begins with this quotation mark of other languages and of word processors.
pub(super) fn closing_marks(opening: char) -> Option<&'static [char]> {
    Some(match opening {
        '“' | '”' | '„' | '‟' | '＂' | '«' | '»' | '「' | '〝' => DOUBLE,
        '\'' | '‘' | '’' | '‚' | '‛' | '＇' | '`' | '´' => {
            &['\'', '’', '‘', '‛', '＇', '`', '´']
        }
        _ => return None,
    })
}

/// The text between the quotation marks of a string, of which the last may be missing.
pub(crate) fn unquoted(string: &str) -> &str {
    let mut inside = string.chars();
    let opening = inside.next().unwrap_or('"');
    let closing = closing_marks(opening).unwrap_or(DOUBLE);
    let inside = inside.as_str();
    inside.strip_suffix(closing).unwrap_or(inside)
}

/// Quotation marks that may close a string, beside `"`.
pub(super) const DOUBLE: &[char] = &['"', '”', '“', '‟', '＂', '»', '«', '」', '〞', '〟'];

/// The digit of ASCII that a digit of another script resembles or means.
pub(crate) fn resembles_digit(character: char) -> Option<char> {
    // The zeros: Arabic, Persian, Devanagari, Bengali, Thai, of full width, and five of mathematics.
    const ZEROS: [u32; 11] = [
        0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10, 0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6,
    ];
    let code = u32::from(character);
    let mut digits = ZEROS.iter().filter_map(|zero| code.checked_sub(*zero));
    digits.find_map(|digit| char::from_digit(digit, 10))
}

/// The character of ASCII that one of full width is.
pub(crate) fn narrow(character: char) -> Option<char> {
    let code = u32::from(character).checked_sub(0xfee0)?;
    let narrow = char::from_u32(code)?;
    narrow.is_ascii_graphic().then_some(narrow)
}

/// The text of a number in ASCII.
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

/// Prime that a character inside or after a name resembles.
pub(crate) fn resembles_prime(character: char) -> Option<&'static str> {
    Some(match character {
        '’' | '‘' | '´' | '＇' | 'ʹ' | 'ʼ' => "'",
        '″' | '”' => "''",
        '‴' => "'''",
        _ => return None,
    })
}

/// Letters that look like others, and those that they look like.
const ALIKE: &[(&str, &str)] = &[
    ("µ", "μ"),
    ("аеорсухіјѕԁһԛԝ", "aeopcyxijsdhqw"),
    ("АВЕКМНОРСТХЅІЈ", "ABEKMHOPCTXSIJ"),
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"),
    ("οıɑɡ", "oiag"),
    ("ϵϕϑϱϖςϐ", "εφθρπσβ"),
    ("′ʹ", "''"),
];

/// Letter that a reader sees: one of another script, of full width or of mathematics becomes the letter that it resembles.
fn seen_letter(letter: char) -> char {
    let code = u32::from(letter);
    if let Some(narrow) = narrow(letter) {
        return narrow;
    }
    // The alphabets of mathematics: bold, italic and so on, from A to z over and over.
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

/// Name that a reader sees, letter by letter.
pub fn seen(name: &str) -> String {
    name.chars().map(seen_letter).collect()
}

/// Two names that look the same and are not, in words: which letter of the first is another one in the second.
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

/// The script of a letter with its code point: `the Cyrillic letter U+0430`
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
