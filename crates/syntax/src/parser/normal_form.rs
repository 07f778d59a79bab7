//! Normalisation form C of Unicode (UAX #15), in which names are compared. It is put together here from
//! the properties of characters: the iterator of `unicode-normalization` chooses at run time between
//! canonical and compatibility decompositions, and so brings 100 KB of tables that no name needs.

use unicode_normalization::char::{canonical_combining_class, compose, decompose_canonical};

/// The characters of `text` in NFC.
pub(super) fn composed(text: &str) -> Vec<char> {
    let mut composed: Vec<char> = Vec::new();
    let mut starter = None;
    let mut last_class = 0;
    for (class, character) in decomposed(text) {
        let next = composed.len();
        // A mark of the same or a higher class in between keeps a mark from its starter.
        let open = starter.filter(|&at| at + 1 == next || last_class < class);
        if let Some(base) = open.and_then(|at| composed.get_mut(at))
            && let Some(both) = compose(*base, character)
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
    for character in text.chars() {
        decompose_canonical(character, |part| {
            decomposed.push((canonical_combining_class(part), part));
        });
    }
    // A starter, of class 0, and the marks behind it.
    for cluster in decomposed.chunk_by_mut(|_, &(class, _)| class != 0) {
        cluster.sort_by_key(|&(class, _)| class);
    }
    decomposed
}

#[cfg(test)]
mod tests {
    use super::composed;
    use proptest::prelude::*;
    use unicode_normalization::UnicodeNormalization;

    fn agrees(text: &str) {
        let expected: Vec<char> = text.nfc().collect();
        assert_eq!(composed(text), expected, "{text:?}");
    }

    #[test]
    fn every_character_is_composed_as_the_library_does() {
        ('\0'..=char::MAX).for_each(|c| agrees(&format!("a{c}\u{301}{c}\u{323}")));
    }

    /// Letters, marks of several classes in any order, Hangul, and what excludes composition.
    fn character() -> impl Strategy<Value = char> {
        prop_oneof![
            prop::sample::select(
                "aeouSsÅÇΩώ\u{1100}\u{1161}\u{11A8}가க\u{BC6}"
                    .chars()
                    .collect::<Vec<_>>()
            ),
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
