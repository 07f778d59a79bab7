//! Primitive maps: the generators of the straight-line maps. Each family of primitives lives in one file and
//! implements [`PrimitiveMap`]; this file only collects them in one closed enumeration.
//!
//! To add a primitive, write a variant in the file of its family, its reverse derivative in terms of primitives, and a
//! [`crate::Family`] in that file if users write it. To add a file, add a line to the list below. Everything else (rd at every
//! order, lifting, laws) follows.

use std::borrow::Cow;
use std::fmt;

use crate::builder::{Builder, Wire};
use crate::kernel::{Kernel, Nest};
use crate::lift::Axis;
use crate::reading::Reading;
use crate::{Family, Partiality, Shape};

/// A primitive f : Real(n₁) × … × Real(n_k) → Real(n), with all that a family defines for it.
pub(crate) trait PrimitiveMap {
    /// The name that users read, without indices. Primitives with the same name differ only in their sizes.
    fn name(&self) -> Cow<'static, str>;
    /// Name of the family that has the primitive as its map, or as a component of a derivative of its map. Zeros, sums and constants
    /// belong to no family; each has a name of its own here.
    fn family(&self) -> Cow<'static, str> {
        self.name()
    }
    /// Orders of differentiation of the generator, by its first and by its second argument; `[0, 0]` unless the family is a
    /// generator with all its derivatives.
    fn orders(&self) -> [usize; 2] {
        [0, 0]
    }
    /// The indices that users write after the name.
    fn indices(&self) -> Vec<usize> {
        Vec::new()
    }
    /// Words for the primitive and for its value in a sentence.
    fn reading(&self) -> Reading {
        Reading::named(self.name())
    }
    /// The sizes n₁, …, n_k.
    fn inputs(&self) -> Vec<usize>;
    /// The size n.
    fn output(&self) -> usize;
    /// True if some point lies outside the domain in one of the two readings of partiality.
    fn is_partial(&self) -> bool {
        false
    }
    /// True if some point lies outside the domain in this reading.
    fn is_partial_in(&self, _mode: Partiality) -> bool {
        self.is_partial()
    }
    /// Checks that the point lies in the domain; the error says in plain words why it does not.
    fn check(&self, _inputs: &[&[f64]], _mode: Partiality) -> Result<(), String> {
        Ok(())
    }
    /// Domain check as a condition at each entry: a kernel whose value is 1 outside the domain and 0 inside. `None` if the
    /// check is no such condition.
    fn outside(&self, _mode: Partiality) -> Option<Kernel> {
        None
    }
    /// Writes f(inputs) to `out`, which holds n zeros. The inputs have the right sizes and lie in the domain.
    fn apply(&self, inputs: &[&[f64]], out: &mut [f64]);
    /// Loops of [`PrimitiveMap::apply`] as data: the same operations in the same order.
    fn kernel(&self) -> Kernel
    where
        Self: Sized;
    /// Writes RD f into the builder, at the wires of the point, of f(point) and of the cotangent. Returns the cotangent of each
    /// input (`None` is zero).
    fn reverse(
        &self,
        b: &mut Builder,
        point: &[Wire],
        result: Wire,
        cotangent: Wire,
    ) -> Vec<Option<Wire>>;
    /// The shape of the result at arguments of these shapes.
    fn result_shape(&self, _arguments: &[Shape]) -> Shape {
        Shape::vector(self.output())
    }
    /// The primitive that applies this one to each of b rows or columns, if there is a simpler one than a lift.
    fn lifted(&self, _b: usize) -> Option<Primitive> {
        None
    }
}

/// A primitive map with its sizes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Primitive(pub(crate) Kind);

/// Collects the files of primitives: their maps in one enumeration, and the families that they declare.
macro_rules! collect {
    ($($module:ident::$family:ident),* $(,)?) => {
        /// The maps of each file.
        #[derive(Clone, PartialEq, Eq, Hash, Debug)]
        pub(crate) enum Kind {
            $($family(crate::$module::$family)),*
        }
        $(impl From<crate::$module::$family> for Primitive {
            fn from(primitive: crate::$module::$family) -> Primitive {
                Primitive(Kind::$family(primitive))
            }
        })*
        impl Primitive {
            pub(crate) fn map(&self) -> &dyn PrimitiveMap {
                match &self.0 { $(Kind::$family(primitive) => primitive),* }
            }

            /// Loops of [`Primitive::apply`], for an engine to run or compile.
            pub fn kernel(&self) -> Kernel {
                match &self.0 { $(Kind::$family(primitive) => primitive.kernel()),* }
            }
        }
        /// The families of all files, in this order.
        pub(crate) fn declared() -> Vec<Family> {
            [$(crate::$module::families()),*].into_iter().flatten().collect()
        }
    };
}

