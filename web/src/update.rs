//! Messages for the events on the page, and the function that handles them; also the questions of each tab, and their
//! answers. The functions are pure, so a test is a sequence of messages and its outcome.

pub(crate) mod ask;
pub(crate) mod keys;
pub(crate) mod page;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod worker;

pub use keys::{Chord, Focus, Key, shortcut};

use crate::compare::CompareMsg;
use crate::diagram::DiagramMsg;
use crate::drafts::update::DraftsMsg;
use crate::editor::{KeyMap, update as editor};
use crate::effects::{Effect, Timer, Wanted, stored};
use crate::model::{
    Health, Model, Overlay, Pane, Popover, Shared, Split, Subject, Tab, Want, WorkerId,
};
use crate::present::Stand;
use crate::present::update::ShowingMsg;
use crate::share::update::TravelMsg;
use crate::steps::update::heap::HeapMsg;
use crate::steps::update::reading::ReadingMsg;
use crate::steps::update::search::SearchMsg;
use crate::steps::update::words::WordsMsg;
use crate::steps::update::{StepMsg, heap, reading, trace, words};
use crate::tour::update::TourMsg;
use crate::train::TrainMsg;
use crate::train::check::{CarryMsg, CheckMsg};
use crate::types::TypesMsg;
use crate::{compare, diagram, drafts, ids, present, share, steps, tour, train, types};
use fletch_link::{Opened, Unreadable};
use fletch_playground::protocol::{Ask, Mode, Question, Reply, Request};
use std::rc::Rc;

/// An event on the page.
#[derive(Clone, Debug, PartialEq)]
pub enum Msg {
    /// The reader changed the text.
    Edited(Rc<str>),
    /// The editor's cursor moved to this offset, in UTF-16 code units.
    CursorMoved(u32),
    /// Ctrl-Enter: show the run from its start, or check the open exercise.
    Run,
    /// Put the cursor at this offset of the program, in UTF-16 code units, and show it.
    GoTo(u32),
    /// Bring the element with this id into view, wherever on the page it is.
    Visit(String),
    /// Open the example with this number.
    Open(usize),
    /// Begin a new program.
    New,
    /// An event of the drafts.
    Drafts(DraftsMsg),
    /// Dismiss the offer of programs from earlier visits.
    Later,
    /// A text of the site has arrived, or the reason why it has not.
    Fetched(Wanted, Result<Rc<str>, Rc<str>>),
    /// The editor has a question about its text; the answer carries this number.
    Asked(u32, Question),
    /// Format the program.
    Format,
    /// Insert the handler with this number on the shelf.
    Insert(usize),
    /// Apply the fix of the diagnostic with this number.
    Fix(u32),
    /// Undo the last change of the text; `true`: redo it.
    Undo(bool),
    /// Insert the offered `main` into the program.
    InsertMain,
    /// Explain the code of a diagnostic.
    Explain(Rc<str>),
    /// Go to the declaration with this number in the outline.
    Declaration(usize),
    /// Open or close the list of diagnostics.
    ToggleDiagnostics,
    /// Run the program in this mode.
    Mode(Mode),
    /// Use this key map in the editor.
    Keys(KeyMap),
    /// Read partial function symbols by convention; `false`: as the paper does.
    Total(bool),
    /// A worker is ready.
    WorkerReady(WorkerId),
    /// A worker failed.
    WorkerFailed(WorkerId, Rc<str>),
    /// A worker answered.
    Replied(WorkerId, Box<Reply>),
    /// Start the worker again and check the text.
    Retry,
    /// Stop the current work of the worker.
    Stop,
    /// Continue a stopped run.
    Continue,
    /// Move along the trace.
    Go(Move),
    /// An event of the controls of the steps.
    Step(StepMsg),
    /// Show this position.
    Show(u32),
    /// The command pane is this many characters wide.
    Measured(u32),
    /// A timer ran out.
    Fired(Timer),
    /// Switch to the next theme.
    NextTheme,
    /// Open or close something over the page.
    Over(Overlay),
    /// Add this character to the typed letters, and go to the entry of the open menu that starts with them.
    Seek(char),
    /// The window has room for a diagram below the steps, or has it no longer.
    Roomy(bool),
    /// Show another pane of the narrow page.
    Pane(Pane),
    /// Focus the stage, skipping everything before it in the tab order.
    ToStage,
    /// Fold the program to a rail, or unfold it.
    Fold,
    /// A border was dragged to this size.
    Split(Split, u32),
    /// A border was moved by this much with the keyboard.
    SplitBy(Split, i32),
    /// The drag of a border has ended.
    SplitDone,
    /// An event of the displayed command.
    Reading(ReadingMsg),
    /// An event of the panel of the rule, or of the form for copying.
    Words(WordsMsg),
    /// The pointer entered a chip, or a word that has a meaning.
    ChipHovered(Popover),
    /// A chip or a word got the focus, or was clicked.
    ChipOpened(Popover),
    /// The pointer or the focus left a chip or a word, or its popover.
    ChipLeft,
    /// The pointer entered the open popover.
    PopoverHovered,
    /// Close the popover.
    ChipClosed,
    /// An event of the heap.
    Heap(HeapMsg),
    /// Show another tab of the stage.
    Tab(Tab),
    /// Show another tab of the stage, chosen by a key, and focus it.
    TabByKey(Tab),
    /// Mark this range of the program, and show it. Offsets are in UTF-16 code units.
    Mark(u32, u32),
    /// Bring the card of this location into view.
    Location(Rc<str>),
    /// Show a call or return clause in the sandwich: the position at which the run met it, and the first position
    /// whose sandwich contains it.
    Entry(u32, u32),
    /// Show the steps of `main` again, in place of those of a training sample.
    Main,
    /// An event of the diagrams.
    Diagram(DiagramMsg),
    /// An event of the tab of types.
    Types(TypesMsg),
    /// An event of the tab of comparisons.
    Compare(CompareMsg),
    /// An event of the tab of the training.
    Train(TrainMsg),
    /// An event of the gradient check.
    Check(CheckMsg),
    /// An event of the heap of the training, or of its samples.
    Carry(CarryMsg),
    /// An event of presenting or embedding the page.
    Showing(ShowingMsg),
    /// An event of links and of the browser's history.
    Travel(TravelMsg),
    /// An event of the tour.
    Tour(TourMsg),
}

