//! scratch
#[path = "../tests/common/mod.rs"]
mod common;
fn main() {
    let all = std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap();
    for source in all.split("\n====\n") {
        let source = source.trim_end_matches('\n');
        let (program, diagnostics) = fletch_syntax::parse(source);
        println!("---- {source}\n{}", common::render(source, &diagnostics));
        if std::env::args().nth(2).is_some() {
            println!("{program:?}");
        }
    }
}
