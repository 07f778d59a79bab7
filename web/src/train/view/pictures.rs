//! Predictions of the program: a picture by kind, the selected prediction and data set, the other predictions, and the confusion
//! matrix.

use super::{ink, plots, samples, surface};
use crate::controls::{note, option, quiet, select};
use crate::number;
use crate::train::TrainMsg;
use crate::train::pictures::{Classes, PictureMsg, Pictures};
use crate::train::texts;
use crate::update::Msg;
use fletch_playground::protocol::{Kind, Look};
use yew::{Callback, Html, html};

/// Callback for the messages of pictures.
pub(super) fn tell(dispatch: &Callback<Msg>) -> Callback<PictureMsg> {
    dispatch.reform(|msg| Msg::Train(TrainMsg::Picture(msg)))
}

pub(super) fn pictures(pictures: &Pictures, stale: bool, dispatch: &Callback<Msg>) -> Html {
    let tell = tell(dispatch);
    let Some(sketch) = pictures.sketch() else {
        return note(
            "training-note",
            "The program predicts nothing: `predict output(v : Real(2)) = …` gives a picture.",
        );
    };
    let picture = match (&pictures.picture, sketch.kind) {
        (None, _) => note("training-note", "There is nothing to draw yet."),
        (Some(picture), Kind::Surface) => surface::surface(pictures, sketch, picture, stale, &tell),
        (Some(picture), Kind::Curve) => plots::curve(pictures, sketch, picture),
        (Some(picture), Kind::Signals) => plots::signals(pictures, sketch, picture, &tell),
        (Some(picture), Kind::Images { rows, columns }) => html! {
            <>
                { samples::images(pictures, sketch, picture, (rows, columns), &tell) }
                { ink::ink(pictures, sketch, (rows, columns), stale, &tell) }
            </>
        },
        (Some(picture), Kind::Table) => samples::table(pictures, sketch, picture, &tell),
    };
    html! {
        <section class={yew::classes!("prediction", pictures.has_surface().then_some("mapped"))} aria-label={texts::PREDICTIONS}>
            { head(pictures, &tell) }
            { picture }
            { others(pictures, &tell) }
            { confusion(pictures) }
            if let Some(why) = &pictures.refused { <p class="training-note" role="alert">{ format!("That cannot be done: {why}.") }</p> }
        </section>
    }
}

/// The confusion matrix: a row for each actual class, a column for each predicted class.
fn confusion(pictures: &Pictures) -> Html {
    let Some((counts, all)) = pictures.confusion() else {
        return Html::default();
    };
    let classes = pictures.samples().and_then(Classes::of);
    let names: Vec<String> = classes
        .iter()
        .flat_map(|classes| &classes.values)
        .map(|value| number::bare(*value))
        .collect();
    let right: usize = counts
        .iter()
        .enumerate()
        .filter_map(|(class, row)| row.get(class))
        .sum();
    let rows = names.iter().zip(&counts).enumerate().map(|(class, (name, row))| {
        let total = row.iter().sum::<usize>().max(1);
        let cells = row.iter().enumerate().map(|(other, count)| {
            let share = *count as f64 / total as f64;
            let kind = if class == other { "right" } else { "wrong" };
            html! { <td class={(*count > 0).then_some(kind)} style={format!("--share: {share:.2}")}>{ count }</td> }
        });
        html! { <tr key={class}><th scope="row">{ name }</th>{ for cells }</tr> }
    });
    html! {
        <details class="numbers confusion"><summary>{ texts::CONFUSION }</summary>
            <p class="training-note">{ format!("{right} of {all} samples are predicted right. Rows: the class that a sample has; columns: the one that is predicted.") }</p>
            <div class="numbers-scroll" tabindex="0" role="region" aria-label={texts::CONFUSION}><table><thead><tr><th scope="col">{ texts::CLASS }</th>{ for names.iter().map(|name| html! { <th scope="col">{ name }</th> }) }</tr></thead>
                <tbody>{ for rows }</tbody></table></div>
        </details>
    }
}