/// A move along the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// To the start.
    First,
    /// To the previous stop.
    Previous,
    /// To the next stop.
    Next,
    /// To the end.
    Last,
    /// To the previous mark on the slider.
    PreviousTick,
    /// To the next mark on the slider.
    NextTick,
}

/// Handles a message: returns the next state of the page, and the effects for the shell.
pub fn update(mut model: Model, msg: Msg) -> (Model, Vec<Effect>) {
    let mut effects = Vec::new();
    change(&mut model, msg, &mut effects);
    ask::want(&mut model, &mut effects);
    diagram::update::seek(&mut model);
    present::update::tell(&mut model, &mut effects);
    if !model.begun && model.has_begun() {
        model.begun = true;
        effects.push(Effect::LoadEditor);
    }
    (model, effects)
}

/// Returns the state and the effects with which the page opens.
pub fn start(mut model: Model, link: Option<Result<Opened, Unreadable>>) -> (Model, Vec<Effect>) {
    let mut effects = vec![
        Effect::Start(Timer::Start, worker::START),
        Effect::Paint(model.theme),
    ];
    share::update::start(&mut model, link, &mut effects);
    editor::load(&mut model, &mut effects);
    if model.keys != KeyMap::Standard {
        effects.push(Effect::Keys(model.keys));
    }
    present::update::settle(&mut model, &mut effects);
    present::update::tell(&mut model, &mut effects);
    editor::assist::miss_original(&model, &mut effects);
    (model, effects)
}

