//! Explanation of the code of a diagnostic: a short document, in a dialog.

use crate::model::{Model, Overlay};
use crate::update::Msg;
use crate::view::dialog::Dialog;
use wasm_bindgen::JsCast;
use web_sys::{DomParser, Element, Node, SupportedType};
use yew::{Callback, Html, html};

/// The dialog of the explanation.
#[inline(never)] // A start does without it.
pub(crate) fn explanation(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let Some(open) = &model.explanation else {
        return Html::default();
    };
    let (title, body) = match &open.text {
        None => (open.code.to_string(), html! { <p>{ "Loading…" }</p> }),
        Some(Err(why)) => {
            let text = format!("The explanation could not be loaded: {why}.");
            (open.code.to_string(), html! { <p>{ text }</p> })
        }
        Some(Ok(text)) => match document(text) {
            // The first heading is the title of the dialog.
            Some((heading, body)) => (heading.unwrap_or_else(|| open.code.to_string()), body),
            None => (open.code.to_string(), html! { <p>{ &**text }</p> }),
        },
    };
    html! {
        <Dialog {title} close={dispatch.reform(|()| Msg::Over(Overlay::None))}>
            <div class="document">{ body }</div>
        </Dialog>
    }
}

/// Heading and remaining content of a document, which was rendered when the site was built.
fn document(text: &str) -> Option<(Option<String>, Html)> {
    let parsed = DomParser::new()
        .and_then(|parser| parser.parse_from_string(text, SupportedType::TextHtml))
        .ok()?;
    let body = parsed.body()?;
    let heading = body
        .first_element_child()
        .filter(|first| first.tag_name() == "H1");
    if let Some(heading) = &heading {
        heading.remove();
    }
    let title = heading.and_then(|heading| heading.text_content());
    Some((title, nodes(&body)))
}

/// Content of an element. Only the elements listed here are copied, without attributes; of all others only the text
/// stays, so nothing in a document can act. Links lose their addresses, since documents link to targets that are not
/// on the page.
fn nodes(parent: &Node) -> Html {
    let children = parent.child_nodes();
    let children = (0..children.length()).filter_map(|at| children.get(at));
    let made = children.map(|child| {
        let text = || child.text_content().unwrap_or_default();
        match &*child.node_name() {
            "PRE" => html! { <pre tabindex="0"><code>{ program(&child) }</code></pre> },
            "CODE" => html! { <code>{ text() }</code> },
            "P" => html! { <p>{ nodes(&child) }</p> },
            "H1" | "H2" | "H3" | "H4" => html! { <h3>{ nodes(&child) }</h3> },
            "UL" | "OL" => html! { <ul>{ nodes(&child) }</ul> },
            "LI" => html! { <li>{ nodes(&child) }</li> },
            "EM" => html! { <em>{ nodes(&child) }</em> },
            "STRONG" => html! { <strong>{ nodes(&child) }</strong> },
            "A" => nodes(&child),
            "#comment" => Html::default(),
            _ => html! { { text() } },
        }
    });
    html! { <>{ for made }</> }
}

/// Text of a code block: a program in colours, or plain lines.
fn program(block: &Node) -> Html {
    let text = block.text_content().unwrap_or_default();
    let text = text.trim_end_matches('\n');
    let fletch = block
        .first_child()
        .and_then(|code| code.dyn_into::<Element>().ok())
        .is_some_and(|code| code.class_name() == "language-fletch");
    if fletch {
        coloured(text)
    } else {
        html! { { text } }
    }
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
