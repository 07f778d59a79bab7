//! Combinator RD (Eq. reverse-derivative): the reverse derivative of a straight-line map, by reverse accumulation over its
//! statements. The result is a straight-line map of the same kind, so RD applies at every order.

use crate::arithmetic::Arithmetic;
use crate::builder::{Applied, Differentiable, among};
use crate::{Builder, Map, Partiality, Primitive, Symbol, Wire};

impl<A: Differentiable> Map<A> {
    /// RD f : A × B → A for f : A → B, as a map with the inputs of f, then one cotangent per output of f. It is defined exactly
    /// where f is. The statements of f are kept, if only for their domain (RD.4, RD.5, and the restriction axiom that the domain
    /// of RD f is that of f). Derivatives that may be undefined in total mode are kept too: the rules of W.R_V
    /// (Fig. rewriting-rule-term) compute them even at a zero cotangent.
    pub fn reverse(&self) -> Map<A> {
        let mut sizes = self.inputs().to_vec();
        sizes.extend(self.outputs.iter().map(|w| self.size(*w)));
        let mut b = Builder::empty(sizes);
        let inputs = b.inputs();
        let (point, seeds) = inputs
            .split_at_checked(self.inputs)
            .unwrap_or((&inputs, &[]));
        let wires = b.inline_with(self, point, &mut |b, applied, arguments| {
            b.apply(applied.clone(), arguments)
        });

        let mut cotangents: Vec<Option<Wire>> = vec![None; wires.len()];
        for (output, seed) in self.outputs.iter().zip(seeds) {
            accumulate(&mut b, &mut cotangents, *output, *seed);
        }
        for statement in self.statements.iter().rev() {
            let results = statement.results();
            let (Some(given), Some(results)) =
                (cotangents.get(results.clone()), wires.get(results))
            else {
                continue;
            };
            let zero = given.iter().all(Option::is_none);
            if zero && !statement.applied.derivative_is_kept() {
                continue;
            }
            let arguments = among(&wires, &statement.arguments);
            let given = given.to_vec();
            let contributions = statement
                .applied
                .reverse(&mut b, &arguments, results, &given);
            if zero {
                continue;
            }
            for (argument, contribution) in statement.arguments.iter().zip(contributions) {
                if let Some(contribution) = contribution {
                    accumulate(&mut b, &mut cotangents, *argument, contribution);
                }
            }
        }
        let outputs = self.inputs().iter().zip(&cotangents);
        let outputs = outputs.map(|(n, cotangent)| cotangent.unwrap_or_else(|| b.zero(*n)));
        let outputs = outputs.collect();
        b.finish(outputs)
    }
}

/// Adds a contribution to the cotangent of a wire; a first contribution needs no addition.
fn accumulate<A: Differentiable>(
    b: &mut Builder<A>,
    cotangents: &mut [Option<Wire>],
    wire: Wire,
    contribution: Wire,
) {
    if let Some(slot) = cotangents.get_mut(wire.0) {
        *slot = Some(match *slot {
            None => contribution,
            Some(sum) => b.add(sum, contribution),
        });
    }
}

impl Applied for Primitive {
    fn inputs(&self) -> Vec<usize> {
        self.map().inputs()
    }

    fn outputs(&self) -> Vec<usize> {
        vec![self.map().output()]
    }

    fn is_kept(&self) -> bool {
        self.is_partial()
    }

    fn is_commutative(&self) -> bool {
        use crate::primitive::Kind;
        matches!(
            self.0,
            Kind::Arithmetic(Arithmetic::Add { .. } | Arithmetic::Hadamard { .. })
        )
    }
}

impl Differentiable for Primitive {
    fn zero(n: usize) -> Primitive {
        Arithmetic::Zero { n }.into()
    }

    fn plus(n: usize) -> Primitive {
        Arithmetic::Add { n }.into()
    }

    fn reverse(
        &self,
        b: &mut Builder,
        point: &[Wire],
        results: &[Wire],
        cotangents: &[Option<Wire>],
    ) -> Vec<Option<Wire>> {
        match (results, cotangents) {
            ([result], [Some(cotangent)]) => self.map().reverse(b, point, *result, *cotangent),
            _ => Vec::new(),
        }
    }
}

impl Applied for Symbol {
    fn inputs(&self) -> Vec<usize> {
        // The inputs of the map, not the sizes of the domain: the symbol 0 takes no wire.
        self.map().inputs().to_vec()
    }

    fn outputs(&self) -> Vec<usize> {
        self.codomain().sizes()
    }

    fn is_kept(&self) -> bool {
        self.map()
            .statements
            .iter()
            .any(|statement| statement.applied.is_partial())
    }
}

impl Differentiable for Symbol {
    fn zero(n: usize) -> Symbol {
        Symbol::primitive(Primitive::zero(n))
    }

    fn plus(n: usize) -> Symbol {
        Symbol::primitive(Primitive::plus(n))
    }

    fn derivative_is_kept(&self) -> bool {
        let stops = |symbol: Symbol| {
            let mut statements = symbol.map().statements.iter();
            statements.any(|statement| statement.applied.is_partial_in(Partiality::Total))
        };
        self.is_kept() && stops(self.reverse())
    }

    /// Writes rd\[f\] as one box, a single statement.
    fn reverse(
        &self,
        b: &mut Builder<Symbol>,
        point: &[Wire],
        results: &[Wire],
        cotangents: &[Option<Wire>],
    ) -> Vec<Option<Wire>> {
        let mut arguments = point.to_vec();
        for (result, cotangent) in results.iter().zip(cotangents) {
            let size = b.size(*result);
            arguments.push(cotangent.unwrap_or_else(|| b.zero(size)));
        }
        let results = b.apply(self.reverse(), &arguments);
        results.into_iter().map(Some).collect()
    }
}

impl Map<Symbol> {
    /// Opens each box to the primitives inside it.
    pub fn primitives(&self) -> Map {
        self.opened(|b, symbol, arguments| b.inline(symbol.map(), arguments))
    }
}
