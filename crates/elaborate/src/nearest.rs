//! The known name nearest to an unknown one.

/// The candidate most similar to `name`; `None` if no candidate is similar.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let candidates: Vec<&'a str> = candidates.into_iter().collect();
    // A candidate that looks the same is the intended name.
    let seen = fletch_syntax::seen(name);
    if let Some(same) = candidates
        .iter()
        .find(|candidate| fletch_syntax::seen(candidate) == seen)
    {
        return Some(same);
    }
    let length = name.chars().count();
    let limit = (length / 3).max(1);
    // `ℓ1` and `ℓ2` are two different locations: one is no misspelling of the other.
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
                // For example `n_hid` for `n_hidden`, however long the rest of the name is.
                1
            } else {
                strsim::osa_distance(name, candidate)
            };
            (distance, candidate)
        })
        // Two different single letters are not similar.
        .filter(|(distance, _)| *distance <= limit && *distance < length.max(1))
        .min()
        .map(|(_, candidate)| candidate)
}

/// True if `name` begins with `beginning` and is less than twice as long: `summary` is no misspelling of `sum`.
fn is_most_of(beginning: &str, name: &str) -> bool {
    name.starts_with(beginning) && name.chars().count() < 2 * beginning.chars().count()
}
