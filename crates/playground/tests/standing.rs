//! A program with errors: commands that do not depend on an error are drawn, compared and typed.

use fletch_playground::Session;
use fletch_playground::diagram::Format;
use fletch_playground::protocol::derivation::{At, Deriving, Shown, Underivable, Which};
use fletch_playground::protocol::{
    Ask, Commands, Comparable, Comparison, Drawing, Equality, Refusal, Reply, Severity, Side,
};

/// `S` is faulty, `T` depends on it, and `main` performs an operation that nobody handles.
const PROGRAM: &str = "\
op FC : Real(2) ▷ Real(2)
command R(x : Real(2)) : Real(2) = FC(x)
command Q(x : Real(2)) : Real(2) = let y ⇐ FC(x) in ⌊y⌋
command S(x : Real(2)) : Real(3) = FC(x)
command T(x : Real(2)) : Real(3) = S(x)
command U(x : Real(2)) : Real(2) = let z ⇐ FC(x) in ⌊z⌋
main = R([3, 1])
";

fn loaded(source: &str) -> (Session, usize) {
    let mut session = Session::default();
    let Reply::Checked(checked) = session.ask(1, Ask::load(source)) else {
        panic!("not checked")
    };
    let errors = checked.diagnostics.iter();
    let errors = errors.filter(|found| found.severity == Severity::Error);
    (session, errors.count())
}

fn side(name: &str, text: Option<&str>) -> Side {
    Side {
        text: text.map(str::to_owned),
        name: name.to_owned(),
    }
}

fn draw(session: &mut Session, of: &str) -> Result<String, Refusal> {
    let drawing = Drawing {
        of: of.to_owned(),
        ..Drawing::default()
    };
    match session.ask(1, Ask::Draw(drawing)) {
        Reply::Drawn(drawn) => drawn.map(|figure| figure.signature),
        other => panic!("{other:?}"),
    }
}

fn compare(session: &mut Session, left: Side, right: Side) -> Equality {
    let asked = Comparison {
        left,
        right,
        ..Comparison::default()
    };
    match session.ask(1, Ask::Compare(asked)) {
        Reply::Compared(compared) => compared.equality,
        other => panic!("{other:?}"),
    }
}

/// The derivation at the first occurrence of a text.
fn derive(session: &mut Session, at: &str) -> Result<Shown, Underivable> {
    let from = PROGRAM.find(at).unwrap();
    let from = PROGRAM[..from].encode_utf16().count() as u32;
    let asked = Deriving {
        at: At::Source {
            from,
            to: from,
            instance: Which::Number(0),
        },
        ..Deriving::default()
    };
    match session.ask(1, Ask::Derive(asked)) {
        Reply::Derived(derived) => *derived,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_command_that_checks_is_drawn_and_others_say_the_error() {
    let (mut session, errors) = loaded(PROGRAM);
    assert_eq!(errors, 2);
    // The session knows nothing of another revision.
    let asked = Ask::Comparable { other: None };
    assert_eq!(session.ask(2, asked), Reply::Outdated);
    assert_eq!(draw(&mut session, "R").unwrap(), "x : Real(2) → Real(2)");
    for (of, error) in [
        ("S", "Real(3)"),
        ("T", "Real(3)"),
        ("main", "reaches the top level"),
    ] {
        let refusal = draw(&mut session, of).unwrap_err();
        assert!(refusal.message.contains(error), "{of}: {refusal:?}");
        assert!(refusal.source.is_some());
    }
    // Spans refer to the text as it is written, although errors precede them.
    let drawing = Drawing {
        of: "U".to_owned(),
        ..Drawing::default()
    };
    let Reply::Drawn(drawn) = session.ask(1, Ask::Draw(drawing)) else {
        panic!("not drawn")
    };
    let place = drawn.unwrap().picture.boxes[0].place;
    let before = PROGRAM.split("FC(x) in ⌊z⌋").next().unwrap();
    assert_eq!(place.0 as usize, before.encode_utf16().count());
    let drawing = Drawing {
        of: "Q".to_owned(),
        ..Drawing::default()
    };
    let written = session.ask(1, Ask::Write(drawing, Format::Svg));
    assert!(matches!(written, Reply::Written(Ok(svg)) if svg.starts_with("<svg")));
    let asked = Ask::Comparable { other: None };
    assert_eq!(session.ask(2, asked), Reply::Outdated);
    // Loading the next program discards the remaining commands.
    session.ask(1, Ask::load("main = ⌊1⌋"));
    let unknown = draw(&mut session, "R").unwrap_err();
    assert!(!unknown.message.contains("top level"), "{unknown:?}");
}

#[test]
fn commands_that_check_are_compared() {
    let (mut session, _) = loaded(PROGRAM);
    let Reply::Comparable(commands) = session.ask(
        1,
        Ask::Comparable {
            other: Some(PROGRAM.to_owned()),
        },
    ) else {
        panic!("not listed")
    };
    let names = |commands: &[Comparable]| -> Vec<String> {
        commands.iter().map(|of| of.name.clone()).collect()
    };
    assert_eq!(names(&commands.own), ["R", "Q", "U"]);
    assert_eq!(names(&commands.other.unwrap().unwrap()), ["R", "Q", "U"]);
    let equal = compare(&mut session, side("R", None), side("Q", None));
    assert_eq!(equal, Equality::Equal { any_length: false });
    let other = side("Q", Some(PROGRAM));
    assert_eq!(
        compare(&mut session, side("R", None), other),
        Equality::Equal { any_length: false }
    );
    let none = compare(&mut session, side("R", None), side("T", None));
    assert!(
        matches!(&none, Equality::None { second: true, message } if message.contains("Real(3)")),
        "{none:?}"
    );
}

#[test]
fn what_stands_has_types() {
    let (mut session, _) = loaded(PROGRAM);
    assert_eq!(derive(&mut session, "FC(x) in").unwrap().tree.rule, "T-Op");
    for at in ["FC(x)\ncommand T", "S(x)", "R([3"] {
        let none = derive(&mut session, at).unwrap_err();
        assert!(none.message.contains("has a mistake"), "{at}: {none:?}");
    }
}

#[test]
fn where_nothing_stands_the_error_is_said() {
    for source in ["main = ⌊x⌋", "command R(x : Real(2)) = ⌊x⌋\n)"] {
        let (mut session, _) = loaded(source);
        let asked = Ask::Comparable { other: None };
        assert_eq!(
            session.ask(1, asked),
            Reply::Comparable(Commands::default())
        );
        assert!(!draw(&mut session, "R").unwrap_err().message.is_empty());
        let none = compare(&mut session, side("R", None), side("R", None));
        assert!(matches!(none, Equality::None { .. }), "{none:?}");
    }
}
