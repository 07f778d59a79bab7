//! The tree on display: unfolded from the root, level by level, as long as there is room; folds of the reader take
//! precedence. Of a folded part only the size is computed.

use super::derivation::{Handle, Judgement, Node, Room};
use super::environments::{Environments, length};
use super::judgement::{self, plain};
use crate::clip;
use fletch_calculus::typing::{Derivation, Subject};
use fletch_ide::place;
use fletch_print::Piece;
use fletch_syntax::LineIndex;
use std::collections::VecDeque;

/// Maximum number of judgements shown, whatever a reader opens.
const MOST: usize = 400;
/// Maximum number shown by default, each at most so many levels above the bottom.
const UNASKED: usize = 28;
const LEVELS: usize = 6;

/// Maximum number of premises of a handler that are all shown; of more, those of one clause.
const PREMISES: usize = 5;

/// Between premises in a row, and what the name of a rule takes beside its bar.
const GAP: usize = 3;
const RULE: usize = 9;

/// Indentation of premises that do not fit in a row, in characters.
const INDENT: usize = 2;

/// Minimum and maximum width of the subject of a judgement, in characters; between them it gets the rest of the line.
const SUBJECT: (usize, usize) = (22, 46);

/// Requests by which a tree is folded.
pub(super) struct Wishes<'w> {
    pub(super) room: Room,
    pub(super) opened: &'w [Handle],
    pub(super) folded: &'w [Handle],
    /// Premises of the clause at the cursor, if a handler is at the bottom.
    pub(super) clause: &'w [usize],
}

/// A judgement before it is known what of it is shown.
struct Draft<'d> {
    derivation: &'d Derivation,
    path: Vec<u32>,
    role: Option<String>,
    environment: usize,
    below: Option<usize>,
    subject: Vec<Piece>,
    ty: Vec<Piece>,
    /// Length of the judgement in characters, and those of its side conditions.
    length: usize,
    side: Vec<usize>,
    /// The premises shown; none while it is folded.
    premises: Option<Vec<Draft<'d>>>,
    others: usize,
}

/// Tree, and the number of its judgements on display.
pub(super) fn tree(
    derivation: &Derivation,
    environment: usize,
    environments: &mut Environments,
    wishes: &Wishes<'_>,
    index: &LineIndex,
) -> (Node, usize) {
    let mut builder = Builder {
        environments,
        wishes,
        index,
        shown: 1,
    };
    let mut root = builder.draft(derivation, Vec::new(), None, environment, None);
    builder.open(&mut root);
    builder.fit(&mut root);
    builder.obey(&mut root);
    builder.environments.unname();
    let columns = builder.columns();
    let node = builder.node(root, columns);
    (node, builder.shown)
}

struct Builder<'b, 'w> {
    environments: &'b mut Environments,
    wishes: &'b Wishes<'w>,
    index: &'b LineIndex,
    shown: usize,
}

impl Builder<'_, '_> {
    fn columns(&self) -> usize {
        self.wishes.room.columns.max(24) as usize
    }

