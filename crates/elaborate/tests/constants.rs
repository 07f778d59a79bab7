//! `data`, `train` and `measure`: the names of a sample are constants of its command.

use crate::common::{complains, elaborated};
use fletch_elaborate::{Files, with_items};
use fletch_notation::print;
use fletch_syntax::{Diagnostic, parse};

/// Checks the commands of the `train` items, step by step, and the commands of the `measure` items, sample by sample.
#[track_caller]
fn check(source: &str, trained: &[&str], measured: &[&str]) {
    let errors = elaborated(source).findings;
    assert!(
        !errors.iter().any(|found| found.diagnostic.is_error()),
        "{errors:?}"
    );
    let (program, _) = parse(source, fletch_smooth::symbols());
    with_items(&program, &Files::default(), |items| {
        let mut found = Vec::new();
        for train in items.trains() {
            found.extend((0..train.steps).map(|step| items.on(train, step)));
        }
        let text = |program: Result<fletch_calculus::Program, Box<Diagnostic>>| {
            program.map_or_else(|error| error.message, |program| print(&program.main))
        };
        let found: Vec<String> = found.into_iter().map(text).collect();
        assert_eq!(found, trained, "{source}");
        let mut found = Vec::new();
        for measure in items.measures() {
            found.extend((0..measure.samples).map(|sample| items.on(measure, sample)));
        }
        let found: Vec<String> = found.into_iter().map(text).collect();
        assert_eq!(found, measured, "{source}");
    });
}

const DATA: &str = "
  data D = [⟨[1, 2], 3⟩, ⟨[4, 5], 6⟩, ⟨[7, 8], 9⟩]
  handler H(t : Real(1)) : Real(1) { x ↦ ⌊x + t⌋ }\n";

#[test]
fn every_sample_has_its_command() {
    check(
        &format!(
            "{DATA}
             train D as ⟨v, t⟩ for 2 epochs = rev handle(v)⟨x⟩. ⌊sum(x)⌋ with H(t)
             measure m on D as ⟨v, t⟩ = ⌊t + sum(v)⌋"
        ),
        &[
            "rev handle([1.0, 2.0])⟨#1⟩. ⌊sum[2](#1)⌋ with H",
            "rev handle([4.0, 5.0])⟨#1⟩. ⌊sum[2](#1)⌋ with H",
            "rev handle([7.0, 8.0])⟨#1⟩. ⌊sum[2](#1)⌋ with H",
        ],
        &[
            "⌊(3 + sum[2]([1.0, 2.0]))⌋",
            "⌊(6 + sum[2]([4.0, 5.0]))⌋",
            "⌊(9 + sum[2]([7.0, 8.0]))⌋",
        ],
    );
}

#[test]
fn a_batch_has_samples_as_columns_and_an_incomplete_one_is_skipped() {
    check(
        &format!("{DATA} train D by 2 as ⟨v, t⟩ for 1 epochs = ⌊⟨v, t⟩⌋"),
        &["⌊⟨[1.0, 4.0, 2.0, 5.0], [3.0, 6.0]⟩⌋"],
        &[],
    );
}

#[test]
fn data_are_closed_values_of_one_type() {
    complains("data D = [[1, 2], [1]]\nmain = ⌊1⌋", &["F0401 [1]"]);
    complains("data D = [x]\nmain = ⌊1⌋", &["F0201 x"]);
    complains(
        "data D = [1]\nmeasure m on D as x = ⌊⟨x, x⟩⌋\nmain = ⌊1⌋",
        &["F0401 ⌊⟨x, x⟩⌋"],
    );
}
