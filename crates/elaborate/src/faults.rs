//! Everything that a program can be rejected for, as data. What is said of a fault is in `words`, and nothing
//! else reads that.

use crate::csv::{FileFault, LeftOut};
use crate::names::Border;
use crate::names::NameKind;
use crate::shaped::Shaped;
use fletch_calculus::{Builtin, OperationRef, Symbol};
use fletch_smooth::{GeneratorError, Shape, SignatureError};
use fletch_syntax::tree::Name;
use fletch_syntax::{Severity, Span};
use std::sync::Arc;

/// The text of a name.
pub(crate) type Text = Arc<str>;

/// Fault at a place, as data for its message. A name comes first, and the actual thing before the expected one.
#[derive(Debug)]
pub(crate) enum Fault {
    /// A name that nothing declares or binds.
    Unknown(Wanted, Text, Help),
    /// `main` is declared at another place already.
    TwoMains(Span),
    /// A declaration of `Get` or `Put`.
    HeapDeclared(Text),
    /// A name is declared at another place already.
    Twice(Text, Span),
    /// Definitions that lead from one to the next, the first and the last the same; where that is declared.
    Circular(Vec<Text>, Span, NameKind),
    /// A variable beyond a border.
    Hidden(Text, Border),
    HiddenContinuation(Text, Border),
    /// A name of this kind where a command, a term, a handler is needed.
    NoCommand(Text, NameKind),
    NoTerm(Text, NameKind),
    NoHandler(Text, NameKind),
    /// `Get` or `Put` where a term is needed.
    HeapTerm(Text),
    /// A definition, declared at a place, in the brackets of `rd`, `cols` or `rows`.
    NoSymbol(Text, NameKind, Span, &'static str),
    CalledVariable(Text),
    CalledContinuation(Text),
    ResumedVariable(Text),
    ContinuationAsValue(Text),
    /// A name that is never used, and what may be written in its place.
    Unused(Text, NameKind, Option<String>),
    /// A defined function hides a function symbol.
    HidesSymbol(Text),
    /// An index hides a dimension or a location that is declared at a place.
    HidesDeclared(Text, NameKind, Span),
    /// `Get` or `Put` with this many indices; what to write in place of a call `Get(ℓ)`.
    HeapIndices(Builtin, usize, Option<(Span, String)>),
    /// Head of a clause: number of indices of its operation, and number of those given.
    ClauseIndices(Text, usize, usize),
    /// A call with so many indices: the parameters, and those of them that are locations.
    CallIndices(Name, Vec<Text>, Vec<Text>, usize),
    /// Instance of a declared location: number of indices required, and number given.
    LocationIndices(Name, usize, usize),
    /// A location where a function symbol takes a size.
    LocationIndex(Text, Text),
    /// `cols` or `rows` with another number of indices.
    LiftedIndices(Text),
    /// `cols` or `rows` of what is no function symbol.
    LiftedSize(Text),
    /// A function symbol where an index is needed.
    SymbolIndex,
    /// A function symbol, or an operator as it is written, with arguments or indices that it does not take.
    Misapplied(Text, Written, SignatureError),
    /// The point of `rd[f]` does not fit f: f, the type of the point, and the fault of that application.
    Point(Text, Shaped, Box<Fault>),
    NegativeSize(usize, usize),
    DividedByZero,
    EmptyBatch,
    LocationAsSize(Text),
    /// A product of matrices with other columns on the left than rows on the right.
    Product(Shape, Shape),
    /// A size where `Get` or `Put` takes a location.
    SizeAsLocation(Builtin, usize),
    /// The index at a position, from 0, of what is declared at a place.
    Misfit(Text, usize, Unfit, Option<Span>),
    /// A call whose arguments do not determine an index.
    Undetermined(Text, Text, Vec<Text>),
    /// A matrix of the first shape is expected, and one of the second found; its type, and why.
    Clash(Shape, Shape, Shaped, Why),
    /// A function symbol of a whole vector, at a matrix of this shape.
    WholeMatrix(Text, Shape),
    /// Matrices of these shapes on the sides of an operator.
    Meeting(Shape, Shape),
    /// Initial contents with other entries than a location of this shape holds.
    Contents(Name, Shape, Given),
    /// Error of a generator, and the nearest name if no generator has that name.
    Generator(GeneratorError, Option<String>),
    /// Value of another type: the expected type, the actual one.
    Mistyped(Shaped, Shaped, Why),
    /// A tuple of tuples where a function symbol takes tensors.
    NoTensors(Text, Shaped),
    /// An operation that takes nothing and is given something.
    NoArgument(OperationRef, usize),
    /// An operation that takes something and is given nothing.
    ArgumentMissing(OperationRef, Shaped),
    /// Call of a definition: number of arguments required, and number given.
    Arguments(Name, usize, usize),
    /// `rd[f]` of what is no pair.
    ReverseArguments(Shaped),
    NoComponent(u32, Shaped),
    /// A number of binders, components of a pattern, or components of a pattern for a sample, that take apart
    /// something of this type.
    BindersApart(usize, Shaped),
    TupleApart(usize, Shaped),
    SampleApart(usize, Shaped),
    /// A feedback that does not go through moments.
    Unfed(Unfed),
    /// One name for several components of a batch.
    BatchApart(Text),
    /// A handler, used and declared at these places, for commands that return something else: what it handles,
    /// what is returned.
    Handled(Text, Shaped, Shaped, [Span; 2]),
    /// A handler that inherits a return clause from one that handles something else.
    Inherited(Text, Shaped, Text, Shaped),
    /// A data set from a file, without a type.
    Untyped(Text),
    /// A data set from a file that is not there.
    NoFile(Text),
    /// A batch of this size over a data set with this name that has fewer samples.
    LargeBatch(usize, Text, usize),
    /// A data set from a file with something wrong in it.
    File(Text, FileFault),
    /// A data set from a file of which lines are left out.
    LeftOut(Text, Box<LeftOut>, usize),
    NoReturn(Text),
    /// A handler that is used as one of the other kind; whether it is a reverse one.
    OtherHandler(Text, bool),
    /// A clause of a handler that is used as one of the other kind; whether as a reverse one.
    OtherClause(Text, bool),
    /// A handler that extends one of the other kind.
    OtherBase(Text, Text),
    /// A clause for something that is no operation.
    NoOperation(Text, NameKind),
    /// An argument of a handler with a variable in it: the parameter, its place, the handler.
    Open(Text, Span, Text, bool),
    /// A forward clause that gives no pair.
    NoPair(Shaped),
    /// A reverse handler without a clause for an operation.
    Default(Text, OperationRef),
    /// An operation that no handler treats.
    Unhandled(OperationRef),
    /// An operation of which it is not known whether a run reaches it, in a command that is too large to be followed.
    PerhapsUnhandled(OperationRef),
    /// A return clause after another.
    SecondReturn(Span),
    /// A clause that no instance of its operation, declared at a place, matches.
    NoInstance(Text, Option<Span>),
    /// A clause after one that takes all that it matches.
    Covered(Text, Span),
    /// A location that is used twice: first at a place, if that is another; the `Put` that wins.
    Reused(Text, Option<Span>, Span),
    /// A term computed before the run is undefined: the symbol, and the reason.
    Undefined(Symbol, String),
    /// An argument of a handler that has a value in total mode only.
    Unread(Symbol, String),
    /// A reverse derivative that cannot be written out.
    LargeDerivative,
    LargeSize,
    LargeLocation(String),
    LargeTensor,
    LargeTuple,
    /// All tensors together.
    LargeProgram,
    /// A feedback keeps at least this many numbers for its way back.
    Tape(usize),
    /// Definitions that expand to too much, or to something too deep.
    Expansion,
    Depth,
    /// The typing rules are the arbiter. A disagreement is our defect, and is said rather than hidden.
    Internal(String),
}

/// Kind of thing that a name is looked up as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Wanted {
    Variable,
    Continuation,
    /// A size or a location.
    Index,
    Data,
    Handler,
    /// In the head of a clause.
    Operation,
    /// An operation or a command.
    Call,
    Function,
    /// A function symbol, where no defined function can stand.
    Symbol,
}

