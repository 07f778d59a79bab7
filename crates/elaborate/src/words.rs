//! Messages of faults: message, labels, hint and fix of each.

use crate::budget::{DEPTH_LIMIT, EXPANSION_LIMIT};
use crate::csv::FileFault;
use crate::elsewhere;
use crate::faults::{Fault, Given, Help, Text, Unfed, Unfit, Wanted, Why, Written};
use crate::locations::sizes_text;
use crate::names::Border;
use crate::names::NameKind;
use crate::shaped::Shaped;
use crate::sizes::SIZE_LIMIT;
use crate::terms::LEAF_LIMIT;
use fletch_calculus::NODE_LIMIT;
use fletch_calculus::{Builtin, Index, LocationRef, OperationRef};
use fletch_smooth::{GeneratorError, Shape, SignatureError, counted, family};
use fletch_syntax::{Diagnostic, Span, told_apart};

/// The operand of a product that fits if reshaped to one column, with the number of its entries.
pub(crate) fn flattened(left: &Shape, right: &Shape) -> Option<(usize, &'static str)> {
    let columns = left.dims().get(1).copied().unwrap_or(1);
    let rows = right.dims().first().copied().unwrap_or(1);
    if right.rank() >= 2 && right.size() == columns {
        Some((right.size(), "right"))
    } else if left.rank() >= 2 && rows == 1 {
        Some((left.size(), "left"))
    } else {
        None
    }
}

