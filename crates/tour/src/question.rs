//! Questions to a program, with computed answers: predictions, facts of the text and bookmarks consist of them.

use serde::{Deserialize, Serialize};
use std::num::NonZeroUsize;

/// An answer: a number, numbers, or words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Answer {
    /// One number.
    Number(f64),
    /// The entries of a value or a location.
    Numbers(Vec<f64>),
    /// A type, a code, a verdict.
    Word(String),
    /// Codes, locations, operations, in order.
    Words(Vec<String>),
}

/// A question to a program of the lesson.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Fields", into = "Fields")]
pub struct Question {
    /// File of the program; `None` for the program of the lesson.
    pub file: Option<String>,
    /// Another `main` for the program.
    pub main: Option<String>,
    /// Items that are added to the program.
    pub with: Option<String>,
    /// True if partial function symbols are read as total, like in the frameworks.
    pub total: bool,
    /// The question itself.
    pub what: What,
}

/// The question itself, without the choice of its program.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// The value of `main`: all of its entries, or one, from 0.
    Value(Option<usize>),
    /// Contents of a location at the end of the run: all of its entries, or one, from 0.
    Heap(String, Option<usize>),
    /// Contents that a write leaves in its location.
    Write(WriteOf),
    /// The number of steps that fit this description.
    Count(StepLike),
    /// The number of steps of the run, unfoldings not counted.
    Steps,
    /// The locations that are written, in order.
    Order,
    /// The codes of the diagnostics of this severity (`error`, `warning`, `all`), sorted, each once.
    Codes(String),
    /// The code of the diagnostic with which the run stops.
    Stuck,
    /// Two commands, as arrows: `equal`, `different` or `incomparable`.
    Equal(String, String),
    /// The operations of a command, in order; with `true`, their number.
    Operations(String, bool),
    /// The type of a command, with its parameters.
    Type(String),
    /// The number of values that the diagram of a command keeps for the backward pass.
    Saved(String),
    /// The value of a measure of a training.
    Train(MeasureOf),
    /// Contents of a location after the training: all of its entries, or one, from 0.
    Trained(String, Option<usize>),
    /// The factor of gradient descent on this measure.
    Factor(String),
    /// The number of occurrences of a text (second field) in a function (first field) of the module for JAX.
    Export(String, String),
}

/// A write of the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WriteOf {
    /// The location.
    pub location: String,
    /// Index of the write among those to the location, from 1.
    #[serde(default = "first")]
    pub nth: NonZeroUsize,
    /// Index of one entry, from 0; `None` for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<usize>,
}

/// A value of a measure of a training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasureOf {
    /// The measure.
    pub measure: String,
    /// Epochs of every `train` item, in place of the number in the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epochs: Option<usize>,
    /// Number of epochs after which the measure is read; `None` for the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<usize>,
}

/// A description of steps of a run. A step fits if it satisfies all fields that are given.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepLike {
    /// The rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The location that is read or written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// Text that the printed redex contains.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redex: Option<String>,
    /// Index of the step among those that fit, from 1; `None` for the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nth: Option<NonZeroUsize>,
}

fn first() -> NonZeroUsize {
    NonZeroUsize::MIN
}

/// All, or one entry: `true` or a number.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Part {
    All(bool),
    Entry(usize),
}

/// A question as written in front matter: a table with one field for each kind.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Fields {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    main: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    with: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    entry: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    holds: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Part>,
    #[serde(skip_serializing_if = "Option::is_none")]
    heap: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    write: Option<WriteOf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<StepLike>,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    order: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    codes: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stuck: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    equal: Option<(String, String)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    operations: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", rename = "type")]
    ty: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    saved: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    train: Option<MeasureOf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trained: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    factor: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    export: Option<String>,
}

impl TryFrom<Fields> for Question {
    type Error = String;

