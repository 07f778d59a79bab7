//! Numbers in text.

/// The shortest numeral that reads back as this number, such as `1e308`. A zero has no sign.
pub fn numeral(number: f64) -> String {
    let text = format!("{:?}", number + 0.0);
    match text.strip_suffix(".0") {
        Some(whole) => whole.to_owned(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::numeral;

    #[test]
    fn numerals_are_short_and_exact() {
        let cases = [
            (1e308, "1e308"),
            (-0.0, "0"),
            (-1.5, "-1.5"),
            (3.0, "3"),
            (5e-324, "5e-324"),
            (0.1 + 0.2, "0.30000000000000004"),
        ];
        for (number, text) in cases {
            assert_eq!(numeral(number), text);
        }
    }
}
