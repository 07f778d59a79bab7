//! Elements that appear only in print: the whole program, of which the editor renders only the visible lines, and a
//! range of steps in place of the displayed state.

use crate::model::Model;
use std::rc::Rc;
use yew::{Html, Properties, component, html};

/// The program, followed by the steps to print if these replace the state.
pub(crate) fn printed(model: &Model) -> Html {
    let program = &model.program;
    let title = if program.title.is_empty() {
        program.name.to_string()
    } else {
        format!("{} · {}", program.name, program.title)
    };
    html! {
        <div class={yew::classes!("printed", model.words.printed.is_some().then_some("steps-follow"))} translate="no">
            <p class="printed-title">{ title }</p>
            <Plain text={program.text.clone()} />
            if let Some(steps) = &model.words.printed { <Plain text={steps.clone()} /> }
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct PlainProps {
    text: Rc<str>,
}

/// A preformatted text.
#[component]
fn Plain(props: &PlainProps) -> Html {
    html! { <pre>{ &*props.text }</pre> }
}
