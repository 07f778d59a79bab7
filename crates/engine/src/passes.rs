//! Sequence of the passes that turn a line into a plan, as a whole and with a listing after each pass.

use crate::line::Line;
use crate::listing::Counts;
use crate::loops::Plan;
use crate::nests;
use fletch_smooth::Partiality;

/// A pass with the program after it.
#[derive(Clone, Debug)]
pub struct Pass {
    /// The name of the pass.
    pub name: &'static str,
    /// Effect of the pass.
    pub does: &'static str,
    /// Size of the program after the pass.
    pub counts: Counts,
    /// The program after the pass, one statement per line.
    pub listing: Vec<String>,
}

/// Loops of a line before any other pass. The bodies of loops over moments are planned completely.
pub fn looped(line: &Line, mode: Partiality) -> Plan {
    nests::looped(line, mode, &plan)
}

/// A pass from plans to plans: its name, its effect, and the plan after it.
type Row = (&'static str, &'static str, fn(Plan) -> Plan);

/// The passes after the translation to loops, in order.
const PASSES: [Row; 7] = [
    (
        "gather",
        "sums at their places instead of scatters; stretched loops are plain ones, flat ones have the shape of what they read",
        |plan| plan.gathered().spread(),
    ),
    (
        "inline",
        "constants are written out, copies read through, and cheap entries computed where they are used",
        |plan| plan.simplified().inlined(),
    ),
    (
        "join",
        "loops over one space of which one reads what the other reads or writes are one",
        |plan| plan.joined(),
    ),
    (
        "share",
        "what is dear is computed once, and left for later loops",
        |plan| plan.simplified().shared(),
    ),
    (
        "hoist",
        "what depends on an earlier loop alone, point by point, is computed there, where that leaves less to read",
        |plan| plan.hoisted(),
    ),
    (
        "place",
        "locations are written where they are; buffers share their places",
        |plan| plan.in_place(),
    ),
    (
        "order",
        "sums of what lies side by side are taken in the lanes of vectors",
        Plan::ordered,
    ),
];

/// The plan of a line.
pub fn plan(line: &Line, mode: Partiality) -> Plan {
    let loops = looped(&line.folded(mode), mode);
    PASSES.iter().fold(loops, |plan, (.., pass)| pass(plan))
}

/// Results of all passes from a line to its plan; `cell` names the locations.
pub fn passes(line: &Line, mode: Partiality, cell: &dyn Fn(usize) -> String) -> Vec<Pass> {
    let pass = |name, does, counts, listing| Pass {
        name,
        does,
        counts,
        listing,
    };
    let opened =
        "the arrow opened to primitives; equal statements are one, what nothing needs is not there";
    let constants = "what depends on constants alone is a constant";
    let nests = "the loops of the primitives over buffers";
    let folded = line.folded(mode);
    let mut plan = looped(&folded, mode);
    let mut passes = vec![
        pass("lower", opened, line.counts(), line.listing(cell)),
        pass("fold", constants, folded.counts(), folded.listing(cell)),
        pass("loops", nests, plan.counts(), plan.listing(cell)),
    ];
    for (name, does, next) in PASSES {
        plan = next(plan);
        passes.push(pass(name, does, plan.counts(), plan.listing(cell)));
    }
    passes
}
