//! `fletch`: check, format, run, trace and compare programs of the calculus of reverse handlers.
//!
//! Results go to standard output, messages to standard error. The exit code is 0, 1 for a rejected
//! program or a stuck run, 2 for wrong usage.

/// Writes a line to standard output; who reads it may have closed it.
macro_rules! say {
    ($($text:tt)*) => {{
        let _ = std::io::Write::write_fmt(
            &mut std::io::stdout(),
            format_args!("{}\n", format_args!($($text)*)),
        );
    }};
}

mod answer;
mod arrows;
mod check;
mod commands;
mod exercise;
mod explain;
mod export;
mod format;
mod highlight;
mod lessons;
mod link;
mod numbers;
mod predict;
mod render;
mod tour;
mod train;
mod weights;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand, ValueEnum};
use fletch_runs::Precision;
use std::num::NonZero;
use std::process::ExitCode;

/// Counts what is allocated, so that a run can be stopped before it takes all there is.
#[global_allocator]
static MEMORY: peak_alloc::PeakAlloc = peak_alloc::PeakAlloc;

/// A workbench for the calculus of reverse handlers.
#[derive(Parser)]
#[command(name = "fletch", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Parse and check a program.
    Check {
        /// The program; `-` is standard input.
        file: String,
        /// Print the result as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Run `main` from the initial heap.
    Run {
        /// The program; `-` is standard input.
        file: String,
        /// What runs it.
        #[arg(long, value_enum, default_value = "step")]
        engine: Engine,
        /// What numbers are, for `--engine compiled`.
        #[arg(long, value_parser = precision(), default_value = "f64")]
        precision: Precision,
        /// How partial function symbols are read.
        #[arg(long, value_enum, default_value = "paper")]
        mode: Mode,
        /// Leave out what is known to be 0, by equations of the paper's model: fewer steps, with rules of their own.
        #[arg(long)]
        shortcuts: bool,
        /// Stop after this many steps.
        #[arg(long, value_name = "N", default_value_t = 1_000_000)]
        max_steps: usize,
        /// What locations hold at first: a safetensors file, one tensor a location.
        #[arg(long, value_name = "HEAP")]
        load: Option<String>,
        /// Print numbers as a program reads them: all digits, in ASCII; so they are too where standard output is no terminal.
        #[arg(long)]
        plain: bool,
        /// Print the result as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Run the `train` items, and measure before the first epoch and after each. With --check, hold what their first steps change against
    /// finite differences of the measures: exit code 0 if every item is gradient descent on a measure, 1 if one is not.
    Train {
        /// The program; `-` is standard input.
        file: String,
        /// What runs each sample: without --shortcuts, `compiled`.
        #[arg(long, value_enum)]
        engine: Option<Engine>,
        /// What numbers are, for the compiled engine.
        #[arg(long, value_parser = precision(), default_value = "f64")]
        precision: Precision,
        /// Leave out what is known to be 0, by equations of the paper's model: fewer steps, with rules of their own.
        #[arg(long)]
        shortcuts: bool,
        /// Epochs of every item, instead of what it says.
        #[arg(long, value_name = "N")]
        epochs: Option<usize>,
        /// Halt after this time and keep what is there, as Ctrl-C does.
        #[arg(long, value_name = "S", value_parser = seconds)]
        seconds: Option<f64>,
        /// What locations hold at first: a safetensors file, one tensor a location.
        #[arg(long, value_name = "HEAP")]
        load: Option<String>,
        /// Write what locations hold in the end to a safetensors file.
        #[arg(long, value_name = "HEAP")]
        save: Option<String>,
        /// Train nothing: say of each item whether its steps are gradient descent, and if not, in which entries of which locations.
        #[arg(long, conflicts_with_all = ["engine", "shortcuts", "precision", "epochs", "seconds", "save"])]
        check: bool,
        #[command(flatten)]
        differences: check::Differences,
        /// Print numbers as a program reads them: all digits, in ASCII; so they are too where standard output is no terminal.
        #[arg(long)]
        plain: bool,
        /// Print the result as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Run a `predict` item from a trained heap: on what is on standard input, one input a line, numbers separated by commas; if there
    /// is nothing, on the first data set whose samples begin with what it takes.
    Predict {
        /// The program; `-` is standard input.
        file: String,
        /// The prediction.
        #[arg(value_parser = name)]
        name: String,
        /// What numbers are.
        #[arg(long, value_parser = precision(), default_value = "f64")]
        precision: Precision,
        /// What locations hold: a safetensors file, one tensor a location.
        #[arg(long, value_name = "HEAP")]
        load: Option<String>,
        /// Print numbers as a program reads them: all digits, in ASCII; so they are too where standard output is no terminal.
        #[arg(long)]
        plain: bool,
        /// Print the result as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Lay programs out anew, in place.
    Fmt {
        /// The programs; `-` is standard input, to standard output.
        #[arg(required = true)]
        files: Vec<String>,
        /// Write nothing; say which programs are not laid out, and exit with 1 if one is not.
        #[arg(long)]
        check: bool,
        /// Write every token in ASCII.
        #[arg(long)]
        ascii: bool,
        /// Print the result as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Print the reduction of `main` step by step.
    Trace {
        /// The program; `-` is standard input.
        file: String,
        /// The first step to print, from 1.
        #[arg(long, value_name = "A", default_value = "1")]
        from: NonZero<usize>,
        /// The last step to print.
        #[arg(long, value_name = "B", default_value_t = usize::MAX)]
        to: usize,
        /// Leave out what is known to be 0, by equations of the paper's model: fewer steps, with rules of their own.
        #[arg(long)]
        shortcuts: bool,
        /// Print JSON Lines.
        #[arg(long)]
        json: bool,
    },
    /// Print what a command denotes: an arrow, as numbered statements.
    Arrow {
        /// The program; `-` is standard input.
        file: String,
        /// `main`, or a declared command; one with index parameters at those given, `'Layer[ℓ0, 3]'`, or as it is first called.
        #[arg(long, value_name = "COMMAND", default_value = "main", value_parser = name)]
        of: String,
        /// Print the result as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Print the compiled program of each `train` item, before and after each pass.
    Plan {
        /// The program; `-` is standard input.
        file: String,
        /// Print the result as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Write a program as one module of another language, to standard output.
    Export {
        /// The program; `-` is standard input.
        file: String,
        /// The language and what it computes with.
        #[arg(long, value_enum)]
        to: Target,
        /// Write to this file instead.
        #[arg(long, value_name = "PATH")]
        out: Option<String>,
        /// Print the result as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Draw what a command denotes as a string diagram.
    Diagram {
        /// The program; `-` is standard input.
        file: String,
        /// `main`, or a declared command; one with index parameters at those given, `'Layer[ℓ0, 3]'`, or as it is first called.
        #[arg(long, value_name = "COMMAND", default_value = "main", value_parser = name)]
        of: String,
        /// Draw the network alone: the body of its first `rev handle`.
        #[arg(long)]
        network: bool,
        /// Draw one clause of its first `rev handle`'s handler alone: `return`, `'FC[ℓ0] forward'`, `'FC[ℓ0] backward'`.
        #[arg(long, value_name = "CLAUSE", conflicts_with = "network", value_parser = name)]
        clause: Option<String>,
        /// How a handled command is drawn.
        #[arg(long, value_enum, default_value = "bent")]
        style: Style,
        /// Draw from top to bottom, for a narrow place.
        #[arg(long)]
        down: bool,
        /// Open boxes: operations such as `FC[ℓ0]` or `FC`, handlers, terms as they are written, `return`.
        #[arg(long, value_name = "NAME", num_args = 1.., action = clap::ArgAction::Append, value_parser = name)]
        open: Vec<String>,
        /// Fold what handlers handle, each run to one box.
        #[arg(long, value_name = "HANDLER", num_args = 1.., action = clap::ArgAction::Append, value_parser = name)]
        fold: Vec<String>,
        /// What is printed.
        #[arg(long, value_enum, default_value = "svg")]
        format: Format,
        /// The same as `--format json`.
        #[arg(long)]
        json: bool,
    },
    /// Say whether two commands denote equal arrows: exit code 0 if they do, 1 if not, 2 if they cannot be compared.
    Equal {
        /// The program; `-` is standard input.
        file: String,
        /// `main`, or a declared command.
        #[arg(value_parser = name)]
        left: String,
        /// `main`, or a declared command.
        #[arg(value_parser = name)]
        right: String,
        /// Print the result as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Print a program as a link that the page opens.
    Link {
        /// The program; `-` is standard input.
        file: String,
        /// The address of the page.
        #[arg(long, value_name = "URL")]
        base: Option<String>,
        /// The position in the run: the number of small steps before it.
        #[arg(long, value_name = "N", default_value_t = 0)]
        step: u32,
        /// Where a reader stops: `every`, `plain`, `operations`, `handlers`.
        #[arg(long, value_name = "L", value_parser = level)]
        level: Option<fletch_trace::Level>,
        /// What is shown beside the program: `steps`, `diagram`, `types`, `compare`, `train`.
        #[arg(long, value_name = "V", value_parser = view)]
        view: Option<fletch_link::Tab>,
        /// Print the result as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Print the program of a link.
    Open {
        /// The link, or its part from `#` on; `-` is standard input.
        link: String,
        /// Print the result as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Say what a code such as F0102 means and how to repair it; without a code, list them all.
    Explain {
        /// The code of a diagnostic.
        code: Option<String>,
        /// Print the result as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Print a program in HTML, with a class for each token, for a page that shows it in colours.
    Highlight {
        /// The program; `-` is standard input.
        file: String,
        /// Print the result as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Read the guided tour, or check lessons and hand-ins.
    Tour(tour::Arguments),
    /// Do an exercise of the tour: begin it, check it, get a hint.
    #[command(subcommand)]
    Exercise(exercise::Task),
}

#[derive(Clone, Copy, ValueEnum)]
enum Engine {
    /// Small-step reduction.
    Step,
    /// What it denotes, in the model with the heap.
    Denotation,
    /// The denotation as a plan of loops over buffers: the fastest.
    Compiled,
}

/// `f64` or `f32`.
fn precision() -> impl TypedValueParser<Value = Precision> {
    let names = [
        PossibleValue::new("f64").help("Of 64 bits (IEEE 754, binary64)"),
        PossibleValue::new("f32").help("Of 32 bits (IEEE 754, binary32)"),
    ];
    PossibleValuesParser::new(names).map(|name| match name.as_str() {
        "f32" => Precision::Single,
        _ => Precision::Double,
    })
}

#[derive(Clone, Copy, ValueEnum)]
enum Target {
    /// Python with JAX: `step`, `train` and what else the program has, compiled by XLA for any device.
    Jax,
}

#[derive(Clone, Copy, ValueEnum)]
enum Style {
    /// Out and back side by side, each operation beside its own backward clause.
    Bent,
    /// In one line, as in the paper.
    Unbent,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// An SVG file.
    Svg,
    /// A `tikzpicture`.
    Tikz,
    /// The display list.
    Json,
}

#[derive(Clone, Copy, ValueEnum)]
enum Mode {
    /// A symbol outside its domain stops the run.
    Paper,
    /// The conventions of the frameworks.
    Total,
}

/// Stack for the passes that recurse over a program; programs are limited in depth to fit it.
const STACK: usize = 256 << 20;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return answer::misused(&error),
    };
    let json = arguments.command.prints_json();
    let run = move || match arguments.command {
        Command::Check { file, json } => commands::check(&file, json),
        Command::Run {
            file,
            engine,
            precision,
            mode,
            shortcuts,
            max_steps,
            load,
            plain,
            json,
        } => match engine.with(shortcuts, precision) {
            Ok(engine) => commands::run(
                &file,
                &commands::Options {
                    engine,
                    mode: mode.into(),
                    limit: max_steps,
                    load: load.as_deref(),
                    numbers: numbers::Numbers::of(plain),
                    json,
                },
            ),
            Err(message) => answer::refuse(message),
        },
        Command::Train {
            file,
            check: true,
            differences,
            load,
            json,
            ..
        } => {
            let item = differences.item.clone();
            let settings = differences.settings();
            check::check(&file, &settings, item.as_deref(), load.as_deref(), json)
        }
        Command::Train {
            file,
            engine,
            precision,
            shortcuts,
            epochs,
            seconds,
            load,
            save,
            plain,
            json,
            ..
        } => match Engine::of(engine, shortcuts, precision) {
            Ok(engine) => train::train(
                &file,
                train::Options {
                    engine,
                    epochs,
                    seconds,
                    load: load.as_deref(),
                    save: save.as_deref(),
                    numbers: numbers::Numbers::of(plain),
                    json,
                },
            ),
            Err(message) => answer::refuse(message),
        },
        Command::Predict {
            file,
            name,
            precision,
            load,
            plain,
            json,
        } => predict::predict(
            &file,
            &predict::Options {
                name: &name,
                precision,
                load: load.as_deref(),
                numbers: numbers::Numbers::of(plain),
                json,
            },
        ),
        Command::Plan { file, json } => train::plan(&file, json),
        Command::Export {
            file,
            to: Target::Jax,
            out,
            json,
        } => export::python(&file, out.as_deref(), json),
        Command::Arrow { file, of, json } => arrows::arrow(&file, &of, json),
        Command::Diagram {
            file,
            of,
            network,
            clause,
            style,
            down,
            open,
            fold,
            format,
            json,
        } => arrows::diagram(
            &file,
            &of,
            &arrows::Drawing {
                part: match clause {
                    Some(clause) => arrows::Part::Clause(clause),
                    None if network => arrows::Part::Network,
                    None => arrows::Part::Whole,
                },
                format: if json { Format::Json } else { format }.into(),
                drawn: fletch_runs::diagram::Drawing {
                    style: style.into(),
                    down,
                    opening: fletch_diagrams::Opening {
                        names: open,
                        folded: fold,
                        ..Default::default()
                    },
                },
            },
        ),
        Command::Equal {
            file,
            left,
            right,
            json,
        } => arrows::equal(&file, &left, &right, json),
        Command::Fmt {
            files,
            check,
            ascii,
            json,
        } => {
            let spelling = if ascii {
                fletch_syntax::Spelling::Ascii
            } else {
                fletch_syntax::Spelling::Unicode
            };
            format::fmt(
                &files,
                format::Options {
                    check,
                    spelling,
                    json,
                },
            )
        }
        Command::Trace {
            file,
            from,
            to,
            shortcuts,
            json,
        } => commands::trace(&file, from.get(), to, shortcuts, json),
        Command::Link {
            file,
            base,
            step,
            level,
            view,
            json,
        } => {
            let settings = fletch_link::Settings {
                step,
                level: level.unwrap_or_default(),
                view: view.unwrap_or_default(),
                ..Default::default()
            };
            link::link(&file, base.as_deref(), settings, json)
        }
        Command::Open { link, json } => link::open(&link, json),
        Command::Explain { code, json } => explain::explain(code.as_deref(), json),
        Command::Highlight { file, json } => highlight::tokens(&file, json),
        Command::Tour(arguments) => tour::run(arguments),
        Command::Exercise(task) => exercise::run(task),
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(run);
    let code = match thread.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        _ => {
            answer::complain("this is a defect of fletch; please report it with the program");
            ExitCode::from(answer::REJECTED)
        }
    };
    if json {
        answer::finish();
    }
    code
}

impl Command {
    /// Tells if standard output gets JSON: one value, or of `trace` one a step.
    fn prints_json(&self) -> bool {
        match self {
            Command::Diagram { format, json, .. } => *json || matches!(format, Format::Json),
            Command::Tour(arguments) => arguments.prints_json(),
            Command::Exercise(task) => task.prints_json(),
            Command::Check { json, .. }
            | Command::Run { json, .. }
            | Command::Train { json, .. }
            | Command::Predict { json, .. }
            | Command::Fmt { json, .. }
            | Command::Trace { json, .. }
            | Command::Arrow { json, .. }
            | Command::Plan { json, .. }
            | Command::Export { json, .. }
            | Command::Equal { json, .. }
            | Command::Link { json, .. }
            | Command::Open { json, .. }
            | Command::Explain { json, .. }
            | Command::Highlight { json, .. } => *json,
        }
    }
}

/// A name of the program: a terminal may write an accent as a character of its own.
fn name(text: &str) -> Result<String, std::convert::Infallible> {
    Ok(fletch_syntax::nfc(text))
}

fn seconds(text: &str) -> Result<f64, &'static str> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| *seconds >= 0.0);
    seconds.ok_or("a number of seconds")
}

fn level(name: &str) -> Result<fletch_trace::Level, &'static str> {
    fletch_link::level_named(name).ok_or("one of `every`, `plain`, `operations`, `handlers`")
}

fn view(name: &str) -> Result<fletch_link::Tab, String> {
    fletch_link::Tab::named(name).ok_or_else(|| {
        let names: Vec<String> = fletch_link::Tab::names()
            .map(|name| format!("`{name}`"))
            .collect();
        format!("one of {}", names.join(", "))
    })
}

impl Engine {
    /// The engine that trains: the one that is named, or the fastest that can.
    fn of(
        named: Option<Engine>,
        shortcuts: bool,
        precision: Precision,
    ) -> Result<fletch_runs::Engine, &'static str> {
        let fastest = if shortcuts {
            Engine::Step
        } else {
            Engine::Compiled
        };
        named.unwrap_or(fastest).with(shortcuts, precision)
    }

    /// The engine with shortcuts or without, in this precision; why not, where it cannot.
    fn with(
        self,
        shortcuts: bool,
        precision: Precision,
    ) -> Result<fletch_runs::Engine, &'static str> {
        match self {
            Engine::Denotation | Engine::Compiled if shortcuts => {
                Err("--shortcuts is for `--engine step`: an arrow has no steps")
            }
            Engine::Compiled => Ok(fletch_runs::Engine::Compiled(precision)),
            _ if precision == Precision::Single => {
                Err("--precision f32 is for `--engine compiled`: the others compute in f64")
            }
            Engine::Step => Ok(fletch_runs::Engine::Step { shortcuts }),
            Engine::Denotation => Ok(fletch_runs::Engine::Denotation),
        }
    }
}

impl From<Format> for fletch_runs::diagram::Format {
    fn from(format: Format) -> Self {
        match format {
            Format::Svg => fletch_runs::diagram::Format::Svg,
            Format::Tikz => fletch_runs::diagram::Format::Tikz,
            Format::Json => fletch_runs::diagram::Format::Json,
        }
    }
}

impl From<Style> for fletch_diagrams::Style {
    fn from(style: Style) -> Self {
        match style {
            Style::Bent => fletch_diagrams::Style::Bent,
            Style::Unbent => fletch_diagrams::Style::Unbent,
        }
    }
}

impl From<Mode> for fletch_smooth::Partiality {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Paper => fletch_smooth::Partiality::Paper,
            Mode::Total => fletch_smooth::Partiality::Total,
        }
    }
}
