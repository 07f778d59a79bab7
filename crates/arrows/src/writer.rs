//! Writer of the interpretation. It appends statements to the arrow under construction, builds separate pieces, and enforces
//! limits. A *piece* is a map of its own, to be placed or transformed. A *passage* says which part of which run of a reverse
//! handler a statement is written for.

use crate::bundle::Bundle;
use crate::node::looped::SEQUENCE_LIMIT;
use crate::node::{Node, Passage, Provenance, Whole};
use crate::noted::Noted;
use crate::scope::{Piece, Scope, among, results as results_of};
use fletch_calculus::{OperationRef, Origin, Symbol, Term, Type, Variable};
use fletch_smooth::{Differentiable, Map, Wire};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// Maximum number of statements of an arrow. Statements that are dropped again count too, and each resumption of a continuation
/// counts as one. A command that surely exceeds the limit is refused before it is written (`ordinary::least`).
const STATEMENT_LIMIT: usize = 400_000;

/// Maximum nesting depth of the commands under interpretation. A clause counts if it resumes anywhere but in tail position.
const DEPTH_LIMIT: usize = 2_000;

/// Reason why a command has no arrow here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The arrow would have too many statements, as a clause that resumes twice doubles what follows it, or its commands nest too
    /// deeply.
    TooLarge {
        /// Origin of the term or command where the interpretation stopped.
        origin: Origin,
    },
    /// The sequences of a loop would have more numbers than the limit.
    Tape {
        /// Number of numbers in the sequences.
        numbers: usize,
        /// Origin of the loop.
        origin: Origin,
    },
    /// The command is ill-typed.
    IllTyped {
        /// Origin of the command.
        origin: Origin,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::TooLarge { .. } => {
                write!(
                    f,
                    "the arrow has more than {STATEMENT_LIMIT} statements, or commands nested more than {DEPTH_LIMIT} deep"
                )
            }
            Fault::Tape { numbers, .. } => {
                write!(
                    f,
                    "a loop keeps {numbers} numbers, more than {SEQUENCE_LIMIT}"
                )
            }
            Fault::IllTyped { .. } => f.write_str("the command is ill-typed"),
        }
    }
}

impl std::error::Error for Fault {}

/// Clause of a reverse handler, as the key of its piece.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Clause {
    Return,
    Forward(OperationRef),
    Backward(OperationRef),
}

/// The state of an interpretation.
pub(crate) struct Writer {
    pub(crate) scope: Scope,
    /// The arrows of clauses, each written once: q^fwd, q^bwd and ⟦P⟧ of every handler, by the handler's address.
    pub(crate) clauses: BTreeMap<(usize, Clause), Arc<Piece>>,
    left: usize,
    pub(crate) depth: usize,
    /// Passage that the current code of an ordinary handler's clause belongs to.
    pub(crate) within: Option<Arc<Passage>>,
    /// Passage that the remainder of that clause belongs to once it has resumed: that of its handler.
    pub(crate) resumed: Option<Option<Arc<Passage>>>,
    /// Part of a reverse handler's run that is being written; it marks each statement.
    part: Option<Passage>,
    /// Feedbacks of at most this number of moments are written out; a longer one is a loop.
    pub(crate) unrolled: usize,
    /// The term that is being interpreted.
    term: Option<Whole>,
    /// Number of terms interpreted so far.
    terms: u32,
    /// Nesting depth of pieces; the arrow itself is the first one.
    pieces: usize,
    /// Forward wire of each wire of the first command that is handled at the top level, with the origin of its `rev handle`.
    forward: Option<(Origin, Vec<Wire>)>,
    /// Layers of what is handled at the top level; `None` if they are not requested.
    pub(crate) noted: Option<Noted>,
}

/// Renaming of wires; `None` for dropped wires.
pub(crate) type Became = Vec<Option<Wire>>;

