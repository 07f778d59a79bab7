//! A configuration (𝓗, P) of the reduction, kept as context and focus.

use crate::frames::{Frame, Frames};
use crate::heap::Heap;
use crate::setting::Setting;
use fletch_calculus::{Command, CommandKind, Program, Supply, Value};
use fletch_smooth::Partiality;

/// A state of a run. Cheap to clone and to keep.
#[derive(Clone, Debug)]
pub struct State {
    heap: Heap,
    frames: Frames,
    focus: Command,
    supply: Supply,
    setting: Setting,
}

impl State {
    /// The initial state of a program.
    pub fn start(program: &Program, setting: impl Into<Setting>) -> State {
        let heap = Heap::new(program.initial.clone());
        State::settled(
            heap,
            Frames::default(),
            program.main.clone(),
            program.supply.clone(),
            setting.into(),
        )
    }

    /// State whose command is `focus` in `frames`. The `let`s and `handle`s around the next redex move from the focus into the context.
    pub(crate) fn settled(
        heap: Heap,
        mut frames: Frames,
        mut focus: Command,
        supply: Supply,
        setting: Setting,
    ) -> State {
        while let Some((frame, inner)) = Frame::around(&focus) {
            frames = frames.push(frame);
            focus = inner;
        }
        State {
            heap,
            frames,
            focus,
            supply,
            setting,
        }
    }

    /// State after a step that keeps the context `frames` and puts `focus` into its hole.
    pub(crate) fn then(&self, frames: &Frames, focus: Command, supply: Supply) -> State {
        State::settled(
            self.heap.clone(),
            frames.clone(),
            focus,
            supply,
            self.setting,
        )
    }

    /// State with another heap.
    #[must_use]
    pub fn with_heap(mut self, heap: Heap) -> State {
        self.heap = heap;
        self
    }

    /// 𝓗
    pub fn heap(&self) -> &Heap {
        &self.heap
    }

    /// The context around the focus.
    pub fn frames(&self) -> &Frames {
        &self.frames
    }

    /// The command that runs next: never a `let` nor a `handle`.
    pub fn focus(&self) -> &Command {
        &self.focus
    }

    /// Supply of unused variables.
    pub fn supply(&self) -> &Supply {
        &self.supply
    }

    /// The reading of partial function symbols.
    pub fn partiality(&self) -> Partiality {
        self.setting.partiality
    }

    /// Setting of the run.
    pub fn setting(&self) -> Setting {
        self.setting
    }

    /// The whole command P; takes time linear in the depth of the context.
    pub fn command(&self) -> Command {
        self.frames
            .iter()
            .fold(self.focus.clone(), |inner, frame| frame.plug(inner))
    }

    /// The value reached, if the run is over.
    pub fn value(&self) -> Option<Value> {
        match self.focus.kind() {
            CommandKind::Pure(m) if self.frames.depth() == 0 => m.to_value(),
            _ => None,
        }
    }
}
