//! The comparison tab: two commands with their diagrams, two runs, or the arrows of a step.

mod listing;
mod runs;
mod step;

use crate::compare::{About, BOTH, CompareMsg, From, TwoCommands};
use crate::controls::{empty, option, quiet, raised, segments, select, status, value};
use crate::diagram::sheet::{Sheet, SheetMsg};
use crate::diagram::view::{canvas::Canvas, tip, typed};
use crate::examples;
use crate::ids;
use crate::model::Model;
use crate::update::Msg;
use crate::view::figures::missing;
use crate::view::prose::prose;
use fletch_playground::protocol::{Comparable, Compared, Comparison, Equality, Listing, Shown};
use listing::listing;
use std::rc::Rc;
use yew::{Callback, Event, Html, html};

const AGAINST: &str = " against ";

const BETWEEN_TWO: &str = " and ";

const COMPARE: &str = "Compare";

const REJECTED: &str = "There is nothing to compare yet: the program has an error.";

/// The comparison tab.
#[inline(never)] // A start does without it.
pub(crate) fn compare(model: &Model, dispatch: &Callback<Msg>) -> Html {
    if model.read().is_none() {
        return missing(REJECTED, "Reading the program …", model, dispatch);
    }
    let about = model.compare.about;
    let (choice, body) = match about {
        About::Commands => (choice(model, dispatch), commands(model, dispatch)),
        About::Runs => (Html::default(), runs::runs(model, dispatch)),
        About::Step => (step::switch(model, dispatch), step::step(model, dispatch)),
    };
    html! {
        <section class={yew::classes!("comparison", model.is_outdated().then_some("stale"))} aria-label={COMPARE}>
            <div class="figure-bar" role="group" aria-label={"What is compared"}>
                { segments(COMPARE, [
                    (About::Commands, "commands", "Do two commands denote equal arrows?"),
                    (About::Runs, "runs", "What do two handlers make of the same heap?"),
                    (About::Step, "this step", "Does the arrow stay the same in this step?"),
                ], about, dispatch, |other| Msg::Compare(CompareMsg::About(other))) }
                { choice }
            </div>
            { body }
        </section>
    }
}

fn choice(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let commands = &model.compare.commands;
    let tell = dispatch.reform(Msg::Compare);
    let from = |name: Rc<str>| {
        CompareMsg::From(match &*name {
            "opened" => From::Opened,
            "pasted" => From::Pasted,
            number => number.parse().map_or(From::This, From::Example),
        })
    };
    let all = examples::all().enumerate();
    let all = all.map(|(number, example)| html! { { option(number.to_string(), example.title, commands.from == From::Example(number)) } });
    html! {
        <>
            { select("First command", [own(commands)]).title("A command of this program").on_change(&tell, CompareMsg::Left) }
            <span aria-hidden="true">{ "and" }</span>
            { select("Second command", [others(commands)]).title("The command that it is compared with").on_change(&tell, CompareMsg::Right) }
            <span aria-hidden="true">{ "of" }</span>
            { select("Program of the second command", [
                option("this", "this program", commands.from == From::This),
                option("opened", "this program as opened", commands.from == From::Opened),
                option("pasted", "a text put in here", commands.from == From::Pasted),
                html! { <optgroup label={"an example"}>{ for all }</optgroup> },
            ]).with("id", ids::COMPARED).title("The program of the second command").on_change(&tell, from) }
        </>
    }
}

fn own(commands: &TwoCommands) -> Html {
    let own = commands.all().into_iter().flat_map(|known| &known.own);
    let options = own.map(|command| {
        html! { <option value={command.name.clone()} selected={*command.name == *commands.left} disabled={command.types.is_none()}>{ &command.name }</option> }
    });
    html! { <>{ for options }</> }
}

/// Options for the second command: commands with the types of the first one, and the others, disabled.
fn others(commands: &TwoCommands) -> Html {
    let Some(known) = commands.all() else {
        return Html::default();
    };
    let left = known
        .own
        .iter()
        .find(|command| *command.name == *commands.left);
    let types = left.and_then(|left| left.types.as_ref());
    let all: &[Comparable] = match &known.other {
        None => &known.own,
        Some(Ok(others)) => others,
        Some(Err(_)) => &[],
    };
    let (same, different): (Vec<_>, Vec<_>) = all
        .iter()
        .partition(|command| command.types.as_ref() == types);
    let option = |command: &Comparable, disabled: bool| {
        html! { <option value={command.name.clone()} selected={*command.name == *commands.right} {disabled}>{ &command.name }</option> }
    };
    html! {
        <>
            { for same.into_iter().map(|command| option(command, false)) }
            if !different.is_empty() {
                <optgroup label={"of other types"}>{ for different.into_iter().map(|command| option(command, true)) }</optgroup>
            }
        </>
    }
}

