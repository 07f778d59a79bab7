//! Rules of reduction, equations of RH, and the values that a step gives to their metavariables.

use fletch_calculus::{
    Call, Called, Command, Feedback, Handled, LocationRef, OperationRef, OrdinaryHandler, Role,
    Symbol, Tensor, Term, Variable, is_zero_along, notation,
};
use fletch_smooth::derivative_of;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The rules, by their names in traces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs)] // `Rule::name` says it.
pub enum Rule {
    Eval,
    Add,
    Proj,
    Let,
    Rd,
    RdZero,
    RdShort,
    Bind,
    RevHandle,
    HandleRet,
    HandleOp,
    Get,
    Put,
    RhRet,
    RhLet,
    RhOp,
    RhHandle,
    RhTerm,
    RhOpShort,
    RhTermShort,
    Feedback,
    RhFeedback,
    RhFeedbackShort,
}

impl Rule {
    /// The name in traces.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Eval => "eval",
            Rule::Add => "add",
            Rule::Proj => "proj",
            Rule::Let => "let",
            Rule::Rd => "rd",
            Rule::RdZero => "rd-zero",
            Rule::RdShort => "rd-short",
            Rule::Bind => "bind",
            Rule::RevHandle => "rev-handle",
            Rule::HandleRet => "handle-ret",
            Rule::HandleOp => "handle-op",
            Rule::Get => "get",
            Rule::Put => "put",
            Rule::RhRet => "RH-ret",
            Rule::RhLet => "RH-let",
            Rule::RhOp => "RH-op",
            Rule::RhHandle => "RH-handle",
            Rule::RhTerm => "RH-term",
            Rule::RhOpShort => "RH-op-short",
            Rule::RhTermShort => "RH-term-short",
            Rule::Feedback => "feedback",
            Rule::RhFeedback => "RH-feedback",
            Rule::RhFeedbackShort => "RH-feedback-short",
        }
    }

    /// True for an equation of RH^V_H (Fig. rewriterevh).
    pub fn is_equation(self) -> bool {
        use Rule::{RhFeedback, RhFeedbackShort, RhHandle, RhLet, RhOp, RhOpShort, RhRet, RhTerm};
        matches!(
            self,
            RhRet
                | RhLet
                | RhOp
                | RhHandle
                | RhTerm
                | RhFeedback
                | RhOpShort
                | Rule::RhTermShort
                | RhFeedbackShort
        )
    }

    /// True for a shortcut: not a rule of the paper, but an equation that holds in its model.
    pub fn is_shortcut(self) -> bool {
        use Rule::{RdShort, RdZero, RhFeedbackShort, RhOpShort, RhTermShort};
        matches!(
            self,
            RdZero | RdShort | RhOpShort | RhTermShort | RhFeedbackShort
        )
    }
}

