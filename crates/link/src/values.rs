//! Values of keys: percent encoding, and the contents of locations.

use fletch_playground::protocol::Edit;
use fletch_syntax::nfc;

/// Appends a value. Letters, digits and `-._~,:;` stay as they are; every other character is written as its UTF-8 bytes,
/// such as `%E2`.
pub(crate) fn escape(value: &str, out: &mut String) {
    for byte in value.bytes() {
        let plain = byte.is_ascii_alphanumeric() || b"-._~,:;".contains(&byte);
        if plain {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
}

/// Decodes an escaped value; `None` if it is not UTF-8 or has a `%` without two digits. Characters that are not escaped,
/// such as `ℓ0`, are accepted too: some programs that pass links on undo the escape.
pub(crate) fn unescape(text: &str) -> Option<String> {
    let mut bytes = text.bytes();
    let mut out = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        if byte == b'%' {
            let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
            let (high, low) = (digit(bytes.next())?, digit(bytes.next())?);
            out.push(u8::try_from(16 * high + low).ok()?);
        } else {
            out.push(byte);
        }
    }
    String::from_utf8(out).ok()
}

/// Writes the contents of locations: `;` separates locations, `:` a name from its entries, `,` entries.
pub(crate) fn heap(edits: &[Edit]) -> String {
    let cell = |edit: &Edit| {
        let entries: Vec<String> = edit.entries.iter().map(f64::to_string).collect();
        format!("{}:{}", edit.location, entries.join(","))
    };
    edits.iter().map(cell).collect::<Vec<_>>().join(";")
}

/// Maximum number of scalars that are read; nobody edits a larger heap manually.
const ENTRIES: usize = 10_000;

/// Reads the contents of locations: finite numbers, and names of 1 to 100 characters. `None` if anything else occurs.
pub(crate) fn read_heap(text: &str) -> Option<Vec<Edit>> {
    let mut left = ENTRIES;
    let mut edits = Vec::new();
    for cell in text.split(';') {
        let (name, entries) = cell.split_once(':')?;
        let mut numbers = Vec::new();
        for entry in entries.split(',') {
            left = left.checked_sub(1)?;
            let number: f64 = entry.parse().ok()?;
            numbers.push(Some(number).filter(|number| number.is_finite())?);
        }
        let name = Some(name).filter(|name| !name.is_empty() && name.chars().count() <= 100)?;
        edits.push(Edit {
            location: nfc(name),
            entries: numbers,
        });
    }
    Some(edits)
}
