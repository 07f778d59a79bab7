//! Readings: words for a function symbol and for its value in a sentence. They are the name itself, unless the name says too
//! little (`slice`), says nothing (`rows`), or reads better as a word (`transpose`). Each family defines its own in its file.

use std::borrow::Cow;
use std::fmt;

/// Name of the reverse derivative of a function symbol or of a term, as it is displayed everywhere: `rd[swish]`.
pub fn derivative_of(inside: impl fmt::Display) -> String {
    format!("rd[{inside}]")
}

/// The words for a function symbol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    /// The function: `tanh`, `slice[0, 2]`, `softmax of each row`.
    pub name: Cow<'static, str>,
    /// Value, before `of` and the arguments: `tanh`, `entries 0–1`, `softmax of each row`.
    pub value: Cow<'static, str>,
    /// True if the value is a plural.
    pub several: bool,
}

impl Reading {
    /// Reading as the name alone.
    pub(crate) fn named(name: impl Into<Cow<'static, str>>) -> Reading {
        let name = name.into();
        Reading {
            value: name.clone(),
            name,
            several: false,
        }
    }

    /// Reading with the same name for the function, and these words for its value.
    pub(crate) fn valued(self, value: impl Into<Cow<'static, str>>) -> Reading {
        Reading {
            value: value.into(),
            ..self
        }
    }

    /// Reading of the symbol applied to each row or column.
    pub(crate) fn of_each(self, part: &str) -> Reading {
        Reading {
            name: format!("{} of each {part}", self.name).into(),
            value: format!("{} of each {part}", self.value).into(),
            several: self.several,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Axis, Shape, Symbol, family};

    fn symbol(name: &str, indices: &[usize], shapes: &[Shape]) -> Symbol {
        let family = family(name).expect("there is one");
        family.instantiate(indices, shapes).expect("it fits")
    }

    #[test]
    fn a_symbol_reads_as_its_name_or_as_what_it_does() {
        let vector = |n: usize| vec![Shape::vector(n)];
        let softmax = symbol("softmax", &[], &vector(3));
        let cases = [
            (softmax.clone(), "softmax", "softmax", false),
            (
                softmax.lifted(2, Axis::Rows),
                "softmax of each row",
                "softmax of each row",
                false,
            ),
            (
                symbol("slice", &[1, 2], &vector(5)),
                "slice[1, 2]",
                "entries 1–2",
                true,
            ),
            (
                symbol("slice", &[4, 1], &vector(5)),
                "slice[4, 1]",
                "entry 4",
                false,
            ),
            (
                symbol("slice", &[0, 2], &vector(5)).lifted(3, Axis::Cols),
                "slice[0, 2] of each column",
                "entries 0–1 of each column",
                true,
            ),
            (
                symbol("transpose", &[2, 3], &[Shape::matrix(3, 2)]),
                "transpose",
                "the transpose",
                false,
            ),
            (symbol("count", &[7], &[]), "count[7]", "count[7]", false),
            (softmax.reverse(), "rd[softmax]", "rd[softmax]", false),
        ];
        for (symbol, name, value, several) in cases {
            let reading = symbol.reading();
            assert_eq!(
                (&*reading.name, &*reading.value, reading.several),
                (name, value, several)
            );
        }
    }
}