fn change(model: &mut Model, msg: Msg, effects: &mut Vec<Effect>) {
    // A chosen rare control closes the others, so that its reader sees what it does.
    if let Msg::Reading(ReadingMsg::Compare)
    | Msg::Over(Overlay::Copy)
    | Msg::Compare(CompareMsg::Marks(true))
    | Msg::Heap(HeapMsg::Scale(_))
    | Msg::Step(StepMsg::Search(SearchMsg::Open)) = msg
    {
        model.stepping.more = false;
    }
    match msg {
        Msg::Edited(text) => editor::edited(model, text, effects),
        Msg::CursorMoved(offset) => {
            model.program.cursor = editor::line_and_column(&model.program.text, offset);
            // A cursor message that repeats the offset must not move the reader away from a derivation that was
            // selected.
            if std::mem::replace(&mut model.stepping.cursor, offset) != offset {
                model.types.follow(offset);
            }
        }
        Msg::Run => editor::run(model, effects),
        Msg::GoTo(offset) => {
            page::unfold(model, effects);
            effects.push(Effect::GoTo(offset));
        }
        Msg::Visit(id) => page::visit(model, id, effects),
        Msg::Open(number) => editor::open(model, number, effects),
        Msg::New => editor::create(model, effects),
        Msg::Drafts(msg) => drafts::update::change(model, msg, effects),
        Msg::Later => model.drafts.offered = Rc::new([]),
        Msg::Fetched(wanted, text) => editor::assist::fetched(model, wanted, text, effects),
        Msg::Asked(number, question) => editor::assist::asked(model, number, question, effects),
        Msg::Format => editor::assist::format(model, effects),
        Msg::Insert(number) => editor::assist::insert(model, number, effects),
        Msg::Undo(redo) => effects.push(Effect::Undo(redo)),
        Msg::Fix(number) => {
            page::unfold(model, effects);
            effects.push(Effect::Fix(number));
        }
        Msg::InsertMain => editor::insert_main(model, effects),
        Msg::Explain(code) => editor::assist::explain(model, code, effects),
        Msg::Declaration(number) => editor::assist::declaration(model, number, effects),
        Msg::ToggleDiagnostics => model.check.listed = !model.check.listed,
        Msg::Total(total) => {
            let mode = Mode {
                total,
                ..model.mode
            };
            editor::run_as(model, mode, effects);
        }
        Msg::Mode(mode) => editor::run_as(model, mode, effects),
        Msg::Keys(keys) => editor::assist::keys(model, keys, effects),
        Msg::WorkerReady(id) => worker::ready(model, id, effects),
        Msg::WorkerFailed(id, why) => worker::failed(model, id, why, effects),
        Msg::Replied(id, reply) => worker::replied(model, id, *reply, effects),
        Msg::Retry => worker::retry(model, effects),
        Msg::Stop => worker::stop(model, effects),
        Msg::Continue => trace::go_on(model, effects),
        Msg::Go(step) => {
            // A pressed button of the presenter's bar would keep the bar visible, and would take the keys.
            if model.showing.stand == Stand::Presented {
                effects.push(present::update::focus(model));
            }
            steps::update::go(model, step, effects);
        }
        Msg::Step(msg) => steps::update::change(model, msg, effects),
        Msg::Show(position) => trace::show(model, position, effects),
        Msg::Measured(columns) => trace::measured(model, columns, effects),
        Msg::Fired(timer) => fired(model, timer, effects),
        Msg::NextTheme => {
            model.theme = model.theme.next();
            effects.push(Effect::Paint(model.theme));
            effects.push(Effect::Store(stored::THEME, model.theme.name().into()));
        }
        Msg::Over(overlay) => page::over(model, overlay, effects),
        Msg::Seek(character) => page::seek(model, character, effects),
        Msg::Roomy(roomy) => model.layout.roomy = roomy,
        Msg::Pane(pane) => model.layout.pane = pane,
        Msg::ToStage => effects.push(Effect::Focus(ids::STAGE.into())),
        Msg::Fold => {
            let folded = model.layout.folds(model.tab);
            model.layout.fold(model.tab, !folded);
            page::keep_layout(model, effects);
        }
        Msg::Split(split, size) => model.layout.set(split, size),
        Msg::SplitBy(split, by) => {
            let size = model.layout.get(split).saturating_add_signed(by);
            model.layout.set(split, size);
            page::keep_layout(model, effects);
        }
        Msg::SplitDone => page::keep_layout(model, effects),
        Msg::Reading(msg) => reading::change(model, msg, effects),
        Msg::Words(msg) => words::change(model, msg, effects),
        Msg::ChipHovered(popover) => page::chip_hovered(model, popover, effects),
        Msg::ChipOpened(popover) => page::chip_opened(model, popover, effects),
        Msg::ChipLeft => page::chip_left(model, effects),
        Msg::PopoverHovered => effects.push(Effect::Cancel(Timer::Hover)),
        Msg::ChipClosed => page::chip_closed(model, effects),
        Msg::Heap(msg) => heap::heap(model, msg, effects),
        Msg::Tab(tab) => page::turn_to(model, tab, effects),
        Msg::TabByKey(tab) => page::tab_by_key(model, tab, effects),
        Msg::Mark(from, to) => page::mark(model, (from, to), effects),
        Msg::Location(name) => page::visit(model, crate::ids::card(&name), effects),
        Msg::Entry(met, there) => page::sandwich_entry(model, met, there, effects),
        Msg::Main => train::update::sampled::back(model, effects),
        Msg::Diagram(msg) => diagram::update::change(model, msg, effects),
        Msg::Types(msg) => types::update::change(model, msg, effects),
        Msg::Compare(msg) => compare::update::change(model, msg, effects),
        Msg::Train(msg) => train::update::change(model, msg, effects),
        Msg::Check(msg) => train::update::checking(model, msg, effects),
        Msg::Carry(msg) => train::update::carry_by(model, msg, effects),
        Msg::Showing(msg) => present::update::change(model, msg, effects),
        Msg::Travel(msg) => share::update::change(model, msg, effects),
        Msg::Tour(msg) => tour::update::change(model, msg, effects),
    }
}

