//! ⟦Γ, Δ ⊢ M : A⟧ (Fig. interpretation-of-terms). Only closed programs run, so Γ is empty and c ∈ X(1, ⟦Γ⟧) needs no wires.

use crate::bundle::Bundle;
use crate::node::{Node, NodeKind, Provenance};
use crate::scope::{Piece, among};
use crate::writer::{Fault, Writer};
use fletch_calculus::{Origin, Term, TermKind, Variable};
use fletch_smooth::{Applied, Builder, Map, Wire};

impl Writer {
    /// Writes M; returns its wires.
    pub(crate) fn term(&mut self, m: &Term) -> Result<Bundle, Fault> {
        let origin = m.origin();
        let ill_typed = Fault::IllTyped { origin };
        match m.kind() {
            // π_y
            TermKind::Variable(y) => {
                let known = self.scope.variables.get(&y.id);
                known.cloned().ok_or(ill_typed)
            }
            TermKind::Constant(tensor) => {
                let kind = NodeKind::Constant(tensor.clone());
                let provenance = Provenance::at(origin);
                let wires = self.apply(Node { kind, provenance }, &[])?;
                wires
                    .first()
                    .map(|wire| Bundle::One(*wire))
                    .ok_or(ill_typed)
            }
            // ⟦M⟧ ; ⟦f⟧
            TermKind::Apply(f, m) => {
                let argument = self.term(m)?.wires();
                let results = self.symbol(f.clone(), &argument, Provenance::at(origin))?;
                Bundle::of(&f.codomain(), &mut results.into_iter()).ok_or(ill_typed)
            }
            // ⟨⟦M⟧, id⟩ ; ⟦N⟧
            TermKind::Let(x, m, n) => {
                let bound = self.term(m)?;
                self.with(x, bound, |writer| writer.term(n))
            }
            TermKind::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.term(part));
                parts.collect::<Result<_, _>>().map(Bundle::Tuple)
            }
            TermKind::Project(index, m) => match self.term(m)? {
                Bundle::Tuple(parts) => parts.into_iter().nth(*index).ok_or(ill_typed),
                Bundle::One(_) => Err(ill_typed),
            },
            TermKind::Add(m, n) => {
                let (left, right) = (self.term(m)?, self.term(n)?);
                self.add(&left, &right, origin)
            }
            // ⟨id, ⟦L⟧, ⟦M⟧⟩ ; RD[⟦N⟧] ; π_x. RD, not RD′: `errata.md`.
            TermKind::ReverseDerivative {
                cotangent,
                variable,
                body,
                point,
            } => {
                let cotangent = self.term(cotangent)?;
                let point = self.term(point)?;
                self.derivative(&cotangent, variable, body, &point)
            }
        }
    }

    /// Runs `write` in the scope where x is bound to these wires.
    fn with<T>(
        &mut self,
        x: &Variable,
        bundle: Bundle,
        write: impl FnOnce(&mut Writer) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let hidden = self.bind(x, bundle);
        let written = write(self);
        self.restore(x.id, hidden);
        written
    }

    /// Ends the scope of a variable and restores the binding that it hid.
    pub(crate) fn restore(&mut self, id: u32, hidden: Option<Bundle>) {
        match hidden {
            Some(bundle) => self.scope.variables.insert(id, bundle),
            None => self.scope.variables.remove(&id),
        };
    }

    /// Writes the sum of two values, component by component.
    fn add(&mut self, left: &Bundle, right: &Bundle, origin: Origin) -> Result<Bundle, Fault> {
        match (left, right) {
            (Bundle::One(a), Bundle::One(b)) => {
                self.sum(*a, *b, Provenance::at(origin)).map(Bundle::One)
            }
            (Bundle::Tuple(a), Bundle::Tuple(b)) => {
                let sums = a.iter().zip(b).map(|(a, b)| self.add(a, b, origin));
                sums.collect::<Result<_, _>>().map(Bundle::Tuple)
            }
            _ => Err(Fault::IllTyped { origin }),
        }
    }

    /// Writes RD\[⟦N⟧\] at the point and the cotangent; returns the component for x.
    fn derivative(
        &mut self,
        cotangent: &Bundle,
        x: &Variable,
        n: &Term,
        point: &Bundle,
    ) -> Result<Bundle, Fault> {
        let origin = n.origin();
        let ill_typed = Fault::IllTyped { origin };
        let free = n.free().without(x.id);
        let mut captured = Vec::new();
        for id in free.ids() {
            let bundle = self.scope.variables.get(&id).ok_or(ill_typed)?;
            captured.push((id, bundle.clone()));
        }
        let mut inputs: Vec<Wire> = point.wires();
        let along = inputs.len();
        for (_, bundle) in &captured {
            bundle.collect(&mut inputs);
        }
        let sizes = self.sizes(&inputs);
        let piece = self.apart(sizes, |writer, wires| {
            let mut wires = wires.iter().copied();
            let x_wires = point.over(&mut wires).ok_or(ill_typed)?;
            writer.scope.variables.insert(x.id, x_wires);
            for (id, bundle) in &captured {
                let bundle = bundle.over(&mut wires).ok_or(ill_typed)?;
                writer.scope.variables.insert(*id, bundle);
            }
            writer.term(n)
        })?;
        let reverse = derived(&piece, along);
        inputs.extend(cotangent.wires());
        let wires = self.place(&reverse, &inputs, |node| {
            let mut node = node.clone();
            if node.provenance.origin == Origin::default() {
                node.provenance.origin = origin;
            }
            node
        })?;
        let mut results = reverse.outputs().iter();
        let mut results = std::iter::from_fn(|| wires.get(results.next()?.0).copied());
        point.over(&mut results).ok_or(ill_typed)
    }
}

