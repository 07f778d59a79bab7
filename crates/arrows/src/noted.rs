//! Notes of an interpretation: the layers, which are the values of the forward half of handled commands, noted as they are written.

use crate::node::{Node, NodeKind};
use crate::scope::{Piece, results};
use fletch_calculus::Origin;
use fletch_smooth::{Map, Statement, Symbol, Wire};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// A layer: a value that an operation or a symbol gives in the forward half.
#[derive(Clone, Debug)]
pub struct Layer {
    /// The generator without its sizes: `FC[ℓ0]`, `swish`.
    pub name: String,
    /// The function symbol that gives the value; `None` for an operation or a loop.
    pub symbol: Option<Symbol>,
    /// The variable that the value is bound to, if there is one.
    pub variable: Option<Arc<str>>,
    /// Origin of the call.
    pub origin: Origin,
    /// Number of entries.
    pub size: usize,
    /// Index of the arrow's output that is the value.
    pub value: usize,
    /// Index of the arrow's output that is the cotangent; `None` if no cotangent comes back.
    pub cotangent: Option<usize>,
    /// The components of the sample that the value depends on.
    pub reads: BTreeSet<usize>,
}

/// The layers noted so far.
#[derive(Default)]
pub(crate) struct Noted {
    pub(crate) layers: Vec<Note>,
    /// Commands that ordinary handlers handle, with the statements noted already. A clause that resumes twice writes statements
    /// again.
    resumed: Vec<(Rc<Piece>, BTreeSet<usize>)>,
}

/// A layer, while the arrow is not finished.
pub(crate) struct Note {
    pub(crate) layer: Layer,
    pub(crate) value: Wire,
    pub(crate) cotangent: Option<Wire>,
}

impl Noted {
    /// Notes all results of a map that was placed at these wires in the forward half. `cotangent` gives the cotangent of a wire
    /// of the map.
    pub(crate) fn all(
        &mut self,
        map: &Map<Node>,
        wires: &[Wire],
        cotangent: impl Fn(Wire) -> Option<Wire>,
    ) {
        for statement in map.statements() {
            let given = results(statement).filter_map(|own| {
                Some(Given {
                    own,
                    value: *wires.get(own.0)?,
                    cotangent: cotangent(own),
                })
            });
            self.layers.extend(notes(map, statement, given));
        }
    }

    /// Notes the results of a statement that an ordinary handler handles, the first time that it is written.
    pub(crate) fn once(&mut self, piece: &Rc<Piece>, number: usize, wires: &[Wire]) {
        let known = self.resumed.iter();
        let known = known.rev().position(|(other, _)| Rc::ptr_eq(other, piece));
        let place = match known {
            Some(back) => self.resumed.len() - 1 - back,
            None => {
                self.resumed.push((piece.clone(), BTreeSet::new()));
                self.resumed.len() - 1
            }
        };
        let seen = self.resumed.get_mut(place);
        let first = seen.is_some_and(|(_, seen)| seen.insert(number));
        if let (true, Some(statement)) = (first, piece.map.statements().get(number)) {
            let given = results(statement).filter_map(|own| {
                Some(Given {
                    own,
                    value: *wires.get(own.0)?,
                    cotangent: None,
                })
            });
            self.layers.extend(notes(&piece.map, statement, given));
        }
    }
}

/// A result of a statement: its wire in the map of the statement, and its value and its cotangent in the arrow.
struct Given {
    own: Wire,
    value: Wire,
    cotangent: Option<Wire>,
}

/// Notes for the results of a statement; empty for constants, and for reads and writes of the heap. The backward half of an
/// inner handler lies in the forward half of the outer one, so its statements give layers too.
fn notes(
    map: &Map<Node>,
    statement: &Statement<Node>,
    given: impl Iterator<Item = Given>,
) -> Vec<Note> {
    let node = &statement.applied;
    let symbol = match &node.kind {
        NodeKind::Constant(_) => return Vec::new(),
        NodeKind::Symbol(symbol) => Some(symbol.clone()),
        NodeKind::Operation(operation) if operation.heap_access().is_some() => return Vec::new(),
        NodeKind::Operation(_) | NodeKind::Loop(_) => None,
    };
    let given = given.map(|result| Note {
        layer: Layer {
            name: match &node.kind {
                NodeKind::Loop(looped) => format!("feedback[{}]", looped.count),
                _ => node.brief(),
            },
            symbol: symbol.clone(),
            variable: map.name(result.own).cloned(),
            origin: node.provenance.origin,
            size: map.size(result.own),
            value: 0,
            cotangent: None,
            reads: BTreeSet::new(),
        },
        value: result.value,
        cotangent: result.cotangent,
    });
    given.filter(|note| note.layer.size > 0).collect()
}

#[cfg(test)]
mod tests {
    use crate::cases::layers;

    #[test]
    fn layers_are_what_operations_and_functions_give_but_not_constants_and_the_heap() {
        assert_eq!(
            layers("let m ⇐ Get[w]() in let s ⇐ ⌊hadamard[1](m, 5)⌋ in ⌊exp[1](s + 1)⌋"),
            ["hadamard s", "plus", "exp"]
        );
    }

    #[test]
    fn a_layer_of_what_is_handled_has_the_cotangent_that_comes_back() {
        assert_eq!(
            layers("rev handle([5])⟨x⟩. let y ⇐ D(x) in let _ ⇐ D(y) in ⌊sin[1](y)⌋ with H"),
            ["D y with cotangent", "D", "sin with cotangent"]
        );
    }

    #[test]
    fn what_a_clause_resumes_twice_is_one_layer() {
        assert_eq!(
            layers("handle let a ⇐ D(5) in let b ⇐ E(a) in ⌊sin[1](b)⌋ with Twice"),
            ["D a", "E b", "sin"]
        );
    }

    #[test]
    fn the_way_back_of_an_inner_handler_is_on_the_way_out_of_the_outer_one() {
        assert_eq!(
            layers("rev handle([5])⟨x⟩. (rev handle(x)⟨x⟩. ⌊sin[1](x)⌋ with J) with H"),
            ["sin x with cotangent", "rd[sin] with cotangent"]
        );
    }
}
