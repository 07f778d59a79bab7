//! States as JSON: the objects of `fletch trace --json`, with the heap.

use super::Stops;
use crate::steps::{self, StateText};
use crate::values::tensor_json;
use serde_json::{Map, Value as Json, json};

/// An object, or a list of them: the first is the state that the others start from, each other one the step that
/// leads to it, or where steps are passed over, the first of those that do.
pub(super) fn json(stops: &Stops<'_>) -> String {
    let mut objects = Vec::new();
    let mut before: Option<(usize, StateText)> = None;
    for &position in stops.positions {
        let after = StateText::of(stops.trace, position);
        let heap: Map<String, Json> = stops
            .cells(stops.trace.state(position).heap())
            .map(|(location, tensor)| (location.name.to_string(), tensor_json(tensor)))
            .collect();
        let mut object = match &before {
            None => json!({ "step": position, "command": after.command }),
            Some((from, text)) => json!({
                "step": position,
                "from": from,
                "rule": stops.trace.step(*from).map(|step| step.action.rule().name()),
                "redex": text.redex,
                "explanation": text.explanation,
                "command": after.command,
                "heap_writes": stops
                    .steps_to(position)
                    .iter()
                    .flat_map(steps::writes)
                    .collect::<Vec<Json>>(),
            }),
        };
        if let Some(object) = object.as_object_mut() {
            object.insert("heap".to_owned(), Json::Object(heap));
        }
        objects.push(object);
        before = Some((position, after));
    }
    if let Some(notice) = stops.notice() {
        objects.push(json!({ "notice": notice }));
    }
    let whole = match objects.as_slice() {
        [only] => only.clone(),
        _ => Json::Array(objects),
    };
    format!("{whole:#}\n")
}
