//! Folding of a state: some of its parts (terms and commands) are printed as labels. In a large state, every large part off the
//! path to the redex is folded: a state of a U-net has some ten thousand nodes, of which a step touches a handful. For a reader at
//! the page, pending backward clauses are folded too, unless opened: the sandwich shows what is pending.

use crate::pieces::{Fold, FoldKey};
use fletch_calculus::notation::pattern;
use fletch_calculus::{
    Call, Called, Command, CommandKind, Feedback, Half, Origin, Part, Role, Term,
};
use std::collections::BTreeSet;

/// Maximum size, in nodes, of a command that is printed whole.
const WHOLE: usize = 1500;
/// Maximum size, in nodes, of a part off the path to the redex that is printed in a larger command.
const BESIDE: usize = 6;
/// Maximum size, in nodes, of a part of the redex that is printed in a larger command.
const INSIDE: usize = 300;

/// Number of `let`s and handlers around the step that are printed in a large command.
const AROUND: usize = 4;
/// Maximum number of `let`s and handlers around the step in a reader's view of any command; if there are more, `AROUND` are
/// printed.
const DEEP: usize = 7;

/// Maximum length of a tuple or pattern that a reader sees in full; a longer one shows its first elements and the active ones.
const LIST: usize = 8;
/// Number of first elements of a folded list that are printed.
const FIRST: usize = 5;

/// Maximum size, in nodes, of a handled continuation that is open for a reader by default.
const CONTINUATION: usize = 160;

/// Discriminator of folds at one source position.
#[derive(Clone, Copy)]
enum Tag {
    Context = 1,
    Part,
    List,
    Handler,
    Backward,
    Continuation,
    MomentOut,
    MomentBack,
}

/// Parts of a command that are printed as labels.
#[derive(Clone, Debug, Default)]
pub struct Folds {
    /// Number of outermost context layers left out.
    outer: usize,
    /// Identities of the nodes that are folded because the command is large.
    nodes: BTreeSet<usize>,
    /// The reader, if there is one who can open and fold.
    reader: Option<Reader>,
}

/// Folds that a reader has opened and closed.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    /// Folds in the state opposite to their default.
    pub toggled: BTreeSet<FoldKey>,
    /// Number of the result variable of the call that the last step split; its halves are new.
    pub split: Option<u32>,
}

/// Shape in which a foldable part is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// In full, without a handle.
    Bare,
    /// In full, with a handle that folds it.
    Open(Fold),
    /// As a label, with a handle that opens the part if there is a reader.
    Folded(Option<Fold>),
}

impl Folds {
    /// Folds for a step at `path`: none, unless the command is large.
    pub fn around(command: &Command, path: &[usize]) -> Folds {
        Folds::for_reader(command, path, None)
    }

    /// Folds for a reader, who may have opened some of the parts.
    pub fn for_reader(command: &Command, path: &[usize], reader: Option<Reader>) -> Folds {
        let mut folds = Folds {
            reader,
            ..Folds::default()
        };
        if Part::Command(command).exceeds(WHOLE) {
            folds.outside(path, AROUND);
            folds.beside(command, path);
        } else if folds.reader.is_some() {
            folds.outside(path, DEEP);
            folds.outer = folds.shown(command).1;
        }
        folds
    }

    /// Folds of a term that is printed alone: none, unless it is large.
    pub fn inside(term: &Term) -> Folds {
        let mut folds = Folds::default();
        let term = Part::Term(term);
        if term.exceeds(WHOLE) {
            folds.children(term, None, INSIDE);
        }
        folds
    }

    /// Folds this part too.
    pub(crate) fn leave_out(&mut self, part: Part<'_>) {
        self.nodes.insert(part.identity());
    }

    /// Leaves out the outermost layers of the context if it has more than `most`, so that [`AROUND`] are left.
    fn outside(&mut self, path: &[usize], most: usize) {
        let context = path.iter().take_while(|index| **index == 0).count();
        if context > most && !self.is_toggled(Folds::context_key()) {
            self.outer = context - AROUND;
        }
    }

    fn beside(&mut self, command: &Command, path: &[usize]) {
        let shown = self.shown(command);
        self.outer = shown.1;
        let mut here = Part::Command(shown.0);
        for index in path.iter().skip(self.outer) {
            let Some(next) = self.children(here, Some(*index), BESIDE) else {
                return;
            };
            here = next;
        }
        self.children(here, None, INSIDE);
    }

