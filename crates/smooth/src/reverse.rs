//! The combinator RD: the reverse derivative of a straight-line map, by reverse accumulation over its statements.
//! Its answer is again a straight-line map, so RD applies at every order.

use crate::{Builder, Map, Wire};

impl Map {
    /// RD f : A × B → A for f : A → B, as a map with the inputs of f, then one cotangent per output of f.
    /// It is defined exactly where f is: the statements of f stay, if only for their domain (RD.4, RD.5, and the
    /// restriction axiom that the domain of RD f is that of f).
    pub fn reverse(&self) -> Map {
        let mut sizes = self.inputs.clone();
        sizes.extend(self.outputs.iter().map(|w| self.size(*w)));
        let mut b = Builder::new(sizes);
        let inputs = b.inputs();
        let (point, seeds) = inputs
            .split_at_checked(self.inputs.len())
            .unwrap_or((&inputs, &[]));
        let wires = b.inline_wires(self, point);

        let mut cotangents: Vec<Option<Wire>> = vec![None; wires.len()];
        for (output, seed) in self.outputs.iter().zip(seeds) {
            accumulate(&mut b, &mut cotangents, *output, *seed);
        }
        for (position, statement) in self.statements.iter().enumerate().rev() {
            let place = self.inputs.len() + position;
            let (Some(cotangent), Some(result)) = (
                cotangents.get(place).copied().flatten(),
                wires.get(place).copied(),
            ) else {
                continue;
            };
            let arguments: Vec<Wire> = statement
                .arguments
                .iter()
                .filter_map(|w| wires.get(w.0).copied())
                .collect();
            let contributions = statement
                .primitive
                .map()
                .reverse(&mut b, &arguments, result, cotangent);
            for (argument, contribution) in statement.arguments.iter().zip(contributions) {
                if let Some(contribution) = contribution {
                    accumulate(&mut b, &mut cotangents, *argument, contribution);
                }
            }
        }
        let outputs = self
            .inputs
            .iter()
            .zip(&cotangents)
            .map(|(n, cotangent)| cotangent.unwrap_or_else(|| b.zero(*n)))
            .collect();
        b.finish(outputs)
    }
}

/// Adds a contribution to the cotangent of a wire; a first contribution needs no addition.
fn accumulate(b: &mut Builder, cotangents: &mut [Option<Wire>], wire: Wire, contribution: Wire) {
    if let Some(slot) = cotangents.get_mut(wire.0) {
        *slot = Some(match *slot {
            None => contribution,
            Some(sum) => b.add(sum, contribution),
        });
    }
}
