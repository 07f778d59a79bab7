//! Python identifiers for the names of a program: readable, in ASCII, and distinct for distinct names. Python itself identifies some
//! letters (`ℓ` and `l`), so no identifier has a letter outside of ASCII.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Identifiers that Python, the libraries or the module itself use.
const TAKEN: [&str; 92] = [
    "False",
    "None",
    "True",
    "and",
    "as",
    "assert",
    "async",
    "await",
    "break",
    "class",
    "continue",
    "def",
    "del",
    "elif",
    "else",
    "except",
    "finally",
    "for",
    "from",
    "global",
    "if",
    "import",
    "in",
    "is",
    "lambda",
    "nonlocal",
    "not",
    "or",
    "pass",
    "raise",
    "return",
    "try",
    "while",
    "with",
    "yield",
    "match",
    "case",
    "type",
    "print",
    "len",
    "dict",
    "tuple",
    "list",
    "float",
    "int",
    "sum",
    "range",
    "zip",
    "abs",
    "max",
    "min",
    "round",
    "pow",
    "isinstance",
    "jax",
    "jnp",
    "np",
    "math",
    "os",
    "partial",
    "Mesh",
    "NamedSharding",
    "P",
    "heap",
    "sample",
    "step",
    "steps",
    "train",
    "trainings",
    "main",
    "epoch",
    "mean",
    "batches",
    "initial_heap",
    "watch",
    "epochs",
    "samples",
    "measure",
    "value",
    "own",
    "part",
    "name",
    "predict",
    "MEASURES",
    "PREDICTIONS",
    "DATA",
    "STEPS",
    "SAMPLES",
    "DIGITS",
    "HEAP",
    "exit",
    "bool",
];

/// A map from names to distinct identifiers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    /// The names that have an identifier: by a key, the name in the program and the identifier.
    known: BTreeMap<Arc<str>, (Arc<str>, String)>,
    taken: BTreeSet<String>,
}

impl Names {
    /// A map without names that never gives out one of these identifiers or of `TAKEN`.
    pub(crate) fn besides(others: impl IntoIterator<Item = &'static str>) -> Names {
        let taken = TAKEN.into_iter().chain(others).map(str::to_owned);
        Names {
            known: BTreeMap::new(),
            taken: taken.collect(),
        }
    }

    /// The identifier of a name; the same name always has the same identifier.
    pub(crate) fn of(&mut self, name: &str) -> String {
        self.like(name, name)
    }

    /// The identifier of `something`, spelled similarly to `name`. Each `something` has an identifier of its own, even if they share a
    /// name.
    pub(crate) fn like(&mut self, something: &str, name: &str) -> String {
        if let Some((_, identifier)) = self.known.get(something) {
            return identifier.clone();
        }
        let base = transliterated(name);
        let stem = base.trim_end_matches('_');
        let mut identifier = base.clone();
        let mut number = 1;
        while self.taken.contains(&identifier) {
            identifier = match number {
                1 => format!("{stem}_"),
                number => format!("{stem}_v{number}"),
            };
            number += 1;
        }
        self.taken.insert(identifier.clone());
        let called = (Arc::from(name), identifier.clone());
        self.known.insert(Arc::from(something), called);
        identifier
    }

    /// The keys whose identifier differs from the name in the program, with the identifiers.
    pub(crate) fn respelled(&self) -> impl Iterator<Item = (&str, &str)> {
        let known = self.known.iter();
        let other = known.filter(|(_, (name, identifier))| **name != **identifier);
        other.map(|(something, (_, identifier))| (&**something, identifier.as_str()))
    }
}

/// The identifiers inside one function. A name that is bound again has a number after two underscores, which no other identifier has.
#[derive(Debug, Default)]
pub(crate) struct Local {
    uses: BTreeMap<String, usize>,
}

impl Local {
    /// An identifier for this name that is not used in the function yet.
    pub(crate) fn fresh(&mut self, names: &mut Names, name: &str) -> String {
        let identifier = names.of(name);
        let uses = self.uses.entry(identifier.clone()).or_insert(0);
        *uses += 1;
        match *uses {
            1 => identifier,
            number => format!("{identifier}__{number}"),
        }
    }
}

