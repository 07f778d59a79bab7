//! The surface tree: the grammar of the language page, with a span on every node and no names resolved.
//! `⌊M⌋`, sizes, indices and patterns are kept as written; the crate `elaborate` interprets them.
//! Equality of trees ignores spans, so equal trees are the same program.

use crate::span::{Span, Spanned};
use std::sync::Arc;

/// A whole source file. Items that could not be parsed are missing; each has a diagnostic.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Program {
    /// Declarations, in the order of the file.
    pub items: Vec<Item>,
}

/// A name of an identifier or a location, with its span.
#[derive(Clone, Debug)]
pub struct Name {
    /// The text, in NFC.
    pub text: Arc<str>,
    /// Span of the name.
    pub span: Span,
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

/// A declaration; its span covers all of it.
pub type Item = Spanned<ItemKind>;

/// A declaration.
#[derive(Clone, Debug, PartialEq)]
pub enum ItemKind {
    /// `dim n = 2, m = n + 1`
    Dim(Vec<(Name, Size)>),
    /// `loc ℓ0 ∷ (n, m) = glorot(seed: 1)`
    Loc(LocDecl),
    /// `op FC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)`
    Op(OpDecl),
    /// `fun f(x : A) : B = M`
    Fun(FunDecl),
    /// `command R(x : A) : B = P`
    Command(CommandDecl),
    /// `handler H(t : A) : C { … }`
    Handler(HandlerDecl),
    /// `data xor = …`
    Data(DataDecl),
    /// `train xor as ⟨v, t⟩ for 200 epochs = P`
    Train(TrainDecl),
    /// `measure loss on xor as ⟨v, t⟩ = P`
    Measure(MeasureDecl),
    /// `predict output(v : A) = P`
    Predict(PredictDecl),
    /// `main = P`
    Main(Command),
}

/// A location, that is, a heap cell; with parameters, a family of locations.
#[derive(Clone, Debug, PartialEq)]
pub struct LocDecl {
    /// Name of the location.
    pub name: Name,
    /// Index parameters of a family; empty for a single location.
    pub params: Vec<IndexParam>,
    /// `(n₁, …, n_t)`: the cell holds a tensor of shape n_t × … × n₁.
    pub shape: Vec<Size>,
    /// Initial contents; zeros if absent.
    pub init: Option<Init>,
}

/// A family of operations.
#[derive(Clone, Debug, PartialEq)]
pub struct OpDecl {
    /// Name of the operation.
    pub name: Name,
    /// Index parameters.
    pub params: Vec<IndexParam>,
    /// Type of the argument (coarity).
    pub domain: Type,
    /// Type of the result (arity).
    pub codomain: Type,
}

/// A defined function.
#[derive(Clone, Debug, PartialEq)]
pub struct FunDecl {
    /// Name of the function.
    pub name: Name,
    /// Index parameters.
    pub index_params: Vec<IndexParam>,
    /// Parameters.
    pub params: Vec<Param>,
    /// Declared result type.
    pub result: Option<Type>,
    /// Body of the function.
    pub body: Term,
}

/// A defined command.
#[derive(Clone, Debug, PartialEq)]
pub struct CommandDecl {
    /// Name of the command.
    pub name: Name,
    /// Index parameters.
    pub index_params: Vec<IndexParam>,
    /// Parameters.
    pub params: Vec<Param>,
    /// Declared result type.
    pub result: Option<Type>,
    /// Body of the command.
    pub body: Command,
}

/// A named handler, reverse (`: C`) or ordinary (`: C ⇒ D`).
#[derive(Clone, Debug, PartialEq)]
pub struct HandlerDecl {
    /// Name of the handler.
    pub name: Name,
    /// Index parameters.
    pub index_params: Vec<IndexParam>,
    /// Parameters; each use replaces them by constants.
    pub params: Vec<Param>,
    /// `C`, the type of the handled computation.
    pub handled: Type,
    /// `D`, for an ordinary handler.
    pub result: Option<Type>,
    /// Handlers whose clauses are inherited, in order.
    pub extends: Vec<HandlerCall>,
    /// Own clauses of the handler, without inherited clauses, in order.
    pub clauses: Vec<Clause>,
}

/// A named data set.
#[derive(Clone, Debug, PartialEq)]
pub struct DataDecl {
    /// Name of the data set.
    pub name: Name,
    /// Declared sample type.
    pub ty: Option<Type>,
    /// Samples of the data set.
    pub dataset: Dataset,
}

/// The samples of a data set.
#[derive(Clone, Debug, PartialEq)]
pub enum Dataset {
    /// `[⟨…⟩, …]`
    Samples(Vec<Term>),
    /// `moons(n: 200)`, or a generator without arguments.
    Generator(GeneratorCall),
    /// `csv("file.csv")`
    Csv(Spanned<String>),
    /// `shuffle(d, seed: 1)`
    Combined(Combination),
}

/// A data set made from other data sets.
#[derive(Clone, Debug, PartialEq)]
pub struct Combination {
    /// The other data sets.
    pub of: Vec<Spanned<Dataset>>,
    /// Name of the combining function, and the arguments after the data sets.
    pub call: GeneratorCall,
}

/// `train D by b as p for k epochs = P`
#[derive(Clone, Debug, PartialEq)]
pub struct TrainDecl {
    /// The data set.
    pub data: Name,
    /// Number of samples in a batch; `None` if samples are not batched.
    pub batch: Option<Size>,
    /// Names of the components of a sample: schematic constants of the body.
    pub pattern: Pattern,
    /// Number of epochs: passes over the data set.
    pub epochs: Size,
    /// Command that runs once per sample (or batch) and epoch.
    pub body: Command,
}

/// `measure m on D as p = P`
#[derive(Clone, Debug, PartialEq)]
pub struct MeasureDecl {
    /// Name of the measure.
    pub name: Name,
    /// The data set.
    pub data: Name,
    /// Names of the components of a sample: schematic constants of the body.
    pub pattern: Pattern,
    /// Command of type Real(1) that computes the measure.
    pub body: Command,
}

/// `predict f(v : A) = P`
#[derive(Clone, Debug, PartialEq)]
pub struct PredictDecl {
    /// Name of the prediction.
    pub name: Name,
    /// Inputs of the prediction.
    pub params: Vec<Param>,
    /// Command that computes the prediction.
    pub body: Command,
}

/// An index parameter with its span.
pub type IndexParam = Spanned<IndexParamKind>;

/// An index parameter in the brackets of a declaration or a clause.
#[derive(Clone, Debug, PartialEq)]
pub enum IndexParamKind {
    /// A bare name: binds a size, repeats a size bound earlier, or names a declared location.
    Name(Name),
    /// `ℓ ∷ (n, m)`
    Location {
        /// Name of the location.
        name: Name,
        /// Sizes of its shape; bare names bind.
        shape: Vec<Size>,
    },
    /// A size expression other than a bare name.
    Size(Size),
}

impl IndexParamKind {
    /// Bare names that bind: first the sizes of a shape, then the location.
    pub fn names(&self) -> impl Iterator<Item = &Name> {
        let (name, shape) = match self {
            IndexParamKind::Name(name) => (Some(name), &[][..]),
            IndexParamKind::Location { name, shape } => (Some(name), &shape[..]),
            IndexParamKind::Size(_) => (None, &[][..]),
        };
        let sizes = shape.iter().filter_map(|size| match &size.node {
            SizeKind::Name(name) => Some(name),
            _ => None,
        });
        sizes.chain(name)
    }
}

/// An index argument with its span.
pub type Index = Spanned<IndexKind>;

/// An index in the brackets of a use.
#[derive(Clone, Debug, PartialEq)]
pub enum IndexKind {
    /// A size expression other than a bare name.
    Size(Size),
    /// A bare name: a size or a location, depending on its declaration. With arguments, an instance of a
    /// location family, such as `velocity[ℓ0]`.
    Name(Name, Vec<Index>),
    /// A function symbol, as in `cols[b, swish]` or `rd[rd[f]]`.
    Symbol(SymbolRef),
}

/// `x : A`
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Name of the parameter.
    pub name: Name,
    /// Type of the parameter.
    pub ty: Type,
}

