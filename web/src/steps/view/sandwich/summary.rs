//! Summary of a stack: how many of its calls wait, run and are done, which of them is running, and a sentence for a reader who sees
//! only the numbers.

use crate::steps::view::sandwich::texts;
use crate::texts::counted;
use fletch_playground::protocol::{Entry, Layer, Phase, Stack};

/// Maximum number of calls that are drawn as cards. In a larger stack each call takes one line, except those that run.
const ROOMY: usize = 4;

/// Numbers of calls of a stack, by phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    pub(crate) forward: usize,
    pub(crate) waiting: usize,
    pub(crate) backward: usize,
    pub(crate) done: usize,
    /// Number of calls of the inner stacks.
    inner: usize,
}

impl Summary {
    pub(crate) fn of(stack: &Stack) -> Self {
        let mut summary = Summary::default();
        for (number, entry) in stack.entries.iter().enumerate() {
            match entry {
                Entry::Call(layer) => *summary.count(layer.phase) += 1,
                Entry::Inner(inner) => {
                    let inner = Summary::of(inner);
                    summary.inner += inner.all() + inner.inner;
                }
                Entry::Left(count) => {
                    *summary.count(phase_left_out(&stack.entries, number)) +=
                        usize::try_from(*count).unwrap_or(0)
                }
            }
        }
        summary
    }

    fn count(&mut self, phase: Phase) -> &mut usize {
        match phase {
            Phase::Forward => &mut self.forward,
            Phase::Waiting => &mut self.waiting,
            Phase::Backward => &mut self.backward,
            Phase::Done => &mut self.done,
        }
    }

    /// Number of calls of the stack itself.
    pub(crate) fn all(self) -> usize {
        self.forward + self.waiting + self.backward + self.done
    }

    /// True if there are too many calls for cards.
    pub(crate) fn is_large(self) -> bool {
        self.all() + self.inner > ROOMY
    }

    /// True if nothing is left to happen in the stack.
    pub(crate) fn is_over(self, stack: &Stack) -> bool {
        let turned = stack
            .turn
            .as_ref()
            .is_some_and(|turn| turn.done_at.is_some());
        stack.done_at.is_some() || (turned && self.done == self.all())
    }

    /// The summary in a few words.
    pub(crate) fn words(self) -> String {
        let parts: Vec<_> = [
            (self.forward, "runs forward", "run forward"),
            (self.waiting, "waits", texts::WAIT),
            (self.backward, "runs back", "run back"),
            (self.done, texts::DONE, texts::DONE),
        ]
        .into_iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(count, one, many)| counted(count, one, many))
        .collect();
        parts.join(", ")
    }

    /// Sentence about the stack at the current position.
    pub(crate) fn story(self, stack: &Stack) -> String {
        let all = self.all();
        let pending = self.forward + self.waiting;
        if self.inner > 0
            && let Some(told) = self.nested(stack)
        {
            return told;
        }
        match &stack.turn {
            _ if all > 0 && self.is_over(stack) => texts::empty_again(all),
            None if all + self.inner == 0 => {
                format!("{handler} has met nothing yet.", handler = stack.handler)
            }
            None => texts::grows(pending),
            Some(turn) if turn.done_at.is_none() => match turn.gradient {
                true => "The return clause makes the first cotangent.".to_owned(),
                false => "The return clause makes what goes back first.".to_owned(),
            },
            Some(_) => texts::empties(self.done, all),
        }
    }
}

