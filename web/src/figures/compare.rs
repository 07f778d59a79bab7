//! The tab of comparisons: two commands, two runs, or the arrows of the step that is shown. What is chosen, and what is known
//! of it; [`super::update`] asks for the rest.

use super::sheet::{Sheet, SheetMsg};
use crate::model::Shared;
use crate::talk::{At, Same};
use crate::texts;
use fletch_playground::diagram::Style;
use fletch_playground::figures::protocol::{
    Commands, Comparable, Compared, Comparison, Drawing, Drawn, Figure, Move, Opened, Ran, Runs,
    Shown, Side, Variant, Verdict,
};
use fletch_playground::protocol::TextEdit;
use std::rc::Rc;

/// What is chosen, and what is known of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Compare {
    /// What is compared.
    pub about: About,
    /// The commands.
    pub commands: TwoCommands,
    /// The runs.
    pub runs: TwoRuns,
    /// The arrows of a step.
    pub step: Step,
}

/// What is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum About {
    /// Two commands.
    #[default]
    Commands,
    /// Two runs.
    Runs,
    /// The states before and after a step.
    Step,
}

/// The first and the second of what is compared.
pub const BOTH: [usize; 2] = [0, 1];

/// Two commands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TwoCommands {
    /// The command of this program.
    pub left: Rc<str>,
    /// The command of this program or of the other one.
    pub right: Rc<str>,
    /// Where the second one is from.
    pub from: From,
    /// The text of the other program, once it is there; why it is not.
    pub text: Option<Result<Rc<str>, Rc<str>>>,
    /// What was asked for when the commands were asked for.
    pub listing: Option<(u32, Option<Rc<str>>)>,
    /// The commands of both.
    pub known: Option<Rc<Commands>>,
    /// What was asked last.
    pub asked: Option<Comparison>,
    /// What is known of it, or of what was asked before.
    pub compared: Option<Shared<(Comparison, Compared)>>,
    /// The diagrams.
    pub sheets: [Sheet; 2],
    /// Whether the statements are listed.
    pub listed: bool,
}

/// Where the second command is from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum From {
    /// The program in the editor.
    #[default]
    This,
    /// The program as it was opened.
    Opened,
    /// The example of this number.
    Example(usize),
    /// A text that the reader has put in.
    Pasted,
}

/// Two runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TwoRuns {
    /// The program whose ways to run were asked for.
    pub listing: Option<u32>,
    /// The ways to run it.
    pub variants: Option<Shared<Vec<Variant>>>,
    /// What is written otherwise in each.
    pub edits: [TextEdit; 2],
    /// What was asked last.
    pub asked: Option<Runs>,
    /// What they came to.
    pub ran: Option<Shared<(Runs, Ran)>>,
}

/// The arrows of a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Step {
    /// Whether it is to be said at each step that the arrow stays the same.
    pub marks: bool,
    /// What was asked, and is not answered.
    pub asked: Option<Move>,
    /// What is known of the step shown last.
    pub known: Option<Shared<(Move, Opened)>>,
    /// What the page was told.
    pub told: Option<Same>,
}

/// Something with the tab of comparisons.
#[derive(Clone, Debug, PartialEq)]
pub enum CompareMsg {
    /// Compare these.
    About(About),
    /// The first command.
    Left(Rc<str>),
    /// The second command.
    Right(Rc<str>),
    /// Where the second command is from.
    From(From),
    /// The text that the reader put in.
    Pasted(Rc<str>),
    /// The example of this number is there, or why not.
    Fetched(usize, Result<Rc<str>, Rc<str>>),
    /// Something happened to the sheet of this number.
    Sheet(usize, SheetMsg),
    /// List the statements, or do not.
    Listed(bool),
    /// In the run of this number, this is written otherwise.
    Edit(usize, TextEdit),
    /// In the run of this number, this is written at the place.
    Insert(usize, Rc<str>),
    /// Whether it is to be said at each step that the arrow stays the same.
    Marks(bool),
}

impl TwoCommands {
    /// The text of the second command's program, if it is another one; nothing also while it is on its way.
    pub fn other(&self) -> Option<Rc<str>> {
        match (&self.from, &self.text) {
            (From::This, _) => None,
            (_, Some(Ok(text))) => Some(Rc::clone(text)),
            _ => None,
        }
    }

    /// Whether all texts are there.
    pub fn is_there(&self) -> bool {
        self.from == From::This || self.other().is_some()
    }

    /// Takes over which commands there are, and chooses two that can be compared where what was chosen cannot be.
    pub fn list(&mut self, known: Commands) {
        let own = &known.own;
        let empty = Vec::new();
        let others = match &known.other {
            Some(Ok(others)) => others,
            Some(Err(_)) => &empty,
            None => own,
        };
        let here = |name: &str, all: &[Comparable]| {
            let found = all.iter().find(|command| *command.name == *name);
            found.and_then(|command| command.types.clone())
        };
        let partner = |left: &str| -> Option<&Comparable> {
            let types = here(left, own)?;
            let same = others
                .iter()
                .filter(|other| other.types.as_ref() == Some(&types));
            let of_same_name = |other: &&Comparable| *other.name == *left;
            let mut same = same.peekable();
            match known.other {
                // Of another program, the command of the same name is most likely meant.
                Some(_) => same.clone().find(of_same_name).or_else(|| same.next()),
                None => same.find(|other| !of_same_name(other)),
            }
        };
        if here(&self.left, own).is_none() {
            let mut names = own.iter().map(|command| &*command.name);
            let first = names.clone().find(|name| partner(name).is_some());
            self.left = first.or_else(|| names.next()).unwrap_or_default().into();
        }
        let fits = here(&self.right, others).is_some()
            && here(&self.right, others) == here(&self.left, own);
        if !fits {
            let found = partner(&self.left).map_or("", |found| &*found.name);
            self.right = found.into();
        }
        self.known = Some(Rc::new(known));
    }

