//! A host for generated modules: an interpreter of WebAssembly.

use fletch_runs::Precision;
use fletch_runs::generated::{Function, Instance, Module};
use wasmi::{Engine, Linker, Memory, Store, TypedFunc};

struct Running {
    store: Store<()>,
    memory: Memory,
    train: TypedFunc<(i32, i32, i32, i32, i32), i32>,
    precision: Precision,
}

/// Makes an instance of a module, which has to be valid.
pub(crate) fn host(module: &Module) -> Result<Box<dyn Instance>, String> {
    Ok(Box::new(Running::new(module)))
}

impl Running {
    fn new(module: &Module) -> Running {
        let engine = Engine::default();
        let compiled = wasmi::Module::new(&engine, &module.bytes[..]).unwrap();
        let mut store = Store::new(&engine, ());
        let mut linker = <Linker<()>>::new(&engine);
        for function in module.imports.clone() {
            let name = function.name();
            if function == Function::Pow {
                let pow = move |x: f64, y: f64| function.at(x, y);
                linker.func_wrap("fletch", name, pow).unwrap();
            } else {
                let map = move |x: f64| function.at(x, 0.0);
                linker.func_wrap("fletch", name, map).unwrap();
            }
        }
        let instance = linker.instantiate_and_start(&mut store, &compiled).unwrap();
        let memory = instance.get_memory(&store, "memory").unwrap();
        let train = instance.get_typed_func(&store, "train").unwrap();
        Running {
            store,
            memory,
            train,
            precision: module.memory.precision,
        }
    }
}

impl Instance for Running {
    fn reserve(&mut self, bytes: usize) -> bool {
        let pages = bytes.div_ceil(1 << 16) as u64;
        let more = pages.saturating_sub(self.memory.size(&self.store));
        self.memory.grow(&mut self.store, more).is_ok()
    }

    fn write(&mut self, place: usize, numbers: &[f64]) {
        let bytes: Vec<u8> = match self.precision {
            Precision::Single => numbers
                .iter()
                .flat_map(|x| (*x as f32).to_le_bytes())
                .collect(),
            Precision::Double => numbers.iter().flat_map(|x| x.to_le_bytes()).collect(),
        };
        self.memory.write(&mut self.store, place, &bytes).unwrap();
    }

    fn read(&self, place: usize, numbers: &mut [f64]) {
        let size = self.precision.bytes();
        let mut bytes = vec![0; size * numbers.len()];
        self.memory.read(&self.store, place, &mut bytes).unwrap();
        for (number, bytes) in numbers.iter_mut().zip(bytes.chunks_exact(size)) {
            *number = match self.precision {
                Precision::Single => f32::from_le_bytes(bytes.try_into().unwrap()).into(),
                Precision::Double => f64::from_le_bytes(bytes.try_into().unwrap()),
            };
        }
    }

    fn train(&mut self, at: usize, first: usize, end: usize, row: usize, count: usize) -> usize {
        let [at, first, end, row, count] =
            [at, first, end, row, count].map(|number| i32::try_from(number).unwrap());
        let left = self
            .train
            .call(&mut self.store, (at, first, end, row, count))
            .unwrap();
        assert!((0..=count).contains(&left), "{left}");
        usize::try_from(left).unwrap()
    }
}
