//! The tab of types.

use std::fmt::Display;

pub(crate) fn instance_of(what: impl Display, count: impl Display) -> String {
    format!("instance {what} of {count}")
}
pub(crate) fn more_premises(others: impl Display) -> String {
    format!("{others} more premises")
}
pub(crate) fn more(others: impl Display) -> String {
    format!("… {others} more")
}
pub(crate) fn fold_what_is_above(rule: impl Display) -> String {
    format!("{rule}: fold what is above")
}
pub(crate) fn rules(rule: impl Display, count: impl Display) -> String {
    format!("{rule} ⋮ {count} rules")
}
pub(crate) fn open_what_is_above(rule: impl Display) -> String {
    format!("{rule}: open what is above")
}
pub(crate) fn rules_folded(count: impl Display) -> String {
    format!(", {count} rules folded")
}
pub(crate) fn by(
    role: impl Display,
    environment: impl Display,
    turnstile: impl Display,
    subject: impl Display,
    ty: impl Display,
    rule: impl Display,
    left: impl Display,
) -> String {
    format!("{role}{environment} {turnstile} {subject} : {ty}, by {rule}{left}")
}
pub(crate) fn depth(depth: impl Display) -> String {
    format!("depth {depth}")
}
pub(crate) fn size(size: impl Display) -> String {
    format!("size {size}")
}
pub(crate) fn all_rules_shown(all: impl Display) -> String {
    format!("all {all} rules shown")
}
pub(crate) fn of_rules_shown(shown_rules: impl Display, all: impl Display) -> String {
    format!("{shown_rules} of {all} rules shown")
}
pub(crate) fn and_more(more: impl Display) -> String {
    format!("and {more} more")
}
pub(crate) const THERE_ARE_NO_TYPES_YET: &str = "There are no types yet: the program has an error.";
pub(crate) const DERIVING: &str = "Deriving …";
pub(crate) const TYPES: &str = "Types";
pub(crate) const COPY_LATEX: &str = "Copy LaTeX";
pub(crate) const COPIED: &str = "Copied";
pub(crate) const THE_BROWSER_WOULD_NOT_COPY: &str = "The browser would not copy";
pub(crate) const NEXT: &str = "Next";
pub(crate) const WHAT_IS_AROUND_IT: &str = "What is around it";
pub(crate) const COPY_WHAT_IS_SHOWN_AS: &str = "Copy what is shown, as a LaTeX document";
pub(crate) const DERIVATION: &str = "Derivation";
pub(crate) const HOW_DEEPLY_HANDLERS_NEST: &str = "How deeply handlers nest";
pub(crate) const THE_SIZE_OF_THE_DERIVATION: &str =
    "The size of the derivation, as the paper counts";
pub(crate) const ENVIRONMENTS: &str = "Environments";
pub(crate) const OPERATIONS: &str = "Operations, Σ";
pub(crate) const HERE: &str = "Here";
pub(crate) const SHOW_IN_THE_PROGRAM: &str = "Show in the program";
pub(crate) const SHOW_THIS_ALONE: &str = "Show this alone";
pub(crate) const THE_NEAREST_THAT_HAS_ONE: &str = " The nearest that has one: ";
pub(crate) fn rule(premises: &[String], conclusion: impl Display) -> String {
    format!("From {}, conclude {conclusion}", premises.join(" and "))
}
