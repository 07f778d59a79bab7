//! Heaps in files: `safetensors`, one tensor for each location, by its name, in F64 or F32.

use fletch_playground::Tensor;
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors, serialize};

/// Locations by name, with their contents.
pub(crate) type Cells = Vec<(String, Tensor)>;

/// What a file holds for these locations; those that it does not name keep what they hold.
pub(crate) fn load(path: &str, locations: &[(String, Tensor)]) -> Result<Cells, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("cannot read {path}: {error}"))?;
    let file = SafeTensors::deserialize(&bytes)
        .map_err(|error| format!("{path} is no safetensors file: {error}"))?;
    let mut names = file.names();
    names.sort_unstable();
    if let Some(name) = names
        .iter()
        .find(|name| !locations.iter().any(|(own, _)| own == *name))
    {
        let known: Vec<String> = locations
            .iter()
            .map(|(own, _)| format!("`{own}`"))
            .collect();
        let known = match known.is_empty() {
            true => "it uses none".to_owned(),
            false => format!("it uses {}", known.join(", ")),
        };
        return Err(format!(
            "{path} has `{name}`, which is no location of the program: {known}"
        ));
    }
    let mut cells = Vec::new();
    for (name, initial) in locations {
        let Ok(view) = file.tensor(name) else {
            eprintln!("fletch: {path} has no `{name}`, which keeps its initial contents");
            continue;
        };
        let shape = initial.shape();
        if view.shape() != shape.dims() {
            let found: Vec<String> = view.shape().iter().map(usize::to_string).collect();
            let found = found.join(" × ");
            return Err(format!(
                "{path} has `{name}` of shape {found}, and the program of shape {shape}"
            ));
        }
        let numbers: Vec<f64> = match view.dtype() {
            Dtype::F64 => numbers(view.data(), f64::from_le_bytes),
            Dtype::F32 => numbers(view.data(), |bytes| f64::from(f32::from_le_bytes(bytes))),
            other => {
                return Err(format!(
                    "{path} has `{name}` as {other:?}: only F64 and F32 are read"
                ));
            }
        };
        if let Some(contents) = Tensor::new(shape.clone(), numbers) {
            cells.push((name.clone(), contents));
        }
    }
    Ok(cells)
}

fn numbers<const N: usize>(bytes: &[u8], number: impl Fn([u8; N]) -> f64) -> Vec<f64> {
    let entries = bytes.chunks_exact(N);
    entries
        .filter_map(|entry| Some(number(entry.try_into().ok()?)))
        .collect()
}

/// Writes the contents of all locations, in F64.
pub(crate) fn save(path: &str, cells: &[(String, Tensor)]) -> Result<(), String> {
    let contents: Vec<Vec<u8>> = cells
        .iter()
        .map(|(_, tensor)| {
            tensor
                .data()
                .iter()
                .flat_map(|entry| entry.to_le_bytes())
                .collect()
        })
        .collect();
    let mut views = Vec::new();
    for ((name, tensor), bytes) in cells.iter().zip(&contents) {
        let view = TensorView::new(Dtype::F64, tensor.shape().dims().to_vec(), bytes);
        views.push((name.as_str(), view.map_err(|error| error.to_string())?));
    }
    let bytes = serialize(views, None).map_err(|error| error.to_string())?;
    std::fs::write(path, bytes).map_err(|error| format!("cannot write {path}: {error}"))
}
