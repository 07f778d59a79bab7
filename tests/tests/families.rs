//! A family of function symbols is declared in one file. This test checks that all users of the table of families handle each one.

use fletch_playground::Session;
use fletch_playground::protocol::{Ask, Copying, Digits, Format, Level, Reply};
use fletch_smooth::{Family, Fixity, Partiality, families, symbols};
use fletch_syntax::{Spelling, TokenClass, format, highlight, parse};
use fletch_tests::generate::{Tape, program, sample};
use fletch_tests::must_check;
use fletch_trace::{Budget, Trace};

/// Writes an instance of a family applied to numbers in its domain.
fn call(family: &Family) -> String {
    let symbol = family.samples().into_iter().next_back().unwrap();
    sample(family, &symbol, |position| 0.17 + position as f64 * 0.31)
}

/// Returns the operator or name that is printed when the family is applied, as text and in LaTeX.
fn printed(family: &Family) -> (String, String) {
    match family.operator {
        None => {
            let latex = family.name.replace('_', "\\_");
            (family.name.to_owned(), latex)
        }
        Some(operator) => {
            let text = match operator.fixity {
                Fixity::Sum | Fixity::Product => format!(" {} ", operator.text),
                Fixity::Prefix | Fixity::Postfix => operator.text.to_owned(),
            };
            (text, operator.latex.to_owned())
        }
    }
}

fn tokens_of(text: &str) -> String {
    text.replace('-', "−").split_whitespace().collect()
}

#[test]
fn the_parser_and_the_colours_know_every_family() {
    for family in families() {
        let source = format!("main = ⌊{}⌋\n", call(family));
        let tokens = highlight(&source, symbols());
        let token = tokens
            .iter()
            .find(|token| token.span.text(&source) == family.name);
        assert_eq!(token.unwrap().class, TokenClass::Function, "{source}");
        assert_eq!(parse(&source, symbols()).1, [], "{source}");
        let formatted = format(&source, Spelling::Unicode, symbols()).unwrap();
        assert!(tokens_of(&formatted) == tokens_of(&source), "{formatted}");
        // The parser knows function symbols, so it rejects one where a command is needed.
        let bare = format!("main = {}(x)\n", family.name);
        assert_ne!(parse(&bare, symbols()).1, [], "{bare}");
        assert_eq!(parse(&bare, &[]).1, [], "{bare}");
    }
}

#[test]
fn every_family_is_run_printed_and_copied() {
    for family in families() {
        let source = format!("main = ⌊{}⌋\n", call(family));
        let main = must_check(&source);
        let mut trace = Trace::new(&main.program, Partiality::Paper);
        trace.run(100, &Budget::steps(100));
        let step = fletch_transcript::steps::steps(&trace, 1, 1, Digits::Exact)
            .next()
            .unwrap()
            .json();
        let (text, latex) = printed(family);
        assert!(
            step["redex"].as_str().unwrap().contains(&text),
            "{text}: {step}"
        );
        let copy = copied(&source);
        assert!(copy.contains(&latex), "{latex}:\n{copy}");
    }
}

/// Returns the first state of a program in LaTeX.
fn copied(source: &str) -> String {
    let mut session = Session::new(Budget::steps(100));
    session.ask(1, Ask::load(source));
    session.ask(
        1,
        Ask::Advance {
            milliseconds: u32::MAX,
        },
    );
    let copying = Copying {
        from: 0,
        to: 0,
        level: Level::Every,
        format: Format::Latex,
        digits: Digits::Rounded,
    };
    match session.ask(1, Ask::Copy(copying)) {
        Reply::Copied(text) => text,
        _ => panic!("no copy of {source}"),
    }
}

#[test]
fn random_programs_have_every_family() {
    let mut missing: Vec<&Family> = families().iter().collect();
    for seed in 0..4_000 {
        let source = program(&Tape::random(seed * 1_000_003, 900));
        missing.retain(|family| {
            !source.contains(&format!("{}(", family.name))
                && !source.contains(&format!("{}[", family.name))
        });
        if missing.is_empty() {
            return;
        }
    }
    panic!("no random program has {missing:?}");
}
