//! `fletch`: check, format, run, trace and compare programs of the calculus of reverse handlers.
//!
//! Results go to standard output, messages to standard error. The exit code is 0, 1 for a rejected
//! program or a stuck run, 2 for wrong usage.

/// Writes a line to standard output. A closed output is no error.
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
mod choices;
mod commands;
mod exercise;
mod explain;
mod export;
mod format;
mod highlight;
mod insert;
mod layers;
mod lessons;
mod link;
mod lsp;
mod numbers;
mod predict;
mod render;
mod tour;
mod train;
mod weights;

use choices::{Engine, Format, Mode, Style, Target, precision};
use clap::{Parser, Subcommand};
use fletch_runs::Precision;
use std::num::NonZero;
use std::process::ExitCode;

/// Allocator that counts bytes, so that a run can be stopped before it exhausts the memory.
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
        /// Engine that runs the program.
        #[arg(long, value_enum, default_value = "step")]
        engine: Engine,
        /// Format of numbers, for `--engine compiled`.
        #[arg(long, value_parser = precision(), default_value = "f64")]
        precision: Precision,
        /// How partial function symbols are read.
        #[arg(long, value_enum, default_value = "paper")]
        mode: Mode,
        /// Leave out what is known to be 0, by equations of the paper's model: fewer steps, with rules of their own.
        #[arg(long)]
        shortcuts: bool,
        /// Stop after this many steps, of `--engine step`: 1000000, if nothing is said.
        #[arg(long, value_name = "N")]
        max_steps: Option<usize>,
        /// Contents of locations at first: a safetensors file, one tensor a location.
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
        /// Engine that runs each sample: without --shortcuts, `compiled`.
        #[arg(long, value_enum)]
        engine: Option<Engine>,
        /// Format of numbers, for the compiled engine.
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
        /// Contents of locations at first: a safetensors file, one tensor a location.
        #[arg(long, value_name = "HEAP")]
        load: Option<String>,
        /// Write what locations hold in the end to a safetensors file.
        #[arg(long, value_name = "HEAP")]
        save: Option<String>,
        /// Train nothing: say of each item whether its steps are gradient descent, and if not, in which entries of which locations.
        #[arg(long, conflicts_with_all = ["engine", "shortcuts", "precision", "epochs", "seconds", "save", "plain"])]
        check: bool,
        #[command(flatten)]
        differences: check::Differences,
        /// Say of each layer in the end the mean and the deviation of its values over the data, its dead and its saturated units and the gradient
        /// that comes back to it; of each location how much a step changes it.
        #[arg(long, conflicts_with = "check")]
        layers: bool,
        /// Print numbers as a program reads them: all digits, in ASCII; so they are too where standard output is no terminal.
        #[arg(long)]
        plain: bool,
        /// Print the result as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Run a `predict` item from a trained heap: on what is on standard input, one input a line, numbers separated by commas; if there
    /// is nothing, on the first data set whose samples begin with what it takes. A blank line is an error, but at the end.
    Predict {
        /// The program; `-` is standard input.
        file: String,
        /// The prediction.
        #[arg(value_parser = name)]
        name: String,
        /// Format of numbers.
        #[arg(long, value_parser = precision(), default_value = "f64")]
        precision: Precision,
        /// Contents of locations: a safetensors file, one tensor a location.
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
    /// Insert a handler of the shelf (an optimiser, inference, …) into a program, in place; without arguments, list the shelf.
    Insert {
        /// Name of the handler on the shelf.
        #[arg(requires = "file")]
        name: Option<String>,
        /// The program; `-` is standard input, to standard output.
        file: Option<String>,
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
        /// The last step to print; without it, of a long run only the beginning is printed.
        #[arg(long, value_name = "B")]
        to: Option<NonZero<usize>>,
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
        /// Break a long diagram into at most so many rows, like a snake.
        #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u8).range(1..=20))]
        rows: u8,
        /// Lay it out as the page does for a canvas of this size, in pixels: `1252x536`.
        #[arg(long, value_name = "SIZE", conflicts_with_all = ["down", "rows"], value_parser = room)]
        fit: Option<fletch_diagrams::Room>,
        /// Open boxes: operations such as `FC[ℓ0]` or `FC`, handlers, terms as they are written, `return`.
        #[arg(long, value_name = "NAME", num_args = 1.., action = clap::ArgAction::Append, value_parser = name)]
        open: Vec<String>,
        /// Fold what handlers handle, each run to one box; `feedback` folds all loops.
        #[arg(long, value_name = "HANDLER", num_args = 1.., action = clap::ArgAction::Append, value_parser = name)]
        fold: Vec<String>,
        /// Format that is printed: `svg`, if nothing is said.
        #[arg(long, value_enum)]
        format: Option<Format>,
        /// The same as `--format json`.
        #[arg(long)]
        json: bool,
    },
    /// Say whether two commands denote equal arrows: exit code 0 if they do, 1 if not, 2 if they cannot be compared. Constants are equal if
    /// their bits are, but that −0 is 0; a difference that rounding explains is told apart from others.
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
        /// The address of the page, such as `https://example.org/fletch/`.
        #[arg(long, value_name = "URL", value_parser = fletch_link::base)]
        base: Option<String>,
        /// The position in the run: the number of small steps before it.
        #[arg(long, value_name = "N", default_value_t = 0)]
        step: u32,
        /// Level at which a reader stops: `every`, `plain`, `operations`, `handlers`, `moments`.
        #[arg(long, value_name = "L", value_parser = level)]
        level: Option<fletch_trace::Level>,
        /// View beside the program: `steps`, `diagram`, `types`, `compare`, `train`.
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
    /// Answer an editor: a language server on standard input and output.
    Lsp {
        /// The address of the page, such as `https://example.org/fletch/`, which steps through programs and explains codes.
        #[arg(long, value_name = "URL", value_parser = fletch_link::base)]
        base: Option<String>,
    },
    /// Read the guided tour, or check lessons and hand-ins.
    Tour(tour::Arguments),
    /// Do an exercise of the tour: begin it, check it, get a hint.
    #[command(subcommand)]
    Exercise(exercise::Task),
}

