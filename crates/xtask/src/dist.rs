//! Building the site, when something that goes into it changed: the program is compiled, bound to JavaScript and, if it ships,
//! made small; what changes with it gets a name that changes too; what stands beside it is copied.
//!
//! Two pages are built of the same files. The one that ships takes minutes. The quick one is compiled as the tests of the wasm
//! stage are, so that after them it is there at once; the end-to-end tests go through that.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::failure::{Failure, Outcome};
use crate::fingerprint;
use crate::npm;
use crate::process::{self, command};
use crate::tools::{self, WASM_TARGET};
use crate::workspace::Workspace;

/// How the page is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Page {
    /// As it is deployed, in `dist`.
    Shipped,
    /// Quickly, in `target/page`.
    Quick,
}

/// What the site is made of.
const INPUTS: [&str; 9] = [
    "crates",
    "docs",
    "web",
    "static",
    "examples",
    "Cargo.toml",
    "Cargo.lock",
    "rust-toolchain.toml",
    ".cargo",
];

/// Folders of the site, and where they come from.
const FOLDERS: [(&str, &str); 3] = [
    ("static", "static"),
    ("examples", "examples"),
    ("errors", "web/generated/errors"),
];

/// Files of the site, in `web`.
const FILES: [&str; 4] = ["boot.js", "worker.js", "theme.js", "generated/licences.txt"];

/// Size before speed, twice over; names and debug sections are left out.
const WASM_OPT: &str = "-Oz --enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext --enable-mutable-globals \
    --enable-reference-types --enable-multivalue --enable-simd --low-memory-unused --one-caller-inline-max-function-size=0 \
    --flatten --rereloop -Oz -Oz --strip-debug --strip-producers --strip-target-features";

impl Page {
    /// Where the site is.
    pub(crate) fn folder(self, workspace: &Workspace) -> PathBuf {
        match self {
            Self::Shipped => workspace.root().join("dist"),
            Self::Quick => workspace.root().join("target").join("page"),
        }
    }

    /// The profile of Cargo, and the folder of what it makes.
    fn profile(self) -> (&'static str, &'static str) {
        match self {
            Self::Shipped => ("web", "web"),
            Self::Quick => ("dev", "debug"),
        }
    }
}

/// Builds the site, unless it was already built from the same files.
pub(crate) fn build(workspace: &Workspace, page: Page) -> Outcome<()> {
    let stamp = workspace.stamp(&format!("page-{}", page.profile().0));
    let inputs: Vec<_> = INPUTS
        .iter()
        .map(|input| workspace.root().join(input))
        .collect();
    // Taken before the build: what changes during it is built by the next one.
    let content = format!(
        "{} {}",
        tools::wasm_bindgen(workspace)?,
        fingerprint::of_trees(inputs.iter().map(|path| &**path))
    );
    let site = page.folder(workspace);
    if stamp.says(&content) && site.join("index.html").is_file() {
        println!("The page is up to date.");
        return Ok(());
    }
    let kind = match page {
        Page::Shipped => "",
        Page::Quick => ", quickly",
    };
    println!("Building the page{kind} …");
    stamp.clear();
    let start = Instant::now();
    // The last one stays until the new one is whole.
    let new = workspace.root().join("target").join("page.new");
    take_away(&new)?;
    compile(workspace, page, &new)
        .and_then(|()| assemble(workspace, &new))
        .map_err(|failure| Failure::new(format!("the page was not built: {failure}")))?;
    take_away(&site)?;
    fs::rename(&new, &site).map_err(Failure::io("rename", &new))?;
    println!("Built the page in {}.", process::duration(start.elapsed()));
    stamp.write(&content)
}

/// The program and its script.
fn compile(workspace: &Workspace, page: Page, site: &Path) -> Outcome<()> {
    npm::bundle_editor(workspace)?;
    let (profile, folder) = page.profile();
    let mut cargo = command("cargo", workspace.root());
    cargo.args(["build", "--package", "fletch-web", "--bin", "playground"]);
    cargo.args(["--target", WASM_TARGET, "--profile", profile]);
    process::shown(&mut cargo)?;
    let target = env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    let made = workspace.root().join(target).join(WASM_TARGET).join(folder);
    let bindgen = workspace.tools().join("bin").join("wasm-bindgen");
    let mut bindgen = command(bindgen, workspace.root());
    bindgen.args(["--target", "web", "--no-typescript", "--out-dir"]);
    bindgen.arg(site).arg(made.join("playground.wasm"));
    process::quiet(&mut bindgen)?;
    if page == Page::Shipped {
        let wasm = site.join("playground_bg.wasm");
        let opt = if cfg!(windows) {
            "wasm-opt.cmd"
        } else {
            "wasm-opt"
        };
        let opt = workspace.web().join("node_modules/.bin").join(opt);
        let mut opt = command(opt, workspace.root());
        opt.args(WASM_OPT.split_whitespace());
        process::quiet(opt.arg(&wasm).arg("-o").arg(&wasm))?;
    }
    Ok(())
}

/// All that stands around the program.
fn assemble(workspace: &Workspace, site: &Path) -> Outcome<()> {
    let web = workspace.web();
    for (folder, from) in FOLDERS {
        copy_folder(&workspace.root().join(from), &site.join(folder))?;
    }
    for file in FILES {
        let name = Path::new(file).file_name().unwrap_or_default();
        copy(&web.join(file), &site.join(name))?;
    }
    copy(&web.join("generated/style.css"), &site.join("style.css"))?;
    // wasm-bindgen lists the editor's packages there; they are in its bundle.
    let packages = site.join("package.json");
    fs::remove_file(&packages).map_err(Failure::io("take away", &packages))?;
    let index = web.join("index.html");
    let mut html = fs::read_to_string(&index).map_err(Failure::io("read", &index))?;
    // A name that says what is inside may be kept by browsers for ever.
    for (stem, ending) in [
        ("style", "css"),
        ("playground", "js"),
        ("playground_bg", "wasm"),
    ] {
        let plain = site.join(stem).with_extension(ending);
        let named = format!("{stem}-{}.{ending}", fingerprint::of_content(&plain));
        fs::rename(&plain, site.join(&named)).map_err(Failure::io("rename", &plain))?;
        html = html.replace(&format!("{{{{{stem}.{ending}}}}}"), &named);
    }
    let index = site.join("index.html");
    fs::write(&index, html).map_err(Failure::io("write", &index))
}

fn take_away(folder: &Path) -> Outcome<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(Failure::io("take away", folder))?;
    }
    Ok(())
}

fn copy_folder(from: &Path, to: &Path) -> Outcome<()> {
    fs::create_dir_all(to).map_err(Failure::io("make the folder", to))?;
    for entry in fs::read_dir(from).map_err(Failure::io("list", from))? {
        let entry = entry.map_err(Failure::io("list", from))?.path();
        let to = to.join(entry.file_name().unwrap_or_default());
        if entry.is_dir() {
            copy_folder(&entry, &to)?;
        } else {
            copy(&entry, &to)?;
        }
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Outcome<()> {
    fs::copy(from, to).map_err(Failure::io("copy", from))?;
    Ok(())
}
