//! Random building blocks for the laws of arrows: pure maps, commands and handlers, all over Real(2), so that any two of them compose.

use crate::generate::Tape;

/// Generates building blocks from a tape.
pub struct Pieces {
    tape: Tape,
    names: usize,
    /// True if function symbols may be partial.
    pub partial: bool,
}

/// Declarations of the two operations that commands perform. Neither has a behaviour of its own.
pub const OPERATIONS: &str = "op O : Real(2) ▷ Real(2)\nop A : Real(2) ▷ Real(2)\n";

const TOTAL: [&str; 5] = ["sin", "tanh", "swish", "square", "softmax"];
const PARTIAL: [&str; 2] = ["log", "sqrt"];
const DEPTH: usize = 4;

impl Pieces {
    /// Makes a generator from these choices; symbols may be partial.
    pub fn new(choices: &[u32]) -> Pieces {
        Pieces {
            tape: Tape::new(choices.to_vec()),
            names: 0,
            partial: true,
        }
    }

    fn fresh(&mut self) -> String {
        self.names += 1;
        format!("t{}", self.names)
    }

    fn of(&mut self, names: &[&str]) -> String {
        self.tape.choose(names).unwrap_or("x").to_owned()
    }

    /// Generates a term over these variables: symbols, copies by `let`, tuples, sums, constants and derivatives.
    pub fn term(&mut self, variables: &[&str]) -> String {
        self.at_depth(variables, DEPTH)
    }

    fn at_depth(&mut self, variables: &[&str], depth: usize) -> String {
        let Some(depth) = depth.checked_sub(1) else {
            return self.of(variables);
        };
        let two = |this: &mut Pieces| {
            let left = this.at_depth(variables, depth);
            (left, this.at_depth(variables, depth))
        };
        match self.tape.below(9) {
            0 => self.of(variables),
            1 => {
                let symbols = if self.partial && self.tape.chance(30) {
                    &PARTIAL[..]
                } else {
                    &TOTAL
                };
                let symbol = self.of(symbols);
                format!("{symbol}({})", self.at_depth(variables, depth))
            }
            2 => {
                let (left, right) = two(self);
                format!("({left} + {right})")
            }
            3 => {
                let (left, right) = two(self);
                format!("({left} ⊙ {right})")
            }
            4 => {
                let (left, right) = two(self);
                format!("({left} − {right})")
            }
            5 => {
                let (name, bound) = (self.fresh(), self.at_depth(variables, depth));
                let inner: Vec<&str> = [name.as_str()].iter().chain(variables).copied().collect();
                let body = self.at_depth(&inner, depth);
                format!("(let {name} ← {bound} in {body})")
            }
            6 => {
                let (left, right) = two(self);
                let index = 1 + self.tape.below(2);
                format!("⟨{left}, {right}⟩.{index}")
            }
            7 => {
                let (cotangent, point) = two(self);
                let name = self.fresh();
                let inner: Vec<&str> = [name.as_str()].iter().chain(variables).copied().collect();
                let body = self.at_depth(&inner, depth.min(2));
                format!("({cotangent}).rd({name}. {body})({point})")
            }
            _ => self.of(&["[1, 2]", "[0.5, −1]", "zero[2]"]),
        }
    }

    /// Generates a term that is undefined where the first of these variables is negative.
    pub fn partial_term(&mut self, variables: &[&str]) -> String {
        let first = variables.first().copied().unwrap_or("x");
        let symbol = self.of(&PARTIAL);
        let other = self.term(variables);
        let (left, right) = (self.term(variables), self.term(variables));
        match self.tape.below(3) {
            0 => format!("{symbol}({first})"),
            1 => format!("({left} + {symbol}({first}) ⊙ {other})"),
            _ => format!("(let p ← {symbol}({first}) in {right} + tanh(p))"),
        }
    }

    /// Generates a command over these variables: operations, including those of the heap, and pure terms.
    pub fn command(&mut self, variables: &[&str]) -> String {
        self.sequence(variables, 3)
    }

    fn sequence(&mut self, variables: &[&str], depth: usize) -> String {
        let head = |this: &mut Pieces| {
            let m = this.at_depth(variables, 2);
            match this.tape.below(5) {
                0 => format!("⌊{m}⌋"),
                1 => format!("O({m})"),
                2 => format!("A({m})"),
                3 => "Get[w]()".to_owned(),
                _ => format!("(let _ ⇐ Put[w]({m}) in ⌊{m}⌋)"),
            }
        };
        match depth.checked_sub(1) {
            None => head(self),
            Some(_) if self.tape.chance(20) => head(self),
            Some(depth) => {
                let (name, bound) = (self.fresh(), head(self));
                let inner: Vec<&str> = [name.as_str()].iter().chain(variables).copied().collect();
                let rest = self.sequence(&inner, depth);
                format!("let {name} ⇐ {bound} in {rest}")
            }
        }
    }

    /// Generates a command that is sure to perform an operation.
    pub fn effect(&mut self, variables: &[&str]) -> String {
        let (name, m) = (self.fresh(), self.term(variables));
        let operation = self.of(&["O", "A"]);
        let inner: Vec<&str> = [name.as_str()].iter().chain(variables).copied().collect();
        let rest = self.command(&inner);
        format!("let {name} ⇐ {operation}({m}) in {rest}")
    }

    /// Generates `fun NAME(x : Real(2)) : Real(2)` with a random term.
    pub fn map(&mut self, name: &str) -> String {
        format!(
            "fun {name}(x : Real(2)) : Real(2) = {}\n",
            self.term(&["x"])
        )
    }

    /// Generates `command NAME(x : Real(2)) : Real(2)` with a random command.
    pub fn arrow(&mut self, name: &str) -> String {
        let body = self.command(&["x"]);
        format!("command {name}(x : Real(2)) : Real(2) = {body}\n")
    }

    /// Generates the clauses of a reverse handler. Returns the commands `Of`, `Ob`, `Af`, `Ab`, and the clauses that call them.
    pub fn clauses(&mut self) -> (String, String) {
        let mut declared = String::new();
        let mut clauses = String::new();
        for operation in ["O", "A"] {
            let (result, saved) = (self.fresh(), self.term(&["x"]));
            let forward = self.command(&["x"]);
            let backward = self.command(&["y", "z"]);
            declared += &format!(
                "command {operation}f(x : Real(2)) : Real(2) × Real(2) = let {result} ⇐ ({forward}) in ⌊⟨{result}, {saved}⟩⌋\n\
                 command {operation}b(y : Real(2), z : Real(2)) : Real(2) = {backward}\n"
            );
            clauses += &format!(" {operation} ( x ↦ {operation}f(x) | y, z ↦ {operation}b(y, z) )");
        }
        (declared, clauses)
    }
}

/// Returns the program of a law: two commands over x and z, which must denote equal arrows.
pub fn law(declared: &str, left: &str, right: &str) -> String {
    let side =
        |name: &str, body: &str| format!("command {name}(x : Real(2), z : Real(2)) = {body}\n");
    format!(
        "loc w ∷ (2)\n{OPERATIONS}{declared}{}{}",
        side("Left", left),
        side("Right", right)
    )
}