/// A type with its span.
pub type Type = Spanned<TypeKind>;

/// A type.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeKind {
    /// `Real(n × m)`: a base type with its shape, outermost dimension first.
    Real(Vec<Size>),
    /// `1`
    Unit,
    /// `A × B × C`, with two factors or more.
    Product(Vec<Type>),
}

/// A size expression with its span.
pub type Size = Spanned<SizeKind>;

/// A size expression.
#[derive(Clone, Debug, PartialEq)]
pub enum SizeKind {
    /// A numeral.
    Number(u64),
    /// A dimension or a bound index.
    Name(Name),
    /// `a + b`
    Add(Box<Size>, Box<Size>),
    /// `a - b`
    Subtract(Box<Size>, Box<Size>),
    /// `a * b`
    Multiply(Box<Size>, Box<Size>),
    /// `⌈a/b⌉`
    Ceiling(Box<Size>, Box<Size>),
}

impl SizeKind {
    /// Names in the expression, in order.
    pub fn names(&self) -> Vec<&Name> {
        match self {
            SizeKind::Number(_) => Vec::new(),
            SizeKind::Name(name) => vec![name],
            SizeKind::Add(left, right)
            | SizeKind::Subtract(left, right)
            | SizeKind::Multiply(left, right)
            | SizeKind::Ceiling(left, right) => {
                let mut names = left.node.names();
                names.extend(right.node.names());
                names
            }
        }
    }
}

