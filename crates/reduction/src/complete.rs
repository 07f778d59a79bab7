//! Complete unfolding of RH, everywhere in a command. It turns a state into a program: programs have no syntax for RH, nor for a feedback
//! without moments. A run unfolds lazily instead, one equation at a time, to the same result.

use crate::step::Stuck;
use crate::unfolding::unfold;
use fletch_calculus::{At, Command, CommandKind, Supply, Term, sequence};

/// Reason why a command is not unfolded.
#[derive(Clone, Debug)]
pub enum Incomplete {
    /// The unfolding exceeds the allowed number of equations or of levels.
    TooLarge,
    /// An equation does not apply.
    Stuck(Stuck),
}

/// Maximal nesting of commands; the unfolding recurses on them.
const LEVELS: usize = 1000;

/// Unfolds all RH in the command, with at most `equations` equations.
///
/// # Errors
/// If more equations are needed, if the command nests too deeply, or if an equation does not apply.
pub fn unfolded(
    command: &Command,
    supply: &mut Supply,
    equations: usize,
) -> Result<Command, Incomplete> {
    let mut unfolding = Unfolding {
        supply,
        left: equations,
    };
    unfolding.command(command, LEVELS)
}

struct Unfolding<'a> {
    supply: &'a mut Supply,
    left: usize,
}

impl Unfolding<'_> {
    fn command(&mut self, command: &Command, levels: usize) -> Result<Command, Incomplete> {
        let below = levels.checked_sub(1).ok_or(Incomplete::TooLarge)?;
        let mut command = command.clone();
        while let CommandKind::Handled(_) = command.kind() {
            self.left = self.left.checked_sub(1).ok_or(Incomplete::TooLarge)?;
            command = unfold(&command, self.supply, false)
                .map_err(Incomplete::Stuck)?
                .command;
        }
        let kind = match command.kind() {
            CommandKind::Let {
                variable,
                bound,
                body,
                role,
            } => CommandKind::Let {
                variable: variable.clone(),
                bound: self.command(bound, below)?,
                body: self.command(body, below)?,
                role: role.clone(),
            },
            CommandKind::Handle { body, handler } => CommandKind::Handle {
                body: self.command(body, below)?,
                handler: handler.clone(),
            },
            CommandKind::RevHandle {
                argument,
                variables,
                body,
                handler,
            } => CommandKind::RevHandle {
                argument: argument.clone(),
                variables: variables.clone(),
                body: self.command(body, below)?,
                handler: handler.clone(),
            },
            CommandKind::Feedback { argument, feedback } if feedback.count == 0 => {
                let at = At(command.origin());
                let none = Term::zero(&sequence(0, &feedback.of_output), at.0);
                let state = at.project(0, argument.clone());
                return Ok(at.pure(at.tuple([state, none])));
            }
            _ => return Ok(command),
        };
        Ok(Command::new(kind, command.origin()))
    }
}
