//! Copies in LaTeX compile: states of every example and a program with odd names go into one document, which
//! pdfLaTeX has to accept, with no line that runs out of the page.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed test is a panic.

use fletch_playground::figures::{
    self,
    derivation::{At, Deriving},
};
use fletch_playground::protocol::{Digits, Export, Format, Level, Mode, Reply, Request};
use fletch_playground::{Budget, Session};
use fletch_tests::{examples, programs};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Names, numbers and sentences that LaTeX would stumble over.
const ODD: &str = "\
loc été_λ′ ∷ (2, 2) = [[1e300, −1.5e-300], [0, 1]]
op 変数_a[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)
command R_x_y(x_1'' : Real(2)) : Real(2) =
  let z_hid′ ⇐ 変数_a[été_λ′](x_1'') in
  ⌊exp(z_hid′)⌋
handler H_y_1 : Real(2) { x ↦ ⌊x⌋
  変数_a[ℓ ∷ (n, m)] ( x ↦ let w ⇐ Get[ℓ]() in ⌊⟨w ∗ x, ⟨w, x⟩⟩⌋
                     | y, ⟨w, x⟩ ↦ let _ ⇐ Put[ℓ](w − y ∗ xᵀ) in ⌊wᵀ ∗ y⌋ ) }
main = rev handle([0, 1])⟨x_1''⟩. R_x_y(x_1'') with H_y_1
";

/// The copies of a program: some states, and ranges at two levels.
fn copies(source: &str, shortcuts: bool) -> Vec<(String, String)> {
    let mut session = Session::new(Budget::steps(10_000));
    session.handle(Request::Load {
        revision: 1,
        source: source.to_owned(),
        heap: Vec::new(),
        mode: Mode {
            shortcuts,
            ..Mode::default()
        },
    });
    session.handle(Request::Advance {
        revision: 1,
        milliseconds: u32::MAX,
    });
    let Reply::Indexed(index) = session.handle(Request::Index { revision: 1 }) else {
        panic!("it does not run:\n{source}");
    };
    let last = index.steps;
    let part = |part: u32| part * last / 8;
    let mut ranges: Vec<(u32, u32, Level)> = (0..=8)
        .map(|at| (part(at), part(at), Level::Every))
        .collect();
    ranges.push((part(4), (part(4) + 12).min(last), Level::Every));
    ranges.push((part(5), (part(5) + 60).min(last), Level::Operations));
    let mut copy = |(from, to, level): (u32, u32, Level)| {
        let export = Export {
            from,
            to,
            level,
            format: Format::Latex,
            digits: Digits::Rounded,
        };
        let request = Request::Export {
            revision: 1,
            export,
        };
        let Reply::Exported(text) = session.handle(request) else {
            panic!("no copy of {from} to {to}");
        };
        (format!("{from} to {to}"), text)
    };
    ranges.into_iter().map(&mut copy).collect()
}

/// All copies in one document, each announced in the log.
fn document() -> String {
    let mut sources = programs(&examples());
    sources.push(("odd names".to_owned(), ODD.to_owned()));
    let shortened = sources.last().cloned();
    let sources = sources.into_iter().map(|named| (named, false));
    let mut preamble = String::new();
    let mut bodies = String::new();
    for ((name, source), shortcuts) in sources.chain(shortened.map(|named| (named, true))) {
        for (range, text) in copies(&source, shortcuts) {
            let (head, rest) = text.split_once("\\begin{document}\n").unwrap();
            let (body, tail) = rest.split_once("\\end{document}\n").unwrap();
            assert_eq!(tail, "");
            if preamble.is_empty() {
                head.clone_into(&mut preamble);
            }
            assert_eq!(head, preamble, "copies differ in their preamble");
            let name = name.replace('_', "-");
            bodies += &format!("\\typeout{{COPY {name}: {range}}}\n{body}\\clearpage\n");
        }
    }
    format!("{preamble}\\begin{{document}}\n{bodies}\\end{{document}}\n")
}

/// Whether pdfLaTeX can be run.
fn is_installed() -> bool {
    Command::new("pdflatex")
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Lines of the log that say that a line is wider than the page by more than a point, with the copy they are in.
fn overfull(log: &str) -> Vec<String> {
    let mut copy = "";
    let mut found = Vec::new();
    for line in log.lines() {
        if let Some(name) = line.strip_prefix("COPY ") {
            copy = name;
        }
        let points = line
            .strip_prefix("Overfull \\hbox (")
            .and_then(|rest| rest.split_once("pt"))
            .and_then(|(points, _)| points.parse::<f64>().ok());
        if points.is_some_and(|points| points > 1.0) {
            found.push(format!("{copy}: {line}"));
        }
    }
    found
}

/// The derivations of `main`, of what is in it, and of a term of each program, in one document.
fn derivations() -> String {
    let mut sources = programs(&examples());
    sources.push(("odd names".to_owned(), ODD.to_owned()));
    let mut preamble = String::new();
    let mut bodies = String::new();
    for (name, source) in sources {
        let mut session = figures::Session::default();
        session.handle(figures::protocol::Request::Load {
            revision: 1,
            source: source.clone(),
            heap: Vec::new(),
            mode: Default::default(),
        });
        let units = source.encode_utf16().count() as u32;
        let mut written = 0;
        for part in 0..=12 {
            let offset = units * part / 12;
            let asked = Deriving {
                revision: 1,
                at: At::Source {
                    from: offset,
                    to: offset,
                    instance: 0,
                },
                ..Deriving::default()
            };
            let asked = figures::protocol::Request::Derive(asked);
            let figures::protocol::Reply::Derived(derived) = session.handle(asked) else {
                panic!("no answer about {name}");
            };
            let Ok(shown) = derived.shown else { continue };
            written += 1;
            let (head, rest) = shown.latex.split_once("\\begin{document}\n").unwrap();
            let (body, _) = rest.split_once("\\end{document}\n").unwrap();
            head.clone_into(&mut preamble);
            let name = name.replace('_', "-");
            bodies += &format!("\\typeout{{COPY {name}: {offset}}}\n{body}\\clearpage\n");
        }
        assert!(written > 0, "{name}");
    }
    format!("{preamble}\\begin{{document}}\n{bodies}\\end{{document}}\n")
}

#[test]
fn copies_of_every_example_compile_and_stay_on_the_page() {
    compile("copies", &document());
}

#[test]
fn derivations_of_every_example_compile_and_stay_on_the_page() {
    compile("derivations", &derivations());
}

fn compile(name: &str, document: &str) {
    if !is_installed() {
        assert!(
            std::env::var_os("FLETCH_REQUIRE_LATEX").is_none(),
            "pdflatex is not there: `apt-get install texlive-latex-base texlive-latex-recommended`"
        );
        // Past the test's own capture of its output: nobody shall think that this was tested.
        let note = b"note: pdflatex was not found, so no copy in LaTeX was compiled\n";
        std::io::Write::write_all(&mut std::io::stderr(), note).unwrap();
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = format!("{name}.tex");
    fs::write(folder.join(&file), document).unwrap();
    let output = Command::new("pdflatex")
        .args([
            "-halt-on-error",
            "-interaction=nonstopmode",
            "-no-shell-escape",
            &file,
        ])
        .current_dir(folder)
        // A long line of the log is not broken.
        .env("max_print_line", "10000")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let log = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<&str> = log.lines().collect();
    let end = lines[lines.len().saturating_sub(30)..].join("\n");
    assert!(output.status.success(), "{end}");
    let overfull = overfull(&log);
    assert!(overfull.is_empty(), "{}", overfull.join("\n"));
}
