//! The text of a lesson in blocks: paragraphs, lists, code, questions, exercises. Blocks contain code, emphasis and links, but no HTML, so
//! a text cannot execute anything in a page.

use serde::{Deserialize, Serialize};

/// A block of the text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Block {
    /// A paragraph.
    Paragraph(Vec<Inline>),
    /// Items of a list.
    List(Vec<Vec<Inline>>),
    /// Lines of code.
    Code(String),
    /// A prediction: its number, from 1, and the question.
    Predict(usize, Vec<Inline>),
    /// The start of an exercise, with its title. The blocks up to the next exercise describe it.
    Exercise(String),
}

/// An inline piece of a block.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Inline {
    /// Words.
    Text(String),
    /// Code.
    Code(String),
    /// Emphasised.
    Emphasis(Vec<Inline>),
    /// Strong.
    Strong(Vec<Inline>),
    /// A link: its target, and its words.
    Link(Target, Vec<Inline>),
}

/// The target of a link of the text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Target {
    /// A bookmark of the run.
    Step(String),
    /// A tab: `steps`, `diagram`, `train`, `types`, `compare`.
    View(String),
    /// The page of a diagnostic code.
    Code(String),
    /// A page of the site, from its root: `/examples/errata/`.
    Page(String),
}

/// Calls `visit` for all inline pieces of the text, nested ones too.
pub fn each<'b>(blocks: &'b [Block], visit: &mut dyn FnMut(&'b Inline)) {
    for block in blocks {
        match block {
            Block::Paragraph(inlines) | Block::Predict(_, inlines) => within(inlines, visit),
            Block::List(items) => items.iter().for_each(|item| within(item, visit)),
            Block::Code(_) | Block::Exercise(_) => {}
        }
    }
}

fn within<'b>(inlines: &'b [Inline], visit: &mut dyn FnMut(&'b Inline)) {
    for inline in inlines {
        visit(inline);
        match inline {
            Inline::Emphasis(inner) | Inline::Strong(inner) | Inline::Link(_, inner) => {
                within(inner, visit);
            }
            Inline::Text(_) | Inline::Code(_) => {}
        }
    }
}

/// Inline pieces as Markdown for a terminal. Links and emphasis are reduced to their words.
pub fn plain(inlines: &[Inline]) -> String {
    let piece = |inline: &Inline| match inline {
        Inline::Text(text) => text.clone(),
        Inline::Code(code) => format!("`{code}`"),
        Inline::Emphasis(inner) | Inline::Link(_, inner) => plain(inner),
        Inline::Strong(inner) => format!("**{}**", plain(inner)),
    };
    inlines.iter().map(piece).collect()
}
