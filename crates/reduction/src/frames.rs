//! Evaluation contexts F^c of commands as a persistent stack of frames, innermost first: a step
//! touches the top of the stack only, however deep the context is.

use fletch_calculus::{Command, CommandKind, OrdinaryHandler, Origin, Role, Variable};
use std::sync::Arc;

/// One layer of an evaluation context.
#[derive(Clone, Debug)]
pub enum Frame {
    /// let x ⇐ [ ] in Q
    Let {
        /// x
        variable: Variable,
        /// Q
        body: Command,
        /// Role of the `let`.
        role: Role,
        /// Origin.
        origin: Origin,
    },
    /// handle [ ] with H
    Handle {
        /// H
        handler: Arc<OrdinaryHandler>,
        /// Origin.
        origin: Origin,
    },
}

impl Frame {
    /// The outermost layer of a command, and the command in the hole of that layer; `None` if the command is no `let` or `handle`.
    pub(crate) fn around(command: &Command) -> Option<(Frame, Command)> {
        let origin = command.origin();
        match command.kind() {
            CommandKind::Let {
                variable,
                bound,
                body,
                role,
            } => {
                let frame = Frame::Let {
                    variable: variable.clone(),
                    body: body.clone(),
                    role: role.clone(),
                    origin,
                };
                Some((frame, bound.clone()))
            }
            CommandKind::Handle { body, handler } => {
                let handler = handler.clone();
                Some((Frame::Handle { handler, origin }, body.clone()))
            }
            _ => None,
        }
    }

    /// Role of a `let` in a handled call; `None` for a `handle`.
    pub fn role(&self) -> Option<&Role> {
        match self {
            Frame::Let { role, .. } => Some(role),
            Frame::Handle { .. } => None,
        }
    }

    /// Origin.
    pub fn origin(&self) -> Origin {
        match self {
            Frame::Let { origin, .. } | Frame::Handle { origin, .. } => *origin,
        }
    }

    /// Puts a command into the hole of the frame.
    pub fn plug(&self, inner: Command) -> Command {
        match self {
            Frame::Let {
                variable,
                body,
                role,
                origin,
            } => Command::new(
                CommandKind::Let {
                    variable: variable.clone(),
                    bound: inner,
                    body: body.clone(),
                    role: role.clone(),
                },
                *origin,
            ),
            Frame::Handle { handler, origin } => Command::new(
                CommandKind::Handle {
                    body: inner,
                    handler: handler.clone(),
                },
                *origin,
            ),
        }
    }
}

/// An evaluation context.
#[derive(Clone, Debug, Default)]
pub struct Frames(Option<Arc<Node>>);

#[derive(Debug)]
struct Node {
    frame: Frame,
    rest: Frames,
    depth: usize,
}

impl Frames {
    /// The context with one more frame inside.
    #[must_use]
    pub fn push(&self, frame: Frame) -> Frames {
        Frames(Some(Arc::new(Node {
            frame,
            rest: self.clone(),
            depth: self.depth() + 1,
        })))
    }

    /// The innermost frame and the context around it.
    pub fn pop(&self) -> Option<(&Frame, &Frames)> {
        self.0.as_deref().map(|node| (&node.frame, &node.rest))
    }

    /// The innermost ordinary handler: the frames inside it (innermost first), its own frame, and the context around it.
    pub fn innermost_handle(&self) -> Option<(Vec<&Frame>, &Frame, &Frames)> {
        let mut inside = Vec::new();
        let mut rest = self;
        loop {
            let (frame, outer) = rest.pop()?;
            if let Frame::Handle { .. } = frame {
                return Some((inside, frame, outer));
            }
            inside.push(frame);
            rest = outer;
        }
    }

    /// The context of the outermost `depth` frames.
    pub fn outermost(&self, depth: usize) -> &Frames {
        let mut rest = self;
        while rest.depth() > depth
            && let Some((_, outer)) = rest.pop()
        {
            rest = outer;
        }
        rest
    }

    /// Number of frames.
    pub fn depth(&self) -> usize {
        self.0.as_deref().map_or(0, |node| node.depth)
    }

    /// The frames, innermost first.
    pub fn iter(&self) -> impl Iterator<Item = &Frame> {
        let mut rest = self;
        std::iter::from_fn(move || {
            let (frame, outer) = rest.pop()?;
            rest = outer;
            Some(frame)
        })
    }
}

impl Drop for Frames {
    /// Drops a long context in a loop: the derived drop would recurse once per frame.
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(mut node) = next.and_then(Arc::into_inner) {
            next = node.rest.0.take();
        }
    }
}
