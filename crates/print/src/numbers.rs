//! Text of numbers for readers. Text that could be read back as a program keeps full precision.

use fletch_calculus::Value;
use serde::{Deserialize, Serialize};

/// Notation of numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Digits {
    /// Decimal with three significant digits.
    #[default]
    Rounded,
    /// Shortest decimal that reads back as the same number.
    Exact,
    /// Exact, but without the last digits that only rounding has made: `0.3` for 0.1 + 0.2.
    Clean,
}

impl Digits {
    /// Text of a number.
    pub fn number(self, number: f64) -> String {
        match self {
            Digits::Rounded => short(number),
            Digits::Exact => full(number),
            Digits::Clean => clean(number),
        }
    }

    /// Text of a list: `[1, 2]`.
    pub fn list(self, numbers: &[f64]) -> String {
        let numbers: Vec<String> = numbers.iter().map(|number| self.number(*number)).collect();
        format!("[{}]", numbers.join(", "))
    }

    /// Text of a matrix: `[[1, 2], [3, 4]]`.
    pub fn rows(self, numbers: &[f64], columns: usize) -> String {
        let rows = numbers.chunks(columns.max(1)).map(|row| self.list(row));
        format!("[{}]", rows.collect::<Vec<_>>().join(", "))
    }
}

/// Text with three significant digits and a true minus sign: `0.765`, `−0.0133`, `1.2e−5`.
pub fn short(number: f64) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    if !number.is_finite() {
        return match number {
            n if n.is_nan() => "NaN".to_owned(),
            n if n > 0.0 => "∞".to_owned(),
            _ => "−∞".to_owned(),
        };
    }
    let magnitude = number.abs();
    // The digits of `1.23e-5` are right at any magnitude; only the point may have to be moved.
    let text = format!("{magnitude:.2e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let text = match exponent.parse::<usize>() {
        Ok(exponent) if exponent > 5 => format!("{}e{exponent}", trim_zeros(digits)),
        Ok(exponent) if exponent > 2 => format!("{magnitude:.0}"),
        Ok(exponent) => {
            let mut moved: String = digits.chars().filter(char::is_ascii_digit).collect();
            moved.insert(exponent + 1, '.');
            trim_zeros(&moved).to_owned()
        }
        Err(_) => match exponent.strip_prefix('-').map(str::parse::<usize>) {
            Some(Ok(places)) if places <= 4 => {
                let digits = digits.chars().filter(char::is_ascii_digit);
                let zeros = std::iter::repeat_n('0', places - 1);
                let moved: String = "0.".chars().chain(zeros).chain(digits).collect();
                trim_zeros(&moved).to_owned()
            }
            _ => format!("{}e{}", trim_zeros(digits), exponent.replace('-', "−")),
        },
    };
    if number < 0.0 {
        format!("−{text}")
    } else {
        text
    }
}

/// Digits as superscripts, as in `ℝ⁸`.
pub fn superscript(digits: &str) -> String {
    let raised = |digit| match digit {
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '0' | '4'..='9' => {
            char::from_u32(u32::from(digit) - u32::from('0') + u32::from('⁰')).unwrap_or(digit)
        }
        _ => digit,
    };
    digits.chars().map(raised).collect()
}

/// The shortest text that reads back as the same number, in the notation of programs.
pub fn full(number: f64) -> String {
    let text = format!("{number:?}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    text.replacen('-', "−", if text.starts_with('-') { 1 } else { 0 })
}

/// Text without the digits that a few roundings have made: `0.3` for 0.1 + 0.2. Any other number is written in full.
pub fn clean(number: f64) -> String {
    // Double precision has nearly sixteen digits, so fourteen leave room for the rounding error of a sum of some terms.
    const DIGITS: usize = 14;
    let places = DIGITS - 1;
    let rounded = format!("{number:.places$e}").parse::<f64>();
    match rounded {
        Ok(rounded) if full(rounded).len() + 2 < full(number).len() => full(rounded),
        _ => full(number),
    }
}

/// Text of a value, with its numbers written by `number`: `[1, 2]`, `⟨[1], [2]⟩`.
pub fn value(value: &Value, number: &dyn Fn(f64) -> String) -> String {
    match value {
        Value::Real(tensor) => {
            let entries = tensor.data().iter().map(|entry| number(*entry));
            format!("[{}]", entries.collect::<Vec<_>>().join(", "))
        }
        Value::Tuple(parts) => {
            let parts = parts.iter().map(|part| self::value(part, number));
            format!("⟨{}⟩", parts.collect::<Vec<_>>().join(", "))
        }
    }
}

/// Number of entries of a tensor that a sentence shows.
const FIRST: usize = 3;

/// Text of the first entries: `[1, 2, 3, …]`.
pub fn first(numbers: &[f64]) -> String {
    let shown = numbers.iter().take(FIRST).copied().map(short);
    let more = if numbers.len() > FIRST { ", …" } else { "" };
    format!("[{}{more}]", shown.collect::<Vec<_>>().join(", "))
}

fn trim_zeros(digits: &str) -> &str {
    if digits.contains('.') {
        digits.trim_end_matches('0').trim_end_matches('.')
    } else {
        digits
    }
}

#[cfg(test)]
mod tests {
    use super::{clean, full, short};

    #[test]
    fn three_significant_digits() {
        let cases = [
            (0.0, "0"),
            (1.0, "1"),
            (-0.5, "−0.5"),
            (0.7648421872844885, "0.765"),
            (-0.013349, "−0.0133"),
            (0.000204499, "0.000204"),
            (12.345, "12.3"),
            (1234.5, "1234"),
            (0.0000123, "1.23e−5"),
            (-2e9, "−2e9"),
            (f64::INFINITY, "∞"),
        ];
        for (number, text) in cases {
            assert_eq!(short(number), text);
        }
    }

    #[test]
    fn noise_of_rounding_is_left_out() {
        for (number, text) in [
            (0.1 + 0.2, "0.3"),
            (-(0.1 + 0.2), "−0.3"),
            (2.0 - 0.1 * 3.0, "1.7"),
            (1.1 * 1.1, "1.21"),
            (1.0 / 3.0, "0.3333333333333333"),
            (0.7648421872844885, "0.7648421872844885"),
            (1e-7, "1e-7"),
            (f64::INFINITY, "inf"),
            (0.0, "0"),
        ] {
            assert_eq!(clean(number), text);
        }
    }

    #[test]
    fn full_precision_reads_back() {
        for number in [0.1, -0.1, 1.0, 1e-7, 123_456_789.0, 0.910_231_498_765_432_1] {
            assert_eq!(full(number).replace('−', "-").parse::<f64>(), Ok(number));
        }
    }
}
