//! The outline of a program: its declarations, for a list next to the editor.

use fletch_syntax::Span;
use fletch_syntax::tree::{ItemKind, Program};

/// One declaration.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Keyword of the declaration.
    pub kind: &'static str,
    /// Name of the declaration.
    pub name: String,
    /// Span of the declaration.
    pub span: Span,
}

/// The declarations in file order.
pub fn outline(program: &Program) -> Vec<Entry> {
    let mut entries = Vec::new();
    for item in &program.items {
        let mut push = |kind, name: &str| {
            entries.push(Entry {
                kind,
                name: name.to_owned(),
                span: item.span,
            })
        };
        match &item.node {
            ItemKind::Dim(dims) => dims.iter().for_each(|(name, _)| push("dim", &name.text)),
            ItemKind::Loc(decl) => push("loc", &decl.name.text),
            ItemKind::Op(decl) => push("op", &decl.name.text),
            ItemKind::Fun(decl) => push("fun", &decl.name.text),
            ItemKind::Command(decl) => push("command", &decl.name.text),
            ItemKind::Handler(decl) => push("handler", &decl.name.text),
            ItemKind::Data(decl) => push("data", &decl.name.text),
            ItemKind::Train(decl) => push("train", &decl.data.text),
            ItemKind::Measure(decl) => push("measure", &decl.name.text),
            ItemKind::Predict(decl) => push("predict", &decl.name.text),
            ItemKind::Main(_) => push("main", "main"),
        }
    }
    entries
}