/// Instance of the rule or equation that a step applied: the figure's metavariables with their values. The metavariables of RH^V_H(⟨ȳ⟩.
/// R) are in [`Step::levels`]; F is given by [`Step::context`] or [`Decomposition::of`] R.
#[derive(Clone, Debug)]
pub enum Action {
    /// f(V) → W, where W = Eval(f, V)
    Eval {
        /// f
        symbol: Symbol,
        /// V
        argument: Term,
        /// W
        result: Term,
    },
    /// V + W → U
    Add {
        /// V
        left: Term,
        /// W
        right: Term,
        /// U
        result: Term,
    },
    /// proj_i(⟨V₁, …, Vₙ⟩) → V_i
    Proj {
        /// i, from 0
        index: usize,
        /// ⟨V₁, …, Vₙ⟩
        tuple: Term,
        /// V_i
        result: Term,
    },
    /// let x ← V in M → M[V/x]
    Let {
        /// x
        variable: Variable,
        /// V
        value: Term,
        /// M
        body: Term,
    },
    /// W.rd(x. N)(V) → W.R_V(x. N); a shortcut omits the subterms of N in which x is not free
    Rd {
        /// W
        cotangent: Term,
        /// x
        variable: Variable,
        /// N
        body: Term,
        /// V
        point: Term,
        /// True if a shortcut omits subterms of N.
        short: bool,
    },
    /// let x ⇐ ⌊V⌋ in R → R[V/x]
    Bind {
        /// x
        variable: Variable,
        /// V
        value: Term,
        /// R
        body: Command,
        /// Role of the `let`.
        role: Role,
    },
    /// rev handle(V)⟨x̄⟩. R with H → RH^V_H(⟨x̄⟩. R)
    RevHandle(Arc<Handled>),
    /// handle ⌊V⌋ with H → P[V/x], or its elimination under RH
    HandleRet {
        /// H, with its return clause x ↦ P
        handler: Arc<OrdinaryHandler>,
        /// V; M under RH
        value: Term,
    },
    /// handle F[Op(V)] with H → Q_Op[V/x, (y. handle F[⌊y⌋] with H)/k], or its elimination under RH
    HandleOp {
        /// H, with its clause Op, k; x ↦ Q
        handler: Arc<OrdinaryHandler>,
        /// Op
        operation: OperationRef,
        /// V; M under RH
        argument: Term,
        /// y: the variable that a resumption binds
        result: Variable,
        /// True if H has no clause for Op, so that Op is performed outside H.
        outside: bool,
    },
    /// Get[ℓ]() → ⌊𝓗(ℓ)⌋
    Get {
        /// ℓ
        location: LocationRef,
        /// 𝓗(ℓ)
        contents: Tensor,
    },
    /// Put[ℓ](v) → ⌊0⌋
    Put {
        /// ℓ
        location: LocationRef,
        /// v
        contents: Term,
    },
    /// RH(⟨ȳ⟩. ⌊y_k⌋)
    RhRet {
        /// y_k
        variable: Variable,
        /// V_k
        value: Term,
        /// y
        result: Variable,
    },
    /// RH(⟨ȳ⟩. F[let x ⇐ ⌊y_j⌋ in R])
    RhLet {
        /// x
        variable: Variable,
        /// y_j
        replacement: Variable,
        /// R
        body: Command,
        /// Role of the `let`.
        role: Role,
    },
    /// RH(⟨ȳ⟩. F[Op(y_i)])
    RhOp {
        /// Op
        operation: OperationRef,
        /// y_i
        argument: Variable,
        /// V_i
        value: Term,
        /// True if Qᶠ and Qᵇ are the paper's default.
        default: bool,
        /// Handled call that the equation creates, with y, z′ and y′
        call: Arc<Call>,
        /// ȳ′; with a shortcut, only the cotangents of the y_j free in F
        cotangents: Arc<[Variable]>,
        /// y″_i
        contribution: Variable,
        /// The y_j not free in F, which a shortcut drops; empty without shortcuts.
        unused: Arc<[Variable]>,
    },
    /// RH(⟨ȳ⟩. F[rev handle(y_j)⟨z̄⟩. R with H′])
    RhHandle {
        /// y_j
        argument: Variable,
        /// RH^W_H′(⟨z̄⟩. R), where W is y_j, or fresh variables for its components
        inner: Arc<Handled>,
    },
    /// RH(⟨ȳ⟩. F^t[M]), where M is not a variable
    RhTerm {
        /// M
        term: Term,
        /// y
        result: Variable,
        /// Handled call that the equation creates, with z as its cotangent, and ȳ′; `None` where M is only moved out of an ordinary
        /// handler.
        met: Option<(Arc<Call>, Arc<[Variable]>)>,
        /// The y_i not free in F^t, which a shortcut drops; empty without shortcuts.
        unused: Arc<[Variable]>,
        /// The y_i not free in M, for which a shortcut omits the derivative; empty without shortcuts.
        constant: Arc<[Variable]>,
    },
    /// feedback\[n\](⟨V, W⟩)⟨s, x⟩. P → one moment, then feedback\[n − 1\]; ⌊⟨V, 0⟩⌋ where n is 0. Also the elimination of a feedback
    /// under RH, inside an ordinary handler.
    Feedback {
        /// \[n\]⟨s, x⟩. P
        feedback: Arc<Feedback>,
        /// V
        state: Term,
        /// W₁, if there is a moment
        input: Option<Term>,
    },
    /// RH(⟨ȳ⟩. F[feedback\[n\](y_i)⟨s, x⟩. P]): RH-op with derived clauses
    RhFeedback {
        /// \[n\]⟨s, x⟩. P
        feedback: Arc<Feedback>,
        /// y_i
        argument: Variable,
        /// V_i
        value: Term,
        /// Handled call that the equation creates, with y, z′ and y′
        call: Arc<Call>,
        /// ȳ′; with a shortcut, only the cotangents of the y_j free in F
        cotangents: Arc<[Variable]>,
        /// y″_i
        contribution: Variable,
        /// The y_j not free in F, which a shortcut drops; empty without shortcuts.
        unused: Arc<[Variable]>,
    },
}

