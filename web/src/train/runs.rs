//! Runs of a training whose curves are kept: their descriptions, and their files.

use crate::train::axis::Axis;
use crate::train::charts::Charts;
use crate::train::texts;
use fletch_drawing::{
    Svg,
    colours::{self, Colour},
};
use fletch_playground::protocol::Measured;
use std::fmt::Write;
use std::rc::Rc;

/// Maximum number of kept runs.
pub const KEPT: usize = 4;

/// Curves of a run of a training.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// Number of the run, from 1.
    pub number: u32,
    /// Name that the reader gave; empty if there is none.
    pub name: Rc<str>,
    /// Scalars that the handlers were given, each with its first epoch, as a text.
    pub given: Rc<str>,
    /// Sizes, noise and seeds of the run by their names: `size n_hid`, `seed of w0`.
    pub numerals: Rc<[(String, f64)]>,
    /// Names of the measures.
    pub measures: Rc<[String]>,
    /// Values of the measures, by epoch.
    pub points: Rc<Vec<Measured>>,
}

impl Run {
    /// Curve of a measure: pairs of epochs and value.
    pub fn series(&self, measure: &str) -> Vec<(f64, f64)> {
        let place = self.measures.iter().position(|name| name == measure);
        let points = self.points.iter();
        let series = points.filter_map(|point| Some((point.epochs, *point.values.get(place?)?)));
        series.collect()
    }
}

/// Runs with distinguishing descriptions: `given` also lists the sizes, noise and seeds that differ in another run.
pub fn told(runs: &[Run]) -> Vec<Run> {
    let value = |run: &Run, name: &str| {
        let mut numerals = run.numerals.iter();
        numerals
            .find(|(own, _)| own == name)
            .map(|(_, value)| *value)
    };
    let told = runs.iter().map(|run| {
        let differs = |name: &str, own: f64| {
            let others = runs.iter().filter_map(|other| value(other, name));
            others.into_iter().any(|other| other != own)
        };
        let numerals = run.numerals.iter();
        let numerals = numerals.filter(|(name, own)| differs(name, *own));
        let numerals = numerals.map(|(name, own)| format!("{name} {own}"));
        let given = Some(run.given.to_string()).filter(|given| !given.is_empty());
        let all: Vec<String> = given.into_iter().chain(numerals).collect();
        Run {
            given: all.join(", ").into(),
            ..run.clone()
        }
    });
    told.collect()
}

/// Table of all runs: a line for each point of each run, a column for each measure.
pub fn csv(runs: &[Run]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in runs.iter().flat_map(|run| run.measures.iter()) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let quoted = |text: &str| text.replace('"', "\"\"");
    let mut text = format!("run,name,given,epoch,{}\n", names.join(","));
    for run in runs {
        for point in run.points.iter() {
            let values = names.iter().map(|name| {
                let place = run.measures.iter().position(|own| own == name);
                let value = place.and_then(|place| point.values.get(place));
                value.map_or_else(String::new, f64::to_string)
            });
            let values: Vec<String> = values.collect();
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "{},\"{}\",\"{}\",{},{}",
                run.number,
                quoted(&run.name),
                quoted(&run.given),
                point.epochs,
                values.join(",")
            );
        }
    }
    text
}

/// Scale of the values of a chart: its bounds, and whether it is logarithmic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// Value at the bottom.
    pub bottom: f64,
    /// Value at the top.
    pub top: f64,
    /// True if the scale is logarithmic.
    pub steep: bool,
}

/// Least ratio of the largest to the smallest value for which the scale is logarithmic by default.
const STEEP: f64 = 30.0;

impl Scale {
    /// Scale of these values, logarithmic or linear by choice; `None` if no value is finite. A logarithmic scale has values of at
    /// most 0 at its bottom, and needs a value above 0.
    pub fn of(values: impl Iterator<Item = f64>, choice: Option<bool>) -> Option<Scale> {
        let finite = values.filter(|value| value.is_finite());
        let start = (f64::MAX, f64::MIN, f64::MAX);
        let (least, most, above) = finite.fold(start, |(least, most, above), value| {
            let own = if value > 0.0 { value } else { f64::MAX };
            (least.min(value), most.max(value), above.min(own))
        });
        let steep = most > 0.0 && choice.unwrap_or(least > 0.0 && most > STEEP * least);
        // A linear scale starts at 0.
        let bottom = match steep {
            true => above,
            false => least.min(0.0),
        };
        (least <= most).then_some(Scale {
            bottom,
            top: most,
            steep,
        })
    }

    /// Height of a value, from 0 to 1.
    pub fn share(&self, value: f64) -> f64 {
        let share = if self.steep {
            libm::log(value / self.bottom) / libm::log(self.top / self.bottom)
        } else {
            (value - self.bottom) / (self.top - self.bottom)
        };
        if share.is_finite() {
            share.clamp(0.0, 1.0)
        } else {
            0.0
        }
    }
}

