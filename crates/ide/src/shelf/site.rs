//! The program into which a handler is inserted: its names, the command that is trained, and the positions for new text.

use super::{Draft, Example};
use crate::check::Checked;
use fletch_elaborate::{Files, with_items};
use fletch_smooth::Type;
use fletch_syntax::Span;
use fletch_syntax::tree::{
    self, Clause, ClauseKind, Command, CommandDecl, CommandKind, HandlerCall, HandlerDecl,
    HandlerKind, ItemKind, LocDecl, OpDecl, Pattern, PatternKind, TrainDecl,
};

/// A program without errors into which a handler is inserted.
pub(super) struct Site<'a> {
    pub(super) source: &'a str,
    pub(super) checked: &'a Checked,
    pub(super) files: Option<&'a Files>,
}

/// A command that runs a network, with the type of its result.
pub(super) struct Trained<'a> {
    /// The `train` item of the command, with its span; `None` for `main`.
    pub(super) item: Option<(&'a TrainDecl, Span)>,
    pub(super) body: &'a Command,
    pub(super) ty: Type,
}

impl<'a> Site<'a> {
    pub(super) fn new(source: &'a str, checked: &'a Checked, files: Option<&'a Files>) -> Site<'a> {
        Site {
            source,
            checked,
            files,
        }
    }

    pub(super) fn text(&self, span: Span) -> &'a str {
        span.text(self.source)
    }

