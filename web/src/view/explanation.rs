//! What the code of a diagnostic means: a short document, in a dialog.

use super::dialog::Dialog;
use crate::markdown::{Block, Run, blocks};
use crate::model::{Model, Overlay};
use crate::update::Msg;
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
            let blocks = blocks(text);
            // The first heading is the dialog's own.
            let (title, rest) = match blocks.split_first() {
                Some((Block::Heading(title), rest)) => (plain(title), rest),
                _ => (open.code.to_string(), blocks.as_slice()),
            };
            (title, html! { <>{ for rest.iter().map(block) }</> })
        }
    };
    html! {
        <Dialog {title} close={dispatch.reform(|()| Msg::Over(Overlay::None))}>
            <div class="document">{ body }</div>
        </Dialog>
    }
}

fn block(block: &Block) -> Html {
    match block {
        Block::Heading(runs) => html! { <h3>{ for runs.iter().map(run) }</h3> },
        Block::Paragraph(runs) => html! { <p>{ for runs.iter().map(run) }</p> },
        Block::List(entries) => {
            html! { <ul>{ for entries.iter().map(|runs| html! { <li>{ for runs.iter().map(run) }</li> }) }</ul> }
        }
        Block::Code { language, text } if language == "fletch" => {
            html! { <pre tabindex="0"><code>{ coloured(text) }</code></pre> }
        }
        Block::Code { text, .. } => html! { <pre tabindex="0"><code>{ text }</code></pre> },
    }
}

fn run(run: &Run) -> Html {
    match run {
        Run::Text(text) => html! { { text } },
        Run::Code(text) => html! { <code>{ text }</code> },
        Run::Emphasis(text) => html! { <em>{ text }</em> },
        Run::Strong(text) => html! { <strong>{ text }</strong> },
    }
}

fn plain(runs: &[Run]) -> String {
    let text = |run: &Run| match run {
        Run::Text(text) | Run::Code(text) | Run::Emphasis(text) | Run::Strong(text) => text.clone(),
    };
    runs.iter().map(text).collect()
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
