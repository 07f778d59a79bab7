//! What the machine computes at once: of several assignments one, where nothing else uses what lies between.

use super::operations::What;
use crate::fuse::operands;
use fletch_smooth::{Binary, Elementary, Operation};

/// Single assignments as the machine makes them.
pub(super) struct Forms {
    /// Nothing for what is only read.
    forms: Vec<Option<What<usize>>>,
    /// How often each is used.
    uses: Vec<usize>,
}

impl Forms {
    /// The forms of a body of which these assignments are asked for.
    pub(super) fn of(body: &[Operation], asked: &[usize]) -> Forms {
        let needed = reached(asked, body.len(), |register| {
            body.get(register).map(operands).unwrap_or_default()
        });
        let mut uses = vec![0; body.len()];
        let used = body.iter().zip(needed).filter(|(_, needed)| *needed);
        let used = used.flat_map(|(operation, _)| operands(operation));
        for register in used.chain(asked.iter().copied()) {
            if let Some(count) = uses.get_mut(register) {
                *count += 1;
            }
        }
        let once = |register: usize| match uses.get(register) {
            Some(1) => body.get(register).copied(),
            _ => None,
        };
        let product = |register| match once(register)? {
            Operation::Binary(Binary::Mul, a, b) => Some([a, b]),
            _ => None,
        };
        let one = |register: usize| body.get(register) == Some(&Operation::Constant(1.0));
        let logistic = |below| {
            let Operation::Binary(Binary::Add, a, b) = once(below)? else {
                return None;
            };
            let power = if one(a) { b } else { one(b).then_some(a)? };
            let Operation::Map(Elementary::Exp, minus) = once(power)? else {
                return None;
            };
            let Operation::Map(Elementary::Neg, x) = once(minus)? else {
                return None;
            };
            Some(What::Logistic(x))
        };
        let form = |operation: &Operation| {
            let plain = match *operation {
                Operation::Read(_) | Operation::Constant(_) | Operation::Index(_) => return None,
                Operation::Map(function, x) => What::Map(function, x),
                Operation::Binary(operation, a, b) => What::Binary(operation, [a, b]),
                Operation::Choose(is, four) => What::Choose(is, four),
            };
            let better = match *operation {
                Operation::Binary(sign @ (Binary::Add | Binary::Sub), a, b) => {
                    let last = product(b).map(|factors| What::Product(sign, a, factors));
                    last.or_else(|| match sign {
                        Binary::Add => product(a).map(|factors| What::Product(sign, b, factors)),
                        _ => None,
                    })
                }
                Operation::Binary(Binary::Div, a, b) if one(a) => logistic(b),
                _ => None,
            };
            Some(better.unwrap_or(plain))
        };
        Forms {
            forms: body.iter().map(form).collect(),
            uses,
        }
    }

    /// What is assigned.
    pub(super) fn form(&self, register: usize) -> Option<&What<usize>> {
        self.forms.get(register)?.as_ref()
    }

    /// The same, of what is used only once.
    pub(super) fn once(&self, register: usize) -> Option<&What<usize>> {
        let once = self.uses.get(register) == Some(&1);
        self.form(register).filter(|_| once)
    }

    /// Which assignments are made for those that are asked for.
    pub(super) fn needed(&self, asked: &[usize]) -> Vec<bool> {
        reached(asked, self.forms.len(), |register| {
            self.form(register).map(What::operands).unwrap_or_default()
        })
    }
}

/// What is asked for, and what that is made of.
fn reached(asked: &[usize], count: usize, operands: impl Fn(usize) -> Vec<usize>) -> Vec<bool> {
    let mut found = vec![false; count];
    for register in (0..count).rev() {
        if asked.contains(&register) || found.get(register) == Some(&true) {
            for other in operands(register).into_iter().chain([register]) {
                if let Some(slot) = found.get_mut(other) {
                    *slot = true;
                }
            }
        }
    }
    found
}
