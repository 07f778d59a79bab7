//! Everything that a program can be rejected for, as data. The message of a fault is made in `words`, and no code reads the message.

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

/// Fault, as data for its message. In a variant, a name comes first, and the actual value before the expected one.
#[derive(Debug)]
pub(crate) enum Fault {
    /// A name that nothing declares or binds.
    Unknown(Wanted, Text, Help),
    /// A second `main`; span of the first.
    TwoMains(Span),
    /// A declaration of `Get` or `Put`.
    HeapDeclared(Text),
    /// A second declaration of a name; span of the first.
    Twice(Text, Span),
    /// A cycle of definitions, by name, with the first one again at the end; span and kind of that one.
    Circular(Vec<Text>, Span, NameKind),
    /// A variable, or a continuation, that is bound beyond a border.
    Hidden(Text, Border),
    HiddenContinuation(Text, Border),
    /// A name of this kind where a command, a term or a handler is required.
    NoCommand(Text, NameKind),
    NoTerm(Text, NameKind),
    NoHandler(Text, NameKind),
    /// `Get` or `Put` where a term is required.
    HeapTerm(Text),
    /// A definition that is no function, in the brackets of `rd`, `cols` or `rows`: its kind, its span, and the name before the brackets.
    NoSymbol(Text, NameKind, Span, &'static str),
    CalledVariable(Text),
    CalledContinuation(Text),
    ResumedVariable(Text),
    ContinuationAsValue(Text),
    /// A name that is never used, and a replacement that avoids the hint.
    Unused(Text, NameKind, Option<String>),
    /// A defined function hides a function symbol.
    HidesSymbol(Text),
    /// An index that hides a declared dimension or location; kind and span of the declaration.
    HidesDeclared(Text, NameKind, Span),
    /// `Get` or `Put` with this number of indices; span and replacement of a call `Get(ℓ)`.
    HeapIndices(Builtin, usize, Option<(Span, String)>),
    /// Head of a clause with a wrong number of indices: the number that its operation has, and the number given.
    ClauseIndices(Text, usize, usize),
    /// A call with a wrong number of indices: the parameters, those of them that are locations, and the number given.
    CallIndices(Name, Vec<Text>, Vec<Text>, usize),
    /// Instance of a declared location: number of indices required, and number given.
    LocationIndices(Name, usize, usize),
    /// A location where a function symbol takes a size.
    LocationIndex(Text, Text),
    /// `cols` or `rows` with a wrong number of indices.
    LiftedIndices(Text),
    /// `cols` or `rows` of an index that is no function symbol.
    LiftedSize(Text),
    /// A function symbol where an index is required.
    SymbolIndex,
    /// A function symbol, or an operator as written, with arguments or indices that it does not take.
    Misapplied(Text, Written, SignatureError),
    /// A point of `rd[f]` that does not fit f: f, the type of the point, and the fault of applying f to it.
    Point(Text, Shaped, Box<Fault>),
    NegativeSize(usize, usize),
    DividedByZero,
    EmptyBatch,
    LocationAsSize(Text),
    /// A product of matrices whose left columns and right rows differ in number.
    Product(Shape, Shape),
    /// A size where `Get` or `Put` takes a location.
    SizeAsLocation(Builtin, usize),
    /// The index at a position, from 0, does not fit its parameter: name of the callee, position, reason, span of the parameter or
    /// declaration.
    Misfit(Text, usize, Unfit, Option<Span>),
    /// A call whose arguments do not determine an index: callee, index, all parameters.
    Undetermined(Text, Text, Vec<Text>),
    /// A matrix of the first shape is expected, and a matrix of the second shape found; the expected type, and the reason for it.
    Clash(Shape, Shape, Shaped, Why),
    /// A function symbol of a whole vector, applied to a matrix of this shape.
    WholeMatrix(Text, Shape),
    /// Operands of an entrywise operator: matrices of equal size and these different shapes.
    Meeting(Shape, Shape),
    /// Initial contents that do not fit a location of this shape.
    Contents(Name, Shape, Given),
    /// Error of a generator, and the nearest name if no generator has that name.
    Generator(GeneratorError, Option<String>),
    /// A value of a wrong type: the expected type, the actual type, and the reason for the expected one.
    Mistyped(Shaped, Shaped, Why),
    /// A tuple of tuples where a function symbol takes tensors.
    NoTensors(Text, Shaped),
    /// An operation without a parameter, called with this number of arguments.
    NoArgument(OperationRef, usize),
    /// An operation with a parameter of this type, called without an argument.
    ArgumentMissing(OperationRef, Shaped),
    /// Call of a definition with a wrong number of arguments: the number required, and the number given.
    Arguments(Name, usize, usize),
    /// `rd[f]` applied to an argument that is no pair.
    ReverseArguments(Shaped),
    NoComponent(u32, Shaped),
    /// This number of binders, of components of a pattern, or of components of a sample pattern cannot destructure a value of this type.
    BindersApart(usize, Shaped),
    TupleApart(usize, Shaped),
    SampleApart(usize, Shaped),
    /// An ill-formed feedback.
    Unfed(Unfed),
    /// One name for several components of a batch.
    BatchApart(Text),
    /// A handler for commands of another result type: its declared type, the actual result type, and the spans of its use and
    /// declaration.
    Handled(Text, Shaped, Shaped, [Span; 2]),
    /// A handler that inherits a return clause from a handler of another type: its name and type, the base's name and type.
    Inherited(Text, Shaped, Text, Shaped),
    /// A data set from a file, without a type.
    Untyped(Text),
    /// A data set from a file that is missing.
    NoFile(Text),
    /// A batch of this size over a data set with this name that has fewer samples.
    LargeBatch(usize, Text, usize),
    /// A data set from a file with a fault.
    File(Text, FileFault),
    /// A data set from a file of which lines or columns are left out; the number of columns that are read.
    LeftOut(Text, Box<LeftOut>, usize),
    NoReturn(Text),
    /// A handler that is used as one of the other kind; true for a reverse handler.
    OtherHandler(Text, bool),
    /// A clause of the other kind than the use of its handler; true for the use as a reverse handler.
    OtherClause(Text, bool),
    /// A handler that extends a handler of the other kind.
    OtherBase(Text, Text),
    /// A clause for a name that is no operation.
    NoOperation(Text, NameKind),
    /// An argument of a handler that has a variable in it: the parameter, its span, the handler; true if the use is in a backward clause.
    Open(Text, Span, Text, bool),
    /// A forward clause whose result is no pair.
    NoPair(Shaped),
    /// A reverse handler without a clause for an operation.
    Default(Text, OperationRef),
    /// An operation that no handler handles.
    Unhandled(OperationRef),
    /// An operation that a run may or may not reach unhandled, in a command that is too large to be followed.
    PerhapsUnhandled(OperationRef),
    /// A second return clause of a handler; span of the first.
    SecondReturn(Span),
    /// A clause that matches no instance of its operation; span of the operation's declaration.
    NoInstance(Text, Option<Span>),
    /// A clause after an earlier one that covers it; span of the earlier one.
    Covered(Text, Span),
    /// A location that is used twice: span of the first use, if it differs from the second; span of the `Put` that wins.
    Reused(Text, Option<Span>, Span),
    /// A term computed before the run that is undefined: the symbol, and the reason.
    Undefined(Symbol, String),
    /// An argument of a handler that has a value in total mode only.
    Unread(Symbol, String),
    /// A reverse derivative that cannot be written out.
    LargeDerivative,
    LargeSize,
    LargeLocation(String),
    LargeTensor,
    LargeTuple,
    /// All tensors of a program together are too large.
    LargeProgram,
    /// A feedback whose tape has at least this count of numbers.
    Tape(usize),
    /// Definitions whose expansion is too large, or too deep.
    Expansion,
    Depth,
    /// A disagreement between elaboration and the typing rules, which are authoritative. This is a defect of Fletch, and is reported
    /// rather than hidden.
    Internal(String),
}

/// Kind of definition that is required of a name.
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
    /// A function symbol, where no declared function is allowed.
    Symbol,
}

