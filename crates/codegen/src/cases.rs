//! Test helpers for generated code, with text on both sides: a judgement as input, the body of a function of its module as output.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // A failed test is a panic.

use crate::code::Code;
use crate::module::{Module, generate};
use fletch_arrows::Arrow;
use fletch_calculus::typing;
use fletch_engine::{
    Access, Body, Buffer, Holds, Item, Loop, Plan, Precision, Wanted, lower, plan,
};
use fletch_notation::{Notation, same};
use fletch_smooth::{Operation, Partiality};
use wasm_encoder::{CodeSection, FunctionSection, MemorySection, MemoryType, TypeSection, ValType};

/// Declarations of the locations that the judgements use.
const LOCATIONS: &str = "loc w ∷ (2, 2) loc v ∷ (2)";

/// Plan of a judgement, such as `x : Real(2) ⊢ ⌊swish[2](x)⌋`, in the total reading.
pub(crate) fn planned(judgement: &str) -> Plan {
    read(judgement, Partiality::Total)
}

/// Plan of a judgement in the reading of the paper, where a step may stop.
pub(crate) fn stopping(judgement: &str) -> Plan {
    read(judgement, Partiality::Paper)
}

fn read(judgement: &str, mode: Partiality) -> Plan {
    let read = Notation::new(LOCATIONS).command(judgement);
    let typed = typing::command(&read.environment(), &read.subject).unwrap();
    let arrow = Arrow::of(&read.inputs(), &read.subject, &typed.ty).unwrap();
    let line = lower(&arrow, &[], |_| None, Wanted::All).unwrap();
    plan(&line, mode)
}

/// Loop over this space that reads entries, and writes the value of the last operation of its body.
pub(crate) fn entrywise(
    space: &[usize],
    reads: Vec<Access>,
    body: Vec<Operation>,
    write: Access,
) -> Loop {
    Loop::of(space.to_vec(), None, Body::on(reads, body), write, vec![])
}

/// Access to a buffer from offset 0, with these strides.
pub(crate) fn access(buffer: usize, strides: &[usize]) -> Access {
    Access::new(buffer, strides)
}

/// Plan of these items. Its buffers are inputs of these sizes, then results of these sizes.
pub(crate) fn made(items: Vec<Item>, inputs: &[usize], results: &[usize]) -> Plan {
    let inputs = inputs.iter().enumerate();
    let inputs = inputs.map(|(number, size)| (Holds::Input(number), *size));
    let results = results.iter().map(|size| (Holds::Local, *size));
    let buffers = inputs.clone().chain(results);
    let buffers = buffers.map(|(holds, size)| Buffer { size, holds });
    let buffers: Vec<Buffer> = buffers.collect();
    Plan {
        outputs: (inputs.len()..buffers.len()).collect(),
        buffers,
        items,
        origins: Vec::new(),
    }
}

/// The loops of a plan.
pub(crate) fn loops(plan: &Plan) -> Vec<&Loop> {
    let loops = plan.items.iter().filter_map(|item| match item {
        Item::Loop(each) => Some(each),
        _ => None,
    });
    loops.collect()
}

/// Asserts that the first function of a plan's module, in numbers of 64 bits, has this body.
#[track_caller]
pub(crate) fn check(plan: &Plan, expected: &str) {
    check_in(Precision::Double, plan, expected);
}

/// Asserts that the first function of a plan's module has this body.
#[track_caller]
pub(crate) fn check_in(precision: Precision, plan: &Plan, expected: &str) {
    same(&body(&generate(plan, precision).unwrap(), 0), expected);
}

/// Asserts that code has this text.
#[track_caller]
pub(crate) fn check_code(code: Code, expected: &str) {
    same(&printed(&alone(code), 0), expected);
}

/// Body of a function of a module as text: one statement per line, with its operands nested in it; loops and conditions are indented.
pub(crate) fn body(module: &Module, function: usize) -> Vec<String> {
    printed(&module.bytes, function)
}

