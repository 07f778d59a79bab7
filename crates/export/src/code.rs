//! Expressions of Python: their text, their precedence, and the shape of the array that is their value.

use fletch_smooth::Tensor;

/// Precedence of an expression, weakest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Level {
    /// `a + b`.
    Sum,
    /// `a * b`, `a @ b`, `a / b`.
    Product,
    /// `-a`.
    Unary,
    /// A name, a call, or an expression in brackets.
    Atom,
}

/// An expression whose value is an array of a shape, row-major as tensors are. The entries of the array are those of a wire.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    text: String,
    level: Level,
    /// The shape of the array, outermost first.
    pub(crate) shape: Vec<usize>,
    /// The value of a one-entry array that is written in the program. As an operand next to an array it may be written as a bare number.
    number: Option<f64>,
}

impl Code {
    /// A name, a call, or an expression in brackets.
    pub(crate) fn atom(text: impl Into<String>, shape: &[usize]) -> Code {
        Code {
            text: text.into(),
            level: Level::Atom,
            shape: shape.to_vec(),
            number: None,
        }
    }

    /// An expression of this precedence.
    pub(crate) fn of(level: Level, text: String, shape: &[usize]) -> Code {
        Code {
            level,
            ..Code::atom(text, shape)
        }
    }

    /// A vector of one number.
    pub(crate) fn number(number: f64) -> Code {
        Code {
            number: Some(number),
            ..Code::atom(format!("jnp.array([{}])", literal(number)), &[1])
        }
    }

    /// A constant.
    pub(crate) fn constant(tensor: &Tensor) -> Code {
        let shape = tensor.shape().dims();
        match tensor.data() {
            [] => Code::atom("jnp.zeros(0)", &[0]),
            [number] => Code::number(*number).shaped(shape),
            data if data.iter().all(|entry| entry.to_bits() == 0) => Code::zeros(shape),
            data => Code::atom(format!("jnp.array({})", nested(data, shape)), shape),
        }
    }

    /// An array of zeros.
    pub(crate) fn zeros(shape: &[usize]) -> Code {
        Code::atom(format!("jnp.zeros({})", tuple(shape)), shape)
    }

    /// Text of the expression.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// True for a name or a short constant, which is written at each use instead of being bound.
    pub(crate) fn is_plain(&self) -> bool {
        let name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        self.number.is_some() || self.text.chars().all(name) || self.text == "jnp.zeros(0)"
    }

    /// Text of the expression as an operand, in parentheses if its precedence is below `level`.
    pub(crate) fn at(&self, level: Level) -> String {
        if self.level >= level {
            self.text.clone()
        } else {
            format!("({})", self.text)
        }
    }

    /// Text of a one-entry expression as an operand next to an array: the bare number if it is written in the program.
    pub(crate) fn beside(&self, level: Level) -> String {
        match self.number {
            Some(number) if number.is_sign_negative() && level == Level::Atom => {
                format!("({})", literal(number))
            }
            Some(number) => literal(number),
            None => self.at(level),
        }
    }

    /// True for a number that may be written bare next to an array.
    pub(crate) fn is_number(&self) -> bool {
        self.number.is_some()
    }

    /// The number of entries.
    pub(crate) fn size(&self) -> usize {
        self.shape.iter().product()
    }

    /// Reshapes the array to a shape of equal size.
    pub(crate) fn shaped(&self, shape: &[usize]) -> Code {
        if self.shape == shape {
            return self.clone();
        }
        let dims: Vec<String> = shape.iter().map(usize::to_string).collect();
        let text = format!("{}.reshape({})", self.at(Level::Atom), dims.join(", "));
        Code {
            number: self.number.filter(|_| shape == [1]),
            ..Code::atom(text, shape)
        }
    }

    /// Reshapes the array to a vector.
    pub(crate) fn flat(&self) -> Code {
        self.shaped(&[self.size()])
    }

    /// Applies a function that keeps the shape, such as `jnp.exp`.
    pub(crate) fn mapped(&self, function: &str) -> Code {
        Code::atom(format!("{function}({})", self.text), &self.shape)
    }
}

/// `a ∘ b`, entry by entry, for two arrays with the same number of entries; the result has the shape of higher rank.
pub(crate) fn entrywise(operator: &str, level: Level, a: &Code, b: &Code) -> Code {
    let (a, b) = together(a, b);
    let right = match level {
        Level::Sum => Level::Product,
        _ => Level::Unary,
    };
    let text = match (a.is_number(), b.is_number()) {
        (true, false) => format!("{} {operator} {}", a.beside(level), b.at(right)),
        (_, true) => format!("{} {operator} {}", a.at(level), b.beside(right)),
        _ => format!("{} {operator} {}", a.at(level), b.at(right)),
    };
    Code::of(level, text, &a.shape)
}

/// Two arrays with the same number of entries, both in the shape of higher rank; on equal rank in that of the left one.
pub(crate) fn together(a: &Code, b: &Code) -> (Code, Code) {
    let shape = if b.shape.len() > a.shape.len() {
        &b.shape
    } else {
        &a.shape
    };
    (a.shaped(shape), b.shaped(shape))
}

/// A number as a literal that Python reads back to the bit.
pub(crate) fn literal(number: f64) -> String {
    if number.is_nan() {
        "jnp.nan".to_owned()
    } else if number.is_infinite() {
        let sign = if number > 0.0 { "" } else { "-" };
        format!("{sign}jnp.inf")
    } else {
        format!("{number:?}")
    }
}

/// A shape as an argument: `(2, 8)`, or a bare number for a vector.
pub(crate) fn tuple(shape: &[usize]) -> String {
    match shape {
        [n] => n.to_string(),
        dims => {
            let dims: Vec<String> = dims.iter().map(usize::to_string).collect();
            format!("({})", dims.join(", "))
        }
    }
}

/// Numbers as nested lists in this shape.
pub(crate) fn nested(data: &[f64], shape: &[usize]) -> String {
    let parts: Vec<String> = match shape {
        [outermost, rest @ ..] if !rest.is_empty() => {
            let size = data.len().checked_div(*outermost).unwrap_or(0).max(1);
            data.chunks(size).map(|part| nested(part, rest)).collect()
        }
        _ => data.iter().map(|entry| literal(*entry)).collect(),
    };
    format!("[{}]", parts.join(", "))
}

/// A text as a string literal of Python.
pub(crate) fn string(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            character if character.is_control() => {
                quoted.push_str(&format!("\\U{:08x}", u32::from(character)));
            }
            character => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}