impl Fault {
    /// Diagnostic of the fault, at its span.
    pub(crate) fn diagnostic(&self, span: Span) -> Diagnostic {
        let say = |message: &str| Diagnostic::new(self.severity(), self.code(), span, message);
        let suggested = |error: Diagnostic, name: &str, near: &str| {
            let hint = match told_apart(name, near) {
                Some(apart) => format!("did you mean `{near}`, which looks the same? {apart}"),
                None => format!("did you mean `{near}`?"),
            };
            error.hint(hint).fix(format!("write `{near}`"), span, near)
        };
        match self {
            Fault::Unknown(wanted, name, help) => {
                let error = say(&format!("there is no {} `{name}`", wanted.noun()));
                match help {
                    Help::Near(near) => suggested(error, name, near),
                    help => match help.hint(*wanted, name) {
                        Some(hint) => error.hint(hint),
                        None => error,
                    },
                }
            }
            Fault::TwoMains(first) => say("`main` is declared twice")
                .label(*first, "it is declared here first")
                .hint("keep one `main`; give the other command a name with `command`"),
            Fault::HeapDeclared(name) => say(&format!("`{name}` exists for every location already")).hint("choose another name"),
            Fault::Twice(name, first) => say(&format!("`{name}` is declared twice"))
                .label(*first, "it is declared here first")
                .hint("rename one of the two"),
            Fault::Circular(names, declared, kind) => {
                let (name, circle) = (names.last().map_or("", |name| name), names.join(" → "));
                say(&format!("the definition of `{name}` is circular: {circle}")).label(*declared, "declared here").hint(match kind {
                    NameKind::Command | NameKind::Predict => "a call is replaced by the command's body before the run, so it cannot call itself; `iterate[i : n](x)⟨x⟩. P` does P n times",
                    NameKind::Function => "a call is replaced by the function's body before the run, so it cannot call itself; write the steps out, or repeat them in a command with `iterate`",
                    NameKind::Handler => "a handler has its own clauses, then those of the handlers it extends: `extends` must come to an end",
                    NameKind::Data => "a data set is made once, from samples, a generator, a file or other data sets: give one of them samples of its own",
                    _ => "each dimension is computed once, from numbers and other dimensions: give one of them a number",
                })
            }
            Fault::Hidden(name, border) => say(&beyond(name, *border)).hint(match border {
                Border::RevHandle => format!("pass it in: `rev handle(⟨…, {name}⟩)⟨…, {name}⟩. …`"),
                Border::Handler => "a handler is fixed before the run: pass the value as an argument of an operation, which its clause receives".to_owned(),
                Border::Feedback => format!("bind it before: `let {name} ⇐ … in feedback[…](…)⟨s, x⟩. …`"),
            }),
            Fault::HiddenContinuation(name, border) => say(&beyond(name, *border)).hint(match border {
                Border::RevHandle => "resume after it, with its result: `let y ⇐ rev handle(…)⟨x⟩. … with … in k • y`",
                Border::Handler => "a handler is typed in the empty environment: resume in the command that is handled",
                Border::Feedback => "resume after all moments, with their result: `let r ⇐ feedback[…](…)⟨s, x⟩. … in k • r`",
            }),
            Fault::NoCommand(name, NameKind::Function) => say(&format!("`{name}` is a function, and a command is needed here"))
                .hint(format!("write `⌊{name}(…)⌋`, the command that returns its value")),
            Fault::NoCommand(name, kind) => {
                let error = say(&format!("`{name}` is {}, and cannot be called as a command", kind.with_article()));
                match kind {
                    NameKind::Handler => error.hint(format!("it treats the operations of another command: `rev handle(M)⟨x⟩. P with {name}` or `handle P with {name}`")),
                    _ => error,
                }
            }
            Fault::NoTerm(name, kind) => say(&format!("`{name}` is {}, and a term is needed here", kind.with_article()))
                .hint(format!("bind its result before: `let x ⇐ {name}(…) in …`, then use `x`")),
            Fault::HeapTerm(name) => say(&format!("`{name}` is an operation, and a term is needed here"))
                .hint(format!("bind its result before: `let x ⇐ {name}[…](…) in …`, then use `x`")),
            Fault::NoHandler(name, kind) => say(&format!("`{name}` is {}, and a handler is needed here", kind.with_article()))
                .hint("after `with` stands the name of a handler, or clauses in braces: `{ x ↦ … }`"),
            Fault::NoSymbol(name, kind, declared, around) => {
                let kind = kind.with_article();
                say(&format!("`{name}` is {kind} of this program, and `{around}[…]` takes function symbols of the language, and functions of the program"))
                    .label(*declared, "it is declared here")
            }
            Fault::CalledVariable(name) => say(&format!("`{name}` is a variable, and cannot be called"))
                .hint("multiply with `·`, `∗` or `⊙`; a definition with parameters is declared with `fun` or `command`"),
            Fault::CalledContinuation(name) => say(&format!("`{name}` is a continuation, and is not called with parentheses"))
                .hint(format!("resume it with `{name} • M`")),
            Fault::ResumedVariable(name) => say(&format!("`{name}` is a variable, and only a continuation can be resumed")),
            Fault::ContinuationAsValue(name) => say(&format!("`{name}` is a continuation: it is resumed, `{name} • M`, not used as a value")),
            Fault::Unused(name, kind, exempt) => {
                let note = match kind {
                    NameKind::Continuation => say(&format!("`{name}` is never resumed: what follows the operation is given up")),
                    NameKind::Variable => say(&format!("`{name}` is never used")),
                    kind => say(&format!("the {} `{name}` is never used", kind.noun()))
                        .hint(format!("remove it, or write `_{name}` to keep it as it is")),
                };
                match exempt {
                    Some(exempt) => note.fix(format!("write `{exempt}`"), span, exempt),
                    None => note,
                }
            }
            Fault::HidesSymbol(name) => say(&format!("`{name}` hides the function symbol of that name"))
                .hint(format!("`{name}(…)` and `rd[{name}]` are this definition everywhere in the program; who means the symbol gives it another name")),
            Fault::HidesDeclared(name, kind, declared) => say(&format!("`{name}` is a new index here, and hides the {} of that name", kind.noun()))
                .label(*declared, format!("the {} is declared here", kind.noun()))
                .hint("what an index binds stands before what is declared: give one of the two another name"),
            Fault::HeapIndices(access, given, instead) => {
                let (name, hint) = match access {
                    Builtin::Get => ("Get", "write the location in brackets: `Get[ℓ]()` reads what ℓ holds"),
                    Builtin::Put => ("Put", "write the location in brackets: `Put[ℓ](M)` stores M in ℓ"),
                };
                let error = say(&format!("`{name}` takes one location, {given} given")).hint(hint);
                match instead {
                    Some((call, written)) => error.fix(format!("write `{written}`"), *call, written),
                    None => error,
                }
            }
            Fault::ClauseIndices(name, expected, given) => say(&format!("`{name}` has {}, and this clause {given}", counted(*expected, "index")))
                .hint("a clause names all indices of its operation, in brackets"),
            Fault::CallIndices(callee, params, located, given) => {
                let (name, locations) = (&callee.text, located.join(", "));
                say(&format!("`{name}` takes {} in brackets, {given} given", counted(params.len(), "index")))
                    .label(callee.span, "it is declared here")
                    .hint(match located.len() {
                        0 => format!("write `{name}[{}](…)`, or no brackets at all where the arguments determine the sizes", params.join(", ")),
                        1 => format!("write `{name}[{locations}](…)` with a location for {locations}"),
                        _ => format!("write `{name}[{locations}](…)` with locations for {locations}"),
                    })
            }
            Fault::LocationIndices(declared, expected, given) => {
                let name = &declared.text;
                say(&match expected {
                    0 => format!("`{name}` is one location, not a family: it takes no indices"),
                    _ => format!("`{name}` is a family of locations: it takes {}, {given} given", counted(*expected, "index")),
                })
                .label(declared.span, "it is declared here")
            }
            Fault::LocationIndex(symbol, location) => say(&format!("`{symbol}` takes sizes as indices, and `{location}` is a location")),
            Fault::LiftedIndices(symbol) => say(&format!("`{symbol}` takes a size and a function symbol: `{symbol}[b, f]`")),
            Fault::LiftedSize(symbol) => say(&format!("`{symbol}` takes a function symbol here")),
            Fault::SymbolIndex => say("a size or a location is needed here, not a function symbol"),
            Fault::Misapplied(symbol, written, error) => {
                let said = say(&misapplied(symbol, *written, error));
                match (family(symbol), error) {
                    (Some(family), _) => {
                        let indices = family.indices.join(", ");
                        let indices = if indices.is_empty() { indices } else { format!("[{indices}]") };
                        said.hint(format!("`{symbol}{indices}` : {}", family.signature))
                    }
                    (None, SignatureError::Size { expected: 1, found: many, .. } | SignatureError::Size { expected: many, found: 1, .. })
                        if *written == Written::Operator && matches!(&**symbol, "+" | "−") =>
                    {
                        said.hint(format!("both sides have as many entries: `broadcast[{many}](1)` is a vector of {many} ones"))
                    }
                    (None, SignatureError::Size { expected: 1, .. } | SignatureError::Size { found: 1, .. }) if *written == Written::Operator => {
                        said.hint("a number times a vector is `·`, with the number on the left; `⊙` multiplies two vectors entry by entry")
                    }
                    _ => said,
                }
            }
            Fault::Point(symbol, point, _) => {
                let types = family(symbol).and_then(|family| family.signature.split_once(" → "));
                let types = match types {
                    Some((domain, codomain)) => format!("the point is an argument of the function, {domain}; the cotangent is like its result, {codomain}"),
                    None => "the point is an argument of the function, the cotangent is like its result".to_owned(),
                };
                say(&format!("`rd[{symbol}]` takes a point and then a cotangent, and the point here, {point}, is not what `{symbol}` takes"))
                    .hint(format!("write `rd[{symbol}](point, cotangent)`: {types}"))
            }
            Fault::NegativeSize(left, right) => say(&format!("this size is negative: {left} − {right}")),
            Fault::DividedByZero => say("a size cannot be divided by zero"),
            Fault::EmptyBatch => say("a batch has at least one sample"),
            Fault::LocationAsSize(name) => say(&format!("`{name}` is a location, and a size is needed here")),
            Fault::Product(left, right) => {
                let described = |shape: &Shape| match shape.dims() {
                    [size] => format!("vector of {size}"),
                    _ => format!("matrix of {shape}"),
                };
                // A vector is a column on either side.
                let columns = counted(left.dims().get(1).copied().unwrap_or(1), "column");
                let rows = counted(right.dims().first().copied().unwrap_or(1), "row");
                let (one, other) = (described(left), described(right));
                say(&format!("a {one} times a {other}: the left side has {columns}, the right side {rows}"))
                    .hint(match flattened(left, right) {
                        _ if left == right && left.rank() < 2 => "entry by entry it is `x ⊙ y`, and `dot(x, y)` is the sum of that; `x ∗ yᵀ` is the matrix of all products".to_owned(),
                        _ if left == right => "entry by entry it is `x ⊙ y`; a product has as many columns on the left as rows on the right, and `ᵀ` swaps rows and columns".to_owned(),
                        Some((n, side)) => format!("the {side} side has {n} entries in all: `reshape[{n}, 1](…)` makes one column of them. Maps of images, such as `maxpool1d`, give c × n"),
                        None => "as many columns on the left as rows on the right: a location `∷ (n, m)` holds m rows of n columns, a vector is a column, and `ᵀ` swaps rows and columns".to_owned(),
                    })
            }
            Fault::SizeAsLocation(Builtin::Get, size) => say(&format!("`Get` takes a location, and this is the size {size}")),
            Fault::SizeAsLocation(Builtin::Put, size) => say(&format!("`Put` takes a location, and this is the size {size}")),
            Fault::Misfit(callee, position, why, declared) => {
                let error = say(&format!("index {} of `{callee}` does not fit: {}", position + 1, why.words()));
                match declared {
                    Some(declared) => error.label(*declared, "it is declared here"),
                    None => error,
                }
            }
            Fault::Undetermined(callee, index, all) => say(&format!("the arguments of `{callee}` do not determine the index `{index}`"))
                .hint(format!("write all indices in brackets, `{callee}[{}]`, with a number or a dimension for `{index}`", all.join(", "))),
            Fault::Clash(left, right, expected, why) => say(&format!("a {right} matrix is used as a {left} matrix: the sizes agree, the shapes differ"))
                .label(span, why.words(expected))
                .hint("transpose it, or write `reshape[m, n](…)` if the entries are meant as they stand"),
            Fault::Meeting(left, right) => say(&format!("matrices of {left} and of {right} meet: the sizes agree, the shapes differ"))
                .hint("transpose one, or write `reshape[m, n](…)` if the entries are meant as they stand"),
            Fault::WholeMatrix(symbol, shape) => say(&format!("`{symbol}` is of all entries together, and this is a {shape} matrix"))
                .hint(format!("`rows[{symbol}](…)` and `cols[{symbol}](…)` are of each row and each column; if all entries are meant, say so with `reshape[1, {}](…)`", shape.size())),
            Fault::Contents(declared, shape, given) => {
                let given = match given {
                    Given::Numbers(1) => "1 number is".to_owned(),
                    Given::Numbers(count) => format!("{count} numbers are"),
                    Given::Matrix(shape) => format!("a {shape} matrix is"),
                };
                let holds = match shape.size() {
                    1 => "1 number".to_owned(),
                    _ => format!("{shape} numbers"),
                };
                say(&format!("`{}` holds {holds}, and {given} given", declared.text))
                    .label(declared.span, "its shape is declared here")
                    .hint("`∷ (n, m)` is an m × n matrix: m rows of n entries")
            }
            Fault::Generator(GeneratorError::Unknown { name, known }, near) => {
                let error = say(&format!("there is no generator `{name}`"));
                match near {
                    Some(near) => suggested(error, name, near),
                    None => match elsewhere::generator(name) {
                        Some(instead) => error.hint(format!("`{name}` is one of other systems: {instead}")),
                        None => error.hint(format!("there are {}", known.join(", "))),
                    },
                }
            }
            Fault::Generator(error, _) => match error {
                GeneratorError::MissingArgument { generator, argument } => {
                    say(&error.to_string()).hint(format!("write `{generator}({argument}: …)`"))
                }
                _ => say(&error.to_string()),
            },
            Fault::Mistyped(expected, found, why) => {
                let differs = say(&format!("expected {expected}, found {found}"));
                match why {
                    Why::Sum(left, right) => say(&format!("`+` adds values of one type, not {expected} and {found}"))
                        .label(*left, format!("this is {expected}"))
                        .label(*right, format!("this is {found}")),
                    Why::Result(name, declared) => differs
                        .label(span, format!("this is what `{name}` returns"))
                        .label(*declared, format!("declared to be {expected} here")),
                    Why::Sample(first) => differs
                        .label(span, why.words(expected))
                        .label(*first, format!("the first one is a {expected}")),
                    Why::Argument(operation) => {
                        let differs = differs.label(span, why.words(expected));
                        match turned(operation, found) {
                            Some(hint) => differs.hint(hint),
                            None => differs,
                        }
                    }
                    why => differs.label(span, why.words(expected)),
                }
            }
            Fault::NoTensors(symbol, found) => say(&format!("`{symbol}` takes tensors, and its argument is {found}")),
            Fault::NoArgument(operation, given) => say(&format!("`{operation}` takes no argument, {given} given"))
                .hint(format!("write `{operation}()`")),
            Fault::ArgumentMissing(operation, input) => say(&format!("`{operation}` takes a {input}, and no argument is given"))
                .hint(format!("write it in the parentheses: `{operation}(…)`")),
            Fault::Arguments(declared, expected, given) => say(&format!("`{}` takes {}, {given} given", declared.text, counted(*expected, "argument")))
                .label(declared.span, "it is declared here"),
            Fault::ReverseArguments(found) => say(&format!("`rd[f]` takes a point and a cotangent, and its argument is {found}"))
                .hint("write `rd[f](point, cotangent)`"),
            Fault::NoComponent(index, found) => say(&format!("there is no component {index} in {found}")).hint(match found {
                Shaped::Product(parts) => format!("components are counted from 1 to {}", parts.len()),
                _ => "only a tuple has components; `slice[i, m](x)` takes entries of a vector".to_owned(),
            }),
            Fault::BindersApart(count, found) => say(&format!("{count} binders cannot take {found} apart"))
                .hint("write one binder for each component, or one for all of it"),
            Fault::TupleApart(count, found) => say(&format!("a pattern of {} cannot take {found} apart", counted(*count, "component"))).hint(match found {
                Shaped::Product(types) => format!("there are {}", counted(types.len(), "component")),
                _ => "only a tuple can be taken apart; `slice[i, m](x)` takes entries of a vector".to_owned(),
            }),
            Fault::Unfed(unfed) => unfed.words(say),
            Fault::SampleApart(count, found) => say(&format!("this pattern has {count} components, and a sample is a {found}")),
            Fault::BatchApart(name) => say(&format!("`{name}` names several components: a batch needs a name for each"))
                .hint("write a tuple of names, `⟨v, t⟩`: each is a matrix, whose columns are the samples"),
            Fault::Handled(name, handled, found, [used, declared]) => say(&format!("`{name}` is declared for commands that return {handled}, and this one returns {found}"))
                .label(*used, format!("`{name}` is used here"))
                .label(*declared, "it is declared here"),
            Fault::Inherited(name, handled, base, other) => say(&format!("`{name}` handles a {handled}, and `{base}`, whose return clause it inherits, a {other}"))
                .hint("give it a return clause of its own"),
            Fault::Untyped(name) => say("a data set from a file needs a type")
                .hint(format!("write `data {name} : Real(n) × Real(m) = csv(…)`: columns fill it in order")),
            Fault::NoFile(name) => say(&format!("there is no file `{name}`, so the data set has no samples"))
                .hint("the command line reads a file that lies beside the program; in the page, add it to the program")
                .about(&**name),
            Fault::LeftOut(name, left_out, columns) => {
                let header = left_out.header.as_ref();
                let header = header.map(|(line, names)| format!("line {line} is left out as a header, `{names}`"));
                let blank = match (left_out.blank, left_out.first_blank) {
                    (0, _) => None,
                    (1, line) => Some(format!("line {line} is left out, as it is blank")),
                    (count, line) => Some(format!("{count} blank lines are left out, the first is line {line}")),
                };
                let empty = match left_out.empty {
                    0 => None,
                    1 => Some(format!("column {} is left out, as it is empty in every line", columns + 1)),
                    count => Some(format!("columns {} to {} are left out, as they are empty in every line", columns + 1, columns + count)),
                };
                let thousands = left_out.thousands.as_ref();
                let thousands = thousands.map(|(line, number)| format!("`{number}` in line {line} has a decimal point here, and none that sets thousands apart"));
                let parts: Vec<String> = header.into_iter().chain(blank).chain(empty).chain(thousands).collect();
                say(&format!("`{name}`: {}", parts.join("; ")))
            }
            Fault::LargeBatch(batch, name, samples) => {
                let samples = counted(*samples, "sample");
                say(&format!("`{name}` has {samples}, so no batch of {batch} is complete, and nothing is trained"))
                    .hint("take a batch of at most as many, or more samples")
            }
            Fault::File(name, fault) => {
                let FileFault { wrong, more, .. } = fault;
                let error = say(&format!("{name}:{fault}")).about(&**name);
                let also = match more {
                    0 => String::new(),
                    1 => "; one more place of the file is wrong".to_owned(),
                    more => format!("; {more} more places of the file are wrong"),
                };
                match (wrong.hint(), also.is_empty()) {
                    (Some(hint), _) => error.hint(format!("{hint}{also}")),
                    (None, true) => error,
                    (None, false) => error.hint(also.trim_start_matches("; ").to_owned()),
                }
            }
            Fault::NoReturn(name) => say(&format!("the handler `{name}` has no return clause"))
                .hint("add one: `x ↦ ⌊x⌋`; it receives the result of the handled command"),
            Fault::OtherHandler(name, false) => say(&format!("`{name}` is an ordinary handler, and `rev handle` needs a reverse one"))
                .hint("use it with `handle P with H`"),
            Fault::OtherHandler(name, true) => say(&format!("`{name}` is a reverse handler, and `handle` needs an ordinary one"))
                .hint("use it with `rev handle(M)⟨x⟩. P with H`, or declare it with `: C ⇒ D`"),
            Fault::OtherClause(name, true) => say(&format!("`{name}` is used as a reverse handler, and this is an ordinary clause"))
                .hint("a reverse clause is `Op[…] ( x ↦ forward | y, z ↦ backward )`"),
            Fault::OtherClause(name, false) => say(&format!("`{name}` is used as an ordinary handler, and this is a reverse clause"))
                .hint("an ordinary clause is `Op[…], k; x ↦ …`"),
            Fault::OtherBase(name, base) => say(&format!("`{name}` and `{base}` are not handlers of one kind"))
                .hint("a handler with `: C ⇒ D` is ordinary, one with `: C` is reverse; only handlers of its own kind can be extended"),
            Fault::NoOperation(name, kind) => say(&format!("`{name}` is {}, and clauses are for operations", kind.with_article())),
            Fault::Open(parameter, declared, name, is_backward) => say(&format!("the argument `{parameter}` of `{name}` must be closed, and this has a variable in it"))
                .label(*declared, "the parameter is declared here")
                .hint(match is_backward {
                    true => "a handler is fixed before the run (rule T-RHandler), so let the cotangent g ride along with what is handled: `let ⟨x′, _⟩ ⇐ rev handle(⟨x, g⟩)⟨x, g⟩. let y ⇐ … in ⌊⟨y, g⟩⌋ with H in ⌊x′⌋`, where H returns by `⟨_, g⟩ ↦ ⌊⟨g, zero[n]⟩⌋`",
                    false => "a handler is fixed before the run (rule T-RHandler): give it numbers, or names that `train … as` or `measure … as` binds, which stand for numbers",
                }),
            Fault::NoPair(Shaped::Product(parts)) => say(&format!("a forward clause gives a pair of result and saved value, and this has {}", counted(parts.len(), "component")))
                .hint("save several things as one tuple: `⟨result, ⟨a, b⟩⟩`"),
            Fault::NoPair(found) => say(&format!("a forward clause gives a pair of result and saved value, and this is a {found}"))
                .hint("save what the backward clause needs as the second component: `⌊⟨result, saved⟩⌋`; if it needs nothing, `()`"),
            Fault::Default(name, operation) => {
                let indices = if operation.indices.is_empty() { "" } else { "[…]" };
                say(&format!("`{name}` has no clause for `{operation}`: the default cuts the gradient"))
                    .hint(format!("the default performs `{operation}` outside and sends 0 back, so nothing before it learns; a clause `{}{indices} ( x ↦ … | y, z ↦ … )` says otherwise", operation.name))
            }
            Fault::Unhandled(operation) => say(&format!("`{operation}` reaches the top level, and no handler treats it there"))
                .hint("an operation has no behaviour of its own: wrap the command in a handler with a clause for it; what a clause performs is performed outside of its own handler"),
            Fault::PerhapsUnhandled(operation) => say(&format!("`{operation}` may reach the top level, and no handler treats it there"))
                .hint("whether a run gets there is not known: continuations that are resumed more than once make it too long to be followed"),
            Fault::SecondReturn(first) => say("this return clause is never reached: a handler has one")
                .label(*first, "this clause is taken instead")
                .hint("keep the one that is meant"),
            Fault::NoInstance(operation, declared) => {
                let warning = say(&format!("no instance of `{operation}` matches this clause"))
                    .hint("the indices of a call are matched with those of the clause, and what the operation declares of them always holds");
                match declared {
                    Some(declared) => warning.label(*declared, "it is declared here"),
                    None => warning,
                }
            }
            Fault::Covered(operation, first) => say(&format!("this clause is never reached: an earlier one takes every `{operation}` that it matches"))
                .label(*first, "this clause is taken instead")
                .hint("clauses are tried in order, and the first that matches is taken: a special one stands before a general one"),
            Fault::Reused(location, first, put) => {
                let mut warning = say(&format!("`{location}` is used twice, and only one of its gradients is kept: the last `Put` wins"));
                if let Some(first) = first {
                    warning = warning.label(*first, "it is used here first");
                }
                warning
                    .label(*put, format!("this stores a value that does not come from reading `{location}` again"))
                    .hint("handle `Get` instead, so that every use subtracts its own gradient: `Get[ℓ] ( _ ↦ let w ⇐ Get[ℓ]() in ⌊⟨w, ()⟩⌋ | g, _ ↦ let w ⇐ Get[ℓ]() in let _ ⇐ Put[ℓ](w − g) in ⌊()⌋ )`")
            }
            Fault::Undefined(symbol, reason) => say(&format!("`{symbol}` is undefined here: {reason}"))
                .hint("arguments of handlers and samples of data sets are computed before the run"),
            Fault::Unread(symbol, reason) => say(&format!("in the paper's reading `{symbol}` is undefined here: {reason}"))
                .hint("arguments of handlers are computed before the run, so the run stops before its first step; in total mode it goes on as the frameworks do"),
            Fault::LargeDerivative => say(&format!("a reverse derivative in this term is too large to be written out: it has more than {NODE_LIMIT} nodes")),
            Fault::LargeSize => say(&format!("a size above {SIZE_LIMIT} is too large")),
            Fault::LargeLocation(name) => say(&format!("`{name}` would hold more than {SIZE_LIMIT} numbers")),
            Fault::LargeTensor => say(&format!("a tensor of more than {SIZE_LIMIT} entries is too large")),
            Fault::LargeTuple => say(&format!("a tuple of more than {LEAF_LIMIT} tensors is too large")),
            Fault::LargeProgram => say(&format!("the tensors of the program together hold more than {SIZE_LIMIT} numbers"))
                .hint("use smaller dimensions, or fewer locations"),
            Fault::Tape(numbers) => say(&format!("all moments of this feedback together would keep {numbers} numbers, more than {SIZE_LIMIT}: a run stops here"))
                .hint("what the way back needs is kept for each moment: take fewer of them, or save less in forward clauses"),
            Fault::Expansion => say(&format!("the program grows too large when its definitions are expanded: to more than {EXPANSION_LIMIT} nodes"))
                .hint("call fewer definitions from definitions, or iterate less often"),
            Fault::Depth => say(&format!("the program nests too deeply when its definitions are expanded: more than {DEPTH_LIMIT} levels"))
                .hint("use fewer nested `let`s, or iterate less often"),
            Fault::Internal(message) => say(&format!("the typing rules reject the elaborated program: {message}"))
                .hint("this is a defect of Fletch, not of your program"),
        }
    }
}

