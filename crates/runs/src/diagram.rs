//! Diagrams of denotations, written as SVG, TikZ and JSON.

use crate::denotation::Denotation;
use fletch_diagrams::{Graph, Kind, Opening, Picture, Room, Style, Text};
use fletch_syntax::LineIndex;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use std::fmt;

/// The formats of a diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Format {
    /// An SVG file, on a light background.
    Svg,
    /// A `tikzpicture`.
    Tikz,
    /// The display list.
    Json,
}

/// A name that cannot be opened or folded because nothing in the diagram has it, with the names that can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotOpened {
    /// The first such name.
    pub name: String,
    /// The names that can be opened; if [`NotOpened::folds`], those that can be folded.
    pub openable: Vec<String>,
    /// True if the name was to be folded, false if it was to be opened.
    pub folds: bool,
}

impl fmt::Display for NotOpened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (open, opened) = match self.folds {
            false => ("open", "opened"),
            true => ("fold", "folded"),
        };
        let name = &self.name;
        write!(
            f,
            "there is nothing called `{name}` to {open} in this diagram"
        )?;
        match self.openable.as_slice() {
            [] => write!(f, ": nothing in it can be {opened}"),
            names => {
                let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                write!(f, ": these can be {opened}: {}", names.join(", "))
            }
        }
    }
}

/// Options of a drawing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawing {
    /// Forward and backward pass side by side, or in one line.
    pub style: Style,
    /// True to draw from top to bottom.
    pub down: bool,
    /// Maximum number of rows that the diagram is broken into; 0 or 1 for a single row.
    pub rows: usize,
    /// Size of the canvas that the diagram is laid out for; it overrides `down` and `rows`.
    pub room: Option<Room>,
    /// The boxes that are opened, and the runs that are folded.
    pub opening: Opening,
}

/// The boxes and wires of a denotation, with the options of a drawing. Names of nothing that can be opened or folded are skipped: the graph
/// lists them.
pub fn graph(denotation: &Denotation, source: &str, drawing: &Drawing) -> Graph {
    let mut graph = Graph::opened(&denotation.arrow, source, &drawing.opening);
    (graph.down, graph.rows) = (drawing.down, drawing.rows);
    graph
}

/// The picture of a graph, with the options of a drawing.
pub fn drawn(graph: &mut Graph, drawing: &Drawing) -> Picture {
    match drawing.room {
        Some(room) => Picture::fitted(graph, drawing.style, room),
        None => Picture::of(graph, drawing.style),
    }
}

/// The picture of a denotation, with the options of a drawing.
///
/// # Errors
/// If a name to open or to fold is of nothing that can be opened or folded.
pub fn opened(
    denotation: &Denotation,
    source: &str,
    drawing: &Drawing,
) -> Result<Picture, NotOpened> {
    let mut graph = graph(denotation, source, drawing);
    match (graph.unknown.first(), graph.not_foldable.first()) {
        (Some(name), _) => Err(NotOpened {
            name: name.clone(),
            openable: graph.openable,
            folds: false,
        }),
        (_, Some(name)) => Err(NotOpened {
            name: name.clone(),
            openable: graph.foldable,
            folds: true,
        }),
        (None, None) => Ok(drawn(&mut graph, drawing)),
    }
}

/// A picture as text in this format.
pub fn text(picture: &Picture, format: Format, index: &LineIndex) -> String {
    match format {
        Format::Svg => picture.svg(),
        Format::Tikz => picture.tikz(fletch_transcript::latex),
        Format::Json => format!("{}\n", json(picture, index)),
    }
}

/// The display list as JSON: boxes, wires, copies, names of saved values and types. Coordinates are in pixels.
pub fn json(picture: &Picture, index: &LineIndex) -> Json {
    let (left, top, width, height) = picture.bounds;
    let boxes = picture.boxes.iter().map(|shape| {
        let (x, y, w, h) = shape.frame;
        let (line, column) = index.line_column(shape.place.0);
        json!({
            "x": x, "y": y, "width": w, "height": h,
            "label": shape.label,
            "kind": match shape.kind {
                Kind::Operation => "operation",
                Kind::Pure => "pure",
                Kind::Sum => "sum",
                Kind::Delay => "delay",
            },
            "half": shape.mark.map(|mark| if mark.is_back() { "backward" } else { "forward" }),
            "key": shape.key,
            "within": shape.within,
            "saves": shape.saves,
            "statements": shape.statements,
            "span": { "start": shape.place.0, "end": shape.place.1, "line": line, "column": column },
        })
    });
    let wires = picture.wires.iter().map(|wire| {
        let points: Vec<[f64; 2]> = wire.points.iter().map(|(x, y)| [*x, *y]).collect();
        json!({ "wire": wire.wire, "carries": wire.flow.name(), "type": wire.ty, "name": wire.name, "sequence": wire.thick, "points": points })
    });
    let frames = picture.frames.iter().map(|frame| {
        let (x, y, w, h) = frame.frame;
        json!({
            "x": x, "y": y, "width": w, "height": h,
            "label": frame.label,
            "half": Some(&frame.half).filter(|half| !half.is_empty()),
            "run": frame.is_run && !frame.is_loop,
            "loop": frame.is_loop,
            "key": frame.key,
            "within": frame.within,
            "statements": frame.statements,
        })
    });
    let texts = |texts: &[Text]| -> Vec<Json> {
        let texts = texts
            .iter()
            .map(|text| json!({ "x": text.at.0, "y": text.at.1, "text": text.text }));
        texts.collect()
    };
    let dots = picture.dots.iter();
    let dots = dots.map(|dot| json!({ "x": dot.at.0, "y": dot.at.1 }));
    json!({
        "bounds": { "x": left, "y": top, "width": width, "height": height },
        "down": picture.down,
        "frames": frames.collect::<Vec<_>>(),
        "boxes": boxes.collect::<Vec<_>>(),
        "wires": wires.collect::<Vec<_>>(),
        "copies": dots.collect::<Vec<_>>(),
        "saved": texts(&picture.chips),
        "types": texts(&picture.types),
    })
}
