//! Listings of arrows, as numbered statements.

use crate::Arrow;
use crate::node::{Node, NodeKind, Passage, Provenance};
use fletch_smooth::{Map, Wire};
use std::fmt::Write;

/// Lists the statements, one per line: the number, the result wires with their sizes, the node with its argument wires, and the
/// passages. The body of a loop follows its statement, with wires of its own: first those of its constants, of its states, and
/// of an entry of each sequence.
pub fn listing(arrow: &Arrow) -> String {
    listed(&arrow.map)
}

fn listed(map: &Map<Node>) -> String {
    let wire = |wire: &Wire| format!("w{}", wire.0);
    let typed = |wire: Wire| format!("w{} : {}", wire.0, map.size(wire));
    let list = |wires: Vec<String>| wires.join(", ");
    let mut text = String::new();
    let inputs = (0..map.inputs().len()).map(|k| typed(Wire(k))).collect();
    let _ = writeln!(text, "in   {}", list(inputs));
    let rows: Vec<(String, String)> = map
        .statements()
        .iter()
        .map(|statement| {
            let results = statement.results().map(|k| typed(Wire(k))).collect();
            let arguments = statement.arguments.iter().map(wire).collect();
            let applied = &statement.applied;
            let row = format!("{} = {applied}({})", list(results), list(arguments));
            (row, passages(&applied.provenance))
        })
        .collect();
    let width = rows.iter().map(|(row, _)| row.chars().count());
    let width = width.filter(|width| *width <= 60).max().unwrap_or(0);
    for ((number, (row, from)), statement) in rows.iter().enumerate().zip(map.statements()) {
        let padding = width.saturating_sub(row.chars().count());
        let line = format!("{number:>4} {row}{:padding$}  {from}", "");
        let _ = writeln!(text, "{}", line.trim_end());
        if let NodeKind::Loop(looped) = &statement.applied.kind {
            for line in listed(&looped.body).lines() {
                let _ = writeln!(text, "     | {line}");
            }
        }
    }
    let outputs = map.outputs().iter().map(wire).collect();
    let _ = writeln!(text, "out  {}", list(outputs));
    text
}

/// `H_MLP forward FC[ℓ0] / H_reg return`: the handlers that a statement went through, the outermost first.
pub fn passages(provenance: &Provenance) -> String {
    let mut parts = Vec::new();
    let mut passage = provenance.passage.as_deref();
    while let Some(Passage {
        handler,
        pass,
        call,
        inner,
        ..
    }) = passage
    {
        let call = call.as_ref();
        let call = call.map_or(String::new(), |call| format!(" {}", call.name));
        parts.push(format!("{handler} {}{call}", pass.name()));
        passage = inner.as_deref();
    }
    parts.join(" / ")
}

#[cfg(test)]
mod tests {
    use crate::cases::{arrow, check, of_program};

    #[test]
    fn a_statement_names_its_passes_from_the_outermost_handler_inwards() {
        check(
            &arrow("x : Real(1) ⊢ rev handle(x)⟨x⟩. (rev handle(x)⟨x⟩. ⌊sin[1](x)⌋ with J) with H"),
            "
                in   w0 : 1
                   0 w1 : 1 = sin(w0)                          H forward sin / J forward sin
                   1 w2 : 1 = rd[sin](w0, w1)                  H forward rd[sin] / J backward sin
                   2 w3 : 1 = sin(w2)                          H return
                   3 w4 : 1, w5 : 1 = rd[rd[sin]](w0, w1, w3)  H backward rd[sin] / J backward sin
                   4 w6 : 1 = rd[sin](w0, w5)                  H backward sin / J forward sin
                   5 w7 : 1 = plus(w4, w6)                     H backward sin
                out  w7",
        );
    }

    #[test]
    fn the_body_of_a_loop_stands_below_it_with_wires_of_its_own() {
        check(
            &of_program("main = feedback[3](1, [[1], [2], [3]])⟨s, x⟩. ⌊⟨s + x, sin(s)⟩⌋"),
            "
                in
                   0 w0 : 1 = 1()
                   1 w1 : 3 = [1, 2, 3]()
                   2 w2 : 1, w3 : 3 = loop[3](w0, w1)
                     | in   w0 : 1, w1 : 1
                     |    0 w2 : 1 = plus(w0, w1)
                     |    1 w3 : 1 = sin(w0)
                     | out  w2, w3
                out  w2, w3",
        );
    }
}