    fn try_from(fields: Fields) -> Result<Question, String> {
        let Fields {
            file,
            main,
            with,
            mode,
            entry,
            number,
            holds,
            ..
        } = fields;
        let total = match mode.as_deref() {
            None | Some("paper") => false,
            Some("total") => true,
            Some(other) => return Err(format!("`{other}` is no mode: `paper` or `total`")),
        };
        if fields.order.as_deref().is_some_and(|order| order != "put") {
            return Err("the order is that of writes: `order = \"put\"`".to_owned());
        }
        let one = |part| match part {
            Part::All(_) => None,
            Part::Entry(entry) => Some(entry),
        };
        // Each field is one question; exactly one may be present.
        let asked = [
            fields.value.map(|part| What::Value(one(part))),
            fields.heap.map(|location| What::Heap(location, entry)),
            fields.write.map(What::Write),
            fields.count.map(What::Count),
            fields.steps.map(|_| What::Steps),
            fields.order.map(|_| What::Order),
            fields.codes.map(What::Codes),
            fields.stuck.map(|_| What::Stuck),
            fields.equal.map(|(one, other)| What::Equal(one, other)),
            (fields.operations).map(|of| What::Operations(of, number == Some(true))),
            fields.ty.map(What::Type),
            fields.saved.map(What::Saved),
            fields.train.map(What::Train),
            (fields.trained).map(|location| What::Trained(location, entry)),
            fields.factor.map(What::Factor),
            (fields.export).map(|function| What::Export(function, holds.unwrap_or_default())),
        ];
        let mut asked = asked.into_iter().flatten();
        match (asked.next(), asked.next()) {
            (Some(what), None) => Ok(Question {
                file,
                main,
                with,
                total,
                what,
            }),
            (None, _) => Err("nothing is asked: no `value`, `heap`, `write`, …".to_owned()),
            (Some(_), Some(_)) => Err("two things are asked at once".to_owned()),
        }
    }
}

impl From<Question> for Fields {
    fn from(question: Question) -> Fields {
        let mut fields = Fields {
            file: question.file,
            main: question.main,
            with: question.with,
            mode: question.total.then(|| "total".to_owned()),
            ..Fields::default()
        };
        match question.what {
            What::Value(entry) => {
                fields.value = Some(entry.map_or(Part::All(true), Part::Entry));
            }
            What::Heap(location, entry) => (fields.heap, fields.entry) = (Some(location), entry),
            What::Write(write) => fields.write = Some(write),
            What::Count(like) => fields.count = Some(like),
            What::Steps => fields.steps = Some(true),
            What::Order => fields.order = Some("put".to_owned()),
            What::Codes(weight) => fields.codes = Some(weight),
            What::Stuck => fields.stuck = Some(true),
            What::Equal(one, other) => fields.equal = Some((one, other)),
            What::Operations(of, number) => {
                (fields.operations, fields.number) = (Some(of), number.then_some(true));
            }
            What::Type(of) => fields.ty = Some(of),
            What::Saved(of) => fields.saved = Some(of),
            What::Train(measure) => fields.train = Some(measure),
            What::Trained(location, entry) => {
                (fields.trained, fields.entry) = (Some(location), entry);
            }
            What::Factor(measure) => fields.factor = Some(measure),
            What::Export(function, holds) => {
                (fields.export, fields.holds) = (Some(function), Some(holds));
            }
        }
        fields
    }
}

#[cfg(test)]
mod tests {
    use super::{Question, What};

    fn read(text: &str) -> Result<Question, String> {
        #[derive(serde::Deserialize)]
        struct Asked {
            of: Question,
        }
        let asked: Result<Asked, _> = toml::from_str(&format!("of = {text}"));
        asked
            .map(|asked| asked.of)
            .map_err(|error| error.message().to_owned())
    }

    #[test]
    fn a_question_is_one_column() {
        assert_eq!(read("{ value = true }").unwrap().what, What::Value(None));
        assert_eq!(read("{ value = 2 }").unwrap().what, What::Value(Some(2)));
        let heap = What::Heap("a".to_owned(), Some(1));
        assert_eq!(read("{ heap = \"a\", entry = 1 }").unwrap().what, heap);
        for (text, part) in [
            ("{ main = \"R(1)\" }", "nothing is asked"),
            ("{ value = 0, stuck = true }", "two things are asked"),
            ("{ value = 0, mode = \"half\" }", "`half` is no mode"),
            ("{ order = \"get\" }", "the order is that of writes"),
            ("{ worth = 0 }", "unknown field `worth`"),
            ("{ write = { location = \"a\", nth = 0 } }", "nonzero"),
            ("{ count = { nth = 0 } }", "nonzero"),
        ] {
            let message = read(text).unwrap_err();
            assert!(message.contains(part), "{text}: {message}");
        }
    }

    #[test]
    fn questions_are_written_as_they_are_read() {
        for text in [
            "{ file = \"a.fletch\", main = \"R(1)\", with = \"\", mode = \"total\", value = 0 }",
            "{ write = { location = \"a\", nth = 2, entry = 0 } }",
            "{ count = { rule = \"get\" } }",
            "{ equal = [\"A\", \"B\"] }",
            "{ operations = \"R\", number = true }",
            "{ train = { measure = \"loss\", at = 0 } }",
            "{ export = \"step\", holds = \"] = \" }",
        ] {
            let question = read(text).unwrap();
            assert_eq!(
                Question::try_from(super::Fields::from(question.clone())),
                Ok(question)
            );
        }
    }
}
