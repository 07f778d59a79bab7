//! The tab of comparisons: what a reader chooses, and what is asked of the worker for it.

use super::{Effect, place};
use crate::figures::compare::{About, CompareMsg, From, TwoCommands, mark};
use crate::figures::model::Model;
use crate::figures::sheet::{SheetMsg, Wish};
use crate::model::Shared;
use crate::talk::{FromFigures, Program, Tab};
use fletch_playground::figures::protocol::{Reply, Request};

pub(super) fn change(model: &mut Model, msg: CompareMsg, effects: &mut Vec<Effect>) {
    let compare = &mut model.compare;
    let commands = &mut compare.commands;
    match msg {
        CompareMsg::About(about) => compare.about = about,
        CompareMsg::Left(name) => {
            commands.left = name;
            // The second one is chosen anew if it is of other types.
            if let Some(known) = commands.known.clone() {
                commands.list((*known).clone());
            }
        }
        CompareMsg::Right(name) => commands.right = name,
        CompareMsg::From(from) => {
            commands.text = None;
            if let From::Example(number) = from {
                effects.push(Effect::Fetch(number));
            }
            commands.from = from;
            commands.right = "".into();
            fill(commands, model.program.as_deref());
        }
        CompareMsg::Pasted(text) => {
            if commands.from == From::Pasted {
                commands.text = Some(Ok(text));
            }
        }
        CompareMsg::Fetched(number, text) => {
            if commands.from == From::Example(number) {
                commands.text = Some(text);
            }
        }
        CompareMsg::Sheet(number, msg) => sheet(model, number, &msg, effects),
        CompareMsg::Listed(listed) => commands.listed = listed,
        CompareMsg::Edit(number, edit) => {
            if let Some(known) = compare.runs.edits.get_mut(number) {
                *known = edit;
            }
        }
        CompareMsg::Insert(number, text) => {
            if let Some(known) = compare.runs.edits.get_mut(number) {
                known.insert = text.to_string();
            }
        }
        CompareMsg::Marks(on) => {
            compare.step.marks = on;
            effects.push(Effect::Tell(FromFigures::Marks(on)));
        }
    }
}

/// The text of the program as it was opened, which is known here.
fn fill(commands: &mut TwoCommands, program: Option<&Program>) {
    if let (From::Opened, Some(program)) = (&commands.from, program) {
        let text = program.opened.as_ref().unwrap_or(&program.source);
        commands.text = Some(Ok(text.as_str().into()));
    }
}

/// Another program was opened or written.
pub(super) fn reload(model: &mut Model) {
    fill(&mut model.compare.commands, model.program.as_deref());
}

fn sheet(model: &mut Model, number: usize, msg: &SheetMsg, effects: &mut Vec<Effect>) {
    let commands = &mut model.compare.commands;
    let own = number == 0 || commands.from == From::This;
    let Some(sheet) = commands.sheets.get_mut(number) else {
        return;
    };
    // What is compared is marked by its boxes, so none is opened here.
    let Some(Wish::Choose(chosen)) = sheet.change(msg) else {
        return;
    };
    let shape = sheet.shape(chosen);
    // Another text is not in the editor.
    if let Some(shape) = shape.filter(|_| own && !model.stale)
        && let Some((from, to)) = place(model.program.as_deref(), shape.place)
    {
        effects.push(Effect::Tell(FromFigures::Mark(from, to)));
    }
}

