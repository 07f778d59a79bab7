//! Comparison of commands as in the page: which commands can be compared, if they are equal, and where they first differ.

use fletch_playground::Session;
use fletch_playground::protocol::{
    Ask, Commands, Compared, Comparison, Equality, Reply, Shown, Side,
};
use fletch_tests::nested::nested;
use fletch_tests::{examples, programs};

fn example(name: &str) -> String {
    let mut all = programs(&examples()).into_iter();
    all.find(|(found, _)| found == name).unwrap().1
}

fn session(source: &str) -> Session {
    let mut session = Session::default();
    session.ask(1, Ask::load(source));
    session
}

fn commands(session: &mut Session, other: Option<&str>) -> Commands {
    let other = other.map(str::to_owned);
    match session.ask(1, Ask::Comparable { other }) {
        Reply::Comparable(commands) => commands,
        reply => panic!("{reply:?}"),
    }
}

fn side(text: Option<&str>, name: &str) -> Side {
    Side {
        text: text.map(str::to_owned),
        name: name.to_owned(),
    }
}

fn compare(session: &mut Session, left: &str, right: Side) -> Compared {
    let asked = Comparison {
        left: side(None, left),
        right,
        ..Comparison::default()
    };
    match session.ask(1, Ask::Compare(asked)) {
        Reply::Compared(compared) => *compared,
        reply => panic!("{reply:?}"),
    }
}

/// Returns the labels of the boxes that differ, and the operations and maps of the statements that differ.
fn marked(shown: &Shown) -> (Vec<&str>, Vec<&str>) {
    let boxes = &shown.picture.as_ref().unwrap().boxes;
    let labels = shown.boxes.iter().map(|at| &*boxes[*at as usize].label);
    let rows = shown.listing.statements.iter().filter(|row| row.differs);
    (labels.collect(), rows.map(|row| &*row.applies).collect())
}

#[test]
fn a_refactoring_is_an_equal_arrow_and_a_slip_is_shown_in_both() {
    let source = example("refactoring");
    let mut session = session(&source);
    for name in ["R_spurious", "R_unrolled"] {
        let compared = compare(&mut session, "R", side(None, name));
        assert_eq!(
            compared.equality,
            Equality::Equal { any_length: false },
            "{name}"
        );
        let (left, right) = compared.sides.unwrap();
        assert_eq!((left.operations, right.operations), (3, 3));
        assert_eq!(marked(&left), (vec![], vec![]));
    }
    let compared = compare(&mut session, "R", side(None, "R_tanh"));
    let Equality::Different { place, left, right } = &compared.equality else {
        panic!("{compared:?}");
    };
    assert_eq!(place, "argument 1 of operation 3, FC[w[2]]");
    assert_eq!(left, "swish(the result of operation 2)");
    assert_eq!(right, "tanh(the result of operation 2)");
    let (left, right) = compared.sides.unwrap();
    assert_eq!(marked(&left), (vec!["swish"], vec!["swish"]));
    assert_eq!(marked(&right), (vec!["tanh"], vec!["tanh"]));
    // The span of the statement that differs is that of its text.
    let row = right.listing.statements.iter().find(|row| row.differs);
    let (from, to, line) = row.unwrap().place.unwrap();
    let utf16: Vec<u16> = source.encode_utf16().collect();
    let text = String::from_utf16(&utf16[from as usize..to as usize]).unwrap();
    assert_eq!(text, "tanh(z1)");
    assert!(
        source
            .lines()
            .nth(line as usize - 1)
            .unwrap()
            .contains("tanh(z1)")
    );
}