impl Writer {
    /// Writer of an arrow from these base types, with no statements yet.
    pub(crate) fn new(inputs: Vec<usize>) -> Writer {
        Writer {
            scope: Scope::empty(inputs),
            clauses: BTreeMap::new(),
            left: STATEMENT_LIMIT,
            depth: 0,
            within: None,
            resumed: None,
            part: None,
            unrolled: 0,
            term: None,
            terms: 0,
            pieces: 0,
            forward: None,
            noted: None,
        }
    }

    /// The layers noted so far; `None` if they are not requested, or inside a nested piece.
    pub(crate) fn notes(&mut self) -> Option<&mut Noted> {
        self.noted.as_mut().filter(|_| self.pieces == 1)
    }

    /// Keeps the forward wires of a handled command, if it is the first at the top level.
    pub(crate) fn goes_forward(&mut self, origin: Origin, wires: &[Wire]) {
        if self.pieces == 1 {
            self.forward.get_or_insert_with(|| (origin, wires.to_vec()));
        }
    }

    /// Writes a node at these wires; returns the wires of its results.
    pub(crate) fn apply(&mut self, node: Node, arguments: &[Wire]) -> Result<Vec<Wire>, Fault> {
        self.spend(1, node.provenance.origin)?;
        let mut node = self.marked(node);
        let from = &mut node.provenance;
        from.term = from.term.or(self.term);
        Ok(self.scope.builder.apply(node, arguments))
    }

    /// Node marked with the part of the run that is being written. A passage that the node already has becomes the inner passage.
    pub(crate) fn marked(&self, mut node: Node) -> Node {
        let passage = &mut node.provenance.passage;
        if let Some(part) = &self.part {
            let inner = passage.take();
            *passage = Some(Arc::new(Passage {
                inner,
                ..part.clone()
            }));
        } else if passage.is_none() {
            passage.clone_from(&self.within);
        }
        node
    }

    /// Runs `write` with its statements marked as this part of a run.
    pub(crate) fn during<T>(
        &mut self,
        part: impl Into<Option<Passage>>,
        write: impl FnOnce(&mut Writer) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let around = std::mem::replace(&mut self.part, part.into());
        let written = write(self);
        self.part = around;
        written
    }

    /// Runs `write` with its statements marked as code of a clause, in the current part of the run.
    pub(crate) fn as_clause<T>(
        &mut self,
        write: impl FnOnce(&mut Writer) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let part = self.part.clone();
        let code = part.map(|part| Passage {
            clause: true,
            ..part
        });
        self.during(code, write)
    }

    /// Provenance of a statement without an origin of its own: the origin of the current call, or of the run. Outside of a run
    /// it is empty.
    pub(crate) fn here(&self) -> Provenance {
        let part = self.part.as_ref();
        let place = part.map(|part| part.call.as_ref().map_or(part.origin, |call| call.origin));
        Provenance::at(place.unwrap_or_default())
    }

    /// Takes this number of statements off the number that may still be written.
    pub(crate) fn spend(&mut self, statements: usize, origin: Origin) -> Result<(), Fault> {
        let left = self.left.checked_sub(statements);
        self.left = left.ok_or(Fault::TooLarge { origin })?;
        Ok(())
    }

    /// True if this number of statements may still be written.
    pub(crate) fn has_room(&self, statements: usize) -> bool {
        statements <= self.left
    }

    /// Writes M, a whole term of a command; returns its wires.
    pub(crate) fn whole(&mut self, m: &Term) -> Result<Bundle, Fault> {
        let number = self.terms;
        self.terms += 1;
        let origin = m.origin();
        let copy = self.scope.met.again(origin, self.within.is_some());
        self.term = Some(Whole {
            number,
            origin,
            copy,
        });
        let bundle = self.term(m);
        self.term = None;
        bundle
    }

    /// Runs `write` one level deeper in the nesting of commands.
    pub(crate) fn deeper<T>(
        &mut self,
        origin: Origin,
        write: impl FnOnce(&mut Writer) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        if self.depth >= DEPTH_LIMIT {
            return Err(Fault::TooLarge { origin });
        }
        self.depth += 1;
        let written = write(self);
        self.depth -= 1;
        written
    }

