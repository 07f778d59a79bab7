//! Heaps in files of the format `safetensors`, which PyTorch, JAX and Rust read: one tensor for each location, by its name. Files are
//! written in F64, and read in F64, F32, F16 and BF16. Names are compared in NFC.

use crate::planned::Cells;
use fletch_smooth::Tensor;
use fletch_syntax::nfc;
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors, serialize};
use std::borrow::Cow;

/// The contents of a file, matched to the locations of a program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Read {
    /// The locations that the file names, with the contents that it has for them.
    pub cells: Cells,
    /// The locations that the file does not name.
    pub missing: Vec<String>,
}

/// The key that the format reserves for metadata, so that it names no tensor.
const METADATA: &str = "__metadata__";
/// The prefix for the tensor of a location whose name is [`METADATA`]. It has a space, which no name of a location has.
const ESCAPE: &str = "loc ";

/// The name under which a file has the tensor of a location.
fn key(location: &str) -> Cow<'_, str> {
    match location == METADATA {
        true => Cow::Owned(format!("{ESCAPE}{location}")),
        false => Cow::Borrowed(location),
    }
}

/// Reads a file for these locations; `name` is the file's name in error messages. A tensor without dimensions is a number.
///
/// # Errors
/// In words, if the bytes are no `safetensors` file, if a name is that of no location or occurs twice, or if a tensor has another shape
/// than its location or an unsupported number format.
pub fn read(name: &str, bytes: &[u8], locations: &[(String, Tensor)]) -> Result<Read, String> {
    let file = SafeTensors::deserialize(bytes)
        .map_err(|error| format!("{name} is no safetensors file: {error}"))?;
    let mut names: Vec<(String, &str)> = file
        .names()
        .into_iter()
        .map(|name| (nfc(name), name))
        .collect();
    names.sort_unstable();
    let twice = |pair: &&[(String, &str)]| matches!(pair, [(one, _), (other, _)] if one == other);
    if let Some([(both, _), ..]) = names.windows(2).find(twice) {
        return Err(format!(
            "{name} has `{both}` twice, once with letters that are composed and once not"
        ));
    }
    let known = |name: &str| locations.iter().any(|(own, _)| key(own) == name);
    if let Some((unknown, _)) = names.iter().find(|(name, _)| !known(name)) {
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
        let key = key(location);
        let own = names.iter().find(|(name, _)| *name == key);
        let Some(view) = own.and_then(|(_, own)| file.tensor(own).ok()) else {
            found.missing.push(location.clone());
            continue;
        };
        let shape = initial.shape();
        let number = view.shape().is_empty() && shape.dims().iter().all(|size| *size == 1);
        if view.shape() != shape.dims() && !number {
            let other: Vec<String> = view.shape().iter().map(usize::to_string).collect();
            let other = match other.is_empty() {
                true => "[]".to_owned(),
                false => other.join(" × "),
            };
            return Err(format!(
                "{name} has `{location}` of shape {other}, and the program of shape {shape}"
            ));
        }
        let numbers: Vec<f64> = match view.dtype() {
            Dtype::F64 => numbers(view.data(), f64::from_le_bytes),
            Dtype::F32 => numbers(view.data(), |bytes| f64::from(f32::from_le_bytes(bytes))),
            Dtype::F16 => numbers(view.data(), |bytes| half(u16::from_le_bytes(bytes))),
            // A BF16 is the upper half of an F32.
            Dtype::BF16 => numbers(view.data(), |bytes| {
                let bits = u32::from(u16::from_le_bytes(bytes)) << 16;
                f64::from(f32::from_bits(bits))
            }),
            other => {
                return Err(format!(
                    "{name} has `{location}` as {other:?}: only F64, F32, F16 and BF16 are read"
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

/// Converts a number of 16 bits (IEEE 754, binary16): a sign, 5 bits of exponent, 10 bits of fraction.
fn half(bits: u16) -> f64 {
    let (exponent, fraction) = (u32::from(bits >> 10 & 0x1f), u32::from(bits & 0x3ff));
    let sign = u32::from(bits >> 15) << 31;
    let magnitude = match exponent {
        // A subnormal number: no leading one, in units of 2⁻²⁴.
        0 => (fraction as f32 / 16_777_216.0).to_bits(),
        0x1f => 0xff << 23 | fraction << 13,
        _ => (exponent + 127 - 15) << 23 | fraction << 13,
    };
    f64::from(f32::from_bits(sign | magnitude))
}

/// Writes a file with the contents of all locations, in F64.
///
/// # Errors
/// In words, if the format does not allow it.
pub fn written(cells: &[(String, Tensor)]) -> Result<Vec<u8>, String> {
    let bytes = |tensor: &Tensor| -> Vec<u8> {
        let entries = tensor.data().iter();
        entries.flat_map(|entry| entry.to_le_bytes()).collect()
    };
    let contents: Vec<Vec<u8>> = cells.iter().map(|(_, tensor)| bytes(tensor)).collect();
    let mut views = Vec::new();
    for ((name, tensor), bytes) in cells.iter().zip(&contents) {
        let view = TensorView::new(Dtype::F64, tensor.shape().dims().to_vec(), bytes);
        views.push((key(name), view.map_err(|error| error.to_string())?));
    }
    serialize(views, None).map_err(|error| error.to_string())
}
