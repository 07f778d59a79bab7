//! Text in pieces: coloured by what each piece is, marked by the part it has in the step.

use super::chip::ChipButton;
use crate::update::Msg;
use fletch_playground::protocol::{Mark, Piece, PieceKind};
use yew::{Callback, Html, html};

/// A line of pieces; neighbours of one mark share one box.
pub(super) fn pieces(pieces: &[Piece], dispatch: &Callback<Msg>) -> Html {
    let runs = pieces
        .chunk_by(|one, next| one.mark == next.mark)
        .map(|run| {
            let inner = run.iter().map(|each| piece(each, dispatch));
            match run.first().map_or(Mark::None, |first| first.mark) {
                Mark::None => html! { <>{ for inner }</> },
                Mark::Redex => html! { <mark class="redex">{ for inner }</mark> },
                Mark::Contractum => html! { <span class="contractum">{ for inner }</span> },
            }
        });
    html! { <>{ for runs }</> }
}

fn piece(piece: &Piece, dispatch: &Callback<Msg>) -> Html {
    if let Some(chip) = &piece.chip {
        return html! { <ChipButton chip={chip.clone()} text={piece.text.clone()} dispatch={dispatch.clone()} /> };
    }
    match class(piece.kind) {
        "" => html! { { &piece.text } },
        class => html! { <span {class}>{ &piece.text }</span> },
    }
}

/// The class that colours a piece, and more than colours it.
fn class(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Plain => "",
        PieceKind::Keyword => "kw",
        PieceKind::Operation => "op",
        PieceKind::Function => "fn",
        PieceKind::Location => "loc",
        PieceKind::Handler => "handler",
        PieceKind::Variable => "var",
        PieceKind::Bracket => "bracket",
        PieceKind::Value => "value",
        PieceKind::Code => "code",
    }
}
