//! Copies in LaTeX compile. States and typing derivations of every example and of a program with odd names, and diagrams in TikZ,
//! are put into one document each. pdfLaTeX has to accept the document, with no overfull line and no missing character.

use fletch_diagrams::{Opening, Style};
use fletch_playground::Session;
use fletch_playground::protocol::derivation::{At, Which};
use fletch_playground::protocol::{Ask, Copying, Deriving, Digits, Format, Level, Mode, Reply};
use fletch_runs::denotation::{denotation, network};
use fletch_runs::diagram::{self, Drawing};
use fletch_syntax::LineIndex;
use fletch_tests::{examples, programs};
use fletch_trace::Budget;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// A program with names, numbers and sentences that LaTeX could fail on.
const ODD: &str = "\
loc été_λ′ ∷ (2, 2) = [[1e300, −1.5e-300], [0, 1]]
op 変数_a[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)
command R_x_y(x_1'' : Real(2)) : Real(2) =
  let z_hid′ ⇐ 変数_a[été_λ′](x_1'') in
  let 変 ⇐ ⌊z_hid′⌋ in
  let w₁ ⇐ ⌊exp(z_hid′)⌋ in
  let Größe_λé ⇐ жук(w₁) in
  let þorn_ąłß ⇐ 한글(Größe_λé) in
  let żółć_ế_ő ⇐ شبكة(þorn_ąłß) in
  let xₙ ⇐ ⌊żółć_ế_ő + 変⌋ in
  ⌊xₙ⌋
op жук : Real(2) ▷ Real(2)
op 한글 : Real(2) ▷ Real(2)
op شبكة : Real(2) ▷ Real(2)
handler H_y_1 : Real(2) { x ↦ ⌊x⌋
  変数_a[ℓ ∷ (n, m)] ( x ↦ let w ⇐ Get[ℓ]() in ⌊⟨w ∗ x, ⟨w, x⟩⟩⌋
                     | y, ⟨w, x⟩ ↦ let _ ⇐ Put[ℓ](w − y ∗ xᵀ) in ⌊wᵀ ∗ y⌋ )
  жук ( x ↦ ⌊⟨x, x⟩⌋ | y, _ ↦ ⌊y⌋ ) 한글 ( x ↦ ⌊⟨x, x⟩⌋ | y, _ ↦ ⌊y⌋ ) شبكة ( x ↦ ⌊⟨x, x⟩⌋ | y, _ ↦ ⌊y⌋ ) }
main = rev handle([0, 1])⟨x_1''⟩. R_x_y(x_1'') with H_y_1
";

/// Returns copies of a run: nine single states, and two ranges at two levels.
fn copies(source: &str, shortcuts: bool) -> Vec<(String, String)> {
    let mut session = Session::new(Budget::steps(10_000));
    session.ask(
        1,
        Ask::Load {
            source: source.to_owned(),
            heap: Vec::new(),
            mode: Mode {
                shortcuts,
                ..Mode::default()
            },
        },
    );
    session.ask(
        1,
        Ask::Advance {
            milliseconds: u32::MAX,
        },
    );
    let Reply::Indexed(index) = session.ask(1, Ask::Index) else {
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
        let copying = Copying {
            from,
            to,
            level,
            format: Format::Latex,
            digits: Digits::Rounded,
        };
        let Reply::Copied(text) = session.ask(1, Ask::Copy(copying)) else {
            panic!("no copy of {from} to {to}");
        };
        (format!("{from} to {to}"), text)
    };
    ranges.into_iter().map(&mut copy).collect()
}

/// Returns one document with all copies; `\typeout` announces each copy in the log.
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