    /// The text from the start of one span to the start of another.
    pub(super) fn between(&self, from: Span, to: Span) -> &'a str {
        let (start, end) = (from.start, to.start);
        self.text(Span { start, end })
    }

    fn items(&self) -> impl Iterator<Item = &'a tree::Item> + use<'a> {
        self.checked.program.items.iter()
    }

    pub(super) fn locations(&self) -> impl Iterator<Item = &'a LocDecl> + use<'a> {
        self.items().filter_map(|item| match &item.node {
            ItemKind::Loc(decl) => Some(decl),
            _ => None,
        })
    }

    pub(super) fn operations(&self) -> impl Iterator<Item = &'a OpDecl> + use<'a> {
        self.items().filter_map(|item| match &item.node {
            ItemKind::Op(decl) => Some(decl),
            _ => None,
        })
    }

    pub(super) fn handlers(&self) -> impl Iterator<Item = &'a HandlerDecl> + use<'a> {
        self.items().filter_map(|item| match &item.node {
            ItemKind::Handler(decl) => Some(decl),
            _ => None,
        })
    }

    pub(super) fn handler(&self, name: &str) -> Option<&'a HandlerDecl> {
        self.handlers().find(|decl| &*decl.name.text == name)
    }

    pub(super) fn commands(&self) -> impl Iterator<Item = &'a CommandDecl> + use<'a> {
        self.items().filter_map(|item| match &item.node {
            ItemKind::Command(decl) => Some(decl),
            _ => None,
        })
    }

    pub(super) fn command(&self, name: &str) -> Option<&'a CommandDecl> {
        self.commands().find(|decl| &*decl.name.text == name)
    }

    /// The names of the data sets.
    pub(super) fn data(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.items().filter_map(|item| match &item.node {
            ItemKind::Data(decl) => Some(&*decl.name.text),
            _ => None,
        })
    }

    /// The commands of the `train` items in file order, and then `main`.
    pub(super) fn trained(&self) -> Vec<Trained<'a>> {
        let files = Files::default();
        let files = self.files.unwrap_or(&files);
        let types = with_items(&self.checked.program, files, |items| {
            let trains = items.trains().into_iter();
            let programs = trains.map(|train| items.on_any(train).ok());
            programs.map(|it| it.map(|it| it.ty)).collect::<Vec<_>>()
        });
        let trains = self.items().filter_map(|item| match &item.node {
            ItemKind::Train(decl) => Some((decl, item.span)),
            _ => None,
        });
        let trains = trains.zip(types).filter_map(|((decl, span), ty)| {
            Some(Trained {
                item: Some((decl, span)),
                body: &decl.body,
                // An item without its data set has no type, but the patterns of a `rev handle` give the number of components of its result.
                ty: ty.or_else(|| by_patterns(&decl.body))?,
            })
        });
        let main = self.items().find_map(|item| match &item.node {
            ItemKind::Main(body) => Some(Trained {
                item: None,
                body,
                ty: self.checked.main.as_ref()?.program.ty.clone(),
            }),
            _ => None,
        });
        trains.chain(main).collect()
    }

    /// The clauses of a handler, its own before the inherited ones; the first that fits applies.
    pub(super) fn clauses(&self, handler: &'a HandlerDecl) -> Vec<&'a Clause> {
        let mut clauses: Vec<&Clause> = handler.clauses.iter().collect();
        for call in &handler.extends {
            if let Some(decl) = self.handler(&call.name.text) {
                clauses.extend(self.clauses(decl));
            }
        }
        clauses
    }

    /// A name for a declaration: this one, with a number if the program has it already.
    pub(super) fn fresh(&self, name: &str) -> String {
        let taken = |name: &str| {
            let names = self.items().flat_map(|item| declared(&item.node));
            names.into_iter().any(|own| own == name)
        };
        let mut fresh = name.to_owned();
        let mut number = 2;
        while taken(&fresh) {
            fresh = format!("{name}{number}");
            number += 1;
        }
        fresh
    }

    /// The insertions for a draft with one of its examples.
    pub(super) fn changes(&self, draft: &Draft, example: Option<&Example>) -> Vec<(usize, String)> {
        let place = self.place();
        let mut declarations = format!("{}\n\n", draft.declarations.trim_end());
        let mut changes = Vec::new();
        match example {
            None => {}
            Some(Example { text, after: None }) => {
                declarations.push_str(&format!("{}\n\n", text.trim_end()));
            }
            Some(Example {
                text,
                after: Some(after),
            }) => {
                let (end, text) = (self.line_end(*after), text.trim_end());
                let rest = self.source.get(end..).unwrap_or_default();
                let next = rest.lines().nth(1).unwrap_or_default();
                // An item of several lines is followed by a blank line.
                let apart = match text.contains('\n') && !next.trim().is_empty() {
                    true => "\n",
                    false => "",
                };
                changes.push((end, format!("\n{text}{apart}")));
            }
        }
        let before = self.source.get(..place).unwrap_or_default();
        let breaks = before.bytes().rev().filter(|byte| *byte != b'\r');
        let breaks = breaks.take_while(|byte| *byte == b'\n').take(2).count();
        let apart = match before.is_empty() {
            true => "",
            false => "\n\n".get(breaks..).unwrap_or_default(),
        };
        changes.push((place, format!("{apart}{declarations}")));
        changes.sort_by_key(|(at, _)| *at);
        let first = self.source.split_inclusive('\n').next();
        if first.is_some_and(|line| line.ends_with("\r\n")) {
            for (_, text) in &mut changes {
                *text = text.replace('\n', "\r\n");
            }
        }
        changes
    }

    /// The offset for new declarations: before the first item after the last handler (or else after the last command), and before the
    /// remarks above that item.
    fn place(&self) -> usize {
        let last = |kind: fn(&ItemKind) -> bool| {
            let items = self.items().filter(|item| kind(&item.node));
            items.last().map(|item| item.span.end as usize)
        };
        let last = last(|item| matches!(item, ItemKind::Handler(_)))
            .or_else(|| last(|item| matches!(item, ItemKind::Command(_))))
            .or_else(|| last(|_| true));
        let end = self.line_end(last.unwrap_or(0));
        let rest = self.source.get(end..).unwrap_or_default();
        let blank = rest
            .bytes()
            .take_while(|byte| matches!(byte, b'\n' | b'\r'));
        end + blank.count()
    }

    /// The end of the line on which an item ends, if at most a remark follows the item there; else the end of the item.
    fn line_end(&self, end: usize) -> usize {
        let rest = self.source.get(end..).unwrap_or_default();
        let line = rest.lines().next().unwrap_or_default();
        let remark = line.trim_start();
        match remark.is_empty() || remark.starts_with("--") {
            true => end + line.trim_end().len(),
            false => end,
        }
    }
}

