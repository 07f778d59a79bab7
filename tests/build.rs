//! Generates a test for each lesson of the tour, so that a new lesson needs changes in its folder and in `tour.toml` only.

use std::path::Path;

const INDEX: &str = "../examples/tour/tour.toml";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={INDEX}");
    let index = std::fs::read_to_string(INDEX)?;
    let mut tests = String::new();
    // The lessons are listed in `[[part]]` tables. The `[[track]]` tables after them name the same lessons again.
    let parts = index.split("[[track]]").next().unwrap_or("");
    let lists = parts.lines().filter(|line| line.starts_with("lessons = "));
    for name in lists.flat_map(|line| line.split('"').skip(1).step_by(2)) {
        let function = name.replace(|character: char| !character.is_alphanumeric(), "_");
        tests.push_str(&format!(
            "#[test]\nfn lesson_{function}() {{\n    lesson(\"{name}\");\n}}\n"
        ));
    }
    let out = std::env::var_os("OUT_DIR").ok_or("no OUT_DIR")?;
    Ok(std::fs::write(Path::new(&out).join("lessons.rs"), tests)?)
}
