//! The generators of initial contents and data sets as calls in Python.

use crate::code::literal;
use crate::families::Helpers;
use fletch_elaborate::Recipe;
use fletch_smooth::Argument;

/// The generators: name, Python function, and parameters. The name of a parameter in capitals is that of a whole number.
const GENERATORS: [(&str, &str, &[&str]); 16] = [
    ("uniform", "make_uniform", &["lo", "hi", "SEED"]),
    ("normal", "make_normal", &["std", "SEED"]),
    ("glorot", "make_glorot", &["SEED"]),
    ("he", "make_he", &["SEED"]),
    ("constant", "np.full", &["c"]),
    ("xor", "make_xor", &[]),
    ("circles", "make_circles", &["N", "noise", "SEED"]),
    ("moons", "make_moons", &["N", "noise", "SEED"]),
    ("spirals", "make_spirals", &["N", "noise", "SEED"]),
    ("quadrants", "make_quadrants", &["N", "noise", "SEED"]),
    ("blobs", "make_blobs", &["N", "CLASSES", "noise", "SEED"]),
    ("sine", "make_sine", &["N", "noise", "SEED"]),
    ("hills", "make_hills", &["N", "noise", "SEED"]),
    ("glyphs", "make_glyphs", &["N", "noise", "SEED"]),
    ("blips", "make_blips", &["LENGTH", "N", "noise", "SEED"]),
    ("adding", "make_adding", &["LENGTH", "N", "SEED"]),
];

/// The Python call for a recipe; `shape` is that of the location, or `None` for a data set. Returns `None` for an unknown generator.
pub(crate) fn call(
    recipe: &Recipe,
    shape: Option<&[usize]>,
    helpers: &mut Helpers,
) -> Option<String> {
    let mut all = GENERATORS.iter();
    let (_, helper, parameters) = all.find(|(name, ..)| *name == &*recipe.generator)?;
    let mut arguments = Vec::new();
    if let Some(shape) = shape {
        let dims: Vec<String> = shape.iter().map(usize::to_string).collect();
        let comma = if dims.len() == 1 { "," } else { "" };
        arguments.push(format!("({}{comma})", dims.join(", ")));
    }
    for (position, (name, value)) in recipe.arguments.iter().enumerate() {
        let lower = |parameter: &&str| name.as_deref() == Some(&*parameter.to_ascii_lowercase());
        let parameter = match name {
            Some(_) => parameters.iter().find(|parameter| lower(parameter)),
            None => parameters.get(position),
        }?;
        let whole = parameter.starts_with(|first: char| first.is_ascii_uppercase());
        let value = match *value {
            Argument::Whole(number) if whole => number.to_string(),
            Argument::Whole(number) => literal(number as f64),
            Argument::Real(number) if whole => format!("{number:.0}"),
            Argument::Real(number) => literal(number),
        };
        arguments.push(match *helper {
            "np.full" => value,
            _ => format!("{}={value}", parameter.to_ascii_lowercase()),
        });
    }
    if *helper != "np.full" {
        helpers.insert(helper);
    }
    Some(format!("{helper}({})", arguments.join(", ")))
}