/// True if pdfLaTeX and these packages are installed.
fn is_installed(packages: &[&str]) -> bool {
    let succeeds = |command: &mut Command| {
        let command = command.stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    succeeds(Command::new("pdflatex").arg("--version"))
        && (packages.iter())
            .all(|package| succeeds(Command::new("kpsewhich").arg(format!("{package}.sty"))))
}

/// Returns the lines of the log that report a line wider than the page by more than a point, with the name of their copy.
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

/// Returns one document with derivations of each program, at thirteen evenly spaced offsets of its source.
fn derivations() -> String {
    let mut sources = programs(&examples());
    sources.push(("odd names".to_owned(), ODD.to_owned()));
    let mut preamble = String::new();
    let mut bodies = String::new();
    for (name, source) in sources {
        let mut session = Session::default();
        session.ask(1, Ask::load(source.as_str()));
        let units = source.encode_utf16().count() as u32;
        let mut written = 0;
        for part in 0..=12 {
            let offset = units * part / 12;
            let asked = Deriving {
                at: At::Source {
                    from: offset,
                    to: offset,
                    instance: Which::Number(0),
                },
                ..Deriving::default()
            };
            let Reply::Derived(derived) = session.ask(1, Ask::Derive(asked)) else {
                panic!("no answer about {name}");
            };
            let Ok(shown) = *derived else { continue };
            written += 1;
            let (head, rest) = shown.latex.split_once("\\begin{document}\n").unwrap();
            let (body, _) = rest.split_once("\\end{document}\n").unwrap();
            if preamble.is_empty() {
                head.clone_into(&mut preamble);
            }
            assert_eq!(head, preamble, "derivations differ in their preamble");
            let name = name.replace('_', "-");
            bodies += &format!("\\typeout{{COPY {name}: {offset}}}\n{body}\\clearpage\n");
        }
        assert!(written > 0, "{name}");
    }
    format!("{preamble}\\begin{{document}}\n{bodies}\\end{{document}}\n")
}

/// Returns one document with diagrams of the paper's examples, of loops and of odd names: bent along and down, unbent along, each
/// folded and opened, and the network.
fn diagrams() -> String {
    let mut sources = vec![("odd names".to_owned(), ODD.to_owned())];
    for name in [
        "mlp",
        "resnet",
        "deep_autoencoder",
        "unet_inference",
        "softmax_glyphs",
        "elman",
        "gru",
        "truncated",
    ] {
        let source = fs::read_to_string(examples().join(format!("{name}.fletch"))).unwrap();
        sources.push((name.to_owned(), source));
    }
    let folded = |style, down| Drawing {
        style,
        down,
        ..Drawing::default()
    };
    let mut packages = String::new();
    let mut bodies = String::new();
    for (name, source) in sources {
        let checked = fletch_ide::check(&source);
        let Ok(main) = denotation(&checked, &source, "main") else {
            panic!("{name} denotes nothing");
        };
        let mut drawn = Vec::new();
        for drawing in [
            folded(Style::Bent, false),
            folded(Style::Bent, true),
            folded(Style::Unbent, false),
        ] {
            let picture = diagram::opened(&main, &source, &drawing).unwrap();
            let operations = picture.boxes.iter().filter(|shape| shape.mark.is_some());
            let keys = operations.filter_map(|shape| shape.opens.clone()).collect();
            let opening = Opening {
                keys,
                ..Opening::default()
            };
            let opened = Drawing { opening, ..drawing };
            drawn.extend([picture, diagram::opened(&main, &source, &opened).unwrap()]);
        }
        if let Ok(network) = network(&checked, &source, "main") {
            drawn.push(diagram::opened(&network, &source, &Drawing::default()).unwrap());
        }
        for (number, picture) in drawn.iter().enumerate() {
            let text = diagram::text(picture, diagram::Format::Tikz, &LineIndex::new(&source));
            // The first line of the text names the packages that it needs; letters without a command need more of them.
            let (first, _) = text.split_once('\n').unwrap();
            let needed = first.trim_start_matches("% ");
            if needed.len() > packages.len() {
                assert!(needed.starts_with(&packages), "{needed}");
                needed.clone_into(&mut packages);
            }
            assert!(packages.starts_with(needed), "{needed}");
            let name = name.replace('_', "-");
            bodies += &format!(
                "\\typeout{{COPY {name}: {number}}}\n\\noindent\\resizebox{{\\linewidth}}{{!}}{{%\n{text}}}\\clearpage\n"
            );
        }
    }
    format!(
        "\\documentclass{{article}}\n{packages}\n\\begin{{document}}\n{bodies}\\end{{document}}\n"
    )
}

#[test]
fn copies_of_every_example_compile_and_stay_on_the_page() {
    compile("copies", &document(), &[]);
}

#[test]
fn derivations_of_every_example_compile_and_stay_on_the_page() {
    compile("derivations", &derivations(), &["mathpartir"]);
}

/// Checks that the copies' own replacement for mathpartir suffices where the package is missing.
#[test]
fn derivations_of_every_example_compile_without_mathpartir() {
    let (with, without) = ("\\IfFileExists{mathpartir.sty}", "\\IfFileExists{none.sty}");
    let document = derivations();
    assert_eq!(document.matches(with).count(), 1);
    compile("derivations_alone", &document.replace(with, without), &[]);
}

#[test]
fn diagrams_in_tikz_compile() {
    compile("diagrams", &diagrams(), &["tikz"]);
}

/// Compiles a document that needs these packages, in addition to those that are recommended with LaTeX.
fn compile(name: &str, document: &str, packages: &[&str]) {
    let required = std::env::var_os("FLETCH_REQUIRE_LATEX").is_some();
    // Without CJKutf8 a name in Japanese is printed as the codes of its letters.
    assert!(!required || is_installed(&["CJKutf8"]));
    if !is_installed(packages) {
        assert!(
            !required,
            "pdflatex, or one of its packages {packages:?}, is not there: `apt-get install texlive-latex-base \
             texlive-latex-recommended texlive-pictures texlive-science`"
        );
        // The note bypasses the test's captured output, because nobody shall believe that the document was compiled.
        let note = format!(
            "note: pdflatex{} was not found, so {name} in LaTeX were not compiled\n",
            packages
                .iter()
                .map(|package| format!(" with {package}"))
                .collect::<String>()
        );
        std::io::Write::write_all(&mut std::io::stderr(), note.as_bytes()).unwrap();
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = format!("{name}.tex");
    // A character that is missing in a font is reported on the terminal.
    let document = format!("\\tracinglostchars=2\n{document}");
    fs::write(folder.join(&file), document).unwrap();
    let output = Command::new("pdflatex")
        .args([
            "-halt-on-error",
            "-interaction=nonstopmode",
            "-no-shell-escape",
            &file,
        ])
        .current_dir(folder)
        // Long lines of the log must not be broken.
        .env("max_print_line", "10000")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let log = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<&str> = log.lines().collect();
    let end = lines[lines.len().saturating_sub(30)..].join("\n");
    assert!(output.status.success(), "{end}");
    let lost: Vec<&&str> = lines
        .iter()
        .filter(|line| line.starts_with("Missing character"))
        .collect();
    assert!(lost.is_empty(), "{lost:?}");
    let overfull = overfull(&log);
    assert!(overfull.is_empty(), "{}", overfull.join("\n"));
}
