//! The bytes of a file as text: UTF-8, UTF-16 (as spreadsheets save it), or else Latin-1.

/// The text of a file. A byte order mark determines the encoding; without one, UTF-16 is recognised by zeros between ASCII characters.
/// Other bytes that are not UTF-8 are read as Latin-1: numbers are the same in every one-byte encoding.
pub fn decoded(bytes: &[u8]) -> String {
    match bytes {
        [0xef, 0xbb, 0xbf, rest @ ..] => plain(rest),
        [0xff, 0xfe, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => wide(rest, u16::from_be_bytes),
        [first, 0, second, 0, ..] if *first != 0 && *second != 0 => wide(bytes, u16::from_le_bytes),
        [0, first, 0, second, ..] if *first != 0 && *second != 0 => wide(bytes, u16::from_be_bytes),
        _ => plain(bytes),
    }
}

fn plain(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
    }
}

fn wide(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let (pairs, odd) = bytes.as_chunks::<2>();
    let units = pairs.iter().map(|pair| unit(*pair));
    let letters = char::decode_utf16(units).map(|letter| letter.unwrap_or('\u{fffd}'));
    letters.chain(odd.iter().map(|_| '\u{fffd}')).collect()
}

#[cfg(test)]
mod tests {
    use super::decoded;

    #[test]
    fn a_file_is_read_in_the_encoding_that_it_has() {
        let text = "größe;x\r\n1,5;2";
        let units = || text.encode_utf16();
        let little: Vec<u8> = units().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = units().flat_map(u16::to_be_bytes).collect();
        let with = |mark: &[u8], bytes: &[u8]| [mark, bytes].concat();
        for bytes in [
            text.as_bytes().to_vec(),
            with(b"\xef\xbb\xbf", text.as_bytes()),
            with(b"\xff\xfe", &little),
            with(b"\xfe\xff", &big),
            little,
            big,
            text.chars().map(|letter| letter as u8).collect(),
        ] {
            assert_eq!(decoded(&bytes), text, "{bytes:?}");
        }
        assert_eq!(decoded(b""), "");
        assert_eq!(decoded(b"\xff\xfe1\0,\0\x32"), "1,\u{fffd}");
    }
}