/// Small pictures of the other predictions; a click selects one.
fn others(pictures: &Pictures, tell: &Callback<PictureMsg>) -> Html {
    let Some(sketches) = &pictures.sketches else {
        return Html::default();
    };
    let all = (0_u32..).zip(sketches.iter());
    let all = all.filter(|(number, _)| *number != pictures.look.prediction);
    let cards = all.map(|(number, sketch)| {
        let picture = pictures.others.get(&number);
        let drawn = picture.map(|picture| match sketch.kind {
            Kind::Surface => surface::small(pictures, sketch, picture),
            Kind::Curve => plots::small(sketch, picture),
            Kind::Signals | Kind::Images { .. } | Kind::Table => samples::small(picture),
        });
        let look = Look { prediction: number, set: 0 };
        html! {
            <div class="side-card" key={number}>
                { quiet(html! { <code>{ &sketch.name }</code> }).title(format!("Show {} large", sketch.name)).on_click(tell, PictureMsg::Look(look)) }
                { drawn.unwrap_or_default() }
            </div>
        }
    });
    let cards: Vec<Html> = cards.collect();
    html! { if !cards.is_empty() { <div class="sides" role="group" aria-label={"Other predictions"}>{ for cards }</div> } }
}

/// Selectors of the prediction and of the data set.
fn head(pictures: &Pictures, tell: &Callback<PictureMsg>) -> Html {
    let all = pictures.sketches.as_ref();
    let names = all
        .iter()
        .flat_map(|all| all.iter())
        .map(|sketch| sketch.name.as_str());
    let names: Vec<&str> = names.collect();
    let sets = pictures.sketch().map_or(&[][..], |sketch| &sketch.sets);
    let sets: Vec<&str> = sets.iter().map(|set| set.name.as_str()).collect();
    let Look { prediction, set } = pictures.look;
    let turn = tell.reform(move |prediction| PictureMsg::Look(Look { prediction, set: 0 }));
    let other = tell.reform(move |set| PictureMsg::Look(Look { prediction, set }));
    html! {
        <div class="prediction-head">
            { choice(&names, prediction, "Prediction", &turn) }
            if !sets.is_empty() { <span>{ "on" }</span> { choice(&sets, set, "Data set", &other) } }
        </div>
    }
}

/// A single name, or a list to choose from.
pub(super) fn choice(names: &[&str], at: u32, label: &'static str, turn: &Callback<u32>) -> Html {
    if let [name] = names {
        return html! { <b>{ *name }</b> };
    }
    let options = (0_u32..).zip(names);
    let options = options.map(|(number, name)| option(number.to_string(), name, number == at));
    select(label, options).on_change(turn, |number| number.parse().unwrap_or(0))
}

/// Table of the numbers behind a picture, with the titles of its columns and its lines.
pub(super) fn numbers(columns: &[&str], lines: impl Iterator<Item = Vec<String>>) -> Html {
    let lines = lines
        .map(|line| html! { <tr>{ for line.iter().map(|cell| html! { <td>{ cell }</td> }) }</tr> });
    html! {
        <details class="numbers"><summary>{ texts::AS_NUMBERS }</summary>
            <div class="numbers-scroll" tabindex="0" role="region" aria-label={texts::AS_NUMBERS}><table><thead><tr>{ for columns.iter().map(|name| html! { <th scope="col">{ *name }</th> }) }</tr></thead>
                <tbody>{ for lines }</tbody></table></div>
        </details>
    }
}

/// Text of a vector, with at most its first eight entries.
pub(super) fn vector(entries: &[f64]) -> String {
    const FIRST: usize = 8;
    let texts: Vec<String> = entries
        .iter()
        .take(FIRST)
        .map(|entry| number::bare(*entry))
        .collect();
    let more = if entries.len() > FIRST { ", …" } else { "" };
    format!("{}{more}", texts.join(", "))
}
