//! States as JSON: the objects of `fletch trace --json`, with the heap. The module does without `serde_json`, which would add 17 kB
//! to what every visit loads: the page only writes these few kinds of objects.

use super::Stops;
use crate::steps::StateText;
use fletch_calculus::Tensor;
use fletch_print::numbers::Digits;
use fletch_reduction::HeapWrite;
use std::fmt::Write;

/// JSON of the states: an object, or a list of objects. The first object is the start state. Every other object is a state with the
/// step that leads to it, or, where steps are skipped, with the first of these steps.
pub(super) fn json(stops: &Stops<'_>) -> String {
    let mut objects = Vec::new();
    let mut before: Option<(usize, StateText)> = None;
    for &position in stops.positions {
        let after = StateText::of(stops.trace, position, Digits::Exact);
        let mut fields = vec![("step", Json::Number(position))];
        if let Some((from, text)) = &before {
            let step = stops.trace.step(*from);
            let writes = stops.steps_to(position);
            let writes = writes.flat_map(|step| &step.write).map(write_json);
            fields.extend([
                ("from", Json::Number(*from)),
                (
                    "rule",
                    step.map_or(Json::Null, |step| Json::text(step.action.rule().name())),
                ),
                ("redex", Json::text(&text.redex)),
                ("explanation", Json::text(&text.explanation)),
                ("heap_writes", Json::List(writes.collect())),
            ]);
        }
        fields.push(("command", Json::text(&after.command)));
        let cells = stops.cells(stops.trace.state(position).heap());
        let heap = cells.map(|(location, tensor)| (location.name.to_string(), tensor_json(tensor)));
        fields.push(("heap", Json::Object(heap.collect())));
        objects.push(Json::object(fields));
        before = Some((position, after));
    }
    if let Some(notice) = stops.notice() {
        objects.push(Json::object(vec![("notice", Json::text(&notice))]));
    }
    let mut text = String::new();
    match objects.as_slice() {
        [only] => only.write(0, &mut text),
        _ => Json::List(objects).write(0, &mut text),
    }
    text + "\n"
}

fn write_json(write: &HeapWrite) -> Json {
    Json::object(vec![
        ("location", Json::text(&write.location.name)),
        ("before", tensor_json(&write.before)),
        ("after", tensor_json(&write.after)),
    ])
}

/// JSON of a tensor: its shape and its entries, row-major. Non-finite numbers are strings, as JSON has none.
fn tensor_json(tensor: &Tensor) -> Json {
    let dims = tensor.shape().dims().iter().copied().map(Json::Number);
    let entry = |entry: &f64| match entry {
        entry if entry.is_finite() => Json::Real(*entry),
        entry if entry.is_nan() => Json::text("NaN"),
        entry if *entry > 0.0 => Json::text("Infinity"),
        _ => Json::text("-Infinity"),
    };
    Json::object(vec![
        ("shape", Json::List(dims.collect())),
        (
            "data",
            Json::List(tensor.data().iter().map(entry).collect()),
        ),
    ])
}

/// A value of JSON.
enum Json {
    Null,
    Number(usize),
    Real(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    fn text(text: &str) -> Json {
        Json::Text(text.to_owned())
    }

    fn object(fields: Vec<(&str, Json)>) -> Json {
        let named = fields
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value));
        Json::Object(named.collect())
    }

    /// Writes the value at an indentation level, with two spaces for each level.
    fn write(&self, level: usize, into: &mut String) {
        // Writing into a text cannot fail.
        let _ = match self {
            Json::Null => write!(into, "null"),
            Json::Number(number) => write!(into, "{number}"),
            // The shortest text that means the same number, with a point or an exponent.
            Json::Real(number) => write!(into, "{number:?}"),
            Json::Text(text) => {
                write_text(text, into);
                Ok(())
            }
            Json::List(values) => {
                let each = |value: &Json, into: &mut String| value.write(level + 1, into);
                enclosed("[]", values, level, into, each);
                Ok(())
            }
            Json::Object(fields) => {
                enclosed("{}", fields, level, into, |(name, value), into| {
                    write_text(name, into);
                    into.push_str(": ");
                    value.write(level + 1, into);
                });
                Ok(())
            }
        };
    }
}

/// Writes values between brackets, each on a line of its own.
fn enclosed<T>(
    brackets: &str,
    values: &[T],
    level: usize,
    into: &mut String,
    mut each: impl FnMut(&T, &mut String),
) {
    let (open, close) = brackets.split_at(1);
    into.push_str(open);
    let line = |level: usize, into: &mut String| {
        into.push('\n');
        into.extend(std::iter::repeat_n("  ", level));
    };
    for (number, value) in values.iter().enumerate() {
        if number > 0 {
            into.push(',');
        }
        line(level + 1, into);
        each(value, into);
    }
    if !values.is_empty() {
        line(level, into);
    }
    into.push_str(close);
}

/// Writes a text in quotes.
fn write_text(text: &str, into: &mut String) {
    into.push('"');
    for character in text.chars() {
        match character {
            '"' => into.push_str("\\\""),
            '\\' => into.push_str("\\\\"),
            '\n' => into.push_str("\\n"),
            '\t' => into.push_str("\\t"),
            // Writing into a text cannot fail.
            control if control < ' ' => {
                let _ = write!(into, "\\u{:04x}", u32::from(control));
            }
            other => into.push(other),
        }
    }
    into.push('"');
}

#[cfg(test)]
mod tests {
    use super::Json;
    use proptest::prelude::*;

    fn written(value: &Json) -> String {
        let mut text = String::new();
        value.write(0, &mut text);
        text
    }

    proptest! {
        #[test]
        fn any_text_and_number_is_read_back(text in any::<String>(), number in any::<f64>()) {
            prop_assume!(number.is_finite());
            let value = Json::object(vec![(&text, Json::List(vec![Json::text(&text), Json::Real(number)]))]);
            let read: serde_json::Value = serde_json::from_str(&written(&value)).unwrap();
            prop_assert_eq!(&read, &serde_json::json!({ &*text: [text, number] }));
        }
    }

    #[test]
    fn it_is_laid_out_as_by_the_library() {
        let value = Json::List(vec![
            Json::object(vec![("a", Json::Number(1)), ("b", Json::Null)]),
            Json::Object(Vec::new()),
            Json::List(Vec::new()),
            Json::text("\"\\\n\u{1}ℓ"),
            Json::Real(1.0),
        ]);
        let read: serde_json::Value = serde_json::from_str(&written(&value)).unwrap();
        assert_eq!(written(&value), format!("{read:#}"));
    }
}
