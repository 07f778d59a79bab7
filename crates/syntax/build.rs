//! Writes down what names need to know of Unicode: the marks, and the canonical decompositions and compositions.
//! `unicode-normalization` knows all of it, but its tables are made for speed and several times as large as all the rest of this
//! crate, and every reader of the page would have to download them. So they are packed, and `unicode.rs` makes tables for binary
//! search of them when they are first asked for.

use std::collections::BTreeMap;
use std::path::PathBuf;
use unicode_normalization::char::{
    canonical_combining_class, compose, decompose_canonical, is_combining_mark,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").ok_or("no OUT_DIR")?);
    std::fs::write(out.join("marks"), packed_marks())?;
    Ok(std::fs::write(
        out.join("decompositions"),
        packed_decompositions()?,
    )?)
}

/// A number in groups of seven bits, the lowest first; all but the last have the highest bit set.
fn number(mut number: u32, into: &mut Vec<u8>) {
    loop {
        let [low, ..] = (number & 0x7f).to_le_bytes();
        number >>= 7;
        if number == 0 {
            return into.push(low);
        }
        into.push(low | 0x80);
    }
}

/// Writes the difference of a character from the one before it: twice the absolute value, plus 1 if negative.
fn difference(before: &mut u32, character: u32, into: &mut Vec<u8>) {
    let more = character.abs_diff(*before);
    number(2 * more + u32::from(character < *before), into);
    *before = character;
}

/// For each range of marks how far it begins after the last, how many more characters it has, and its class.
fn packed_marks() -> Vec<u8> {
    let mut packed = Vec::new();
    let mut before = 0;
    for (first, last, class) in marks() {
        let (first, last) = (u32::from(first), u32::from(last));
        number(first - before, &mut packed);
        number(last - first, &mut packed);
        packed.push(class);
        before = last;
    }
    packed
}

/// Column by column, as equal things lie together then: the characters that are decomposed, how far each is after the one before
/// it, twice, and odd if its parts are not composed to it; all first parts; all second parts, 0 where there is none.
fn packed_decompositions() -> Result<Vec<u8>, String> {
    let mut columns = [Vec::new(), Vec::new(), Vec::new()];
    let [wholes, firsts, seconds] = &mut columns;
    let (mut before, mut first_before, mut second_before) = (0, 0, 0);
    for (whole, first, second) in decompositions()? {
        let excluded = second.is_none_or(|second| compose(first, second) != Some(whole));
        let whole = u32::from(whole);
        number(2 * (whole - before) + u32::from(excluded), wholes);
        before = whole;
        difference(&mut first_before, u32::from(first), firsts);
        difference(&mut second_before, second.map_or(0, u32::from), seconds);
    }
    // A reader knows by this that it is through with the first column.
    number(0, wholes);
    Ok(columns.concat())
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
