//! Instances of generated modules.

use crate::describe;
use fletch_runs::Precision;
use fletch_runs::generated::{Function as Elementary, Instance, Module, single};
use js_sys::WebAssembly;
use js_sys::{Array, Float32Array, Float64Array, Function, Object, Reflect, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

/// A page of memory, in bytes.
const PAGE: usize = 1 << 16;

struct Running {
    memory: WebAssembly::Memory,
    train: Function,
    precision: Precision,
}

/// Compiles a module and instantiates it. The call blocks its thread, so a page makes it in a worker.
///
/// # Errors
/// Message of the engine.
pub fn host(module: &Module) -> Result<Box<dyn Instance>, String> {
    match running(module) {
        Ok(running) => Ok(Box::new(running)),
        Err(why) => Err(describe(&why)),
    }
}

fn running(module: &Module) -> Result<Running, JsValue> {
    let bytes = Uint8Array::from(module.bytes.as_slice());
    let compiled = WebAssembly::Module::new(&bytes)?;
    // A module imports functions that this program exports: a call from one to the other goes through no JavaScript.
    let own = wasm_bindgen::exports();
    let functions = Object::new();
    for function in &module.imports {
        let name = function.name();
        let export = Reflect::get(&own, &format!("fletch_{name}").into())?;
        Reflect::set(&functions, &name.into(), &export)?;
    }
    let imports = Object::new();
    Reflect::set(&imports, &"fletch".into(), &functions)?;
    let instance = WebAssembly::Instance::new(&compiled, &imports)?;
    let exports = instance.exports();
    Ok(Running {
        memory: Reflect::get(&exports, &"memory".into())?.dyn_into()?,
        train: Reflect::get(&exports, &"train".into())?.dyn_into()?,
        precision: module.memory.precision,
    })
}

impl Running {
    /// View of `count` numbers of double precision, from byte `place` of the memory. The memory must not grow while the view is in use.
    fn doubles(&self, place: usize, count: usize) -> Float64Array {
        let [place, count] = [place, count].map(clip);
        Float64Array::new_with_byte_offset_and_length(&self.memory.buffer(), place, count)
    }

    /// View of `count` numbers of single precision, from byte `place` of the memory. The memory must not grow while the view is in use.
    fn singles(&self, place: usize, count: usize) -> Float32Array {
        let [place, count] = [place, count].map(clip);
        Float32Array::new_with_byte_offset_and_length(&self.memory.buffer(), place, count)
    }
}

impl Instance for Running {
    fn reserve(&mut self, bytes: usize) -> bool {
        let buffer: js_sys::ArrayBuffer = self.memory.buffer().unchecked_into();
        let more = bytes.saturating_sub(buffer.byte_length() as usize);
        if more == 0 {
            return true;
        }
        // `grow` throws if no more memory is available.
        let pages = JsValue::from_f64(more.div_ceil(PAGE) as f64);
        let grow = Reflect::get(&self.memory, &"grow".into());
        let grow = grow.and_then(JsCast::dyn_into::<Function>);
        grow.and_then(|grow| grow.call1(&self.memory, &pages))
            .is_ok()
    }

    fn write(&mut self, place: usize, numbers: &[f64]) {
        match self.precision {
            Precision::Double => self.doubles(place, numbers.len()).copy_from(numbers),
            Precision::Single => {
                let rounded: Vec<f32> = numbers.iter().map(|number| single(*number)).collect();
                self.singles(place, numbers.len()).copy_from(&rounded);
            }
        }
    }

    fn read(&self, place: usize, numbers: &mut [f64]) {
        match self.precision {
            Precision::Double => self.doubles(place, numbers.len()).copy_to(numbers),
            Precision::Single => {
                let mut rounded = vec![0.0; numbers.len()];
                self.singles(place, numbers.len()).copy_to(&mut rounded);
                for (number, rounded) in numbers.iter_mut().zip(rounded) {
                    *number = f64::from(rounded);
                }
            }
        }
    }

    fn train(&mut self, at: usize, first: usize, end: usize, row: usize, count: usize) -> usize {
        let arguments = [at, first, end, row, count].map(|number| JsValue::from_f64(number as f64));
        let left = self
            .train
            .apply(&JsValue::NULL, &Array::from_iter(arguments));
        // Nothing in a module throws. After an exception, all steps would count as not made.
        let left = left.ok().and_then(|left| left.as_f64());
        left.map_or(count, |left| left as usize)
    }
}

fn clip(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Exports the functions that generated modules import: in a module, as in the rest of this program, they return the same values as in a
/// native run.
macro_rules! functions {
    ($($name:ident $function:ident($x:ident $(, $y:ident)?);)+) => {$(
        #[doc = concat!("[`Elementary::", stringify!($function), "`]")]
        #[wasm_bindgen]
        pub fn $name($x: f64 $(, $y: f64)?) -> f64 {
            let _rest = 0.0;
            $(let _rest = $y;)?
            Elementary::$function.at($x, _rest)
        }
    )+};
}

functions! {
    fletch_log Log(x);
    fletch_log1p Log1p(x);
    fletch_sin Sin(x);
    fletch_cos Cos(x);
    fletch_tanh Tanh(x);
    fletch_erf Erf(x);
    fletch_erfc Erfc(x);
    fletch_pow Pow(x, y);
}