impl Action {
    /// Handled call that the action creates; `None` if the action creates none.
    pub fn call(&self) -> Option<&Arc<Call>> {
        match self {
            Action::RhOp { call, .. } | Action::RhFeedback { call, .. } => Some(call),
            Action::RhTerm { met, .. } => met.as_ref().map(|(call, _)| call),
            _ => None,
        }
    }

    /// The rule that the action is an instance of.
    pub fn rule(&self) -> Rule {
        match self {
            Action::Eval { .. } => Rule::Eval,
            Action::Add { .. } => Rule::Add,
            Action::Proj { .. } => Rule::Proj,
            Action::Let { .. } => Rule::Let,
            Action::Rd { short: false, .. } => Rule::Rd,
            Action::Rd { variable, body, .. } => {
                if is_zero_along(variable, body) {
                    Rule::RdZero
                } else {
                    Rule::RdShort
                }
            }
            Action::Bind { .. } => Rule::Bind,
            Action::RevHandle(_) => Rule::RevHandle,
            Action::HandleRet { .. } => Rule::HandleRet,
            Action::HandleOp { .. } => Rule::HandleOp,
            Action::Get { .. } => Rule::Get,
            Action::Put { .. } => Rule::Put,
            Action::RhRet { .. } => Rule::RhRet,
            Action::RhLet { .. } => Rule::RhLet,
            Action::RhOp { unused, .. } if unused.is_empty() => Rule::RhOp,
            Action::RhOp { .. } => Rule::RhOpShort,
            Action::RhHandle { .. } => Rule::RhHandle,
            Action::RhTerm {
                unused, constant, ..
            } if unused.is_empty() && constant.is_empty() => Rule::RhTerm,
            Action::RhTerm { .. } => Rule::RhTermShort,
            Action::Feedback { .. } => Rule::Feedback,
            Action::RhFeedback { unused, .. } if unused.is_empty() => Rule::RhFeedback,
            Action::RhFeedback { .. } => Rule::RhFeedbackShort,
        }
    }

    /// Names by which a search finds the action; `unfolded` is the name of the handler whose RH is unfolded.
    pub(crate) fn subject(&self, unfolded: &str) -> String {
        match self {
            Action::Eval { symbol, .. } => symbol_name(symbol),
            Action::Add { .. } => "+".to_owned(),
            // The number of the component is omitted: with it, the number of labels would grow with the square of the program size.
            Action::Proj { .. } => String::new(),
            Action::Let { variable, .. }
            | Action::Rd { variable, .. }
            | Action::Bind { variable, .. } => variable.name.to_string(),
            Action::RevHandle(handled) => handled.handler.name.to_string(),
            Action::HandleRet { handler, .. } => handler.name.to_string(),
            Action::RhRet { .. } => unfolded.to_owned(),
            Action::HandleOp {
                handler, operation, ..
            } => format!("{operation} {}", handler.name),
            Action::RhOp { operation, .. } => format!("{operation} {unfolded}"),
            Action::Feedback { feedback, .. } => format!("feedback[{}]", feedback.count),
            Action::RhFeedback { feedback, .. } => {
                format!("feedback[{}] {unfolded}", feedback.count)
            }
            // The access twice: as a user types it in a search, and as the program writes it.
            Action::Get { location, .. } => format!("Get {0} Get[{0}]", location.name),
            Action::Put { location, .. } => format!("Put {0} Put[{0}]", location.name),
            Action::RhLet {
                variable,
                replacement,
                ..
            } => format!("{} {}", variable.name, replacement.name),
            Action::RhHandle { inner, .. } => format!("{} {unfolded}", inner.handler.name),
            Action::RhTerm { .. } => match self.call().map(|call| &call.called) {
                Some(Called::Operation(operation)) => format!("{operation} {unfolded}"),
                Some(Called::Function(symbol)) => format!("{} {unfolded}", symbol_name(symbol)),
                Some(Called::Term | Called::Feedback(_)) | None => unfolded.to_owned(),
            },
        }
    }
}

/// The name of a function, and its operator if it has one.
fn symbol_name(symbol: &Symbol) -> String {
    match (symbol.reverse_of(), notation::infix(symbol)) {
        (Some(inner), _) => derivative_of(symbol_name(inner)),
        (None, Some((operator, _))) => format!("{} {operator}", symbol.name()),
        (None, None) => symbol.name(),
    }
}