pub(super) fn replied(model: &mut Model, reply: Reply, effects: &mut Vec<Effect>) {
    let compare = &mut model.compare;
    match reply {
        Reply::Same(asked, said) => {
            if compare.step.asked == Some(asked) {
                compare.step.asked = None;
            }
            let told = mark(asked, &said);
            if compare.step.marks && compare.step.told.as_ref() != Some(&told) {
                compare.step.told = Some(told.clone());
                effects.push(Effect::Tell(FromFigures::Same(told)));
            }
            compare.step.known = Some(Shared::new((asked, *said)));
        }
        Reply::Comparable(known) => {
            // A list that was asked for before the last one is not wanted any more.
            let revision = compare.commands.listing.as_ref().map(|asked| asked.0);
            let other = compare.commands.other().is_some();
            if revision == Some(known.revision) && known.other.is_some() == other {
                compare.commands.list(known);
            }
        }
        Reply::Compared(answer) => {
            let (asked, compared) = *answer;
            if compare.commands.asked.as_ref() == Some(&asked) {
                compare.commands.show(asked, compared);
            }
        }
        Reply::Variants(revision, variants) if compare.runs.listing == Some(revision) => {
            compare.runs.list(variants);
        }
        Reply::Ran(answer) if compare.runs.asked.as_ref() == Some(&answer.0) => {
            compare.runs.ran = Some(Shared::new(*answer));
        }
        // What was asked before something else was is not wanted any more.
        _ => {}
    }
}

