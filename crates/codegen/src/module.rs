//! WebAssembly module around the generated code: imports from the host, functions, memory, and exports.

use crate::code::Code;
use crate::kernel;
use crate::memory::{Memory, Places};
use crate::rounds::{Copied, write_rounds};
use crate::scatter;
use crate::stops;
use fletch_engine::{Item, Plan, Precision};
use fletch_smooth::Elementary;
use std::fmt;
use wasm_encoder::{
    BlockType, CodeSection, ConstExpr, DataSection, EntityType, ExportKind, ExportSection,
    FunctionSection, ImportSection, Instruction, MemorySection, MemoryType, TypeSection, ValType,
};

/// A function that the host computes, in double precision. All but the last take one argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// ln x.
    Log,
    /// ln(1 + x).
    Log1p,
    /// sin x.
    Sin,
    /// cos x.
    Cos,
    /// tanh x.
    Tanh,
    /// erf x.
    Erf,
    /// 1 − erf x.
    Erfc,
    /// aᵇ, which takes two arguments.
    Pow,
}

impl Function {
    /// All functions.
    pub const ALL: [Function; 8] = [
        Function::Log,
        Function::Log1p,
        Function::Sin,
        Function::Cos,
        Function::Tanh,
        Function::Erf,
        Function::Erfc,
        Function::Pow,
    ];

    /// Name among the imports of the module `fletch`.
    pub fn name(self) -> &'static str {
        match self {
            Function::Log => "log",
            Function::Log1p => "log1p",
            Function::Sin => "sin",
            Function::Cos => "cos",
            Function::Tanh => "tanh",
            Function::Erf => "erf",
            Function::Erfc => "erfc",
            Function::Pow => "pow",
        }
    }

    /// Value of the function at `x`; at `x` and `y` if it is binary.
    pub fn at(self, x: f64, y: f64) -> f64 {
        let elementary = match self {
            Function::Log => Elementary::Log,
            Function::Log1p => Elementary::Log1p,
            Function::Sin => Elementary::Sin,
            Function::Cos => Elementary::Cos,
            Function::Tanh => Elementary::Tanh,
            Function::Erf => Elementary::Erf,
            Function::Erfc => Elementary::Erfc,
            Function::Pow => return fletch_engine::pow(x, y),
        };
        elementary.at(x)
    }
}

/// Functions that the module imports, in the order of their numbers.
#[derive(Default)]
pub(crate) struct Imports(Vec<Function>);

impl Imports {
    /// Number of a function, which is added to the imports at its first use.
    pub(crate) fn of(&mut self, function: Function) -> u32 {
        let known = self.0.iter().position(|other| *other == function);
        let number = known.unwrap_or_else(|| {
            self.0.push(function);
            self.0.len() - 1
        });
        u32::try_from(number).unwrap_or(u32::MAX)
    }
}

/// A module that runs steps of a plan. It exports its `memory`, and `train(at, first, end, row, count)`, which runs `count` steps. The
/// first step takes the sample at the address `at`, each later step the sample `row` bytes further; at the address `end` the samples begin
/// again at `first`. `train` returns the number of steps that it has not completed, which is not 0 if a step stops because a function is
/// not defined; locations then hold what they held before that step.
#[derive(Clone, Debug)]
pub struct Module {
    /// The bytes of the module.
    pub bytes: Vec<u8>,
    /// Imports from `fletch`.
    pub imports: Vec<Function>,
    /// Layout of its memory.
    pub memory: Memory,
}

/// Reason why a plan has no module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// A step may stop at a primitive whose domain is no condition on single entries.
    MayStop,
    /// The module needs more than 2 GiB of memory.
    TooLarge,
}

impl fmt::Display for Refused {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(match self {
            Refused::MayStop => "a step may stop where a function is not defined",
            Refused::TooLarge => "a step needs more than 2 GiB of memory",
        })
    }
}

impl std::error::Error for Refused {}

/// Number of instructions after which the next item begins a new function; a browser compiles many functions of moderate size
/// faster than a long one.
const LONG: usize = 4000;
/// A page of memory, in bytes.
const PAGE: usize = 1 << 16;
/// Maximum memory of a module, in bytes.
const MOST: usize = 1 << 31;

/// The module of a plan, for numbers of this precision.
///
/// # Errors
/// The reason why the plan has no module; `fletch_engine::Reference` runs any plan.
pub fn generate(plan: &Plan, precision: Precision) -> Result<Module, Refused> {
    if plan.items.iter().any(is_unknown) {
        return Err(Refused::MayStop);
    }
    let mut module = Writer {
        plan,
        places: Places::of(plan, precision),
        imports: Imports::default(),
        functions: Vec::new(),
    };
    let mut begin = Code::default();
    stops::keep(&module.places, false, &mut |instruction| {
        begin.put(instruction);
    });
    let steps = module.sequence(&plan.items, begin);
    let Writer {
        mut places,
        imports: Imports(imports),
        functions,
        ..
    } = module;
    let memory = places.finish();
    if memory.samples + memory.row > MOST {
        return Err(Refused::TooLarge);
    }
    let stops = plan.may_stop();
    let bytes = assemble(functions, &steps, &imports, &memory, &places, stops);
    Ok(Module {
        bytes,
        imports,
        memory,
    })
}

