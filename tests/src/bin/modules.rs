//! Writes the modules that a bench in a browser runs. For the first `train` item of each named program it writes the WebAssembly module
//! of one step, and a JSON file with the memory layout and the initial contents of locations. `modules FOLDER FILE…` writes
//! `FOLDER/NAME.f64.wasm` and `FOLDER/NAME.f64.json`, and the same two files for f32.

use fletch_arrows::Arrow;
use fletch_calculus::Tensor;
use fletch_codegen::{Module, generate};
use fletch_elaborate::{component, with_items};
use fletch_engine::{Precision, Wanted, lower, plan};
use fletch_smooth::Partiality;
use serde_json::{Map, json};
use std::error::Error;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let mut paths = std::env::args_os().skip(1).map(PathBuf::from);
    let folder = paths.next().ok_or("a folder is missing")?;
    for path in paths {
        write(&folder, &path)?;
    }
    Ok(())
}

fn write(folder: &Path, path: &Path) -> Result<(), Box<dyn Error>> {
    let source = std::fs::read_to_string(path)?;
    let program = fletch_ide::check(&source).program;
    let found = with_items(&program, &Default::default(), |items| {
        let train = items.trains().first().copied().ok_or("no item")?;
        let sample = items.sample(train, 0).ok_or("no sample")?;
        let open = items.on_any(train).map_err(|_| "no program")?;
        let sizes: Vec<usize> = sample.iter().map(Tensor::len).collect();
        let arrow = Arrow::unrolled(&[], &open.main, &open.ty, 256)
            .map(|(arrow, _)| arrow)
            .map_err(|_| "no arrow")?;
        let line = lower(&arrow, &sizes, component, Wanted::Heap).map_err(|_| "no line")?;
        let names: Vec<String> = open
            .locations
            .iter()
            .map(|at| at.name.to_string())
            .collect();
        Ok::<_, &str>((plan(&line, Partiality::Total), names, open.initial))
    });
    let (plan, names, initial) = found?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    for (precision, suffix) in [(Precision::Double, "f64"), (Precision::Single, "f32")] {
        let module = generate(&plan, precision)?;
        let to = folder.join(format!("{name}.{suffix}"));
        save(&module, &names, &initial, &to)?;
    }
    Ok(())
}

fn save(
    module: &Module,
    names: &[String],
    initial: &[Tensor],
    to: &Path,
) -> Result<(), Box<dyn Error>> {
    std::fs::write(to.with_added_extension("wasm"), &module.bytes)?;
    let mut cells = Map::new();
    for (number, place, _) in &module.memory.cells {
        if let (Some(name), Some(contents)) = (names.get(*number), initial.get(*number)) {
            cells.insert(
                name.clone(),
                json!({ "place": place, "contents": contents.data() }),
            );
        }
    }
    let described = json!({
        "cells": cells,
        "inputs": module.memory.inputs,
        "row": module.memory.row,
        "samples": module.memory.samples,
    });
    std::fs::write(to.with_added_extension("json"), described.to_string())?;
    Ok(())
}
