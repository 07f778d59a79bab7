//! The figures: opening them when one is first asked for, and telling them what they do not know yet.

use super::drafts::{self, DraftsMsg};
use super::{page, trace, travel};
use crate::effects::{Effect, stored};
use crate::ids;
use crate::model::{CheckPhase, Model, Opening, Pane, Sent, Told, Trace};
use crate::talk::{At, FromFigures, Program, Tab, ToFigures};
use fletch_playground::protocol::{Request, Timeline};
use std::rc::Rc;

/// Something with the figures.
#[derive(Clone, Debug, PartialEq)]
pub enum FiguresMsg {
    /// Show this tab.
    Tab(Tab),
    /// Show this tab, and give it the keyboard.
    TabByKey(Tab),
    /// They are there, or the reason why not.
    Opened(Result<(), Rc<str>>),
    /// They say something.
    Said(FromFigures),
    /// Show the box of the call, or of the return clause, that was met at this position.
    Box(u32),
    /// Say at each step from now on that the arrow stays the same.
    Marks,
    /// Show the arrows of the step.
    Step,
    /// Show the steps of `main` again.
    Main,
}

pub(super) fn change(model: &mut Model, msg: FiguresMsg, effects: &mut Vec<Effect>) {
    match msg {
        FiguresMsg::Tab(tab) => {
            model.figures.tab = tab;
            if tab != Tab::Steps {
                open(model, effects);
            }
        }
        FiguresMsg::Marks => {
            marks(model, true, effects);
            open(model, effects);
        }
        FiguresMsg::Step => {
            model.figures.step = true;
            change(model, FiguresMsg::TabByKey(Tab::Compare), effects);
        }
        FiguresMsg::TabByKey(tab) => {
            change(model, FiguresMsg::Tab(tab), effects);
            effects.push(Effect::Focus(ids::tab(tab)));
        }
        FiguresMsg::Opened(Ok(())) => {
            model.figures.state = Opening::Open;
            model.figures.told = Told::default();
        }
        FiguresMsg::Main => super::sampled::back(model, effects),
        FiguresMsg::Opened(Err(why)) => {
            travel::not_exported(model, &why);
            model.figures.state = Opening::Failed(why);
        }
        FiguresMsg::Said(said) => hear(model, said, effects),
        FiguresMsg::Box(met) => {
            model.figures.sought = Some(met);
            model.layout.pane = Pane::Steps;
            change(model, FiguresMsg::Tab(Tab::Diagram), effects);
        }
    }
}

/// Loads the figures, if they are not there.
pub(super) fn open(model: &mut Model, effects: &mut Vec<Effect>) {
    let figures = &mut model.figures;
    if matches!(figures.state, Opening::Closed | Opening::Failed(_)) {
        figures.state = Opening::Opening;
        effects.push(Effect::OpenFigures);
    }
}

fn marks(model: &mut Model, on: bool, effects: &mut Vec<Effect>) {
    model.figures.marks = on;
    let stored = if on { "on" } else { "off" };
    effects.push(Effect::Store(stored::SAME, stored.into()));
}

fn hear(model: &mut Model, said: FromFigures, effects: &mut Vec<Effect>) {
    match said {
        FromFigures::Mark(from, to) => effects.push(Effect::Mark {
            ran: None,
            range: Some((from, to)),
            reveal: true,
        }),
        FromFigures::Edit(edit) => effects.push(Effect::Edit([edit].into())),
        FromFigures::Edits(edits) => effects.push(Effect::Edit(edits.into())),
        FromFigures::ChooseFile => drafts::change(model, DraftsMsg::Choose, effects),
        FromFigures::Show(position) => trace::show(model, position, effects),
        FromFigures::Location(name) => page::visit(model, ids::card(&name), effects),
        FromFigures::Entry { met, there } => {
            change(model, FiguresMsg::Tab(Tab::Steps), effects);
            let met_by = |trace: &Trace| trace.position > met;
            if !model.trace.as_ref().is_some_and(met_by) {
                trace::show(model, there, effects);
            }
            page::visit(model, ids::layer(met), effects);
        }
        FromFigures::Same(same) => model.figures.same = Some(same),
        FromFigures::Marks(on) => {
            marks(model, on, effects);
            // They know.
            model.figures.told.marks = on;
        }
        FromFigures::AboutStep(about) => model.figures.about_step = about,
        FromFigures::Look(look) => {
            model.figures.look.clone_from(&look);
            // They know.
            model.figures.told.look = look;
        }
        FromFigures::Keep(text) => super::sampled::keep(model, &text, effects),
        FromFigures::Sample { sample, data, heap } => {
            super::sampled::step(model, sample, &data, heap, effects);
        }
        FromFigures::Exported(module) => travel::exported(model, module, effects),
        FromFigures::Failed(why) => {
            model.figures.state = Opening::Failed(why.as_str().into());
            travel::not_exported(model, &why);
        }
    }
}