    fn draft<'d>(
        &mut self,
        derivation: &'d Derivation,
        path: Vec<u32>,
        role: Option<String>,
        environment: usize,
        below: Option<usize>,
    ) -> Draft<'d> {
        let names = self.environments.names(environment);
        let ty = judgement::ty(derivation);
        let assumed = self.environments.shown(environment, below);
        let side = judgement::side(derivation, &names, &assumed);
        let assumed = match derivation.subject {
            Subject::Command(_) => length(&assumed) + 3,
            Subject::Term(_) => length(&assumed),
            Subject::ReverseHandler(_) | Subject::Handler(_) => 0,
        };
        let taken = assumed + length(&ty) + 6 + RULE + INDENT * path.len();
        let limit = self.columns().saturating_sub(taken);
        let limit = limit.clamp(SUBJECT.0, SUBJECT.1);
        let subject = judgement::subject(derivation, &names, limit);
        Draft {
            length: assumed + 3 + length(&subject) + 3 + length(&ty),
            side: side.iter().map(|side| length(side)).collect(),
            derivation,
            path,
            role,
            environment,
            below,
            subject,
            ty,
            premises: None,
            others: 0,
        }
    }

    /// Shows the premises.
    fn open<'d>(&mut self, draft: &mut Draft<'d>) {
        let derivation = draft.derivation;
        let meant = if draft.path.is_empty() {
            self.wishes.clause
        } else {
            &[]
        };
        let all = self
            .wishes
            .opened
            .iter()
            .any(|handle| matches!(handle, Handle::Others(path) if *path == draft.path));
        let roles = roles(&derivation.subject);
        let is_shown = |premise: usize| {
            roles.is_empty()
                || derivation.premises.len() <= PREMISES && meant.is_empty()
                || all
                || premise == 0
                || meant.contains(&premise)
                || meant.is_empty() && premise + 1 < PREMISES
        };
        let mut premises = Vec::new();
        for (index, premise) in derivation.premises.iter().enumerate() {
            if !is_shown(index) {
                draft.others += 1;
                continue;
            }
            let mut path = draft.path.clone();
            path.push(clip(index));
            let environment = self.environments.above(
                draft.environment,
                &derivation.subject,
                &premise.environment,
            );
            let role = roles.get(index).cloned();
            premises.push(self.draft(premise, path, role, environment, Some(draft.environment)));
        }
        self.shown += premises.len();
        draft.premises = Some(premises);
    }

    fn close(&mut self, draft: &mut Draft<'_>) {
        if let Some(premises) = draft.premises.take() {
            self.shown -= premises.iter().map(count).sum::<usize>();
            draft.others = 0;
        }
    }

    /// Opens as much as there is room for, level by level.
    fn fit(&mut self, root: &mut Draft<'_>) {
        let room = self.wishes.room;
        let columns = self.columns();
        // A bottom rule wider than the room sets the width.
        let widest = columns.max(extent(root, columns, room.outline).columns);
        let mut waiting: VecDeque<Vec<usize>> = VecDeque::new();
        waiting.push_back(Vec::new());
        while let Some(place) = waiting.pop_front() {
            let Some(draft) = at(root, &place) else {
                continue;
            };
            if draft.premises.is_none() {
                self.open(draft);
                let size = extent(root, columns, room.outline);
                let fits = room.outline || size.columns <= widest;
                let fits = fits && size.lines <= room.rows as usize;
                if !fits || self.shown > UNASKED {
                    if let Some(draft) = at(root, &place) {
                        self.close(draft);
                    }
                    continue;
                }
            }
            if place.len() + 1 < LEVELS {
                let premises = at(root, &place).and_then(|draft| draft.premises.as_ref());
                for premise in 0..premises.map_or(0, Vec::len) {
                    let mut place = place.clone();
                    place.push(premise);
                    waiting.push_back(place);
                }
            }
        }
    }

    /// Opens and folds what the reader opened and folded.
    fn obey(&mut self, draft: &mut Draft<'_>) {
        let wishes = self.wishes;
        let named = |handles: &[Handle]| {
            handles
                .iter()
                .any(|handle| matches!(handle, Handle::Above(path) if *path == draft.path))
        };
        let (opened, folded) = (named(wishes.opened), named(wishes.folded));
        if folded {
            self.close(draft);
            return;
        }
        if opened && draft.premises.is_none() && self.shown < MOST {
            self.open(draft);
        }
        for premise in draft.premises.iter_mut().flatten() {
            self.obey(premise);
        }
    }

    fn node(&mut self, draft: Draft<'_>, columns: usize) -> Node {
        let derivation = draft.derivation;
        let outline = self.wishes.room.outline;
        let stacked = extent(&draft, columns, outline).stacked;
        let environment = self.environments.shown(draft.environment, draft.below);
        let open = draft.premises.is_some();
        let side = if open {
            let names = self.environments.names(draft.environment);
            judgement::side(derivation, &names, &environment)
        } else {
            Vec::new()
        };
        let environment = match derivation.subject {
            Subject::Command(_) => {
                let mut with = vec![plain("◇; ")];
                with.extend(environment);
                with
            }
            Subject::Term(_) => environment,
            Subject::ReverseHandler(_) | Subject::Handler(_) => Vec::new(),
        };
        let columns = columns.saturating_sub(INDENT);
        let left_out = if open { 0 } else { size(derivation) - 1 };
        let premises = draft.premises.unwrap_or_default();
        Node {
            path: draft.path,
            rule: derivation.rule.name().to_owned(),
            role: draft.role,
            judgement: Judgement {
                environment,
                turnstile: judgement::turnstile(derivation),
                subject: draft.subject,
                ty: draft.ty,
            },
            source: place::utf16(place::span(derivation.origin()), self.index),
            open,
            premises: premises
                .into_iter()
                .map(|premise| self.node(premise, columns))
                .collect(),
            others: clip(draft.others),
            side,
            stacked,
            left_out: clip(left_out),
        }
    }
}