impl Wanted {
    fn noun(self) -> &'static str {
        match self {
            Wanted::Variable => "variable",
            Wanted::Continuation => "continuation",
            Wanted::Index => "size or location",
            Wanted::Data => "data set",
            Wanted::Handler => "handler",
            Wanted::Operation => "operation",
            Wanted::Call => "operation or command",
            Wanted::Function | Wanted::Symbol => "function",
        }
    }
}

impl Help {
    fn hint(&self, wanted: Wanted, name: &Text) -> Option<String> {
        Some(match (self, wanted) {
            (Help::Other(NameKind::Location), _) => {
                format!("`{name}` is a location: read it with `let w ⇐ Get[{name}]() in …`")
            }
            (Help::Other(NameKind::Dimension), _) => {
                format!("`{name}` is a size: as a number it is `count[{name}]()`")
            }
            (Help::Other(kind), _) => {
                format!("`{name}` is {}: apply it, `{name}(…)`", kind.with_article())
            }
            (Help::Saved(saved), _) => {
                let saved = saved
                    .as_ref()
                    .map_or("from what was saved".to_owned(), |saved| {
                        format!("from `{saved}`")
                    });
                format!(
                    "`{name}` belongs to the forward clause: save it there, `⌊⟨result, {name}⟩⌋`, and take it {saved} here"
                )
            }
            (Help::Elsewhere(instead), _) => {
                format!("`{name}` is a function of other systems: {instead}")
            }
            (Help::Head(head), _) => format!(
                "a size of a location is named in the clause's head: write its shape there, `{head}`; or declare `dim {name} = …`"
            ),
            (Help::Brackets(owner), _) => format!(
                "name it in the brackets, `{owner}[{name}, …]`, if it differs from use to use; declare it, `dim {name} = …`, if it does not"
            ),
            (Help::Instead(instead), _) => (*instead).to_owned(),
            (_, Wanted::Variable) => format!("bind it before it is used: `let {name} ⇐ … in …`"),
            (_, Wanted::Continuation) => {
                "a continuation is bound by a clause of an ordinary handler: `Op[…], k; x ↦ …`"
                    .to_owned()
            }
            (_, Wanted::Index) => format!(
                "declare it: `dim {name} = …` for a size, `loc {name} ∷ (…)` for a location"
            ),
            (_, Wanted::Handler) => format!("declare it: `handler {name} : A {{ x ↦ … }}`"),
            (_, Wanted::Call) => format!(
                "declare it: `op {name} : A ▷ B` if handlers are to say what it does, or `command {name}(…) = …`"
            ),
            (_, Wanted::Function) => format!("declare it: `fun {name}(x : A) = …`"),
            (_, Wanted::Data | Wanted::Operation | Wanted::Symbol) => return None,
        })
    }
}

