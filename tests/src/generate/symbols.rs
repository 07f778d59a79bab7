//! Random applications of function symbols whose result is a tensor of a given shape.

use super::Generator;
use super::scope::Scope;
use super::types::{Size, Ty, entries, join};
use fletch_smooth::{Family, Symbol, families};

/// Returns a symbol applied to numbers that are mapped into its domain. `number` gives the entry at a
/// position, counted over all arguments.
pub fn sample(family: &Family, symbol: &Symbol, number: impl Fn(usize) -> f64) -> String {
    let mut position = 0;
    let mut vector = |(argument, n): (usize, usize)| {
        let numbers: Vec<String> = (position..position + n)
            .map(|position| format!("{:.6}", (family.interior)(argument, number(position))))
            .collect();
        position += n;
        format!("[{}]", numbers.join(", "))
    };
    let sizes = symbol.domain().sizes().into_iter().enumerate();
    let vectors: Vec<String> = sizes.filter(|(_, n)| *n > 0).map(&mut vector).collect();
    format!("{symbol}({})", vectors.join(", "))
}

impl Generator {
    /// Generates f(M) : Real(shape), for a shape with at least one entry.
    pub(super) fn application(&mut self, shape: &[Size], fuel: usize, scope: &Scope) -> String {
        let ty = Ty::Real(shape.to_vec());
        match self.tape.below(12) {
            0 | 1 => self.entrywise(&ty, fuel, scope),
            2 => format!("broadcast[{}]({})", join(shape, "*"), self.sample()),
            3 | 4 => {
                let (a, b) = (self.term(&ty, fuel, scope), self.term(&ty, fuel, scope));
                match self.tape.below(4) {
                    0 => format!("({a} ⊙ {b})"),
                    1 => format!("({a} − {b})"),
                    2 => format!("(−{a} ⊙ {b})"),
                    _ => format!("({a} / exp(sin({b})))"),
                }
            }
            5 => {
                let factor = self.term(&Ty::vector(1), fuel, scope);
                let term = self.term(&ty, fuel, scope);
                format!("({factor} · {term})")
            }
            6 => self.partial(&ty, fuel, scope),
            7 => self.reverse(&ty, fuel, scope),
            8 => self.reduction(shape, fuel, scope),
            9 => self.product(shape, fuel, scope),
            _ => match entries(shape) {
                Some(size) => self.layout(size, fuel, scope),
                None => self.entrywise(&ty, fuel, scope),
            },
        }
    }

