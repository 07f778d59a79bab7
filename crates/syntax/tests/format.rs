//! Layout of every construct, and of comments at every position, as text before and after
//! formatting.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use crate::common::golden;
use fletch_syntax::{LineIndex, Spelling, format, notes};

fn formatted(source: &str, spelling: Spelling) -> String {
    format(source, spelling, crate::common::SYMBOLS)
        .unwrap_or_else(|errors| panic!("{source}\n{errors:#?}"))
}

/// Checks that `source` is formatted as `expected`, and that formatting `expected` changes nothing.
fn check(source: &str, expected: &str) {
    let result = formatted(source, Spelling::Unicode);
    assert_eq!(result, expected, "\n{result}");
    assert_eq!(formatted(expected, Spelling::Unicode), expected);
}

/// Checks that formatting changes nothing.
fn stays(source: &str) {
    check(source, source);
}

#[test]
fn the_example_of_the_language_page_is_laid_out() {
    stays(include_str!("example.fletch"));
}

#[test]
fn the_examples_are_laid_out() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path
            .extension()
            .is_some_and(|extension| extension == "fletch")
        {
            stays(&std::fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn golden_programs_stay_what_they_are_in_both_spellings() {
    for (name, source) in golden() {
        let unicode = formatted(&source, Spelling::Unicode);
        let ascii = formatted(&source, Spelling::Ascii);
        assert_eq!(formatted(&unicode, Spelling::Unicode), unicode, "{name}");
        assert_eq!(formatted(&ascii, Spelling::Ascii), ascii, "{name}");
        assert_eq!(formatted(&ascii, Spelling::Unicode), unicode, "{name}");
        let (own, _) = ascii.split_once("loc ").unwrap();
        assert!(own.is_ascii(), "{name}");
    }
}

#[test]
fn declarations() {
    check(
        "dim n=2 ,m = \u{2308}(n+1)/2\u{2309},k=n*m-1",
        "dim n = 2, m = ⌈(n + 1)/2⌉, k = n * m - 1\n",
    );
    check(
        "loc a[i,l::(n,2)]::(n , m)=he( seed :1+i )",
        "loc a[i, l ∷ (n, 2)] ∷ (n, m) = he(seed: 1 + i)\n",
    );
    check("loc a∷(2)=[ 1,-2 ]", "loc a ∷ (2) = [1, −2]\n");
    check(
        "op FC[b,l::(n,m)]:Real(n*b,2)*1|>Real(m)",
        "op FC[b, l ∷ (n, m)] : Real(n * b × 2) × 1 ▷ Real(m)\n",
    );
    check(
        "fun f [n](x:Real(n) ,y:1):(1×1)×1=-x",
        "fun f[n](x : Real(n), y : 1) : (1 × 1) × 1 = −x\n",
    );
    check("command R( ):1=pure( () )", "command R() : 1 = ⌊()⌋\n");
    check(
        "handler H ( ):1=>1 extends G [n](1),K{}",
        "handler H() : 1 ⇒ 1 extends G[n](1), K {}\n",
    );
    check("data d:Real(1)=[1 ,2]", "data d : Real(1) = [1, 2]\n");
    check(
        "data d=csv ( \"a  b.csv\" )",
        "data d = csv(\"a  b.csv\")\n",
    );
    check(
        "data d = xor( ) data e=xor",
        "data d = xor()\ndata e = xor\n",
    );
    check(
        "data d=join( take(e ,2),csv( \"a.csv\" )) data f=noise( d,n:4,seed :1)",
        "data d = join(take(e, 2), csv(\"a.csv\"))\ndata f = noise(d, n: 4, seed: 1)\n",
    );
    check(
        "train d by n*2 as<x,_>for 3 epochs=R(x)",
        "train d by n * 2 as ⟨x, _⟩ for 3 epochs = R(x)\n",
    );
    check("measure m on d as x=R( x )", "measure m on d as x = R(x)\n");
    check(
        "predict p(x:Real(2))=R(x)",
        "predict p(x : Real(2)) = R(x)\n",
    );
}

#[test]
fn terms() {
    let check = |before: &str, after: &str| {
        check(
            &format!("fun f(x : 1) = {before}"),
            &format!("fun f(x : 1) = {after}\n"),
        );
    };
    check("a+b*c .* d**e/f-g", "a + b ∗ c · d ⊙ e / f − g");
    check("x^T.1 .2.rd( y.y+1 )( z ).3", "xᵀ.1.2.rd(y. y + 1)(z).3");
    check("rd[ rd[conv1d[n ,m]] ](a ,b)", "rd[rd[conv1d[n, m]]](a, b)");
    check(
        "cols[b,swish](zero[n+1])+proj_2( ( x ) )",
        "cols[b, swish](zero[n + 1]) + proj_2((x))",
    );
    check("< a,<b> >.1", "⟨a, ⟨b⟩⟩.1");
    check("( (a) )*(( ))", "((a)) ∗ (())");
    check("-a- -b - -1", "−a − −b − −1");
    check(
        "let <x,y> <- a in let z<-b in c",
        "let ⟨x, y⟩ ← a in let z ← b in c",
    );
    check("[[1,2.50],[-1e-3,007]]", "[[1, 2.50], [−1e-3, 007]]");
}

#[test]
fn numbers_keep_apart_from_projections() {
    // A space separates `.2` from a literal, because `1.2` is one number.
    stays("fun f(x : 1) = 1 .2 + x.1.2 + 1.5 .2 + y.rd(x. 1 .2)(1).3\n");
}

#[test]
fn ascii_spellings_are_read_as_they_are_meant() {
    for (unicode, ascii) in [
        ("fun f(x : 1) = −−x − −1", "fun f(x : 1) = - -x - -1"),
        (
            "fun f(x : 1) = ⟨−1, x⟩ · 1 · x",
            "fun f(x : 1) = <-1, x> .* 1 .* x",
        ),
        (
            "fun f(x : 1) = let y ← ⟨−1, −x⟩ in yᵀ ∗ y",
            "fun f(x : 1) = let y <- <-1, -x> in y^T * y",
        ),
        (
            "fun f(x : Real(m × n * 2)) = x",
            "fun f(x : Real(m, n * 2)) = x",
        ),
        (
            "op O : 1 × Real(⌈n/2⌉) ▷ 1",
            "op O : 1 * Real(ceil(n/2)) |> 1",
        ),
        (
            "main = handle P() with { x ↦ ⌊x⌋ }",
            "main = handle P() with { x |-> pure(x) }",
        ),
    ] {
        let (unicode, ascii) = (format!("{unicode}\n"), format!("{ascii}\n"));
        assert_eq!(formatted(&unicode, Spelling::Ascii), ascii);
        assert_eq!(formatted(&ascii, Spelling::Unicode), unicode);
    }
}

#[test]
fn lets_are_on_lines_of_their_own() {
    stays("main = let x ⇐ P() in ⌊x⌋\n");
    stays("main = let x ⇐ P() in let y ⇐ Q() in ⌊x⌋\n");
    stays("main = let x ⇐ P() in\n       ⌊x⌋\n");
    check(
        "main = let x ⇐ P() in let y ⇐ Q() in let z ⇐ R() in ⌊x⌋",
        "main = let x ⇐ P() in
       let y ⇐ Q() in
       let z ⇐ R() in
       ⌊x⌋
",
    );
    check(
        "command C() = let x ⇐ P() in\n\n\n let y ⇐ Q() in ⌊x⌋",
        "command C() =
  let x ⇐ P() in

  let y ⇐ Q() in
  ⌊x⌋
",
    );
    check(
        "fun f(x : 1) = let y ← a_function_with_a_name(x, and_with_arguments, of_some_length) in a_function_with_a_name(x, y)",
        "fun f(x : 1) =
  let y ← a_function_with_a_name(x, and_with_arguments, of_some_length) in
  a_function_with_a_name(x, y)
",
    );
}

#[test]
fn handled_commands_break_before_with_and_then_behind_the_binder() {
    stays("main = rev handle(v)⟨x⟩. let y ⇐ P(x) in Q(y) with H(0.1, t)\n");
    check(
        "main = rev handle([0.8, 0.2, -0.5, -0.9])<x_in>. a_command(x_in) with a_handler(0.1, [0.8, 0.2, -0.5, -0.9])",
        "main = rev handle([0.8, 0.2, −0.5, −0.9])⟨x_in⟩. a_command(x_in)
       with a_handler(0.1, [0.8, 0.2, −0.5, −0.9])
",
    );
    check(
        "main = handle let x ⇐ P() in\n ⌊x⌋ with H",
        "main = handle
         let x ⇐ P() in
         ⌊x⌋
       with H
",
    );
    check(
        "main = let y ⇐ iterate[ i:3 ](x)<h>.\n Block[i](h) in handle P() with { x ↦ ⌊x⌋ O, k ; x ↦ k • x }",
        "main = let y ⇐ iterate[i : 3](x)⟨h⟩. Block[i](h) in
       handle P() with {
         x ↦ ⌊x⌋
         O, k; x ↦ k • x
       }
",
    );
}

#[test]
fn a_feedback_is_laid_out_as_an_iterate() {
    check(
        "main = feedback[ time ](s,xs)<s,x>.\n R(s,x)",
        "main = feedback[time](s, xs)⟨s, x⟩. R(s, x)\n",
    );
    check(
        "main = feedback[time](start, x_in)⟨h, x⟩. let u ⇐ Get[u]() in let w ⇐ Get[w]() in ⌊tanh(w ∗ h + u ∗ x)⌋",
        "main = feedback[time](start, x_in)⟨h, x⟩.
         let u ⇐ Get[u]() in let w ⇐ Get[w]() in ⌊tanh(w ∗ h + u ∗ x)⌋
",
    );
}

#[test]
fn arrows_of_a_reverse_clause_are_in_one_column() {
    check(
        "handler H : 1 { x ↦ ⌊x⌋ O(x↦⌊⟨x,()⟩⌋|y,_↦⌊y⌋) FC[l] ( x ↦ P(x)\n| y,<w,x> ↦ let a ⇐ P() in\n⌊a⌋ ) }",
        "handler H : 1 {
  x ↦ ⌊x⌋
  O ( x ↦ ⌊⟨x, ()⟩⌋ | y, _ ↦ ⌊y⌋ )
  FC[l] ( x         ↦ P(x)
        | y, ⟨w, x⟩ ↦ let a ⇐ P() in
                      ⌊a⌋ )
}
",
    );
    // Without room after a long head, the halves go below it.
    check(
        "handler H : 1 { U[n, ℓ ∷ (3, c, c'), ℓ' ∷ (1, c + c', c), ℓ'' ∷ (3, c, c)] ( ⟨x, y⟩ ↦ P(x) | y, z ↦ a_longer_command(y) ) x ↦ ⌊x⌋ }",
        "handler H : 1 {
  U[n, ℓ ∷ (3, c, c'), ℓ' ∷ (1, c + c', c), ℓ'' ∷ (3, c, c)]
    ( ⟨x, y⟩ ↦ P(x) | y, z ↦ a_longer_command(y) )
  x ↦ ⌊x⌋
}
",
    );
}

#[test]
fn long_lists_break() {
    let numbers = ["0.125"; 20].join(",");
    check(
        &format!("loc l ∷ (20) = [{numbers}]"),
        "loc l ∷ (20) = [0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125,
                0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125]
",
    );
    let row = format!("[{}]", ["0.125"; 8].join(", "));
    check(
        &format!("loc l ∷ (8, 2) = [{row},{row}]"),
        &format!("loc l ∷ (8, 2) = [{row},\n                  {row}]\n"),
    );
    check(
        "main = ⌊a_function_with_a_good_name(and_its_first_argument, and_its_second_argument, and_its_third_one)⌋",
        "main =
  ⌊a_function_with_a_good_name(and_its_first_argument, and_its_second_argument, and_its_third_one)⌋
",
    );
    check(
        "main = ⌊a_function_with_a_longer_name(and_its_first_argument, and_its_second_argument, and_its_third_one)⌋",
        "main =
  ⌊a_function_with_a_longer_name(
     and_its_first_argument,
     and_its_second_argument,
     and_its_third_one)⌋
",
    );
    let sum = ["a_function(of_a_variable)"; 4].join(" + ");
    check(
        &format!("fun f(x : 1) = {sum}"),
        &format!("fun f(x : 1) =\n  {}\n", sum.replace(" +", "\n  +")),
    );
}

#[test]
fn locations_below_one_another_are_aligned() {
    check(
        "loc a∷(n)=zeros loc b[i]∷(n,m)=he(seed: 1)\nloc c ∷ (n)\n\nloc d ∷ (2, 2) = zeros\n-- apart\nloc e ∷ (2) = zeros",
        "loc a ∷ (n)       = zeros
loc b[i] ∷ (n, m) = he(seed: 1)
loc c ∷ (n)

loc d ∷ (2, 2) = zeros
-- apart
loc e ∷ (2) = zeros
",
    );
    // A comment inside a declaration is not between it and the next declaration.
    check(
        "loc a {- here -} ∷\n(n)\n= zeros\nloc b ∷ (n, m) = zeros",
        "loc a {- here -} ∷ (n) = zeros
loc b ∷ (n, m)         = zeros
",
    );
}

#[test]
fn blank_lines_collapse_and_tall_declarations_stand_apart() {
    check(
        "\n\n\ndim n = 1\n\n\n\ndim m = 2\ndim k = 3\n\n",
        "dim n = 1\n\ndim m = 2\ndim k = 3\n",
    );
    let tall = |name: &str| format!("command {name}() =\n  let x ⇐ P() in\n  ⌊x⌋\n");
    let (one, two) = (tall("A"), tall("B"));
    check(
        &format!("{one}{two}dim n = 1\n{one}"),
        &format!("{one}\n{two}dim n = 1\n{one}"),
    );
    check(
        &format!("{one}-- of B\n{two}"),
        &format!("{one}\n-- of B\n{two}"),
    );
    check(
        &format!("{one}-- of A\n\n{two}"),
        &format!("{one}-- of A\n\n{two}"),
    );
    check("", "");
    check(" \n\t\r\n", "");
    check(
        "\u{feff}dim n = 1\r\ndim m = 2\r\n",
        "dim n = 1\ndim m = 2\n",
    );
}

#[test]
fn comments_stay_where_they_are() {
    stays(
        "-- A header.
--
--   indented

{- of the whole
     file -}

-- of n
dim n = 1, m = 2 -- behind
{- before -} dim k = 3 {- behind -} -- both
-- alone

command R({- of x -} x : 1, y : 1 {- of y -}) : 1 =
  -- of the command
  let x ⇐ P() in -- of the first
  -- of the second

  -- and more
  let y ⇐
    Q( -- of the arguments
      x,
      -- of y
      y -- last
    ) in
  {- the result -} ⌊x {- inside -} + y⌋

handler H : 1 { -- of the handler
  -- of the clause
  x ↦ ⌊x⌋ -- behind the clause

  O ( x    ↦ P(x) -- forward
    -- backward
    | y, z ↦ -- below
      Q(y) ) -- done
  -- no more
}

handler E : 1 { -- nothing
}
-- the end
",
    );
    check("-- only a comment", "-- only a comment\n");
    check("dim n = 1 -- no line break", "dim n = 1 -- no line break\n");
    check(
        "pure = 1"
            .replace("pure", "main")
            .replace('1', "pure {- a -} ( {- b -} 1 {- c -} )")
            .as_str(),
        "main = ⌊{- a -} {- b -} 1 {- c -}⌋\n",
    );
}

/// Formatting keeps a step note above the line that it belongs to.
#[test]
fn step_notes_stay_above_what_they_are_for() {
    let source = "command R(x : Real(1)) : Real(1) = let y ⇐\n --:  First.\n--: Then.\nFC[ℓ](x) in\n\n\n --: Last.\n ⌊y⌋\n";
    let said = |source: &str| -> Vec<(String, String)> {
        let lines: Vec<&str> = source.lines().collect();
        let found = notes(source, &LineIndex::new(source));
        let first = |line: u32| lines[line as usize - 1].trim().chars().take(3).collect();
        found
            .into_iter()
            .map(|note| (first(note.line), note.text))
            .collect()
    };
    let expected = [("FC[", "First.\nThen."), ("⌊y⌋", "Last.")];
    let expected = expected.map(|(line, text)| (line.to_owned(), text.to_owned()));
    assert_eq!(said(source), expected);
    for spelling in [Spelling::Unicode, Spelling::Ascii] {
        let formatted = formatted(source, spelling);
        let texts: Vec<String> = said(&formatted).into_iter().map(|(_, text)| text).collect();
        assert_eq!(texts, ["First.\nThen.", "Last."], "{formatted}");
    }
    assert_eq!(said(&formatted(source, Spelling::Unicode)), expected);
}

#[test]
fn what_does_not_parse_is_rejected_with_the_diagnostics_of_the_parser() {
    for source in [
        "main = ⌊x",
        "main = x",
        "dim n = {- open",
        &" ".repeat((16 << 20) + 1),
    ] {
        let (_, diagnostics) = fletch_syntax::parse(source, crate::common::SYMBOLS);
        assert_eq!(
            format(source, Spelling::Unicode, crate::common::SYMBOLS),
            Err(diagnostics)
        );
    }
}
