//! Makes a test of each lesson of the tour, so that adding one touches its folder and `tour.toml` alone.

use std::path::Path;

const INDEX: &str = "../examples/tour/tour.toml";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={INDEX}");
    let index = std::fs::read_to_string(INDEX)?;
    let mut tests = String::new();
    // Parts come before tracks, which name lessons again.
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