fn commands(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let commands = &model.compare.commands;
    let pasted = (commands.from == From::Pasted).then(|| {
        let changed = dispatch.reform(|event: Event| Msg::Compare(CompareMsg::Pasted(value(&event))));
        html! { <textarea class="pasted" rows="4" aria-label={"Another program"} placeholder={"Put the text of another program in here"} spellcheck="false" onchange={changed} /> }
    });
    html! {
        <div class="comparison-body">
            { pasted }
            if has_nothing(model) {
                { missing(REJECTED, "Reading the program …", model, dispatch) }
            } else if let Some(why) = waiting(commands) {
                { empty(prose(&why), another(commands, dispatch)) }
            } else {
                { verdict(commands) }
                { answer(model, dispatch) }
            }
        </div>
    }
}

/// True if the program has no command because of an error.
fn has_nothing(model: &Model) -> bool {
    let known = model.compare.commands.all();
    model.errors() > 0 && known.is_some_and(|known| known.own.is_empty())
}

/// Message to show instead of a comparison, if there is one.
fn waiting(commands: &TwoCommands) -> Option<String> {
    if let Some(Err(why)) = &commands.text {
        return Some(format!("The example is not there: {why}."));
    }
    if commands.from == From::Pasted && commands.other().is_none() {
        return Some(
            "Put in a program whose commands are to be compared with those of this one.".to_owned(),
        );
    }
    let known = commands.all()?;
    if let Some(Err(message)) = &known.other {
        return Some(format!("The other program has an error: {message}."));
    }
    if commands.left.is_empty() {
        return Some(
            "There is nothing to compare: the program declares no command and no `main`."
                .to_owned(),
        );
    }
    commands.right.is_empty().then(|| {
        let left = &commands.left;
        match known.other {
            None => format!("Nothing else in this program has the types of `{left}`. A command of another program may have."),
            Some(_) => format!("Nothing in that program has the types of `{left}`, so there is nothing to compare it with."),
        }
    })
}

/// Button that focuses the list of programs, if no command of the current one has the types of the first command.
fn another(commands: &TwoCommands, dispatch: &Callback<Msg>) -> Option<Html> {
    let offered = !commands.left.is_empty() && commands.right.is_empty();
    offered.then(|| {
        raised("Choose another program …").on_click(dispatch, Msg::Compare(CompareMsg::Choose))
    })
}

fn verdict(commands: &TwoCommands) -> Html {
    let Some(known) = &commands.compared else {
        return status("verdict", "Comparing …");
    };
    let (asked, compared) = &**known;
    let (class, sign) = match &compared.equality {
        Equality::Equal { .. } => ("holds", "="),
        Equality::Rounding { .. } => ("unknown", "≈"),
        Equality::Different { .. } | Equality::Operation { .. } => ("fails", "≠"),
        Equality::Types | Equality::TooLarge | Equality::None { .. } => ("unknown", "?"),
    };
    html! {
        <p class={yew::classes!("verdict", class)} role="status"><i aria-hidden="true">{ sign }</i><span>{ said(asked, compared) }</span></p>
    }
}

/// Sentence with the verdict.
fn said(asked: &Comparison, compared: &Compared) -> Html {
    let name = |name: &str| html! { <code>{ name }</code> };
    let (left, right) = (name(&asked.left.name), name(&asked.right.name));
    match &compared.equality {
        Equality::Equal { any_length } => {
            let whatever = any_length.then_some(" So they are for any number of moments.");
            html! { <>{ left }{ BETWEEN_TWO }{ right }{ " denote equal arrows: the same operations in the same order, and what is between them comes to the same." }{ whatever }</> }
        }
        Equality::Rounding { text } => {
            html! { <>{ left }{ BETWEEN_TWO }{ right }{ format!(" denote arrows that are equal but for rounding of constants, which is no proof that they are equal: {largest}.", largest = text) }</> }
        }
        Equality::Different {
            place,
            left: one,
            right: other,
        } => html! {
            <>{ left }{ BETWEEN_TWO }{ right }{ format!(" denote different arrows. They first differ in {place}: ") }{ name(one) }{ AGAINST }{ name(other) }{ "." }</>
        },
        Equality::Types => html! {
            <>{ left }{ BETWEEN_TWO }{ right }{ " are of different types, so there is nothing to compare." }</>
        },
        Equality::Operation {
            name: operation,
            left: one,
            right: other,
        } => html! {
            <>{ "The programs differ in what " }{ name(operation) }{ " is: " }{ name(one) }{ AGAINST }{ name(other) }{ "." }</>
        },
        Equality::TooLarge => html! {
            <>{ "One of the arrows has too many statements to be compared here; " }{ name("fletch equal") }{ " takes its time." }</>
        },
        Equality::None { second, message } => {
            let which = if *second { right } else { left };
            html! { <>{ which }{ " has no arrow: " }{ message }{ "." }</> }
        }
    }
}

