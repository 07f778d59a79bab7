//! Build of the npm package, after a change of its inputs: two modules of one crate, in `packages/fletch/dist`.

use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use crate::dist;
use crate::failure::{Failure, Outcome};
use crate::process::{self, command};
use crate::workspace::Workspace;

/// Modules of the package: the name of each, and its options for cargo, which leave out features.
const MODULES: [(&str, &[&str]); 2] = [("check", &["--no-default-features"]), ("fletch", &[])];

/// Inputs of the package's modules. Its JavaScript is not built.
const INPUTS: [&str; 7] = [
    "crates",
    "docs",
    "examples",
    "Cargo.toml",
    "Cargo.lock",
    "rust-toolchain.toml",
    ".cargo",
];

/// Arguments of `wasm-opt`: optimise for size, with the wasm features that `.cargo/config.toml` enables and browsers support.
const PASSES: [&str; 8] = [
    "--enable-bulk-memory",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-reference-types",
    "--enable-multivalue",
    "--enable-simd",
    "-Oz",
];

/// Builds the package, unless it was already built from the same files.
pub(crate) fn build(workspace: &Workspace) -> Outcome<()> {
    let stamp = workspace.stamp("package");
    let content = dist::content(workspace, &INPUTS)?;
    let dist = workspace.package().join("dist");
    if stamp.says(&content) && dist.join("fletch.wasm").is_file() {
        println!("The npm package is up to date.");
        return Ok(());
    }
    println!("Building the npm package; it is optimised for size, which takes some minutes …");
    stamp.clear();
    let start = Instant::now();
    let _absent_already = fs::remove_dir_all(&dist);
    for (name, options) in MODULES {
        module(workspace, name, options)?;
    }
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        let to = workspace.package().join(licence);
        fs::copy(workspace.root().join(licence), &to).map_err(Failure::io("write", &to))?;
    }
    println!(
        "Built the npm package in {}.",
        process::duration(start.elapsed())
    );
    stamp.write(&content)
}

/// Compiles a module into the package.
fn module(workspace: &Workspace, name: &str, options: &[&str]) -> Outcome<()> {
    let mut cargo = command("cargo", workspace.root());
    cargo
        .args(["build", "--profile", "web"])
        .args(["--target", "wasm32-unknown-unknown"])
        .args(["--package", "fletch-package"])
        .args(options);
    process::shown(&mut cargo)?;
    let dist = workspace.package().join("dist");
    let mut bindgen = command(
        workspace.tools().join("bin").join("wasm-bindgen"),
        workspace.root(),
    );
    bindgen
        .args([
            "--target",
            "web",
            "--no-typescript",
            "--omit-default-module-path",
        ])
        .args(["--out-name", name, "--out-dir"])
        .arg(&dist)
        .arg(compiled(workspace));
    process::quiet(&mut bindgen)?;
    let bound = dist.join(format!("{name}_bg.wasm"));
    let mut opt = command("wasm-opt", workspace.root());
    opt.env("PATH", workspace.path_variable()?)
        .args(PASSES)
        .arg(&bound)
        .arg("-o")
        .arg(dist.join(format!("{name}.wasm")));
    process::quiet(&mut opt)?;
    fs::remove_file(&bound).map_err(Failure::io("remove", &bound))
}

/// Path of the module that cargo compiles.
fn compiled(workspace: &Workspace) -> PathBuf {
    workspace
        .target()
        .join("wasm32-unknown-unknown")
        .join("web")
        .join("fletch_package.wasm")
}
