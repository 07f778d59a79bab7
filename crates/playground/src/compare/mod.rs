//! Comparison of two commands, of one program or of two. It decides if they denote equal arrows, and finds the first difference of
//! the arrows, in both listings and in both diagrams.

pub mod listing;
pub(crate) mod runs;
pub mod same;

use crate::clip;
use crate::diagram::draw::in_utf16;
use crate::program::{Program, commands};
use fletch_arrows::{self as arrows, Arrow, Difference, Place};
use fletch_calculus::OperationRef;
use fletch_diagrams::{Picture, Room, Style};
use fletch_elaborate::{Files, NotOpen, open};
use fletch_ide::{Checked, check};
use fletch_runs::denotation::{Denotation, Locations, NoDenotation, denotation};
use fletch_runs::diagram;
use fletch_smooth::Partiality;
use listing::{Listing, Marks};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Maximum number of statements of an arrow that is compared: a larger one would keep a reader waiting.
const STATEMENTS: usize = 20_000;
/// Maximum number of statements of an arrow that is drawn next to another one.
const DRAWN: usize = 2_000;

/// A command of a program, as an entry of the list of commands to compare.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comparable {
    /// Name of the command.
    pub name: String,
    /// Types, such as `Real(2) → Real(1)`: commands of equal types can be compared. `None` if the sizes are not known.
    pub types: Option<String>,
}

/// One of the two commands of a comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Side {
    /// Source text of the command's program; `None` for the loaded program.
    pub text: Option<String>,
    /// Name of the command: `main`, or a declared command.
    pub name: String,
}

/// Request to compare two commands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comparison {
    /// The first command.
    pub left: Side,
    /// The second command.
    pub right: Side,
    /// Style of both diagrams.
    pub style: Style,
    /// Area that each diagram is laid out for; `None` for a single row of any length.
    pub room: Option<Room>,
}

/// The commands that can be compared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commands {
    /// Commands of the loaded program.
    pub own: Vec<Comparable>,
    /// Commands of the other program, or the error of its text.
    pub other: Option<Result<Vec<Comparable>, String>>,
}

/// Verdict on the equality of two arrows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Equality {
    /// The arrows are equal.
    Equal {
        /// True if the arrows have loops, and are equal for every number of moments.
        any_length: bool,
    },
    /// The arrows are equal except for constants that differ by rounding.
    Rounding {
        /// Largest difference, with the values on both sides.
        text: String,
    },
    /// The arrows differ.
    Different {
        /// Position of the first difference: `argument 1 of operation 2, FC[ℓ1]`.
        place: String,
        /// Text of the first arrow at that position.
        left: String,
        /// Text of the second arrow at that position.
        right: String,
    },
    /// The commands have different types.
    Types,
    /// An operation has different types in the two programs.
    Operation {
        /// Name of the operation.
        name: String,
        /// Types of the operation in the first program.
        left: String,
        /// Types of the operation in the second program.
        right: String,
    },
    /// An arrow is too large to be compared while a reader waits.
    TooLarge,
    /// One of the commands has no arrow.
    None {
        /// True if the second command has no arrow, false if the first has none.
        second: bool,
        /// Reason for which there is no arrow.
        message: String,
    },
}

/// Result of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Compared {
    /// Verdict on the two arrows.
    pub equality: Equality,
    /// Both arrows; `None` if a command has no arrow, or if an arrow has too many statements to be compared.
    pub sides: Option<(Shown, Shown)>,
}

/// An arrow, shown next to another one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shown {
    /// Signature of the command: `x : Real(2) → Real(1)`.
    pub signature: String,
    /// Number of statements of the arrow.
    pub statements: u32,
    /// Number of operations among the statements.
    pub operations: u32,
    /// The statements; the first one that differs is marked.
    pub listing: Listing,
    /// The diagram, unless the arrow is large.
    pub picture: Option<Picture>,
    /// Indices of the boxes of the diagram that contain the differing statement.
    pub boxes: Vec<u32>,
}

/// `main` and the declared commands of a program, in order. Empty for a rejected program.
fn comparable(checked: &Checked) -> Vec<Comparable> {
    let names = match checked.rejected() {
        true => Vec::new(),
        false => commands(checked),
    };
    let names = names.into_iter();
    names
        .map(|name| Comparable {
            types: types(checked, &name).ok(),
            name,
        })
        .collect()
}

