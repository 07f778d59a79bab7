//! Numbers as text: short in a cell, four significant digits in a list. The face of a chip writes its number as
//! sentences do, by `fletch_playground::numbers`.

/// Short text for a cell of a heat map: `.42`, `−.38`, `1.2`, `−12`, `3e5`. Longer than four characters only for
/// magnitudes from `1e10` on.
pub(crate) fn short(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if !value.is_finite() {
        return unusual(value);
    }
    let size = value.abs();
    let digits = if size < 0.995 {
        let two = format!("{size:.2}");
        two.strip_prefix('0')
            .map_or_else(|| two.clone(), str::to_owned)
    } else if size < 9.95 {
        format!("{size:.1}")
    } else if size < 999.5 {
        format!("{size:.0}")
    } else {
        format!("{size:.0e}")
    };
    signed(value, digits)
}

/// Text with four significant digits, for a list of entries.
pub(crate) fn long(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if !value.is_finite() {
        return unusual(value);
    }
    let size = value.abs();
    let digits = if !(1e-3..1e5).contains(&size) {
        format!("{size:.3e}")
    } else if size >= 1000.0 {
        format!("{size:.0}")
    } else if size >= 100.0 {
        format!("{size:.1}")
    } else if size >= 10.0 {
        format!("{size:.2}")
    } else if size >= 1.0 {
        format!("{size:.3}")
    } else {
        format!("{size:.4}")
    };
    signed(value, digits)
}

/// Text of a single number: four significant digits, without trailing zeros.
pub(crate) fn bare(value: f64) -> String {
    without_zeros(long(value))
}

/// Text of a bound of a scale: two decimals between 0.01 and 100, two digits for extreme magnitudes, else four digits.
pub(crate) fn bound(value: f64) -> String {
    let size = value.abs();
    if (0.01..100.0).contains(&size) {
        without_zeros(signed(value, format!("{size:.2}")))
    } else if size.is_finite() && size > 0.0 && !(1e-3..1e5).contains(&size) {
        without_zeros(signed(value, format!("{size:.1e}")))
    } else {
        bare(value)
    }
}

fn without_zeros(text: String) -> String {
    let (digits, exponent) = text.split_at(text.find('e').unwrap_or(text.len()));
    if digits.contains('.') {
        let digits = digits.trim_end_matches('0').trim_end_matches('.');
        format!("{digits}{exponent}")
    } else {
        text
    }
}

fn signed(value: f64, digits: String) -> String {
    if value < 0.0 {
        format!("−{digits}")
    } else {
        digits
    }
}

fn unusual(value: f64) -> String {
    if value.is_nan() {
        "NaN".to_owned()
    } else if value > 0.0 {
        "∞".to_owned()
    } else {
        "−∞".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::{bare, bound, long, short};

    #[test]
    fn cells_hold_four_characters() {
        let cases = [
            (0.42, ".42"),
            (-0.38, "−.38"),
            (0.0, "0"),
            (0.004, ".00"),
            (0.999, "1.0"),
            (1.25, "1.2"),
            (-9.96, "−10"),
            (123.4, "123"),
            (12345.0, "1e4"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "−∞"),
        ];
        for (value, text) in cases {
            assert_eq!(short(value), text);
            assert!(short(value).chars().count() <= 4);
        }
    }

    #[test]
    fn lists_hold_four_digits() {
        let cases = [
            (0.42073549, "0.4207"),
            (-12.3456, "−12.35"),
            (0.00012, "1.200e-4"),
            (0.0, "0"),
            (150000.0, "1.500e5"),
        ];
        for (value, text) in cases {
            assert_eq!(long(value), text);
        }
    }

    #[test]
    fn bounds_are_bare() {
        for (value, text) in [
            (0.5, "0.5"),
            (2.0, "2"),
            (0.7297, "0.73"),
            (50.0, "50"),
            (0.001, "0.001"),
            (500.0, "500"),
            (2.072e306, "2.1e306"),
            (1e12, "1e12"),
            (1.712e-31, "1.7e-31"),
            (-3.14e-5, "−3.1e-5"),
        ] {
            assert_eq!(bound(value), text);
        }
        assert_eq!(bare(-0.0606), "−0.0606");
        assert_eq!(
            (bare(1e308), bare(-1.25e-7)),
            ("1e308".to_owned(), "−1.25e-7".to_owned())
        );
    }
}
