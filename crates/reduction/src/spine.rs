//! An open command taken apart into its context and its head: what RH looks at (Lemma form-of-commands).

use crate::frames::Frame;
use fletch_calculus::{Command, CommandKind};

/// A command as layers around a head that is neither a `let` nor a `handle`.
pub struct Spine {
    /// The layers, outermost first.
    pub frames: Vec<Frame>,
    /// The head.
    pub head: Command,
}

impl Spine {
    /// Takes a command apart.
    pub fn of(command: &Command) -> Spine {
        let mut frames = Vec::new();
        let mut head = command.clone();
        loop {
            let inner = match head.kind() {
                CommandKind::Let {
                    variable,
                    bound,
                    body,
                    role,
                } => {
                    frames.push(Frame::Let {
                        variable: variable.clone(),
                        body: body.clone(),
                        role: role.clone(),
                        origin: head.origin(),
                    });
                    bound.clone()
                }
                CommandKind::Handle { body, handler } => {
                    frames.push(Frame::Handle {
                        handler: handler.clone(),
                        origin: head.origin(),
                    });
                    body.clone()
                }
                _ => return Spine { frames, head },
            };
            head = inner;
        }
    }

    /// The command with another head.
    pub(crate) fn plug(frames: &[Frame], head: Command) -> Command {
        frames
            .iter()
            .rev()
            .fold(head, |inner, frame| frame.plug(inner))
    }

    /// The position of the innermost `handle`.
    pub fn innermost_handle(&self) -> Option<usize> {
        self.frames
            .iter()
            .rposition(|frame| matches!(frame, Frame::Handle { .. }))
    }
}
