//! Function symbols f : A → B: a primitive with its sizes, the reverse derivative of a symbol, or a symbol applied to each
//! column or row. The calculus computes with symbols; the names that users write are in `family.rs`.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use crate::lift::Axis;
use crate::reading::{Reading, derivative_of};
use crate::{Map, Operator, Primitive, Shape, Tensor, Type, Value, map};

/// The two readings of partiality ("Two readings of partiality" of the language page).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Partiality {
    /// A symbol outside the domain where it is smooth has no reduction.
    Paper,
    /// The convention of the frameworks holds at kinks, ties and jumps. A point outside the domain of a logarithm is still an
    /// error.
    Total,
}

/// Reason why a symbol has no value at its argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Undefined {
    /// The symbol as it is printed, e.g. `rd[relu]`.
    pub symbol: String,
    /// Reason in plain words, with entry (from 1) and number: "entry 3 is 0, where relu is not differentiable".
    pub reason: String,
}

impl fmt::Display for Undefined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is undefined here: {}", self.symbol, self.reason)
    }
}

impl std::error::Error for Undefined {}

/// A function symbol f : A → B with all its sizes. It is cheap to clone. Two symbols are equal if they are the same symbol at
/// the same sizes.
#[derive(Clone)]
pub struct Symbol(Arc<Node>);

struct Node {
    form: Form,
    domain: Type,
    codomain: Type,
    cache: Arc<Cache>,
}

/// Maps of a symbol, computed once for all its clones and its reverse derivatives. The cache of rd\[f\] is owned by f, so the
/// map of rd\[f\] outlives a symbol rd\[f\] that is made for one step. A cache refers to no symbol, so there is no cycle.
#[derive(Default)]
struct Cache {
    map: OnceLock<Map>,
    reverse: OnceLock<Arc<Cache>>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Form {
    Primitive(Primitive),
    Reverse(Symbol),
    Lift {
        b: usize,
        axis: Axis,
        symbol: Symbol,
    },
    Defined(Definition),
}

/// A map that a program names.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Definition {
    name: Arc<str>,
    map: Map,
    /// The shape of the result, if that is a tensor.
    shape: Option<Shape>,
}

impl Hash for Definition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl Symbol {
    /// The symbol that is a primitive.
    pub fn primitive(primitive: Primitive) -> Symbol {
        let domain = Type::product(primitive.inputs().into_iter().map(Type::Real).collect());
        let codomain = Type::Real(primitive.output());
        Symbol::new(Form::Primitive(primitive), domain, codomain)
    }

    /// A map that a program calls `name`, between these types. Two such symbols are equal if their names, maps and shapes are.
    /// `shape` is the shape of the result. `None` if the map does not have these types.
    pub fn defined(
        name: Arc<str>,
        map: Map,
        domain: Type,
        codomain: Type,
        shape: Option<Shape>,
    ) -> Option<Symbol> {
        let outputs = map.outputs().iter().map(|wire| map.size(*wire));
        let fits = map.inputs() == domain.sizes() && outputs.eq(codomain.sizes());
        let definition = Definition { name, map, shape };
        fits.then(|| Symbol::new(Form::Defined(definition), domain, codomain))
    }

    /// `cols[b, f]` or `rows[b, f]`.
    pub(crate) fn lifted(&self, b: usize, axis: Axis) -> Symbol {
        let enlarge = |n: usize| n.saturating_mul(b);
        let (domain, codomain) = (
            self.domain().map_sizes(&enlarge),
            self.codomain().map_sizes(&enlarge),
        );
        Symbol::new(
            Form::Lift {
                b,
                axis,
                symbol: self.clone(),
            },
            domain,
            codomain,
        )
    }

    fn new(form: Form, domain: Type, codomain: Type) -> Symbol {
        let cache = match &form {
            Form::Reverse(symbol) => Arc::clone(symbol.0.cache.reverse.get_or_init(Arc::default)),
            Form::Primitive(_) | Form::Lift { .. } | Form::Defined(_) => Arc::default(),
        };
        Symbol(Arc::new(Node {
            form,
            domain,
            codomain,
            cache,
        }))
    }

    /// The type A of arguments.
    pub fn domain(&self) -> Type {
        self.0.domain.clone()
    }

    /// The type B of results.
    pub fn codomain(&self) -> Type {
        self.0.codomain.clone()
    }

    /// The reverse derivative rd\[f\] : A × B → A, the point first, the cotangent second.
    pub fn reverse(&self) -> Symbol {
        let domain = Type::product(vec![self.domain(), self.codomain()]);
        Symbol::new(Form::Reverse(self.clone()), domain, self.domain())
    }

    /// The head name alone: `matmul`, `rd`, `cols`, `rows`.
    pub fn name(&self) -> String {
        match &self.0.form {
            Form::Primitive(primitive) => primitive.name().into_owned(),
            Form::Reverse(_) => "rd".to_owned(),
            Form::Lift { axis, .. } => axis.name().to_owned(),
            Form::Defined(definition) => definition.name.to_string(),
        }
    }

    /// Words for the symbol and for its value in a sentence.
    pub fn reading(&self) -> Reading {
        match &self.0.form {
            Form::Primitive(primitive) => primitive.map().reading(),
            Form::Reverse(_) | Form::Defined(_) => Reading::named(self.to_string()),
            Form::Lift { axis, symbol, .. } => symbol.reading().of_each(axis.part()),
        }
    }

    /// The operator that this symbol is written with, if there is one.
    pub fn operator(&self) -> Option<Operator> {
        let primitive = self.as_primitive()?;
        crate::family(&primitive.name())?.operator
    }

