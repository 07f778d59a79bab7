//! Values of options: engines, precisions, readings, targets, formats.

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use fletch_runs::Precision;

/// An engine of a run or a training.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Engine {
    /// Small-step reduction.
    Step,
    /// Denotation, in the model with the heap.
    Denotation,
    /// The denotation as a plan of loops over buffers: the fastest.
    Compiled,
}

/// Parser of a precision, `f64` or `f32`.
pub(crate) fn precision() -> impl TypedValueParser<Value = Precision> {
    let names = [
        PossibleValue::new("f64").help("Of 64 bits (IEEE 754, binary64)"),
        PossibleValue::new("f32").help("Of 32 bits (IEEE 754, binary32)"),
    ];
    PossibleValuesParser::new(names).map(|name| match name.as_str() {
        "f32" => Precision::Single,
        _ => Precision::Double,
    })
}

/// A language to export to.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Target {
    /// Python with JAX: `step`, `train` and what else the program has, compiled by XLA for any device.
    Jax,
}

/// A way to draw a handled command.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Style {
    /// Out and back side by side, each operation beside its own backward clause.
    Bent,
    /// In one line, as in the paper.
    Unbent,
}

/// A format of diagrams.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Format {
    /// An SVG file.
    Svg,
    /// A `tikzpicture`.
    Tikz,
    /// The display list.
    Json,
}

/// A reading of partial function symbols.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Mode {
    /// A symbol outside its domain stops the run.
    Paper,
    /// The conventions of the frameworks.
    Total,
}

/// Default for the maximum number of steps of a run.
const MOST_STEPS: usize = 1_000_000;

impl Engine {
    /// Engine of a training: the named one, or the fastest that supports the options.
    pub(crate) fn of(
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

    /// Engine of a run with its maximum number of steps. Only reduction accepts `--max-steps`.
    pub(crate) fn limited(
        self,
        steps: Option<usize>,
        shortcuts: bool,
        precision: Precision,
    ) -> Result<(fletch_runs::Engine, usize), &'static str> {
        match self {
            Engine::Denotation | Engine::Compiled if steps.is_some() => {
                Err("--max-steps is for `--engine step`: the others take no steps")
            }
            _ => Ok((
                self.with(shortcuts, precision)?,
                steps.unwrap_or(MOST_STEPS),
            )),
        }
    }

    /// The engine with these options, or a message if it does not support them.
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

impl Format {
    /// The requested format: `named`, or JSON if `--json` is given.
    pub(crate) fn of(named: Option<Format>, json: bool) -> Result<Format, &'static str> {
        match (named, json) {
            (Some(Format::Svg | Format::Tikz), true) => Err(
                "--json prints the display list, and --format something else: leave one of them out",
            ),
            (_, true) => Ok(Format::Json),
            (named, false) => Ok(named.unwrap_or(Format::Svg)),
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
