//! Fields of a file as values: a number in either notation, a missing value, or text.

use std::borrow::Cow;

/// The value of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Reading {
    Number(f64, Mark),
    /// A number that is not finite.
    NotFinite,
    /// An empty field, or a sign for a missing value.
    Missing,
    Text,
}

/// The mark between the whole part of a number and its decimals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Mark {
    None,
    Point,
    Comma,
    /// A comma that separates thousands in one notation and precedes decimals in the other.
    Either,
}

/// Signs of a missing value, in lower case.
const MISSING: &[&str] = &[
    "", "na", "n/a", "#n/a", "#na", "<na>", "nan", "-nan", "+nan", "null", "none", "nil", "?", "-",
    "–", "—", ".", "missing",
];

pub(super) fn reading(field: &str) -> Reading {
    if MISSING.iter().any(|sign| field.eq_ignore_ascii_case(sign)) {
        return Reading::Missing;
    }
    let plain = match field.contains('−') {
        true => Cow::Owned(field.replace('−', "-")),
        false => Cow::Borrowed(field),
    };
    let of = |text: &str, mark| match text.parse::<f64>() {
        Ok(number) if number.is_finite() => Some(Reading::Number(number, mark)),
        Ok(_) => Some(Reading::NotFinite),
        Err(_) => None,
    };
    let mark = match plain.contains('.') {
        true => Mark::Point,
        false => Mark::None,
    };
    let read = of(&plain, mark).or_else(|| {
        if mark == Mark::Point || plain.matches(',').count() != 1 {
            return None;
        }
        let mark = match thousands(&plain, ',') {
            true => Mark::Either,
            false => Mark::Comma,
        };
        of(&plain.replace(',', "."), mark)
    });
    read.unwrap_or(Reading::Text)
}

/// True if a mark in a number could separate thousands: three digits after it, one to three before it, the first of them not 0.
pub(super) fn thousands(number: &str, mark: char) -> bool {
    let digits = number.trim_start_matches(['+', '-', '−']);
    let Some((before, behind)) = digits.split_once(mark) else {
        return false;
    };
    let all = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    (1..=3).contains(&before.len())
        && !before.starts_with('0')
        && behind.len() == 3
        && all(before)
        && all(behind)
}

/// Hint how to write the number that a field probably means: a number with a unit, in parentheses, with spaces in it, or a word.
pub(super) fn meant(field: &str) -> Option<String> {
    let is = |text: &str| matches!(reading(text), Reading::Number(..));
    if is_grouped(field) {
        return Some("write thousands without a mark between them: `1234.5`".to_owned());
    }
    let truth = [
        "true", "false", "yes", "no", "wahr", "falsch", "vrai", "faux",
    ];
    if truth.iter().any(|word| field.eq_ignore_ascii_case(word)) {
        return Some("write 1 and 0 for true and false".to_owned());
    }
    let inside = field
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'));
    if let Some(number) = inside.map(str::trim).filter(|inside| is(inside)) {
        return Some(format!(
            "a number in parentheses is none: write `-{number}` if that is meant"
        ));
    }
    if let Some(number) = field
        .strip_suffix('%')
        .map(str::trim_end)
        .filter(|text| is(text))
    {
        return Some(format!(
            "write `{number}`, or a hundredth of it: a file has no signs of percent"
        ));
    }
    let together: String = field.split_whitespace().collect();
    if together != field && is(&together) {
        return Some(format!("write `{together}`, without a space in it"));
    }
    let sign = |letter: char| letter.is_ascii_digit() || "+-−.,".contains(letter);
    let bare = field.trim_matches(|letter: char| !sign(letter));
    (bare != field && is(bare)).then(|| format!("write the number alone: `{bare}`"))
}

/// True if a field has digits in groups, as numbers are written for readers: `1,234,567.8`, `1.234,5`, `1 000`.
pub(super) fn is_grouped(field: &str) -> bool {
    let marks =
        |letter: char| matches!(letter, '.' | ',' | '\'' | '’' | '_') || letter.is_whitespace();
    let digits = field.trim_start_matches(['+', '-', '−']);
    let mut groups = digits.split(marks);
    let whole = |group: &str| !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_digit());
    let first = groups.next().unwrap_or("");
    let rest: Vec<&str> = groups.collect();
    let threes = rest.iter().rev().skip(1).all(|group| group.len() == 3);
    whole(first)
        && first.len() <= 3
        && !rest.is_empty()
        && threes
        && rest.iter().all(|group| whole(group))
}
