//! What a command denotes, drawn: as SVG, TikZ and JSON.

use crate::denotation::Denotation;
use fletch_diagrams::Graph;
use fletch_syntax::LineIndex;
use serde_json::{Value as Json, json};

pub use fletch_diagrams::{Dot, Flow, Kind, Mark, Path, Picture, Shape, Style, Text};

/// The formats of a diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// An SVG file, on a light ground.
    Svg,
    /// A `tikzpicture`.
    Tikz,
    /// The display list.
    Json,
}

/// What a command denotes is drawn as; terms are labelled as the source writes them.
pub fn picture(denotation: &Denotation, source: &str, style: Style) -> Picture {
    Picture::of(&Graph::of(&denotation.arrow, source), style)
}

/// A picture as text in this format.
pub fn text(picture: &Picture, format: Format, index: &LineIndex) -> String {
    match format {
        Format::Svg => picture.svg(),
        Format::Tikz => picture.tikz(fletch_transcript::latex),
        Format::Json => format!("{}\n", json(picture, index)),
    }
}

/// The display list: boxes, wires, copies, names of saved values and types, in pixels.
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
            },
            "half": shape.mark.map(|mark| match mark {
                Mark::Right | Mark::Letter('f') => "forward",
                Mark::Left | Mark::Letter(_) => "backward",
            }),
            "statements": shape.statements,
            "span": { "start": shape.place.0, "end": shape.place.1, "line": line, "column": column },
        })
    });
    let wires = picture.wires.iter().map(|wire| {
        let points: Vec<[f64; 2]> = wire.points.iter().map(|(x, y)| [*x, *y]).collect();
        json!({ "wire": wire.wire, "carries": wire.flow.name(), "points": points })
    });
    let texts = |texts: &[fletch_diagrams::Text]| -> Vec<Json> {
        let texts = texts
            .iter()
            .map(|text| json!({ "x": text.at.0, "y": text.at.1, "text": text.text }));
        texts.collect()
    };
    let dots = picture.dots.iter();
    let dots = dots.map(|dot| json!({ "x": dot.at.0, "y": dot.at.1 }));
    json!({
        "bounds": { "x": left, "y": top, "width": width, "height": height },
        "boxes": boxes.collect::<Vec<_>>(),
        "wires": wires.collect::<Vec<_>>(),
        "copies": dots.collect::<Vec<_>>(),
        "saved": texts(&picture.chips),
        "types": texts(&picture.types),
    })
}