fn at<'t, 'd>(root: &'t mut Draft<'d>, place: &[usize]) -> Option<&'t mut Draft<'d>> {
    place.iter().try_fold(root, |draft, premise| {
        draft.premises.as_mut()?.get_mut(*premise)
    })
}

fn count(draft: &Draft<'_>) -> usize {
    let premises = draft.premises.iter().flatten();
    1 + premises.map(count).sum::<usize>()
}

/// Number of rules of a derivation.
pub(super) fn size(derivation: &Derivation) -> usize {
    1 + derivation.premises.iter().map(size).sum::<usize>()
}

/// Size of a drawn tree.
struct Extent {
    columns: usize,
    lines: usize,
    /// True if the premises of the bottom rule do not fit beside one another.
    stacked: bool,
}

/// Size of a tree drawn in at most so many columns.
fn extent(draft: &Draft<'_>, columns: usize, outline: bool) -> Extent {
    let Some(premises) = &draft.premises else {
        // Dots above it say that there is more.
        let dots = !outline && !draft.derivation.premises.is_empty();
        return Extent {
            columns: draft.length,
            lines: 1 + usize::from(dots),
            stacked: false,
        };
    };
    let inner = columns.saturating_sub(INDENT);
    let of_premises = premises
        .iter()
        .map(|premise| extent(premise, inner, outline));
    let side = draft.side.iter().map(|length| Extent {
        columns: *length,
        lines: 1,
        stacked: false,
    });
    let above: Vec<Extent> = of_premises.chain(side).collect();
    let beside: usize = above.iter().map(|part| part.columns + GAP).sum();
    let below: usize = above.iter().map(|part| part.lines).sum();
    let stacked = outline || above.len() > 1 && beside + RULE > columns;
    let (width, height) = if stacked {
        let widest = above.iter().map(|part| part.columns).max();
        (widest.unwrap_or(0) + INDENT, below)
    } else {
        let highest = above.iter().map(|part| part.lines).max();
        (beside, highest.unwrap_or(0))
    };
    Extent {
        columns: width.max(draft.length) + if outline { 0 } else { RULE },
        lines: height + 1,
        stacked,
    }
}

/// Roles of the premises of a handler.
pub(super) fn roles(subject: &Subject) -> Vec<String> {
    let returns = std::iter::once("return clause".to_owned());
    match subject {
        Subject::ReverseHandler(handler) => returns
            .chain(handler.clauses.keys().flat_map(|operation| {
                [
                    format!("{operation}, forward"),
                    format!("{operation}, backward"),
                ]
            }))
            .collect(),
        Subject::Handler(handler) => returns
            .chain(handler.clauses.keys().map(ToString::to_string))
            .collect(),
        Subject::Term(_) | Subject::Command(_) => Vec::new(),
    }
}