/// Types of a command: the types of its parameters, and the type of its result.
fn types(checked: &Checked, name: &str) -> Result<String, NotOpen> {
    let open = open(&checked.program, name)?;
    let parameters = open.variables.iter().map(|(_, ty)| ty.to_string());
    let domain = match parameters.collect::<Vec<_>>() {
        none if none.is_empty() => "1".to_owned(),
        types => types.join(", "),
    };
    Ok(format!("{domain} → {}", open.ty))
}

/// A program with its text.
#[derive(Clone, Copy)]
struct Of<'a> {
    checked: &'a Checked,
    source: &'a str,
}

/// The program with which the loaded one was last compared.
#[derive(Default)]
pub(crate) struct Other(Option<(String, Checked)>);

impl Other {
    /// Reads and checks the text of another program, unless it was read last. If it is rejected, its faulty declarations are left
    /// out. Returns the first error message if errors remain.
    fn read(&mut self, text: &str) -> Result<Of<'_>, String> {
        if self.0.as_ref().is_none_or(|(known, _)| known != text) {
            self.0 = None;
        }
        let read = || {
            let checked = check(text);
            let standing = match checked.rejected() {
                true => checked.standing(text, &Files::default()),
                false => None,
            };
            (text.to_owned(), standing.unwrap_or(checked))
        };
        let (source, checked) = self.0.get_or_insert_with(read);
        let mut wrong = checked.diagnostics.iter();
        match wrong.find(|found| found.is_error()) {
            Some(error) => Err(error.message.clone()),
            None => Ok(Of { checked, source }),
        }
    }

    /// Lists the commands of the loaded program, and of the program with this text.
    pub(crate) fn commands(&mut self, program: &Program, text: Option<&str>) -> Commands {
        let of_other = |text| self.read(text).map(|other| comparable(other.checked));
        Commands {
            own: comparable(&program.checked),
            other: text.map(of_other),
        }
    }

    /// Compares two commands, of the loaded program or of another one.
    pub(crate) fn compare(&mut self, program: &Program, asked: &Comparison) -> Compared {
        for (second, side) in [(false, &asked.left), (true, &asked.right)] {
            let read = match &side.text {
                Some(text) => self.read(text).err(),
                None => (program.fault_of(&side.name)).map(|error| error.message.clone()),
            };
            if let Some(message) = read {
                return Compared {
                    equality: Equality::None { second, message },
                    sides: None,
                };
            }
        }
        let own = Of {
            checked: &program.checked,
            source: &program.source,
        };
        let of = |side: &Side| match (&side.text, &self.0) {
            (Some(_), Some((source, checked))) => Of { checked, source },
            _ => own,
        };
        let left = (of(&asked.left), asked.left.name.as_str());
        let right = (of(&asked.right), asked.right.name.as_str());
        let drawing = diagram::Drawing {
            style: asked.style,
            room: asked.room,
            ..diagram::Drawing::default()
        };
        compare(left, right, program.mode.into(), &drawing)
    }
}