impl Unfit {
    fn words(&self) -> String {
        match self {
            Unfit::OtherLocation(index, own) => format!("`{index}` is not `{own}`"),
            Unfit::Size(size) => format!("`{size}` is a size, and a location is needed"),
            Unfit::Location(name) => format!("`{name}` is a location, and a size is needed"),
            Unfit::Rank(name, given, needed) => {
                let verb = if *needed == 1 { "is" } else { "are" };
                format!(
                    "`{name}` has {}, and {needed} {verb} needed",
                    counted(*given, "dimension")
                )
            }
            Unfit::Differs(needed, given) => format!("{needed} is needed, and {given} is given"),
            Unfit::BoundSize(name, earlier, size) => {
                format!("`{name}` is {earlier} already, not {size}")
            }
            Unfit::BoundLocation(name) => format!("`{name}` is another location already"),
        }
    }
}

impl Why {
    /// Text of the reason; `expected` is the expected type.
    fn words(&self, expected: &Shaped) -> String {
        match self {
            Why::Cotangent(symbol) => format!(
                "the cotangent has the type of the result of `{symbol}`, here {expected}; the point comes first"
            ),
            Why::Body => format!("the cotangent has the type of the body of `rd`, {expected}"),
            Why::Sum(..) => "`+` adds entry by entry".to_owned(),
            Why::Backward(operation) => format!(
                "a backward clause gives the cotangent of the argument of `{operation}`, {expected}"
            ),
            Why::Forward(operation) => {
                format!("the first component is the result of `{operation}`, {expected}")
            }
            Why::Clause(handler) => {
                format!("a clause of `{handler}` gives what the handler gives, {expected}")
            }
            Why::Return(handler) => format!("the return clause of `{handler}` gives a {expected}"),
            Why::Iterate => format!(
                "the body of `iterate` is fed its own result, so it returns what it takes, {expected}"
            ),
            Why::Continuation(k) => {
                format!("`{k}` continues with the result of the operation, {expected}")
            }
            Why::Parameter(parameter, of) => format!("`{parameter}` of `{of}` is a {expected}"),
            Why::Result(name, _) => format!("`{name}` is declared to return {expected}"),
            Why::Argument(operation) => {
                format!("`{operation}` takes {expected}{}", located(operation))
            }
            Why::Sample(_) => "all samples have one type".to_owned(),
            Why::Data(name) => format!("`{name}` is declared to hold samples of {expected}"),
            Why::Measure => "a measure is one number for each sample".to_owned(),
        }
    }
}