/// Questions of the figures that are shown and whose answers are missing.
fn wants(model: &Model, subject: &Subject) -> Vec<Want> {
    let all = (diagram::update::wants(model).into_iter())
        .chain(types::update::wants(model))
        .chain(compare::update::wants(model));
    let mut all: Vec<Want> = all.collect();
    // A rejected program neither trains nor becomes a module.
    if !subject.is_rejected {
        all.extend(train::update::wants(model));
        all.extend(share::update::wants(model));
    }
    all
}

/// Passes a reply of the figures' worker to its figure.
#[inline(never)] // A start does without it.
fn replied(model: &mut Model, request: &Rc<Request>, reply: Reply, effects: &mut Vec<Effect>) {
    let revision = request.revision;
    match (&request.ask, reply) {
        (Ask::Load { .. }, Reply::Checked(checked)) => {
            let subject = model.subject.as_ref();
            if let Some(subject) = subject.filter(|subject| subject.revision == revision) {
                // A link may have replaced the program; then the commands of this one decide nothing.
                if subject.text == model.program.text {
                    diagram::update::read(&mut model.diagram, &checked.commands);
                }
                model.subject = Some(Rc::new(Subject {
                    commands: Some(checked.commands.into()),
                    ..(**subject).clone()
                }));
            }
        }
        (Ask::Write(drawing, format), Reply::Written(Ok(text))) => {
            diagram::update::written(drawing, *format, &text, effects);
        }
        (Ask::Write(..), _) => {
            let why = "Not saved: the program has changed meanwhile.";
            editor::assist::notice(model, why, effects);
        }
        (Ask::Train(asked), Reply::Trained(answer)) => {
            train::update::trained(model, revision, *asked, *answer, effects);
        }
        (Ask::Check(_), Reply::CheckedGradient(found)) => {
            train::update::checked(model, revision, *found, effects);
        }
        (Ask::Tour(_), Reply::Toured(came)) => tour::update::judged(model, *came, effects),
        (Ask::Carry(_), Reply::Carried(carried)) => {
            train::update::carried(model, revision, *carried, effects);
        }
        (ask @ (Ask::Look(_) | Ask::Inside(_) | Ask::Try(_) | Ask::Data(_)), reply) => {
            train::update::pictured(model, revision, ask, reply, effects);
        }
        // Any other answer is shown if its request is the last one of its figure.
        (ask, reply) if model.asked.has(request) => match (ask, reply) {
            (Ask::Draw(drawing), Reply::Drawn(figure)) => {
                diagram::update::drawn(model, request, drawing, *figure);
            }
            (Ask::Follow { network, .. }, Reply::Followed(links)) => {
                diagram::update::followed(model, revision, *network, *links);
            }
            (Ask::Values(_), Reply::Values(values)) => {
                model.diagram.run.values = Some((revision, Shared::new(*values)));
            }
            (Ask::Norms(_), Reply::Norms(norms)) => {
                model.diagram.run.norms = Some((revision, Shared::new(*norms)));
            }
            (Ask::Derive(_), Reply::Derived(derived)) => model.types.show(*derived),
            (Ask::Python, Reply::Python(module)) => share::update::exported(model, module, effects),
            (ask, reply) => compare::update::replied(model, revision, ask, reply),
        },
        _ => {}
    }
}

fn fired(model: &mut Model, timer: Timer, effects: &mut Vec<Effect>) {
    match timer {
        Timer::Check => editor::load(model, effects),
        Timer::Slow => {
            model.worker.slow =
                model.worker.health == Health::Ready && !model.worker.in_flight.is_empty()
        }
        Timer::Stop => worker::abandon(model, effects),
        Timer::Start => worker::failed(
            model,
            WorkerId::Steps,
            "it did not start within twenty seconds".into(),
            effects,
        ),
        Timer::Resize => trace::ask(model, effects),
        Timer::Hover => page::hover_rested(model, effects),
        Timer::Inspect => reading::rested(model, effects),
        Timer::Announce => trace::announce(model),
        Timer::Notice => model.notice = None,
        Timer::Play => steps::update::play_on(model, effects),
        Timer::Noted => model.stepping.note = None,
        Timer::Remote => present::update::change(model, ShowingMsg::Remote(false), effects),
        Timer::Epoch => train::update::change(model, TrainMsg::Due, effects),
        Timer::Keep => train::update::carry_by(model, CarryMsg::Due, effects),
    }
}
