//! Counts in messages.

/// A count with its noun: `1 entry`, `2 entries`.
pub fn counted(count: usize, noun: &str) -> String {
    match (count, noun) {
        (1, noun) => format!("1 {noun}"),
        (count, "index") => format!("{count} indices"),
        (count, "entry") => format!("{count} entries"),
        (count, "batch") => format!("{count} batches"),
        (count, noun) => format!("{count} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn one_is_no_plural() {
        for (count, noun, text) in [
            (0, "epoch", "0 epochs"),
            (1, "entry", "1 entry"),
            (2, "entry", "2 entries"),
            (3, "index", "3 indices"),
        ] {
            assert_eq!(counted(count, noun), text);
        }
    }
}
