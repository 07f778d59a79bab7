//! Unicode data for names: combining marks, and normalisation form C (UAX #15), in which names are compared. `build.rs`
//! packs the tables.

use std::sync::OnceLock;

/// Tables sorted for binary search.
#[derive(Default)]
struct Tables {
    /// Combining marks as ranges: first character, last character, combining class.
    marks: Vec<(char, char, u8)>,
    /// Characters with a canonical decomposition, other than Hangul: one or two parts, of which the first may have a
    /// decomposition itself.
    decompositions: Vec<(char, char, Option<char>)>,
    /// Pairs of characters, each with the character that they compose to.
    compositions: Vec<(char, char, char)>,
}

/// Tables, unpacked from the output of `build.rs` on first use.
fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    // The unpacking cannot fail on the output of `build.rs`: the tests below check every character.
    TABLES.get_or_init(|| unpacked().unwrap_or_default())
}

fn unpacked() -> Option<Tables> {
    let mut tables = Tables::default();
    let mut packed: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/marks"));
    let mut last = 0;
    while !packed.is_empty() {
        let first = last + number(&mut packed)?;
        last = first + number(&mut packed)?;
        let (class, rest) = packed.split_first()?;
        packed = rest;
        let (first, last) = (char::from_u32(first)?, char::from_u32(last)?);
        tables.marks.push((first, last, *class));
    }
    let mut packed: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/decompositions"));
    let mut wholes = Vec::new();
    let mut whole = 0;
    loop {
        let step = number(&mut packed)?;
        if step == 0 {
            break;
        }
        whole += step / 2;
        wholes.push((char::from_u32(whole)?, step % 2 == 0));
    }
    let mut column = || -> Option<Vec<u32>> {
        let mut before = 0_u32;
        let next = |_: &(char, bool)| {
            let more = number(&mut packed)?;
            before = match more % 2 {
                0 => before.checked_add(more / 2)?,
                _ => before.checked_sub(more / 2)?,
            };
            Some(before)
        };
        wholes.iter().map(next).collect()
    };
    let (firsts, seconds) = (column()?, column()?);
    for ((&(whole, composed), first), second) in wholes.iter().zip(firsts).zip(seconds) {
        let first = char::from_u32(first)?;
        let second = char::from_u32(second).filter(|&second| second != '\0');
        tables.decompositions.push((whole, first, second));
        if composed && let Some(second) = second {
            tables.compositions.push((first, second, whole));
        }
    }
    crate::sort_by(&mut tables.compositions, Ord::cmp);
    Some(tables)
}

/// Takes the next number from the packed bytes: groups of seven bits, the lowest first.
fn number(packed: &mut &[u8]) -> Option<u32> {
    let (mut number, mut shift) = (0, 0);
    loop {
        let (&group, rest) = packed.split_first()?;
        *packed = rest;
        number |= u32::from(group & 0x7f) << shift;
        if group < 0x80 {
            return Some(number);
        }
        shift += 7;
    }
}

/// True if `character` is a combining mark (general category M).
pub(crate) fn is_combining_mark(character: char) -> bool {
    mark(character).is_some()
}

/// Converts a text to NFC, in which names are compared.
pub fn nfc(text: &str) -> String {
    composed(text).into_iter().collect()
}

/// Letter and mark that a character decomposes to (canonical decomposition); `None` for characters that do not decompose
/// to two.
pub fn accented(character: char) -> Option<(char, char)> {
    let decompositions = &tables().decompositions;
    let found = decompositions.binary_search_by_key(&character, |&(whole, ..)| whole);
    let &(_, letter, mark) = decompositions.get(found.ok()?)?;
    Some((letter, mark?))
}

/// The characters of `text` in NFC.
pub(crate) fn composed(text: &str) -> Vec<char> {
    let mut composed: Vec<char> = Vec::new();
    let mut starter = None;
    let mut last_class = 0;
    for (class, character) in decomposed(text) {
        let next = composed.len();
        // A mark composes with its starter unless a mark of the same or a higher class is between them.
        let open = starter.filter(|&at| at + 1 == next || last_class < class);
        if let Some(base) = open.and_then(|at| composed.get_mut(at))
            && let Some(both) = composition(*base, character)
        {
            *base = both;
            continue;
        }
        if class == 0 {
            starter = Some(next);
        }
        last_class = class;
        composed.push(character);
    }
    composed
}

/// The characters of `text` in NFD, with their combining classes.
fn decomposed(text: &str) -> Vec<(u8, char)> {
    let mut decomposed = Vec::new();
    text.chars()
        .for_each(|character| decompose(character, &mut decomposed));
    let mut ordered = Vec::with_capacity(decomposed.len());
    // A cluster is a starter, of class 0, with the marks after it. Its marks are ordered by class; there are only 56
    // classes.
    for cluster in decomposed.chunk_by(|_, &(class, _)| class != 0) {
        let least = |above: Option<u8>| {
            let classes = cluster.iter().map(|&(class, _)| class);
            classes.filter(|&class| Some(class) > above).min()
        };
        let mut next = least(None);
        while let Some(class) = next {
            ordered.extend(cluster.iter().filter(|&&(same, _)| same == class));
            next = least(Some(class));
        }
    }
    ordered
}

