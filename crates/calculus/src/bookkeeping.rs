//! The shortcut R_V(x. N) = 0, for x not free in N: its side condition, and the number of reductions that it saves. Fig.
//! rewriting-rule-term has this equation for variables and constants only, and rewrites every other term.

use crate::term::{Term, TermKind};
use crate::variable::Variable;
use fletch_smooth::{Applied, Symbol};

/// True if W.R_V(x. N) may be replaced by 0: x is not free in N, and all symbols of N are total. Where N is partial, its reverse
/// derivative is defined only where N is (Def. RDRC), and the replacement would forget that.
pub fn is_zero_along(x: &Variable, n: &Term) -> bool {
    !n.free().contains(x.id) && is_total(n)
}

fn is_total(n: &Term) -> bool {
    match n.kind() {
        TermKind::Variable(_) | TermKind::Constant(_) => true,
        TermKind::Apply(symbol, m) => is_defined_everywhere(symbol) && is_total(m),
        TermKind::Project(_, m) => is_total(m),
        TermKind::Add(m, n) | TermKind::Let(_, m, n) => is_total(m) && is_total(n),
        TermKind::Tuple(parts) => parts.iter().all(is_total),
        TermKind::ReverseDerivative {
            cotangent,
            body,
            point,
            ..
        } => is_total(cotangent) && is_total(body) && is_total(point),
    }
}

/// True if the symbol is total. The domain of rd\[f\] is that of f.
fn is_defined_everywhere(symbol: &Symbol) -> bool {
    match symbol.reverse_of() {
        Some(f) => is_defined_everywhere(f),
        None => !symbol.is_kept(),
    }
}

/// Number of reductions from N to a value, when values are substituted for its variables; a lower bound if N contains a derivative
/// of derivatives.
pub fn reductions(n: &Term) -> usize {
    match n.kind() {
        TermKind::Variable(_) | TermKind::Constant(_) => 0,
        TermKind::Apply(_, m) | TermKind::Project(_, m) => 1 + reductions(m),
        TermKind::Add(m, n) | TermKind::Let(_, m, n) => 1 + reductions(m) + reductions(n),
        TermKind::Tuple(parts) => parts.iter().map(reductions).sum(),
        TermKind::ReverseDerivative {
            cotangent,
            body,
            point,
            ..
        } => 1 + reductions(cotangent) + reductions(point) + reductions_of_derivative(body),
    }
}

/// Number of reductions from W.R_V(x. N) to a value, by Fig. rewriting-rule-term without shortcuts; a lower bound if N contains
/// derivatives.
pub fn reductions_of_derivative(n: &Term) -> usize {
    match n.kind() {
        TermKind::Variable(_) | TermKind::Constant(_) => 0,
        TermKind::Apply(_, m) => 3 + reductions(m) + reductions_of_derivative(m),
        TermKind::Add(m, n) => 1 + reductions_of_derivative(m) + reductions_of_derivative(n),
        TermKind::Tuple(parts) => {
            let shares: usize = parts.iter().map(reductions_of_derivative).sum();
            3 * parts.len() + shares
        }
        TermKind::Project(_, m) => 2 + reductions(m) + reductions_of_derivative(m),
        TermKind::Let(_, m, n) => {
            let (through, along) = (reductions_of_derivative(m), reductions_of_derivative(n));
            4 + reductions(m) + through + along.saturating_mul(2)
        }
        TermKind::ReverseDerivative {
            cotangent,
            body,
            point,
            ..
        } => [cotangent, body, point]
            .into_iter()
            .map(|part| 1 + reductions_of_derivative(part))
            .sum(),
    }
}