/// True if the item has a check that is no condition on single entries.
fn is_unknown(item: &Item) -> bool {
    match item {
        Item::Check { outside, .. } => outside.is_none(),
        Item::Repeat(rounds) => rounds.items.iter().any(is_unknown),
        Item::Fill(_) | Item::Loop(_) | Item::Scatter(_) | Item::Put { .. } => false,
    }
}

/// Module that is being written.
struct Writer<'p> {
    plan: &'p Plan,
    places: Places,
    imports: Imports,
    /// All functions of the module except `train`.
    functions: Vec<Code>,
}

impl Writer<'_> {
    /// Writes items as functions, the first of which begins with `begin`; returns the numbers of the functions, which are called in turn.
    fn sequence(&mut self, items: &[Item], begin: Code) -> Vec<usize> {
        let mut numbers = Vec::new();
        let mut code = begin;
        for item in items {
            if code.instructions.len() > LONG {
                let long = std::mem::take(&mut code);
                numbers.push(self.function(long));
            }
            match item {
                Item::Repeat(rounds) => {
                    let moment = self.sequence(&rounds.items, Code::default());
                    let stops = self.plan.may_stop();
                    let size = |buffer: usize| self.size(buffer);
                    write_rounds(rounds, &moment, stops, &size, &mut code, &self.places);
                }
                other => self.write(other, &mut code),
            }
        }
        numbers.push(self.function(code));
        numbers
    }

    fn function(&mut self, code: Code) -> usize {
        self.functions.push(code);
        self.functions.len() - 1
    }

    /// Size of a buffer in bytes.
    fn size(&self, buffer: usize) -> usize {
        let found = self.plan.buffers.get(buffer);
        found.map_or(0, |buffer| buffer.size) * self.places.precision().bytes()
    }

    fn write(&mut self, item: &Item, code: &mut Code) {
        let size = |buffer: usize| self.size(buffer);
        match item {
            Item::Fill(buffer) => {
                code.index(self.places.buffer(*buffer).1);
                code.index(0);
                code.index(size(*buffer));
                code.put(Instruction::MemoryFill(0));
                code.forget_memory();
            }
            Item::Put { cell, from } => {
                let copied = Copied {
                    from: self.places.buffer(*from),
                    to: self.places.buffer(*cell),
                    bytes: size(*cell),
                };
                copied.write(code);
            }
            Item::Loop(each) => kernel::write_loop(each, code, &mut self.places, &mut self.imports),
            Item::Scatter(scatter) => {
                scatter::write_scatter(scatter, code, &mut self.places, &mut self.imports);
            }
            Item::Check {
                outside, arguments, ..
            } => {
                if let Some(outside) = outside {
                    let (places, imports) = (&mut self.places, &mut self.imports);
                    stops::write_check(outside, arguments, code, places, imports);
                }
            }
            Item::Repeat(_) => {}
        }
    }
}

fn assemble(
    functions: Vec<Code>,
    steps: &[usize],
    imports: &[Function],
    memory: &Memory,
    places: &Places,
    stops: bool,
) -> Vec<u8> {
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let mut types = TypeSection::new();
    types.ty().function([ValType::F64], [ValType::F64]);
    types
        .ty()
        .function([ValType::F64, ValType::F64], [ValType::F64]);
    let stopped: &[ValType] = if stops { &[ValType::I32] } else { &[] };
    types.ty().function([ValType::I32], stopped.iter().copied());
    types.ty().function([ValType::I32; 5], [ValType::I32]);
    let mut imported = ImportSection::new();
    for function in imports {
        let ty = u32::from(*function == Function::Pow);
        imported.import("fletch", function.name(), EntityType::Function(ty));
    }
    let mut declared = FunctionSection::new();
    let mut codes = CodeSection::new();
    let first = number(imports.len());
    let count = number(functions.len());
    for mut code in functions {
        declared.function(2);
        if stops {
            code.put(Instruction::I32Const(0));
        }
        codes.function(&code.finish(first));
    }
    declared.function(3);
    let steps: Vec<u32> = steps.iter().map(|step| first + number(*step)).collect();
    codes.function(&train(&steps, places, stops));
    let mut memories = MemorySection::new();
    memories.memory(MemoryType {
        minimum: (memory.samples + memory.row).div_ceil(PAGE) as u64,
        maximum: None,
        memory64: false,
        shared: false,
        page_size_log2: None,
    });
    let mut exports = ExportSection::new();
    exports.export("memory", ExportKind::Memory, 0);
    exports.export("train", ExportKind::Func, first + count);
    let mut data = DataSection::new();
    for (place, bytes) in &places.initial {
        let start = ConstExpr::i32_const(number(*place).cast_signed());
        data.active(0, &start, bytes.iter().copied());
    }
    let mut module = wasm_encoder::Module::new();
    module
        .section(&types)
        .section(&imported)
        .section(&declared)
        .section(&memories)
        .section(&exports)
        .section(&codes)
        .section(&data);
    module.finish()
}

