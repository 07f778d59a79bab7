//! The data sets of the program: what they are, their first samples, and how they are saved and read.

use super::pictures::tell;
use super::samples::{Image, cells};
use crate::controls::{note, quiet};
use crate::figures::train::pictures::{PictureMsg, Pictures};
use crate::figures::update::Msg;
use crate::texts;
use fletch_playground::figures::protocol::DataCard;
use yew::{Callback, Html, html};

/// A component of so many entries or more is a small image if it is a square.
const IMAGE: u32 = 16;

pub(super) fn data(pictures: &Pictures, stale: bool, dispatch: &Callback<Msg>) -> Html {
    let tell = tell(dispatch);
    let open = pictures.open;
    let cards = pictures.cards.as_ref().map(|(_, cards)| cards.clone());
    html! {
        <section class="data-sets" aria-label={texts::train::DATA}>
            { quiet(texts::train::DATA).expanded(open).on_click(&tell, PictureMsg::Open(!open)) }
            if let (true, Some(cards)) = (open, cards) {
                if cards.is_empty() { { note("training-note", texts::train::NO_DATA) } }
                { for (0_u32..).zip(cards.iter()).map(|(number, card)| one((number, card), pictures, stale, &tell, dispatch)) }
                <p class="training-note">{ texts::train::FILES }
                    { quiet(texts::train::ADD_A_FILE).on_click(&tell, PictureMsg::ChooseFile) }</p>
            }
        </section>
    }
}

fn one(
    (number, card): (u32, &DataCard),
    pictures: &Pictures,
    stale: bool,
    tell: &Callback<PictureMsg>,
    dispatch: &Callback<Msg>,
) -> Html {
    let files = pictures
        .files
        .iter()
        .filter(|file| card.origin.as_ref() != Some(*file));
    let files = files.map(|file| {
        html! { { quiet(texts::train::read_from(file)).disabled(stale).on_click(tell, PictureMsg::Read(number, file.as_str().into())) } }
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
    html! {
        <article class="data-set" key={card.name.clone()}>
            <header><b>{ &card.name }</b> <span class="shape">{ texts::train::data_set(card.count, &card.ty, card.origin.as_deref(), card.generated) }</span>
                { quiet(texts::train::SHOW_IN_THE_TEXT).disabled(stale).on_click(dispatch, Msg::Mark(card.from, card.to)) }
                { quiet(texts::train::SAVE_AS_CSV).disabled(stale).label(texts::train::save_data(&card.name)).on_click(tell, PictureMsg::Save(number)) }
                { for files }
            </header>
            <div class="numbers-scroll" tabindex="0" role="region" aria-label={texts::train::first_samples(&card.name)}><table><tbody>{ for lines }</tbody></table></div>
        </article>
    }
}

/// A component of a sample: an image, or its numbers.
fn component(entries: &[f64], (rows, columns): (u32, u32)) -> Html {
    let count = rows * columns;
    let side = (1..=64_u32).find(|side| side * side == count);
    let flat = rows == 1 || columns == 1;
    // A long vector that is no square is a strip.
    match (flat, side) {
        (true, Some(side)) if count >= IMAGE => {
            html! { <Image entries={entries.to_vec()} columns={side} /> }
        }
        (false, _) if count >= IMAGE => html! { <Image entries={entries.to_vec()} {columns} /> },
        _ => cells(entries),
    }
}