impl Unfed {
    fn words(&self, say: impl Fn(&str) -> Diagnostic) -> Diagnostic {
        const FORM: &str = "the form is `feedback[n](s₀, xs)⟨s, x⟩. P`: P runs once for each of the n rows x of xs, with the state that the moment before gave";
        match self {
            Unfed::NoMoment => say("a feedback has at least one moment")
                .hint("without a moment there is nothing to say of the type of a row: write `⌊⟨s₀, ()⟩⌋`"),
            Unfed::Binders(count) => say(&format!(
                "a feedback has two names, for its state and its input, and not {count}"
            ))
            .hint(FORM),
            Unfed::NoPair(found) => say(&format!("a feedback takes a pair of a first state and inputs, and this is {found}"))
                .hint(FORM),
            Unfed::NoRows(n, found) => say(&format!("{} take inputs of as many rows, and these are {found}", counted(*n, "moment")))
                .hint("`Real(n × k)` has n rows of `Real(k)`, and a product of inputs n rows of each; inputs of type 1 are `()`"),
            Unfed::Result(state, found) => say(&format!("a moment gives its next state, a {state}, and perhaps an output, and this gives {found}"))
                .hint("end it with `⌊⟨s', y⟩⌋`, or with `⌊s'⌋` where there is no output"),
        }
    }
}

