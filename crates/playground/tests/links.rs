//! Steps to which the page links: at every level, the sentence there tells what the link names.

use crate::run::{self, Run, all, examples, text};
use fletch_playground::protocol::{CellView, Chip, Entry, Layer, Level, Piece, Stack};
use std::collections::{BTreeMap, BTreeSet};

const LEVELS: [Level; 5] = [
    Level::Plain,
    Level::Every,
    Level::Operations,
    Level::Handlers,
    Level::Moments,
];

/// Words and value that the sentence at the target of a link must contain.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Told {
    words: Vec<String>,
    /// Entries of the value, as bits.
    value: Option<Vec<u64>>,
}

impl Told {
    fn of(words: &[&str], value: Option<&Chip>) -> Told {
        Told {
            words: words.iter().map(|word| (*word).to_owned()).collect(),
            value: value.map(|chip| bits(&chip.entries)),
        }
    }

    fn is_in(&self, sentence: &[Piece]) -> bool {
        let told = text(sentence);
        let value = self.value.as_ref().is_none_or(|value| {
            sentence.iter().any(|piece| match (&piece.chip, &**value) {
                (Some(chip), _) => bits(&chip.entries) == *value,
                (None, [number]) => {
                    let number = f64::from_bits(*number);
                    fletch_playground::numbers::short(number) == piece.text
                }
                (None, _) => false,
            })
        });
        value && self.words.iter().all(|word| told.contains(word))
    }
}

fn bits(entries: &[f64]) -> Vec<u64> {
    entries.iter().map(|entry| entry.to_bits()).collect()
}

/// Links of a call.
fn of_layer(layer: &Layer) -> Vec<(u32, Told)> {
    let name = layer.name.as_str();
    let mut links = vec![(layer.met_at, Told::of(&[name], None))];
    if let Some(at) = layer.told_at {
        links.push((at, Told::of(&[name], layer.cotangent.as_ref())));
    }
    let writes = layer.puts.iter();
    links.extend(writes.map(|(at, cell)| (*at, Told::of(&["The heap is written", cell], None))));
    links
}

/// Links of a stack, without nested stacks. `last` is the last position of the run.
fn of_stack(stack: &Stack, last: u32) -> Vec<(u32, Told)> {
    let handler = stack.handler.as_str();
    let starts = Told::of(&[handler, "starts to handle"], None);
    let mut links = vec![(stack.from, starts)];
    let returns = || Told::of(&[handler, "return clause"], None);
    links.extend(stack.turns_at.map(|at| (at, returns())));
    links.extend(stack.done_at.map(|at| match at == last {
        true => (at, Told::of(&["The run is over"], None)),
        false => (at, Told::of(&[handler, "is over"], None)),
    }));
    if let Some(turn) = &stack.turn {
        links.push((turn.met_at, returns()));
        let first = if turn.gradient {
            "first cotangent"
        } else {
            "back"
        };
        let given = Told::of(&[first], turn.result.as_ref());
        links.extend(turn.told_at.map(|at| (at, given)));
    }
    for entry in &stack.entries {
        if let Entry::Call(layer) = entry {
            links.extend(of_layer(layer));
        }
    }
    links
}

fn of_cell(cell: &CellView) -> Vec<(u32, Told)> {
    let told = |_: &_| Told::of(&["The heap is written", &cell.name], None);
    let writes = cell.history.iter();
    writes.map(|write| (write.position, told(write))).collect()
}

#[test]
fn every_link_leads_to_a_sentence_that_tells_it() {
    let (mut failed, mut count) = (Vec::new(), 0);
    for name in examples() {
        let mut run = Run::example(&name);
        let (stops, last) = (run.index.plain.clone(), run.index.steps);
        let mut links: BTreeMap<u32, BTreeSet<Told>> = BTreeMap::new();
        // Every position of a short trace; of a long one, the stops and the positions right after them.
        let positions: BTreeSet<u32> = match last {
            0..500 => (0..=last).collect(),
            _ => stops
                .iter()
                .flat_map(|stop| [*stop, (stop + 1).min(last)])
                .collect(),
        };
        for position in positions {
            let view = run.show(position, Level::Every);
            let stacks = view.sandwich.iter().flat_map(all);
            let stacks = stacks.flat_map(|stack| of_stack(stack, last));
            for (at, told) in stacks.chain(view.heap.iter().flat_map(of_cell)) {
                links.entry(at).or_default().insert(told);
            }
        }
        for (at, told) in links {
            count += told.len();
            if !stops.contains(&at) {
                failed.push(format!("{name}: {at} is no stop: {told:?}"));
            }
            for level in LEVELS {
                let sentence = run.show(at, level).sentence;
                let said = text(&sentence);
                let missing = told.iter().filter(|told| !told.is_in(&sentence));
                failed.extend(
                    missing.map(|told| format!("{name} at {at}, {level:?}: {told:?}\n{said}")),
                );
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(count > 400, "{count}");
}

/// Positions of the links in a perceptron's trace.
#[test]
fn the_links_of_a_perceptron() {
    let mut run = Run::example("mlp");
    let view = run.show(89, Level::Plain);
    let layer = |name: &str| {
        let layers = run::layers(&view.sandwich[0]).into_iter();
        layers.into_iter().find(|layer| layer.name == name).unwrap()
    };
    let (first, swish, last) = (layer("FC[ℓ0]"), layer("swish"), layer("FC[ℓ1]"));
    assert_eq!((first.met_at, swish.met_at, last.met_at), (2, 12, 16));
    let told = [first, swish, last].map(|layer| layer.told_at);
    assert_eq!(told, [Some(75), Some(60), Some(39)]);
    assert_eq!(first.puts, [(83, "ℓ0".to_owned())]);
    assert_eq!(last.puts, [(47, "ℓ1".to_owned())]);
    let turn = view.sandwich[0].turn.as_ref().unwrap();
    assert_eq!((turn.met_at, turn.told_at), (26, Some(28)));
    let written: Vec<u32> = view
        .heap
        .iter()
        .map(|cell| cell.history[0].position)
        .collect();
    assert_eq!(written, [83, 47]);
}
