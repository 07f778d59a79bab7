//! Typing derivations as plain data: what a front end asks for, and the tree of judgements it is shown. Source positions are
//! UTF-16 code units; a place in a derivation is the numbers of the premises that lead there.

use fletch_print::{Line, Piece};
use serde::{Deserialize, Serialize};

/// A derivation that is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deriving {
    /// Subject of the derivation.
    pub at: At,
    /// Folds that the reader has opened.
    pub opened: Vec<Handle>,
    /// Folds that the reader has closed.
    pub folded: Vec<Handle>,
    /// The judgement that is told more of: a place above the one at the bottom.
    pub selected: Vec<u32>,
    /// The room there is.
    pub room: Room,
}

/// Subject of a requested derivation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum At {
    /// The smallest term, command, handler or clause around a cursor or a selection.
    Source {
        /// First code unit.
        from: u32,
        /// Just past the last one.
        to: u32,
        /// Instance of a definition or clause.
        instance: Which,
    },
    /// A place of an earlier answer.
    Place(Place),
}

/// Choice of an instance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Which {
    /// Its number, from 0.
    Number(u32),
    /// The first in a clause of this operation, or of all.
    ClauseOf(String),
}

impl Default for At {
    fn default() -> Self {
        At::Source {
            from: 0,
            to: 0,
            instance: Which::Number(0),
        }
    }
}

/// A place in the derivations of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The derivation: `main`, an item or a definition by itself.
    pub root: u32,
    /// Numbers of premises.
    pub path: Vec<u32>,
}

/// Fold of a derivation, by the path of its node from the root.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Handle {
    /// Premises above a judgement.
    Above(Vec<u32>),
    /// The premises of a handler that were left out.
    Others(Vec<u32>),
}

/// Bounds on the derivation shown, unless the reader opens more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Room {
    /// Characters in a line.
    pub columns: u32,
    /// Lines.
    pub rows: u32,
    /// True if judgements are drawn as an indented outline, not as inference rules.
    pub outline: bool,
}

impl Default for Room {
    fn default() -> Self {
        Room {
            columns: 88,
            rows: 24,
            outline: false,
        }
    }
}

/// Reason for which a place has no derivation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Underivable {
    /// Reason, in words.
    pub message: String,
    /// The nearest place that has one.
    pub nearest: Option<Nearest>,
}

/// The nearest place that has a derivation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Nearest {
    /// Caption of that place: ``command `R_MLP` ``.
    pub label: String,
    /// Source span: from, to.
    pub source: (u32, u32),
}

/// Derivation, folded to the given bounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shown {
    /// The place of its conclusion.
    pub place: Place,
    /// Instance of the definition or clause shown, where there are several.
    pub instance: Option<Instance>,
    /// Remark where the subject is not the innermost syntax at the cursor.
    pub note: Option<String>,
    /// Enclosing derivations, outermost first; the last is this one.
    pub around: Vec<Around>,
    /// The tree.
    pub tree: Node,
    /// Definitions of the environment names in the tree.
    pub environments: Vec<Named>,
    /// dep(P) or dep(H); a term has none.
    pub depth: Option<u32>,
    /// The size of the derivation, as Fig. size-of-derivation-trees counts.
    pub size: u32,
    /// Number of rules shown, and number of all rules.
    pub rules: (u32, u32),
    /// Op : A ▷ B, for the operations in it; the first of them.
    pub signature: Vec<Vec<Piece>>,
    /// Number of further operations.
    pub more_operations: u32,
    /// Details of the selected judgement.
    pub detail: Detail,
    /// Derivation shown, as a LaTeX document.
    pub latex: String,
}

/// One of several instances.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instance {
    /// Number of the instance, from 0.
    pub number: u32,
    /// Number of instances.
    pub count: u32,
}

/// Enclosing derivation, as a target of navigation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Around {
    /// In short: ``main``, `rev handle with H_MLP`, `FC[ℓ0], backward`.
    pub label: String,
    /// Place of the derivation.
    pub place: Place,
    /// Source span: from, to.
    pub source: (u32, u32),
}

/// A judgement with what derives it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// Path of premise numbers from the root.
    pub path: Vec<u32>,
    /// The rule, as the paper names it.
    pub rule: String,
    /// Role of the judgement in its handler: `return clause`, `FC[ℓ0], forward`.
    pub role: Option<String>,
    /// The judgement.
    pub judgement: Judgement,
    /// Source span of the subject.
    pub source: (u32, u32),
    /// True if the premises are shown.
    pub open: bool,
    /// Premises that are judgements, in the figure's order; empty while the node is folded.
    pub premises: Vec<Node>,
    /// Number of premises left out between those.
    pub others: u32,
    /// Side conditions: `x : A ∈ Γ`, `f : A → B ∈ Σ`.
    pub side: Vec<Vec<Piece>>,
    /// True if the premises are stacked vertically, for want of room.
    pub stacked: bool,
    /// Number of rules left out above the judgement.
    pub left_out: u32,
}

/// Γ ⊢ M : A, Γ; Δ ⊢ P : A or ⊢ʳ H : C.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// Environment.
    pub environment: Vec<Piece>,
    /// `⊢`, or `⊢ʳ` of a reverse handler.
    pub turnstile: String,
    /// M, P or H, shortened.
    pub subject: Vec<Piece>,
    /// A.
    pub ty: Vec<Piece>,
}

/// An environment that has a name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Named {
    /// `Δ₁`
    pub name: String,
    /// Assumptions of the environment.
    pub entries: Vec<Piece>,
}

/// All of one judgement, and the rule it is derived by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Detail {
    /// Path of premise numbers from the root.
    pub path: Vec<u32>,
    /// The rule.
    pub rule: Rule,
    /// Environment, one assumption each.
    pub environment: Vec<Vec<Piece>>,
    /// The subject, laid out.
    pub subject: Vec<Line>,
    /// Type of the subject.
    pub ty: Vec<Piece>,
    /// Source span of the subject.
    pub source: (u32, u32),
}

/// A rule of the figures, with their letters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    /// `T-CLet`
    pub name: String,
    /// Above the bar.
    pub premises: Vec<String>,
    /// Below the bar.
    pub conclusion: String,
    /// In a sentence.
    pub says: String,
}
