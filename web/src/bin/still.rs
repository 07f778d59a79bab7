//! Writes the static page, as it is shown before the program has started, to a file. `cargo xtask` puts it into the built page.

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::io::Result<()> {
    let path = std::env::args_os().nth(1);
    let path = path.ok_or_else(|| std::io::Error::other("no file is named"))?;
    std::fs::write(path, fletch_web::still::page())
}

#[cfg(target_arch = "wasm32")]
fn main() {}
