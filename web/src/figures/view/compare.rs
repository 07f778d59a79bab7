//! The tab of comparisons: two commands with their diagrams, two runs, or the arrows of a step.

use super::canvas::Canvas;
use super::listing::listing;
use super::{runs, step, tip};
use crate::controls::{note, option, quiet, segments, select, status, value};
use crate::examples;
use crate::figures::compare::{About, BOTH, CompareMsg, From, TwoCommands};
use crate::figures::model::Model;
use crate::figures::sheet::{Sheet, SheetMsg};
use crate::figures::update::Msg;
use crate::texts;
use fletch_playground::figures::protocol::{
    Comparable, Compared, Comparison, Equality, Listing, Shown,
};
use std::rc::Rc;
use yew::{Callback, Event, Html, html};

/// The tab.
pub(super) fn compare(model: &Model, dispatch: &Callback<Msg>) -> Html {
    if model.loaded.is_none() {
        return html! { { status("figures-note", if model.stale { texts::compare::THERE_IS_NOTHING_TO_COMPARE } else { texts::compare::READING_THE_PROGRAM }) } };
    }
    let about = model.compare.about;
    let (choice, body) = match about {
        About::Commands => (choice(model, dispatch), commands(model, dispatch)),
        About::Runs => (Html::default(), runs::runs(model, dispatch)),
        About::Step => (step::switch(model, dispatch), step::step(model, dispatch)),
    };
    html! {
        <section class={yew::classes!("comparison", model.stale.then_some("stale"))} aria-label={texts::compare::COMPARE}>
            <div class="figure-bar" role="group" aria-label={texts::compare::WHAT_IS_COMPARED}>
                { segments(texts::compare::COMPARE, [
                    (About::Commands, "commands", texts::compare::DO_TWO_COMMANDS_DENOTE_EQUAL),
                    (About::Runs, "runs", texts::compare::WHAT_DO_TWO_HANDLERS_MAKE),
                    (About::Step, texts::compare::THIS_STEP, texts::compare::DOES_THE_ARROW_STAY_THE),
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
            { select(texts::compare::FIRST_COMMAND, [own(commands)]).title(texts::compare::A_COMMAND_OF_THIS_PROGRAM).on_change(&tell, CompareMsg::Left) }
            <span aria-hidden="true">{ texts::compare::AND }</span>
            { select(texts::compare::SECOND_COMMAND, [others(commands)]).title(texts::compare::THE_COMMAND_THAT_IT_IS).on_change(&tell, CompareMsg::Right) }
            <span aria-hidden="true">{ texts::compare::OF }</span>
            { select(texts::compare::PROGRAM_OF_THE_SECOND_COMMAND, [
                option("this", texts::compare::THIS_PROGRAM, commands.from == From::This),
                option("opened", texts::compare::THIS_PROGRAM_AS_OPENED, commands.from == From::Opened),
                option("pasted", texts::compare::A_TEXT_PUT_IN_HERE, commands.from == From::Pasted),
                html! { <optgroup label={texts::compare::AN_EXAMPLE}>{ for all }</optgroup> },
            ]).title(texts::compare::THE_PROGRAM_OF_THE_SECOND).on_change(&tell, from) }
        </>
    }
}

fn own(commands: &TwoCommands) -> Html {
    let own = commands.known.iter().flat_map(|known| &known.own);
    let options = own.map(|command| {
        html! { <option value={command.name.clone()} selected={*command.name == *commands.left} disabled={command.types.is_none()}>{ &command.name }</option> }
    });
    html! { <>{ for options }</> }
}

/// The commands that the first one can be compared with, and the others, which cannot be chosen.
fn others(commands: &TwoCommands) -> Html {
    let Some(known) = &commands.known else {
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
                <optgroup label={texts::compare::OF_OTHER_TYPES}>{ for different.into_iter().map(|command| option(command, true)) }</optgroup>
            }
        </>
    }
}

fn commands(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let commands = &model.compare.commands;
    let pasted = (commands.from == From::Pasted).then(|| {
        let changed = dispatch.reform(|event: Event| Msg::Compare(CompareMsg::Pasted(value(&event))));
        html! { <textarea class="pasted" rows="4" aria-label={texts::compare::ANOTHER_PROGRAM} placeholder={texts::compare::PUT_THE_TEXT_OF_ANOTHER} spellcheck="false" onchange={changed} /> }
    });
    html! {
        <div class="comparison-body">
            { pasted }
            { verdict(commands) }
            { answer(model, dispatch) }
        </div>
    }
}

/// What can be said without an answer.
fn waiting(commands: &TwoCommands) -> Option<String> {
    if let Some(Err(why)) = &commands.text {
        return Some(texts::compare::the_example_is_not_there(why));
    }
    if commands.from == From::Pasted && commands.other().is_none() {
        return Some(texts::compare::PUT_IN_A_PROGRAM_WHOSE.to_owned());
    }
    let known = commands.known.as_ref()?;
    if let Some(Err(message)) = &known.other {
        return Some(texts::compare::the_other_program_has_an(message));
    }
    if commands.left.is_empty() {
        return Some(texts::compare::THERE_IS_NOTHING_TO_COMPARE_THE.to_owned());
    }
    commands.right.is_empty().then(|| {
        let left = &commands.left;
        match known.other {
            None => texts::compare::nothing_else_here_has_the(left),
            Some(_) => texts::compare::nothing_in_that_program_has(left),
        }
    })
}

fn verdict(commands: &TwoCommands) -> Html {
    if let Some(text) = waiting(commands) {
        return status("verdict", text);
    }
    let Some(known) = &commands.compared else {
        return status("verdict", texts::compare::COMPARING);
    };
    let (asked, compared) = &**known;
    let (class, sign) = match &compared.equality {
        Equality::Equal => ("holds", "="),
        Equality::Rounding { .. } => ("unknown", "≈"),
        Equality::Different { .. } | Equality::Operation { .. } => ("fails", "≠"),
        Equality::Types | Equality::TooLarge | Equality::None { .. } => ("unknown", "?"),
    };
    html! {
        <p class={yew::classes!("verdict", class)} role="status"><i aria-hidden="true">{ sign }</i><span>{ said(asked, compared) }</span></p>
    }
}

/// The verdict in a sentence.
fn said(asked: &Comparison, compared: &Compared) -> Html {
    let name = |name: &str| html! { <code>{ name }</code> };
    let (left, right) = (name(&asked.left.name), name(&asked.right.name));
    match &compared.equality {
        Equality::Equal => {
            html! { <>{ left }{ texts::compare::BETWEEN_TWO }{ right }{ texts::compare::DENOTE_EQUAL_ARROWS_THE_SAME }</> }
        }
        Equality::Rounding { text } => {
            html! { <>{ left }{ texts::compare::BETWEEN_TWO }{ right }{ texts::compare::equal_but_for_rounding(text) }</> }
        }
        Equality::Different {
            place,
            left: one,
            right: other,
        } => html! {
            <>{ left }{ texts::compare::BETWEEN_TWO }{ right }{ texts::compare::denote_different_arrows_they_first(place) }{ name(one) }{ texts::compare::AGAINST }{ name(other) }{ "." }</>
        },
        Equality::Types => html! {
            <>{ left }{ texts::compare::BETWEEN_TWO }{ right }{ texts::compare::ARE_OF_DIFFERENT_TYPES_SO }</>
        },
        Equality::Operation {
            name: operation,
            left: one,
            right: other,
        } => html! {
            <>{ texts::compare::THE_PROGRAMS_DIFFER_IN_WHAT }{ name(operation) }{ texts::compare::IS }{ name(one) }{ texts::compare::AGAINST }{ name(other) }{ "." }</>
        },
        Equality::TooLarge => html! {
            <>{ texts::compare::ONE_OF_THE_ARROWS_HAS }{ name("fletch equal") }{ texts::compare::TAKES_ITS_TIME }</>
        },
        Equality::None { second, message } => {
            let which = if *second { right } else { left };
            html! { <>{ which }{ texts::compare::HAS_NO_ARROW }{ message }{ "." }</> }
        }
    }
}

fn answer(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let commands = &model.compare.commands;
    let Some(known) = commands
        .compared
        .as_ref()
        .filter(|_| waiting(commands).is_none())
    else {
        return Html::default();
    };
    let (asked, compared) = &**known;
    let Some((left, right)) = &compared.sides else {
        return Html::default();
    };
    let listed = commands.listed;
    let count = |shown: &Shown| match shown.statements {
        1 => texts::compare::N_1_STATEMENT.to_owned(),
        count => texts::compare::statements(count),
    };
    let sides = [(left, &asked.left), (right, &asked.right)];
    let sheets = BOTH
        .iter()
        .zip(sides)
        .map(|(number, (shown, side))| diagram(model, *number, shown, &side.name, dispatch));
    let mark = dispatch.reform(|(from, to)| Msg::Mark(from, to));
    let rows = |shown: &Shown, own: bool, title: &str| {
        let statements: &Listing = &shown.listing;
        listing(statements, title, own.then_some(&mark))
    };
    html! {
        <>
            <div class="sheets pair">{ for sheets }</div>
            <p class="statements">
                { quiet(texts::compare::listing(listed, count(left), count(right))).expanded(listed).on_click(dispatch, Msg::Compare(CompareMsg::Listed(!listed))) }
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
    shown: &Shown,
    name: &str,
    dispatch: &Callback<Msg>,
) -> Html {
    let Some(sheet) = model.compare.commands.sheets.get(number) else {
        return Html::default();
    };
    let msgs = dispatch.reform(move |msg: SheetMsg| Msg::Compare(CompareMsg::Sheet(number, msg)));
    let differs = match shown.boxes.len() {
        0 => "",
        _ => texts::compare::WITH_A_MARK_WHERE_IT,
    };
    let label = texts::compare::string_diagram_of(name, &shown.signature, differs);
    let said = sheet.focus.and_then(|number| sheet.shape(number));
    let said = said.map_or_else(String::new, tip::said);
    html! {
        <div class="sheet-frame" key={number}>
            <p class="sheet-title"><b>{ name }</b>{ format!(" : {}", shown.signature) }</p>
            if shown.picture.is_some() {
                <Canvas sheet={sheet.clone()} following={None} theme={model.theme} {label} {said} dispatch={msgs} />
                { tip::tip(sheet, None) }
                { boxes(sheet) }
            } else {
                { note("figures-note", texts::compare::THE_DIAGRAM_IS_TOO_LARGE) }
            }
        </div>
    }
}

/// The boxes in their order, for who cannot see the canvas.
fn boxes(sheet: &Sheet) -> Html {
    const MOST: usize = 200;
    let Some(picture) = sheet.picture() else {
        return Html::default();
    };
    let mut boxes: Vec<_> = picture.boxes.iter().enumerate().collect();
    boxes.sort_by_key(|(_, shape)| shape.statements.first());
    let boxes = boxes.into_iter().take(MOST).map(|(number, shape)| {
        let differs = match sheet.marked.contains(&number) {
            true => texts::compare::DIFFERS,
            false => "",
        };
        html! { <li>{ tip::said(shape) }{ differs }</li> }
    });
    html! { <ol class="spoken boxes" aria-label={texts::compare::THE_BOXES_IN_THEIR_ORDER}>{ for boxes }</ol> }
}
