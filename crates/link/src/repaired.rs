//! Repair of links that were changed in transit: followed by a full stop, in brackets, wrapped and quoted by a mail program, written with
//! `&amp;` or percent signs, or passed as a parameter of a redirecting address. Each repair is a guess; the check sum confirms that the
//! program is the one that was sent.

use crate::values::unescape;
use std::collections::BTreeSet;

/// Candidate fragments for an address, the likeliest first.
pub(crate) fn repaired(address: &str) -> Vec<String> {
    let text = without_entities(&without_soft_breaks(address));
    let text = unwrapped_redirect(&text).unwrap_or(text);
    let Some(start) = starts(&text).first().copied() else {
        return Vec::new();
    };
    let rest = text.get(start..).unwrap_or("");
    // The fragment ends where another address begins.
    let ends = ["http://", "https://", "#"].map(|next| rest.find(next));
    let rest = rest
        .get(..ends.into_iter().flatten().min().unwrap_or(rest.len()))
        .unwrap_or(rest);
    let whole = whole(rest);
    let word = rest
        .split(char::is_whitespace)
        .next()
        .unwrap_or("")
        .to_owned();
    let mut all: Vec<String> = [whole, word]
        .iter()
        .map(|fragment| finished(fragment))
        .collect();
    all.dedup();
    all
}

/// Number of different programs in an address.
pub(crate) fn programs(address: &str) -> usize {
    let text = without_entities(&without_soft_breaks(address));
    let text = unescape(&text).unwrap_or(text);
    let payload = |start: &usize| {
        let rest = text.get(*start..).unwrap_or("");
        let sign = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
        // The first 40 characters distinguish programs well enough: one copy may be cut or wrapped later.
        let signs = rest.chars().filter(|letter| !letter.is_whitespace());
        signs
            .take_while(|letter| sign(*letter))
            .take(40)
            .collect::<String>()
    };
    let all: BTreeSet<String> = starts(&text).iter().map(payload).collect();
    all.len()
}

/// Byte offsets at which fragments start, after their `#`. If no fragment follows a `#`, the start of the text, if a version is there.
fn starts(text: &str) -> Vec<usize> {
    let version = |rest: &str| {
        let digits = rest
            .strip_prefix('v')
            .map(|rest| rest.trim_start_matches(|digit: char| digit.is_ascii_digit()));
        digits.is_some_and(|behind| behind.starts_with('.') && behind.len() + 1 < rest.len())
    };
    let hashes = text.match_indices('#').map(|(at, _)| at + 1);
    let found: Vec<usize> = hashes
        .filter(|at| text.get(*at..).is_some_and(version))
        .collect();
    if !found.is_empty() {
        return found;
    }
    let bare = text.trim_start_matches(|letter: char| !letter.is_ascii_alphanumeric());
    let at = text.len() - bare.len();
    match version(bare) {
        true => vec![at],
        false => Vec::new(),
    }
}

/// Decodes HTML entities, and the percent-encoded dot after a version.
fn without_entities(text: &str) -> String {
    let mut text = text.to_owned();
    for (entity, sign) in [
        ("&#35;", "#"),
        ("&#x23;", "#"),
        ("&num;", "#"),
        ("&#61;", "="),
        ("&equals;", "="),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&nbsp;", " "),
        ("&#38;", "&"),
        ("&#x26;", "&"),
        ("&amp;", "&"),
        ("%2E", "."),
        ("%2e", "."),
    ] {
        text = text.replace(entity, sign);
    }
    text
}

/// Decodes quoted-printable text of a mail (RFC 2045): joins lines that end in `=`, and reads `=3D` as `=`.
fn without_soft_breaks(text: &str) -> String {
    let soft = text.contains("=\n") || text.contains("=\r\n");
    if !soft && !text.contains("=3D") {
        return text.to_owned();
    }
    let joined = text.replace("=\r\n", "").replace("=\n", "");
    joined
        .replace("=3D", "=")
        .replace("=3d", "=")
        .replace("=26", "&")
        .replace("=23", "#")
        .replace("=2E", ".")
}

/// The address inside a redirecting address, or the address itself if it was percent-encoded as a whole: its `#` is a `%23`. Decodes up to
/// three times.
fn unwrapped_redirect(text: &str) -> Option<String> {
    let mut text = text.to_owned();
    for _ in 0..3 {
        if text
            .match_indices('#')
            .any(|(at, _)| text.get(at + 1..).is_some_and(|rest| rest.starts_with('v')))
        {
            return Some(text);
        }
        let at = text.find("%23v").or_else(|| text.find("%2523v"))?;
        let rest = text.get(at..)?;
        // As a parameter of another address, the inner address ends at the `&` of the outer one.
        let end = rest.find(|letter: char| letter == '&' || letter.is_whitespace());
        text = unescape(rest.get(..end.unwrap_or(rest.len()))?)?;
    }
    None
}

/// Removes characters that a mail program inserts into a fragment: line breaks, quotation marks, white space, zero-width characters. The
/// fragment ends at a blank line.
fn whole(text: &str) -> String {
    let mut out = String::new();
    for (number, line) in text.lines().enumerate() {
        let line = match number {
            0 => line,
            _ => line.trim_start_matches(['>', '|', ' ', '\t']),
        };
        if line.trim().is_empty() && number > 0 {
            break;
        }
        let hidden = |letter: &char| {
            letter.is_whitespace()
                || matches!(
                    letter,
                    '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}'
                )
        };
        out.extend(line.chars().filter(|letter| !hidden(letter)));
    }
    out
}

/// Removes text after a fragment, such as punctuation, and writes its payload in the base64url alphabet.
fn finished(fragment: &str) -> String {
    let behind = |letter: char| ".,;:!?)]}>'\"”’»“‘`*|\\".contains(letter);
    let fragment = fragment.trim_end_matches(behind);
    // Text right after the eight digits of the check sum is not part of the link; further keys are.
    let mut parts: Vec<String> = fragment.split('&').map(str::to_owned).collect();
    for part in &mut parts {
        if let Some(sum) = part.strip_prefix("sum=") {
            let digits = sum.chars().take_while(char::is_ascii_hexdigit).count();
            if digits >= 8 {
                *part = format!("sum={}", sum.get(..8).unwrap_or(""));
            }
        }
    }
    let mut fragment = parts.join("&");
    let end = fragment.find('&').unwrap_or(fragment.len());
    let payload = fragment.get(..end).unwrap_or("");
    if payload.contains('%')
        && let Some(mut plain) = unescape(payload)
    {
        plain.retain(|letter| !letter.is_whitespace());
        fragment = plain + fragment.get(end..).unwrap_or("");
    }
    let end = fragment.find('&').unwrap_or(fragment.len());
    let (payload, keys) = fragment.split_at_checked(end).unwrap_or((&fragment, ""));
    let payload = payload.replace('+', "-").replace('/', "_");
    format!(
        "{}{keys}",
        payload.trim_end_matches(|letter: char| letter == '=' || behind(letter))
    )
}