collect! {
    arithmetic::Arithmetic,
    constant::Constant,
    entrywise::Entrywise,
    choice::Choice,
    selection::Selection,
    extremes::Extremum,
    power::Power,
    linear::Linear,
    reductions::Reduction,
    norm::Norm,
    probability::Probability,
    convolution::Conv1d,
    convolution2d::Conv2d,
    pooling::Pooling,
    pooling2d::Pooling2d,
    layout::Rearrangement,
    sequence::Sequence,
    channels::Channels,
    lift::Lift,
}

impl Primitive {
    /// The name that users read, without indices.
    pub fn name(&self) -> Cow<'static, str> {
        self.map().name()
    }

    /// Name of the map that this one is a derivative of, or its own name: `exp` of exp″. With [`Primitive::orders`],
    /// [`Primitive::indices`] and the sizes, that identifies the map.
    pub fn generator(&self) -> Cow<'static, str> {
        match self.orders() {
            [0, 0] => self.map().name(),
            _ => self.map().family(),
        }
    }

    /// Orders of differentiation of its generator: by its first argument, and by its second.
    pub fn orders(&self) -> [usize; 2] {
        self.map().orders()
    }

    /// The indices that users write after the name.
    pub fn indices(&self) -> Vec<usize> {
        self.map().indices()
    }

    /// Parts of a lifted primitive: b, the axis, and the primitive applied to each of the b columns or rows; `None` for other
    /// primitives.
    pub fn each(&self) -> Option<(usize, Axis, &Primitive)> {
        match &self.0 {
            Kind::Lift(lift) => Some(lift.parts()),
            _ => None,
        }
    }

    /// Name of the family that has the primitive as its map, or as a component of a derivative of its map. It is `zero`, `plus` or
    /// `constant` for zeros, sums and constants, which belong to no family.
    pub fn family(&self) -> Cow<'static, str> {
        self.map().family()
    }

    /// Convention of the frameworks at points where only the paper's reading has no value, if there is one: see
    /// [`Family::convention`].
    pub fn convention(&self) -> Option<&'static str> {
        let family = crate::family(&self.map().family())?;
        Some(family.convention).filter(|convention| !convention.is_empty())
    }

    /// The sizes of the inputs.
    pub fn inputs(&self) -> Vec<usize> {
        self.map().inputs()
    }

    /// The size of the output.
    pub fn output(&self) -> usize {
        self.map().output()
    }

    /// True if some point lies outside the domain.
    pub fn is_partial(&self) -> bool {
        self.map().is_partial()
    }

    /// True if some point lies outside the domain in this reading, so that [`Primitive::check`] may fail.
    pub fn is_partial_in(&self, mode: Partiality) -> bool {
        self.map().is_partial_in(mode)
    }

    /// Checks that the point lies in the domain; the error says in plain words why it does not. Inputs of other sizes than
    /// [`Primitive::inputs`] are a wrong call with an unspecified answer.
    pub fn check(&self, inputs: &[&[f64]], mode: Partiality) -> Result<(), String> {
        self.map().check(inputs, mode)
    }

    /// Condition of [`Primitive::check`] at each entry in this reading: a nest whose value is 1 where the point is outside the
    /// domain, and 0 where it is inside. `None` if the check is no such condition.
    pub fn outside(&self, mode: Partiality) -> Option<Nest> {
        self.map().outside(mode)?.nests.pop()
    }

    /// Writes the result into `out`, which must hold [`Primitive::output`] zeros; the inputs must have the sizes
    /// [`Primitive::inputs`] and have passed [`Primitive::check`].
    pub fn apply(&self, inputs: &[&[f64]], out: &mut [f64]) {
        self.map().apply(inputs, out);
    }

    /// The shape of the result at arguments of these shapes.
    pub fn result_shape(&self, arguments: &[Shape]) -> Shape {
        self.map().result_shape(arguments)
    }
}

impl fmt::Display for Primitive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Kind::Lift(lift) = &self.0 {
            return lift.fmt(f);
        }
        f.write_str(&self.name())?;
        let indices = self.map().indices();
        if indices.is_empty() {
            return Ok(());
        }
        let indices: Vec<String> = indices.iter().map(usize::to_string).collect();
        write!(f, "[{}]", indices.join(", "))
    }
}
