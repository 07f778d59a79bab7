//! `fletch link` and `fletch open`: a program as an address of the page, and back.

use crate::answer::{REJECTED, complain, print_json, refuse};
use crate::commands::{read, text};
use fletch_elaborate::decoded;
use fletch_link::{Link, MAX_SOURCE, Settings};
use serde_json::json;
use std::io::{self, Write};
use std::process::ExitCode;

pub(crate) fn link(file: &str, base: Option<&str>, settings: Settings, json: bool) -> ExitCode {
    let source = match text(file, json) {
        Ok(source) => source,
        Err(code) => return code,
    };
    if source.len() > MAX_SOURCE {
        complain(format!(
            "{file} has more than 1 MB, which a link cannot carry; send the file"
        ));
        return ExitCode::from(REJECTED);
    }
    let link = Link {
        source,
        settings,
        ..Link::default()
    };
    let address = link.address(base.unwrap_or_default());
    let files = link.files();
    tell_of(&files, "send it too");
    if json {
        print_json(&json!({ "link": address, "length": address.len(), "files": files }));
    } else {
        say!("{address}");
    }
    ExitCode::SUCCESS
}

/// Reports the files that a program reads, which are not in its link.
fn tell_of(files: &[String], what: &str) {
    for file in files {
        eprintln!("fletch: the program reads {file:?}, which is not in the link: {what}");
    }
}

pub(crate) fn open(address: &str, json: bool) -> ExitCode {
    // A shell may write UTF-16, so the encoding of the link is detected.
    let address = match address {
        "-" => read("-").map(|bytes| decoded(&bytes)),
        address => Ok(address.to_owned()),
    };
    let address = match address {
        Ok(address) => address,
        Err(message) => return refuse(message),
    };
    let opened = match Link::read(&address) {
        Ok(opened) => opened,
        Err(error) => {
            complain(error);
            return ExitCode::from(REJECTED);
        }
    };
    for key in &opened.ignored {
        eprintln!(
            "fletch: the key {key:?} of this link is not known, or its value cannot be read; it is left out"
        );
    }
    let files = opened.link.files();
    tell_of(&files, "put it beside the program");
    let Link {
        source,
        settings,
        heap,
    } = opened.link;
    let keys: serde_json::Map<_, _> = settings
        .pairs()
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value.into()))
        .collect();
    let heap: serde_json::Map<_, _> = heap
        .into_iter()
        .map(|edit| (edit.location, edit.entries.into()))
        .collect();
    if json {
        print_json(
            &json!({ "source": source, "keys": keys, "heap": heap, "ignored": opened.ignored, "files": files }),
        );
        return ExitCode::SUCCESS;
    }
    for (key, value) in &keys {
        eprintln!("fletch: {key} = {}", value.as_str().unwrap_or_default());
    }
    if !heap.is_empty() {
        let names: Vec<String> = heap.into_iter().map(|(name, _)| name).collect();
        eprintln!("fletch: other contents for {}", names.join(", "));
    }
    // The source is written byte for byte, without a line end of its own.
    let _ = io::stdout().lock().write_all(source.as_bytes());
    ExitCode::SUCCESS
}
