//! Jumping to steps of a kind.

pub(crate) const JUMP: &str = "Jump";
pub(crate) const GO_TO_A_STEP_OF: &str = "Go to a step of some kind";
pub(crate) const NEXT_STEP: &str = "Next step";
pub(crate) const KEY: &str = "key";
pub(crate) const KINDS_OF_STEPS: &str = "Kinds of steps";
pub(crate) const RULE: &str = "Rule";
pub(crate) const STEPS: &str = "steps";
pub(crate) const RULES: &str = "Rules";
pub(crate) const RULES_ARE_LISTED_ONCE_THE: &str =
    "Rules are listed once the run has ended or was stopped.";
pub(crate) const OPERATION: &str = "Operation";
pub(crate) const PUT: &str = "Put";
pub(crate) const UNFOLDING_OF_A_REVERSE_HANDLER: &str = "Unfolding of a reverse handler";
pub(crate) const FROM_THE_EDITORS_CURSOR: &str = "From the editor's cursor";
pub(crate) const BREAKPOINT: &str = "Breakpoint";
pub(crate) const PREVIOUS_ONE: &str = "Previous one";
