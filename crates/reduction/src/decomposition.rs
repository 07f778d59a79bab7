//! A command decomposed into a context and a head: F[⌊M⌋], F[Op(M)], F[rev handle(M)⟨x̄⟩. R with H], the forms that RH distinguishes
//! (Lemma form-of-commands).

use crate::frames::Frame;
use fletch_calculus::{Command, OrdinaryHandler, Role};
use std::sync::Arc;

/// A command as layers around a head that is neither a `let` nor a `handle`.
#[derive(Clone, Debug)]
pub struct Decomposition {
    /// F, its layers, outermost first.
    pub frames: Vec<Frame>,
    /// The head.
    pub head: Command,
}

/// handle F′[ ] with H inside F.
pub struct Ordinary<'d> {
    /// F, outermost first.
    pub outer: &'d [Frame],
    /// H
    pub handler: &'d Arc<OrdinaryHandler>,
    /// F′, outermost first.
    pub inner: &'d [Frame],
    /// handle F′[ ] with H, outermost first.
    pub layers: &'d [Frame],
}

impl Decomposition {
    /// Decomposes a command.
    pub fn of(command: &Command) -> Decomposition {
        let mut frames = Vec::new();
        let mut head = command.clone();
        while let Some((frame, inner)) = Frame::around(&head) {
            frames.push(frame);
            head = inner;
        }
        Decomposition { frames, head }
    }

    /// F[P], for some layers F.
    pub fn plug(frames: &[Frame], head: Command) -> Command {
        let innermost_first = frames.iter().rev();
        innermost_first.fold(head, |inner, frame| frame.plug(inner))
    }

    /// The innermost ordinary handler around the head, with the frames around it and the frames inside it.
    pub fn ordinary(&self) -> Option<Ordinary<'_>> {
        self.frames
            .iter()
            .enumerate()
            .rev()
            .find_map(|(at, frame)| {
                let Frame::Handle { handler, .. } = frame else {
                    return None;
                };
                Some(Ordinary {
                    outer: self.frames.get(..at)?,
                    handler,
                    inner: self.frames.get(at + 1..)?,
                    layers: self.frames.get(at..)?,
                })
            })
    }

    /// Role of the innermost `let` around the head that belongs to a handled call; [`Role::Plain`] if there is none.
    pub fn part(&self) -> Role {
        let roles = self.frames.iter().rev().filter_map(Frame::role);
        let mut parts = roles.filter(|role| !matches!(role, Role::Plain));
        parts.next().cloned().unwrap_or_default()
    }
}
