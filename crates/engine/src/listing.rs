//! Text of lines and plans, as `fletch plan` prints it: single assignments, and loops with their accesses.

use crate::body::operands;
use crate::line::{Line, Op};
use crate::loops::{Access, Body, Fold, Holds, Item, Loop, Plan, Rounds, Source, Sum};
use fletch_smooth::{Applied, Binary, Comparison, Elementary, Operation, Step};

/// Size of a plan, or of the line that it is compiled from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Statements of a line, or items of a plan.
    pub statements: usize,
    /// Wires of a line, or buffers of a plan that an item touches.
    pub buffers: usize,
    /// Bytes of all wires, or of the laid-out memory, at 8 bytes a number.
    pub bytes: usize,
    /// Operations on numbers in one step.
    pub operations: usize,
}

/// Names of locations, by number.
type Names<'n> = &'n dyn Fn(usize) -> String;

impl Line {
    /// Size of the line, each wire with a buffer of its own.
    pub fn counts(&self) -> Counts {
        let statements = self.map.statements();
        let sizes = statements.iter().flat_map(|each| each.applied.outputs());
        let entries: usize = sizes.clone().chain(self.map.inputs().iter().copied()).sum();
        Counts {
            statements: statements.len(),
            buffers: sizes.count() + self.map.inputs().len(),
            bytes: 8 * entries,
            operations: 0,
        }
    }

    /// Statements as text, one a line.
    pub fn listing(&self, cell: Names<'_>) -> Vec<String> {
        let statement = |each: &fletch_smooth::Statement<Op>| {
            let arguments = each.arguments.iter().map(|wire| format!("w{}", wire.0));
            let arguments: Vec<String> = arguments.collect();
            let arguments = arguments.join(", ");
            let what = match &each.applied {
                Op::Primitive(primitive) => format!("{primitive}({arguments})"),
                Op::Constant(constant) => numbers(&constant.0),
                Op::Get(number, _) => format!("Get {}", cell(*number)),
                Op::Put(number, _) => return format!("Put {}({arguments})", cell(*number)),
                Op::Repeat(repeat) => {
                    let back = if repeat.moments.backwards {
                        " backwards"
                    } else {
                        ""
                    };
                    format!("repeat[{}]{back}({arguments})", repeat.moments.count)
                }
            };
            let size = each.applied.outputs().first().copied().unwrap_or(0);
            let only = if each.live { "" } else { "   only its domain" };
            format!("w{} : {size} = {what}{only}", each.first.0)
        };
        self.map.statements().iter().map(statement).collect()
    }
}

impl Plan {
    /// Size of the plan, its buffers laid out.
    pub fn counts(&self) -> Counts {
        let layout = self.layout();
        Counts {
            statements: self.items.len(),
            buffers: layout.places.iter().filter(|(_, size)| *size > 0).count(),
            bytes: 8 * layout.size,
            operations: self.items.iter().map(Item::operations).sum(),
        }
    }

    /// Items as text: one line each, several for a loop.
    pub fn listing(&self, cell: Names<'_>) -> Vec<String> {
        let name = |buffer: usize| match self.buffers.get(buffer).map(|buffer| &buffer.holds) {
            Some(Holds::Input(input)) => format!("x{input}"),
            Some(Holds::Cell(number)) => cell(*number),
            Some(Holds::Constant(constant)) if constant.0.len() == 1 => numbers(&constant.0),
            Some(Holds::Constant(_)) => format!("c{buffer}"),
            _ => format!("b{buffer}"),
        };
        let mut lines = Vec::new();
        for item in &self.items {
            item.list(&name, &mut lines);
        }
        lines
    }
}

impl Item {
    fn list(&self, name: &dyn Fn(usize) -> String, lines: &mut Vec<String>) {
        match self {
            Item::Fill(buffer) => lines.push(format!("{} = zeros", name(*buffer))),
            Item::Put { cell, from } => lines.push(format!("{} = {}", name(*cell), name(*from))),
            Item::Check {
                primitive,
                arguments,
                ..
            } => {
                let arguments: Vec<String> = arguments.iter().map(|at| name(*at)).collect();
                lines.push(format!("check {primitive}({})", arguments.join(", ")));
            }
            Item::Loop(each) => each.list(false, name, lines),
            Item::Scatter(each) => each.list(true, name, lines),
            Item::Repeat(rounds) => rounds.list(name, lines),
        }
    }

