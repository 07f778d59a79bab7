//! The engine compared with the denotation of programs: values, heaps and domains are the same, whatever a plan removes, shares or moves.

use fletch_arrows::{Arrow, Fault, Stopped, evaluate};
use fletch_calculus::{Program, Tensor};
use fletch_engine::{Line, Plan, Precision, Reference, Refused, Wanted, looped, lower_keeping};
use fletch_smooth::{Partiality, Value};
use fletch_tests::nested::nested;
use fletch_tests::random::{Case, checked, for_all};
use fletch_tests::{examples, generate, golden, programs};

/// True if numbers are equal up to 1e-12 of the largest number.
fn close(found: &[f64], expected: &[f64]) -> bool {
    let largest = |most: f64, entry: &f64| most.max(entry.abs());
    let scale = expected.iter().filter(|entry| entry.is_finite());
    let scale = scale.fold(1.0, largest);
    let same = |(x, y): (&f64, &f64)| {
        x == y || (x.is_nan() && y.is_nan()) || (x - y).abs() <= 1e-12 * scale
    };
    found.len() == expected.len() && found.iter().zip(expected).all(same)
}

/// Maximal number of statements of a loop that is written out: with 1000 every loop that can be is, with 0 none.
const SHORT: [usize; 2] = [1000, 0];

/// Returns the plan after each pass, and after some combinations of passes.
fn stages(line: &Line, mode: Partiality) -> Vec<(&'static str, Plan)> {
    let folded = looped(&line.folded(mode), mode);
    let gathered = folded.gathered();
    let spread = gathered.spread();
    let simplified = spread.simplified();
    let inlined = simplified.inlined();
    let joined = inlined.joined();
    let shared = joined.simplified().shared();
    vec![
        ("as it is", looped(line, mode)),
        ("in place alone", looped(line, mode).in_place()),
        ("gathered", gathered),
        ("spread", spread),
        ("simplified", simplified),
        ("in place", joined.in_place()),
        ("shared", shared.clone()),
        ("hoisted", shared.hoisted()),
        ("ordered", shared.hoisted().in_place().ordered()),
        ("folded", folded),
        ("inlined", inlined),
        ("joined", joined),
    ]
}

/// Checks that each stage of a program's plan gives the denotation of the program, or stops where it does. Returns the
/// number of statements.
fn agrees(program: &Program, mode: Partiality) -> Result<Case<usize>, String> {
    let arrow = match Arrow::of(&[], &program.main, &program.ty) {
        Ok(arrow) => arrow,
        Err(Fault::TooLarge { .. }) => return Ok(Case::Skipped("large arrow")),
        Err(fault) => return Err(format!("fault: {fault:?}")),
    };
    let mut heap = program.initial.clone();
    let denoted = evaluate(&arrow, &[], &mut heap, mode);
    let mut stages = Vec::new();
    let mut statements = 0;
    for short in SHORT {
        let lowered = lower_keeping(short, &arrow, &[], |_| None, Wanted::All);
        let line = match (lowered, &denoted) {
            (Ok(line), _) => line,
            (Err(Refused::Unhandled(..)), Err(_)) => return Ok(Case::Holds(0)),
            (Err(refused), _) => return Err(format!("refused: {refused:?}")),
        };
        statements = line.map.statements().len();
        stages.extend(self::stages(&line, mode));
        if !arrow.has_loops() {
            break;
        }
    }
    for (stage, plan) in stages {
        let may_stop = plan.may_stop();
        let mut reference = Reference::new(plan, mode, Precision::Double);
        for (number, contents) in program.initial.iter().enumerate() {
            reference.set_cell(number, contents.data());
        }
        match (reference.step(), &denoted) {
            (Ok(()), Ok(value)) => {
                same(&reference, value, &heap).map_err(|error| format!("{stage}: {error}"))?;
            }
            (Err(_), Err(Stopped::Undefined { .. })) => assert!(may_stop),
            (stepped, denoted) => {
                return Err(format!("{stage}: {stepped:?}, but it denotes {denoted:?}"));
            }
        }
    }
    Ok(Case::Holds(statements))
}

fn same(reference: &Reference, value: &Value, heap: &[Tensor]) -> Result<(), String> {
    for (output, expected) in value.tensors().into_iter().enumerate() {
        let found = reference.output(output).unwrap();
        if !close(&found, expected.data()) {
            return Err(format!("output {output}: {found:?}, not {expected:?}"));
        }
    }
    for cell in reference.cells() {
        let (found, expected) = (reference.cell(cell).unwrap(), heap[cell].data());
        if !close(&found, expected) {
            return Err(format!("location {cell}: {found:?}, not {expected:?}"));
        }
    }
    Ok(())
}

#[test]
fn examples_and_golden_programs_run_compiled() {
    let (mut compared, mut statements) = (0, 0);
    for folder in [examples(), examples().join("errata"), golden()] {
        for (name, source) in programs(&folder) {
            if fletch_ide::check(&source).rejected() {
                continue; // A slip as it is printed in the paper.
            }
            let program = checked(&source).unwrap();
            for mode in [Partiality::Paper, Partiality::Total] {
                match agrees(&program, mode) {
                    Ok(Case::Holds(count)) => statements += count,
                    Ok(Case::Skipped(reason)) => panic!("{name}: skipped: {reason}"),
                    Err(error) => panic!("{name}: {error}"),
                }
                compared += 1;
            }
        }
    }
    eprintln!("{compared} runs, {statements} statements");
    assert!(
        compared > 100 && statements > 2000,
        "{compared} {statements}"
    );
}

#[test]
fn random_programs_run_compiled() {
    let run = |source: &str| {
        let program = checked(source)?;
        match agrees(&program, Partiality::Paper)? {
            Case::Holds(_) => agrees(&program, Partiality::Total),
            skipped => Ok(skipped),
        }
    };
    let results = for_all(
        fletch_tests::random::programs(),
        generate::program,
        4000,
        12,
        run,
    );
    let statements: usize = results.iter().sum();
    eprintln!("{} programs, {statements} statements", results.len());
}

#[test]
fn handlers_inside_handlers_run_compiled() {
    for (levels, layers) in [(1, 4), (2, 3), (3, 2), (4, 2)] {
        let program = checked(&nested(levels, layers)).unwrap();
        match agrees(&program, Partiality::Total) {
            Ok(Case::Holds(count)) => assert!(count > 10 * layers),
            Ok(Case::Skipped(reason)) => panic!("{levels}: skipped: {reason}"),
            Err(error) => panic!("{levels}: {error}"),
        }
    }
}
