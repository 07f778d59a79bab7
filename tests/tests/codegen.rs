//! Modules that are generated from plans against the portable machine: valid, and the same bits after the same steps.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed test is a panic.

use fletch_arrows::{Arrow, Fault};
use fletch_calculus::Program;
use fletch_codegen::{Function, Module, Refused, generate};
use fletch_engine::{Machine, Wanted, lower, plan};
use fletch_playground::Partiality;
use fletch_playground::report;
use fletch_smooth::{Binary, Elementary};
use fletch_tests::nested::nested;
use fletch_tests::random::{Case, checked, for_all};
use fletch_tests::{examples, generate as random_source, golden, programs};
use wasmi::{Engine, Linker, Memory, Store, TypedFunc};

/// A module that runs.
struct Running {
    store: Store<()>,
    memory: Memory,
    train: TypedFunc<(i32, i32, i32, i32, i32), i32>,
    module: Module,
}

impl Running {
    fn new(module: Module) -> Running {
        let engine = Engine::default();
        let compiled = wasmi::Module::new(&engine, &module.bytes[..]).unwrap();
        let mut store = Store::new(&engine, ());
        let mut linker = <Linker<()>>::new(&engine);
        for function in &module.imports {
            let name = function.name();
            let elementary = match function {
                Function::Log => Elementary::Log,
                Function::Log1p => Elementary::Log1p,
                Function::Sin => Elementary::Sin,
                Function::Cos => Elementary::Cos,
                Function::Tanh => Elementary::Tanh,
                Function::Round => Elementary::Round,
                Function::Pow => {
                    let pow = |a: f64, b: f64| Binary::Pow.at(a, b);
                    linker.func_wrap("fletch", name, pow).unwrap();
                    continue;
                }
            };
            let map = move |x: f64| elementary.at(x);
            linker.func_wrap("fletch", name, map).unwrap();
        }
        let instance = linker.instantiate_and_start(&mut store, &compiled).unwrap();
        let memory = instance.get_memory(&store, "memory").unwrap();
        let train = instance.get_typed_func(&store, "train").unwrap();
        Running {
            store,
            memory,
            train,
            module,
        }
    }

    fn put(&mut self, place: usize, numbers: &[f64]) {
        let bytes: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
        self.memory.write(&mut self.store, place, &bytes).unwrap();
    }

    fn numbers(&self, place: usize, count: usize) -> Vec<f64> {
        let mut bytes = vec![0; 8 * count];
        self.memory.read(&self.store, place, &mut bytes).unwrap();
        let numbers = bytes.chunks_exact(8);
        numbers
            .map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap()))
            .collect()
    }

    fn set_cell(&mut self, cell: usize, contents: &[f64]) {
        let found = self.module.memory.cells.iter();
        if let Some((_, place, _)) = found.copied().find(|(number, ..)| *number == cell) {
            self.put(place, contents);
        }
    }

    fn steps(&mut self, count: i32) {
        let at = i32::try_from(self.module.memory.samples).unwrap();
        let row = i32::try_from(self.module.memory.row).unwrap();
        let end = at + row;
        let next = self.train.call(&mut self.store, (at, at, end, row, count));
        assert_eq!(next.unwrap(), at);
    }
}

/// Whether these are the same numbers; all NaNs are one.
fn same(found: &[f64], expected: &[f64]) -> bool {
    let pair = |(x, y): (&f64, &f64)| x == y || (x.is_nan() && y.is_nan());
    found.len() == expected.len() && found.iter().zip(expected).all(pair)
}

/// After each of some steps of `main` the module of its plan has what the machine has; how large the module is.
fn agrees(program: &Program) -> Result<Case<usize>, String> {
    let mode = Partiality::Total;
    let arrow = match Arrow::of(&[], &program.main, &program.ty) {
        Ok(arrow) => arrow,
        Err(Fault::TooLarge { .. }) => return Ok(Case::Skipped("large arrow")),
        Err(fault) => return Err(format!("fault: {fault:?}")),
    };
    let Ok(line) = lower(&arrow, &[], |_| None, Wanted::All) else {
        return Ok(Case::Skipped("unhandled"));
    };
    let plan = plan(&line, mode);
    let module = match generate(&plan) {
        Ok(module) => module,
        Err(Refused::MayStop) => return Ok(Case::Skipped("may stop")),
        Err(refused) => return Err(format!("refused: {refused}")),
    };
    let bytes = module.bytes.len();
    let mut machine = Machine::new(&plan, mode);
    let mut running = Running::new(module);
    for (number, contents) in program.initial.iter().enumerate() {
        machine.set_cell(number, contents.data());
        running.set_cell(number, contents.data());
    }
    for step in 1..=3 {
        machine.step().map_err(|stop| format!("{stop:?}"))?;
        running.steps(1);
        for (cell, place, count) in running.module.memory.cells.clone() {
            let (found, expected) = (running.numbers(place, count), machine.cell(cell).unwrap());
            if !same(&found, expected) {
                return Err(format!(
                    "step {step}, location {cell}: {found:?}, not {expected:?}"
                ));
            }
        }
        for (output, place) in running
            .module
            .memory
            .outputs
            .clone()
            .into_iter()
            .enumerate()
        {
            let Some((place, count)) = place else {
                continue;
            };
            let (found, expected) = (
                running.numbers(place, count),
                machine.output(output).unwrap(),
            );
            if !same(&found, expected) {
                return Err(format!(
                    "step {step}, output {output}: {found:?}, not {expected:?}"
                ));
            }
        }
    }
    Ok(Case::Holds(bytes))
}

#[test]
fn examples_and_golden_programs_run_as_modules() {
    let (mut compared, mut bytes, mut wrong) = (0, 0, Vec::new());
    for folder in [examples(), examples().join("errata"), golden()] {
        for (name, source) in programs(&folder) {
            if report::check(&source).rejected() {
                continue; // A slip as it is printed in the paper.
            }
            let program = checked(&source).unwrap();
            match agrees(&program) {
                Ok(Case::Holds(size)) => {
                    compared += 1;
                    bytes += size;
                }
                Ok(Case::Skipped(_)) => {}
                Err(error) => wrong.push(format!("{name}: {error:.300}")),
            }
        }
    }
    eprintln!("{compared} programs, {bytes} bytes");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared > 60 && bytes > 100_000, "{compared} {bytes}");
}

#[test]
fn random_programs_run_as_modules() {
    let run = |source: &str| agrees(&checked(source)?);
    let results = for_all(
        fletch_tests::random::programs(),
        random_source::program,
        3000,
        30,
        run,
    );
    let bytes: usize = results.iter().sum();
    eprintln!("{} programs, {bytes} bytes", results.len());
}

#[test]
fn handlers_inside_handlers_run_as_modules() {
    for (levels, layers) in [(1, 4), (2, 3), (3, 2), (4, 2)] {
        let program = checked(&nested(levels, layers)).unwrap();
        match agrees(&program) {
            Ok(Case::Holds(bytes)) => assert!(bytes > 1000),
            Ok(Case::Skipped(reason)) => panic!("{levels}: skipped: {reason}"),
            Err(error) => panic!("{levels}: {error}"),
        }
    }
}