/// A type with the structure of the result of a command that ends with a `rev handle`; its sizes are arbitrary.
fn by_patterns(command: &Command) -> Option<Type> {
    fn of_pattern(pattern: &Pattern) -> Type {
        match &pattern.node {
            PatternKind::Tuple(parts) => of_patterns(parts),
            PatternKind::Name(_) | PatternKind::Wildcard => Type::real(1),
        }
    }
    fn of_patterns(patterns: &[Pattern]) -> Type {
        match patterns {
            [one] => of_pattern(one),
            several => Type::product(several.iter().map(of_pattern).collect()),
        }
    }
    match &command.node {
        CommandKind::Let(_, _, rest) => by_patterns(rest),
        CommandKind::Handle { body, .. } => by_patterns(body),
        CommandKind::RevHandle { patterns, .. } => Some(of_patterns(patterns)),
        _ => None,
    }
}

/// The names that an item declares.
fn declared(item: &ItemKind) -> Vec<&str> {
    let name = match item {
        ItemKind::Dim(dims) => return dims.iter().map(|(name, _)| &*name.text).collect(),
        ItemKind::Loc(decl) => &decl.name,
        ItemKind::Op(decl) => &decl.name,
        ItemKind::Fun(decl) => &decl.name,
        ItemKind::Command(decl) => &decl.name,
        ItemKind::Handler(decl) => &decl.name,
        ItemKind::Data(decl) => &decl.name,
        ItemKind::Measure(decl) => &decl.name,
        ItemKind::Predict(decl) => &decl.name,
        ItemKind::Train(_) | ItemKind::Main(_) => return Vec::new(),
    };
    vec![&*name.text]
}

/// Calls `look` for a command and all commands inside it, including those in handlers that are written in place.
pub(super) fn commands<'a>(command: &'a Command, look: &mut dyn FnMut(&'a Command)) {
    look(command);
    match &command.node {
        CommandKind::Let(_, bound, rest) => {
            commands(bound, look);
            commands(rest, look);
        }
        CommandKind::RevHandle { body, handler, .. } | CommandKind::Handle { body, handler } => {
            commands(body, look);
            if let HandlerKind::Literal(clauses) = &handler.node {
                for clause in clauses {
                    bodies(clause).into_iter().for_each(|it| commands(it, look));
                }
            }
        }
        CommandKind::Iterate { body, .. } | CommandKind::Feedback { body, .. } => {
            commands(body, look);
        }
        CommandKind::Pure(_)
        | CommandKind::Call { .. }
        | CommandKind::Resume(..)
        | CommandKind::Error => {}
    }
}

/// The commands of a clause.
pub(super) fn bodies(clause: &Clause) -> Vec<&Command> {
    match &clause.node {
        ClauseKind::Return(_, body) | ClauseKind::Ordinary { body, .. } => vec![body],
        ClauseKind::Reverse {
            forward, backward, ..
        } => vec![forward, backward],
    }
}

/// The handlers that a command calls by name, in the order of their positions.
pub(super) fn called(command: &Command) -> Vec<&HandlerCall> {
    let mut calls = Vec::new();
    commands(command, &mut |command| {
        if let CommandKind::RevHandle { handler, .. } | CommandKind::Handle { handler, .. } =
            &command.node
            && let HandlerKind::Call(call) = &handler.node
        {
            calls.push(call);
        }
    });
    calls
}