/// Advice about an unknown name.
#[derive(Debug)]
pub(crate) enum Help {
    /// A similar name.
    Near(String),
    /// The name is a function of other systems; its notation in Fletch.
    Elsewhere(&'static str),
    /// A variable is required, and the name is declared as this kind.
    Other(NameKind),
    /// The forward half of the clause binds this variable; name of the saved value.
    Saved(Option<Text>),
    /// Text of the clause's head, completed with the size.
    Head(String),
    /// The declaration whose brackets may declare the size.
    Brackets(Text),
    /// The name is a word of other languages; its replacement in Fletch.
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

/// Reason why an index parameter does not take an index.
#[derive(Debug)]
pub(crate) enum Unfit {
    /// The index is another location than the one that the parameter names: the given one, the named one.
    OtherLocation(Text, Text),
    Size(usize),
    Location(Text),
    /// Location of another rank: its number of sizes, and the required number.
    Rank(Text, usize, usize),
    /// Another size than required: the required one, the given one.
    Differs(usize, usize),
    /// The parameter is already bound to another index: its name, that index, the given size.
    BoundSize(Text, fletch_calculus::Index, usize),
    BoundLocation(Text),
}

/// Contents whose number of entries, or shape, does not fit.
#[derive(Debug)]
pub(crate) enum Given {
    Numbers(usize),
    Matrix(Shape),
}

/// Reason why a feedback is ill-formed.
#[derive(Debug)]
pub(crate) enum Unfed {
    /// No moments.
    NoMoment,
    /// The binder has this number of names, instead of two.
    Binders(usize),
    /// The argument is no pair of a first state and inputs.
    NoPair(Shaped),
    /// The inputs, of this type, are not this number of rows.
    NoRows(usize, Shaped),
    /// The body has a state of the first type, and returns the second type.
    Result(Shaped, Shaped),
}

/// Reason why a type is expected.
#[derive(Debug)]
pub(crate) enum Why {
    /// The cotangent of `rd[f]`.
    Cotangent(Symbol),
    /// The cotangent of `M.rd(x. N)(L)`.
    Body,
    /// The operands of `+`, at these spans.
    Sum(Span, Span),
    /// The result of a backward clause.
    Backward(OperationRef),
    /// The first component of the result of a forward clause.
    Forward(Text),
    /// The result of a clause, or of the return clause, of this handler.
    Clause(Text),
    Return(Text),
    /// The result of a round of `iterate`.
    Iterate,
    /// The argument that this continuation is resumed with.
    Continuation(Text),
    /// An argument: its parameter, and the definition that has the parameter.
    Parameter(Text, Text),
    /// The result of a definition: its name, and the span of the declared type.
    Result(Text, Span),
    /// The argument of an operation.
    Argument(OperationRef),
    /// A sample; span of the first one.
    Sample(Span),
    /// The samples of this data set.
    Data(Text),
    Measure,
}

/// Assumption of a rejection about the text. Where the text could not be parsed, the assumption may fail, and the rejection may be a mere
/// consequence of that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Premise {
    /// The names in the fault are written as intended.
    Nothing,
    /// The variable at the span is bound nowhere.
    Unbound,
    /// The name at the span is declared nowhere.
    Undeclared,
    /// The declaration at the span is complete.
    Complete,
    /// Everything that the rejected expression refers to is as intended.
    Meant,
    /// The whole program was parsed.
    Everything,
}

/// Mistake that shows as several faults, but is a single one to the author.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mistake {
    /// A missing declaration; or a missing variable, in the program part with this number.
    Missing(Wanted, Text, Option<usize>),
    /// A handler for commands of another type, with both types.
    Handled(Text, String, String),
    Default(Text, OperationRef),
    Unhandled(OperationRef),
}

impl Fault {
    /// Code of the fault, which is also the name of its page in `docs/errors`.
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

    /// Mistake that the fault is a sign of; `part` computes the number of the program part.
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
                    // One declaration would repair all of these.
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