/// Advice about an unknown name.
#[derive(Debug)]
pub(crate) enum Help {
    /// Another name is like it.
    Near(String),
    /// A function of other systems; its notation in Fletch.
    Elsewhere(&'static str),
    /// A variable is wanted, and the name is one of something else.
    Other(NameKind),
    /// The forward side of the clause binds this variable; the name of the saved value.
    Saved(Option<Text>),
    /// The head of its clause, with a size for it.
    Head(String),
    /// The declaration whose brackets may name it.
    Brackets(Text),
    /// A word of other languages; what there is for it here.
    Instead(&'static str),
    Declare,
}

impl Help {
    /// Advice that suggests the most similar name, if there is one.
    pub(crate) fn near(near: Option<&str>) -> Help {
        near.map_or(Help::Declare, |near| Help::Near(near.to_owned()))
    }
}

/// Notation of a function symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    Name,
    Operator,
}

/// Reason for which an index parameter does not take an index.
#[derive(Debug)]
pub(crate) enum Unfit {
    /// The index is another location than the one that the parameter names.
    OtherLocation(Text, Text),
    Size(usize),
    Location(Text),
    /// Location of another rank: number of its sizes, number of required ones.
    Rank(Text, usize, usize),
    /// A size: the one needed, the one given.
    Differs(usize, usize),
    /// The parameter stands for something else already, not for a size.
    BoundSize(Text, fletch_calculus::Index, usize),
    BoundLocation(Text),
}

/// Contents written where another number of entries is needed.
#[derive(Debug)]
pub(crate) enum Given {
    Numbers(usize),
    Matrix(Shape),
}

/// Reason for which a feedback does not go through moments.
#[derive(Debug)]
pub(crate) enum Unfed {
    /// No moment.
    NoMoment,
    /// The binder has another number of names than two.
    Binders(usize),
    /// The argument is no pair of a first state and inputs.
    NoPair(Shaped),
    /// The inputs are not so many rows.
    NoRows(usize, Shaped),
    /// The body has a state of this type, and gives that.
    Result(Shaped, Shaped),
}

/// Reason for which a type is expected.
#[derive(Debug)]
pub(crate) enum Why {
    /// The cotangent of `rd[f]`.
    Cotangent(Symbol),
    /// The cotangent of `M.rd(x. N)(L)`.
    Body,
    /// The sides of `+`, at these places.
    Sum(Span, Span),
    /// The result of a backward clause.
    Backward(OperationRef),
    /// The first component of the result of a forward clause.
    Forward(Text),
    /// The result of a clause, or of the return clause, of this handler.
    Clause(Text),
    Return(Text),
    /// The result of a round.
    Iterate,
    /// The argument that this continuation is resumed with.
    Continuation(Text),
    /// An argument: the parameter, and whose it is.
    Parameter(Text, Text),
    /// The result of this definition, declared at a place.
    Result(Text, Span),
    /// The argument of an operation.
    Argument(OperationRef),
    /// A sample; the first one is at this place.
    Sample(Span),
    /// The samples of this data set.
    Data(Text),
    Measure,
}

/// Assumption of a rejection about the text. Where the text could not be read, the assumption may fail, and the rejection
/// may be a mere consequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Premise {
    /// Nothing but the names in their places.
    Nothing,
    /// The variable at the place is bound nowhere.
    Unbound,
    /// The name at the place is declared nowhere.
    Undeclared,
    /// The declaration at the place is complete.
    Complete,
    /// All that the rejected part refers to is as intended.
    Meant,
    /// The whole program is there.
    Everything,
}

