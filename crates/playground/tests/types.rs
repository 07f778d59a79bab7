//! Typing derivations as a page gets them, written as an outline: each judgement with its rule, followed by its indented premises.

use fletch_playground::Session;
use fletch_playground::protocol::derivation::{
    At, Deriving, Handle, Judgement, Node, Place, Room, Shown, Underivable, Which,
};
use fletch_playground::protocol::{Ask, Piece, Reply};
use std::fs;
use std::path::Path;

fn example(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    fs::read_to_string(folder.join(name).with_extension("fletch")).unwrap()
}

fn load(source: &str) -> Session {
    let mut session = Session::default();
    session.ask(1, Ask::load(source));
    session
}

fn ask(session: &mut Session, asked: Deriving) -> Result<Shown, Underivable> {
    let Reply::Derived(derived) = session.ask(1, Ask::Derive(asked)) else {
        panic!("no answer");
    };
    *derived
}

/// The derivation at the cursor, which `‸` marks in an excerpt of the source.
fn at(source: &str, part: &str) -> Result<Shown, Underivable> {
    let (before, after) = part.split_once('‸').unwrap();
    let found = source.find(&format!("{before}{after}")).unwrap() + before.len();
    let offset = source[..found].encode_utf16().count() as u32;
    ask(&mut load(source), asking(offset))
}

fn asking(offset: u32) -> Deriving {
    Deriving {
        at: At::Source {
            from: offset,
            to: offset,
            instance: Which::Number(0),
        },
        ..Deriving::default()
    }
}

fn text(pieces: &[Piece]) -> String {
    pieces.iter().map(|piece| piece.text.as_str()).collect()
}

fn judgement(it: &Judgement) -> String {
    let parts = [
        text(&it.environment),
        it.turnstile.clone(),
        text(&it.subject),
        ":".to_owned(),
        text(&it.ty),
    ];
    parts.join(" ").trim().to_owned()
}

fn outline(node: &Node, level: usize, out: &mut String) {
    let indent = "  ".repeat(level);
    let role = node.role.as_ref().map(|role| format!("  -- {role}"));
    *out += &format!(
        "{indent}{}  {}{}{}{}\n",
        judgement(&node.judgement),
        node.rule,
        if node.stacked { " =" } else { "" },
        if node.open {
            String::new()
        } else {
            format!(" ⋮ {}", node.left_out)
        },
        role.unwrap_or_default(),
    );
    for premise in &node.premises {
        outline(premise, level + 1, out);
    }
    if node.others > 0 {
        *out += &format!("{indent}  … {} more\n", node.others);
    }
    for side in &node.side {
        *out += &format!("{indent}  {}\n", text(side));
    }
}

fn written(shown: &Shown) -> String {
    let mut out = String::new();
    let around: Vec<&str> = shown.around.iter().map(|it| it.label.as_str()).collect();
    out += &format!("{}\n", around.join(" › "));
    outline(&shown.tree, 0, &mut out);
    for named in &shown.environments {
        out += &format!("{} = {}\n", named.name, text(&named.entries));
    }
    out
}

fn check(source: &str, part: &str, expected: &str) {
    let shown = at(source, part).unwrap();
    assert_eq!(written(&shown), expected.trim_start(), "{part}");
}

#[test]
fn a_command_is_derived_as_in_the_figure() {
    check(
        &example("mlp"),
        "let z_ou‸t ⇐ FC[ℓ1]",
        "
main › command R_MLP › let x_hid ⇐ ⌊…⌋ in … › let z_out ⇐ … in …
◇; Δ₁ ⊢ let z_out ⇐ FC[ℓ1](x_hid) in ⌊z_out⌋ : Real(1)  T-CLet =
  ◇; Δ₁ ⊢ FC[ℓ1](x_hid) : Real(1)  T-Op
    Δ₁ ⊢ x_hid : Real(8)  T-Var
      x_hid : Real(8) ∈ Δ₁
    FC[ℓ1] : Real(8) ▷ Real(1) ∈ Σ
  ◇; z_out : Real(1), Δ₁ ⊢ ⌊z_out⌋ : Real(1)  T-Pure
    Δ₂ ⊢ z_out : Real(1)  T-Var
      z_out : Real(1) ∈ Δ₂
Δ₁ = x_hid : Real(8), z_hid : Real(8), x_in₁ : Real(2), x_in : Real(2)
Δ₂ = z_out : Real(1), Δ₁
",
    );
}