/// Module around this code.
fn alone(code: Code) -> Vec<u8> {
    let (mut types, mut declared) = (TypeSection::new(), FunctionSection::new());
    types.ty().function([ValType::I32], []);
    // Two empty functions follow, for the code to call.
    (0..3).for_each(|_| {
        declared.function(0);
    });
    let mut memories = MemorySection::new();
    memories.memory(MemoryType {
        minimum: 1,
        maximum: None,
        memory64: false,
        shared: false,
        page_size_log2: None,
    });
    let mut codes = CodeSection::new();
    codes.function(&code.finish(1));
    (0..2).for_each(|_| {
        codes.function(&Code::default().finish(1));
    });
    let mut module = wasm_encoder::Module::new();
    module.section(&types).section(&declared);
    module.section(&memories).section(&codes);
    module.finish()
}

/// An expression of the text format.
enum Expression {
    Word(String),
    List(Vec<Expression>),
}

fn printed(bytes: &[u8], function: usize) -> Vec<String> {
    let mut text = String::new();
    let mut config = wasmprinter::Config::new();
    config.fold_instructions(true);
    let mut to = wasmprinter::PrintFmtWrite(&mut text);
    config.print(bytes, &mut to).unwrap();
    let functions = text.split("\n  (func ").skip(1);
    let own = functions.filter(|function| !function.contains("(import"));
    let own = own.into_iter().nth(function).unwrap();
    let mut words = words(own).into_iter();
    let parts = expressions(&mut words);
    let statements = parts.iter().filter(|part| match part {
        Expression::Word(_) => false,
        Expression::List(_) => !["type", "param", "result", "local"].contains(&head(part)),
    });
    let mut lines = Vec::new();
    statements.for_each(|statement| write(statement, 0, &mut lines));
    lines
}

/// Tokens of a text: words and brackets, without comments and hints of alignment.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for line in text.lines() {
        let mut line = line.split(";; ").next().unwrap_or(line).to_owned();
        while let (Some(from), Some(to)) = (line.find("(;"), line.find(";)")) {
            line.replace_range(from..to + 2, "");
        }
        let line = line.replace('(', " ( ").replace(')', " ) ");
        let of_line = line.split_whitespace();
        words.extend(of_line.filter(|word| *word != "align=4").map(str::to_owned));
    }
    words
}

fn expressions(words: &mut impl Iterator<Item = String>) -> Vec<Expression> {
    let mut found = Vec::new();
    while let Some(word) = words.next() {
        match word.as_str() {
            ")" => break,
            "(" => found.push(Expression::List(expressions(words))),
            _ => found.push(Expression::Word(word)),
        }
    }
    found
}

fn head(expression: &Expression) -> &str {
    match expression {
        Expression::Word(word) => word,
        Expression::List(parts) => parts.first().map_or("", head),
    }
}

fn write(statement: &Expression, depth: usize, lines: &mut Vec<String>) {
    let indent = "  ".repeat(depth);
    match statement {
        Expression::List(parts) if ["loop", "block", "if", "then"].contains(&head(statement)) => {
            lines.push(format!("{indent}{}", head(statement)));
            let inner = parts.iter().skip(1);
            inner.for_each(|part| write(part, depth + 1, lines));
        }
        other => lines.push(format!("{indent}{}", joined(other))),
    }
}

/// Text of an expression in one line. A shuffle of bytes is written as one of lanes of 32 bits; a vector of zeros is `zeros`.
fn joined(expression: &Expression) -> String {
    match expression {
        Expression::Word(word) => word.clone(),
        Expression::List(parts) => {
            let mut parts: Vec<String> = parts.iter().map(joined).collect();
            if head(expression) == "i8x16.shuffle" {
                let bytes: Vec<usize> = parts
                    .drain(1..17)
                    .map(|byte| byte.parse().unwrap())
                    .collect();
                let lanes: Vec<String> = bytes
                    .chunks(4)
                    .map(|lane| (lane[0] / 4).to_string())
                    .collect();
                parts.splice(..1, ["shuffle".to_owned(), lanes.join(" ")]);
            }
            let text = format!("({})", parts.join(" "));
            let zero = ["0x00000000"; 4].join(" ");
            text.replace(&format!("(v128.const i32x4 {zero})"), "zeros")
        }
    }
}