/// The function `train`: steps over the samples, which begin again after the last.
fn train(steps: &[u32], places: &Places, stops: bool) -> wasm_encoder::Function {
    let [at, first, end, row, count] = [0, 1, 2, 3, 4];
    let mut function = wasm_encoder::Function::new([]);
    let mut put = |instruction: Instruction<'static>| {
        function.instruction(&instruction);
    };
    // The code leaves the outer block after the last step, and the inner block where a step stops.
    put(Instruction::Block(BlockType::Empty));
    put(Instruction::Block(BlockType::Empty));
    put(Instruction::LocalGet(count));
    put(Instruction::I32Eqz);
    put(Instruction::BrIf(1));
    put(Instruction::Loop(BlockType::Empty));
    for step in steps {
        put(Instruction::LocalGet(at));
        put(Instruction::Call(*step));
        if stops {
            put(Instruction::BrIf(1));
        }
    }
    // The next sample.
    put(Instruction::LocalGet(first));
    put(Instruction::LocalGet(at));
    put(Instruction::LocalGet(row));
    put(Instruction::I32Add);
    put(Instruction::LocalTee(at));
    put(Instruction::LocalGet(at));
    put(Instruction::LocalGet(end));
    put(Instruction::I32Eq);
    put(Instruction::Select);
    put(Instruction::LocalSet(at));
    put(Instruction::LocalGet(count));
    put(Instruction::I32Const(-1));
    put(Instruction::I32Add);
    put(Instruction::LocalTee(count));
    put(Instruction::BrIf(0));
    put(Instruction::End);
    put(Instruction::Br(1));
    put(Instruction::End);
    stops::keep(places, true, &mut put);
    put(Instruction::End);
    put(Instruction::LocalGet(count));
    put(Instruction::End);
    function
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A failed test is a panic.

    use super::{Function, LONG, Refused, generate};
    use crate::cases::{body, made, planned, stopping};
    use fletch_engine::{Item, Precision};

    #[test]
    fn a_module_imports_each_function_once() {
        let plan = planned("x : Real(2) ⊢ let y ⇐ ⌊tanh[2](x)⌋ in ⌊sin[2](tanh[2](y))⌋");
        let module = generate(&plan, Precision::Double).unwrap();
        assert_eq!(module.imports, [Function::Tanh, Function::Sin]);
    }

    #[test]
    fn a_plan_is_refused_for_its_domain_or_its_size() {
        let refused = |plan| generate(&plan, Precision::Double).unwrap_err();
        assert_eq!(
            refused(stopping("x : Real(2) ⊢ ⌊relu[2](x)⌋")),
            Refused::MayStop
        );
        assert_eq!(
            refused(made(Vec::new(), &[1 << 28], &[1])),
            Refused::TooLarge
        );
    }

    #[test]
    fn steps_go_over_the_samples_again_and_again() {
        // Parameters 0 to 4: the sample, the first sample, the end of the samples, the length of a row, and the number of steps left.
        let plan = made(Vec::new(), &[], &[1]);
        let found = body(&generate(&plan, Precision::Double).unwrap(), 1);
        let expected = [
            "block",
            "  block",
            "    (br_if 1 (i32.eqz (local.get 4)))",
            "    loop",
            "      (call 0 (local.get 0))",
            "      (local.set 0 (select (local.get 1) (local.tee 0 (i32.add (local.get 0) (local.get 3))) (i32.eq (local.get 0) (local.get 2))))",
            "      (br_if 0 (local.tee 4 (i32.add (local.get 4) (i32.const -1))))",
            "    (br 1)",
            "(local.get 4)",
        ];
        assert_eq!(found, expected, "found:\n{}", found.join("\n"));
    }

    #[test]
    fn a_step_that_stops_leaves_the_loop_and_puts_its_locations_back() {
        let plan = stopping("let a ⇐ Get[v]() in let _ ⇐ Put[v](log[2](a)) in ⌊()⌋");
        let found = body(&generate(&plan, Precision::Double).unwrap(), 1);
        let stops = ["      (br_if 1 (call 1 (local.get 0)))"];
        let back = [
            "    (br 1)",
            "  (memory.copy (i32.const 0) (i32.const 64) (i32.const 16))",
            "(local.get 4)",
        ];
        assert_eq!(found.get(4..5), Some(&stops.map(str::to_owned)[..]));
        assert_eq!(found.get(7..), Some(&back.map(str::to_owned)[..]));
    }

    #[test]
    fn a_long_step_is_several_functions() {
        // Each fill is four instructions.
        let plan = made(vec![Item::Fill(0); LONG / 2], &[], &[1]);
        let module = generate(&plan, Precision::Double).unwrap();
        let train = body(&module, 2);
        let calls = train.iter().filter(|line| line.contains("(call"));
        assert_eq!(
            calls.map(|line| line.trim()).collect::<Vec<_>>(),
            ["(call 0 (local.get 0))", "(call 1 (local.get 0))"]
        );
    }
}