/// A program with a reverse derivative in the source, a function and a projection.
const TERMS: &str = "
fun twice(x : Real(2)) : Real(2) = x + x
command P(x : Real(2), c : Real(2)) : Real(2) =
  let ⟨a, b⟩ ⇐ ⌊⟨twice(x), c⟩⌋ in
  ⌊b.rd(y. let z ← tanh(y) in z ⊙ a)(x)⌋
main = P([1, 2], [3, 4])
";

#[test]
fn a_reverse_derivative_binds_its_variable_in_its_body_alone() {
    check(
        TERMS,
        "b.r‸d(",
        "
main › command P › ⌊b.rd(y. …)(x)⌋ › b.rd(y. …)(x)
Δ₁ ⊢ b.rd(y. let z ← tanh(y) in z ⊙ a)(x) : Real(2)  T-RD =
  Δ₁ ⊢ b : Real(2)  T-Var
    b : Real(2) ∈ Δ₁
  Δ₁, y : Real(2) ⊢ let z ← tanh(y) in z ⊙ a : Real(2)  T-Let =
    Δ₂ ⊢ tanh(y) : Real(2)  T-Func
      Δ₂ ⊢ y : Real(2)  T-Var ⋮ 0
      tanh : Real(2) → Real(2) ∈ Σ
    Δ₂, z : Real(2) ⊢ z ⊙ a : Real(2)  T-Func =
      Δ₃ ⊢ ⟨z, a⟩ : Real(2) × Real(2)  T-Tuple
        Δ₃ ⊢ z : Real(2)  T-Var ⋮ 0
        Δ₃ ⊢ a : Real(2)  T-Var ⋮ 0
      hadamard : Real(2) × Real(2) → Real(2) ∈ Σ
  Δ₁ ⊢ x : Real(2)  T-Var
    x : Real(2) ∈ Δ₁
Δ₁ = b : Real(2), a : Real(2), p : Real(2) × Real(2), c : Real(2), x : Real(2)
Δ₂ = Δ₁, y : Real(2)
Δ₃ = Δ₂, z : Real(2)
",
    );
}

#[test]
fn a_function_that_is_called_is_the_body_of_its_lets() {
    check(
        TERMS,
        "twi‸ce(x), c",
        "
main › command P › ⟨let x₁ ← x in …, c⟩ › let x₁ ← x in x₁ + x₁
c : Real(2), x : Real(2) ⊢ let x₁ ← x in x₁ + x₁ : Real(2)  T-Let =
  c : Real(2), x : Real(2) ⊢ x : Real(2)  T-Var
    x : Real(2) ∈ Γ
  c : Real(2), x : Real(2), x₁ : Real(2) ⊢ x₁ + x₁ : Real(2)  T-Plus
    Δ₁ ⊢ x₁ : Real(2)  T-Var
      x₁ : Real(2) ∈ Δ₁
    Δ₁ ⊢ x₁ : Real(2)  T-Var
      x₁ : Real(2) ∈ Δ₁
Δ₁ = c : Real(2), x : Real(2), x₁ : Real(2)
",
    );
    check(
        TERMS,
        "= x ‸+ x",
        "
main › command P › let x₁ ← x in x₁ + x₁ › fun twice
Δ₁ ⊢ x₁ + x₁ : Real(2)  T-Plus
  Δ₁ ⊢ x₁ : Real(2)  T-Var
    x₁ : Real(2) ∈ Δ₁
  Δ₁ ⊢ x₁ : Real(2)  T-Var
    x₁ : Real(2) ∈ Δ₁
Δ₁ = c : Real(2), x : Real(2), x₁ : Real(2)
",
    );
}