impl Summary {
    /// Sentence about a stack with inner stacks, whose calls are drawn among its own but are not counted. `None` if the general
    /// sentence will do.
    fn nested(self, stack: &Stack) -> Option<String> {
        let unfolds = stack.entries.iter().find_map(|entry| match entry {
            Entry::Inner(inner) if !Summary::of(inner).is_over(inner) => Some(&inner.handler),
            _ => None,
        });
        let pending = self.forward + self.waiting;
        match (&stack.turn, unfolds) {
            _ if self.is_over(stack) => None,
            (None, Some(inner)) if pending == 0 => Some(format!(
                "{inner} is under way inside {handler}; nothing of {handler} waits yet.",
                handler = stack.handler
            )),
            (None, inner) => Some(texts::grows_around(pending, &stack.handler, inner)),
            (Some(turn), _) if turn.done_at.is_none() => None,
            (Some(_), _) => Some(texts::empties_around(self.done, self.all(), &stack.handler)),
        }
    }
}

/// Phase of the calls that are left out at an index: calls finish from the last to the first.
pub(crate) fn phase_left_out(entries: &[Entry], number: usize) -> Phase {
    let call = |entry: &Entry| match entry {
        Entry::Call(layer) => Some(layer.phase),
        _ => None,
    };
    let after = entries.iter().skip(number + 1).find_map(call);
    let before = entries.iter().take(number).rev().find_map(call);
    match (before, after) {
        (_, Some(Phase::Forward | Phase::Waiting | Phase::Backward)) => Phase::Waiting,
        (Some(Phase::Backward | Phase::Done), _) | (None, Some(Phase::Done)) => Phase::Done,
        _ => Phase::Waiting,
    }
}

/// Position at which the running call or return clause was met, if there is one. Of several that run, the last to begin counts.
pub(crate) fn at_work(stack: &Stack) -> Option<u32> {
    began(stack).max().map(|(_, met_at)| met_at)
}

/// Each running call and return clause, as the position at which it began to run and the position at which it was met.
fn began(stack: &Stack) -> Box<dyn Iterator<Item = (u32, u32)> + '_> {
    let turn = stack
        .turn
        .iter()
        .filter(|turn| turn.done_at.is_none())
        .map(|turn| (turn.met_at, turn.met_at));
    let calls =
        stack
            .entries
            .iter()
            .flat_map(|entry| -> Box<dyn Iterator<Item = (u32, u32)> + '_> {
                match entry {
                    Entry::Call(layer) => Box::new(runs_since(layer).into_iter()),
                    Entry::Inner(inner) => began(inner),
                    Entry::Left(_) => Box::new(std::iter::empty()),
                }
            });
    Box::new(turn.chain(calls))
}