    /// Number of arithmetic operations in one step.
    fn operations(&self) -> usize {
        match self {
            Item::Loop(each) => {
                let points: usize = each.space.iter().product();
                let terms = |sum: &Sum| sum.extents.iter().product::<usize>();
                let sum = each.sum.as_ref();
                let sum = sum.map_or(0, |sum| terms(sum) * (computed(&sum.body) + 1));
                points * (computed(&each.body) + sum)
            }
            Item::Scatter(each) => {
                each.space.iter().product::<usize>() * (computed(&each.body) + 1)
            }
            Item::Repeat(rounds) => {
                rounds.moments.count * rounds.items.iter().map(Item::operations).sum::<usize>()
            }
            Item::Fill(_) | Item::Check { .. } | Item::Put { .. } => 0,
        }
    }
}

fn computed(body: &Body) -> usize {
    let computes = |operation: &&Operation| {
        !matches!(
            operation,
            Operation::Read(_) | Operation::Constant(_) | Operation::Index(_)
        )
    };
    body.operations.iter().filter(computes).count()
}

/// Index letters of the loops, outermost first.
const LETTERS: [&str; 8] = ["i", "j", "k", "l", "m", "n", "p", "q"];

fn letter(level: usize) -> &'static str {
    LETTERS.get(level).copied().unwrap_or("r")
}

fn extents(extents: &[usize], first: usize) -> String {
    let each = extents.iter().enumerate();
    let each: Vec<String> = each
        .map(|(level, extent)| format!("{} < {extent}", letter(first + level)))
        .collect();
    each.join(", ")
}

/// Text of an access, such as `b3[4 i + j]`.
fn place(access: &Access, name: &dyn Fn(usize) -> String) -> String {
    let term = |(level, step): (usize, &Step)| {
        let index = match step.scale {
            (1, 1) => letter(level).to_owned(),
            (n, m) => format!("⌊{n} {} / {m}⌋", letter(level)),
        };
        match step.stride {
            0 => None,
            1 => Some(index),
            stride => Some(format!("{stride} {index}")),
        }
    };
    let terms = access.steps.iter().enumerate().filter_map(term);
    let offset = (access.offset > 0).then(|| access.offset.to_string());
    let terms: Vec<String> = terms.chain(offset).collect();
    match terms.is_empty() {
        true => format!("{}[0]", name(access.buffer)),
        false => format!("{}[{}]", name(access.buffer), terms.join(" + ")),
    }
}

/// Expressions of the requested assignments. An assignment that is used more than once gets a line `v… = …` of its own, unless it is a
/// read, an index or a constant.
fn expressions(
    body: &Body,
    asked: &[usize],
    name: &dyn Fn(usize) -> String,
    lines: &mut Vec<String>,
) -> Vec<String> {
    let read = |position: usize| match body.sources.get(position) {
        Some(Source::Entry(access)) => place(access, name),
        _ => "s".to_owned(),
    };
    let used = body.operations.iter().flat_map(operands);
    let used: Vec<usize> = used.chain(asked.iter().copied()).collect();
    let mut known: Vec<String> = Vec::new();
    for (number, operation) in body.operations.iter().enumerate() {
        let at = |register: usize| known.get(register).cloned().unwrap_or_default();
        let (text, is_short) = match *operation {
            Operation::Read(position) => (read(position), true),
            Operation::Index(level) => (letter(level).to_owned(), true),
            Operation::Constant(constant) => (decimal(constant), true),
            Operation::Map(Elementary::Neg, x) => (format!("(−{})", at(x)), false),
            Operation::Map(function, x) => {
                (format!("{}({})", function_name(function), at(x)), false)
            }
            Operation::Binary(Binary::Max, a, b) => (format!("max({}, {})", at(a), at(b)), false),
            Operation::Binary(operation, a, b) => {
                let sign = match operation {
                    Binary::Add => "+",
                    Binary::Sub => "−",
                    Binary::Mul => "·",
                    Binary::Div => "/",
                    Binary::Pow => "^",
                    Binary::Max => "max",
                };
                (format!("({} {sign} {})", at(a), at(b)), false)
            }
            Operation::Choose(is, [a, b, then, otherwise]) => {
                let sign = match is {
                    Comparison::Less => "<",
                    Comparison::AtMost => "≤",
                    Comparison::Equal => "=",
                };
                let [a, b, then, otherwise] = [a, b, then, otherwise].map(at);
                (format!("({a} {sign} {b} ? {then} : {otherwise})"), false)
            }
        };
        let is_shared = used.iter().filter(|used| **used == number).count() > 1;
        known.push(match is_shared && !is_short {
            true => {
                lines.push(format!("  v{number} = {text}"));
                format!("v{number}")
            }
            false => text,
        });
    }
    let value = |register: &usize| known.get(*register).cloned().unwrap_or_default();
    asked.iter().map(value).collect()
}

