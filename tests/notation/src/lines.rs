//! Comparison of output with text that is written in a test.

/// Asserts that lines equal a text, which may be indented as a whole.
///
/// # Panics
/// If lines and text differ.
#[track_caller]
pub fn same<S: AsRef<str>>(found: &[S], expected: &str) {
    let lines = expected.lines().skip_while(|line| line.trim().is_empty());
    let first = lines.clone().next().unwrap_or_default();
    let indent = first.len() - first.trim_start().len();
    let expected: Vec<&str> = lines
        .map(|line| line.get(indent..).unwrap_or(line.trim_start()))
        .collect();
    let found: Vec<&str> = found.iter().map(AsRef::as_ref).collect();
    assert_eq!(found, expected, "found:\n{}", found.join("\n"));
}
