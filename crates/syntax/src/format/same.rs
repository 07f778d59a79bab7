//! Whether two trees are the same program: equal up to places.

use crate::span::Spanned;
use crate::tree::*;
use std::mem::discriminant;
use std::sync::Arc;

/// Equality up to places.
pub(super) trait Same {
    /// Whether this and `other` are equal up to places.
    fn same(&self, other: &Self) -> bool;
}

impl<T: Same> Same for Spanned<T> {
    fn same(&self, other: &Self) -> bool {
        self.node.same(&other.node)
    }
}

impl<T: Same> Same for Box<T> {
    fn same(&self, other: &Self) -> bool {
        (**self).same(other)
    }
}

impl<T: Same> Same for Option<T> {
    fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Some(one), Some(other)) => one.same(other),
            (None, None) => true,
            _ => false,
        }
    }
}

impl<T: Same> Same for Vec<T> {
    fn same(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().zip(other).all(|(one, other)| one.same(other))
    }
}

impl<A: Same, B: Same> Same for (A, B) {
    fn same(&self, other: &Self) -> bool {
        self.0.same(&other.0) && self.1.same(&other.1)
    }
}

macro_rules! plain {
    ($($name:ty),*) => {
        $(impl Same for $name {
            fn same(&self, other: &Self) -> bool {
                self == other
            }
        })*
    };
}

macro_rules! structs {
    ($($name:ident { $($field:ident),* })*) => {
        $(impl Same for $name {
            fn same(&self, other: &Self) -> bool {
                $(self.$field.same(&other.$field))&&*
            }
        })*
    };
}

/// Every variant with fields, each field with a name for it on both sides.
macro_rules! enums {
    ($($name:ident { $($variant:ident { $($field:tt $one:ident $other:ident),* })* })*) => {
        $(impl Same for $name {
            fn same(&self, other: &Self) -> bool {
                match (self, other) {
                    $((
                        $name::$variant { $($field: $one),* },
                        $name::$variant { $($field: $other),* },
                    ) => $($one.same($other))&&*,)*
                    _ => discriminant(self) == discriminant(other),
                }
            }
        })*
    };
}

plain!(Arc<str>, String, u32, u64, f64, BinaryOperator, Literal);

structs! {
    Program { items }
    Name { text }
    LocDecl { name, params, shape, init }
    OpDecl { name, params, domain, codomain }
    FunDecl { name, index_params, params, result, body }
    CommandDecl { name, index_params, params, result, body }
    HandlerDecl { name, index_params, params, handled, result, extends, clauses }
    DataDecl { name, ty, dataset }
    TrainDecl { data, batch, pattern, epochs, body }
    MeasureDecl { name, data, pattern, body }
    PredictDecl { name, params, body }
    Param { name, ty }
    HandlerCall { name, indices, arguments }
    GeneratorCall { name, arguments }
    NamedArgument { key, value }
}

enums! {
    ItemKind {
        Dim { 0 a b }
        Loc { 0 a b }
        Op { 0 a b }
        Fun { 0 a b }
        Command { 0 a b }
        Handler { 0 a b }
        Data { 0 a b }
        Train { 0 a b }
        Measure { 0 a b }
        Predict { 0 a b }
        Main { 0 a b }
    }
    Dataset {
        Samples { 0 a b }
        Generator { 0 a b }
        Csv { 0 a b }
    }
    IndexParamKind {
        Name { 0 a b }
        Location { name a b, shape c d }
        Size { 0 a b }
    }
    IndexKind {
        Size { 0 a b }
        Name { 0 a b, 1 c d }
        Symbol { 0 a b }
    }
    TypeKind {
        Real { 0 a b }
        Product { 0 a b }
    }
    SizeKind {
        Number { 0 a b }
        Name { 0 a b }
        Add { 0 a b, 1 c d }
        Subtract { 0 a b, 1 c d }
        Multiply { 0 a b, 1 c d }
        Ceiling { 0 a b, 1 c d }
    }
    TermKind {
        Variable { 0 a b }
        Literal { 0 a b }
        Tuple { 0 a b }
        Let { 0 a b, 1 c d, 2 e f }
        Binary { 0 a b, 1 c d, 2 e f }
        Negate { 0 a b }
        Transpose { 0 a b }
        Projection { 0 a b, 1 c d }
        ReverseDerivative { cotangent a b, variable c d, body e f, point g h }
        Call { 0 a b, 1 c d }
        Zero { 0 a b }
    }
    SymbolKind {
        Named { 0 a b, 1 c d }
        Reverse { 0 a b }
    }
    CommandKind {
        Let { 0 a b, 1 c d, 2 e f }
        RevHandle { argument a b, patterns c d, body e f, handler g h }
        Handle { body a b, handler c d }
        Iterate { variable a b, count c d, argument e f, patterns g h, body i j }
        Pure { 0 a b }
        Call { name a b, indices c d, arguments e f }
        Resume { 0 a b, 1 c d }
    }
    HandlerKind {
        Call { 0 a b }
        Literal { 0 a b }
    }
    ClauseKind {
        Return { 0 a b, 1 c d }
        Reverse {
            operation a b, params c d, forward_pattern e f, forward g h,
            cotangent i j, saved k l, backward m n
        }
        Ordinary { operation a b, params c d, continuation e f, pattern g h, body i j }
    }
    PatternKind {
        Name { 0 a b }
        Tuple { 0 a b }
    }
    Init {
        Literal { 0 a b }
        Generator { 0 a b }
    }
    ArgumentValue {
        Number { 0 a b }
        Size { 0 a b }
    }
}
