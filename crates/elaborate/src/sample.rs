//! A sample that is left open, so that a command is elaborated once for all samples: in the place of each of its components stands
//! a constant that no program has, NaNs with the component's number as their payload.

use fletch_calculus::{Part, Tensor, Term, TermKind, Value};

/// A quiet NaN that no arithmetic makes; its low half is free.
const MARK: u64 = 0x7ff8_f1e7_0000_0000;

/// A sample like this one, left open. Its components are numbered from left to right.
pub(crate) fn open(sample: &Value) -> Value {
    fn open(value: &Value, next: &mut u64) -> Value {
        match value {
            Value::Real(tensor) => {
                let entry = f64::from_bits(MARK | *next);
                *next += 1;
                let entries = Tensor::vector(vec![entry; tensor.len()]);
                Value::Real(
                    entries
                        .with_shape(tensor.shape().clone())
                        .unwrap_or(entries),
                )
            }
            Value::Tuple(parts) => {
                Value::Tuple(parts.iter().map(|part| open(part, next)).collect())
            }
        }
    }
    open(sample, &mut 0)
}

/// Number of the sample component for which this constant is a placeholder, if it is one: its entries are those of a
/// sample's component, or with a batch those of the matrix whose columns are the samples.
pub fn component(constant: &Tensor) -> Option<usize> {
    let (first, rest) = constant.data().split_first()?;
    let bits = first.to_bits();
    let is = bits & !0xffff_ffff == MARK && rest.iter().all(|entry| entry.to_bits() == bits);
    is.then(|| usize::try_from(bits & 0xffff_ffff).ok())?
}

/// True if the value of a closed term depends on the sample that is left open.
pub(crate) fn depends(term: &Term) -> bool {
    if let TermKind::Constant(constant) = term.kind() {
        return component(constant).is_some();
    }
    Part::Term(term).children().any(|part| match part {
        Part::Term(term) => depends(term),
        Part::Command(_) => false,
    })
}
