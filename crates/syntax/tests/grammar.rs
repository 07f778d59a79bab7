//! Trees of programs: both spellings give the same tree, and precedence and the details of the language page give the
//! intended tree.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

use crate::common::{golden, parse_clean, tree, without_places};
use fletch_syntax::tree::{
    ArgumentValue, BinaryOperator, CommandKind, Dataset, IndexKind, ItemKind, Literal, Name,
    SizeKind, SymbolKind, SymbolRef, Term, TermKind,
};

/// Text of a term with all its parentheses.
fn shown(term: &Term) -> String {
    let list = |terms: &[Term]| terms.iter().map(shown).collect::<Vec<_>>().join(", ");
    match &term.node {
        TermKind::Variable(name) => name.text.to_string(),
        TermKind::Literal(Literal::Number(number)) => format!("{number}"),
        TermKind::Literal(literal) => format!("{literal:?}"),
        TermKind::Tuple(terms) => format!("⟨{}⟩", list(terms)),
        TermKind::Unit => "()".to_owned(),
        TermKind::Let(_, bound, body) => format!("(let {} in {})", shown(bound), shown(body)),
        TermKind::Binary(operator, left, right) => {
            let operator = match operator.node {
                BinaryOperator::Add => "+",
                BinaryOperator::Subtract => "−",
                BinaryOperator::Scale => "·",
                BinaryOperator::Multiply => "∗",
                BinaryOperator::Hadamard => "⊙",
                BinaryOperator::Divide => "/",
            };
            format!("({} {operator} {})", shown(left), shown(right))
        }
        TermKind::Negate(term) => format!("(−{})", shown(term)),
        TermKind::Transpose(term) => format!("{}ᵀ", shown(term)),
        TermKind::Projection(term, index) => format!("{}.{}", shown(term), index.node),
        TermKind::ReverseDerivative {
            cotangent,
            variable,
            body,
            point,
        } => {
            format!(
                "{}.rd({}. {})({})",
                shown(cotangent),
                variable.text,
                shown(body),
                shown(point)
            )
        }
        TermKind::Call(symbol, arguments) => {
            format!("{}({})", symbol_shown(symbol), list(arguments))
        }
        TermKind::Zero(_) => "zero".to_owned(),
        TermKind::Error => "error".to_owned(),
    }
}

fn symbol_shown(symbol: &SymbolRef) -> String {
    match &symbol.node {
        SymbolKind::Named(name, indices) if indices.is_empty() => name.text.to_string(),
        SymbolKind::Named(name, indices) => format!("{}[{}]", name.text, indices.len()),
        SymbolKind::Reverse(symbol) => format!("rd[{}]", symbol_shown(symbol)),
    }
}

fn term(source: &str) -> Term {
    let program = parse_clean(&format!("fun f(x : 1) = {source}"));
    match program.items.into_iter().next().unwrap().node {
        ItemKind::Fun(declaration) => declaration.body,
        other => panic!("{other:?}"),
    }
}

fn check(source: &str, expected: &str) {
    assert_eq!(shown(&term(source)), expected, "{source}");
}

#[test]
fn precedence() {
    check("a + b * c - d", "((a + (b ∗ c)) − d)");
    check("a * b .* c ** d / e", "((((a ∗ b) · c) ⊙ d) / e)");
    check("−x.1", "(−x.1)");
    check("-x * y", "((−x) ∗ y)");
    check("- - x", "(−(−x))");
    check("x^T * yᵀ", "(xᵀ ∗ yᵀ)");
    check("a - b - c", "((a − b) − c)");
    check("⟨M⟩", "M");
    check("(a + b) * c", "((a + b) ∗ c)");
    check("let x ← a in b + let_1", "(let a in (b + let_1))");
    check("(let x ← a in x) + y", "((let a in x) + y)");
    check(
        "let <a, b> <- let y <- c in y in a",
        "(let (let c in y) in a)",
    );
}

