//! The heap of the training that is watched, carried elsewhere and back: as a file, as what is kept with a draft, as what a run starts from.

use super::training::{Asked, Trained};
use super::trainings::Trainings;
use crate::clip;
use crate::locations::Edit;
use crate::program::Program;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fletch_runs::weights;
use serde::{Deserialize, Serialize};

/// What is to be done with a heap.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Carry {
    /// Give it as a file.
    Save,
    /// Give it as a text to be kept, unless that is larger than this.
    Keep(u32),
    /// Give it as what a run starts from.
    Start,
    /// Take it from a file of this name.
    Load(String, #[serde(with = "crate::bytes")] Vec<u8>),
    /// Take it from a text that was kept.
    Restore(String),
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Carried {
    /// A `safetensors` file.
    Saved(#[serde(with = "crate::bytes")] Vec<u8>),
    /// A text to be kept; nothing if it is too large.
    Kept(Option<String>),
    /// What a run starts from, and the number of the item at work.
    Started(Vec<Edit>, u32),
    /// It was taken; these locations were not named and hold what the program says.
    Loaded(Vec<String>, Box<Trained>),
    /// It was not taken, for this reason; all is as it was.
    Refused(String),
}

/// Does something with the heap of the training at hand.
pub(super) fn carry(program: &Program, trainings: &mut Trainings, what: &Carry) -> Option<Carried> {
    Some(match what {
        Carry::Save => match weights::written(&trainings.shown()?) {
            Ok(bytes) => Carried::Saved(bytes),
            Err(why) => Carried::Refused(why),
        },
        Carry::Keep(most) => {
            let live = trainings.live_mut()?;
            let numbers: usize = live.heap().iter().map(|(_, cell)| cell.len()).sum();
            // A number has 8 bytes, and 3 bytes have 4 letters.
            if numbers.saturating_mul(11) > *most as usize {
                return Some(Carried::Kept(None));
            }
            match weights::written(live.current()) {
                Ok(bytes) => Carried::Kept(Some(STANDARD.encode(bytes))),
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
        Carry::Restore(text) => match STANDARD.decode(text) {
            Ok(bytes) => return take(program, trainings, "what was kept", &bytes),
            Err(why) => Carried::Refused(why.to_string()),
        },
    })
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