    /// The symbol f of which this is rd\[f\], if it is one.
    pub fn reverse_of(&self) -> Option<&Symbol> {
        match &self.0.form {
            Form::Reverse(symbol) => Some(symbol),
            Form::Primitive(_) | Form::Lift { .. } | Form::Defined(_) => None,
        }
    }

    /// Name of the program's map that the symbol is, or is made of; `None` if there is none.
    pub fn definition(&self) -> Option<&str> {
        match &self.0.form {
            Form::Defined(definition) => Some(&definition.name),
            Form::Reverse(symbol) | Form::Lift { symbol, .. } => symbol.definition(),
            Form::Primitive(_) => None,
        }
    }

    /// The primitive that this symbol is, if it is one.
    pub fn as_primitive(&self) -> Option<&Primitive> {
        match &self.0.form {
            Form::Primitive(primitive) => Some(primitive),
            Form::Reverse(_) | Form::Lift { .. } | Form::Defined(_) => None,
        }
    }

    /// Straight-line map of the symbol, from the base types of A to those of B.
    pub fn map(&self) -> &Map {
        self.0.cache.map.get_or_init(|| match &self.0.form {
            Form::Primitive(primitive) => Map::primitive(primitive),
            Form::Reverse(symbol) => symbol.map().reverse(),
            Form::Lift { b, axis, symbol } => symbol.map().lifted(*b, *axis),
            Form::Defined(definition) => definition.map.clone(),
        })
    }

    /// f(argument), with the shape of [`Symbol::result_shape`]; an error outside the domain, or when the argument is
    /// not of type A.
    pub fn eval(&self, argument: &Value, mode: Partiality) -> Result<Value, Undefined> {
        let undefined = |reason| Undefined {
            symbol: self.to_string(),
            reason,
        };
        if !argument.has_type(&self.0.domain) {
            return Err(undefined(format!(
                "the argument is of type {}, not {}",
                argument.ty(),
                self.0.domain
            )));
        }
        let tensors = argument.tensors();
        if let Form::Primitive(primitive) = &self.0.form {
            let inputs: Vec<&[f64]> = tensors.iter().map(|t| t.data()).collect();
            primitive.check(&inputs, mode).map_err(undefined)?;
            let shapes: Vec<Shape> = tensors.iter().map(|t| t.shape().clone()).collect();
            return Ok(Value::Real(shaped(
                map::apply(primitive, &inputs),
                primitive.result_shape(&shapes),
            )));
        }
        let inputs: Vec<Arc<[f64]>> = tensors.iter().map(|t| Arc::clone(t.buffer())).collect();
        let outputs = self.map().eval(&inputs, mode).map_err(undefined)?;
        // A cotangent has the shape of the point, and the base types of A come first among the tensors.
        let shape = |position: usize, size: usize| match &self.0.form {
            Form::Lift { b, axis, .. } => Some(axis.shape(size.checked_div(*b).unwrap_or(0), *b)),
            Form::Reverse(_) | Form::Primitive(_) => {
                tensors.get(position).map(|t| t.shape().clone())
            }
            Form::Defined(definition) => definition.shape.clone(),
        };
        let mut results = outputs.into_iter().enumerate().map(|(position, data)| {
            match shape(position, data.len()) {
                Some(shape) => shaped(data, shape),
                None => Tensor::shared(data),
            }
        });
        Value::assemble(&self.0.codomain, &mut results).ok_or_else(|| {
            undefined("the result is of another type than the symbol says".to_owned())
        })
    }

    /// Convention of the frameworks at an argument where only the paper's reading has no value, from the family whose map is
    /// undefined there. `None` if both readings have a value, or neither.
    pub fn convention(&self, argument: &Value) -> Option<&'static str> {
        self.eval(argument, Partiality::Total).ok()?;
        let tensors = argument.tensors();
        let inputs: Vec<Arc<[f64]>> = tensors.iter().map(|t| Arc::clone(t.buffer())).collect();
        self.map().obstacle(&inputs)?.convention()
    }

    /// The shape of the result at arguments of these shapes (the base types of A, left to right); `None` when B is
    /// a product or the arguments do not fit.
    pub fn result_shape(&self, arguments: &[Shape]) -> Option<Shape> {
        let Type::Real(n) = self.0.codomain else {
            return None;
        };
        let sizes = self.0.domain.sizes();
        if arguments.len() != sizes.len()
            || arguments.iter().zip(&sizes).any(|(a, n)| a.size() != *n)
        {
            return None;
        }
        let shape = match &self.0.form {
            Form::Primitive(primitive) => primitive.result_shape(arguments),
            Form::Reverse(_) => arguments.first()?.clone(),
            Form::Lift { b, axis, .. } => axis.shape(n.checked_div(*b)?, *b),
            Form::Defined(definition) => definition.shape.clone()?,
        };
        (shape.size() == n).then_some(shape)
    }
}

/// The tensor with this shape if it fits, else the vector.
fn shaped(data: Arc<[f64]>, shape: Shape) -> Tensor {
    let vector = Tensor::shared(data);
    if *vector.shape() == shape {
        vector
    } else {
        vector.with_shape(shape).unwrap_or(vector)
    }
}

impl PartialEq for Symbol {
    fn eq(&self, other: &Symbol) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.form == other.0.form
    }
}

impl Eq for Symbol {}

impl Hash for Symbol {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.form.hash(state);
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.form {
            Form::Primitive(primitive) => primitive.fmt(f),
            Form::Reverse(symbol) => f.write_str(&derivative_of(symbol)),
            Form::Lift { b, axis, symbol } => write!(f, "{}[{b}, {symbol}]", axis.name()),
            Form::Defined(definition) => f.write_str(&definition.name),
        }
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Symbol({self} : {} → {})",
            self.0.domain, self.0.codomain
        )
    }
}