/// Mistake that shows as several faults, but is one to the author.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mistake {
    /// A declaration that is missing; or a variable that is, in a part of the program.
    Missing(Wanted, Text, Option<usize>),
    /// A handler for something else, with its types.
    Handled(Text, String, String),
    Default(Text, OperationRef),
    Unhandled(OperationRef),
}

impl Fault {
    /// Code of the fault, and name of its page in `docs/errors`.
    pub(crate) fn code(&self) -> &'static str {
        use Fault::*;
        match self {
            Unknown(..) => "F0201",
            TwoMains(_) | HeapDeclared(_) | Twice(..) => "F0202",
            Circular(..) => "F0203",
            Hidden(..) | HiddenContinuation(..) => "F0204",
            NoCommand(..) | NoTerm(..) | NoHandler(..) | HeapTerm(_) | NoSymbol(..) => "F0205",
            CalledVariable(_) | CalledContinuation(_) => "F0205",
            ResumedVariable(_) | ContinuationAsValue(_) => "F0205",
            Unused(..) => "F0206",
            HidesSymbol(_) | HidesDeclared(..) => "F0207",
            HeapIndices(..) | ClauseIndices(..) | CallIndices(..) | LocationIndices(..) => "F0301",
            LocationIndex(..) | LiftedIndices(_) | LiftedSize(_) | SymbolIndex => "F0301",
            Misapplied(_, _, error) => match error {
                SignatureError::IndexCount { .. } | SignatureError::Invalid { .. } => "F0301",
                SignatureError::CannotInfer { .. } => "F0304",
                SignatureError::ArgumentCount { .. } => "F0402",
                SignatureError::Size { .. } | SignatureError::Shape { .. } => "F0302",
            },
            Point(_, _, reason) => reason.code(),
            NegativeSize(..) | DividedByZero | EmptyBatch | LocationAsSize(_) => "F0302",
            Product(..) => "F0302",
            SizeAsLocation(..) | Misfit(..) => "F0303",
            Undetermined(..) => "F0304",
            Clash(..) | Meeting(..) | WholeMatrix(..) => "F0305",
            Contents(..) | Generator(..) => "F0306",
            Mistyped(..) | NoTensors(..) => "F0401",
            NoArgument(..) | ArgumentMissing(..) | Arguments(..) | ReverseArguments(_) => "F0402",
            NoComponent(..) => "F0403",
            BindersApart(..) | TupleApart(..) | SampleApart(..) | BatchApart(_) => "F0404",
            Unfed(unfed) => match unfed {
                self::Unfed::Result(..) => "F0510",
                _ => "F0509",
            },
            Handled(..) | Inherited(..) => "F0406",
            Untyped(_) => "F0407",
            NoReturn(_) => "F0501",
            OtherHandler(..) | OtherClause(..) | OtherBase(..) | NoOperation(..) => "F0502",
            Open(..) => "F0503",
            NoPair(_) => "F0504",
            Default(..) => "F0505",
            Unhandled(_) | PerhapsUnhandled(_) => "F0506",
            SecondReturn(_) | NoInstance(..) | Covered(..) => "F0507",
            Reused(..) => "F0508",
            Undefined(..) | Unread(..) => "F0601",
            LargeDerivative => "F0605",
            NoFile(_) => "F0606",
            File(..) => "F0607",
            LargeBatch(..) => "F0609",
            LeftOut(..) => "F0610",
            LargeSize | LargeLocation(_) | LargeTensor | LargeTuple | LargeProgram => "F0911",
            Expansion => "F0912",
            Depth => "F0913",
            Tape(_) => "F0611",
            Internal(_) => "F0999",
        }
    }

    /// Severity of the fault.
    pub(crate) fn severity(&self) -> Severity {
        use Fault::*;
        match self {
            Clash(..) | Meeting(..) | WholeMatrix(..) | Default(..) | Reused(..) => {
                Severity::Warning
            }
            SecondReturn(_) | NoInstance(..) | Covered(..) | NoFile(_) => Severity::Warning,
            Tape(_) | LargeBatch(..) | Unread(..) | PerhapsUnhandled(_) => Severity::Warning,
            Unused(..) | HidesSymbol(_) | HidesDeclared(..) | LeftOut(..) => Severity::Hint,
            _ => Severity::Error,
        }
    }

    /// Assumption of the fault about the text.
    pub(crate) fn premise(&self) -> Premise {
        use Fault::*;
        match self {
            Unknown(Wanted::Variable, ..) => Premise::Unbound,
            Unknown(..) => Premise::Undeclared,
            TwoMains(_) | HeapDeclared(_) | Twice(..) | Circular(..) => Premise::Nothing,
            NoReturn(_) => Premise::Complete,
            Unhandled(_) | PerhapsUnhandled(_) | Internal(_) => Premise::Everything,
            _ => Premise::Meant,
        }
    }

    /// Mistake of which the fault is a sign; `part` computes the part of the program.
    pub(crate) fn mistake(&self, part: impl FnOnce() -> Option<usize>) -> Option<Mistake> {
        let handled = |name: &Text, one: &Shaped, other: &Shaped| {
            Mistake::Handled(name.clone(), one.to_string(), other.to_string())
        };
        Some(match self {
            Fault::Unknown(Wanted::Variable, name, _) => {
                Mistake::Missing(Wanted::Variable, name.clone(), part())
            }
            Fault::Unknown(wanted, name, _) => {
                let wanted = match wanted {
                    // One declaration would do.
                    Wanted::Handler | Wanted::Operation | Wanted::Function | Wanted::Symbol => {
                        Wanted::Call
                    }
                    other => *other,
                };
                Mistake::Missing(wanted, name.clone(), None)
            }
            Fault::Handled(name, one, other, _) => handled(name, one, other),
            Fault::Inherited(name, one, _, other) => handled(name, one, other),
            Fault::Default(name, operation) => Mistake::Default(name.clone(), operation.clone()),
            Fault::Unhandled(operation) => Mistake::Unhandled(operation.clone()),
            _ => return None,
        })
    }

    /// Attributes a fault about arguments to the point of `rd[symbol]`.
    pub(crate) fn at_the_point(self, symbol: &Text, point: &Shaped) -> Fault {
        use SignatureError::{ArgumentCount, Shape, Size};
        match self {
            Fault::Misapplied(_, _, ArgumentCount { .. } | Shape { .. } | Size { .. })
            | Fault::ReverseArguments(_)
            | Fault::Point(..) => Fault::Point(symbol.clone(), point.clone(), Box::new(self)),
            fault => fault,
        }
    }
}
