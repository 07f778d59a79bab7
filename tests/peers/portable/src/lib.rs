//! The portable machine in WebAssembly, as a page runs it where modules of its own are forbidden: a program is handed over as text, then
//! locations and samples by name and number.

use fletch_arrows::Arrow;
use fletch_elaborate::{component, with_items};
use fletch_engine::{Machine, Precision, Wanted, lower, plan};
use fletch_smooth::Partiality;
use std::cell::RefCell;

#[derive(Default)]
struct State {
    text: Vec<u8>,
    numbers: Vec<f64>,
    names: Vec<String>,
    machine: Option<Machine>,
    samples: Vec<Vec<Vec<f64>>>,
    at: usize,
}

thread_local!(static STATE: RefCell<State> = RefCell::default());

fn with<T>(what: impl FnOnce(&mut State) -> T) -> T {
    STATE.with_borrow_mut(what)
}

fn begun(text: &str, single: bool) -> Option<(Vec<String>, Machine)> {
    let program = fletch_ide::check(text).program;
    let precision = if single {
        Precision::Single
    } else {
        Precision::Double
    };
    with_items(&program, &Default::default(), |items| {
        let train = items.trains().first().copied()?;
        let sample = items.sample(train, 0)?;
        let open = items.on_any(train)?;
        let sizes: Vec<usize> = sample.iter().map(|component| component.len()).collect();
        let arrow = Arrow::of(&[], &open.main, &open.ty).ok()?;
        let line = lower(&arrow, &sizes, component, Wanted::Heap).ok()?;
        let names = open.locations.iter().map(|location| location.name.to_string());
        let mode = Partiality::Total;
        Some((names.collect(), Machine::new(&plan(&line, mode), mode, precision)))
    })
}

/// Room for a text of so many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn text(bytes: usize) -> *mut u8 {
    with(|state| {
        state.text = vec![0; bytes];
        state.text.as_mut_ptr()
    })
}

/// Room for so many numbers.
#[unsafe(no_mangle)]
pub extern "C" fn numbers(count: usize) -> *mut f64 {
    with(|state| {
        state.numbers = vec![0.0; count];
        state.numbers.as_mut_ptr()
    })
}

/// The text is a program; whether it can be trained.
#[unsafe(no_mangle)]
pub extern "C" fn begin(single: bool) -> bool {
    with(|state| {
        let text = String::from_utf8_lossy(&state.text).into_owned();
        let Some((names, machine)) = begun(&text, single) else {
            return false;
        };
        state.names = names;
        state.machine = Some(machine);
        true
    })
}

/// The location whose name is the text gets the numbers; whether there is one of their size.
#[unsafe(no_mangle)]
pub extern "C" fn cell() -> bool {
    with(|state| {
        let known = state.names.iter().position(|name| name.as_bytes() == state.text);
        let (Some(number), Some(machine)) = (known, &mut state.machine) else {
            return false;
        };
        let fits = machine.cell(number).is_some_and(|cell| cell.len() == state.numbers.len());
        machine.set_cell(number, &state.numbers);
        fits
    })
}

/// The numbers are the next component of this sample.
#[unsafe(no_mangle)]
pub extern "C" fn sample(number: usize) {
    with(|state| {
        if state.samples.len() <= number {
            state.samples.resize(number + 1, Vec::new());
        }
        let numbers = std::mem::take(&mut state.numbers);
        state.samples[number].push(numbers);
    });
}

/// So many steps, on one sample after the other.
#[unsafe(no_mangle)]
pub extern "C" fn train(count: usize) {
    with(|state| {
        let State { machine: Some(machine), samples, at, .. } = state else {
            return;
        };
        for _ in 0..count {
            let Some(sample) = samples.get(*at) else { return };
            for (input, component) in sample.iter().enumerate() {
                machine.set_input(input, component);
            }
            let _ = machine.step();
            *at += 1;
            if *at == samples.len() {
                *at = 0;
            }
        }
    });
}

/// The sum of all that the locations hold.
#[unsafe(no_mangle)]
pub extern "C" fn sum() -> f64 {
    with(|state| {
        let machine = state.machine.iter();
        let cells = machine.flat_map(|machine| machine.cells().into_iter().map(move |cell| machine.cell(cell)));
        cells.flatten().map(|cell| cell.iter().sum::<f64>()).sum()
    })
}
