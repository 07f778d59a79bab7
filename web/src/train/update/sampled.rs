//! Updates of the run of a training sample in place of `main`, and of the heap that is kept with the program.

use crate::drafts::DataFile;
use crate::editor::update as program;
use crate::effects::{Effect, Store};
use crate::ids;
use crate::model::{Model, Pane, Tab};
use crate::present::Stand;
use crate::steps::update as stepping;
use crate::train::sampled::{HEAP_FILE, Sampled};
use fletch_playground::Sample;
use fletch_playground::protocol::Edit;
use std::rc::Rc;

/// Shows the steps of a sample of a data set, from the heap of its training at an epoch.
pub(crate) fn step(
    model: &mut Model,
    sample: Sample,
    (data, epoch): (&str, u32),
    heap: Vec<Edit>,
    effects: &mut Vec<Effect>,
) {
    let before = match model.sampled.take() {
        Some(sampled) => sampled.before.clone(),
        None => model.heap.edits.clone(),
    };
    model.sampled = Some(Rc::new(Sampled {
        sample,
        data: data.into(),
        epoch,
        before,
    }));
    model.heap.edits = heap.into();
    begin(model, effects);
    model.layout.pane = Pane::Steps;
    model.tab = Tab::Steps;
    effects.push(Effect::Focus(ids::tab(Tab::Steps)));
}

/// Shows the steps of `main` again.
pub(crate) fn back(model: &mut Model, effects: &mut Vec<Effect>) {
    leave(model);
    begin(model, effects);
    effects.push(Effect::Focus(ids::tab(model.tab)));
}

/// Leaves the run of a sample and restores the heap that `main` starts from.
pub(crate) fn leave(model: &mut Model) {
    if let Some(sampled) = model.sampled.take() {
        model.heap.edits = sampled.before.clone();
    }
}

fn begin(model: &mut Model, effects: &mut Vec<Effect>) {
    model.heap.editor = None;
    stepping::pause(model, effects);
    if let Some(trace) = &mut model.trace {
        (trace.position, trace.from) = (0, None);
    }
    program::load_anew(model, effects);
}

/// The heap that is kept with the program; empty if none is kept.
pub(crate) fn kept(model: &Model) -> Rc<[u8]> {
    let mut files = model.program.files.iter();
    let found = files.find(|file| *file.name == *HEAP_FILE);
    found.map_or_else(|| Rc::new([]) as Rc<[u8]>, |file| file.bytes.clone())
}

/// Keeps a heap with the program; an empty text removes it.
pub(crate) fn keep(model: &mut Model, text: &str, effects: &mut Vec<Effect>) {
    if *kept(model) == *text.as_bytes() || model.showing.stand == Stand::Embedded {
        return;
    }
    let bytes: Rc<[u8]> = text.as_bytes().into();
    let others = model.program.files.iter();
    let others = others.filter(|file| *file.name != *HEAP_FILE).cloned();
    let heap = (!text.is_empty()).then(|| DataFile {
        name: HEAP_FILE.into(),
        bytes: bytes.clone(),
    });
    let files: Rc<[DataFile]> = others.chain(heap).collect();
    // No program reads this file, so it requires no check. The training already has the heap.
    model.worker.files = files.clone();
    model.second.files = files.clone();
    model.train.carrying.known = bytes;
    model.program.files = files.clone();
    program::keep(model, effects);
    effects.push(Effect::Drafts(Store::Files(files)));
}
