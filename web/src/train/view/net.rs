//! The network as a drawing: its units in columns, each with its picture, and a line for each weight.

use super::dots::Dots;
use super::inside::colour;
use crate::number;
use fletch_playground::protocol::{Drawn, Inside, Over, Weights};
use std::rc::Rc;
use yew::{Html, html};

/// Maximum number of units of a column; larger networks are not drawn.
const UNITS: usize = 16;
/// Width of the line of the largest weight and of a weight 0, in pixels.
const WIDE: f64 = 5.0;
const THIN: f64 = 0.5;

/// Column of units.
struct Column<'a> {
    /// Layer whose pictures are shown; `None` for the inputs themselves.
    shown: Option<&'a Drawn>,
    units: usize,
    /// Weights of the lines from the previous column.
    weights: Option<&'a Weights>,
}

/// Columns of a network; `None` unless it is a chain. An activation takes the column of its argument, and layers before the first
/// weights take the column of the inputs.
fn columns(inside: &Inside) -> Option<Vec<Column<'_>>> {
    let mut columns = vec![Column {
        shown: None,
        units: inside.inputs as usize,
        weights: None,
    }];
    for layer in &inside.layers {
        let last = columns.last_mut()?;
        let units = layer.units as usize;
        match &layer.weights {
            Some(weights) if weights.columns as usize == last.units => columns.push(Column {
                shown: Some(layer),
                units,
                weights: Some(weights),
            }),
            Some(_) => return None,
            None if last.weights.is_none() || units == last.units => {
                last.shown = Some(layer);
                last.units = units;
            }
            None => return None,
        }
    }
    let fits = columns.len() > 1 && columns.iter().all(|it| (1..=UNITS).contains(&it.units));
    fits.then_some(columns)
}

/// Drawing of a network over two inputs or one; empty if it is not a chain, or has too many units.
pub(super) fn net(inside: &Inside) -> Html {
    let side = match inside.over {
        Over::Plane(side) => Some(side),
        Over::Line => None,
        Over::Samples => return Html::default(),
    };
    let Some(columns) = columns(inside).filter(|_| inside.left == 0) else {
        return Html::default();
    };
    let weights = columns.iter().filter_map(|it| it.weights);
    let entries = weights.flat_map(|it| &it.entries);
    let most = entries.fold(0.0, |most: f64, entry| most.max(entry.abs()));
    let across = 100.0 / (columns.len() - 1) as f64;
    let pairs = columns.iter().zip(columns.iter().skip(1)).enumerate();
    let lines = pairs.flat_map(|(at, (from, to))| {
        let weights = to.weights.iter();
        weights.flat_map(move |weights| {
            lines(
                weights,
                (from.units, to.units),
                (at as f64 * across, across),
                most,
            )
        })
    });
    let units: Vec<String> = columns.iter().map(|it| it.units.to_string()).collect();
    let said = format!(
        "A network of {} units, column by column. A line is a weight, the thicker the larger: blue below 0, red above, up to ±{}",
        units.join(", "),
        number::bound(most)
    );
    let high = columns.iter().map(|it| it.units).max().unwrap_or(1);
    let style = format!("--columns: {}; --units: {high}", columns.len());
    html! {
        <div class="net-scroll" tabindex="0" role="region" aria-label={"The network, drawn"}>
            <div class="net" role="img" aria-label={said} {style}>
                <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">{ for lines }</svg>
                { for columns.iter().enumerate().map(|(at, column)| html! { <div class="net-column" key={at}>{ self::column(column, side) }</div> }) }
            </div>
        </div>
    }
}

/// Line for each weight, from the middle of one unit to the middle of another.
fn lines(
    weights: &Weights,
    (from, to): (usize, usize),
    (left, across): (f64, f64),
    most: f64,
) -> impl Iterator<Item = Html> {
    let middle = |at: usize, of: usize| 100.0 * (at as f64 + 0.5) / of as f64;
    let name = &weights.name;
    let entries = weights.entries.iter().enumerate();
    entries.map(move |(at, entry)| {
        let (row, column) = (at / from.max(1), at % from.max(1));
        let (start, end) = (middle(column, from), middle(row, to));
        let share = if most > 0.0 { entry.abs() / most } else { 0.0 };
        let width = THIN + (WIDE - THIN) * share;
        let d = format!("M{left:.2} {start:.2}L{:.2} {end:.2}", left + across);
        let title = format!("{name}: from {} to {}, {}", column + 1, row + 1, number::bare(*entry));
        let sign = if *entry < 0.0 { "below" } else { "above" };
        html! { <path key={format!("{left:.0}.{at}")} class={sign} {d} stroke-width={format!("{width:.2}")}><title>{ title }</title></path> }
    })
}

fn column(column: &Column<'_>, side: Option<u32>) -> Html {
    let Some(layer) = column.shown else {
        let units = (0..column.units).map(|unit| {
            html! { <span class="net-unit input" key={unit}><span>{ "x" }<sub>{ unit + 1 }</sub></span></span> }
        });
        return units.collect();
    };
    let shown = layer.scales.len();
    let count = layer.entries.len() / shown.max(1);
    let name = layer.variable.as_ref().unwrap_or(&layer.name);
    let units = layer.entries.chunks_exact(count.max(1)).zip(&layer.scales);
    let mut units = units.enumerate().map(|(unit, (entries, scale))| {
        let title = format!("unit {} of {name}: up to ±{}", unit + 1, number::bound(*scale));
        let drawn = match side {
            Some(side) => {
                let dots = entries.iter().flat_map(|entry| colour(*entry));
                html! { <Dots dots={Rc::new(dots.collect::<Vec<u8>>())} width={side} height={side} /> }
            }
            None => curve(entries),
        };
        html! { <span class="net-unit" key={unit} {title}>{ drawn }</span> }
    });
    let drawn: Html = units.by_ref().collect();
    let rest = (shown..column.units)
        .map(|unit| html! { <span class="net-unit input" key={unit}>{ unit + 1 }</span> });
    html! { <>{ drawn }{ for rest }</> }
}

/// Curve of the values of a unit over one input. Entries without a number are skipped.
pub(super) fn curve(entries: &[u8]) -> Html {
    let last = (entries.len().max(2) - 1) as f64;
    let corners = entries
        .iter()
        .enumerate()
        .filter(|(_, entry)| **entry != 255);
    let corners = corners.map(|(at, entry)| {
        let x = 100.0 * at as f64 / last;
        format!("{x:.1},{:.1}", 96.0 - 92.0 * f64::from(*entry) / 254.0)
    });
    let corners: Vec<String> = corners.collect();
    html! { <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true"><path class="axis" d="M0 50H100" /><polyline points={corners.join(" ")} /></svg> }
}
