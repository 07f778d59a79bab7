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

/// The plan of a line.
pub fn plan(line: &Line, mode: Partiality) -> Plan {
    looped(&line.folded(mode), mode)
        .gathered()
        .spread()
        .simplified()
        .inlined()
        .joined()
        .simplified()
        .shared()
        .hoisted()
        .in_place()
        .ordered()
}

/// Results of all passes from a line to its plan; `cell` names the locations.
pub fn passes(line: &Line, mode: Partiality, cell: &dyn Fn(usize) -> String) -> Vec<Pass> {
    let mut passes = Vec::new();
    let mut seen = |name, does, counts, listing| {
        passes.push(Pass {
            name,
            does,
            counts,
            listing,
        });
    };
    let opened =
        "the arrow opened to primitives; equal statements are one, what nothing needs is not there";
    seen("lower", opened, line.counts(), line.listing(cell));
    let folded = line.folded(mode);
    let constants = "what depends on constants alone is a constant";
    seen("fold", constants, folded.counts(), folded.listing(cell));
    let loops = looped(&folded, mode);
    let nests = "the loops of the primitives over buffers";
    seen("loops", nests, loops.counts(), loops.listing(cell));
    let gathered = loops.gathered().spread();
    let places = "sums at their places instead of scatters; stretched loops are plain ones, flat ones have the shape of what they read";
    seen("gather", places, gathered.counts(), gathered.listing(cell));
    let inlined = gathered.simplified().inlined();
    let through = "constants are written out, copies read through, and cheap entries computed where they are used";
    seen("inline", through, inlined.counts(), inlined.listing(cell));
    let joined = inlined.joined();
    let fused = "loops over one space of which one reads what the other reads or writes are one";
    seen("join", fused, joined.counts(), joined.listing(cell));
    let shared = joined.simplified().shared();
    let once = "what is dear is computed once, and left for later loops";
    seen("share", once, shared.counts(), shared.listing(cell));
    let hoisted = shared.hoisted();
    let early = "what depends on an earlier loop alone, point by point, is computed there, where that leaves less to read";
    seen("hoist", early, hoisted.counts(), hoisted.listing(cell));
    let placed = hoisted.in_place();
    let written = "locations are written where they are; buffers share their places";
    seen("place", written, placed.counts(), placed.listing(cell));
    let ordered = placed.ordered();
    let orders = "sums of what lies side by side are taken in the lanes of vectors";
    seen("order", orders, ordered.counts(), ordered.listing(cell));
    passes
}
