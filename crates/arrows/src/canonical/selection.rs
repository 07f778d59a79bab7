//! Canonical forms of symbols that select entries: a form is a concatenation of parts of other forms. Each part is as long as
//! possible, so a value that is cut and joined again has its original form.

use super::{Form, Forms, Id};
use fletch_calculus::{Symbol, Tensor, Value};

/// True if each entry of the result is an entry of the arguments, or 0. These are the symbols that loops are written with, and
/// their reverse derivatives. A transpose is excluded: its parts would be single entries.
pub(crate) fn selects(symbol: &Symbol) -> bool {
    let mut symbol = symbol;
    while let Some(f) = symbol.reverse_of() {
        symbol = f;
    }
    let name = symbol.as_primitive().map(|primitive| primitive.name());
    matches!(
        name.as_deref(),
        Some("slice" | "concat" | "reverse" | "padding")
    )
}

impl Forms {
    /// Forms of the results of a selection. The symbol is evaluated at arguments with numbered entries, to find where each
    /// entry goes.
    pub(crate) fn selected(&mut self, symbol: &Symbol, arguments: &[Id]) -> Option<Vec<Id>> {
        let mut starts = Vec::new();
        let mut next: usize = 0;
        let mut tensors = Vec::new();
        for n in symbol.domain().sizes() {
            starts.push(next);
            // The numbers begin at 1, since 0 marks an entry of the result that comes from no argument.
            tensors.push(Tensor::vector(
                (next..next + n).map(|k| number(k + 1)).collect(),
            ));
            next += n;
        }
        let argument = Value::assemble(&symbol.domain(), &mut tensors.into_iter())?;
        let value = symbol.eval(&argument, self.mode).ok()?;
        let mut results = Vec::new();
        for tensor in value.tensors() {
            let mut runs: Vec<(usize, usize)> = Vec::new();
            for entry in tensor.data() {
                let from = place(*entry).min(next);
                match runs.last_mut() {
                    Some((0, length)) if from == 0 => *length += 1,
                    Some((first, length))
                        if *first > 0
                            && from == *first + *length
                            && !starts.contains(&(from - 1)) =>
                    {
                        *length += 1;
                    }
                    _ => runs.push((from, 1)),
                }
            }
            let mut parts = Vec::new();
            for (first, length) in runs {
                parts.push(match first.checked_sub(1) {
                    None => self.zero(length),
                    Some(entry) => {
                        // Several arguments may begin at this entry. All but the last are empty.
                        let after = starts.partition_point(|start| *start <= entry);
                        let k = after.checked_sub(1)?;
                        self.part(*arguments.get(k)?, entry - starts.get(k)?, length)
                    }
                });
            }
            results.push(self.joined_up(parts));
        }
        Some(results)
    }

    /// Form of `length` entries of a form, beginning with entry `start`, from 0.
    pub(crate) fn part(&mut self, id: Id, start: usize, length: usize) -> Id {
        let size = self.sizes.get(id).copied().unwrap_or(0);
        if start == 0 && length == size {
            return id;
        }
        match self.forms.get(id).cloned() {
            Some(Form::Zero(_)) => self.zero(length),
            Some(Form::Constant(_)) => {
                let constant = self
                    .as_constant(id)
                    .and_then(|c| c.entries(start..start + length));
                match constant {
                    Some(constant) => self.constant(&constant),
                    None => self.known(Form::Part(id, start, length), length),
                }
            }
            Some(Form::Part(whole, before, _)) => self.part(whole, before + start, length),
            Some(Form::Sum(parts)) => {
                let parts = parts.into_iter().map(|part| self.part(part, start, length));
                let parts: Vec<Id> = parts.collect();
                self.sum(&parts, length)
            }
            Some(Form::Joined(parts)) => {
                let mut found = Vec::new();
                let mut at = 0;
                for part in parts {
                    let n = self.sizes.get(part).copied().unwrap_or(0);
                    let (from, to) = (start.max(at), (start + length).min(at + n));
                    if from < to {
                        found.push(self.part(part, from - at, to - from));
                    }
                    at += n;
                }
                self.joined_up(found)
            }
            _ => self.known(Form::Part(id, start, length), length),
        }
    }

    /// Concatenation of forms.
    pub(crate) fn joined_up(&mut self, parts: Vec<Id>) -> Id {
        let mut flat: Vec<Id> = Vec::new();
        for part in parts {
            let inner = match self.forms.get(part) {
                Some(Form::Joined(inner)) => inner.clone(),
                _ => vec![part],
            };
            for part in inner {
                if self.sizes.get(part).copied().unwrap_or(0) == 0 {
                    continue;
                }
                match flat.last().and_then(|last| self.merged_up(*last, part)) {
                    Some(merged) => {
                        flat.pop();
                        flat.push(merged);
                    }
                    None => flat.push(part),
                }
            }
        }
        match flat.as_slice() {
            [] => self.zero(0),
            [only] => *only,
            _ => {
                let sizes = flat.iter().filter_map(|id| self.sizes.get(*id));
                let n = sizes.sum();
                self.known(Form::Joined(flat), n)
            }
        }
    }