    fn smooth_symbol(&mut self) -> &'static str {
        let symbols = [
            "swish", "sin", "tanh", "sigmoid", "cos", "softplus", "square",
        ];
        self.tape.choose(&symbols).unwrap_or("sin")
    }

    /// Generates a smooth function that is mostly applied entry by entry.
    fn entrywise(&mut self, ty: &Ty, fuel: usize, scope: &Scope) -> String {
        let symbol = self.smooth_symbol();
        let term = self.term(ty, fuel, scope);
        match self.tape.below(8) {
            0 => format!("softmax({term})"),
            1 => format!("log_softmax({term})"),
            2 => format!("exp(tanh({term}))"),
            3 => format!("recip(exp(sin({term})))"),
            4 => format!("log(softplus({term}))"),
            5 => format!("sqrt(sigmoid({term}))"),
            _ => format!("{symbol}({term})"),
        }
    }

    /// Generates a function that is undefined at some arguments. A run may stop there and report it.
    fn partial(&mut self, ty: &Ty, fuel: usize, scope: &Scope) -> String {
        if self.total > 0 {
            return self.entrywise(ty, fuel, scope);
        }
        let a = self.term(ty, fuel, scope);
        match self.tape.below(9) {
            0 => format!("abs({a})"),
            1 => format!("relu({a})"),
            2 => format!("max({a}, {})", self.term(ty, fuel, scope)),
            3 => format!("min({a}, {})", self.term(ty, fuel, scope)),
            4 => format!("clamp(−0.55, 0.65, {a})"),
            5 => format!("pow(sigmoid({a}), {})", self.term(&Ty::vector(1), 0, scope)),
            6 => format!("round({a})"),
            7 => format!("sign({a})"),
            _ => format!("recip({a})"),
        }
    }

    /// Generates a reverse derivative written as a symbol.
    fn reverse(&mut self, ty: &Ty, fuel: usize, scope: &Scope) -> String {
        if self.order + scope.level.min(2) >= 2 {
            return self.entrywise(ty, fuel, scope);
        }
        let symbol = self.smooth_symbol();
        let (a, b) = (self.term(ty, fuel, scope), self.term(ty, fuel, scope));
        match self.tape.below(4) {
            0 | 1 => format!("rd[{symbol}]({a}, {b})"),
            2 => format!("rd[hadamard](⟨{a}, {b}⟩, {b}).1"),
            _ => format!("rd[rd[{symbol}]](⟨{a}, {b}⟩, {a}).2"),
        }
    }

    /// Generates sums and similar reductions for a scalar, broadcasts for other shapes.
    fn reduction(&mut self, shape: &[Size], fuel: usize, scope: &Scope) -> String {
        if entries(shape) != Some(1) {
            let scalar = self.term(&Ty::vector(1), fuel, scope);
            return format!("broadcast[{}]({scalar})", join(shape, "*"));
        }
        let operand = self.tensor_type(scope);
        let a = self.term(&operand, fuel, scope);
        match self.tape.below(7) {
            0 => format!("sum({a})"),
            1 => format!("mean({a})"),
            2 => format!("half_sq({a})"),
            3 => format!("dot({a}, {})", self.term(&operand, fuel, scope)),
            4 => format!(
                "cross_entropy({a}, softmax({}))",
                self.term(&operand, fuel, scope)
            ),
            5 if self.total == 0 => format!("correct({a}, {})", self.term(&operand, fuel, scope)),
            _ => "count[3]()".to_owned(),
        }
    }

    /// Generates any symbol of any family, at numbers in its domain.
    fn sample(&mut self) -> String {
        let Some(family) = families().get(self.tape.below(families().len())) else {
            return "count[3]()".to_owned();
        };
        let symbol = self.tape.choose(&family.samples());
        let choices: Vec<usize> = (0..16).map(|_| self.tape.below(100)).collect();
        // No two numbers are equal, and none is a half, so ties and rounding points are avoided.
        let number = |position: usize| {
            let choice = choices.get(position % choices.len()).copied().unwrap_or(0);
            0.013 + choice as f64 / 40.0 - 1.2 + position as f64 / 9973.0
        };
        match symbol {
            Some(symbol) => format!("sum({})", sample(family, &symbol, number)),
            None => "count[3]()".to_owned(),
        }
    }

    /// Generates matrix products and transposes.
    fn product(&mut self, shape: &[Size], fuel: usize, scope: &Scope) -> String {
        let (rows, columns) = match shape {
            [rows] => (rows.clone(), Size::Number(1)),
            [rows, columns] => (rows.clone(), columns.clone()),
            _ => return self.entrywise(&Ty::Real(shape.to_vec()), fuel, scope),
        };
        if self.tape.chance(25) {
            let turned = Ty::Real(vec![columns.clone(), rows.clone()]);
            let term = self.term(&turned, fuel, scope);
            return format!("transpose[{columns}, {rows}]({term})");
        }
        let middle = match scope.sizes.first() {
            Some(name) if self.tape.chance(50) => Size::Name(name),
            _ => Size::Number(1 + self.tape.below(3)),
        };
        let left = Ty::Real(vec![rows.clone(), middle.clone()]);
        let right = Ty::Real(vec![middle.clone(), columns.clone()]);
        let (a, b) = (
            self.term(&left, fuel, scope),
            self.term(&right, fuel, scope),
        );
        if self.tape.chance(50) {
            // Operands of a known shape need no indices.
            let (a, b) = (
                format!("reshape[{rows}, {middle}]({a})"),
                format!("reshape[{middle}, {columns}]({b})"),
            );
            return match self.tape.below(2) {
                0 => format!("({a} ∗ {b})"),
                _ => format!("(({b}ᵀ ∗ {a}ᵀ))ᵀ"),
            };
        }
        format!("matmul[{rows}, {middle}, {columns}]({a}, {b})")
    }

    /// Generates symbols that move entries, and the layers of convolutional networks.
    fn layout(&mut self, size: usize, fuel: usize, scope: &Scope) -> String {
        let vector =
            |generator: &mut Generator, size: usize| generator.term(&Ty::vector(size), fuel, scope);
        match self.tape.below(9) {
            0 => {
                let start = self.tape.below(2);
                let a = vector(self, size + start);
                format!("slice[{start}, {size}]({a})")
            }
            1 if size >= 2 => {
                let (a, b) = (vector(self, 1), vector(self, size - 1));
                format!("concat[1, {}, 1]({a}, {b})", size - 1)
            }
            2 if size >= 2 => {
                let a = vector(self, size - 1);
                format!("padding[1, {}, {size}]({a})", size - 1)
            }
            3 => {
                let a = vector(self, 2);
                format!("upscale[1, 2, {size}]({a})")
            }
            4 => {
                // Two input channels, one output channel, windows of two.
                let (a, w) = (vector(self, 2 * (size + 1)), vector(self, 4));
                format!("conv1d[{}, 2, 2, 1]({a}, {w})", size + 1)
            }
            5 => {
                let a = vector(self, 2 * size);
                format!("avgpool1d[{}, 2, 1]({a})", 2 * size)
            }
            6 if self.total == 0 => {
                let a = vector(self, 2 * size);
                format!("maxpool1d[{}, 2, 1]({a})", 2 * size)
            }
            7 => {
                let a = vector(self, size);
                format!("cols[{size}, softmax](reshape[1, {size}]({a}))")
            }
            _ => {
                let a = vector(self, 2 * size);
                format!("rows[{size}, sum](reshape[{size}, 2]({a}))")
            }
        }
    }
}