/// A term with its span.
pub type Term = Spanned<TermKind>;

/// A pure term.
#[derive(Clone, Debug, PartialEq)]
pub enum TermKind {
    /// `x`
    Variable(Name),
    /// `0.1`, `[1, 2]`, `[[1, 2], [3, 4]]`
    Literal(Literal),
    /// `⟨M, N⟩`, with two components or more; `⟨M⟩` is parsed as M.
    Tuple(Vec<Term>),
    /// `()`
    Unit,
    /// `let p ← M in N`
    Let(Pattern, Box<Term>, Box<Term>),
    /// `M + N`, `M − N`, `M · N`, `M ∗ N`, `M ⊙ N`, `M / N`
    Binary(Spanned<BinaryOperator>, Box<Term>, Box<Term>),
    /// `−M`
    Negate(Box<Term>),
    /// `Mᵀ`
    Transpose(Box<Term>),
    /// `M.i` and `proj_i(M)`, with i counted from 1.
    Projection(Box<Term>, Spanned<u32>),
    /// `M.rd(x. N)(L)`: the cotangent M, pulled back along x ↦ N at the point L.
    ReverseDerivative {
        /// M
        cotangent: Box<Term>,
        /// x
        variable: Name,
        /// N
        body: Box<Term>,
        /// L
        point: Box<Term>,
    },
    /// `f(M, …)`: a function symbol or a defined function.
    Call(SymbolRef, Vec<Term>),
    /// `zero[n]`
    Zero(Size),
    /// A syntax error that the parser recovered from; it has a diagnostic.
    Error,
}

/// An infix operator of terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOperator {
    /// `+`
    Add,
    /// `−`
    Subtract,
    /// `·`
    Scale,
    /// `∗`
    Multiply,
    /// `⊙`
    Hadamard,
    /// `/`
    Divide,
}

/// A function symbol as written: `swish`, `matmul[m, k, n]`, `rd[conv1d[n, m, c, c']]`.
pub type SymbolRef = Spanned<SymbolKind>;

/// A function symbol or defined function.
#[derive(Clone, Debug, PartialEq)]
pub enum SymbolKind {
    /// A name with its indices.
    Named(Name, Vec<Index>),
    /// `rd[f]`
    Reverse(Box<SymbolRef>),
}

/// Numbers as written.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// `0.1`, or `-0.1`
    Number(f64),
    /// `[1, 2]`
    Vector(Vec<f64>),
    /// `[[1, 2], [3, 4]]`: rows of equal length; the parser reports unequal rows.
    Matrix(Vec<Vec<f64>>),
}

/// A command with its span.
pub type Command = Spanned<CommandKind>;

/// An effectful command.
#[derive(Clone, Debug, PartialEq)]
pub enum CommandKind {
    /// `let p ⇐ P in Q`
    Let(Pattern, Box<Command>, Box<Command>),
    /// `rev handle(M)⟨p, …⟩. R with H`
    RevHandle {
        /// M
        argument: Box<Term>,
        /// Patterns, one per component of M's type.
        patterns: Vec<Pattern>,
        /// R
        body: Box<Command>,
        /// H
        handler: Handler,
    },
    /// `handle R with H`
    Handle {
        /// R
        body: Box<Command>,
        /// H
        handler: Handler,
    },
    /// `iterate[i : k](M)⟨p⟩. P`
    Iterate {
        /// i
        variable: Name,
        /// k
        count: Size,
        /// M
        argument: Box<Term>,
        /// Patterns, one per component of M's type.
        patterns: Vec<Pattern>,
        /// P
        body: Box<Command>,
    },
    /// `feedback[n](M)⟨s, x⟩. P`
    Feedback {
        /// n
        count: Size,
        /// M
        argument: Box<Term>,
        /// Patterns: s and x if there are two; the parser accepts any number.
        patterns: Vec<Pattern>,
        /// P
        body: Box<Command>,
    },
    /// `⌊M⌋`
    Pure(Box<Term>),
    /// `Op[…](M, …)` or `R[…](M, …)`: an operation or a defined command.
    Call {
        /// Name of the callee.
        name: Name,
        /// Indices, as written.
        indices: Vec<Index>,
        /// Arguments of the call.
        arguments: Vec<Term>,
    },
    /// `k • M`
    Resume(Name, Box<Term>),
    /// A syntax error that the parser recovered from; it has a diagnostic.
    Error,
}