/// The two diagrams and the statements. The diagrams are mounted before the reply, since it is laid out for their size.
fn answer(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let commands = &model.compare.commands;
    let known = commands.compared.as_deref();
    let sides = known.map(|(_, compared)| compared.sides.as_ref());
    if sides == Some(None) {
        return Html::default();
    }
    let sides = sides.flatten();
    let (left, right) = (sides.map(|(left, _)| left), sides.map(|(_, right)| right));
    let names: [&str; 2] = match known {
        Some((asked, _)) => [&asked.left.name, &asked.right.name],
        None => [&commands.left, &commands.right],
    };
    let sheets = BOTH.iter().zip(names).zip([left, right]);
    let sheets =
        sheets.map(|((number, name), shown)| diagram(model, *number, shown, name, dispatch));
    let listed = known
        .zip(sides)
        .map(|((asked, _), sides)| statements(commands.listed, asked, sides, dispatch));
    html! {
        <>
            <div class="sheets pair">{ for sheets }</div>
            { for listed }
        </>
    }
}

/// The statements of both arrows, shown on request.
fn statements(
    listed: bool,
    asked: &Comparison,
    (left, right): &(Shown, Shown),
    dispatch: &Callback<Msg>,
) -> Html {
    let count = |shown: &Shown| match shown.statements {
        1 => "1 statement".to_owned(),
        count => format!("{count} statements"),
    };
    let mark = dispatch.reform(|(from, to)| Msg::Mark(from, to));
    let rows = |shown: &Shown, own: bool, title: &str| {
        let statements: &Listing = &shown.listing;
        listing(statements, title, own.then_some(&mark))
    };
    html! {
        <>
            <p class="statements">
                { quiet(format!("{} {} and {}", if listed { "Hide" } else { "List" }, count(left), count(right))).expanded(listed).on_click(dispatch, Msg::Compare(CompareMsg::Listed(!listed))) }
            </p>
            if listed {
                <div class="listings">
                    { rows(left, true, &asked.left.name) }
                    { rows(right, asked.right.text.is_none(), &asked.right.name) }
                </div>
            }
        </>
    }
}

fn diagram(
    model: &Model,
    number: usize,
    shown: Option<&Shown>,
    name: &str,
    dispatch: &Callback<Msg>,
) -> Html {
    let Some(sheet) = model.compare.commands.sheets.get(number) else {
        return Html::default();
    };
    let msgs = dispatch.reform(move |msg: SheetMsg| Msg::Compare(CompareMsg::Sheet(number, msg)));
    let signature = shown.map_or("", |shown| shown.signature.as_str());
    let differs = match shown.is_some_and(|shown| !shown.boxes.is_empty()) {
        true => ", with a mark where it differs",
        false => "",
    };
    let label = format!("String diagram of {name} : {signature}{differs}");
    let said = sheet.focus.and_then(|number| sheet.shape(number));
    let said = said.map_or_else(String::new, tip::said);
    let too_large = shown.is_some_and(|shown| shown.picture.is_none());
    html! {
        <div class="sheet-frame" key={number}>
            <p class="sheet-title"><b>{ name }</b><span>{ typed(signature) }</span></p>
            if too_large {
                { empty("The diagram is too large to stand beside another one; the tab Diagram has it.", None) }
            } else {
                <Canvas sheet={sheet.clone()} following={None} theme={model.theme} {label} {said} dispatch={msgs} />
                { tip::tip(sheet, None) }
                { boxes(sheet) }
            }
        </div>
    }
}

/// Boxes in order, for screen readers.
fn boxes(sheet: &Sheet) -> Html {
    const MOST: usize = 200;
    let Some(picture) = sheet.picture() else {
        return Html::default();
    };
    let mut boxes: Vec<_> = picture.boxes.iter().enumerate().collect();
    boxes.sort_by_key(|(_, shape)| shape.steps.first());
    let boxes = boxes.into_iter().take(MOST).map(|(number, shape)| {
        let differs = match sheet.marked.contains(&number) {
            true => ", differs",
            false => "",
        };
        html! { <li>{ tip::said(shape) }{ differs }</li> }
    });
    html! { <ol class="spoken boxes" aria-label={"The boxes in their order"}>{ for boxes }</ol> }
}
