//! The nearest known name to one that is unknown.

/// The candidate most like `name`, if any is like it at all.
pub(crate) fn nearest<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let candidates: Vec<&'a str> = candidates.into_iter().collect();
    // A name that looks the same is the one meant.
    let seen = seen(name);
    if let Some(same) = candidates
        .iter()
        .find(|candidate| self::seen(candidate) == seen)
    {
        return Some(same);
    }
    let length = name.chars().count();
    let limit = (length / 3).max(1);
    // `ℓ1` and `ℓ2` are two things, and no slip of the other.
    let unnumbered = |name: &str| name.replace(|digit: char| digit.is_ascii_digit(), "");
    let stem = unnumbered(name);
    let numbered = |text: &str| unnumbered(text) != text;
    candidates
        .into_iter()
        .filter(|candidate| {
            !(numbered(name) && numbered(candidate) && unnumbered(candidate) == stem)
        })
        .map(|candidate| {
            let distance = if candidate.eq_ignore_ascii_case(name) {
                0
            } else if length.min(candidate.chars().count()) >= 3
                && (name.starts_with(candidate) || candidate.starts_with(name))
            {
                // `n_hid` for `n_hidden`, however long the rest is.
                1
            } else {
                strsim::osa_distance(name, candidate)
            };
            (distance, candidate)
        })
        // Two letters that differ are not alike.
        .filter(|(distance, _)| *distance <= limit && *distance < length.max(1))
        .min()
        .map(|(_, candidate)| candidate)
}

/// A name as it is seen: letters of other scripts, of full width and of mathematics are those that they look like.
fn seen(name: &str) -> String {
    const ALIKE: &[(&str, &str)] = &[
        ("µ", "μ"),
        ("аеорсухіјѕԁһԛԝ", "aeopcyxijsdhqw"),
        ("АВЕКМНОРСТХЅІЈ", "ABEKMHOPCTXSIJ"),
        ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"),
        ("οıɑɡ", "oiag"),
        ("ϵϕϑϱϖςϐ", "εφθρπσβ"),
        ("′ʹ", "''"),
    ];
    let plain = |letter: char| {
        let code = u32::from(letter);
        if let Some(narrow) = code.checked_sub(0xfee0).and_then(char::from_u32)
            && narrow.is_ascii_graphic()
        {
            return narrow;
        }
        // The alphabets of mathematics: bold, italic and so on, from A to z over and over.
        if let Some(place) = code.checked_sub(0x1d400).filter(|place| *place < 13 * 52) {
            let place = place % 52;
            let first = if place < 26 {
                u32::from('A')
            } else {
                u32::from('a') - 26
            };
            return char::from_u32(first + place).unwrap_or(letter);
        }
        ALIKE
            .iter()
            .find_map(|(others, own)| {
                let place = others.chars().position(|other| other == letter)?;
                own.chars().nth(place)
            })
            .unwrap_or(letter)
    };
    name.chars().map(plain).collect()
}