/// Compares a command of one program with a command of the same program or of another one.
fn compare(
    (left, left_name): (Of<'_>, &str),
    (right, right_name): (Of<'_>, &str),
    mode: Partiality,
    drawing: &diagram::Drawing,
) -> Compared {
    let without = |equality| Compared {
        equality,
        sides: None,
    };
    let none = |second, reason: NoDenotation| {
        let message = reason.to_string();
        without(Equality::None { second, message })
    };
    let (a, b) = match (
        denotation(left.checked, left.source, left_name),
        denotation(right.checked, right.source, right_name),
    ) {
        (Ok(a), Ok(b)) => (a, b),
        (Err(reason), _) => return none(false, reason),
        (_, Err(reason)) => return none(true, reason),
    };
    let largest = a.arrow.counts().0.max(b.arrow.counts().0);
    if largest > STATEMENTS {
        return without(Equality::TooLarge);
    }
    let (equality, marks) = equality(&a, &b, mode);
    let [mark, other] = marks;
    Compared {
        equality,
        sides: Some((
            shown(&a, left, mark, drawing),
            shown(&b, right, other, drawing),
        )),
    }
}

/// Compares two arrows. Returns the verdict, and for each arrow the number of the statement that makes the difference.
fn equality(
    left: &Denotation,
    right: &Denotation,
    mode: Partiality,
) -> (Equality, [Option<usize>; 2]) {
    let nowhere = [None, None];
    if left.types() != right.types() {
        return (Equality::Types, nowhere);
    }
    let mut heap = Locations::default();
    let (a, b) = (heap.arrow(&left.arrow), heap.arrow(&right.arrow));
    if let Some((name, left, right)) = signatures(&a, &b) {
        return (Equality::Operation { name, left, right }, nowhere);
    }
    let found = match arrows::equality(&a, &b, mode) {
        arrows::Equality::Equal { any_length } => return (Equality::Equal { any_length }, nowhere),
        arrows::Equality::Rounding(rounding) => {
            let [mark, second] = rounding.makers;
            let text = rounding.to_string();
            let marks = [original(&a, mark), original(&b, second)];
            return (Equality::Rounding { text }, marks);
        }
        arrows::Equality::TooLong => return (Equality::TooLarge, nowhere),
        arrows::Equality::Different(difference) => difference,
    };
    let Difference {
        place,
        left: one,
        right: other,
        makers: [mark, second],
        ..
    } = found;
    let place = match (place, operation_at(&a, place)) {
        (Place::Argument(..), Some(operation)) => format!("{place}, {operation}"),
        _ => place.to_string(),
    };
    let marks = [original(&a, mark), original(&b, second)];
    let equality = Equality::Different {
        place,
        left: one,
        right: other,
    };
    (equality, marks)
}

/// Number of a statement in the arrow before its locations were renumbered.
fn original(arrow: &Arrow, number: Option<usize>) -> Option<usize> {
    let statement = arrow.map.statements().get(number?)?;
    statement.part_of
}

fn operations(arrow: &Arrow) -> impl Iterator<Item = &OperationRef> {
    let statements = arrow.map.statements().iter();
    statements.filter_map(|statement| statement.applied.operation())
}

fn operation_at(arrow: &Arrow, place: Place) -> Option<String> {
    let (Place::Argument(number, _) | Place::Operation(number)) = place else {
        return None;
    };
    operations(arrow).nth(number).map(ToString::to_string)
}

/// The first operation of both arrows whose types differ: its name, its types in the first arrow and in the second.
fn signatures(left: &Arrow, right: &Arrow) -> Option<(String, String, String)> {
    let types = |operation: &OperationRef| format!("{} ▷ {}", operation.domain, operation.codomain);
    let known: BTreeMap<String, String> = operations(left)
        .map(|operation| (operation.to_string(), types(operation)))
        .collect();
    operations(right).find_map(|operation| {
        let name = operation.to_string();
        let (one, other) = (known.get(&name)?, types(operation));
        (*one != other).then(|| (name, one.clone(), other))
    })
}

fn shown(
    denotation: &Denotation,
    of: Of<'_>,
    differs: Option<usize>,
    drawing: &diagram::Drawing,
) -> Shown {
    let names: Vec<String> = denotation
        .parameters
        .iter()
        .flat_map(|(name, ty)| ty.sizes().into_iter().map(|_| name.clone()))
        .collect();
    let marks = Marks {
        differs,
        performed: 0,
    };
    let (statements, operations) = denotation.arrow.counts();
    let picture = (statements <= DRAWN).then(|| {
        let mut graph = diagram::graph(denotation, of.source, drawing);
        in_utf16(diagram::drawn(&mut graph, drawing), &of.checked.index)
    });
    let boxes = picture.iter().flat_map(|picture| &picture.boxes);
    let boxes = boxes.enumerate().filter(|(_, shape)| {
        let mut statements = shape.statements.iter();
        statements.any(|statement| Some(*statement) == differs)
    });
    Shown {
        signature: denotation.signature(),
        statements: clip(statements),
        operations: clip(operations),
        listing: Listing::of(&denotation.arrow, &names, &marks, &of.checked.index),
        boxes: boxes.map(|(number, _)| clip(number)).collect(),
        picture,
    }
}