    /// What is to be asked about this program.
    pub fn wanted(&self, revision: u32) -> Option<Comparison> {
        let known = self.known.as_ref()?;
        let there = known.revision == revision && self.is_there();
        let chosen = !self.left.is_empty() && !self.right.is_empty();
        (there && chosen).then(|| Comparison {
            revision,
            left: Side {
                text: None,
                name: self.left.to_string(),
            },
            right: Side {
                text: self.other().map(|text| text.to_string()),
                name: self.right.to_string(),
            },
            style: Style::Bent,
        })
    }

    /// Takes over what is known of two commands.
    pub fn show(&mut self, asked: Comparison, compared: Compared) {
        if let Some((left, right)) = &compared.sides {
            for (sheet, shown, side) in [(0, left, &asked.left), (1, right, &asked.right)] {
                if let Some(sheet) = self.sheets.get_mut(sheet) {
                    draw(sheet, shown, side, &asked);
                }
            }
        }
        self.compared = Some(Shared::new((asked, compared)));
    }
}

fn draw(sheet: &mut Sheet, shown: &Shown, side: &Side, asked: &Comparison) {
    let boxes = shown.boxes.iter().map(|number| *number as usize);
    sheet.marked = boxes.collect();
    match &shown.picture {
        None => sheet.drawn = None,
        Some(picture) => sheet.show(Drawn {
            asked: Drawing {
                revision: asked.revision,
                of: side.name.clone(),
                network: false,
                style: asked.style,
                ..Drawing::default()
            },
            figure: Ok(Figure {
                signature: shown.signature.clone(),
                picture: picture.clone(),
                definitions: Vec::new(),
            }),
        }),
    }
}

impl TwoRuns {
    /// Takes over how the program can be run. What was written stays if its place is one of them, and still has the same text.
    pub fn list(&mut self, variants: Vec<Variant>) {
        let place = |edit: &TextEdit| (edit.from, edit.to);
        let known = |edit: &TextEdit| {
            let mut all = variants.iter();
            all.any(|variant| place(&variant.edit) == place(edit))
        };
        if !self.edits.iter().all(known) || self.edits == <[TextEdit; 2]>::default() {
            let first = variants.first().map(|variant| variant.edit.clone());
            let mut others = variants.iter().filter(|variant| !variant.is_original());
            let second = others.next().map(|variant| variant.edit.clone());
            let first = first.unwrap_or_default();
            self.edits = [first.clone(), second.unwrap_or(first)];
        }
        self.variants = Some(Shared::new(variants));
    }

    /// What is to be asked about this program.
    pub fn wanted(&self, revision: u32) -> Option<Runs> {
        let [left, right] = self.edits.clone();
        let there = self.listing == Some(revision) && !self.variants.as_ref()?.is_empty();
        there.then_some(Runs {
            revision,
            left,
            right,
        })
    }
}

impl Step {
    /// The step from where the stepper is, if its arrows are wanted.
    pub fn wanted(&self, at: &At, revision: u32, open: bool) -> Option<Move> {
        let wanted = Move {
            revision,
            position: at.position,
            to: at.to,
            open,
        };
        let answers = |known: &Move, said: &Opened| {
            let same = Move {
                open: known.open,
                ..wanted
            };
            // What is on the way is asked about again.
            *known == same
                && (known.open || !open)
                && !matches!(said.same.verdict, Verdict::OnTheWay { .. })
        };
        let known = self.known.as_ref();
        let answered = known.is_some_and(|known| answers(&known.0, &known.1));
        let due = at.revision == revision && (self.marks || open);
        (due && !answered && self.asked.is_none()).then_some(wanted)
    }
}

/// The verdict on a step, in a few words.
pub fn mark(asked: Move, said: &Opened) -> Same {
    let (same, words) = match &said.same.verdict {
        Verdict::Equal(performed) => {
            let aside = match performed.as_slice() {
                [] => String::new(),
                [one] => texts::compare::set_aside(&one.operation),
                more => texts::compare::operations_set_aside(more.len()),
            };
            (Some(true), texts::compare::same_arrow(&aside))
        }
        Verdict::Rounding { .. } => (
            Some(true),
            texts::compare::SAME_ARROW_BUT_FOR_ROUNDING.to_owned(),
        ),
        Verdict::Different { .. } => (Some(false), texts::compare::ANOTHER_ARROW.to_owned()),
        Verdict::OnTheWay { reached } => (None, texts::compare::at_step(reached)),
        Verdict::TooLarge | Verdict::TooFar => {
            (None, texts::compare::TOO_LARGE_TO_COMPARE.to_owned())
        }
        Verdict::AtTheEnd => (None, texts::compare::NO_STEP_FROM_HERE.to_owned()),
    };
    Same {
        revision: asked.revision,
        position: asked.position,
        to: asked.to,
        same,
        words,
    }
}
