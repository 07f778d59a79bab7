//! The plans of the `train` items of a program, for display.

use crate::ending;
use fletch_arrows::Arrow;
use fletch_calculus::Tensor;
use fletch_elaborate::{Files, component, with_items};
pub use fletch_engine::Pass;
use fletch_engine::{Wanted, lower, passes};
use fletch_smooth::Partiality;
use fletch_syntax::{Diagnostic, tree};
use serde_json::{Value as Json, json};

/// The list of passes for each `train` item, in file order.
///
/// # Errors
/// If there is no `train` item, if the samples of an item are missing, or if its arrow would be enormous or stops wherever it is run.
pub fn plans(program: &tree::Program, files: &Files) -> Result<Vec<Vec<Pass>>, Box<Diagnostic>> {
    with_items(program, files, |items| {
        if let Some(unread) = crate::samples::unread(items) {
            return Err(unread);
        }
        let trains = items.trains();
        if trains.is_empty() {
            return Err(crate::samples::nothing_to_train());
        }
        let mut found = Vec::new();
        for train in trains {
            // An item without samples has nothing to plan.
            let Some(sample) = items.sample(train, 0) else {
                continue;
            };
            let program = items.on_any(train)?;
            let sizes: Vec<usize> = sample.iter().map(Tensor::len).collect();
            let arrow = Arrow::of(&[], &program.main, &program.ty)
                .map_err(|fault| Box::new(ending::no_arrow(&fault)))?;
            let line = lower(&arrow, &sizes, component, Wanted::Heap)
                .map_err(|refused| Box::new(ending::no_plan(&refused)))?;
            let cell = |number: usize| {
                let location = program.locations.get(number);
                location.map_or_else(String::new, |location| location.name.to_string())
            };
            found.push(passes(&line, Partiality::Total, &cell));
        }
        Ok(found)
    })
}

/// The result of `plan --json`.
pub fn json(plans: &[Vec<Pass>]) -> Json {
    let pass = |pass: &Pass| {
        let counts = pass.counts;
        json!({
            "pass": pass.name,
            "does": pass.does,
            "statements": counts.statements,
            "buffers": counts.buffers,
            "bytes": counts.bytes,
            "operations": counts.operations,
            "program": pass.listing,
        })
    };
    let plan = |passes: &Vec<Pass>| Json::Array(passes.iter().map(pass).collect());
    json!({ "plans": plans.iter().map(plan).collect::<Vec<_>>() })
}
