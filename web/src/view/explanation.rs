//! What the code of a diagnostic means: a short document, in a dialog.

use super::dialog::Dialog;
use crate::model::{Model, Overlay};
use crate::update::Msg;
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag};
use yew::{Callback, Html, html};

/// The dialog, if it is open.
pub(super) fn explanation(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let Some(open) = model
        .explanation
        .as_ref()
        .filter(|_| model.overlay == Overlay::Explanation)
    else {
        return Html::default();
    };
    let (title, body) = match &open.text {
        None => (open.code.to_string(), html! { <p>{ "Loading…" }</p> }),
        Some(Err(why)) => {
            let text = format!("The explanation could not be loaded: {why}.");
            (open.code.to_string(), html! { <p>{ text }</p> })
        }
        Some(Ok(text)) => {
            // The first heading is the dialog's own.
            let mut events = Parser::new(text).peekable();
            let title =
                match events.next_if(|first| matches!(first, Event::Start(Tag::Heading { .. }))) {
                    Some(_) => plain(&mut events),
                    None => open.code.to_string(),
                };
            (title, nodes(&mut events))
        }
    };
    html! {
        <Dialog {title} close={dispatch.reform(|()| Msg::Over(Overlay::None))}>
            <div class="document">{ body }</div>
        </Dialog>
    }
}

/// What stands up to the end of the element that has begun. Only these elements are made, and all else is text, so that
/// nothing in a document becomes markup by itself; it links to what is not on the page, so addresses are left out.
fn nodes<'a>(events: &mut impl Iterator<Item = Event<'a>>) -> Html {
    let mut inner = Vec::new();
    while let Some(event) = events.next() {
        inner.push(match event {
            Event::End(_) => break,
            Event::Start(Tag::CodeBlock(kind)) => {
                let text = plain(events);
                let fletch =
                    matches!(kind, CodeBlockKind::Fenced(language) if &*language == "fletch");
                let text = if fletch {
                    coloured(&text)
                } else {
                    html! { { text } }
                };
                html! { <pre tabindex="0"><code>{ text }</code></pre> }
            }
            Event::Start(tag) => element(&tag, nodes(events)),
            Event::Code(text) => html! { <code>{ &*text }</code> },
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => html! { { &*text } },
            _ => html! { " " },
        });
    }
    html! { <>{ for inner }</> }
}

fn element(tag: &Tag<'_>, inner: Html) -> Html {
    match tag {
        Tag::Heading { .. } => html! { <h3>{ inner }</h3> },
        Tag::Paragraph => html! { <p>{ inner }</p> },
        Tag::List(_) => html! { <ul>{ inner }</ul> },
        Tag::Item => html! { <li>{ inner }</li> },
        Tag::Emphasis => html! { <em>{ inner }</em> },
        Tag::Strong => html! { <strong>{ inner }</strong> },
        _ => inner,
    }
}

/// The text up to the end of the element that has begun.
fn plain<'a>(events: &mut impl Iterator<Item = Event<'a>>) -> String {
    let mut text = String::new();
    let mut depth = 0;
    for event in events {
        match event {
            Event::Start(_) => depth += 1,
            Event::End(_) if depth == 0 => break,
            Event::End(_) => depth -= 1,
            Event::Text(part) | Event::Code(part) => text.push_str(&part),
            _ => text.push(' '),
        }
    }
    text.truncate(text.trim_end_matches('\n').len());
    text
}

/// A program in the colours of the editor.
fn coloured(source: &str) -> Html {
    let mut parts = Vec::new();
    let mut done = 0;
    for token in fletch_syntax::highlight(source, fletch_playground::symbols()) {
        let (start, end) = (token.span.start as usize, token.span.end as usize);
        parts.push(html! { { source.get(done..start).unwrap_or("") } });
        let class = format!("tok-{}", crate::highlight::number(token.class));
        parts.push(html! { <span {class}>{ source.get(start..end).unwrap_or("") }</span> });
        done = end;
    }
    html! { <>{ for parts }{ source.get(done..).unwrap_or("") }</> }
}

#[cfg(test)]
mod tests {
    use super::{Event, Parser, nodes, plain};
    use yew::Html;
    use yew::virtual_dom::VNode;

    /// Elements in brackets, texts as they are.
    fn written(node: &Html) -> String {
        match node {
            VNode::VTag(tag) => {
                let inner = tag.children().map(written).unwrap_or_default();
                format!("[{} {inner}]", tag.tag())
            }
            VNode::VText(text) => text.text.to_string(),
            VNode::VList(list) => list.iter().map(written).collect(),
            _ => String::new(),
        }
    }

    #[test]
    fn a_document_becomes_elements_and_text() {
        let cases = [
            (
                "First line\nsecond line.\n\nAfter.",
                "[p First line second line.][p After.]",
            ),
            ("`a ** b` is *not* c", "[p [code a ** b] is [em not] c]"),
            ("**all** of n_in", "[p [strong all] of n_in]"),
            ("- one\n  goes on\n- two", "[ul [li one goes on][li two]]"),
            ("```\na\n\nb\n```", "[pre [code a\n\nb]]"),
            ("```fletch\nmain\n```", "[pre [code [span main]]]"),
            ("see [the page](language.md), too", "[p see the page, too]"),
            ("<script>alert(1)</script>", "<script>alert(1)</script>"),
            ("a <b onclick=x>b</b>", "[p a <b onclick=x>b</b>]"),
            ("![x](y.png)", "[p x]"),
        ];
        for (source, expected) in cases {
            assert_eq!(
                written(&nodes(&mut Parser::new(source))),
                expected,
                "{source}"
            );
        }
    }

    #[test]
    fn a_heading_is_text() {
        let mut events = Parser::new("# F0102: a `term` *here*\n\nText.").skip(1);
        assert_eq!(plain(&mut events), "F0102: a term here");
        assert!(matches!(events.next(), Some(Event::Start(_))));
    }
}
