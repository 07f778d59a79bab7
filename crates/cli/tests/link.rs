//! `fletch link` and `fletch open`: a program survives the round trip, and faults of a link are reported.

use crate::common::fletch;
use serde_json::{Value as Json, json};

const PROGRAM: &str = "-- ℓ0\r\nmain = ⌊1 + 2⌋";

#[test]
fn a_program_goes_there_and_back() {
    let base = "https://example.org/fletch/";
    let arguments = [
        "link", "-", "--base", base, "--step", "3", "--level", "every", "--view", "diagram",
    ];
    let (code, link, errors) = fletch(&arguments, PROGRAM);
    assert_eq!((code, errors.as_str()), (0, ""));
    let start = format!("{base}#v1.");
    assert!(
        link.starts_with(&start) && link.contains("&step=3&level=every&view=diagram&sum="),
        "{link}"
    );
    let (code, source, told) = fletch(&["open", link.trim()], "");
    assert_eq!((code, source.as_str()), (0, PROGRAM));
    assert_eq!(
        told,
        "fletch: step = 3\nfletch: level = every\nfletch: view = diagram\n"
    );
    let (code, output, _) = fletch(&["open", "-", "--json"], &link);
    let opened: Json = serde_json::from_str(&output).unwrap();
    assert_eq!(code, 0);
    assert_eq!(opened["source"], PROGRAM);
    assert_eq!(
        opened["keys"],
        json!({ "step": "3", "level": "every", "view": "diagram" })
    );
}

#[test]
fn without_a_base_it_is_the_fragment() {
    let (_, link, _) = fletch(&["link", "-", "--json"], PROGRAM);
    let link: Json = serde_json::from_str(&link).unwrap();
    let address = link["link"].as_str().unwrap();
    assert!(address.starts_with("#v1."));
    assert_eq!(link["length"], address.len());
}

#[test]
fn what_cannot_be_opened_exits_with_one_and_says_why() {
    for (address, reason) in [
        ("#v1.@@", "damaged"),
        ("#v2.AA", "version"),
        ("https://example.org/", "no program"),
    ] {
        let (code, output, errors) = fletch(&["open", address], "");
        assert_eq!((code, output.as_str()), (1, ""), "{address}");
        assert!(errors.contains(reason), "{errors}");
    }
    let (code, _, errors) = fletch(&["link", "-"], "a".repeat(1_000_001));
    assert_eq!(code, 1);
    assert!(errors.contains("1 MB"), "{errors}");
}

#[test]
fn wrong_usage_exits_with_two() {
    for arguments in [
        &["link", "-", "--level", "all"][..],
        &["link", "-", "--step", "-1"],
        &["link", "/no/such"],
        &["open"],
    ] {
        assert_eq!(fletch(arguments, "").0, 2, "{arguments:?}");
    }
}

#[test]
fn keys_that_are_not_known_are_told() {
    let (_, link, _) = fletch(&["link", "-"], PROGRAM);
    let (code, source, errors) = fletch(&["open", &format!("{}&zoom=3&step=-1", link.trim())], "");
    assert_eq!((code, source.as_str()), (0, PROGRAM));
    assert!(
        errors.contains("\"zoom\"") && errors.contains("\"step\""),
        "{errors}"
    );
}

#[test]
fn a_base_with_a_fragment_is_that_of_the_page() {
    for base in [
        "https://example.org/f/#v1.AQAA__8",
        "https://example.org/f/#",
        "https://example.org/f/",
    ] {
        let (_, link, _) = fletch(&["link", "-", "--base", base], PROGRAM);
        assert!(
            link.starts_with("https://example.org/f/#v1.") && link.matches('#').count() == 1,
            "{link}"
        );
        assert_eq!(fletch(&["open", link.trim()], "").1, PROGRAM);
    }
}

#[test]
fn a_base_that_nobody_can_open_is_refused() {
    for (base, reason) in [
        ("not a url", "it has a space"),
        ("https://example.org/a b/", "it has a space"),
        ("https://example.org/\n", "it has a space"),
        ("example.org/fletch", "it does not begin with `https://`"),
        ("/fletch/", "it does not begin with `https://`"),
        ("localhost:8080", "it does not begin with `https://`"),
        ("https:/example.org", "it does not begin with `https://`"),
        ("", "it does not begin with `https://`"),
        ("#v1.AA", "it does not begin with `https://`"),
        ("ftp://example.org/", "no page is at `ftp://`"),
        ("https:///fletch", "it names no host"),
        ("http://?x=1", "it names no host"),
        ("https://example.org/<x>", "no address has `<` in it"),
    ] {
        let (code, output, errors) = fletch(&["link", "-", "--base", base], PROGRAM);
        assert_eq!((code, output.as_str()), (2, ""), "{base:?}");
        assert!(errors.contains(reason), "{base:?}: {errors}");
    }
    for base in [
        "http://localhost:8080",
        "HTTPS://example.org/?lang=de",
        "file:///home/me/index.html",
        "https://exämple.org/ü/%20",
    ] {
        let (code, link, errors) = fletch(&["link", "-", "--base", base], PROGRAM);
        assert!(code == 0 && link.starts_with(base), "{base:?}: {errors}");
    }
}

#[test]
fn files_that_are_not_in_a_link_are_told() {
    let program = "data d : Real(1) = csv(\"points.csv\")\nmain = ⌊1⌋\n";
    let told = "the program reads \"points.csv\", which is not in the link";
    let (code, link, errors) = fletch(&["link", "-"], program);
    assert!(code == 0 && errors.contains(told), "{errors}");
    let (code, source, errors) = fletch(&["open", "-"], &link);
    assert!(
        code == 0 && source == program && errors.contains(told),
        "{errors}"
    );
    let (_, output, _) = fletch(&["link", "-", "--json"], program);
    let json: Json = serde_json::from_str(&output).unwrap();
    assert_eq!(json["files"], json!(["points.csv"]));
}

#[test]
fn a_link_is_opened_as_a_mail_has_it() {
    let (_, link, _) = fletch(
        &["link", "-", "--base", "https://example.org/", "--step", "2"],
        PROGRAM,
    );
    let link = link.trim();
    let (start, end) = link.split_at(30);
    for mail in [
        format!("<{start}\n{end}>."),
        link.replace('&', "&amp;"),
        format!("> {start}=\r\n{end}\r\n"),
    ] {
        let (code, source, errors) = fletch(&["open", "-"], &mail);
        assert_eq!((code, source.as_str()), (0, PROGRAM), "{errors}");
        assert!(errors.contains("step = 2"), "{errors}");
    }
    let (code, _, errors) = fletch(
        &["open", &format!("{link} {}", link.replace("#v1.", "#v1.A"))],
        "",
    );
    assert!(code == 1 && errors.contains("2 programs"), "{errors}");
}
