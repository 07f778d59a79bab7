//! Parts of the page on paper alone: the program whole, of which the editor draws no more than is in sight, and the steps of a range in
//! place of the state on the screen.

use crate::model::Model;
use std::rc::Rc;
use yew::{Html, Properties, component, html};

/// The program, and what is printed after it if that is not the state.
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

/// A text as it is.
#[component]
fn Plain(props: &PlainProps) -> Html {
    html! { <pre>{ &*props.text }</pre> }
}