/// Stack for the passes that recurse over a program, in bytes. The depth of programs is limited to fit it.
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
        } => match engine.limited(max_steps, shortcuts, precision) {
            Ok((engine, limit)) => commands::run(
                &file,
                &commands::Options {
                    engine,
                    mode: mode.into(),
                    limit,
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
            layers,
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
                    layers,
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
            rows,
            fit,
            open,
            fold,
            format,
            json,
        } => match Format::of(format, json) {
            Err(message) => answer::refuse(message),
            Ok(format) => arrows::diagram(
                &file,
                &of,
                &arrows::Drawing {
                    part: match clause {
                        Some(clause) => arrows::Part::Clause(clause),
                        None if network => arrows::Part::Network,
                        None => arrows::Part::Whole,
                    },
                    format: format.into(),
                    drawn: fletch_runs::diagram::Drawing {
                        style: style.into(),
                        down,
                        rows: rows.into(),
                        room: fit,
                        opening: fletch_diagrams::Opening {
                            names: open,
                            folded: fold,
                            ..Default::default()
                        },
                    },
                },
            ),
        },
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
        Command::Insert { name, file, json } => match (name, file) {
            (Some(name), Some(file)) => insert::insert(&name, &file, json),
            _ => insert::shelf(json),
        },
        Command::Trace {
            file,
            from,
            to,
            shortcuts,
            json,
        } => {
            let range = commands::Range {
                from: from.get(),
                to: to.map(NonZero::get),
            };
            commands::trace(&file, range, shortcuts, json)
        }
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
        Command::Lsp { base } => lsp::serve(base),
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
    /// True if standard output gets JSON: one value, or for `trace` one value for each step.
    fn prints_json(&self) -> bool {
        match self {
            Command::Diagram { format, json, .. } => *json || matches!(format, Some(Format::Json)),
            Command::Tour(arguments) => arguments.prints_json(),
            Command::Exercise(task) => task.prints_json(),
            // The server's output is the protocol, not a JSON value of a command.
            Command::Lsp { .. } => false,
            Command::Check { json, .. }
            | Command::Run { json, .. }
            | Command::Train { json, .. }
            | Command::Predict { json, .. }
            | Command::Fmt { json, .. }
            | Command::Insert { json, .. }
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

/// Parses a name of the program, and normalises it: a terminal may write an accent as a separate character.
fn name(text: &str) -> Result<String, std::convert::Infallible> {
    Ok(fletch_syntax::nfc(text))
}

fn seconds(text: &str) -> Result<f64, &'static str> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| *seconds >= 0.0);
    seconds.ok_or("a number of seconds")
}

fn level(name: &str) -> Result<fletch_trace::Level, &'static str> {
    fletch_link::level_named(name)
        .ok_or("one of `every`, `plain`, `operations`, `handlers`, `moments`")
}

fn room(size: &str) -> Result<fletch_diagrams::Room, &'static str> {
    let sides = size.split_once(['x', '×']);
    let sides = sides.and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    let (width, height) = sides.ok_or("a width and a height in pixels, such as `1252x536`")?;
    Ok(fletch_diagrams::Room {
        width,
        height,
        ..fletch_diagrams::Room::default()
    })
}

fn view(name: &str) -> Result<fletch_link::Tab, String> {
    fletch_link::Tab::named(name).ok_or_else(|| {
        let names: Vec<String> = fletch_link::Tab::names()
            .map(|name| format!("`{name}`"))
            .collect();
        format!("one of {}", names.join(", "))
    })
}
