//! Descriptions of the `train` items of a program that distinguish them: by number, line, data set and handlers.

use fletch_elaborate::train_handlers;
use fletch_syntax::tree::{ItemKind, Program};
use fletch_syntax::{LineIndex, Span};

/// A description of a `train` item.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// The data set of the item.
    pub data: String,
    /// The line on which the item begins, from 1.
    pub line: u32,
    /// The handlers that it uses, as they are written in the source.
    pub handlers: Vec<String>,
}

impl Item {
    /// `train xor`, line 30, with `H_MLP(0.1, t)`
    pub fn title(&self) -> String {
        let Item { data, line, .. } = self;
        let handlers = self.handlers.iter().map(|handler| format!("`{handler}`"));
        let handlers: Vec<String> = handlers.collect();
        match handlers.is_empty() {
            true => format!("`train {data}`, line {line}"),
            false => format!(
                "`train {data}`, line {line}, with {}",
                handlers.join(" and ")
            ),
        }
    }
}

/// The `train` items of a program with this source, in file order.
pub fn items(program: &Program, source: &str, index: &LineIndex) -> Vec<Item> {
    let trains = program.items.iter().filter_map(|item| match &item.node {
        ItemKind::Train(decl) => Some((item.span, decl)),
        _ => None,
    });
    let handlers = train_handlers(program);
    let mut handlers = handlers.into_iter();
    let item = |(span, decl): (Span, &fletch_syntax::tree::TrainDecl)| Item {
        data: decl.data.text.to_string(),
        line: index.line_column(span.start).0,
        handlers: handlers
            .next()
            .unwrap_or_default()
            .into_iter()
            .map(|handler| written(handler.text(source)))
            .collect(),
    };
    trains.map(item).collect()
}

/// A handler as it is written, on one line; clauses written in place are abbreviated.
fn written(handler: &str) -> String {
    match handler.starts_with('{') {
        true => "{ … }".to_owned(),
        false => handler.split_whitespace().collect::<Vec<_>>().join(" "),
    }
}

/// The numbers, from 0, of the items that `wanted` means: a number from 1, the name of a data set, or a handler with or without its
/// arguments.
///
/// # Errors
/// If it means no item; the message lists all items.
pub fn asked(items: &[Item], wanted: &str) -> Result<Vec<usize>, String> {
    if let Some(number) = wanted
        .parse::<usize>()
        .ok()
        .and_then(|number| number.checked_sub(1))
        && number < items.len()
    {
        return Ok(vec![number]);
    }
    let is = |item: &Item| {
        let handler =
            |text: &String| text.split(['(', '[']).next() == Some(wanted) || text == wanted;
        item.data == wanted || item.handlers.iter().any(handler)
    };
    let found: Vec<usize> = (0..)
        .zip(items)
        .filter(|(_, item)| is(item))
        .map(|(number, _)| number)
        .collect();
    if found.is_empty() {
        let all = (1..)
            .zip(items)
            .map(|(number, item)| format!("{number} is {}", item.title()));
        let all: Vec<String> = all.collect();
        return Err(format!(
            "there is no `train` item `{wanted}`: {}",
            all.join("; ")
        ));
    }
    Ok(found)
}
