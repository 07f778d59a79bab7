//! Open samples. A command is elaborated once for all samples, on an *open* sample: each component of it is a placeholder constant that
//! occurs in no program, whose entries are NaNs with the component's number as payload.

use fletch_calculus::{Part, Tensor, Term, TermKind, Value};

/// A quiet NaN that no arithmetic produces. Its low 32 bits hold the component's number.
const MARK: u64 = 0x7ff8_f1e7_0000_0000;

/// An open sample of the same type as this sample. Components are numbered from left to right, from 0.
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

/// Number of the component that this constant is a placeholder for; `None` for any other constant. The placeholder stands for the
/// component of a sample, or in a batch for the matrix whose columns are the components of the samples.
pub fn component(constant: &Tensor) -> Option<usize> {
    let (first, rest) = constant.data().split_first()?;
    let bits = first.to_bits();
    let is = bits & !0xffff_ffff == MARK && rest.iter().all(|entry| entry.to_bits() == bits);
    is.then(|| usize::try_from(bits & 0xffff_ffff).ok())?
}

/// True if the value of a closed term depends on the open sample.
pub(crate) fn depends(term: &Term) -> bool {
    if let TermKind::Constant(constant) = term.kind() {
        return component(constant).is_some();
    }
    Part::Term(term).children().any(|part| match part {
        Part::Term(term) => depends(term),
        Part::Command(_) => false,
    })
}