#[test]
fn numbers_in_brackets_carry_either_sign() {
    assert_eq!(
        tree("data d = [[+1, -2], [3, +0.5]] main = ⌊[+1, −2]⌋"),
        tree("data d = [[1, −2], [3, 0.5]] main = ⌊[1, -2]⌋")
    );
}

#[test]
fn numbers() {
    check("x - 1", "(x − 1)");
    check("x -1", "(x − 1)");
    check("-1 + x", "(-1 + x)");
    check("x * -1", "(x ∗ -1)");
    check("- -1", "(−-1)");
    check("1.*x", "(1 · x)");
    check("1 .* x", "(1 · x)");
    check("1.5.*x", "(1.5 · x)");
    check("1e3 + 2.5E-3 + 1e+2", "((1000 + 0.0025) + 100)");
    check("x.1.2", "x.1.2");
    check("x.1.2.3", "x.1.2.3");
    check("x. 1 . 2", "x.1.2");
    check("x.1.*y", "(x.1 · y)");
    check("1.rd(x. N)(L)", "1.rd(x. N)(L)");
    check("2.rd(x. 1.5)(L)", "2.rd(x. 1.5)(L)");
    check("-1.rd(x. N)(L)", "-1.rd(x. N)(L)");
    check("proj_2(x).1", "x.2.1");
}

#[test]
fn tuples_and_arrows_share_characters() {
    check("<-1, 2>", "⟨-1, 2⟩");
    check("let x <- <-1, -y> in <x>", "(let ⟨-1, (−y)⟩ in x)");
    check("let x <-<-1, 2> in x", "(let ⟨-1, 2⟩ in x)");
    check("f(<-1, 2>)", "f(⟨-1, 2⟩)");
    check("<<-1, 2>, <3, 4>>", "⟨⟨-1, 2⟩, ⟨3, 4⟩⟩");
    // `--` starts a comment at any position.
    check("f(<-- a comment\n-1, 2>)", "f(⟨-1, 2⟩)");
}

#[test]
fn symbols() {
    check("rd[swish](z, y)", "rd[swish](z, y)");
    check(
        "rd[rd[conv1d[n, m, c, c']]](z, y)",
        "rd[rd[conv1d[4]]](z, y)",
    );
    check("cols[b, swish](x)", "cols[2](x)");
    check("f()", "f()");
    check("f(()) + ()", "(f(()) + ())");
}

#[test]
fn comments_and_names() {
    check("x {- {- -- -} \" -} + y -- z", "(x + y)");
    check("x--y", "x");
    check("x₁ + x' + x′ + ℓ0 + Σ", "((((x₁ + x') + x′) + ℓ0) + Σ)");
    check("_x + proj_x + letx", "((_x + proj_x) + letx)");
    // A letter with a combining mark equals the composed letter.
    assert_eq!(shown(&term("e\u{301}")), shown(&term("\u{e9}")));
}

#[test]
fn indices_keep_what_is_known() {
    let TermKind::Call(symbol, _) = term("f[n, 2, n + 1, (n), rd[g], velocity[ℓ]](x)").node
    else {
        panic!("no call")
    };
    let SymbolKind::Named(_, indices) = symbol.node else {
        panic!("no name")
    };
    let kinds: Vec<&str> = indices
        .iter()
        .map(|index| match &index.node {
            IndexKind::Name(_, arguments) if arguments.is_empty() => "name",
            IndexKind::Name(..) => "instance",
            IndexKind::Size(_) => "size",
            IndexKind::Symbol(_) => "symbol",
        })
        .collect();
    assert_eq!(
        kinds,
        ["name", "size", "size", "size", "symbol", "instance"]
    );
}

