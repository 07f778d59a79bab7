//! Updates of links: opening a link, back and forward of the browser, sharing.

use crate::editor::update as program;
use crate::editor::{CheckPhase, OWN, Program};
use crate::effects::{Copier, Effect, File};
use crate::model::{Model, Overlay, Want};
use crate::present::{Part, Parts, Stand};
use crate::share::{Code, SHARE_CODE, Share, texts};
use crate::texts::{A_PROGRAM_IN_FLETCH, UNTITLED, capitalised};
use crate::update::{ask, page};
use fletch_link::{Link, Opened, Settings, Unreadable};
use fletch_playground::protocol::{Ask, EditorDiagnostic};
use qrcodegen::{QrCode, QrCodeEcc, QrSegment, Version};
use std::fmt::Write;
use std::rc::Rc;

/// An event of links or of the browser's history.
#[derive(Clone, Debug, PartialEq)]
pub enum TravelMsg {
    /// The address has this fragment now.
    Linked(Rc<str>),
    /// The browser went to the program with this number in its history; the address has this fragment.
    Returned(u32, Rc<str>),
    /// Dismiss the message about a link.
    Read,
    /// Go back to the program before the link.
    Back,
    /// Open the dialog for sharing.
    Share,
    /// Include the current step and the view settings in the link, or not.
    Whole(bool),
    /// Show or hide this part in an embedded page.
    Part(Part),
    /// The text of an embedded page is fixed, or not.
    Fixed(bool),
    /// Put a form of the link on the clipboard.
    Copy(Form),
    /// The browser has put the form on the clipboard; `false`: it has refused.
    Copied(bool),
    /// Save the program as a file.
    Save,
    /// Save the program as a module of Python.
    Python,
    /// Show the QR code.
    Code,
    /// Open the system's share sheet for the link.
    Sheet,
    /// Open the program on a page of its own.
    Alone,
}

/// Form in which a link is copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The link itself.
    Link,
    /// A link in Markdown, with the program's name.
    Markdown,
    /// The program as a code block of Markdown, which `embed.js` makes interactive.
    Block,
    /// An HTML frame with the embedded page.
    Frame,
    /// The address of the open lesson.
    Lesson,
}

#[inline(never)] // A start does without it.
pub(crate) fn change(model: &mut Model, msg: TravelMsg, effects: &mut Vec<Effect>) {
    match msg {
        TravelMsg::Linked(fragment) => {
            if !crate::tour::update::linked(model, &fragment, effects) {
                open(model, &fragment, effects);
            }
        }
        TravelMsg::Returned(number, fragment) => {
            returned(model, number, &fragment, effects);
            crate::tour::update::returned(model, &fragment, effects);
        }
        TravelMsg::Read => {
            model.travel.told = None;
            crate::steps::update::trace::keep_place(model, effects);
        }
        TravelMsg::Back => effects.push(Effect::Back),
        TravelMsg::Share => {
            model.travel.share = Share {
                whole: model.travel.share.whole,
                parts: model.travel.share.parts,
                fixed: model.travel.share.fixed,
                ..Share::default()
            };
            renew(model);
            crate::update::page::over(model, Overlay::Share, effects);
        }
        TravelMsg::Whole(whole) => {
            model.travel.share.whole = whole;
            renew(model);
        }
        TravelMsg::Part(part) => {
            model.travel.share.parts = Some(parts(model).toggled(part));
        }
        TravelMsg::Fixed(fixed) => model.travel.share.fixed = fixed,
        TravelMsg::Copy(form) => {
            model.travel.share.said = Some(
                match form {
                    Form::Link => "Copied the link.",
                    Form::Markdown => "Copied the link as Markdown.",
                    Form::Block => "Copied the program as a block of Markdown.",
                    Form::Frame => "Copied the embed code.",
                    Form::Lesson => "Copied the address of the lesson.",
                }
                .into(),
            );
            effects.push(Effect::Copy(text(model, form).into(), Copier::Share));
        }
        TravelMsg::Copied(true) => {}
        TravelMsg::Copied(false) => {
            let text =
                "The browser does not let the page copy: select the link, and copy it by hand.";
            model.travel.share.said = Some(text.into());
            effects.push(Effect::Focus("share-link".to_owned()));
        }
        TravelMsg::Save => {
            let name = model.program.file_name();
            let files = texts::not_in_it(&model.check.files);
            model.travel.share.said = Some(format!("Saved {name}.{files}").into());
            effects.push(Effect::Save(File::text(
                &name,
                "text/plain",
                &model.program.text,
            )));
        }
        TravelMsg::Python => {
            if model.errors() > 0 {
                model.travel.share.said = Some("The program has errors: only a program without errors becomes a Python module.".into());
                return;
            }
            model.travel.share.python = true;
            model.travel.share.said = Some("Writing the Python module…".into());
            ask::start(model, effects);
        }
        TravelMsg::Code => {
            let share = &mut model.travel.share;
            share.code = match share.code {
                None => Some(code(&share.link)),
                Some(_) => None,
            };
            effects.push(Effect::Focus(SHARE_CODE.into()));
        }
        TravelMsg::Sheet => effects.push(Effect::Sheet(model.travel.share.link.clone())),
        TravelMsg::Alone => {
            let fragment = link(model, true).fragment();
            effects.push(Effect::OpenPage(
                format!("{}#{fragment}", model.travel.address).into(),
            ));
        }
    }
}

