//! Notation that programs have beyond the calculus: infix operators, and tuple patterns for chains of `let`s.

use crate::command::{Command, CommandKind};
use crate::term::TermKind;
use crate::variable::Variable;
pub use fletch_smooth::{Fixity, Operator};
use fletch_smooth::{Symbol, families};

/// Binding strength of a sum. The levels are those of the grammar, weakest first: let, sum, product, unary,
/// postfix.
pub const SUM: u8 = 1;
/// Binding strength of a product.
pub const PRODUCT: u8 = 2;
/// Binding strength of a prefix sign.
pub const UNARY: u8 = 3;
/// Binding strength of an application.
pub const POSTFIX: u8 = 4;

/// Infix, prefix and postfix operators of all families of function symbols.
pub fn operators() -> impl Iterator<Item = Operator> {
    families().iter().filter_map(|family| family.operator)
}

/// Infix operator of a binary symbol and its binding strength; `None` for a symbol without an infix operator.
pub fn infix(symbol: &Symbol) -> Option<(&'static str, u8)> {
    let operator = symbol.operator()?;
    let strength = match operator.fixity {
        Fixity::Sum => SUM,
        Fixity::Product => PRODUCT,
        Fixity::Prefix | Fixity::Postfix => return None,
    };
    Some((operator.text, strength))
}

/// Destructures `let p ⇐ P in let x₁ ⇐ ⌊p.1⌋ in … let xₙ ⇐ ⌊p.n⌋ in Q`, the expansion of a tuple pattern:
/// returns x₁, …, xₙ and Q. `tuple` is p, and `body` the command after `let p ⇐ P in`. `None` if there are
/// fewer than two projections or p occurs in Q.
pub fn pattern(tuple: &Variable, body: &Command) -> Option<(Vec<Variable>, Command)> {
    let mut components = Vec::new();
    let mut rest = body.clone();
    while let CommandKind::Let {
        variable,
        bound,
        body,
        ..
    } = rest.kind()
    {
        let CommandKind::Pure(m) = bound.kind() else {
            break;
        };
        let TermKind::Project(index, whole) = m.kind() else {
            break;
        };
        if *index != components.len() || whole.as_variable() != Some(tuple) {
            break;
        }
        components.push(variable.clone());
        let next = body.clone();
        rest = next;
    }
    (components.len() >= 2 && !rest.free().contains(tuple.id)).then_some((components, rest))
}