fn decompose(character: char, into: &mut Vec<(u8, char)>) {
    let decompositions = &tables().decompositions;
    let found = decompositions.binary_search_by_key(&character, |&(whole, ..)| whole);
    match found.ok().and_then(|at| decompositions.get(at)) {
        Some(&(_, first, second)) => {
            decompose(first, into);
            second
                .into_iter()
                .for_each(|second| decompose(second, into));
        }
        None => match hangul::decomposition(character) {
            Some((first, second)) => {
                decompose(first, into);
                into.push((0, second));
            }
            None => into.push((combining_class(character), character)),
        },
    }
}

fn composition(first: char, second: char) -> Option<char> {
    let compositions = &tables().compositions;
    let found =
        compositions.binary_search_by_key(&(first, second), |&(first, second, _)| (first, second));
    match found.ok().and_then(|at| compositions.get(at)) {
        Some(&(.., whole)) => Some(whole),
        None => hangul::composition(first, second),
    }
}

/// Canonical combining class; 0 for all characters except some marks.
fn combining_class(character: char) -> u8 {
    mark(character).map_or(0, |&(.., class)| class)
}

fn mark(character: char) -> Option<&'static (char, char, u8)> {
    let marks = &tables().marks;
    let at = marks.partition_point(|&(_, last, _)| last < character);
    marks.get(at).filter(|&&(first, ..)| first <= character)
}

/// Syllables of Hangul, whose code points are computed from those of their parts (The Unicode Standard, section 3.12).
mod hangul {
    const LEADING: u32 = 0x1100;
    const VOWEL: u32 = 0x1161;
    /// Code point before the first trailing consonant; it stands for no trailing consonant.
    const TRAILING: u32 = 0x11A7;
    const SYLLABLE: u32 = 0xAC00;

    const LEADINGS: u32 = 19;
    const VOWELS: u32 = 21;
    const TRAILINGS: u32 = 28;
    const SYLLABLES: u32 = LEADINGS * VOWELS * TRAILINGS;

    /// Splits a syllable into the syllable without its trailing consonant and the consonant, or into leading consonant
    /// and vowel.
    pub(super) fn decomposition(character: char) -> Option<(char, char)> {
        let number = offset(character, SYLLABLE, SYLLABLES)?;
        let (open, trailing) = (number / TRAILINGS, number % TRAILINGS);
        let (first, second) = match trailing {
            0 => (LEADING + open / VOWELS, VOWEL + open % VOWELS),
            _ => (SYLLABLE + open * TRAILINGS, TRAILING + trailing),
        };
        Some((char::from_u32(first)?, char::from_u32(second)?))
    }

    pub(super) fn composition(first: char, second: char) -> Option<char> {
        let number = match offset(first, LEADING, LEADINGS) {
            Some(leading) => (leading * VOWELS + offset(second, VOWEL, VOWELS)?) * TRAILINGS,
            None => {
                let open = offset(first, SYLLABLE, SYLLABLES)?;
                let trailing = offset(second, TRAILING, TRAILINGS)?;
                (open % TRAILINGS == 0 && trailing > 0).then_some(open + trailing)?
            }
        };
        char::from_u32(SYLLABLE + number)
    }

    fn offset(character: char, first: u32, count: u32) -> Option<u32> {
        u32::from(character)
            .checked_sub(first)
            .filter(|&offset| offset < count)
    }
}

#[cfg(test)]
mod tests {
    use super::{composed, is_combining_mark};
    use proptest::prelude::*;
    use unicode_normalization::UnicodeNormalization;

    fn agrees(text: &str) {
        let expected: Vec<char> = text.nfc().collect();
        assert_eq!(composed(text), expected, "{text:?}");
    }

    #[test]
    fn every_character_is_known_as_the_library_knows_it() {
        for c in '\0'..=char::MAX {
            assert_eq!(
                is_combining_mark(c),
                unicode_normalization::char::is_combining_mark(c),
                "{c:?}"
            );
            agrees(&format!("{c}"));
            agrees(&format!("a{c}\u{301}{c}\u{323}"));
        }
    }

    /// Letters, marks of several classes in any order, Hangul, and characters that are excluded from composition.
    fn character() -> impl Strategy<Value = char> {
        let letters: Vec<char> =
            "aeouSsÅÇΩώ\u{1100}\u{1112}\u{1161}\u{1175}\u{11A7}\u{11A8}\u{11C2}가각\u{BC6}\u{212B}\u{FB2C}"
                .chars()
                .collect();
        prop_oneof![
            prop::sample::select(letters),
            prop::char::range('\u{300}', '\u{36F}'),
            prop::char::range('\u{5B0}', '\u{5C2}'),
            prop::char::range('\u{902}', '\u{963}'),
            prop::char::range('\u{1D15E}', '\u{1D17F}'),
            any::<char>(),
        ]
    }

    proptest! {
        #[test]
        fn texts_are_composed_as_the_library_does(
            text in prop::collection::vec(character(), 0..12)
        ) {
            agrees(&text.into_iter().collect::<String>());
        }
    }
}