/// Request for the program as a Python module, while the reader waits for it.
#[inline(never)] // A start does without it.
pub(crate) fn wants(model: &Model) -> Option<Want> {
    let wanted = model.travel.share.python && !model.is_ahead();
    wanted.then(|| Want::once(Ask::Python))
}

/// Saves the Python module, or shows the reason why there is none.
pub(crate) fn exported(
    model: &mut Model,
    module: Result<String, EditorDiagnostic>,
    effects: &mut Vec<Effect>,
) {
    // The next request gives another file.
    model.asked.forget(&Ask::Python);
    if !std::mem::take(&mut model.travel.share.python) {
        return;
    }
    match module {
        Ok(module) => {
            // A module name that Python can import.
            let name = model.program.file_name();
            let stem = name.trim_end_matches(".fletch");
            let name = format!(
                "{}.py",
                stem.replace(|sign: char| !sign.is_alphanumeric(), "_")
            );
            model.travel.share.said = Some(format!("Saved {name}.").into());
            effects.push(Effect::Save(File::text(&name, "text/x-python", &module)));
        }
        Err(why) => {
            model.travel.share.said =
                Some(format!("There is no Python module: {why}.", why = why.message).into());
        }
    }
}

/// Reports that there is no Python module, because its writer could not be loaded or has failed.
pub(crate) fn not_exported(model: &mut Model, why: &str) {
    if std::mem::take(&mut model.travel.share.python) {
        model.travel.share.said = Some(format!("There is no Python module: {why}.").into());
    }
}

/// Opens the fragment of the address if it is a link. An unreadable link is reported, and the editor keeps its text.
fn open(model: &mut Model, fragment: &str, effects: &mut Vec<Effect>) {
    if fragment.trim_start_matches('#').is_empty() {
        return;
    }
    match Link::read(fragment) {
        Ok(opened) => {
            if *model.program.text != *opened.link.source {
                let text = opened.link.source.as_str();
                program::replace(model, OWN, "", text, text, effects);
                model.program.given = opened.link.settings.name.as_str().into();
                program::keep(model, effects);
                enter(model, false, effects);
            }
            arrive(model, opened, effects);
            model.check.phase = CheckPhase::Edited;
            program::load(model, effects);
        }
        Err(error) => refuse(model, &error),
    }
}

/// Records the program that the page opens with in the history. A link's program is displayed already.
pub(crate) fn start(
    model: &mut Model,
    link: Option<Result<Opened, Unreadable>>,
    effects: &mut Vec<Effect>,
) {
    let here = model.travel.here;
    let program = Rc::new(model.program.clone());
    model.travel.visits.insert(here, program);
    match link {
        Some(Ok(opened)) => arrive(model, opened, effects),
        Some(Err(error)) => refuse(model, &error),
        None => entry(model, false, effects),
    }
    // A lesson that is fetched later runs its own program; it restores the position then.
    if let Some(place) = model.travel.resumed {
        place.resume(model);
    }
}

