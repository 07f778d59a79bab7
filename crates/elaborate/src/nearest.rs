//! The nearest known name to one that is unknown.

/// The candidate most like `name`, if any is like it at all.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let candidates: Vec<&'a str> = candidates.into_iter().collect();
    // A name that looks the same is the one meant.
    let seen = fletch_syntax::seen(name);
    if let Some(same) = candidates
        .iter()
        .find(|candidate| fletch_syntax::seen(candidate) == seen)
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
                && (candidate.starts_with(name) || is_most_of(candidate, name))
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

/// Tells if a name begins with this one, and is not much longer: `summary` is no slip of `sum`.
fn is_most_of(beginning: &str, name: &str) -> bool {
    name.starts_with(beginning) && name.chars().count() < 2 * beginning.chars().count()
}
