//! A state as a program of its own: the heap as `loc` declarations, the operations that the state mentions, and its command
//! as `main`. Parsed and run, the program continues as the run does, to the bit.
//!
//! Constructs without a notation are replaced: RH is unfolded, an instance of a family of operations or locations gets a
//! plain name (`FC[a[1]]` becomes `FC_a_1`), and handlers are written in braces with a clause for every operation. Shapes
//! are written as indices of symbols. Numbers that are not finite cannot be written.

use fletch_calculus::{
    Command, CommandKind, Handler, OperationRef, Part, Program, Tensor, TermKind,
};
use fletch_print::{Folds, Labels, Marks, Names, Style, Values, lines, whole};
use fletch_reduction::{Incomplete, State, unfolded};
use fletch_smooth::symbols;
use fletch_syntax::{Spelling, format};
use std::collections::BTreeSet;
use std::fmt;

/// Reason for which a state cannot be written as a program.
#[derive(Clone, Debug)]
pub enum Unwritable {
    /// The state holds a number that is not finite, for which there is no literal.
    NotFinite,
    /// RH cannot be unfolded, or only by too many equations.
    Unfolding(Incomplete),
    /// The text would exceed the maximum size of a program.
    TooLong,
    /// The state uses the program's function of this name as a function symbol: applied to rows, applied to columns, or in
    /// its derivative. A state does not have the function's body.
    Function(String),
}

impl fmt::Display for Unwritable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Unwritable::NotFinite => {
                "it holds a number that is not finite, and there is no literal for those"
            }
            Unwritable::Unfolding(_) => {
                "the handlers that are at work cannot be unfolded within reason"
            }
            Unwritable::TooLong => "it is longer than a program may be",
            Unwritable::Function(name) => {
                return write!(
                    formatter,
                    "it applies the function `{name}` where a function symbol stands, and a state has no functions"
                );
            }
        })
    }
}

impl std::error::Error for Unwritable {}

/// Maximum number of equations by which a state is unfolded.
const EQUATIONS: usize = 20_000;

/// Maximum number of nodes and scalars of a written program: a handler is written wherever it is used.
const SIZE: usize = 1 << 18;

/// Writes a state of a run of `program` as a program.
///
/// # Errors
/// Returns an error if the state cannot be written, see [`Unwritable`].
pub fn source(program: &Program, state: &State) -> Result<String, Unwritable> {
    let mut supply = state.supply().clone();
    let command =
        unfolded(&state.command(), &mut supply, EQUATIONS).map_err(Unwritable::Unfolding)?;
    let mut survey = Survey {
        operations: BTreeSet::new(),
        left: SIZE,
        unwritable: None,
    };
    survey.command(&command);
    let heap = program.locations.iter().zip(state.heap().contents());
    heap.clone()
        .for_each(|(_, contents)| survey.tensor(contents));
    if let Some(unwritable) = survey.unwritable {
        return Err(unwritable);
    }
    let labels = Labels::of(program, survey.operations);
    let mut text = String::new();
    for (location, contents) in heap {
        let sizes: Vec<String> = location.sizes.iter().map(usize::to_string).collect();
        let name = labels.location(location);
        text += &format!("loc {name} ∷ ({})", sizes.join(", "));
        if contents.data().iter().any(|entry| entry.to_bits() != 0) {
            text += &format!(" = {}", whole(contents, contents.data()));
        }
        text.push('\n');
    }
    for operation in labels.operations() {
        let name = labels.operation(operation);
        let (domain, codomain) = (&operation.domain, &operation.codomain);
        text += &format!("op {name} : {domain} ▷ {codomain}\n");
    }
    let style = Style {
        names: Names::plain(),
        folds: Folds::default(),
        values: Values::Source(&labels),
        marks: Marks::default(),
    };
    let main = lines(&command, style, usize::from(u16::MAX));
    text += &format!("\nmain =\n{}\n", fletch_print::text(&main));
    // Text nested too deeply does not parse. It is returned unformatted: a reader who parses it gets the diagnostic.
    Ok(format(&text, Spelling::Unicode, symbols()).unwrap_or(text))
}

/// Survey of a command and its handlers: their operations, their size, and a reason not to write them.
struct Survey {
    operations: BTreeSet<OperationRef>,
    /// Number of nodes and scalars still allowed.
    left: usize,
    unwritable: Option<Unwritable>,
}

impl Survey {
    fn command(&mut self, command: &Command) {
        match command.kind() {
            CommandKind::Perform(operation, _) => {
                self.operations.insert(operation.clone());
            }
            CommandKind::RevHandle { handler, .. } => {
                self.handler(handler, |survey, clause| {
                    survey.command(&clause.forward);
                    survey.command(&clause.backward);
                });
            }
            CommandKind::Handle { handler, .. } => {
                self.handler(handler, |survey, clause| survey.command(&clause.body));
            }
            // RH is unfolded by now.
            CommandKind::Pure(_)
            | CommandKind::Let { .. }
            | CommandKind::Resume(..)
            | CommandKind::Feedback { .. }
            | CommandKind::Handled(_) => {}
        }
        self.children(Part::Command(command));
    }

    fn handler<C>(&mut self, handler: &Handler<C>, clause: impl Fn(&mut Survey, &C)) {
        self.command(&handler.return_clause.body);
        for (operation, body) in &handler.clauses {
            self.operations.insert(operation.clone());
            clause(self, body);
        }
    }

    fn children(&mut self, part: Part<'_>) {
        self.spend(1);
        for child in part.children() {
            match child {
                _ if self.unwritable.is_some() => return,
                Part::Command(command) => self.command(command),
                Part::Term(term) => {
                    match term.kind() {
                        TermKind::Constant(tensor) => self.tensor(tensor),
                        TermKind::Apply(symbol, _) => {
                            if let Some(name) = symbol.definition() {
                                self.unwritable = Some(Unwritable::Function(name.to_owned()));
                            }
                        }
                        _ => {}
                    }
                    self.children(child);
                }
            }
        }
    }

    fn tensor(&mut self, tensor: &Tensor) {
        self.spend(tensor.len());
        if !tensor.data().iter().all(|entry| entry.is_finite()) {
            self.unwritable = Some(Unwritable::NotFinite);
        }
    }

    fn spend(&mut self, size: usize) {
        match self.left.checked_sub(size) {
            Some(left) => self.left = left,
            None => self.unwritable = Some(Unwritable::TooLong),
        }
    }
}
