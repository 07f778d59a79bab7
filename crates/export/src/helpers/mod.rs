//! Helper functions that a module needs in addition to JAX. Each is a small file of Python, written into a module only if it is used.

use crate::families::Helpers;
use std::collections::BTreeSet;

/// A helper function: its name, the helpers that it uses, and its text.
struct Helper {
    name: &'static str,
    uses: &'static [&'static str],
    text: &'static str,
}

macro_rules! helpers {
    ($($name:literal $([$($used:literal),*])?),* $(,)?) => {
        [$(Helper {
            name: $name,
            uses: &[$($($used),*)?],
            text: include_str!(concat!($name, ".py")),
        }),*]
    };
}

/// All helpers; each comes after those that it uses.
const ALL: [Helper; 55] = helpers![
    "draws",
    "uniforms",
    "normals" ["uniforms"],
    "fans",
    "make_uniform" ["draws", "uniforms"],
    "make_normal" ["draws", "normals"],
    "make_glorot" ["fans", "make_uniform"],
    "make_he" ["fans", "make_normal"],
    "make_xor",
    "make_circles" ["draws", "uniforms", "normals"],
    "make_moons" ["draws", "uniforms", "normals"],
    "make_spirals" ["draws", "uniforms", "normals"],
    "make_quadrants" ["draws", "uniforms", "normals"],
    "make_blobs" ["draws", "normals"],
    "make_sine" ["draws", "uniforms", "normals"],
    "make_hills" ["draws", "uniforms", "normals"],
    "make_glyphs" ["draws", "uniforms", "normals"],
    "make_blips" ["draws", "uniforms", "normals"],
    "make_adding" ["draws", "uniforms"],
    "sigmoid",
    "sigmoid_slope" ["sigmoid"],
    "softplus",
    "power_slope",
    "bell",
    "gelu_slope" ["bell"],
    "erf_slope" ["bell"],
    "norm_slope",
    "below",
    "conv1d",
    "conv1d_image" ["conv1d"],
    "conv1d_filter",
    "conv2d",
    "conv2d_image" ["conv2d"],
    "conv2d_filter",
    "windows",
    "window_sizes",
    "maxpool1d" ["windows"],
    "maxpool1d_unpool" ["windows"],
    "maxpool1d_pick" ["windows"],
    "avgpool1d" ["windows", "window_sizes"],
    "avgpool1d_spread" ["window_sizes"],
    "windows2d",
    "maxpool2d" ["windows2d"],
    "maxpool2d_unpool" ["windows2d"],
    "maxpool2d_pick" ["windows2d"],
    "avgpool2d_spread" ["window_sizes"],
    "avgpool2d" ["windows2d", "window_sizes"],
    "upscale",
    "downsum",
    "stopped_at",
    "over_devices",
    "batches",
    "epoch",
    "mean",
    "train" ["epoch"],
];

/// The names of all helpers.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|helper| helper.name)
}

/// The texts of these helpers and of those that they use, in the order of `ALL`.
pub(crate) fn texts(wanted: &Helpers) -> Vec<&'static str> {
    let mut needed: BTreeSet<&'static str> = wanted.clone();
    for helper in ALL.iter().rev() {
        if needed.contains(helper.name) {
            needed.extend(helper.uses);
        }
    }
    let needed = ALL.iter().filter(|helper| needed.contains(helper.name));
    needed.map(|helper| helper.text.trim_end()).collect()
}

#[cfg(test)]
mod tests {
    use super::ALL;

    #[test]
    fn what_a_helper_uses_stands_before_it() {
        for (place, helper) in ALL.iter().enumerate() {
            for used in helper.uses {
                let before = ALL.iter().take(place);
                assert!(before.map(|other| other.name).any(|name| name == *used));
            }
        }
    }
}
