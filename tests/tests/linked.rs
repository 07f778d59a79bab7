//! What the page links: boxes and calls.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed test is a panic.
use fletch_arrows::Arrow;
use fletch_diagrams::Graph;
use fletch_playground::{Partiality, Trace};
use fletch_tests::{examples, must_check, programs};

#[test]
fn look() {
    let wanted = std::env::var("LOOK").unwrap_or("mlp".into());
    for (name, source) in programs(&examples()) {
        if name != wanted { continue; }
        let program = must_check(&source).program;
        let arrow = Arrow::of(&[], &program.main, &program.ty).unwrap();
        let graph = Graph::of(&arrow, &source);
        for b in &graph.boxes {
            println!("BOX {:24} {:?} {:?} {:?} {:?} key {}", b.label, b.mark, b.part.map(|p| (p.run, p.pass, p.unit)), b.place, b.statements, b.key);
        }
        let mut trace = Trace::new(&program, Partiality::Paper);
        trace.advance(100_000, || false);
        for (k, r) in trace.calls().runs.iter().enumerate() {
            println!("RUN {k} {} parent {:?} from {} turned {:?}..{:?} done {:?}", r.handler, r.parent, r.from, r.turned_at, r.turned_until.as_ref().map(|t| t.0), r.done_at);
        }
        for (k, r) in trace.calls().records.iter().enumerate() {
            println!("CALL {k} {:16} op {} run {} moves {} within {:?} origin {:?} met {} waits {:?} cot {:?} back {:?} done {:?}", r.name, r.operation(), r.run, r.moves, r.within, (r.call.origin.start, r.call.origin.end), r.met_at, r.waits_from, r.cotangent_at, r.backward_at, r.done_at);
        }
        for at in 0..=trace.len() {
            println!("AT {at} {:?} {:?}", trace.step(at).map(|s| s.action.rule().name()), trace.timeline().at(at));
        }
    }
}