/// RD f, restricted to its first `along` components. A statement f(a) that is kept only for its domain is dropped if rd\[f\](a,
/// w) occurs, since the domain of RD f is that of f (Def. RDRC). So a symbol outside of its domain is reported by its
/// derivative, as in the reduction.
fn derived(piece: &Piece, along: usize) -> Map<Node> {
    let whole = piece.map.reverse();
    let mut b = Builder::empty(whole.inputs().to_vec());
    let mut wires = b.inputs();
    let derivative_follows = |node: &Node, arguments: &[Wire]| {
        let NodeKind::Symbol(f) = &node.kind else {
            return false;
        };
        whole.statements().iter().any(|statement| {
            let NodeKind::Symbol(g) = &statement.applied.kind else {
                return false;
            };
            g.reverse_of() == Some(f) && statement.arguments.starts_with(arguments)
        })
    };
    for statement in whole.statements() {
        if !statement.live
            && statement.applied.is_kept()
            && derivative_follows(&statement.applied, &statement.arguments)
        {
            // Any wire may replace the results, since nothing uses them.
            wires.extend(statement.results().map(|_| Wire(0)));
            continue;
        }
        let arguments = among(&wires, &statement.arguments);
        wires.extend(b.apply(statement.applied.clone(), &arguments));
    }
    let outputs = whole.outputs().get(..along).unwrap_or(&[]);
    b.finish(among(&wires, outputs))
}

#[cfg(test)]
mod tests {
    use crate::cases::{arrow, check};

    #[test]
    fn a_part_is_shared_in_its_term_and_not_between_terms() {
        check(
            &arrow("x : Real(1) ⊢ ⌊sin[1](x) + sin[1](x)⌋"),
            "
                in   w0 : 1
                   0 w1 : 1 = sin(w0)
                   1 w2 : 1 = plus(w1, w1)
                out  w2",
        );
        check(
            &arrow("x : Real(1) ⊢ let a ⇐ ⌊sin[1](x)⌋ in ⌊a + sin[1](x)⌋"),
            "
                in   w0 : 1
                   0 w1 : 1 = sin(w0)
                   1 w2 : 1 = sin(w0)
                   2 w3 : 1 = plus(w1, w2)
                out  w3",
        );
    }

    #[test]
    fn of_what_nothing_uses_a_partial_map_stays_for_its_domain() {
        check(
            &arrow("x : Real(1) ⊢ let _ ⇐ ⌊⟨sin[1](x), log[1](x)⟩⌋ in ⌊x⌋"),
            "
                in   w0 : 1
                   0 w1 : 1 = log(w0)
                out  w0",
        );
    }

    #[test]
    fn tuples_and_components_are_no_statements_and_a_sum_is_taken_component_by_component() {
        check(
            &arrow("x : Real(1) × Real(2), y : Real(1) × Real(2) ⊢ ⌊⟨x.2, x + y⟩⌋"),
            "
                in   w0 : 1, w1 : 2, w2 : 1, w3 : 2
                   0 w4 : 1 = plus(w0, w2)
                   1 w5 : 2 = plus(w1, w3)
                out  w1, w4, w5",
        );
    }

    #[test]
    fn a_derivative_adds_what_comes_back_from_each_use_of_its_variable() {
        check(
            &arrow("x : Real(1), y : Real(1) ⊢ ⌊y.rd(u. hadamard[1](u, u))(x)⌋"),
            "
                in   w0 : 1, w1 : 1
                   0 w2 : 1, w3 : 1 = rd[hadamard](w0, w0, w1)
                   1 w4 : 1 = plus(w2, w3)
                out  w4",
        );
        check(
            &arrow("x : Real(1), y : Real(1) ⊢ ⌊y.rd(u. hadamard[1](u, x))(x)⌋"),
            "
                in   w0 : 1, w1 : 1
                   0 w2 : 1, w3 : 1 = rd[hadamard](w0, w0, w1)
                out  w2",
        );
    }

    #[test]
    fn a_derivative_says_the_domain_of_its_function() {
        check(
            &arrow("x : Real(1), y : Real(1) ⊢ ⌊y.rd(u. log[1](u))(x)⌋"),
            "
                in   w0 : 1, w1 : 1
                   0 w2 : 1 = rd[log](w0, w1)
                out  w2",
        );
        // R computes a derivative at a zero cotangent too.
        check(
            &arrow("x : Real(1), y : Real(1) ⊢ ⌊y.rd(u. ⟨u, log[1](x)⟩.1)(x)⌋"),
            "
                in   w0 : 1, w1 : 1
                   0 w2 : 1 = zero()
                   1 w3 : 1 = rd[log](w0, w2)
                out  w1",
        );
    }
}
