//! Functions of the program in place of function symbols: `rows[f]`, `cols[f]`, `rd[f]` equal calls of f and derivatives of
//! calls, at every order, in every engine.

use fletch_runs::{Engine, Precision};
use fletch_smooth::Partiality;
use fletch_tests::must_check;
use fletch_trace::Budget;

const FUNCTIONS: &str = "
fun standard[n](x : Real(n)) : Real(n) =
  let c ← x − broadcast[n](mean(x)) in c / broadcast[n](sqrt(mean(square(c)) + 0.1))
fun energy(p : Real(2) × Real(1)) : Real(1) = let ⟨x, y⟩ ← p in y ⊙ half_sq(x − [0.5, −0.25])
fun force(x : Real(2)) : Real(2) = 1.rd(z. sum(tanh(z) ⊙ z))(x) + [1, 2]
fun twice(x : Real(2 × 2)) : Real(2 × 2) = rows[force](cols[2, force](x))
";

/// Returns the entries of the value of a term, by each of these engines.
fn values(term: &str, engines: &[Engine]) -> Vec<Vec<f64>> {
    let source = format!("{FUNCTIONS}main = ⌊{term}⌋");
    let main = must_check(&source);
    let value = |engine: &Engine| {
        let budget = Budget::steps(100_000);
        let run = fletch_runs::run_by(*engine, &main.program, Partiality::Paper, budget).unwrap();
        let fletch_runs::Outcome::Value(value) = &run.outcome else {
            let index = fletch_ide::check(&source).index;
            panic!("{term}: {}", run.json(&main.program, &index)["error"]);
        };
        let tensors = value.tensors().into_iter();
        tensors.flat_map(|tensor| tensor.data().to_vec()).collect()
    };
    engines.iter().map(value).collect()
}

/// Checks that both terms have the same value, up to rounding. `written_out` is evaluated by its denotation only, because its
/// second derivatives are too large for steps.
fn agree(term: &str, written_out: &str) {
    let engines = [
        Engine::Step { shortcuts: false },
        Engine::Step { shortcuts: true },
        Engine::Denotation,
        Engine::Compiled(Precision::Double),
    ];
    let expected = values(written_out, &[Engine::Denotation]).concat();
    for found in values(term, &engines) {
        assert_eq!(found.len(), expected.len(), "{term}");
        for (found, expected) in found.iter().zip(&expected) {
            let close = (found - expected).abs() <= 1e-12 * (1.0 + expected.abs());
            assert!(close, "{term}: {found}, not {expected}");
        }
    }
}

#[test]
fn it_is_applied_to_each_row_and_column() {
    agree(
        "rows[standard]([[1, 2, 4], [0.5, −1, 3]])",
        "⟨standard([1, 2, 4]), standard([0.5, −1, 3])⟩",
    );
    agree(
        "transpose[2, 3](cols[standard]([[1, 0.5, 2], [2, −1, 2.5]]))",
        "⟨standard([1, 2]), standard([0.5, −1]), standard([2, 2.5])⟩",
    );
    agree(
        "rows[2, energy](⟨[[1, 2], [3, 4]], [[0.5], [−1.5]]⟩)",
        "⟨energy(⟨[1, 2], 0.5⟩), energy(⟨[3, 4], −1.5⟩)⟩",
    );
    agree(
        "rows[1, twice]([[1, 2, 3, 4]])",
        "let y ← ⟨force([1, 3]), force([2, 4])⟩ in
         ⟨force(concat[1, 1, 1](slice[0, 1](y.1), slice[0, 1](y.2))), force(concat[1, 1, 1](slice[1, 1](y.1), slice[1, 1](y.2)))⟩",
    );
}

#[test]
fn it_is_differentiated_at_every_order() {
    agree(
        "rd[force]([1, 2], [0.5, −1])",
        "[0.5, −1].rd(x. force(x))([1, 2])",
    );
    agree(
        "rd[rd[energy]](⟨⟨⟨[1, 2], 0.5⟩, 3⟩, ⟨[0.1, 0.2], 0.3⟩⟩)",
        "⟨[0.1, 0.2], 0.3⟩.rd(q. q.2.rd(p. energy(p))(q.1))(⟨⟨[1, 2], 0.5⟩, 3⟩)",
    );
    agree(
        "rows[rd[standard]]([[1, 2, 4], [0.5, −1, 3]], [[1, 0, 2], [3, 1, 1]])",
        "⟨[1, 0, 2].rd(x. standard(x))([1, 2, 4]), [3, 1, 1].rd(x. standard(x))([0.5, −1, 3])⟩",
    );
    agree(
        "[[1, 0, 2], [3, 1, 1]].rd(x. rows[standard](x))([[1, 2, 4], [0.5, −1, 3]])",
        "⟨[1, 0, 2].rd(x. standard(x))([1, 2, 4]), [3, 1, 1].rd(x. standard(x))([0.5, −1, 3])⟩",
    );
}

/// Checks that an error inside a function is reported for the function, at its use.
#[test]
fn its_domain_is_that_of_its_body() {
    let source = "fun f(x : Real(1)) = log(x)\nmain = ⌊rows[f]([[1], [−1]])⌋";
    let index = fletch_ide::check(source).index;
    let program = must_check(source).program;
    let run = fletch_runs::run(&program, Partiality::Paper, 100);
    let said = run.json(&program, &index)["error"].to_string();
    assert!(said.contains("rows[2, f]"), "{said}");
    assert!(said.contains("log is not defined"), "{said}");
}