    /// Merges two adjacent forms into one; `None` if the second does not continue the first.
    fn merged_up(&mut self, first: Id, second: Id) -> Option<Id> {
        if let (Some(a), Some(b)) = (self.as_constant(first), self.as_constant(second)) {
            return Some(self.constant(&a.followed_by(&b)));
        }
        if let (Some(Form::Sum(left)), Some(Form::Sum(right))) = (
            self.forms.get(first).cloned(),
            self.forms.get(second).cloned(),
        ) {
            if left.len() != right.len() {
                return None;
            }
            let mut right = right;
            let mut merged = Vec::new();
            for part in left {
                let pair = right.iter().enumerate();
                let mut pair = pair
                    .map(|(k, other)| (k, *other))
                    .collect::<Vec<_>>()
                    .into_iter();
                let (k, both) =
                    pair.find_map(|(k, other)| Some((k, self.merged_up(part, other)?)))?;
                right.remove(k);
                merged.push(both);
            }
            let sizes = [first, second].map(|id| self.sizes.get(id).copied().unwrap_or(0));
            return Some(self.sum(&merged, sizes.iter().sum()));
        }
        let (whole, start, length) = self.entries_of(first);
        let (other, next, more) = self.entries_of(second);
        (whole == other && start + length == next).then(|| self.part(whole, start, length + more))
    }

    /// A form as entries of another form or of itself: the form, the first entry, and the number of entries.
    fn entries_of(&self, id: Id) -> (Id, usize, usize) {
        match self.forms.get(id) {
            Some(Form::Part(whole, start, length)) => (*whole, *start, *length),
            _ => (id, 0, self.sizes.get(id).copied().unwrap_or(0)),
        }
    }

    /// Sum of forms, part by part; `None` if no form is a concatenation.
    pub(crate) fn in_parts(&mut self, parts: &[Id]) -> Option<Id> {
        let mut cuts = Vec::new();
        for part in parts {
            if let Some(Form::Joined(inner)) = self.forms.get(*part) {
                let mut at = 0;
                for part in inner {
                    at += self.sizes.get(*part).copied().unwrap_or(0);
                    cuts.push(at);
                }
            }
        }
        if cuts.is_empty() {
            return None;
        }
        cuts.sort_unstable();
        cuts.dedup();
        let mut at = 0;
        let mut sums = Vec::new();
        for cut in cuts {
            let these = parts.iter().map(|part| self.part(*part, at, cut - at));
            let these: Vec<Id> = these.collect();
            sums.push(self.sum(&these, cut - at));
            at = cut;
        }
        Some(self.joined_up(sums))
    }
}

#[allow(clippy::cast_precision_loss)] // A tensor has far fewer entries than 2⁵³.
fn number(k: usize) -> f64 {
    k as f64
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // Numbers of entries that `number` made.
fn place(entry: f64) -> usize {
    entry as usize
}

#[cfg(test)]
mod tests {
    use super::selects;
    use crate::cases::of_program;
    use crate::{Equality, equality};
    use fletch_calculus::Symbol;
    use fletch_smooth::Partiality;

    /// True if two terms over x : Real(4), y : Real(4) and z : Real(2) are equal.
    fn equal(left: &str, right: &str) -> bool {
        let [left, right] = [left, right].map(|term| {
            of_program(&format!(
                "loc x ∷ (4) loc y ∷ (4) loc z ∷ (2)
                main = let x ⇐ Get[x]() in let y ⇐ Get[y]() in let z ⇐ Get[z]() in ⌊{term}⌋"
            ))
        });
        equality(&left, &right, Partiality::Paper) == Equality::Equal { any_length: false }
    }

    #[test]
    fn what_is_cut_and_joined_again_is_the_value_itself() {
        assert!(equal(
            "concat[2, 2, 1](slice[0, 2](x), slice[2, 2](x))",
            "x"
        ));
        assert!(!equal(
            "concat[2, 2, 1](slice[2, 2](x), slice[0, 2](x))",
            "x"
        ));
        assert!(equal("slice[1, 2](slice[1, 3](x))", "slice[2, 2](x)"));
    }

    #[test]
    fn what_is_reversed_twice_is_the_value_itself() {
        assert!(equal("reverse[4, 1](reverse[4, 1](x))", "x"));
        assert!(!equal("reverse[4, 1](x)", "x"));
        assert!(equal("slice[0, 1](reverse[4, 1](x))", "slice[3, 1](x)"));
    }

    #[test]
    fn a_part_of_a_sum_is_the_sum_of_the_parts() {
        assert!(equal(
            "slice[1, 2](x + y)",
            "slice[1, 2](x) + slice[1, 2](y)"
        ));
        assert!(equal(
            "concat[2, 2, 1](slice[0, 2](x) + z, slice[2, 2](x))",
            "x + concat[2, 2, 1](z, zero[2])"
        ));
    }

    #[test]
    fn the_derivative_of_a_part_puts_its_cotangent_among_zeros() {
        assert!(equal(
            "z.rd(u. slice[1, 2](u))(x)",
            "concat[1, 3, 1](zero[1], concat[2, 1, 1](z, zero[1]))"
        ));
    }

    #[test]
    fn a_transposition_is_not_taken_apart() {
        assert!(selects(&Symbol::slice(4, 1, 2).reverse().reverse()));
        let transposed = "loc m ∷ (2, 3) main = let m ⇐ Get[m]() in ⌊mᵀ⌋";
        let arrow = of_program(transposed);
        let statements = arrow.map.statements().iter();
        let symbols = statements.filter_map(|it| match &it.applied.kind {
            crate::NodeKind::Symbol(symbol) => Some(symbol.clone()),
            _ => None,
        });
        let found: Vec<(String, bool)> = symbols
            .filter(|symbol| symbol.name() == "transpose")
            .map(|symbol| (symbol.name(), selects(&symbol)))
            .collect();
        assert_eq!(found, [("transpose".to_owned(), false)]);
    }
}