    /// Folds the children of more than `limit` nodes, except child number `kept`, which is returned.
    fn children<'c>(
        &mut self,
        parent: Part<'c>,
        kept: Option<usize>,
        limit: usize,
    ) -> Option<Part<'c>> {
        let mut found = None;
        for (index, child) in parent.children().enumerate() {
            if kept == Some(index) {
                found = Some(child);
            } else if child.exceeds(limit) {
                let node = folded(parent, child);
                if !self.is_toggled(Folds::part_key(node.1)) {
                    self.nodes.insert(node.0);
                }
            }
        }
        found
    }

    /// Folds of a large command; none for a smaller one. Names are made distinct within the parts that these folds leave, so that
    /// in a smaller command opening and folding does not rename anything.
    pub fn by_size(&self) -> Folds {
        if self.nodes.is_empty() {
            return Folds::default();
        }
        self.clone()
    }

    /// True if the part is left out of a large command.
    pub fn contains(&self, part: Part<'_>) -> bool {
        !self.nodes.is_empty() && self.nodes.contains(&part.identity())
    }

    /// The command inside the layers of context that are left out, and the number of these layers.
    pub fn shown<'c>(&self, command: &'c Command) -> (&'c Command, usize) {
        let mut shown = command;
        for depth in 0..self.outer {
            shown = match shown.kind() {
                CommandKind::Let { bound, .. } => bound,
                CommandKind::Handle { body, .. } => body,
                _ => return (shown, depth),
            };
        }
        (shown, self.outer)
    }

    /// Fold of the context that is left out.
    pub(crate) fn context(&self) -> Option<Fold> {
        self.fold(Folds::context_key(), false)
    }

    /// Fold of a part that is left out of a large command.
    pub(crate) fn part(&self, origin: Origin) -> Option<Fold> {
        self.fold(Folds::part_key(origin), false)
    }

    /// Shape of the clauses of a handler: folded, unless a reader opens them.
    pub(crate) fn handler(&self, origin: Origin) -> Shape {
        self.shape(key(origin, Tag::Handler), false)
    }

    /// Shape of a pending backward clause: folded by default, but open right after the step that made it.
    pub(crate) fn backward(&self, call: &Call, command: &Command) -> Shape {
        if !Part::Command(command).exceeds(BESIDE) {
            return Shape::Bare;
        }
        let news = self
            .reader
            .as_ref()
            .is_some_and(|reader| reader.split == Some(call.result.id));
        self.shape(call_key(call, Tag::Backward), news)
    }

    /// Shape of the body of a feedback: a derived clause is folded by default, a body written in the program is bare.
    pub(crate) fn moment(&self, feedback: &Feedback) -> Shape {
        let tag = match feedback.derived.last().map(|clause| clause.half) {
            None => return Shape::Bare,
            Some(Half::Forward) => Tag::MomentOut,
            Some(Half::Backward) => Tag::MomentBack,
        };
        self.shape(key(feedback.body.origin(), tag), false)
    }

    /// Shape of a handled continuation that the next step is not in.
    pub(crate) fn continuation(&self, call: &Call, command: &Command) -> Shape {
        let small = !Part::Command(command).exceeds(CONTINUATION);
        self.shape(call_key(call, Tag::Continuation), small)
    }

    /// Remark on a `let` that an unfolding introduced, if there is a reader.
    pub(crate) fn note(&self, role: &Role) -> Option<String> {
        self.reader.as_ref()?;
        match role {
            Role::Plain => None,
            Role::Forward(call) => Some(match &call.called {
                Called::Operation(operation) => format!("forward clause of {operation}"),
                Called::Function(symbol) => format!("{symbol}, forward"),
                Called::Term => "a pure term, forward".to_owned(),
                Called::Feedback(_) => "all moments, forward".to_owned(),
            }),
            Role::Continuation(call) => Some(format!("the rest, handled by {}", call.handler)),
            Role::Backward(call) => Some(backward_label(call)),
        }
    }

    /// Shape of a list of this length, and the number of its first elements that are printed.
    pub(crate) fn list(&self, origin: Origin, length: usize) -> (Shape, usize) {
        if length <= LIST || self.reader.is_none() {
            return (Shape::Bare, length);
        }
        (self.shape(key(origin, Tag::List), false), FIRST)
    }

    fn shape(&self, key: FoldKey, by_itself: bool) -> Shape {
        let Some(reader) = &self.reader else {
            return Shape::Bare;
        };
        let open = by_itself != reader.toggled.contains(&key);
        let fold = Fold { key, open };
        if open {
            Shape::Open(fold)
        } else {
            Shape::Folded(Some(fold))
        }
    }

    fn fold(&self, key: FoldKey, open: bool) -> Option<Fold> {
        self.reader.as_ref().map(|_| Fold { key, open })
    }

    fn is_toggled(&self, key: FoldKey) -> bool {
        self.reader
            .as_ref()
            .is_some_and(|reader| reader.toggled.contains(&key))
    }

    fn context_key() -> FoldKey {
        key(Origin::default(), Tag::Context)
    }

    fn part_key(origin: Origin) -> FoldKey {
        key(origin, Tag::Part)
    }
}

/// Label of a folded backward clause.
pub(crate) fn backward_label(call: &Call) -> String {
    match &call.called {
        Called::Operation(operation) => format!("backward clause of {operation}"),
        Called::Function(symbol) => format!("reverse derivative of {symbol}"),
        Called::Term => "reverse derivative".to_owned(),
        Called::Feedback(_) => "all moments, backward".to_owned(),
    }
}

/// Label of the folded body of a feedback: `Momentᵇ[H]`.
pub(crate) fn moment_label(feedback: &Feedback) -> String {
    let words = match feedback.derived.last().map(|clause| clause.half) {
        Some(Half::Backward) => "one moment, backward",
        Some(Half::Forward) | None => "one moment, forward",
    };
    feedback.clause_name().unwrap_or_else(|| words.to_owned())
}

fn key(origin: Origin, tag: Tag) -> FoldKey {
    FoldKey(origin.start, origin.end, tag as u32)
}

/// Key of a fold of a call. Variables are numbered through a run, so the key is the same from step to step.
fn call_key(call: &Call, tag: Tag) -> FoldKey {
    FoldKey(call.result.id, 0, tag as u32)
}

/// Identity and origin of the node to fold for this child. For the body of `let p ⇐ P in Q` with a pattern p, that node is the
/// command after the pattern.
fn folded(parent: Part<'_>, child: Part<'_>) -> (usize, Origin) {
    if let Part::Command(parent) = parent
        && let Part::Command(body) = child
        && let CommandKind::Let { variable, .. } = parent.kind()
        && let Some((_, rest)) = pattern(variable, body)
    {
        return (Part::Command(&rest).identity(), rest.origin());
    }
    (child.identity(), child.origin())
}
