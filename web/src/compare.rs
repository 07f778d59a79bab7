//! State of the comparison tab: two commands, two runs, or the arrows before and after the shown step. It has the choices and the
//! replies; [`update`] has the requests.

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

/// State of the comparison tab.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Compare {
    /// Subject of the comparison.
    pub about: About,
    /// State of the comparison of commands.
    pub commands: TwoCommands,
    /// State of the comparison of runs.
    pub runs: TwoRuns,
    /// State of the comparison of a step's arrows.
    pub step: Step,
}

/// Subject of a comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum About {
    /// The arrows of two commands.
    #[default]
    Commands,
    /// The results of two runs.
    Runs,
    /// The states before and after a step.
    Step,
}

/// Indices of the two sides.
pub const BOTH: [usize; 2] = [0, 1];

/// State of the comparison of two commands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TwoCommands {
    /// Name of the first command, of the program in the editor.
    pub left: Rc<str>,
    /// Name of the second command, of the same or of another program.
    pub right: Rc<str>,
    /// Program of the second command.
    pub from: From,
    /// Text of the other program, or the reason why it is missing; `None` until it has arrived.
    pub text: Option<Result<Rc<str>, Rc<str>>>,
    /// Commands of both programs, with the programs that they belong to.
    pub known: Option<(Programs, Rc<Commands>)>,
    /// Last comparison, perhaps of commands selected before.
    pub compared: Option<Shared<(Comparison, Compared)>>,
    /// Sheets with the two diagrams.
    pub sheets: [Sheet; 2],
    /// True if the statements are listed.
    pub listed: bool,
}

/// Two programs: the revision of the one in the editor, and the text of the other one, if there is another.
pub type Programs = (u32, Option<Rc<str>>);

/// Program of the second command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum From {
    /// The program in the editor.
    #[default]
    This,
    /// The program in the editor as it was opened.
    Opened,
    /// The example with this index.
    Example(usize),
    /// A text that the reader has pasted.
    Pasted,
}

/// State of the comparison of two runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TwoRuns {
    /// Revision of the program, and its variants: edits that make it run in another way.
    pub variants: Option<(u32, Shared<Vec<Variant>>)>,
    /// Edit of the program for each run.
    pub edits: [TextEdit; 2],
    /// Last comparison of runs, with the edits that it compares.
    pub ran: Option<Shared<(Runs, Ran)>>,
}

/// State of the comparison of the arrows of a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Step {
    /// True if each step is marked with whether its arrow stays the same.
    pub marks: bool,
    /// Revision of the program, and the last reply about a step.
    pub known: Option<(u32, Shared<(Move, Opened)>)>,
}

/// Event of the comparison tab.
#[derive(Clone, Debug, PartialEq)]
pub enum CompareMsg {
    /// Select the subject.
    About(About),
    /// Focus the list of programs for the second command.
    Choose,
    /// Select the first command.
    Left(Rc<str>),
    /// Select the second command.
    Right(Rc<str>),
    /// Select the program of the second command.
    From(From),
    /// The reader has pasted this text.
    Pasted(Rc<str>),
    /// The text of the example with this index, or the reason why it is missing.
    Fetched(usize, Result<Rc<str>, Rc<str>>),
    /// Event of the sheet with this index.
    Sheet(usize, SheetMsg),
    /// Show or hide the list of statements.
    Listed(bool),
    /// Select the edit of the run with this index.
    Edit(usize, TextEdit),
    /// Change the inserted text of the run with this index.
    Insert(usize, Rc<str>),
    /// Mark every step with whether its arrow stays the same, or stop doing so.
    Marks(bool),
    /// Show the arrows of the step.
    Step,
}

impl TwoCommands {
    /// Text of the other program; `None` if there is no other, or if it has not arrived.
    pub fn other(&self) -> Option<Rc<str>> {
        match (&self.from, &self.text) {
            (From::This, _) => None,
            (_, Some(Ok(text))) => Some(Rc::clone(text)),
            _ => None,
        }
    }

    /// True if the texts of both programs are known.
    pub fn is_there(&self) -> bool {
        self.from == From::This || self.other().is_some()
    }

    /// Stores the commands of both programs. If the selected commands are missing or have different types, selects two that can be
    /// compared.
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
                // In another program, the command of the same name is most likely meant.
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

    /// Commands of both programs, perhaps of the programs before.
    pub fn all(&self) -> Option<&Commands> {
        self.known.as_ref().map(|(_, known)| &**known)
    }

    /// The programs that are compared.
    pub fn programs(&self, revision: u32) -> Programs {
        (revision, self.other())
    }

    /// Comparison to request for this revision; `None` until the commands and the room for the diagrams are known.
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

    /// Shows a comparison of two commands.
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
    /// Stores the variants of the program. The edits stay if the text that each replaces is still there; else the first variants
    /// are selected.
    pub fn list(&mut self, revision: u32, variants: Vec<Variant>) {
        let before = self.variants.as_ref().map(|(_, before)| before);
        let stays = |edit: &TextEdit| {
            let now = replaced(edit, &variants);
            now.is_some() && now == before.and_then(|before| replaced(edit, before))
        };
        if !self.edits.iter().all(stays) || self.edits == <[TextEdit; 2]>::default() {
            let first = variants.first().map(|variant| variant.edit.clone());
            let mut others = variants.iter().filter(|variant| !variant.is_original());
            let second = others.next().map(|variant| variant.edit.clone());
            let first = first.unwrap_or_default();
            self.edits = [first.clone(), second.unwrap_or(first)];
        }
        self.variants = Some((revision, Shared::new(variants)));
    }

    /// Runs to request for this revision; `None` until the variants are known.
    pub fn wanted(&self, revision: u32) -> Option<Runs> {
        let [left, right] = self.edits.clone();
        let (of, variants) = self.variants.as_ref()?;
        let there = *of == revision && !variants.is_empty();
        there.then_some(Runs { left, right })
    }
}

/// Text that an edit replaces; `None` if no variant has the span of the edit.
fn replaced<'a>(edit: &TextEdit, variants: &'a [Variant]) -> Option<&'a str> {
    let mut all = variants.iter();
    let of_span = |variant: &&Variant| {
        let own = &variant.edit;
        (own.from, own.to) == (edit.from, edit.to)
    };
    all.find(of_span).map(|variant| &*variant.written)
}

impl Step {
    /// Step to request a comparison for; `None` if the comparison is not needed or is known.
    pub fn wanted(&self, at: &At, revision: u32, open: bool) -> Option<Move> {
        let (position, to) = (at.position, at.to);
        let known = self.of(at).filter(|(known, _)| known.open || !open);
        let is_known = known.is_some_and(|(_, said)| !said.same.verdict.is_on_the_way());
        let due = at.revision == revision && (self.marks || open);
        (due && !is_known).then_some(Move { position, to, open })
    }

    /// Reply about the step at the position of the stepper, if it is known.
    pub fn of(&self, at: &At) -> Option<&(Move, Opened)> {
        let (revision, known) = self.known.as_ref()?;
        let (asked, _) = &**known;
        let same = (*revision, asked.position, asked.to) == (at.revision, at.position, at.to);
        same.then_some(known)
    }
}

/// Mark of a step, with its text: true if the arrow stays the same, false if not, `None` if that is not known.
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
