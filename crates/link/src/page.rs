//! Addresses of pages for links.

/// Checks the address of a page that links are to open: an absolute address, since the reader of a
/// link may be anywhere. Returns it unchanged.
///
/// # Errors
/// Returns the reason why the address cannot be opened, in words.
pub fn base(address: &str) -> Result<String, String> {
    let example = "write an address such as `https://example.org/fletch/`";
    let stray = |letter: &char| {
        letter.is_whitespace() || letter.is_control() || "<>\"{}|\\^`".contains(*letter)
    };
    match address.chars().find(stray) {
        Some(space) if space.is_whitespace() => {
            return Err(format!("it has a space: {example}, with `%20` for a space"));
        }
        Some(stray) => {
            let stray = stray.escape_debug();
            return Err(format!("no address has `{stray}` in it: {example}"));
        }
        None => {}
    }
    let Some((scheme, rest)) = address.split_once("://") else {
        return Err(format!("it does not begin with `https://`: {example}"));
    };
    let named = |known: &&str| scheme.eq_ignore_ascii_case(known);
    if !["https", "http", "file"].iter().any(named) {
        return Err(format!("no page is at `{scheme}://`: {example}"));
    }
    let host = rest.split(['/', '?', '#']).next().unwrap_or("");
    let local = scheme.eq_ignore_ascii_case("file") && rest.starts_with('/');
    match host.is_empty() && !local {
        true => Err(format!("it names no host: {example}")),
        false => Ok(address.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::base;

    #[test]
    fn a_page_is_named_by_an_absolute_address() {
        for good in [
            "https://example.org/fletch/",
            "http://127.0.0.1:8080/",
            "file:///tmp/site/index.html",
        ] {
            assert_eq!(base(good).as_deref(), Ok(good));
        }
        for bad in [
            "example.org",
            "https://",
            "ftp://a/",
            "https://a b/",
            "https://a/<",
        ] {
            assert!(base(bad).is_err(), "{bad}");
        }
    }
}
