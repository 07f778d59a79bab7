//! What the marks of the slider mean.

pub(crate) const REDUCES_A_STEP_OF_THE: &str =
    "→ reduces: a step of the computation, from one command to the next.";
pub(crate) const UNFOLDS_A_DEFINITION_THE_REVERSE: &str = "= unfolds a definition: the reverse handler is replaced by what it stands for. Both \
     sides mean the same, and nothing is computed.";
pub(crate) const A_STEP_THAT_WRITES_TO: &str =
    "A step that writes to the heap: here weights are updated.";
pub(crate) const FORWARD_CLAUSE: &str = "forward clause";
pub(crate) const RETURN_CLAUSE: &str = "return clause";
pub(crate) const BACKWARD_CLAUSE: &str = "backward clause";
pub(crate) const PUT: &str = "Put";
pub(crate) const WHAT_THE_SIGNS_MEAN: &str = "What the signs mean";
pub(crate) const REDUCES: &str = "reduces";
pub(crate) const UNFOLDS_A_DEFINITION: &str = "unfolds a definition";