/// A name in ASCII letters, digits and underscores. It does not begin with a digit and has no two underscores in a row.
fn transliterated(name: &str) -> String {
    let mut text = String::new();
    for character in name.chars() {
        match character {
            'a'..='z' | 'A'..='Z' | '0'..='9' => text.push(character),
            '_' => joined(&mut text, ""),
            '\'' | '′' => joined(&mut text, "prime"),
            other => match (subscript(other), spelled(other)) {
                (Some(digit), _) => {
                    if !text.ends_with(|last: char| last.is_ascii_digit() || last == '_') {
                        text.push('_');
                    }
                    text.push(digit);
                }
                (_, Some(letter)) => {
                    // Two spelled-out letters are separated by an underscore.
                    if text.ends_with(|last: char| last.is_ascii_alphabetic()) {
                        text.push('_');
                    }
                    text.push_str(letter);
                }
                _ => joined(&mut text, &format!("u{:x}", u32::from(other))),
            },
        }
    }
    if text.starts_with(|first: char| first.is_ascii_digit()) || text.is_empty() {
        text.insert_str(0, "n_");
    }
    text
}

/// Appends a part, separated by one underscore.
fn joined(text: &mut String, part: &str) {
    let begins = text.is_empty() && !part.is_empty();
    if !begins && !text.ends_with('_') {
        text.push('_');
    }
    text.push_str(part);
}

/// The digit or letter for a subscript character.
fn subscript(character: char) -> Option<char> {
    let code = u32::from(character);
    if (0x2080..=0x2089).contains(&code) {
        return char::from_digit(code - 0x2080, 10);
    }
    let letters = "ₐaₑeₕhᵢiⱼjₖkₗlₘmₙnₒoₚpᵣrₛsₜtᵤuᵥvₓx";
    let mut pairs = letters.chars();
    while let (Some(below), Some(letter)) = (pairs.next(), pairs.next()) {
        if below == character {
            return Some(letter);
        }
    }
    None
}

/// The English name of a letter, or its transliteration.
fn spelled(letter: char) -> Option<&'static str> {
    Some(match letter {
        'α' => "alpha",
        'β' => "beta",
        'γ' => "gamma",
        'δ' => "delta",
        'ε' | 'ϵ' => "epsilon",
        'ζ' => "zeta",
        'η' => "eta",
        'θ' | 'ϑ' => "theta",
        'ι' => "iota",
        'κ' => "kappa",
        'λ' => "lam",
        'μ' | 'µ' => "mu",
        'ν' => "nu",
        'ξ' => "xi",
        'ο' => "omicron",
        'π' => "pi",
        'ρ' => "rho",
        'σ' | 'ς' => "sigma",
        'τ' => "tau",
        'υ' => "upsilon",
        'φ' | 'ϕ' => "phi",
        'χ' => "chi",
        'ψ' => "psi",
        'ω' => "omega",
        'Γ' => "Gamma",
        'Δ' => "Delta",
        'Θ' => "Theta",
        'Λ' => "Lambda",
        'Ξ' => "Xi",
        'Π' => "Pi",
        'Σ' => "Sigma",
        'Φ' => "Phi",
        'Ψ' => "Psi",
        'Ω' => "Omega",
        'ℓ' => "ell",
        'ä' => "ae",
        'ö' => "oe",
        'ü' => "ue",
        'ß' => "ss",
        'é' | 'è' | 'ê' => "e",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::panic)] // A failed test is a panic.

    use super::Names;
    use std::collections::BTreeSet;

    #[test]
    fn a_name_is_spelled_in_ascii() {
        let mut names = Names::besides(["sigmoid"]);
        let spelled = [
            ("z_hid", "z_hid"),
            ("ℓ0", "ell0"),
            ("α", "alpha"),
            ("x₁", "x_1"),
            ("z_hid′", "z_hid_prime"),
            ("v'", "v_prime"),
            ("class", "class_"),
            ("λ", "lam"),
            ("sigmoid", "sigmoid_"),
            ("ж", "u436"),
            ("_", "_"),
        ];
        for (name, identifier) in spelled {
            assert_eq!(names.of(name), identifier, "{name}");
        }
    }

    /// The names include some that are spelled alike: with different kinds of subscripts, with letters that Python identifies, or as a
    /// keyword with an underscore.
    #[test]
    fn no_two_names_have_one_identifier() {
        let parts = [
            "x", "x₁", "x1", "x_1", "ℓ", "l", "ell", "α", "alpha", "'", "′", "_", "prime", "class",
            "ß", "ss", "ж",
        ];
        let mut all: BTreeSet<String> = BTreeSet::new();
        for a in parts {
            for b in ["", "x", "₁", "1", "_", "__2", "_v2", "'", "′", "_prime"] {
                all.insert(format!("{a}{b}"));
            }
        }
        let mut names = Names::besides([]);
        let mut given = BTreeSet::new();
        for name in &all {
            let identifier = names.of(name);
            assert!(
                given.insert(identifier.clone()),
                "{name} is {identifier} too"
            );
            assert!(
                identifier
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || c == '_')
            );
            assert!(!identifier.contains("__"), "{name} is {identifier}");
            assert_eq!(names.of(name), identifier);
        }
    }
}