#[test]
fn a_handler_has_its_return_clause_and_two_premises_for_each_operation() {
    check(&example("mlp"), "| y, z ‸↦", "
main › H_MLP
⊢ʳ H_MLP : Real(1)  T-RHandler =
  ◇; x : Real(1) ⊢ ⌊0.1 · (x − 1)⌋ : Real(1)  T-Pure  -- return clause
    x : Real(1) ⊢ 0.1 · (x − 1) : Real(1)  T-Func =
      x : Real(1) ⊢ ⟨0.1, x − 1⟩ : Real(1) × Real(1)  T-Tuple ⋮ 5
      scale : Real(1) × Real(1) → Real(1) ∈ Σ
  ◇; x : Real(2) ⊢ let w ⇐ Get[ℓ0]() in … : Real(8) × (Real(16) × Real(2))  T-CLet ⋮ 11  -- FC[ℓ0], forward
  ◇; y : Real(8), z : Real(16) × Real(2) ⊢ let ⟨w, x⟩ ⇐ ⌊z⌋ in … : Real(2)  T-CLet ⋮ 26  -- FC[ℓ0], backward
  … 2 more
");
    check(&example("mlp"), "H_‸MLP(α", "
main › H_MLP
⊢ʳ H_MLP : Real(1)  T-RHandler =
  ◇; x : Real(1) ⊢ ⌊0.1 · (x − 1)⌋ : Real(1)  T-Pure  -- return clause
    x : Real(1) ⊢ 0.1 · (x − 1) : Real(1)  T-Func =
      x : Real(1) ⊢ ⟨0.1, x − 1⟩ : Real(1) × Real(1)  T-Tuple ⋮ 5
      scale : Real(1) × Real(1) → Real(1) ∈ Σ
  ◇; x : Real(2) ⊢ let w ⇐ Get[ℓ0]() in … : Real(8) × (Real(16) × Real(2))  T-CLet ⋮ 11  -- FC[ℓ0], forward
  ◇; y : Real(8), z : Real(16) × Real(2) ⊢ let ⟨w, x⟩ ⇐ ⌊z⌋ in … : Real(2)  T-CLet ⋮ 26  -- FC[ℓ0], backward
  ◇; x : Real(8) ⊢ let w ⇐ Get[ℓ1]() in … : Real(1) × (Real(8) × Real(8))  T-CLet ⋮ 11  -- FC[ℓ1], forward
  ◇; y : Real(1), z : Real(8) × Real(8) ⊢ let ⟨w, x⟩ ⇐ ⌊z⌋ in … : Real(8)  T-CLet ⋮ 26  -- FC[ℓ1], backward
");
}

#[test]
fn an_ordinary_handler_assumes_a_continuation() {
    check(
        &example("mlp"),
        "k ‸• (w",
        "
measure loss › handle … with H_infer › H_infer › FC[ℓ0] › k • (w ∗ x)
◇; Δ₁ ⊢ k • (w ∗ x) : Real(1)  T-Resume =
  Δ₁ ⊢ w ∗ x : Real(8)  T-Func =
    Δ₁ ⊢ ⟨w, x⟩ : Real(16) × Real(2)  T-Tuple
      Δ₁ ⊢ w : Real(16)  T-Var
        w : Real(16) ∈ Δ₁
      Δ₁ ⊢ x : Real(2)  T-Var ⋮ 0
    matmul[8, 2, 1] : Real(16) × Real(2) → Real(8) ∈ Σ
  k : Real(8) ⇝ Real(1) ∈ Δ₁
Δ₁ = w : Real(16), x : Real(2), k : Real(8) ⇝ Real(1)
",
    );
}

#[test]
fn what_has_no_derivation_is_said_and_the_nearest_is_offered() {
    let mlp = example("mlp");
    let said = |part: &str| {
        let missing = at(&mlp, part).unwrap_err();
        let nearest = missing.nearest.map(|nearest| nearest.label);
        (missing.message, nearest.unwrap_or_default())
    };
    let near = |message: &str, nearest: &str| (message.to_owned(), nearest.to_owned());
    let dimension = "A dimension is a number, which has no derivation.";
    assert_eq!(said("dim n_‸in"), near(dimension, "command R_MLP"));
    let comment = "A comment has no type.";
    assert_eq!(said("-- Multi‸layer"), near(comment, "command R_MLP"));
    let data = "Data are values that stand for names: they are not derived here.";
    assert_eq!(said("[⟨[0, ‸0]"), near(data, "train xor"));
    let unused =
        "Nothing is handled with this handler, so its clauses have no types to be derived at.";
    let source = "handler H : Real(1) { x ↦ ⌊x⌋ }\nmain = ⌊1⌋";
    assert_eq!(at(source, "x ↦ ‸⌊x⌋").unwrap_err().message, unused);
    let mistaken = at("main = ⌊x⌋", "⌊‸x").unwrap_err();
    assert!(mistaken.message.contains("mistakes"), "{mistaken:?}");
}

#[test]
fn a_clause_that_nothing_reaches_leads_to_its_handler() {
    let source = "op A : Real(1) ▷ Real(1)\nhandler H : Real(1) { x ↦ ⌊x⌋\n  A ( x ↦ ⌊⟨x, x⟩⌋ | y, z ↦ ⌊y + z⌋ ) }\n\
                  main = rev handle(1)⟨x⟩. ⌊x⌋ with H";
    let shown = at(source, "⌊y ‸+ z⌋").unwrap();
    assert_eq!(shown.tree.rule, "T-RHandler");
    assert!(shown.note.unwrap().contains("No operation reaches"));
}

/// The derivation of `main` of a source.
fn derived(source: &str) -> fletch_calculus::typing::Derivation {
    use fletch_calculus::typing::{Subject, command};
    let roots = fletch_elaborate::roots(&fletch_ide::check(source).program);
    let Subject::Command(main) = &roots[0].subject else {
        panic!("main is a command");
    };
    command(&roots[0].environment, main).unwrap()
}

/// Number of side conditions of a rule in its figure.
fn beside(rule: &str) -> usize {
    match rule {
        "T-Var" | "T-Const" | "T-Func" | "T-Proj" | "T-Op" | "T-Resume" => 1,
        _ => 0,
    }
}

/// Number of premises of a rule that are judgements; `None` if it varies.
fn above(rule: &str) -> Option<usize> {
    match rule {
        "T-Var" | "T-Const" => Some(0),
        "T-Func" | "T-Proj" | "T-Pure" | "T-Op" | "T-Resume" => Some(1),
        "T-Plus" | "T-Let" | "T-CLet" | "T-Handle" => Some(2),
        "T-RD" | "T-RHandle" => Some(3),
        _ => None,
    }
}

fn names() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let files = fs::read_dir(folder).unwrap().flatten();
    let files = files.map(|entry| entry.file_name().into_string().unwrap());
    let mut names: Vec<String> = files
        .filter_map(|name| Some(name.strip_suffix(".fletch")?.to_owned()))
        .collect();
    names.sort();
    assert!(names.len() > 20);
    names
}

fn nodes<'n>(node: &'n Node, found: &mut Vec<&'n Node>) {
    found.push(node);
    node.premises.iter().for_each(|it| nodes(it, found));
}