#[test]
fn what_an_output_differs_in_is_marked_too() {
    let source = "command A(x : Real(2)) : Real(2) = ⌊exp(sin(x))⌋
command B(x : Real(2)) : Real(2) = ⌊exp(cos(x))⌋
command C(x : Real(2)) : Real(2) = ⌊x⌋
main = A([1, 2])";
    let mut session = session(source);
    let compared = compare(&mut session, "A", side(None, "B"));
    let (left, right) = compared.sides.unwrap();
    assert_eq!(marked(&left).1, ["sin"]);
    assert_eq!(marked(&right).1, ["cos"]);
    // An input is not a statement, so nothing is marked on its side.
    let compared = compare(&mut session, "A", side(None, "C"));
    assert!(
        matches!(&compared.equality, Equality::Different { place, right, .. } if place == "output 1" && right == "input 1")
    );
    let (left, right) = compared.sides.unwrap();
    assert_eq!((marked(&left).1, marked(&right).1), (vec!["exp"], vec![]));
}

#[test]
fn commands_of_the_same_types_can_be_compared() {
    let mut session = session(&example("refactoring"));
    let own = commands(&mut session, None).own;
    let types = |name: &str| {
        let found = own.iter().find(|command| command.name == name);
        found.unwrap().types.clone()
    };
    assert_eq!(own.len(), 6);
    assert_eq!(types("R").unwrap(), "Real(3) → Real(3)");
    assert_eq!(types("R"), types("R_tanh"));
    assert_eq!(types("Layer"), types("R"), "the first instance");
    assert_ne!(types("main"), types("R"));
    let compared = compare(&mut session, "R", side(None, "main"));
    assert_eq!(compared.equality, Equality::Types);
    let unknown = compare(&mut session, "R", side(None, "Nothing"));
    let message = "there is no command `Nothing` in this program".to_owned();
    let second = true;
    assert_eq!(unknown.equality, Equality::None { second, message });
}

#[test]
fn another_text_may_have_its_locations_in_another_order() {
    let source = example("mlp");
    let mut session = session(&source);
    let lines: Vec<&str> = source.lines().collect();
    let first = lines
        .iter()
        .position(|line| line.starts_with("loc ℓ0"))
        .unwrap();
    let mut swapped = lines.clone();
    swapped.swap(first, first + 1);
    let swapped = swapped.join("\n");
    let listed = commands(&mut session, Some(&swapped));
    assert_eq!(listed.other.unwrap().unwrap(), listed.own);
    for name in ["R_MLP", "main"] {
        let compared = compare(&mut session, name, side(Some(&swapped), name));
        assert_eq!(
            compared.equality,
            Equality::Equal { any_length: false },
            "{name}"
        );
    }
    // A network whose second layer reads another location is different.
    let crossed = source
        .replace("FC[ℓ0](x_in)", "FC[ℓ2](x_in)")
        .replace("loc ℓ1", "loc ℓ2 ∷ (n_in, n_hid)\nloc ℓ1");
    let compared = compare(&mut session, "R_MLP", side(Some(&crossed), "R_MLP"));
    assert!(
        matches!(&compared.equality, Equality::Different { place, left, right } if place == "operation 1" && left == "FC[ℓ0]" && right == "FC[ℓ2]")
    );
    // A location of the same name and of other sizes is another location.
    let wider = source.replace("n_hid = 8", "n_hid = 9");
    let compared = compare(&mut session, "main", side(Some(&wider), "main"));
    let Equality::Operation { name, left, right } = compared.equality else {
        panic!("{compared:?}");
    };
    assert_eq!(
        (&*name, &*left, &*right),
        ("Get[ℓ0]", "1 ▷ Real(16)", "1 ▷ Real(18)")
    );
}

#[test]
fn what_is_wrong_with_another_text_is_said() {
    let mut session = session(&example("mlp"));
    let broken = "main = R_MLP([1, 0])";
    let listed = commands(&mut session, Some(broken));
    let message = listed.other.unwrap().unwrap_err();
    let compared = compare(&mut session, "main", side(Some(broken), "main"));
    let second = true;
    assert_eq!(compared.equality, Equality::None { second, message });
    let large = nested(4, 128);
    let compared = compare(&mut session, "main", side(Some(&large), "main"));
    assert_eq!(compared.equality, Equality::TooLarge);
    let asked = Ask::Compare(Comparison::default());
    assert_eq!(session.ask(2, asked), Reply::Outdated);
}