    /// Writes ⟦f⟧ at these wires.
    pub(crate) fn symbol(
        &mut self,
        symbol: Symbol,
        arguments: &[Wire],
        provenance: Provenance,
    ) -> Result<Vec<Wire>, Fault> {
        self.apply(Node::symbol(symbol, provenance), arguments)
    }

    /// Writes a + b, at a base type.
    pub(crate) fn sum(&mut self, a: Wire, b: Wire, provenance: Provenance) -> Result<Wire, Fault> {
        let origin = provenance.origin;
        let plus = Symbol::plus(self.scope.builder.size(a));
        let sum = self.symbol(plus, &[a, b], provenance)?;
        sum.first().copied().ok_or(Fault::IllTyped { origin })
    }

    /// Writes 0, at a base type.
    pub(crate) fn zero(&mut self, n: usize, provenance: Provenance) -> Result<Wire, Fault> {
        let origin = provenance.origin;
        let zero = self.symbol(Symbol::zero(n), &[], provenance)?;
        zero.first().copied().ok_or(Fault::IllTyped { origin })
    }

    /// Binds a variable to these wires; returns its previous binding.
    pub(crate) fn bind(&mut self, x: &Variable, bundle: Bundle) -> Option<Bundle> {
        if let Bundle::One(wire) = bundle {
            self.scope.builder.name(wire, &x.name);
        }
        self.scope.variables.insert(x.id, bundle)
    }

    /// Writes a separate piece of an arrow, with inputs of these sizes.
    pub(crate) fn apart(
        &mut self,
        inputs: Vec<usize>,
        write: impl FnOnce(&mut Writer, &[Wire]) -> Result<Bundle, Fault>,
    ) -> Result<Piece, Fault> {
        Ok(self.apart_tracing(inputs, write)?.0)
    }

    /// Writes a piece; also returns the renaming of its wires.
    fn apart_tracing(
        &mut self,
        inputs: Vec<usize>,
        write: impl FnOnce(&mut Writer, &[Wire]) -> Result<Bundle, Fault>,
    ) -> Result<(Piece, Became), Fault> {
        let around = std::mem::replace(&mut self.scope, Scope::empty(inputs));
        let (within, part) = (self.within.take(), self.part.take());
        let resumed = self.resumed.take();
        let wires = self.scope.builder.inputs();
        self.pieces += 1;
        let form = write(self, &wires);
        self.pieces -= 1;
        let inside = std::mem::replace(&mut self.scope, around);
        (self.within, self.part, self.resumed) = (within, part, resumed);
        let form = form?;
        let (map, became) = inside.builder.finish_tracing(form.wires());
        Ok((Piece { map, form }, became))
    }

    /// Writes a piece with inputs for these variables at these types.
    pub(crate) fn abstracted(
        &mut self,
        variables: &[(&Variable, &Type)],
        origin: Origin,
        write: impl FnOnce(&mut Writer) -> Result<Bundle, Fault>,
    ) -> Result<Piece, Fault> {
        Ok(self.abstracted_tracing(variables, origin, write)?.0)
    }

    /// Writes a piece; also returns the renaming of its wires.
    pub(crate) fn abstracted_tracing(
        &mut self,
        variables: &[(&Variable, &Type)],
        origin: Origin,
        write: impl FnOnce(&mut Writer) -> Result<Bundle, Fault>,
    ) -> Result<(Piece, Became), Fault> {
        let sizes = variables.iter().flat_map(|(_, ty)| ty.sizes()).collect();
        self.apart_tracing(sizes, |writer, wires| {
            let mut wires = wires.iter().copied();
            for (variable, ty) in variables {
                let bundle = Bundle::of(ty, &mut wires).ok_or(Fault::IllTyped { origin })?;
                writer.bind(variable, bundle);
            }
            write(writer)
        })
    }

