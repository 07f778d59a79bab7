//! Writes the Unicode data that names need: combining marks, and canonical decompositions and compositions.
//! `unicode-normalization` has all of it, but its tables are made for speed and are several times as large as the remainder of
//! this crate, and every visitor of the page would download them. So this script packs the data, and `unicode.rs` unpacks it, on
//! first use, into tables for binary search.

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

/// Appends a number in groups of seven bits, the lowest group first; all groups but the last have the highest bit set.
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

/// Appends the difference between a character and the one before it: twice the absolute value, plus 1 if the difference is
/// negative.
fn difference(before: &mut u32, character: u32, into: &mut Vec<u8>) {
    let more = character.abs_diff(*before);
    number(2 * more + u32::from(character < *before), into);
    *before = character;
}

/// Packs the marks. For each range: its distance from the end of the last range, its number of further characters, and its
/// combining class.
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

/// Packs the decompositions column by column, because equal values compress best side by side. First column: twice the distance
/// of each decomposed character from the one before it, plus 1 if its parts do not compose to it. Then the first parts, then the
/// second parts, 0 for none.
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
    // A 0 marks the end of the first column for the reader.
    number(0, wholes);
    Ok(columns.concat())
}

/// Combining marks, as ranges with equal combining class: first character, last character, class.
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

/// Characters with a canonical decomposition, other than Hangul. Each has one or two parts; the first part may have a
/// decomposition itself.
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
