//! The session of figures: diagrams, typing derivations and comparisons of a program. It is one of its own, with plain data in and
//! out, because the page loads it apart from the session of steps, when a reader first asks for a figure.

mod diagram;
pub mod protocol;

use crate::heap_view::Locations;
use fletch_elaborate::Main;
use fletch_ide::{self as ide, Checked};
use fletch_syntax::tree;
use protocol::{Reply, Request};

/// What a front end drives.
#[derive(Default)]
pub struct Session {
    loaded: Option<Program>,
}

/// A program, read.
struct Program {
    revision: u32,
    source: String,
    checked: Checked,
}

impl Session {
    /// Answers a request.
    pub fn handle(&mut self, request: Request) -> Reply {
        match request {
            Request::Load {
                revision,
                source,
                heap,
                mode: _,
            } => {
                let mut checked = ide::check(&source);
                if let Some(Main { program, .. }) = &mut checked.main {
                    Locations::of(program, &checked.program, &source, &heap);
                }
                let program = Program {
                    revision,
                    source,
                    checked,
                };
                let loaded = program.summary();
                self.loaded = Some(program);
                Reply::Loaded(loaded)
            }
            Request::Draw(asked) => match self.current(asked.revision) {
                Some(program) => Reply::Drawn(Box::new(diagram::draw(program, asked))),
                None => Reply::Outdated,
            },
        }
    }

    fn current(&self, revision: u32) -> Option<&Program> {
        let loaded = self.loaded.as_ref();
        loaded.filter(|loaded| loaded.revision == revision && !loaded.checked.rejected())
    }
}

impl Program {
    fn summary(&self) -> protocol::Loaded {
        let main = self.checked.main.is_some().then(|| "main".to_owned());
        let items = self.checked.program.items.iter();
        let declared = items.filter_map(|item| match &item.node {
            tree::ItemKind::Command(command) => Some(command.name.text.to_string()),
            _ => None,
        });
        protocol::Loaded {
            revision: self.revision,
            rejected: self.checked.rejected(),
            commands: main.into_iter().chain(declared).collect(),
        }
    }
}
