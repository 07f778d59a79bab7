//! The nearest known name to one that is unknown.

/// The candidate most like `name`, if any is like it at all.
pub(crate) fn nearest<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
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
