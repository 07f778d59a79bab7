//! The index of names: for every occurrence of a name its kind, its definition and the known part of its type. An editor uses the index
//! for hover, go to definition, renaming and completion.
//!
//! Resolution (`resolve`) walks the surface tree once, whatever errors the tree has. It comes before elaboration, which reads the binders
//! of names from it. Types and instances (`facts`) are those that the elaboration found first at a span. So the index is linear in the
//! source, however often a definition is expanded.

mod facts;
mod index;
mod resolve;
mod scope;
mod tidiness;

mod written;

use fletch_syntax::Span;

pub(crate) use facts::{Calls, Fact, Facts, Handled};
pub(crate) use index::occurrences;
pub(crate) use resolve::{Resolution, resolve};
pub(crate) use scope::Border;
pub(crate) use tidiness::{hiding, unused};

/// Kind of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NameKind {
    /// `dim n = 2`
    Dimension,
    /// `loc ℓ ∷ (n, m)`
    Location,
    /// `op FC[…] : A ▷ B`, `Get`, `Put`
    Operation,
    /// A function symbol of the language.
    Symbol,
    /// `fun f(…) = …`
    Function,
    /// `command R(…) = …`
    Command,
    /// `handler H … { … }`
    Handler,
    /// `data D = …`
    Data,
    /// `measure m on D …`
    Measure,
    /// `predict p(…) = …`
    Predict,
    /// A name in a pattern, or a parameter.
    Variable,
    /// A size or a location that an index parameter or `iterate` binds.
    Index,
    /// `k` of a clause of an ordinary handler.
    Continuation,
}

impl NameKind {
    /// Noun for the kind in messages.
    pub fn noun(self) -> &'static str {
        match self {
            NameKind::Dimension => "dimension",
            NameKind::Location => "location",
            NameKind::Operation => "operation",
            NameKind::Symbol => "function symbol",
            NameKind::Function => "function",
            NameKind::Command => "command",
            NameKind::Handler => "handler",
            NameKind::Data => "data set",
            NameKind::Measure => "measure",
            NameKind::Predict => "prediction",
            NameKind::Variable => "variable",
            NameKind::Index => "index",
            NameKind::Continuation => "continuation",
        }
    }

    /// Noun of the kind with its article.
    pub fn with_article(self) -> String {
        let noun = self.noun();
        let article = if noun.starts_with(['i', 'o']) {
            "an"
        } else {
            "a"
        };
        format!("{article} {noun}")
    }

    /// True if names of this kind are visible in the whole file.
    pub fn is_declared(self) -> bool {
        !matches!(
            self,
            NameKind::Variable | NameKind::Index | NameKind::Continuation
        )
    }
}

/// A type or indices that the text omits and the checker infers. Nothing is given if it holds for one instance of a definition only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// The type of a variable of a pattern, or of the result of a command or a function that declares none.
    Type(String),
    /// All indices of a call that writes fewer: `ℓ0, 2, 8`.
    Indices(String),
}

/// One occurrence of a name in the source: where the name is declared or bound, or where it is used.
#[derive(Clone, Debug, PartialEq)]
pub struct Occurrence {
    /// The name itself.
    pub span: Span,
    /// Kind of the name.
    pub kind: NameKind,
    /// Text of the name.
    pub name: String,
    /// Span of the declaration or binder (the occurrence itself at the definition); `None` for a built-in name.
    pub definition: Option<Span>,
    /// Known part of the type, with dimensions as numbers: `x_in : Real(2)`, `ℓ0 ∷ (2, 8)`, `FC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)`. At a
    /// call of an operation or function symbol, the first line shows the instance and the second line the family.
    pub signature: String,
    /// Remarks, one per line: the instance that a type belongs to, the handler of a called operation, the documentation of a function
    /// symbol.
    pub note: Option<String>,
    /// The type or indices that the text omits here.
    pub left_out: Option<LeftOut>,
    /// For variables and indices: span of the source in which the name can be used.
    pub visible: Option<Span>,
}