/// A use of a handler, with its span.
pub type Handler = Spanned<HandlerKind>;

/// A use of a handler.
#[derive(Clone, Debug, PartialEq)]
pub enum HandlerKind {
    /// `H[…](…)`
    Call(HandlerCall),
    /// `{ … }`
    Literal(Vec<Clause>),
}

/// `H[…](M, …)`
#[derive(Clone, Debug)]
pub struct HandlerCall {
    /// Name of the handler.
    pub name: Name,
    /// Indices of the handler.
    pub indices: Vec<Index>,
    /// Arguments, closed terms.
    pub arguments: Vec<Term>,
    /// Span of the whole call.
    pub span: Span,
}

impl PartialEq for HandlerCall {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
            && self.indices == other.indices
            && self.arguments == other.arguments
    }
}

/// A clause with its span.
pub type Clause = Spanned<ClauseKind>;

/// A clause of a handler.
#[derive(Clone, Debug, PartialEq)]
pub enum ClauseKind {
    /// `x ↦ P`
    Return(Pattern, Command),
    /// `Op[…] ( x ↦ Qᶠ | y, z ↦ Qᵇ )`
    Reverse {
        /// The operation.
        operation: Name,
        /// Index parameters, matched against the indices of the operation.
        params: Vec<IndexParam>,
        /// x
        forward_pattern: Pattern,
        /// Qᶠ : B × D
        forward: Command,
        /// y, the cotangent of the result
        cotangent: Pattern,
        /// z, the value that the forward clause saved
        saved: Pattern,
        /// Qᵇ : A
        backward: Command,
    },
    /// `Op[…], k; x ↦ Q`
    Ordinary {
        /// The operation.
        operation: Name,
        /// Index parameters, matched against the indices of the operation.
        params: Vec<IndexParam>,
        /// k
        continuation: Name,
        /// x
        pattern: Pattern,
        /// Q
        body: Command,
    },
}

impl ClauseKind {
    /// Operation and index parameters of a clause; `None` for a return clause.
    pub fn head(&self) -> Option<(&Name, &[IndexParam])> {
        match self {
            ClauseKind::Return(..) => None,
            ClauseKind::Reverse {
                operation, params, ..
            }
            | ClauseKind::Ordinary {
                operation, params, ..
            } => Some((operation, params)),
        }
    }
}

/// A pattern with its span.
pub type Pattern = Spanned<PatternKind>;

/// A pattern bound by a `let`, a binder list or a clause.
#[derive(Clone, Debug, PartialEq)]
pub enum PatternKind {
    /// `x`
    Name(Name),
    /// `_`
    Wildcard,
    /// `⟨p, q⟩`; a tuple of one component is parsed as that component.
    Tuple(Vec<Pattern>),
}

/// Initial contents of a location.
#[derive(Clone, Debug, PartialEq)]
pub enum Init {
    /// Rows of a matrix, or a flat list of all entries.
    Literal(Spanned<Literal>),
    /// `glorot(seed: 1)`
    Generator(GeneratorCall),
}

/// `name(key: value, …)`
#[derive(Clone, Debug)]
pub struct GeneratorCall {
    /// Name of the generator.
    pub name: Name,
    /// Arguments of the call.
    pub arguments: Vec<NamedArgument>,
    /// Span of the whole call.
    pub span: Span,
}

impl PartialEq for GeneratorCall {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.arguments == other.arguments
    }
}

/// An argument `key: value`, or a positional value.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedArgument {
    /// Key; `None` for a positional argument.
    pub key: Option<Name>,
    /// The value.
    pub value: Spanned<ArgumentValue>,
}

/// The value of a generator's argument.
#[derive(Clone, Debug, PartialEq)]
pub enum ArgumentValue {
    /// A number, with its sign.
    Number(f64),
    /// A size expression other than a plain numeral: `1 + i`, `n`.
    Size(Size),
}
