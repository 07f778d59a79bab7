//! Instruction selection: several assignments become one instruction where nothing else uses the values between.

use super::operations::What;
use crate::fuse::operands;
use fletch_smooth::{Binary, Elementary, Operation};

/// Single assignments as the machine makes them.
pub(super) struct Forms {
    /// Form of each assignment; none for reads, constants and indices.
    forms: Vec<Option<What<usize>>>,
    /// Uses of each assignment.
    uses: Vec<usize>,
    /// Assignments of x · σ(x) with that of its derivative in x; the two are computed together.
    swishes: Vec<(usize, usize)>,
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
        // Sum of two operands that are no products.
        let sum = |register| match once(register)? {
            Operation::Binary(Binary::Add, a, b) if product(a).or(product(b)).is_none() => {
                Some([a, b])
            }
            _ => None,
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
                        _ => {
                            let [first, second] = sum(a)?;
                            Some(What::Two([Binary::Add, sign], [first, second, b]))
                        }
                    })
                }
                Operation::Binary(sign @ Binary::Mul, a, b) => {
                    let two = |[first, second]: [usize; 2]| [first, second, b];
                    product(a).map(|factors| What::Two([sign; 2], two(factors)))
                }
                _ => None,
            };
            Some(better.unwrap_or(plain))
        };
        let forms = body.iter().map(form).collect();
        let mut forms = Forms {
            forms,
            uses,
            swishes: Vec::new(),
        };
        for register in 0..body.len() {
            if let Some((x, swish)) = forms.slope(body, register) {
                // A sum x joins the instruction if its only two uses are the product and σ(x).
                let what = match forms.form(x) {
                    Some(What::Binary(Binary::Add, both)) if forms.uses.get(x) == Some(&2) => {
                        What::SwishOfSum(*both)
                    }
                    _ => What::Swish(x),
                };
                forms.set(swish, what);
                forms.set(register, What::Slope(swish));
                forms.swishes.push((swish, register));
            }
        }
        forms
    }

    fn set(&mut self, register: usize, form: What<usize>) {
        if let Some(slot) = self.forms.get_mut(register) {
            *slot = Some(form);
        }
    }

    /// Match of σ + xσ · (1 − σ), where σ = σ(x) has no other use: x, and the assignment of xσ.
    fn slope(&self, body: &[Operation], register: usize) -> Option<(usize, usize)> {
        let What::Product(Binary::Add, logistic, factors) = *self.form(register)? else {
            return None;
        };
        let What::Map(Elementary::Logistic, x) = *self.form(logistic)? else {
            return None;
        };
        let is_swish = |factor: usize| {
            let form = self.form(factor);
            let both = |both| form == Some(&What::Binary(Binary::Mul, both));
            both([x, logistic]) || both([logistic, x])
        };
        let is_rest = |factor: usize| match self.once(factor) {
            Some(What::Binary(Binary::Sub, [one, other])) => {
                *other == logistic && body.get(*one) == Some(&Operation::Constant(1.0))
            }
            _ => false,
        };
        let [a, b] = factors;
        let (swish, rest) = if is_swish(a) { (a, b) } else { (b, a) };
        let alone = self.uses.get(logistic) == Some(&3);
        (alone && is_swish(swish) && is_rest(rest)).then_some((x, swish))
    }

    /// Assignment of the derivative, if it is computed together with this one.
    pub(super) fn slope_of(&self, swish: usize) -> Option<usize> {
        let mut swishes = self.swishes.iter();
        let found = swishes.find(|(known, _)| *known == swish);
        found.map(|(_, slope)| *slope)
    }

    /// Selected form of an assignment.
    pub(super) fn form(&self, register: usize) -> Option<&What<usize>> {
        self.forms.get(register)?.as_ref()
    }

    /// Selected form of an assignment that is used only once.
    pub(super) fn once(&self, register: usize) -> Option<&What<usize>> {
        let once = self.uses.get(register) == Some(&1);
        self.form(register).filter(|_| once)
    }

    /// Marks of the assignments that the requested ones need.
    pub(super) fn needed(&self, asked: &[usize]) -> Vec<bool> {
        reached(asked, self.forms.len(), |register| {
            self.form(register).map(What::operands).unwrap_or_default()
        })
    }
}

/// Transitive closure of the requested assignments under operands.
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
