//! Terms stored by `Put`, as the program writes them. For a term of the form `w − y ∗ xᵀ`, also y and x: a step of
//! gradient descent changes the weight of a layer by the outer product of the incoming cotangent and the saved point.

use fletch_calculus::{CommandKind, Tensor, Term, TermKind};
use fletch_ide::place;
use fletch_syntax::Span;
use fletch_trace::Trace;
use serde::{Deserialize, Serialize};

/// Term stored by a `Put`, as its clause writes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Update {
    /// Text of the argument in the source: `w − y ∗ xᵀ`.
    pub text: String,
    /// y and x, if the stored tensor is w − y ∗ xᵀ, where w are the contents before: entry (i, j) changes by −yᵢ·xⱼ.
    pub factors: Option<(Vec<f64>, Vec<f64>)>,
    /// Names of y and x in the clause, if they are names.
    pub names: Option<(String, String)>,
}

/// Update made by the `Put` at this position.
pub(super) fn update(trace: &Trace, at: usize, source: &str) -> Update {
    let put = trace.step(at);
    let text = put
        .and_then(|step| argument(place::span(step.origin).text(source)))
        .unwrap_or_default()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let found = factors(trace, at);
    let names = found
        .as_ref()
        .and_then(|found| product(found.span.text(source)));
    Update {
        text,
        names,
        factors: found.map(|found| (found.y.data().to_vec(), found.x.data().to_vec())),
    }
}

/// Argument in the text of a call: the text between the parentheses after its index.
fn argument(call: &str) -> Option<&str> {
    let mut depth = 0_usize;
    let open = call.char_indices().find_map(|(at, character)| {
        match character {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            '(' if depth == 0 => return Some(at),
            _ => {}
        }
        None
    })?;
    call.get(open + 1..)?.trim_end().strip_suffix(')')
}

/// The names in `y ∗ xᵀ`, if both factors are names.
fn product(text: &str) -> Option<(String, String)> {
    let (left, right) = text.split_once(['∗', '*'])?;
    let right = right
        .trim()
        .strip_suffix('ᵀ')
        .or_else(|| right.trim().strip_suffix("^T"))?;
    let name = |text: &str| {
        let text = text.trim();
        let inside = |character: char| character.is_alphanumeric() || "_'′".contains(character);
        (!text.is_empty() && text.chars().all(inside)).then(|| text.to_owned())
    };
    Some((name(left)?, name(right)?))
}

/// The factors of an outer product.
struct Factors {
    y: Tensor,
    x: Tensor,
    /// Source span of the product.
    span: Span,
}

/// Finds the factors, if the stored term is w − y ∗ xᵀ with w the contents before. It goes back to the state in which
/// everything but the product and the difference was evaluated, at most to the start of the evaluation of the argument.
fn factors(trace: &Trace, at: usize) -> Option<Factors> {
    let write = trace.step(at)?.write.as_ref()?;
    for position in (0..at).rev() {
        let state = trace.state(position);
        let CommandKind::Perform(operation, argument) = state.focus().kind() else {
            return None;
        };
        let (_, location) = operation.heap_access()?;
        if location.number != write.location.number || argument.is_value() {
            return None;
        }
        if let Some((w, product)) = pair("minus", argument)
            && let TermKind::Constant(w) = w.kind()
            && let Some((y, x)) = pair("matmul", product)
            && let (TermKind::Constant(y), TermKind::Constant(x)) = (y.kind(), x.kind())
        {
            // The shapes are m × 1 and 1 × n: a matrix product with more columns is a longer sum.
            let outer = y.len().checked_mul(x.len()) == Some(w.len())
                && write.before.shape().as_matrix() == Some((y.len(), x.len()));
            return (outer && same(w, &write.before)).then(|| Factors {
                y: y.clone(),
                x: x.clone(),
                span: place::span(product.origin()),
            });
        }
    }
    None
}

/// The two arguments of a binary symbol.
fn pair<'t>(name: &str, term: &'t Term) -> Option<(&'t Term, &'t Term)> {
    let TermKind::Apply(symbol, arguments) = term.kind() else {
        return None;
    };
    match arguments.kind() {
        TermKind::Tuple(parts) if symbol.name() == name => parts.pair(),
        _ => None,
    }
}

/// True if two tensors have bitwise equal entries.
fn same(one: &Tensor, other: &Tensor) -> bool {
    one.len() == other.len()
        && one
            .data()
            .iter()
            .zip(other.data())
            .all(|(one, other)| one.to_bits() == other.to_bits())
}

#[cfg(test)]
mod tests {
    use super::{argument, product};

    #[test]
    fn the_argument_of_a_call_is_between_its_parentheses() {
        for (call, inside) in [
            ("Put[ℓ](w − y ∗ xᵀ)", Some("w − y ∗ xᵀ")),
            ("Put[steps[ℓ]](k')", Some("k'")),
            ("Put[ℓ](w − α · (y ∗ xᵀ))", Some("w − α · (y ∗ xᵀ)")),
            ("Put[ℓ]", None),
        ] {
            assert_eq!(argument(call), inside, "{call}");
        }
    }

    #[test]
    fn names_are_told_where_the_factors_are_names() {
        let names = |y: &str, x: &str| Some((y.to_owned(), x.to_owned()));
        assert_eq!(product("y ∗ xᵀ"), names("y", "x"));
        assert_eq!(product("y * x^T"), names("y", "x"));
        assert_eq!(product("z' ∗ x_inᵀ"), names("z'", "x_in"));
        assert_eq!(product("(α · y) ∗ xᵀ"), None);
        assert_eq!(product("y ∗ x"), None);
    }
}
