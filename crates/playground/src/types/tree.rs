//! The displayed tree of judgements. It is opened from the root, level by level, as long as there is space; folds of
//! the reader take precedence. For a folded part only the number of rules is computed.

use super::derivation::{Handle, Judgement, Node, Room};
use super::environments::{Environments, length};
use super::judgement::{self, plain};
use crate::clip;
use fletch_calculus::typing::{Derivation, Subject};
use fletch_ide::place;
use fletch_print::Piece;
use fletch_syntax::LineIndex;
use std::collections::VecDeque;

/// Maximum number of judgements shown; beyond it a reader's request opens nothing more.
const MOST: usize = 400;
/// Maximum number of judgements shown by default, and maximum number of levels.
const UNASKED: usize = 28;
const LEVELS: usize = 6;

/// Maximum number of premises of a handler that are all shown. Of more premises, the return clause and the clause at
/// the cursor are shown, or else the first `PREMISES − 1`.
const PREMISES: usize = 5;

/// Space between premises in a row, and space for the name of a rule next to its bar, in characters.
const GAP: usize = 3;
const RULE: usize = 9;

/// Indentation of premises that do not fit in a row, in characters.
const INDENT: usize = 2;

/// Minimum and maximum width of the subject of a judgement, in characters. Between these bounds it takes the
/// remaining space of the line.
const SUBJECT: (usize, usize) = (22, 46);

/// Requests that determine the folds of a tree.
pub(super) struct Wishes<'w> {
    pub(super) room: Room,
    pub(super) opened: &'w [Handle],
    pub(super) folded: &'w [Handle],
    /// Premises of the clause at the cursor, if the root is a handler.
    pub(super) clause: &'w [usize],
}

/// A judgement during the construction of the tree, before the folds are final.
struct Draft<'d> {
    derivation: &'d Derivation,
    path: Vec<u32>,
    role: Option<String>,
    environment: usize,
    below: Option<usize>,
    subject: Vec<Piece>,
    ty: Vec<Piece>,
    /// Length of the judgement, and lengths of its side conditions, in characters.
    length: usize,
    side: Vec<usize>,
    /// The shown premises; `None` while the judgement is folded.
    premises: Option<Vec<Draft<'d>>>,
    others: usize,
}

/// Makes the tree. Also returns the number of its judgements on display.
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

    /// Opens a judgement: makes drafts of the premises to show.
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

    /// Opens judgements as long as there is space, level by level.
    fn fit(&mut self, root: &mut Draft<'_>) {
        let room = self.wishes.room;
        let columns = self.columns();
        // A root rule that is wider than the space sets the width.
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

    /// Applies the folds of the reader.
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

/// Size of a drawn tree, in characters and lines.
struct Extent {
    columns: usize,
    lines: usize,
    /// True if the premises of the root rule do not fit next to one another.
    stacked: bool,
}

/// Size of a tree that is drawn in at most this number of columns.
fn extent(draft: &Draft<'_>, columns: usize, outline: bool) -> Extent {
    let Some(premises) = &draft.premises else {
        // Dots above a folded judgement take a line.
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

/// Roles of the premises of a handler; empty for other subjects.
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
