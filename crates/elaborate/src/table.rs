//! The symbol table of a program: its declarations, and the definition of each name.

use crate::declarations::Declarations;
use crate::names::{Resolution, resolve};
use crate::report::Report;
use fletch_syntax::tree::Program;

/// The symbol table of a program, made before anything is elaborated.
pub(crate) struct Table<'a> {
    pub(crate) declarations: Declarations<'a>,
    pub(crate) names: Resolution<'a>,
}

impl<'a> Table<'a> {
    /// Makes the table of `program`; names that are declared twice are reported.
    pub(crate) fn of(program: &'a Program, report: &mut Report) -> Self {
        let declarations = Declarations::collect(program, report);
        let names = resolve(program, &declarations);
        Table {
            declarations,
            names,
        }
    }
}
