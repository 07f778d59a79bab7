//! The data sets of the program: their types, their first samples, and buttons to save and read them.

use super::pictures::tell;
use super::samples::{Image, cells};
use crate::controls::{note, quiet};
use crate::drafts::DataFile;
use crate::train::pictures::{PictureMsg, Pictures};
use crate::train::sampled::HEAP_FILE;
use crate::train::texts;
use crate::update::Msg;
use fletch_playground::protocol::DataCard;
use yew::{Callback, Html, html};

const DATA: &str = "Data sets";

/// Least number of entries of a component that is drawn as an image.
const IMAGE: u32 = 16;

pub(super) fn data(
    pictures: &Pictures,
    files: &[DataFile],
    stale: bool,
    dispatch: &Callback<Msg>,
) -> Html {
    let tell = tell(dispatch);
    let open = pictures.open;
    let cards = pictures.cards.as_ref().map(|(_, cards)| cards.clone());
    html! {
        <section class="data-sets" aria-label={DATA}>
            { quiet(DATA).expanded(open).on_click(&tell, PictureMsg::Open(!open)) }
            if let (true, Some(cards)) = (open, cards) {
                if cards.is_empty() { { note("training-note", "The program has no data set.") } }
                { for (0_u32..).zip(cards.iter()).map(|(number, card)| one((number, card), files, stale, &tell, dispatch)) }
                <p class="training-note">{ "A data set can be read from a file of the program. " }
                    { quiet("Add a CSV file …").on_click(&tell, PictureMsg::ChooseFile) }</p>
            }
        </section>
    }
}

fn one(
    (number, card): (u32, &DataCard),
    files: &[DataFile],
    stale: bool,
    tell: &Callback<PictureMsg>,
    dispatch: &Callback<Msg>,
) -> Html {
    let names = files.iter().map(|file| &file.name);
    let names = names.filter(|name| ***name != *HEAP_FILE && card.origin.as_deref() != Some(name));
    let files = names.map(|name| {
        html! { { quiet(format!("read from {file}", file = name)).disabled(stale).on_click(tell, PictureMsg::Read(number, name.clone())) } }
    });
    let size: u32 = card
        .shapes
        .iter()
        .map(|(rows, columns)| rows * columns)
        .sum();
    let samples = card.first.chunks_exact((size as usize).max(1));
    let lines = samples.enumerate().map(|(at, sample)| {
        let mut rest = sample;
        let parts = card.shapes.iter().map(|shape| {
            let (entries, after) = rest.split_at(((shape.0 * shape.1) as usize).min(rest.len()));
            rest = after;
            html! { <td>{ component(entries, *shape) }</td> }
        });
        html! { <tr><th scope="row">{ at + 1 }</th>{ for parts }</tr> }
    });
    let shown = card.first.len() / (size as usize).max(1);
    let rest = (card.count as usize).saturating_sub(shown);
    html! {
        <article class="data-set" key={card.name.clone()}>
            <header><b>{ &card.name }</b> <span class="shape">{ texts::data_set(card.count, &card.ty, card.origin.as_deref(), card.generated) }</span>
                { quiet("show in the text").disabled(stale).on_click(dispatch, Msg::Mark(card.from, card.to)) }
                { quiet("save as CSV").disabled(stale).label(format!("save as CSV: {name}", name = card.name)).on_click(tell, PictureMsg::Save(number)) }
                { for files }
            </header>
            <div class="numbers-scroll" tabindex="0" role="region" aria-label={format!("First samples of {name}", name = card.name)}><table><tbody>{ for lines }</tbody></table></div>
            if rest > 0 { { note("training-note", format!("… and {rest} more")) } }
        </article>
    }
}

/// A component of a sample: an image, or its numbers.
fn component(entries: &[f64], (rows, columns): (u32, u32)) -> Html {
    let count = rows * columns;
    let side = (1..=64_u32).find(|side| side * side == count);
    let flat = rows == 1 || columns == 1;
    // A long vector whose length is no square is drawn as a strip of cells.
    match (flat, side) {
        (true, Some(side)) if count >= IMAGE => {
            html! { <Image entries={entries.to_vec()} columns={side} /> }
        }
        (false, _) if count >= IMAGE => html! { <Image entries={entries.to_vec()} {columns} /> },
        _ => cells(entries),
    }
}