fn runs_since(layer: &Layer) -> Option<(u32, u32)> {
    match layer.phase {
        Phase::Forward => Some((layer.met_at, layer.met_at)),
        Phase::Backward => Some((layer.cotangent_at.unwrap_or(layer.met_at), layer.met_at)),
        Phase::Waiting | Phase::Done => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Entry, Layer, Phase, Stack, Summary, at_work, phase_left_out};
    use fletch_playground::protocol::Turn;

    fn layer(met_at: u32, phase: Phase) -> Entry {
        Entry::Call(Layer {
            name: "FC[ℓ0]".into(),
            operation: true,
            handler: "H".into(),
            met_at,
            saved: Vec::new(),
            result: None,
            gradient: true,
            cotangent_type: "Real(2)".into(),
            cotangent: None,
            cotangent_at: matches!(phase, Phase::Backward | Phase::Done).then_some(100 - met_at),
            told_at: None,
            done_at: None,
            phase,
            source: (0, 0),
            line: 1,
            locations: Vec::new(),
            puts: Vec::new(),
        })
    }

    fn stack(entries: Vec<Entry>, turned: bool) -> Stack {
        Stack {
            handler: "H".into(),
            from: 0,
            source: (0, 0),
            entries,
            turn: turned.then(|| Turn {
                handler: "H".into(),
                met_at: 50,
                gradient: true,
                argument: None,
                result: None,
                done_at: Some(52),
                told_at: Some(51),
                source: (0, 0),
            }),
            turns_at: None,
            done_at: None,
        }
    }

    #[test]
    fn what_is_left_out_is_as_far_as_its_neighbours() {
        use Phase::{Backward, Done, Waiting};
        let cases = [
            (vec![Entry::Left(9), layer(1, Waiting)], 0, Waiting),
            (
                vec![Entry::Left(9), layer(1, Backward), layer(2, Done)],
                0,
                Waiting,
            ),
            (vec![layer(1, Backward), Entry::Left(9)], 1, Done),
            (
                vec![layer(1, Waiting), layer(2, Done), Entry::Left(9)],
                2,
                Done,
            ),
            (vec![layer(1, Waiting), Entry::Left(9)], 1, Waiting),
        ];
        for (entries, number, phase) in cases {
            assert_eq!(phase_left_out(&entries, number), phase, "{entries:?}");
        }
    }

    #[test]
    fn the_last_to_begin_is_at_work() {
        use Phase::{Backward, Done, Forward, Waiting};
        assert_eq!(at_work(&stack(vec![layer(1, Waiting)], true)), None);
        assert_eq!(
            at_work(&stack(vec![layer(1, Waiting), layer(7, Forward)], false)),
            Some(7)
        );
        // The backward half of a pure function within that of the enclosing operation: the inner call was met first.
        let both = stack(
            vec![layer(1, Backward), layer(7, Backward), layer(9, Done)],
            true,
        );
        assert_eq!(at_work(&both), Some(1));
        let inner = stack(vec![layer(3, Forward)], false);
        let nested = stack(vec![Entry::Inner(inner), layer(5, Forward)], false);
        assert_eq!(at_work(&nested), Some(5));
    }

    /// Numbers in the sentence count the calls of the handler that it names, without those of an inner handler.
    #[test]
    fn a_stack_with_another_inside_is_told_in_words() {
        use Phase::{Backward, Done, Forward, Waiting};
        let said = |inner: Phase, own: &[Phase], turned| {
            let mut nested = stack(vec![layer(1, inner)], inner == Done);
            nested.handler = "I".into();
            let own = own.iter().map(|phase| layer(5, *phase));
            let entries = [Entry::Inner(nested)].into_iter().chain(own).collect();
            let stack = stack(entries, turned);
            Summary::of(&stack).story(&stack)
        };
        let cases: [(Phase, &[Phase], bool, &str); 5] = [
            (
                Forward,
                &[],
                false,
                "I is under way inside H; nothing of H waits yet.",
            ),
            (
                Backward,
                &[Waiting, Forward],
                false,
                "The stack grows: 2 calls of H have yet to go back, and I inside it is under way.",
            ),
            (
                Done,
                &[Waiting],
                false,
                "The stack grows: 1 call of H has yet to go back.",
            ),
            (
                Done,
                &[Waiting, Done],
                true,
                "The stack empties: 1 of 2 calls of H done.",
            ),
            (Done, &[Done, Done], true, "Empty again"),
        ];
        for (inner, own, turned, told) in cases {
            let story = said(inner, own, turned);
            assert!(story.starts_with(told), "{story}");
        }
    }

    #[test]
    fn a_stack_is_told_in_words() {
        use Phase::{Backward, Done, Forward, Waiting};
        let said = |entries, turned| {
            let stack = stack(entries, turned);
            (
                Summary::of(&stack).words(),
                Summary::of(&stack).story(&stack),
            )
        };
        assert!(said(vec![], false).1.starts_with("H has met nothing"));
        assert_eq!(
            said(vec![layer(1, Waiting), layer(2, Forward)], false),
            (
                "1 runs forward, 1 waits".into(),
                "The stack grows: 2 calls have yet to go back.".into()
            )
        );
        assert_eq!(
            said(
                vec![Entry::Left(7), layer(1, Backward), layer(2, Done)],
                true
            ),
            (
                "7 wait, 1 runs back, 1 done".into(),
                "The stack empties: 1 of 9 calls done.".into()
            )
        );
        assert_eq!(
            said(vec![layer(1, Done)], true).1,
            "Empty again: 1 call went forward and back."
        );
    }
}