fn refuse(model: &mut Model, error: &Unreadable) {
    let why = capitalised(&error.to_string());
    let program = &model.program;
    // A new reader has no own program, so the message speaks of an example.
    let example = !program.is_own() && program.text == program.original;
    let shown = match (model.showing.stand, example) {
        (Stand::Embedded, _) => texts::EXAMPLE_INSTEAD,
        (_, true) => texts::EXAMPLE_KEPT,
        (_, false) => texts::PROGRAM_KEPT,
    };
    tell(model, &format!("{why}. {shown}"));
}

/// Applies the settings of a link. The run computes only its first steps, within the usual budget.
pub(crate) fn arrive(model: &mut Model, opened: Opened, effects: &mut Vec<Effect>) {
    let Opened { link, ignored } = opened;
    let Settings {
        name: _,
        step,
        level,
        view,
        folds,
        diagram,
        breakpoints,
        mode,
    } = link.settings;
    model.travel.linked = true;
    entry(model, false, effects);
    model.stepping.level = level;
    model.stepping.left = step;
    model.stepping.breakpoints = breakpoints.into();
    effects.push(Effect::Breakpoints(model.stepping.breakpoints.clone()));
    model.mode = mode;
    model.reading.toggled = folds.into();
    model.heap.edits = link.heap.into();
    if let Some(trace) = &mut model.trace {
        (trace.position, trace.from) = (step, None);
    }
    model.diagram.take(diagram);
    if model.tab != view && model.showing.offers(view) {
        page::tab(model, view, effects);
    }
    if model.showing.stand == Stand::Embedded && ignored.is_empty() {
        return;
    }
    let mut told = "This program comes from a link. Fletch shows how it runs, one step after another: ▶ plays them. At first no more than the first steps are computed, and nothing leaves this browser.".to_owned();
    if !ignored.is_empty() {
        told.push_str(&format!(
            " Parts of the link are not known here and are left out: {keys}.",
            keys = ignored.join(", ")
        ));
    }
    tell(model, &told);
}

fn tell(model: &mut Model, text: &str) {
    model.travel.told = Some(text.into());
}

/// Records that another program is displayed, as a new entry of the browser's history if `push` is true.
pub(crate) fn enter(model: &mut Model, push: bool, effects: &mut Vec<Effect>) {
    let travel = &mut model.travel;
    if let Some(left) = &model.replaced {
        travel.visits.insert(travel.here, left.clone());
    }
    let last = travel
        .visits
        .keys()
        .next_back()
        .copied()
        .unwrap_or_default();
    travel.here = last.max(travel.here) + 1;
    travel
        .visits
        .insert(travel.here, Rc::new(model.program.clone()));
    travel.linked = false;
    travel.told = None;
    entry(model, push, effects);
}

/// Records the program in the current or a new entry of the history. The address keeps a link while it describes the
/// displayed program.
pub(crate) fn entry(model: &Model, push: bool, effects: &mut Vec<Effect>) {
    effects.push(Effect::Entry {
        number: model.travel.here,
        push,
        linked: model.travel.linked,
    });
}

/// Handles back and forward of the browser.
fn returned(model: &mut Model, number: u32, fragment: &str, effects: &mut Vec<Effect>) {
    let travel = &mut model.travel;
    if travel.here == number {
        return;
    }
    // After a reload of the page an earlier entry has only its link.
    let Some(program) = travel.visits.get(&number).cloned() else {
        return open(model, fragment, effects);
    };
    let left = Rc::new(model.program.clone());
    travel.visits.insert(travel.here, left);
    travel.here = number;
    travel.linked = false;
    travel.told = None;
    program::put(model, &program, effects);
}

/// The text was changed, so a link in the address no longer describes it.
pub(crate) fn edited(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.travel.linked {
        model.travel.linked = false;
        model.travel.told = None;
        entry(model, false, effects);
    }
}

/// Link to the program, with the current step and the view settings if `whole` is true.
fn link(model: &Model, whole: bool) -> Link {
    let source = model.program.text.to_string();
    let name = model.program.given.to_string();
    if !whole {
        let settings = Settings {
            name,
            ..Settings::default()
        };
        return Link {
            source,
            settings,
            heap: Vec::new(),
        };
    }
    Link {
        source,
        settings: Settings {
            name,
            // A link cannot refer to the steps of a training sample.
            step: match &model.sampled {
                Some(_) => 0,
                None => model.trace.as_ref().map_or(0, |trace| trace.position),
            },
            level: model.stepping.level,
            view: model.tab,
            folds: model.reading.toggled.to_vec(),
            diagram: model.diagram.look(),
            breakpoints: model.stepping.breakpoints.to_vec(),
            mode: model.mode,
        },
        heap: match &model.sampled {
            Some(sampled) => sampled.before.to_vec(),
            None => model.heap.edits.to_vec(),
        },
    }
}