/// Tells the figures what has changed since they were last told.
pub(super) fn tell(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.figures.state == Opening::Closed && model.figures.marks && model.trace.is_some() {
        // A reader who wanted the marks on an earlier visit waits for nothing else.
        open(model, effects);
    }
    if model.figures.state != Opening::Open {
        return;
    }
    ask(model, effects);
    let checks = model.check.phase == CheckPhase::Checked && model.errors() == 0;
    let revision = model.program.revision;
    let at = at(model);
    let sought = model.figures.sought.take();
    let opened = opened(model);
    let sample = model.figures.sampled.as_ref();
    let sample = sample.map(|sampled| sampled.sample);
    let kept = super::sampled::kept(model);
    let files = &model.program.files;
    let told = &mut model.figures.told;
    let mut say = |said| effects.push(Effect::Tell(said));
    if checks && told.files != *files {
        told.files = files.clone();
        let files = files.iter();
        let files = files.map(|file| (file.name.to_string(), file.text.to_string()));
        say(ToFigures::Files(files.collect()));
    }
    if checks && told.revision != revision {
        told.revision = revision;
        told.stale = false;
        if told.sample != sample {
            told.sample = sample;
            say(ToFigures::Sample(sample));
        }
        say(ToFigures::Program(Program {
            revision,
            source: model.program.text.to_string(),
            opened,
            heap: model.heap.edits.to_vec(),
            mode: model.mode,
        }));
    }
    if checks && told.kept != kept {
        told.kept = kept.clone();
        say(ToFigures::Kept(kept.to_string()));
    }
    if !checks && model.check.phase != CheckPhase::Checking && !told.stale {
        told.stale = true;
        say(ToFigures::Stale);
    }
    // What a link says is about its program.
    if checks && told.look != model.figures.look {
        told.look.clone_from(&model.figures.look);
        say(ToFigures::Look(model.figures.look.clone()));
    }
    if told.tab != Some(model.figures.tab) {
        told.tab = Some(model.figures.tab);
        say(ToFigures::Tab(model.figures.tab));
    }
    if told.cursor != Some(model.stepping.cursor) {
        told.cursor = Some(model.stepping.cursor);
        say(ToFigures::Cursor(model.stepping.cursor));
    }
    if told.theme != Some(model.theme) {
        told.theme = Some(model.theme);
        say(ToFigures::Theme(model.theme.name().to_owned()));
    }
    if let Some(met) = sought {
        say(ToFigures::Box(met));
    }
    if told.marks != model.figures.marks {
        told.marks = model.figures.marks;
        say(ToFigures::Marks(model.figures.marks));
    }
    if checks && std::mem::take(&mut model.figures.export) {
        say(ToFigures::Export);
    }
    if std::mem::take(&mut model.figures.step) {
        say(ToFigures::Step);
    }
    if let Some(at) = at
        && told.at.as_ref() != Some(&at)
    {
        told.at = Some(at.clone());
        say(ToFigures::At(at));
    }
}

/// Asks for the parts of the run, once all of it is here, where a diagram shows them.
fn ask(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(trace) = &model.trace else { return };
    let run = (trace.revision, trace.steps);
    let wanted = model.figures.tab == Tab::Diagram && model.figures.told.run != Some(run);
    if !(trace.indexed().is_some() && wanted && model.worker.holds == trace.revision) {
        return;
    }
    model.figures.told.run = Some(run);
    model.worker.in_flight.push_back(Sent::Timeline);
    let revision = trace.revision;
    effects.push(Effect::Send(Request::Timeline { revision }));
}

/// The parts of the run are known.
pub(super) fn follow(model: &Model, timeline: Timeline, effects: &mut Vec<Effect>) {
    if model.figures.state == Opening::Open {
        effects.push(Effect::Tell(ToFigures::Timeline(timeline)));
    }
}

/// The position on the screen.
fn at(model: &Model) -> Option<At> {
    let trace = model.trace.as_ref()?;
    let (view, shown) = (trace.view.as_ref()?, trace.shown.as_ref()?);
    Some(At {
        revision: shown.revision,
        position: shown.position,
        to: trace.stops(model.stepping.level).after(shown.position),
        redex: view.source,
        work: view.work,
    })
}

/// The text that the program was opened as, if it was changed since and is known.
fn opened(model: &Model) -> Option<String> {
    let original = &model.program.original;
    let other = !original.is_empty() && *original != model.program.text;
    other.then(|| original.to_string())
}
