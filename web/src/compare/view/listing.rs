//! An arrow as numbered statements.

use crate::controls::button;
use fletch_playground::protocol::{Applied, Listing, Statement};
use yew::{Callback, Html, classes, html};

/// The statements of an arrow. Line numbers are buttons if there is a callback `mark` to mark a source span.
pub(super) fn listing(listing: &Listing, title: &str, mark: Option<&Callback<(u32, u32)>>) -> Html {
    let wire = |wire: u32| format!("w{wire}");
    let named = listing
        .inputs
        .iter()
        .enumerate()
        .map(|(number, (name, size))| {
            let name = if name.is_empty() {
                String::new()
            } else {
                format!(" = {name}")
            };
            format!("w{number}{name} : {ty}", ty = ty(*size))
        });
    let inputs: Vec<String> = named.collect();
    let outputs: Vec<String> = listing.outputs.iter().copied().map(wire).collect();
    let more = |count: u32, what: &str| match count {
        0 => Html::default(),
        1 => html! { <p class="more">{ format!("1 statement {what}") }</p> },
        _ => html! { <p class="more">{ format!("{count} statements {what}") }</p> },
    };
    html! {
        <section class="listing" aria-label={title.to_owned()}>
            <h2>{ title }</h2>
            <div class="rows" tabindex="0" role="group" aria-label={format!("Statements of {title}")}>
                <p class="ends">{ if inputs.is_empty() { "takes nothing".to_owned() } else { format!("takes {inputs}", inputs = inputs.join(", ")) } }</p>
                { more(listing.before, "before") }
                <ol>{ for listing.statements.iter().map(|statement| row(statement, mark)) }</ol>
                { more(listing.after, "after") }
                <p class="ends">{ format!("gives {outputs}", outputs = outputs.join(", ")) }</p>
            </div>
        </section>
    }
}

/// Type of a wire of `size` numbers, as it is written.
fn ty(size: u32) -> String {
    match size {
        0 => "1".to_owned(),
        _ => format!("Real({size})"),
    }
}

fn row(statement: &Statement, mark: Option<&Callback<(u32, u32)>>) -> Html {
    let results: Vec<String> = (statement.results.iter())
        .map(|(wire, size)| format!("w{wire} : {ty}", ty = ty(*size)))
        .collect();
    let arguments: Vec<String> = (statement.arguments.iter())
        .map(|wire| format!("w{wire}"))
        .collect();
    let kind = match statement.kind {
        Applied::Symbol => "fn",
        Applied::Constant => "value",
        Applied::Operation => "op",
    };
    let applied = match (statement.kind, arguments.is_empty()) {
        (Applied::Constant, true) => String::new(),
        _ => format!("({})", arguments.join(", ")),
    };
    let line = statement.place.map(|(from, to, line)| match mark {
        Some(mark) => html! {
            { button("line-link", format!("line {line}")).title("Show it in the program").on_click(mark, (from, to)) }
        },
        None => html! { <span class="line-link">{ format!("line {line}") }</span> },
    });
    let class = classes!(
        statement.differs.then_some("differs"),
        statement.performed.then_some("performed")
    );
    html! {
        <li {class} key={statement.number}>
            <span class="number">{ statement.number }</span>
            <span class="code">{ format!("{} = ", results.join(", ")) }<b class={kind}>{ &statement.applies }</b>{ applied }</span>
            if statement.differs { <em class="sign">{ "differs" }</em> }
            if statement.performed { <em class="sign">{ "set aside" }</em> }
            <span class="through">{ &statement.through }</span>
            { line }
        </li>
    }
}
