//! The tab of comparisons: two commands, two runs, or the arrows of the step that is shown. What is chosen, and what is known
//! of it; [`update`] says what else is wanted.

#[cfg(test)]
mod tests;
pub(crate) mod update;
pub(crate) mod view;

use crate::diagram::sheet::{Drawn, Sheet, SheetMsg};
use crate::model::Shared;
use crate::steps::At;
use fletch_playground::diagram::Style;
use fletch_playground::protocol::{
    Commands, Comparable, Compared, Comparison, Drawing, Figure, Move, Opened, Ran, Runs, Shown,
    Side, TextEdit, Variant, Verdict,
};
use std::rc::Rc;

/// State of the tab of comparisons.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Compare {
    /// Subject of the comparison.
    pub about: About,
    /// The commands.
    pub commands: TwoCommands,
    /// The runs.
    pub runs: TwoRuns,
    /// The arrows of a step.
    pub step: Step,
}

/// Subject of a comparison.
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
    /// The commands of both, and of which programs they are.
    pub known: Option<(Programs, Rc<Commands>)>,
    /// Comparison of two commands, the ones chosen or those before.
    pub compared: Option<Shared<(Comparison, Compared)>>,
    /// The diagrams.
    pub sheets: [Sheet; 2],
    /// True if the statements are listed.
    pub listed: bool,
}

/// Two programs: the number of this one, and the text of the other one, if there is another.
pub type Programs = (u32, Option<Rc<str>>);

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
    /// The ways to run a program, and its number.
    pub variants: Option<(u32, Shared<Vec<Variant>>)>,
    /// Edit of the program for each run.
    pub edits: [TextEdit; 2],
    /// Comparison of the runs, with the edits that it is for.
    pub ran: Option<Shared<(Runs, Ran)>>,
}

/// The arrows of a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Step {
    /// True if each step is to be marked by whether the arrow stays the same.
    pub marks: bool,
    /// Answer about a step, and the number of its program.
    pub known: Option<(u32, Shared<(Move, Opened)>)>,
}

/// Something with the tab of comparisons.
#[derive(Clone, Debug, PartialEq)]
pub enum CompareMsg {
    /// Compare these.
    About(About),
    /// Open the list of programs that have the second command.
    Choose,
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
    /// Mark at each step that the arrow stays the same, or do not.
    Marks(bool),
    /// Show the arrows of the step.
    Step,
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

    /// Tells if all texts are there.
    pub fn is_there(&self) -> bool {
        self.from == From::This || self.other().is_some()
    }

    /// Takes over which commands there are, and chooses two that can be compared where what was chosen cannot be.
    pub fn list(&mut self, of: Programs, known: Rc<Commands>) {
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
        self.known = Some((of, known));
    }

    /// The commands of both programs, or of those before.
    pub fn all(&self) -> Option<&Commands> {
        self.known.as_ref().map(|(_, known)| &**known)
    }

    /// The programs that are compared.
    pub fn programs(&self, revision: u32) -> Programs {
        (revision, self.other())
    }

    /// Comparison to ask for about this program.
    /// Nothing before it is known how much room their diagrams have.
    pub fn wanted(&self, revision: u32) -> Option<Comparison> {
        let (of, _) = self.known.as_ref()?;
        let room = self.sheets.first()?.room(None)?;
        let there = *of == self.programs(revision) && self.is_there();
        let chosen = !self.left.is_empty() && !self.right.is_empty();
        (there && chosen).then(|| Comparison {
            left: Side {
                text: None,
                name: self.left.to_string(),
            },
            right: Side {
                text: self.other().map(|text| text.to_string()),
                name: self.right.to_string(),
            },
            style: Style::Bent,
            room: Some(room),
        })
    }

    /// Takes over what is known of two commands.
    pub fn show(&mut self, revision: u32, asked: Comparison, compared: Compared) {
        if let Some((left, right)) = &compared.sides {
            for (sheet, shown, side) in [(0, left, &asked.left), (1, right, &asked.right)] {
                if let Some(sheet) = self.sheets.get_mut(sheet) {
                    draw(sheet, shown, side, (revision, &asked));
                }
            }
        }
        self.compared = Some(Shared::new((asked, compared)));
    }
}

fn draw(sheet: &mut Sheet, shown: &Shown, side: &Side, (revision, asked): (u32, &Comparison)) {
    let boxes = shown.boxes.iter().map(|number| *number as usize);
    sheet.marked = boxes.collect();
    let Some(picture) = &shown.picture else {
        sheet.drawn = None;
        return;
    };
    sheet.show(Drawn {
        revision,
        asked: Drawing {
            of: side.name.clone(),
            style: asked.style,
            room: asked.room,
            ..Drawing::default()
        },
        figure: Ok(Figure {
            signature: shown.signature.clone(),
            picture: picture.clone(),
            scale: None,
            definitions: Vec::new(),
        }),
    });
}

impl TwoRuns {
    /// Takes over how the program can be run. What was written stays if its place is one of them, and still has the same text.
    pub fn list(&mut self, revision: u32, variants: Vec<Variant>) {
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
        self.variants = Some((revision, Shared::new(variants)));
    }

    /// Runs to ask for about this program; none before the ways to run it are known.
    pub fn wanted(&self, revision: u32) -> Option<Runs> {
        let [left, right] = self.edits.clone();
        let (of, variants) = self.variants.as_ref()?;
        let there = *of == revision && !variants.is_empty();
        there.then_some(Runs { left, right })
    }
}

impl Step {
    /// The step from where the stepper is, if its arrows are wanted and not known.
    pub fn wanted(&self, at: &At, revision: u32, open: bool) -> Option<Move> {
        let (position, to) = (at.position, at.to);
        let known = self.of(at).filter(|(known, _)| known.open || !open);
        let is_known = known.is_some_and(|(_, said)| !said.same.verdict.is_on_the_way());
        let due = at.revision == revision && (self.marks || open);
        (due && !is_known).then_some(Move { position, to, open })
    }

    /// Answer about the step from where the stepper is, if it is known.
    pub fn of(&self, at: &At) -> Option<&(Move, Opened)> {
        let (revision, known) = self.known.as_ref()?;
        let (asked, _) = &**known;
        let same = (*revision, asked.position, asked.to) == (at.revision, at.position, at.to);
        same.then_some(known)
    }
}

/// Mark of a step: true if the arrow stays the same, false if not, none if that is not known; and the same in a few words.
pub fn mark(said: &Opened) -> (Option<bool>, String) {
    match &said.same.verdict {
        Verdict::Equal(performed) => {
            let aside = match performed.as_slice() {
                [] => String::new(),
                [one] => format!(", {operation} set aside", operation = one.operation),
                more => format!(", {more} operations set aside", more = more.len()),
            };
            (Some(true), format!("same meaning{aside}"))
        }
        Verdict::Rounding { .. } => (Some(true), "same meaning but for rounding".to_owned()),
        Verdict::Different { .. } => (Some(false), "another meaning".to_owned()),
        Verdict::OnTheWay { .. } => (None, "on the way to it …".to_owned()),
        Verdict::TooLarge | Verdict::TooFar => (None, "too large to compare".to_owned()),
        Verdict::AtTheEnd => (None, "no step from here".to_owned()),
    }
}
