//! The tab of types.

use std::fmt::Display;

pub(crate) fn more(others: impl Display) -> String {
    format!("… {others} more")
}
pub(crate) fn rules(rule: impl Display, count: impl Display) -> String {
    format!("{rule} ⋮ {count} rules")
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
pub(crate) fn rule(premises: &[String], conclusion: impl Display) -> String {
    format!("From {}, conclude {conclusion}", premises.join(" and "))
}
