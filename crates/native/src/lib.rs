//! Wasmtime as the host of the modules that are generated for a training: for the command line, the language server and tests. In a page,
//! the browser is the host (`fletch-host`).

use fletch_runs::Precision;
use fletch_runs::generated::{Function, Instance, Module, single};
use std::sync::OnceLock;
use wasmtime::{Engine, Linker, Memory, Store, TypedFunc};

/// A page of memory, in bytes.
const PAGE: usize = 1 << 16;

struct Running {
    store: Store<()>,
    memory: Memory,
    train: TypedFunc<(u32, u32, u32, u32, u32), u32>,
    precision: Precision,
}

/// Compiles a module and instantiates it.
///
/// # Errors
/// Message of the compiler, for example on a machine that the compiler does not support.
pub fn host(module: &Module) -> Result<Box<dyn Instance>, String> {
    match running(module) {
        Ok(running) => Ok(Box::new(running)),
        Err(why) => Err(why.to_string()),
    }
}

fn running(module: &Module) -> wasmtime::Result<Running> {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    let engine = ENGINE.get_or_init(Engine::default);
    let compiled = wasmtime::Module::new(engine, &module.bytes)?;
    let mut store = Store::new(engine, ());
    let mut linker = Linker::new(engine);
    for function in module.imports.clone() {
        let name = function.name();
        match function {
            Function::Pow => {
                linker.func_wrap("fletch", name, move |x: f64, y: f64| function.at(x, y))?;
            }
            _ => {
                linker.func_wrap("fletch", name, move |x: f64| function.at(x, 0.0))?;
            }
        }
    }
    let instance = linker.instantiate(&mut store, &compiled)?;
    let memory = instance.get_memory(&mut store, "memory");
    Ok(Running {
        memory: memory.ok_or_else(|| wasmtime::Error::msg("the module exports no memory"))?,
        train: instance.get_typed_func(&mut store, "train")?,
        precision: module.memory.precision,
        store,
    })
}

impl Running {
    /// The bytes of `count` numbers from byte `place` of the memory; empty if they reach outside the memory.
    fn bytes(&self, place: usize, count: usize) -> &[u8] {
        let size = count * self.precision.bytes();
        let bytes = self.memory.data(&self.store).get(place..place + size);
        bytes.unwrap_or(&[])
    }
}

impl Instance for Running {
    fn reserve(&mut self, bytes: usize) -> bool {
        let more = bytes.saturating_sub(self.memory.data_size(&self.store));
        let pages = more.div_ceil(PAGE) as u64;
        pages == 0 || self.memory.grow(&mut self.store, pages).is_ok()
    }

    fn write(&mut self, place: usize, numbers: &[f64]) {
        let (size, memory) = (
            self.precision.bytes(),
            self.memory.data_mut(&mut self.store),
        );
        let places = memory.get_mut(place..).unwrap_or(&mut []);
        for (bytes, number) in places.chunks_exact_mut(size).zip(numbers) {
            match self.precision {
                Precision::Single => bytes.copy_from_slice(&single(*number).to_le_bytes()),
                Precision::Double => bytes.copy_from_slice(&number.to_le_bytes()),
            }
        }
    }

    fn read(&self, place: usize, numbers: &mut [f64]) {
        let bytes = self.bytes(place, numbers.len());
        match self.precision {
            Precision::Single => {
                for (number, bytes) in numbers.iter_mut().zip(bytes.as_chunks().0) {
                    *number = f32::from_le_bytes(*bytes).into();
                }
            }
            Precision::Double => {
                for (number, bytes) in numbers.iter_mut().zip(bytes.as_chunks().0) {
                    *number = f64::from_le_bytes(*bytes);
                }
            }
        }
    }

    fn train(&mut self, at: usize, first: usize, end: usize, row: usize, count: usize) -> usize {
        let clip = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let asked = (clip(at), clip(first), clip(end), clip(row), clip(count));
        // Nothing in a module traps. After a trap, all steps would count as not made.
        let left = self.train.call(&mut self.store, asked);
        left.map_or(count, |left| left as usize)
    }
}
