//! Heaps in files: `safetensors`, one tensor for each location, by its name, in F64 or F32. The format that PyTorch, JAX and Rust read.

use crate::compiled::Cells;
use fletch_smooth::Tensor;
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors, serialize};

/// What a file holds for the locations of a program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Read {
    /// The locations that it names, with what it holds for them.
    pub cells: Cells,
    /// Those that it does not name.
    pub missing: Vec<String>,
}

/// What a file of this name holds for these locations.
///
/// # Errors
/// In words, if it is no such file, or names what is no location, or has another shape or other numbers than F64 and F32.
pub fn read(name: &str, bytes: &[u8], locations: &[(String, Tensor)]) -> Result<Read, String> {
    let file = SafeTensors::deserialize(bytes)
        .map_err(|error| format!("{name} is no safetensors file: {error}"))?;
    let mut names = file.names();
    names.sort_unstable();
    let known = |name: &str| locations.iter().any(|(own, _)| own == name);
    if let Some(unknown) = names.iter().find(|name| !known(name)) {
        let own = locations.iter().map(|(own, _)| format!("`{own}`"));
        let own: Vec<String> = own.collect();
        let known = match own.is_empty() {
            true => "it uses none".to_owned(),
            false => format!("it uses {}", own.join(", ")),
        };
        return Err(format!(
            "{name} has `{unknown}`, which is no location of the program: {known}"
        ));
    }
    let mut found = Read::default();
    for (location, initial) in locations {
        let Ok(view) = file.tensor(location) else {
            found.missing.push(location.clone());
            continue;
        };
        let shape = initial.shape();
        if view.shape() != shape.dims() {
            let other: Vec<String> = view.shape().iter().map(usize::to_string).collect();
            let other = other.join(" × ");
            return Err(format!(
                "{name} has `{location}` of shape {other}, and the program of shape {shape}"
            ));
        }
        let numbers: Vec<f64> = match view.dtype() {
            Dtype::F64 => numbers(view.data(), f64::from_le_bytes),
            Dtype::F32 => numbers(view.data(), |bytes| f64::from(f32::from_le_bytes(bytes))),
            other => {
                return Err(format!(
                    "{name} has `{location}` as {other:?}: only F64 and F32 are read"
                ));
            }
        };
        if let Some(contents) = Tensor::new(shape.clone(), numbers) {
            found.cells.push((location.clone(), contents));
        }
    }
    Ok(found)
}

fn numbers<const N: usize>(bytes: &[u8], number: impl Fn([u8; N]) -> f64) -> Vec<f64> {
    let entries = bytes.chunks_exact(N);
    entries
        .filter_map(|entry| Some(number(entry.try_into().ok()?)))
        .collect()
}

/// A file with the contents of all locations, in F64.
///
/// # Errors
/// What the format forbids, in words.
pub fn written(cells: &[(String, Tensor)]) -> Result<Vec<u8>, String> {
    let bytes = |tensor: &Tensor| -> Vec<u8> {
        let entries = tensor.data().iter();
        entries.flat_map(|entry| entry.to_le_bytes()).collect()
    };
    let contents: Vec<Vec<u8>> = cells.iter().map(|(_, tensor)| bytes(tensor)).collect();
    let mut views = Vec::new();
    for ((name, tensor), bytes) in cells.iter().zip(&contents) {
        let view = TensorView::new(Dtype::F64, tensor.shape().dims().to_vec(), bytes);
        views.push((name.as_str(), view.map_err(|error| error.to_string())?));
    }
    serialize(views, None).map_err(|error| error.to_string())
}
