//! Saving and loading the heap of the selected training: as a file, in a draft, or as the initial heap of a run.

use super::data;
use super::training::{Asked, Trained};
use super::trainings::Trainings;
use crate::clip;
use crate::locations::Edit;
use crate::program::Program;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fletch_runs::live::{History, Point};
use fletch_runs::weights;
use serde::{Deserialize, Serialize};

/// Arguments of handlers, each with the epoch from which it holds.
pub type Given = Vec<(u32, String)>;

/// Approximate maximum number of points of a kept curve.
const POINTS: usize = 400;

/// Request to save or load a heap.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Carry {
    /// Return the heap as a file.
    Save,
    /// Return the heaps of all trainings as a text to be kept, with the histories of the trainings and these arguments. The first
    /// number is the maximum size of the text in bytes.
    Keep(u32, Given),
    /// Return the heap as the initial heap of a run.
    Start,
    /// Load the heap from a file with this name and contents.
    Load(String, #[serde(with = "crate::bytes")] Vec<u8>),
    /// Load the heaps from a kept text.
    Restore(String),
}

/// Reply to a [`Carry`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Carried {
    /// A `safetensors` file.
    Saved(#[serde(with = "crate::bytes")] Vec<u8>),
    /// The text to be kept; `None` if it is too large.
    Kept(Option<String>),
    /// Initial heap for a run, and the index of the current item.
    Started(Vec<Edit>, u32),
    /// The heap was loaded; the listed locations were missing from the file and keep the program's contents.
    Loaded(Vec<String>, Box<Trained>),
    /// The trainings continue where they were kept, with these arguments of handlers.
    Resumed(Given, Box<Trained>),
    /// The request was refused for this reason; the heap is unchanged.
    Refused(String),
}

/// Performs a request about the heap of the selected training.
pub(super) fn carry(program: &Program, trainings: &mut Trainings, what: &Carry) -> Option<Carried> {
    Some(match what {
        Carry::Save => match weights::written(&trainings.shown()?) {
            Ok(bytes) => Carried::Saved(bytes),
            Err(why) => Carried::Refused(why),
        },
        Carry::Keep(most, given) => {
            let numbers: usize = trainings.numbers();
            // An entry has 8 bytes, and base64 turns 3 bytes into 4 characters, so an entry takes about 11.
            if numbers.saturating_mul(11) > *most as usize {
                return Some(Carried::Kept(None));
            }
            match keep(program, trainings, given) {
                Ok(text) => Carried::Kept(Some(text)),
                Err(why) => Carried::Refused(why),
            }
        }
        Carry::Start => {
            let heap = trainings.shown()?;
            let edits = heap.into_iter().map(|(location, contents)| Edit {
                location,
                entries: contents.data().to_vec(),
            });
            Carried::Started(edits.collect(), clip(trainings.live()?.item()))
        }
        Carry::Load(name, bytes) => return take(program, trainings, name, bytes),
        Carry::Restore(text) => {
            let (line, heap) = text.split_once('\n').unwrap_or(("", text));
            if let Some(resumed) = resume(program, trainings, line, heap) {
                return Some(resumed);
            }
            match STANDARD.decode(heap) {
                Ok(bytes) => return take(program, trainings, "what was kept", &bytes),
                Err(why) => Carried::Refused(why.to_string()),
            }
        }
    })
}

/// Head of a kept text, before the selected heap: the histories of all trainings.
#[derive(Default, Serialize, Deserialize)]
struct Kept {
    /// Text of the program; the histories fit no other program.
    text: String,
    given: Given,
    hand: usize,
    #[serde(rename = "ways")]
    histories: Vec<Saved>,
}

/// History of one training, and its heap unless it is selected.
#[derive(Default, Serialize, Deserialize)]
struct Saved {
    epochs: Vec<usize>,
    item: usize,
    done: usize,
    points: Vec<(f64, Vec<f64>)>,
    heap: String,
}

/// The text that keeps all trainings: one line with their histories, then the heap of the selected one as base64 of `safetensors`.
fn keep(program: &Program, trainings: &mut Trainings, given: &Given) -> Result<String, String> {
    let (hand, lives) = trainings.all();
    let mut own = String::new();
    let mut histories = Vec::new();
    for (number, live) in lives.iter_mut().enumerate() {
        let mut heap = STANDARD.encode(weights::written(live.current())?);
        if number == hand {
            own = std::mem::take(&mut heap);
        }
        let history = live.history();
        let last = history.points.len().saturating_sub(1);
        let thin = history.points.len().div_ceil(POINTS).max(1);
        let points = history.points.into_iter().enumerate();
        let points = points.filter(|(at, _)| at % thin == 0 || *at == last);
        // JSON cannot represent numbers that are not finite.
        let finite = |point: &Point| point.values.iter().all(|value| value.is_finite());
        let points = points.filter(|(_, point)| finite(point));
        histories.push(Saved {
            epochs: history.epochs,
            item: history.item,
            done: history.done,
            points: points.map(|(_, it)| (it.epochs, it.values)).collect(),
            heap,
        });
    }
    let kept = Kept {
        text: program.source.clone(),
        given: given.clone(),
        hand,
        histories,
    };
    let line = serde_json::to_string(&kept).map_err(|why| why.to_string())?;
    Ok(format!("{line}\n{own}"))
}

/// Continues where the trainings of this program were kept. Returns `None` if the program has a different meaning now, or if the
/// trainings do not fit.
fn resume(program: &Program, trainings: &mut Trainings, line: &str, heap: &str) -> Option<Carried> {
    let kept: Kept = serde_json::from_str(line).ok()?;
    if data::besides(&kept.text) != data::besides_data(program) {
        return None;
    }
    let (hand, lives) = trainings.all();
    if hand != kept.hand || lives.len() != kept.histories.len() {
        return None;
    }
    let mut heaps = Vec::new();
    for (number, (live, saved)) in lives.iter().zip(&kept.histories).enumerate() {
        let heap = if number == hand { heap } else { &saved.heap };
        let bytes = STANDARD.decode(heap).ok()?;
        let read = weights::read("", &bytes, live.initial()).ok()?;
        let fits = saved.epochs.len() == live.history().epochs.len() && read.missing.is_empty();
        heaps.push(fits.then_some(read.cells)?);
    }
    for ((live, saved), heap) in lives.iter_mut().zip(kept.histories).zip(heaps) {
        let points = saved.points.into_iter();
        let history = History {
            epochs: saved.epochs,
            item: saved.item,
            done: saved.done,
            points: points
                .map(|(epochs, values)| Point { epochs, values })
                .collect(),
        };
        live.resume(&heap, history);
    }
    trainings.restart();
    let trained = trainings.tell(program, 0, Asked::Reset)?;
    Some(Carried::Resumed(kept.given, Box::new(trained)))
}

fn take(program: &Program, trainings: &mut Trainings, name: &str, bytes: &[u8]) -> Option<Carried> {
    let live = trainings.live_mut()?;
    match weights::read(name, bytes, live.initial()) {
        Ok(read) => {
            live.take(&read.cells);
            trainings.restart();
            let trained = trainings.tell(program, 0, Asked::Reset)?;
            Some(Carried::Loaded(read.missing, Box::new(trained)))
        }
        Err(why) => Some(Carried::Refused(why)),
    }
}