fn beyond(name: &str, border: Border) -> String {
    let place = match border {
        Border::RevHandle => "`rev handle`, whose body sees only its own variables",
        Border::Handler => "handler, whose clauses see only their own variables",
        Border::Feedback => "`feedback`, each moment of which is a command of its own",
    };
    format!("`{name}` is bound outside this {place}")
}

/// Message for a misapplied symbol or operator; the arguments of an operator are called its sides.
fn misapplied(symbol: &str, written: Written, error: &SignatureError) -> String {
    match (written, error) {
        (
            _,
            SignatureError::Size {
                argument,
                expected,
                found,
            },
        ) => {
            let argument = match (written, argument) {
                (Written::Operator, 0) => "the left side".to_owned(),
                (Written::Operator, _) => "the right side".to_owned(),
                (Written::Name, argument) => format!("argument {}", argument + 1),
            };
            format!(
                "{argument} of `{symbol}` must have {}, and has {found}",
                counted(*expected, "entry")
            )
        }
        (Written::Operator, SignatureError::Shape { message, .. }) => {
            format!("`{symbol}`: {message}")
        }
        (_, error) => format!("`{symbol}`: {error}"),
    }
}

/// Hint for an argument that has the other size of a location's matrix.
fn turned(operation: &OperationRef, found: &Shaped) -> Option<String> {
    let turned = locations(operation).find(|location| match location.sizes.as_slice() {
        [from, to] => from != to && *found == Shaped::vector(*to),
        _ => false,
    });
    let name = &turned?.name;
    Some(format!(
        "are the sizes of `{name}` the other way round? `loc {name} ∷ (n, m)` is for vectors of n that become vectors of m"
    ))
}

/// `, since w ∷ (2, 3)`: the shapes of an operation's locations, which determine its types.
fn located(operation: &OperationRef) -> String {
    let shapes: Vec<String> = locations(operation)
        .map(|location| format!("`{}` ∷ ({})", location.name, sizes_text(location)))
        .collect();
    if shapes.is_empty() {
        return String::new();
    }
    format!(", since {}", shapes.join(" and "))
}

/// The locations among an operation's indices; none for `Get` and `Put`.
fn locations(operation: &OperationRef) -> impl Iterator<Item = &LocationRef> {
    let indices = operation.indices.iter().filter_map(|index| match index {
        Index::Location(location) => Some(location),
        Index::Size(_) => None,
    });
    indices.filter(|_| operation.builtin.is_none())
}