/// Collects the paths of all judgements in a derivation.
fn paths(
    derivation: &fletch_calculus::typing::Derivation,
    path: &mut Vec<u32>,
    found: &mut Vec<Vec<u32>>,
) {
    found.push(path.clone());
    for (index, premise) in derivation.premises.iter().enumerate() {
        path.push(index as u32);
        paths(premise, path, found);
        path.pop();
    }
}

/// True if braces are balanced, LaTeX environments are closed, and the text is ASCII.
fn balanced(latex: &str) -> bool {
    let mut depth = 0_i32;
    let mut last = ' ';
    for letter in latex.chars() {
        match letter {
            '{' if last != '\\' => depth += 1,
            '}' if last != '\\' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
        last = if last == '\\' && letter == '\\' {
            ' '
        } else {
            letter
        };
    }
    let count = |text: &str| latex.matches(text).count();
    depth == 0
        && count("\\begin{array}") == count("\\end{array}")
        && latex.is_ascii()
        && count("\\begin{document}") == 1
}

fn holds(shown: &Shown, derivation: &fletch_calculus::typing::Derivation, name: &str) -> usize {
    let base: Vec<usize> = shown.place.path.iter().map(|it| *it as usize).collect();
    let mut found = Vec::new();
    nodes(&shown.tree, &mut found);
    for node in &found {
        let path: Vec<usize> = (base.iter().copied())
            .chain(node.path.iter().map(|it| *it as usize))
            .collect();
        let derived = derivation.at(&path).unwrap();
        let place = format!("{name} {path:?}");
        assert_eq!(node.rule, derived.rule.name(), "{place}");
        let ty = text(&node.judgement.ty);
        assert!(
            ty == derived.ty.to_string() || ty.ends_with(&format!("⇒ {}", derived.ty)),
            "{place}"
        );
        if !node.open {
            assert!(node.premises.is_empty() && node.side.is_empty(), "{place}");
            assert_eq!(node.left_out as usize, size(derived) - 1, "{place}");
            continue;
        }
        let premises = node.premises.len() + node.others as usize;
        assert_eq!(premises, derived.premises.len(), "{place}");
        assert_eq!(node.side.len(), beside(&node.rule), "{place}");
        assert!(
            above(&node.rule).is_none_or(|count| count == premises),
            "{place}"
        );
    }
    assert_eq!(shown.rules.0 as usize, found.len(), "{name}");
    assert!(balanced(&shown.latex), "{name}: {}", shown.latex);
    found.len()
}

fn size(derivation: &fletch_calculus::typing::Derivation) -> usize {
    1 + derivation.premises.iter().map(size).sum::<usize>()
}

#[test]
fn what_is_shown_is_what_the_rules_derive() {
    let mut seen = 0;
    for name in names() {
        let source = example(&name);
        let derivation = derived(&source);
        let mut session = load(&source);
        let mut all = Vec::new();
        paths(&derivation, &mut Vec::new(), &mut all);
        for path in all.into_iter().step_by(7) {
            let asked = Deriving {
                at: At::Place(Place {
                    root: 0,
                    path: path.clone(),
                }),
                ..Deriving::default()
            };
            let shown = ask(&mut session, asked).unwrap();
            assert_eq!(shown.place.path, path);
            let last = shown.around.last().unwrap();
            assert_eq!(last.place, shown.place, "the way ends at the thing itself");
            seen += holds(&shown, &derivation, &name);
        }
    }
    assert!(seen > 2000, "{seen}");
}

#[test]
fn every_place_of_every_example_has_an_answer() {
    let (mut shown, mut refused) = (0, 0);
    for name in names() {
        let source = example(&name);
        let mut session = load(&source);
        let units = source.encode_utf16().count() as u32;
        // Every third offset reaches nearly every word. The space varies with the offset.
        for offset in (0..=units).step_by(3) {
            let room = Room {
                columns: 30 + offset % 90,
                rows: 4 + offset % 24,
                outline: offset % 2 == 0,
            };
            let asked = Deriving {
                room,
                ..asking(offset)
            };
            match ask(&mut session, asked) {
                Ok(it) => {
                    shown += 1;
                    assert!(
                        it.tree.path.is_empty() && it.rules.0 <= 60,
                        "{name} {offset}"
                    );
                    let around = it.around.last().unwrap();
                    assert!(around.source.1 <= units, "{name} {offset}");
                }
                Err(missing) => {
                    refused += 1;
                    assert!(missing.nearest.is_some(), "{name} {offset}: {missing:?}");
                }
            }
        }
    }
    assert!(shown > 1000 && refused > 100, "{shown} {refused}");
}

#[test]
fn a_reader_opens_and_folds_and_goes_out_and_in() {
    let mlp = example("mlp");
    let mut session = load(&mlp);
    let bottom = Deriving {
        at: At::Place(Place::default()),
        ..Deriving::default()
    };
    let shown = ask(&mut session, bottom.clone()).unwrap();
    let handler = &shown.tree.premises[2];
    assert!(!handler.open && handler.left_out == 86);

    let opened = Deriving {
        opened: vec![Handle::Above(vec![2])],
        ..bottom.clone()
    };
    let shown = ask(&mut session, opened.clone()).unwrap();
    let handler = &shown.tree.premises[2];
    assert!(handler.open && handler.others == 0);
    let roles: Vec<_> = handler
        .premises
        .iter()
        .flat_map(|it| it.role.as_deref())
        .collect();
    let [forward, backward] = ["forward", "backward"];
    let clause = |operation: &str, half: &str| format!("{operation}, {half}");
    let expected = [
        "return clause".to_owned(),
        clause("FC[ℓ0]", forward),
        clause("FC[ℓ0]", backward),
        clause("FC[ℓ1]", forward),
        clause("FC[ℓ1]", backward),
    ];
    assert_eq!(roles, expected);

    // The premises of other clauses are left out until they are opened.
    let place = mlp.find("FC[ℓ ∷ (n, m)] ( x").unwrap();
    let clause = asking(mlp[..place].encode_utf16().count() as u32 + 1);
    let shown = ask(&mut session, clause.clone()).unwrap();
    assert_eq!((shown.tree.premises.len(), shown.tree.others), (3, 2));
    let all = Deriving {
        opened: vec![Handle::Others(vec![])],
        ..clause
    };
    let shown = ask(&mut session, all).unwrap();
    assert_eq!((shown.tree.premises.len(), shown.tree.others), (5, 0));

    let folded = Deriving {
        folded: vec![Handle::Above(vec![])],
        ..opened
    };
    let shown = ask(&mut session, folded).unwrap();
    assert!(!shown.tree.open && shown.rules == (1, 104));

    // One judgement is requested in full, then a derivation further inside.
    let selected = Deriving {
        selected: vec![1],
        ..bottom
    };
    let detail = ask(&mut session, selected).unwrap().detail;
    assert_eq!(
        (detail.rule.name.as_str(), detail.environment.len()),
        ("T-CLet", 1)
    );
    assert!(detail.subject.len() > 2, "all of the command");
    let inner = Deriving {
        at: At::Place(Place {
            root: 0,
            path: vec![2, 1],
        }),
        ..Deriving::default()
    };
    let shown = ask(&mut session, inner).unwrap();
    let around: Vec<_> = shown.around.iter().map(|it| it.label.as_str()).collect();
    assert_eq!(around, ["main", "H_MLP", "FC[ℓ0], forward"]);
    let nowhere = Deriving {
        at: At::Place(Place {
            root: 7,
            path: vec![9],
        }),
        ..Deriving::default()
    };
    assert!(ask(&mut session, nowhere).is_err());
}

#[test]
fn a_definition_that_is_used_twice_has_two_instances() {
    let source = "fun f(x : Real(1)) : Real(1) = x + x\nmain = ⌊f(f(2))⌋";
    let offset = source.find(" + x").unwrap() as u32;
    let mut session = load(source);
    let mut types = Vec::new();
    for instance in [0, 1, 9] {
        let at = At::Source {
            from: offset,
            to: offset,
            instance: Which::Number(instance),
        };
        let shown = ask(
            &mut session,
            Deriving {
                at,
                ..Deriving::default()
            },
        )
        .unwrap();
        let it = shown.instance.unwrap();
        types.push((it.number, it.count, shown.place.path.len()));
    }
    assert_eq!(types[0].1, 2);
    assert_eq!((types[1].0, types[2].0), (1, 1), "the last one there is");
    assert_ne!(types[0].2, types[1].2);
}