fn function_name(function: Elementary) -> &'static str {
    match function {
        Elementary::Exp => "exp",
        Elementary::Log => "log",
        Elementary::Log1p => "log1p",
        Elementary::Sqrt => "sqrt",
        Elementary::Sin => "sin",
        Elementary::Cos => "cos",
        Elementary::Tanh => "tanh",
        Elementary::Erf => "erf",
        Elementary::Erfc => "erfc",
        Elementary::Round => "round",
        Elementary::Abs => "abs",
        Elementary::Neg => "−",
        Elementary::Logistic => "σ",
    }
}

impl Loop {
    /// Lists the loop; with `adds` it adds its values to the entries that it writes.
    fn list(&self, adds: bool, name: &dyn Fn(usize) -> String, lines: &mut Vec<String>) {
        let over = extents(&self.space, 0);
        lines.push(match (adds, self.space.is_empty()) {
            (true, _) => format!("for {over}, one after the other"),
            (false, true) => "at one point".to_owned(),
            (false, false) => format!("for {over}"),
        });
        if let Some(sum) = &self.sum {
            let values = expressions(&sum.body, &sum.addends(), name, lines);
            let how = match sum.fold {
                Fold::InTurn(_) => "the sum",
                Fold::Lanes(_) => "the sum, in the lanes of a vector,",
                Fold::Maximum => "the maximum",
                Fold::AtMaximum => "that at the maximum",
            };
            let over = extents(&sum.extents, self.space.len());
            lines.push(format!("  s = {how} over {over} of {}", values.join(" + ")));
        }
        let asked: Vec<usize> = self.writes.iter().map(|(_, value)| *value).collect();
        let values = expressions(&self.body, &asked, name, lines);
        // A loop reads all its entries before it writes any, so a write to a buffer that the loop also reads is listed last.
        let read = |buffer| self.body.entries().any(|access| access.buffer == buffer);
        let writes = self.writes.iter().map(|(access, _)| access);
        let (over, new): (Vec<_>, Vec<_>) = writes
            .zip(values)
            .partition(|(access, _)| read(access.buffer));
        let written = new.into_iter().chain(over);
        let sign = if adds { "+=" } else { "=" };
        lines.extend(written.map(|(to, value)| format!("  {} {sign} {value}", place(to, name))));
    }
}

impl Rounds {
    fn list(&self, name: &dyn Fn(usize) -> String, lines: &mut Vec<String>) {
        let moments = match (self.moments.count, self.moments.backwards) {
            (count, false) => format!("t = 0 … {}", count - 1),
            (count, true) => format!("t = {} … 0", count - 1),
        };
        for (from, to) in &self.first {
            lines.push(format!("{} = {}", name(*to), name(*from)));
        }
        lines.push(format!("for each moment {moments}"));
        let mut inner = Vec::new();
        for (from, to) in &self.entries {
            inner.push(format!("{} = {} at t", name(*to), name(*from)));
        }
        for item in &self.items {
            item.list(name, &mut inner);
        }
        for (from, to) in &self.results {
            inner.push(format!("{} at t = {}", name(*to), name(*from)));
        }
        lines.extend(inner.into_iter().map(|line| format!("  {line}")));
        for (from, to) in &self.last {
            lines.push(format!("{} = {}", name(*to), name(*from)));
        }
    }
}

/// Number as text, in scientific notation from 1e16.
fn decimal(number: f64) -> String {
    const LARGE: f64 = 1e16;
    match number.is_finite() && number.abs() >= LARGE {
        true => format!("{number:e}"),
        false => number.to_string(),
    }
}

/// Numbers as text; of more than six, the first six and an ellipsis.
fn numbers(numbers: &[f64]) -> String {
    const SHOWN: usize = 6;
    match numbers {
        [only] => decimal(*only),
        _ => {
            let shown = numbers.iter().take(SHOWN).copied().map(decimal);
            let more = (numbers.len() > SHOWN).then(|| "…".to_owned());
            format!("[{}]", shown.chain(more).collect::<Vec<_>>().join(", "))
        }
    }
}
