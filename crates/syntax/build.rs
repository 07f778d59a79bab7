//! Writes down what names need to know of Unicode, as tables for binary search: the marks, and the
//! canonical decompositions and compositions. `unicode-normalization` knows all of it, but its tables are
//! made for speed and several times as large as all the rest of this crate, and every reader of the page
//! would have to download them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use unicode_normalization::char::{
    canonical_combining_class, compose, decompose_canonical, is_combining_mark,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let (marks, decompositions) = (marks(), decompositions()?);
    let mut compositions: Vec<_> = decompositions
        .iter()
        .enumerate()
        .filter_map(|(at, &(whole, first, second))| Some((first, second?, whole, at)))
        .filter(|&(first, second, whole, _)| compose(first, second) == Some(whole))
        .collect();
    compositions.sort_unstable();
    let compositions: Vec<usize> = compositions.into_iter().map(|(.., at)| at).collect();
    let tables = format!(
        "static MARKS: &[(char, char, u8)] = &{marks:?};\n\
         static DECOMPOSITIONS: &[(char, char, Option<char>)] = &{decompositions:?};\n\
         /// Which of these are undone by composition, in the order of their parts.\n\
         static COMPOSITIONS: &[u16] = &{compositions:?};\n"
    );
    let out = PathBuf::from(std::env::var_os("OUT_DIR").ok_or("no OUT_DIR")?);
    Ok(std::fs::write(out.join("unicode.rs"), tables)?)
}

/// The combining marks: first and last of a range, and their combining class.
fn marks() -> Vec<(char, char, u8)> {
    let mut ranges: Vec<(char, char, u8)> = Vec::new();
    for mark in ('\0'..=char::MAX).filter(|&c| is_combining_mark(c)) {
        let class = canonical_combining_class(mark);
        match ranges.last_mut() {
            Some((_, last, same)) if u32::from(*last) + 1 == u32::from(mark) && *same == class => {
                *last = mark;
            }
            _ => ranges.push((mark, mark, class)),
        }
    }
    ranges
}

/// The characters with a canonical decomposition, other than Hangul: each with one or two characters,
/// which may have one again.
fn decompositions() -> Result<Vec<(char, char, Option<char>)>, String> {
    let parts = |c: char| {
        let mut parts = Vec::new();
        decompose_canonical(c, |part| parts.push(part));
        parts
    };
    let composite: Vec<(char, Vec<char>)> = ('\0'..=char::MAX)
        .filter(|c| !matches!(c, '가'..='힣'))
        .map(|c| (c, parts(c)))
        .filter(|(c, parts)| parts != &[*c])
        .collect();
    let mut wholes = BTreeMap::new();
    for (whole, parts) in &composite {
        wholes.entry(parts.as_slice()).or_insert(*whole);
    }
    let split = |(whole, parts): &(char, Vec<char>)| match parts.as_slice() {
        &[only] => Ok((*whole, only, None)),
        &[first, second] => Ok((*whole, first, Some(second))),
        [first @ .., last] => match wholes.get(first) {
            Some(first) => Ok((*whole, *first, Some(*last))),
            None => Err(format!("{whole:?} is not made of two characters")),
        },
        [] => Err(format!("{whole:?} is made of nothing")),
    };
    composite.iter().map(split).collect()
}