/// Asks for what is shown and not there.
pub(super) fn want(model: &mut Model, effects: &mut Vec<Effect>) {
    let shown = model.tab == Tab::Compare;
    let about = model.compare.about;
    let step = shown && about == About::Step;
    if model.about_step != step {
        model.about_step = step;
        effects.push(Effect::Tell(FromFigures::AboutStep(step)));
    }
    let loaded = model.loaded.as_ref().filter(|loaded| !loaded.rejected);
    let Some(revision) = loaded.map(|loaded| loaded.revision) else {
        return;
    };
    let compare = &mut model.compare;
    if let Some(wanted) = compare.step.wanted(&model.at, revision, step) {
        compare.step.asked = Some(wanted);
        effects.push(Effect::Send(Request::Same(wanted)));
    }
    if !shown {
        return;
    }
    if about == About::Commands {
        let commands = &mut compare.commands;
        let listing = (revision, commands.other());
        if commands.is_there() && commands.listing.as_ref() != Some(&listing) {
            let other = listing.1.as_ref().map(ToString::to_string);
            commands.listing = Some(listing);
            commands.known = None;
            effects.push(Effect::Send(Request::Comparable { revision, other }));
        }
        if let Some(wanted) = commands.wanted(revision)
            && commands.asked.as_ref() != Some(&wanted)
        {
            commands.asked = Some(wanted.clone());
            effects.push(Effect::Send(Request::Compare(wanted)));
        }
    }
    if about == About::Runs {
        let runs = &mut compare.runs;
        if runs.listing != Some(revision) {
            runs.listing = Some(revision);
            runs.variants = None;
            effects.push(Effect::Send(Request::Variants { revision }));
        }
        if let Some(wanted) = runs.wanted(revision)
            && runs.asked.as_ref() != Some(&wanted)
        {
            runs.asked = Some(wanted.clone());
            effects.push(Effect::Send(Request::Run(wanted)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Msg, update};
    use super::{Effect, Request};
    use crate::figures::compare::{About, CompareMsg, From};
    use crate::figures::model::Model;
    use crate::talk::{At, FromFigures, Program, Same, Tab, ToFigures};
    use fletch_playground::figures::Session;
    use fletch_playground::figures::protocol::{End, Equality, Verdict};
    use fletch_playground::protocol::Mode;

    const REFACTORING: &str = include_str!("../../../../examples/refactoring.fletch");
    const FROZEN: &str = include_str!("../../../../examples/frozen_layer.fletch");
    const MLP: &str = include_str!("../../../../examples/mlp.fletch");

    /// The figures with a worker that answers at once.
    struct Figures {
        model: Model,
        session: Session,
        told: Vec<FromFigures>,
        fetched: Vec<usize>,
        asked: usize,
    }

    impl Figures {
        fn of(source: &str) -> Figures {
            let mut figures = Figures {
                model: Model::default(),
                session: Session::default(),
                told: Vec::new(),
                fetched: Vec::new(),
                asked: 0,
            };
            figures.load(1, source, None);
            figures.page(ToFigures::Tab(Tab::Compare));
            figures
        }

        fn load(&mut self, revision: u32, source: &str, opened: Option<&str>) {
            self.page(ToFigures::Program(Program {
                revision,
                source: source.to_owned(),
                opened: opened.map(str::to_owned),
                heap: Vec::new(),
                mode: Mode::default(),
            }));
        }

        fn page(&mut self, said: ToFigures) {
            self.tell(Msg::Told(said));
        }

        fn reader(&mut self, msg: CompareMsg) {
            self.tell(Msg::Compare(msg));
        }

        fn at(&mut self, position: u32, to: u32) {
            self.page(ToFigures::At(At {
                revision: 1,
                position,
                to,
                redex: None,
                work: None,
            }));
        }

        fn tell(&mut self, msg: Msg) {
            let mut msgs = vec![msg];
            while let Some(msg) = msgs.pop() {
                let (model, effects) = update(self.model.clone(), msg);
                self.model = model;
                for effect in effects {
                    match effect {
                        Effect::Send(request) => {
                            self.asked += usize::from(!matches!(request, Request::Load { .. }));
                            let reply = self.session.handle(request);
                            msgs.insert(0, Msg::Replied(Box::new(reply)));
                        }
                        Effect::Tell(said) => self.told.push(said),
                        Effect::Fetch(number) => self.fetched.push(number),
                        Effect::Save(_)
                        | Effect::SaveText(_)
                        | Effect::Copy(_)
                        | Effect::Rest(_)
                        | Effect::KeepAfter(_)
                        | Effect::Download(..) => {}
                    }
                }
            }
        }

        fn chosen(&self) -> (&str, &str) {
            let commands = &self.model.compare.commands;
            (&commands.left, &commands.right)
        }

        fn equality(&self) -> &Equality {
            let compared = self.model.compare.commands.compared.as_ref();
            &compared.expect("they were compared").1.equality
        }

        fn marks(&self) -> Vec<&Same> {
            let told = self.told.iter();
            told.filter_map(|said| match said {
                FromFigures::Same(same) => Some(same),
                _ => None,
            })
            .collect()
        }
    }

    #[test]
    fn two_commands_that_can_be_compared_are_chosen_and_compared() {
        let mut figures = Figures::of(REFACTORING);
        assert_eq!(figures.chosen(), ("R", "R_spurious"));
        assert_eq!(figures.equality(), &Equality::Equal);
        figures.reader(CompareMsg::Left("R".into()));
        figures.reader(CompareMsg::Right("R_unrolled".into()));
        assert_eq!(figures.equality(), &Equality::Equal);
        assert!(figures.model.compare.commands.sheets[1].marked.is_empty());
        figures.reader(CompareMsg::Right("R_tanh".into()));
        assert!(matches!(figures.equality(), Equality::Different { .. }));
        for sheet in &figures.model.compare.commands.sheets {
            assert_eq!(sheet.marked.len(), 1);
            let label = &sheet.shape(sheet.marked[0]).expect("a box").label;
            assert!(["swish", "tanh"].contains(&label.as_str()), "{label}");
        }
        // Of other types, another second one is chosen.
        figures.reader(CompareMsg::Left("main".into()));
        assert_eq!(figures.chosen(), ("main", ""));
        let asked = figures.asked;
        figures.reader(CompareMsg::Listed(true));
        assert_eq!(figures.asked, asked, "what is known is not asked again");
    }

    #[test]
    fn another_program_is_the_one_that_was_opened_an_example_or_a_text() {
        let mut figures = Figures::of(MLP);
        assert_eq!(figures.chosen(), ("main", ""), "nothing has its types");
        figures.reader(CompareMsg::From(From::Opened));
        assert_eq!(figures.chosen(), ("main", "main"));
        assert_eq!(figures.equality(), &Equality::Equal);
        // The text is changed, and what it was opened as is not.
        let changed = MLP.replace("swish(z_hid)", "tanh(z_hid)");
        figures.load(2, &changed, Some(MLP));
        assert!(matches!(figures.equality(), Equality::Different { .. }));
        figures.reader(CompareMsg::From(From::Example(7)));
        assert_eq!(figures.fetched, [7]);
        figures.reader(CompareMsg::Fetched(8, Ok("main = ⌊()⌋".into())));
        assert_eq!(figures.model.compare.commands.text, None, "it was another");
        figures.reader(CompareMsg::Fetched(7, Ok(changed.as_str().into())));
        assert_eq!(figures.equality(), &Equality::Equal);
        figures.reader(CompareMsg::From(From::Pasted));
        figures.reader(CompareMsg::Pasted("main = ⌊[1]⌋ +".into()));
        let known = figures.model.compare.commands.known.clone();
        assert!(
            known
                .expect("it was read")
                .other
                .as_ref()
                .expect("another")
                .is_err()
        );
        figures.reader(CompareMsg::Pasted("main = ⌊[1, 2]⌋".into()));
        assert_eq!(figures.chosen(), ("main", "main"));
        assert!(matches!(figures.equality(), Equality::Different { .. }));
    }

    #[test]
    fn two_runs_are_the_program_as_it_is_and_with_another_handler() {
        let mut figures = Figures::of(FROZEN);
        figures.reader(CompareMsg::About(About::Runs));
        let runs = &figures.model.compare.runs;
        let written: Vec<&str> = runs.edits.iter().map(|edit| &*edit.insert).collect();
        assert_eq!(written, ["H_tuning(0.1, [1, −1])", "H_SGD(0.1, [1, −1])"]);
        let ran = &runs.ran.as_ref().expect("they ran").1;
        let norm = |number: usize| ran.heap[number].difference.as_ref().map(|half| half.norm);
        assert!(norm(0) > Some(0.0));
        assert_eq!(norm(1), Some(0.0));
        figures.reader(CompareMsg::Insert(1, "H_SGD(oh)".into()));
        let ran = &figures.model.compare.runs.ran.as_ref().expect("they ran").1;
        assert!(matches!(ran.right, End::Rejected(_)));
        // With another text the places are others.
        figures.load(2, &format!("-- A line more.\n{FROZEN}"), None);
        let runs = &figures.model.compare.runs;
        assert_eq!(runs.edits[1].insert, "H_SGD(0.1, [1, −1])");
        let ran = &runs.ran.as_ref().expect("they ran").1;
        assert_eq!(ran.right, End::Value);
    }

    #[test]
    fn a_step_is_asked_about_only_when_that_is_wanted() {
        let mut figures = Figures::of(MLP);
        figures.page(ToFigures::Tab(Tab::Steps));
        let asked = figures.asked;
        figures.at(0, 1);
        assert_eq!(figures.asked, asked);
        figures.page(ToFigures::Marks(true));
        figures.at(1, 2);
        figures.at(2, 60);
        let words: Vec<&str> = figures.marks().iter().map(|same| &*same.words).collect();
        assert_eq!(
            words,
            [
                "same arrow",
                "same arrow",
                "same arrow, 3 operations set aside"
            ]
        );
        assert_eq!(
            (figures.marks()[2].position, figures.marks()[2].to),
            (2, 60)
        );
        assert_eq!(figures.asked, asked + 3);
        // Both arrows are asked for when they are looked at.
        assert!(
            figures
                .told
                .iter()
                .all(|said| *said != FromFigures::AboutStep(true))
        );
        figures.page(ToFigures::Step);
        figures.page(ToFigures::Tab(Tab::Compare));
        assert_eq!(figures.told.last(), Some(&FromFigures::AboutStep(true)));
        let known = figures
            .model
            .compare
            .step
            .known
            .clone()
            .expect("it is known");
        assert!(known.1.arrows.is_some());
        assert!(matches!(known.1.same.verdict, Verdict::Equal(_)));
        figures.reader(CompareMsg::Marks(false));
        assert_eq!(figures.told.last(), Some(&FromFigures::Marks(false)));
        figures.page(ToFigures::Tab(Tab::Diagram));
        assert_eq!(figures.told.last(), Some(&FromFigures::AboutStep(false)));
        // The stepper may be at a program that is not read yet.
        let asked = figures.asked;
        figures.reader(CompareMsg::Marks(true));
        figures.page(ToFigures::At(At {
            revision: 9,
            ..At::default()
        }));
        assert_eq!(figures.asked, asked);
    }
}