#[test]
fn generators_and_data() {
    let program = parse_clean(
        "data a = [[1, 2], [3, 4]] data b = [1, 2] data c = moons(n: 200, 0.1, -0.5, 1 + i, n)
         data d : Real(2) × Real(1) = csv(\"x y.csv\") data e = xor
         data f = join(shuffle(a, seed: 1), [1]) data g = take",
    );
    let datasets: Vec<&Dataset> = program
        .items
        .iter()
        .map(|item| match &item.node {
            ItemKind::Data(data) => &data.dataset,
            other => panic!("{other:?}"),
        })
        .collect();
    let [
        Dataset::Samples(a),
        Dataset::Samples(b),
        Dataset::Generator(c),
        Dataset::Csv(d),
        Dataset::Generator(e),
        Dataset::Combined(f),
        Dataset::Generator(g),
    ] = datasets[..]
    else {
        panic!("{datasets:?}")
    };
    assert_eq!(
        a[1].node,
        TermKind::Literal(Literal::Vector(vec![3.0, 4.0]))
    );
    assert_eq!(b[1].node, TermKind::Literal(Literal::Number(2.0)));
    assert_eq!(d.node, "x y.csv");
    assert!(e.arguments.is_empty());
    let [first, second] = &f.of[..] else {
        panic!("{f:?}")
    };
    assert!(
        matches!(&first.node, Dataset::Combined(shuffled) if shuffled.call.arguments.len() == 1)
    );
    assert!(matches!(&second.node, Dataset::Samples(one) if one.len() == 1));
    // A combinator's name without arguments is an ordinary name.
    assert_eq!(&*g.name.text, "take");
    let values: Vec<String> = c
        .arguments
        .iter()
        .map(|argument| match &argument.value.node {
            ArgumentValue::Number(number) => number.to_string(),
            ArgumentValue::Size(size) => match &size.node {
                SizeKind::Add(..) => "sum".to_owned(),
                SizeKind::Name(Name { text, .. }) => text.to_string(),
                other => format!("{other:?}"),
            },
        })
        .collect();
    assert_eq!(values, ["200", "0.1", "-0.5", "sum", "n"]);
}

#[test]
fn bodies_extend_to_their_with() {
    let program = parse_clean(
        "main = rev handle(x)⟨y⟩. let z ⇐ iterate[i : 3](y)⟨h⟩. R(h) in handle S(z) with H with K(1)",
    );
    let ItemKind::Main(command) = &program.items[0].node else {
        panic!("no main")
    };
    let CommandKind::RevHandle { body, .. } = &command.node else {
        panic!("{command:?}")
    };
    let CommandKind::Let(_, bound, rest) = &body.node else {
        panic!("{body:?}")
    };
    assert!(matches!(bound.node, CommandKind::Iterate { .. }));
    assert!(matches!(rest.node, CommandKind::Handle { .. }));
}

#[test]
fn feedback_begins_a_command_before_brackets_an_argument_and_a_binder() {
    let command = |source: &str| {
        let program = parse_clean(source);
        let ItemKind::Main(command) = &program.items[0].node else {
            panic!("no main")
        };
        command.node.clone()
    };
    let loops = ["⟨s, x⟩", "<s, x>", "⟨⟨a, b⟩, _⟩"];
    for binder in loops {
        let source = format!("main = feedback[n + 1](s, xs){binder}. let y ⇐ P() in R(y)");
        let CommandKind::Feedback { patterns, body, .. } = command(&source) else {
            panic!("{source}")
        };
        assert_eq!(patterns.len(), 2);
        assert!(matches!(body.node, CommandKind::Let(..)));
    }
    for call in ["feedback(x)", "feedback[3](x)", "feedback[ℓ, 3]()"] {
        let source = format!("main = {call}");
        assert!(
            matches!(command(&source), CommandKind::Call { .. }),
            "{source}"
        );
    }
    assert!(matches!(
        command("main = let feedback ⇐ feedback(1) in ⌊feedback⌋"),
        CommandKind::Let(..)
    ));
}

/// `−1` is a literal, and the argument of `•` is any postfix term.
#[test]
fn a_continuation_is_resumed_with_a_postfix() {
    let resumed = |argument: &str| {
        let source = format!("handler H : 1 ⇒ 1 {{ x ↦ ⌊x⌋ O, k; x ↦ k • {argument} }}");
        tree(&source)
    };
    for argument in ["−1ᵀ", "−1", "x.1ᵀ", "1.rd(y. y)(x)"] {
        assert_eq!(resumed(argument), resumed(&format!("({argument})")));
    }
}

#[test]
fn ascii_spellings_give_the_same_tree() {
    let example = (
        "example".to_owned(),
        include_str!("example.fletch").to_owned(),
    );
    let more = (
        "more".to_owned(),
        "dim n = 3, m = ⌈(n + 1)/2⌉ op O[n] : Real(n × m) × 1 ▷ Real(n) × Real(m)
         fun f(x : Real(2)) = let ⟨a, b⟩ ← ⟨−x, −1⟩ in a · b ⊙ aᵀ ∗ b − ⟨−1, 2⟩.1
         main = handle R() with { x ↦ ⌊x⌋ O[n], k; x ↦ k • (x − x) }"
            .to_owned(),
    );
    for (name, source) in golden().into_iter().chain([example, more]) {
        let mut ascii = source.clone();
        for (ascii_token, unicode) in fletch_syntax::spellings() {
            ascii = ascii.replace(unicode, ascii_token);
        }
        for (word, open, close) in fletch_syntax::wrappers() {
            ascii = ascii.replace(open, &format!("{word}(")).replace(close, ")");
        }
        assert_eq!(tree(&source), tree(&ascii), "{name}");
        let commas = source.replace(" × m)", ", m)").replace('×', "*");
        assert_eq!(tree(&source), tree(&commas), "{name}");
    }
}

#[test]
fn broken_declarations_keep_their_names() {
    let source = "command R(x : 1) = ⌊x + ⌋ command S(x : 1) = let y ⇐\nhandler H : 1 { x ↦ ⌊x }
                  data d = [\nloc l ∷ (2) = [\nmain = R()";
    let (program, diagnostics) = fletch_syntax::parse(source, crate::common::SYMBOLS);
    assert_eq!(program.items.len(), 6, "{program:#?}");
    assert_eq!(
        diagnostics.len(),
        5,
        "{}",
        crate::common::render(source, &diagnostics)
    );
}

#[test]
fn recovers_to_the_intended_tree() {
    for (wrong, right) in [
        ("main = x + y", "main = ⌊x + y⌋"),
        ("main = let x ← R() in ⌊x⌋", "main = let x ⇐ R() in ⌊x⌋"),
        ("main = let x = y + 1 in x", "main = let x ⇐ ⌊y + 1⌋ in ⌊x⌋"),
        ("main = let x ← y + 1 in x", "main = ⌊let x ← y + 1 in x⌋"),
        ("main = ⌊let x ⇐ ⌊y⌋ in ⌊x⌋⌋", "main = ⌊let x ← y in x⌋"),
        ("main = ⌊f(x, y⌋", "main = ⌊f(x, y)⌋"),
        ("main = let x ⇐ R() ⌊x⌋", "main = let x ⇐ R() in ⌊x⌋"),
        ("main = handle R() H", "main = handle R() with H"),
        ("main = ⌊x ⋅ y – 〈a, x’〉⌋", "main = ⌊x · y − ⟨a, x'⟩⌋"),
        ("dim data = 3", "dim data = 3"),
    ] {
        let (program, diagnostics) = fletch_syntax::parse(wrong, crate::common::SYMBOLS);
        assert!(!diagnostics.is_empty(), "{wrong}");
        let (meant, _) = fletch_syntax::parse(right, crate::common::SYMBOLS);
        assert_eq!(without_places(&program), without_places(&meant), "{wrong}");
    }
}
