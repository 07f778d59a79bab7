//! Typing derivations as plain data: the request of a front end, and the tree of judgements in the reply. Source positions
//! are UTF-16 code units. A position in a derivation is a path: the indices of the premises from the root to a judgement.
//! The root is the conclusion, drawn at the bottom.

use fletch_print::{Line, Piece};
use serde::{Deserialize, Serialize};

/// Request for a derivation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deriving {
    /// Subject of the derivation.
    pub at: At,
    /// Folds that the reader has opened.
    pub opened: Vec<Handle>,
    /// Folds that the reader has closed.
    pub folded: Vec<Handle>,
    /// Path of the judgement whose details are requested, from the conclusion of the shown derivation.
    pub selected: Vec<u32>,
    /// Space for the derivation.
    pub room: Room,
}

/// Subject of a requested derivation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum At {
    /// The smallest term, command, handler or clause around a cursor or a selection.
    Source {
        /// Start of the selection, in UTF-16 code units.
        from: u32,
        /// End of the selection, exclusive.
        to: u32,
        /// Selected instance of a definition or clause.
        instance: Which,
    },
    /// A position from an earlier reply.
    Place(Place),
}

/// Selection of an instance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Which {
    /// Index of the instance, from 0.
    Number(u32),
    /// The first instance in a clause of this operation, or else the first of all.
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

/// A position in the derivations of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// Index of the derivation: `main`, an item, or a definition on its own.
    pub root: u32,
    /// Indices of premises from the root.
    pub path: Vec<u32>,
}

/// Fold of a derivation, by the path of its node from the root.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Handle {
    /// The premises above a judgement.
    Above(Vec<u32>),
    /// The premises of a handler that are left out.
    Others(Vec<u32>),
}

/// Space for a derivation. It bounds the part that is shown by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Room {
    /// Number of characters in a line.
    pub columns: u32,
    /// Number of lines.
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

/// Error of a request: the selection has no derivation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Underivable {
    /// Reason, as a sentence.
    pub message: String,
    /// The nearest declaration that has a derivation.
    pub nearest: Option<Nearest>,
}

/// The nearest declaration that has a derivation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Nearest {
    /// Caption of the declaration: ``command `R_MLP` ``.
    pub label: String,
    /// Source span: from, to.
    pub source: (u32, u32),
}

/// A derivation, folded to the given space.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shown {
    /// Position of its conclusion.
    pub place: Place,
    /// Instance of the definition or clause that is shown, if there are several.
    pub instance: Option<Instance>,
    /// Remark, if the subject is not the innermost syntax at the cursor.
    pub note: Option<String>,
    /// Enclosing derivations, outermost first; the last one is the derivation itself.
    pub around: Vec<Around>,
    /// The tree.
    pub tree: Node,
    /// Definitions of the environment names in the tree.
    pub environments: Vec<Named>,
    /// dep(P) or dep(H); `None` for a term.
    pub depth: Option<u32>,
    /// Size of the derivation, by Fig. size-of-derivation-trees.
    pub size: u32,
    /// Number of rules shown, and number of all rules.
    pub rules: (u32, u32),
    /// Signatures `Op : A ▷ B` of the operations in the derivation; at most 12.
    pub signature: Vec<Vec<Piece>>,
    /// Number of operations that `signature` leaves out.
    pub more_operations: u32,
    /// Details of the selected judgement.
    pub detail: Detail,
    /// The shown derivation as a LaTeX document.
    pub latex: String,
}

/// One of several instances.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instance {
    /// Index of the instance, from 0.
    pub number: u32,
    /// Number of instances.
    pub count: u32,
}

/// Enclosing derivation, as a target of navigation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Around {
    /// Short caption: ``main``, `rev handle with H_MLP`, `FC[ℓ0], backward`.
    pub label: String,
    /// Position of the derivation.
    pub place: Place,
    /// Source span: from, to.
    pub source: (u32, u32),
}

/// A judgement with its rule and its premises.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// Path of premise indices from the root.
    pub path: Vec<u32>,
    /// Name of the rule in the paper.
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
    /// Number of premises left out among the shown ones.
    pub others: u32,
    /// Side conditions: `x : A ∈ Γ`, `f : A → B ∈ Σ`.
    pub side: Vec<Vec<Piece>>,
    /// True if the premises are stacked vertically, for lack of space.
    pub stacked: bool,
    /// Number of rules above the judgement that are left out.
    pub left_out: u32,
}

/// A judgement: Γ ⊢ M : A, Γ; Δ ⊢ P : A or ⊢ʳ H : C.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// The environment.
    pub environment: Vec<Piece>,
    /// `⊢`, or `⊢ʳ` for a reverse handler.
    pub turnstile: String,
    /// The subject M, P or H, shortened.
    pub subject: Vec<Piece>,
    /// The type A or C.
    pub ty: Vec<Piece>,
}

/// A named environment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Named {
    /// Name, such as `Δ₁`.
    pub name: String,
    /// Assumptions of the environment.
    pub entries: Vec<Piece>,
}

/// One judgement in full, with its rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Detail {
    /// Path of premise indices from the root.
    pub path: Vec<u32>,
    /// Rule by which the judgement is derived.
    pub rule: Rule,
    /// Environment, one assumption per entry.
    pub environment: Vec<Vec<Piece>>,
    /// Subject, laid out.
    pub subject: Vec<Line>,
    /// Type of the subject.
    pub ty: Vec<Piece>,
    /// Source span of the subject.
    pub source: (u32, u32),
}

/// A rule of the figures, in their notation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    /// Name, such as `T-CLet`.
    pub name: String,
    /// Premises, above the bar.
    pub premises: Vec<String>,
    /// Conclusion, below the bar.
    pub conclusion: String,
    /// Meaning of the rule, as a sentence.
    pub says: String,
}
