//! Compiles the generated parser and its scanner.

fn main() {
    let files = ["src/parser.c", "src/scanner.c"];
    for file in files {
        println!("cargo::rerun-if-changed={file}");
    }
    cc::Build::new()
        .std("c11")
        .include("src")
        .files(files)
        .warnings(false)
        .compile("tree-sitter-fletch");
}