/// Makes the link of the dialog again.
fn renew(model: &mut Model) {
    let fragment = link(model, model.travel.share.whole).fragment();
    let travel = &mut model.travel;
    travel.share.link = format!("{}#{fragment}", travel.address).into();
    travel.share.said = None;
    if travel.share.code.is_some() {
        travel.share.code = Some(code(&travel.share.link));
    }
}

/// Parts that an embedded page shows: the chosen ones, or else the usual ones.
pub(crate) fn parts(model: &Model) -> Parts {
    model.travel.share.parts.unwrap_or(Parts::EMBEDDED)
}

/// Address of the open lesson, at its open exercise. The address does not contain the reader's work.
pub(crate) fn lesson(model: &Model) -> Option<String> {
    let open = model.tour.open.as_ref()?;
    let anchor = open.exercise.as_ref().map(|id| format!("exercise-{id}"));
    let place = crate::tour::fragment(&open.lesson.name, &anchor.unwrap_or_default());
    Some(format!("{}{place}", model.travel.address))
}

fn text(model: &Model, form: Form) -> String {
    let share = &model.travel.share;
    let heading = model.program.heading();
    let title = match &*heading {
        UNTITLED => A_PROGRAM_IN_FLETCH,
        title => title,
    };
    match form {
        Form::Link => share.link.to_string(),
        Form::Lesson => lesson(model).unwrap_or_default(),
        Form::Markdown => {
            let title: String = title
                .chars()
                .flat_map(|sign| {
                    r"\[]`*_<>"
                        .contains(sign)
                        .then_some('\\')
                        .into_iter()
                        .chain([sign])
                })
                .collect();
            format!("[{title}]({})", share.link)
        }
        Form::Block => {
            // The fence must be longer than any run of backquotes in the program.
            let longest = model
                .program
                .text
                .split(|sign| sign != '`')
                .map(str::len)
                .max();
            let fence = "`".repeat(longest.unwrap_or(0).max(2) + 1);
            format!(
                "{fence}fletch\n{}\n{fence}\n",
                model.program.text.trim_end_matches('\n')
            )
        }
        Form::Frame => {
            let fixed = if share.fixed { "&amp;readonly" } else { "" };
            let (before, fragment) = share.link.split_once('#').unwrap_or((&share.link, ""));
            let title = title
                .replace('&', "&amp;")
                .replace('"', "&quot;")
                .replace('<', "&lt;");
            format!(
                "<iframe src=\"{before}?embed&amp;panes={}{fixed}#{}\" title=\"{title}\" width=\"100%\" height=\"560\" loading=\"lazy\" style=\"border: 0\"></iframe>",
                parts(model).names(","),
                fragment.replace('&', "&amp;"),
            )
        }
    }
}

/// Largest QR version in use: 125 modules a side, which a phone can still resolve on a wall.
const FINEST: u8 = 27;

/// The link as a QR code.
fn code(link: &str) -> Code {
    let segments = QrSegment::make_segments(link);
    let (low, finest) = (QrCodeEcc::Low, Version::new(FINEST));
    let square = QrCode::encode_segments_advanced(&segments, low, Version::MIN, finest, None, true);
    let Ok(square) = square else {
        return Code::TooLong;
    };
    let mut path = String::new();
    for y in 0..square.size() {
        for x in (0..square.size()).filter(|x| square.get_module(*x, y)) {
            let _ = write!(path, "M{x} {y}h1v1h-1z");
        }
    }
    Code::Square(square.size().unsigned_abs(), path.into())
}

/// Program before the last opened link, for a reader who did not ask for that link.
pub(crate) fn before(model: &Model) -> Option<&Program> {
    let travel = &model.travel;
    let before = travel.visits.range(..travel.here).next_back();
    let (_, program) = before.filter(|_| travel.linked)?;
    Some(program)
}
