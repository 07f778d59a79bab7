//! Random terms of a type.

use super::Generator;
use super::scope::Scope;
use super::types::{Size, Ty, entries, join};

impl Generator {
    /// Generates a term of this type, in parentheses where its context could split it.
    pub(super) fn term(&mut self, ty: &Ty, fuel: usize, scope: &Scope) -> String {
        // Every enclosing reverse handler differentiates a term once more.
        let deepest = match scope.level + self.order {
            0 => fuel,
            1 => 2,
            _ => 1,
        };
        let fuel = if self.spend() { fuel.min(deepest) } else { 0 };
        if fuel == 0 {
            return self.leaf(ty, scope);
        }
        let fuel = fuel - 1;
        match (self.tape.below(10), ty) {
            (0 | 1, _) => self.leaf(ty, scope),
            (2, _) => {
                let (left, right) = (self.term(ty, fuel, scope), self.term(ty, fuel, scope));
                format!("({left} + {right})")
            }
            (3, _) => {
                let bound = self.some_type(scope);
                let value = self.term(&bound, fuel, scope);
                let (pattern, binders) = self.pattern(&bound);
                let body = self.term(ty, fuel, &scope.with(&binders));
                format!("(let {pattern} ← {value} in {body})")
            }
            (4, _) => {
                let other = self.some_type(scope);
                let (this, other) = (self.term(ty, fuel, scope), self.term(&other, fuel, scope));
                match self.tape.below(3) {
                    0 => format!("⟨{this}, {other}⟩.1"),
                    1 => format!("⟨{other}, {this}⟩.2"),
                    _ => format!("proj_1(⟨{this}, {other}⟩)"),
                }
            }
            (5, _) => self.derivative(ty, fuel, scope),
            (6, _) => match self.function_call(ty, fuel, scope) {
                Some(call) => call,
                None => self.leaf(ty, scope),
            },
            (_, Ty::Product(parts)) => {
                let parts: Vec<String> = parts
                    .iter()
                    .map(|part| self.term(part, fuel, scope))
                    .collect();
                format!("⟨{}⟩", parts.join(", "))
            }
            (_, Ty::Real(shape)) if entries(shape) == Some(0) => self.leaf(ty, scope),
            (_, Ty::Real(shape)) => self.application(shape, fuel, scope),
        }
    }

    /// Generates M.rd(x. N)(L), with less than three nested derivatives.
    fn derivative(&mut self, ty: &Ty, fuel: usize, scope: &Scope) -> String {
        let around = self.order + scope.level;
        if around >= 2 {
            return self.leaf(ty, scope);
        }
        // The second derivative of a nested tuple is correct but enormous.
        let (along, deepest) = match around {
            0 => (self.some_type(scope), 1),
            _ => (self.tensor_type(scope), 0),
        };
        let cotangent = self.term(&along, fuel.min(deepest), scope);
        let name = self.name();
        let inner = scope.with(&[(name.clone(), ty.clone())]);
        self.order += 1;
        let body = self.term(&along, fuel.min(deepest + 1), &inner);
        self.order -= 1;
        let point = self.term(ty, fuel.min(deepest), scope);
        format!("({cotangent}).rd({name}. {body})({point})")
    }

    /// Generates a variable, a projection of a variable, or a literal.
    fn leaf(&mut self, ty: &Ty, scope: &Scope) -> String {
        let mut found = Vec::new();
        for (name, whole) in scope.visible() {
            if whole.fits(ty) {
                found.push(name.clone());
            }
            if let Ty::Product(parts) = &whole {
                for (index, part) in parts.iter().enumerate() {
                    if part.fits(ty) {
                        found.push(format!("{name}.{}", index + 1));
                    }
                }
            }
        }
        if !found.is_empty() && !self.tape.chance(25) {
            return self.tape.choose(&found).unwrap_or_default();
        }
        match ty {
            Ty::Product(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.leaf(part, scope)).collect();
                format!("⟨{}⟩", parts.join(", "))
            }
            // A sum of a variable of another shape keeps the result dependent on variables, so cotangents
            // flow back to them.
            Ty::Real(shape)
                if entries(shape) != Some(0) && scope.level < 2 && self.tape.chance(60) =>
            {
                let tensors: Vec<String> = scope
                    .visible()
                    .into_iter()
                    .filter(|(_, ty)| matches!(ty, Ty::Real(shape) if entries(shape) != Some(0)))
                    .map(|(name, _)| name)
                    .collect();
                match self.tape.choose(&tensors) {
                    Some(name) => format!("broadcast[{}](sum({name}))", join(shape, "*")),
                    None => self.literal(shape),
                }
            }
            Ty::Real(shape) => self.literal(shape),
        }
    }

    /// Generates a constant of this shape.
    pub(super) fn literal(&mut self, shape: &[Size]) -> String {
        match (entries(shape), shape) {
            (Some(0), _) => "()".to_owned(),
            (None, _) => {
                let size = join(shape, "*");
                match self.tape.below(2) {
                    0 => format!("zero[{size}]"),
                    _ => format!("broadcast[{size}]({})", self.scalar()),
                }
            }
            (Some(1), _) => self.scalar(),
            (Some(_), [Size::Number(rows), Size::Number(columns)]) => {
                let rows: Vec<String> = (0..*rows).map(|_| self.row(*columns)).collect();
                format!("[{}]", rows.join(", "))
            }
            (Some(size), _) => self.row(size),
        }
    }

    fn row(&mut self, size: usize) -> String {
        let numbers: Vec<String> = (0..size).map(|_| self.number()).collect();
        format!("[{}]", numbers.join(", "))
    }

    fn scalar(&mut self) -> String {
        let number = self.number();
        if number.starts_with('−') {
            format!("({number})")
        } else {
            number
        }
    }

    /// Generates a number at which derivatives differ from those at neighbouring numbers.
    pub(super) fn number(&mut self) -> String {
        let digit = self.tape.below(9) + 1;
        match self.tape.below(6) {
            0..3 => format!("0.{digit}"),
            3 => format!("−0.{digit}"),
            4 => format!("1.{digit}"),
            _ => format!("−{digit}e-1"),
        }
    }

    /// Generates a call of a `fun` that returns this type.
    fn function_call(&mut self, ty: &Ty, fuel: usize, scope: &Scope) -> Option<String> {
        if self.order + scope.level >= 2 {
            return None;
        }
        let candidates: Vec<usize> = self
            .functions
            .iter()
            .enumerate()
            .filter(|(_, function)| {
                function
                    .result
                    .as_ref()
                    .is_none_or(|result| result.fits(ty))
            })
            .map(|(index, _)| index)
            .collect();
        let function = self.functions.get(self.tape.choose(&candidates)?)?.clone();
        match &function.result {
            Some(_) => {
                let arguments: Vec<String> = function
                    .parameters
                    .iter()
                    .map(|parameter| self.term(parameter, fuel.min(1), scope))
                    .collect();
                Some(format!("{}({})", function.name, arguments.join(", ")))
            }
            // A schematic `fun g[n](x : Real(n))` works at any size.
            None => match ty {
                Ty::Real(shape) if entries(shape) != Some(0) => {
                    let size = join(shape, "*");
                    let argument = self.term(ty, fuel, scope);
                    Some(match self.tape.below(2) {
                        0 => format!("{}({argument})", function.name),
                        _ => format!("{}[{size}]({argument})", function.name),
                    })
                }
                _ => None,
            },
        }
    }
}