/// Maximum number of points of a drawn curve, besides the last point.
const DRAWN: usize = 400;

/// Points of an SVG polyline for a curve over the axis, in a rectangle of `width` by `height` units. On each side the curve extends
/// to the next point outside.
pub fn path(
    series: &[(f64, f64)],
    axis: Axis,
    scale: &Scale,
    (width, height): (f64, f64),
) -> String {
    let from = series.partition_point(|(epochs, _)| *epochs <= axis.from);
    let to = series.partition_point(|(epochs, _)| *epochs < axis.to);
    let series = series.get(from.saturating_sub(1)..(to + 1).min(series.len()));
    let series = series.unwrap_or(&[]);
    let thin = series.len().div_ceil(DRAWN).max(1);
    let drawn = series.iter().enumerate();
    let drawn = drawn
        .filter(|(at, (_, value))| value.is_finite() && (at % thin == 0 || at + 1 == series.len()));
    let corners = drawn.map(|(_, (epochs, value))| {
        let x = width * axis.place(*epochs);
        format!("{x:.2},{:.2}", height * (1.0 - scale.share(*value)))
    });
    let corners: Vec<String> = corners.collect();
    corners.join(" ")
}

/// Width and height of a plot, in units of the picture.
const PLOT: (f64, f64) = (480.0, 220.0);
const LEFT: f64 = 72.0;
const TOP: f64 = 34.0;
const LINE: f64 = 18.0;
const COLOURS: [Colour; KEPT + 1] = [
    colours::ACCENT,
    colours::FUNCTION,
    colours::LOCATION,
    colours::PURE,
    colours::QUIET_INK,
];

/// Picture of all runs, the newest last, with a plot for each of its measures.
pub fn svg(runs: &[Run], charts: &Charts) -> String {
    let Some(newest) = runs.last() else {
        return String::new();
    };
    let end = runs.iter().flat_map(|run| run.points.last());
    let axis = Axis {
        from: 0.0,
        to: end.fold(0.0, |end: f64, point| end.max(point.epochs)),
        even: charts.even,
    };
    let each = TOP + PLOT.1 + 2.0 * LINE;
    let plots = newest.measures.len() as f64;
    let (width, height) = (
        LEFT + PLOT.0 + 24.0,
        each * plots + LINE * (runs.len() as f64 + 1.0),
    );
    let ink = colours::INK.light;
    let mut svg = Svg::new(
        (0.0, 0.0, width, height),
        &format!("font-family=\"sans-serif\" font-size=\"12\" fill=\"{ink}\""),
        colours::SURFACE,
    );
    // Writing to a string cannot fail.
    for (number, measure) in newest.measures.iter().enumerate() {
        let y = each * number as f64 + TOP;
        let values = runs.iter().flat_map(|run| run.series(measure));
        let Some(scale) = Scale::of(values.map(|(_, value)| value), charts.steep) else {
            continue;
        };
        let note = if scale.steep { texts::LOGARITHMIC } else { "" };
        let _ = write!(
            svg,
            "<text x=\"{LEFT}\" y=\"{}\" font-weight=\"bold\">",
            y - 8.0
        );
        svg.words(measure);
        let _ = write!(svg, " <tspan font-weight=\"normal\">{note}</tspan></text>");
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT} {y}v{}h{}\" fill=\"none\" stroke=\"{}\"/>",
            PLOT.1,
            PLOT.0,
            colours::STRONG_LINE.light
        );
        for (value, at) in [(scale.top, y + 10.0), (scale.bottom, y + PLOT.1)] {
            svg.text(
                format_args!("x=\"{}\" y=\"{at}\" text-anchor=\"end\"", LEFT - 6.0),
                &crate::number::bound(value),
            );
        }
        svg.text(
            format_args!(
                "x=\"{}\" y=\"{}\" text-anchor=\"end\"",
                LEFT + PLOT.0,
                y + PLOT.1 + 16.0
            ),
            &texts::epochs(crate::number::bound(axis.to)),
        );
        for (run, colour) in runs.iter().rev().zip(COLOURS.iter().cycle()) {
            let (corners, colour) = (path(&run.series(measure), axis, &scale, PLOT), colour.light);
            let _ = writeln!(
                svg,
                "<polyline transform=\"translate({LEFT} {y})\" points=\"{corners}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>"
            );
        }
    }
    for (line, (run, colour)) in runs.iter().rev().zip(COLOURS.iter().cycle()).enumerate() {
        let y = each * plots + LINE * (line as f64 + 1.0);
        let _ = write!(
            svg,
            "<path d=\"M{LEFT} {}h20\" stroke=\"{}\" stroke-width=\"2\"/>",
            y - 4.0,
            colour.light
        );
        svg.text(
            format_args!("x=\"{}\" y=\"{y}\"", LEFT + 28.0),
            &texts::run(run),
        );
        svg.end_line();
    }
    svg.finish()
}