    /// Origin of the first `rev handle` at the top level, and its forward wires after a renaming.
    pub(crate) fn forward(self, became: &Became) -> Option<(Origin, Became)> {
        let (origin, forward) = self.forward?;
        let forward = forward.iter().map(|wire| *became.get(wire.0)?);
        Some((origin, forward.collect()))
    }

    /// Writes the statements of a piece at these wires, each with the node that `name` makes of its own. Returns a wire for
    /// each wire of the piece.
    pub(crate) fn place(
        &mut self,
        piece: &Map<Node>,
        inputs: &[Wire],
        mut name: impl FnMut(&Node) -> Node,
    ) -> Result<Vec<Wire>, Fault> {
        let mut wires = inputs.to_vec();
        for (k, wire) in inputs.iter().enumerate() {
            if let Some(name) = piece.name(Wire(k)) {
                self.scope.builder.name(*wire, name);
            }
        }
        for statement in piece.statements() {
            let arguments = among(&wires, &statement.arguments);
            let results = self.apply(name(&statement.applied), &arguments)?;
            for (inside, result) in results_of(statement).zip(&results) {
                if let Some(name) = piece.name(inside) {
                    self.scope.builder.name(*result, name);
                }
            }
            wires.extend(results);
        }
        Ok(wires)
    }

    /// Sizes of these wires.
    pub(crate) fn sizes(&self, wires: &[Wire]) -> Vec<usize> {
        wires
            .iter()
            .map(|wire| self.scope.builder.size(*wire))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{DEPTH_LIMIT, Fault, STATEMENT_LIMIT, Writer};
    use crate::Arrow;
    use crate::cases::{arrow, command};
    use fletch_calculus::{Origin, Type};
    use fletch_smooth::Wire;

    #[test]
    fn no_statement_is_written_beyond_the_limit() {
        let mut writer = Writer::new(Vec::new());
        let origin = Origin::default();
        assert_eq!(writer.spend(STATEMENT_LIMIT - 1, origin), Ok(()));
        assert!(writer.has_room(1) && !writer.has_room(2));
        assert_eq!(writer.spend(1, origin), Ok(()));
        assert_eq!(writer.spend(1, origin), Err(Fault::TooLarge { origin }));
    }

    #[test]
    fn commands_nest_up_to_the_limit_and_the_fault_names_it() {
        let mut writer = Writer::new(Vec::new());
        let origin = Origin::default();
        writer.depth = DEPTH_LIMIT - 1;
        assert_eq!(writer.deeper(origin, |_| Ok(())), Ok(()));
        writer.depth = DEPTH_LIMIT;
        let fault = writer.deeper(origin, |_| Ok(())).unwrap_err();
        assert_eq!(fault, Fault::TooLarge { origin });
        assert!(fault.to_string().ends_with("nested more than 2000 deep"));
    }

    #[test]
    fn a_wire_keeps_the_name_of_its_variable_where_it_goes_through_a_handler() {
        let arrow = arrow("x : Real(1) ⊢ rev handle(x)⟨u⟩. let y ⇐ D(u) in ⌊sin[1](y)⌋ with H");
        // Get[w] gives m; hadamard, the forward clause of D, gives y.
        let name = |wire| arrow.map.name(Wire(wire)).map(|name| name.to_string());
        assert_eq!(name(2).as_deref(), Some("m"));
        assert_eq!(name(3).as_deref(), Some("y"));
    }

    #[test]
    fn a_command_of_another_type_is_a_fault() {
        let read = command("⌊⟨1, 2⟩⌋");
        let of = |ty: Type| Arrow::of(&[], &read.subject, &ty);
        assert!(of(Type::product(vec![Type::real(1), Type::real(1)])).is_ok());
        let found = of(Type::real(2));
        assert!(matches!(found, Err(Fault::IllTyped { .. })), "{found:?}");
    }
}
