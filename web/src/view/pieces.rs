//! Text in pieces, coloured by the kind of each piece and marked by its role in the step.

use super::{chip, gloss};
use crate::controls::button;
use crate::steps::update::reading::ReadingMsg;
use crate::update::Msg;
use fletch_playground::protocol::{Fold, Mark, Piece, PieceKind};
use yew::{Callback, Html, html};

/// A line of pieces. Adjacent pieces with the same mark share one box, which excludes spaces at its ends.
pub(crate) fn pieces(pieces: &[Piece], dispatch: &Callback<Msg>) -> Html {
    let runs = pieces
        .chunk_by(|one, next| one.mark == next.mark)
        .map(|run| {
            let (before, run, after) = trimmed(run);
            let inner = run.iter().map(|each| piece(each, dispatch));
            let inner = match run.first().map_or(Mark::None, |first| first.mark) {
                Mark::None => html! { <>{ for inner }</> },
                Mark::Redex => html! { <mark class="redex">{ for inner }</mark> },
                Mark::Contractum => html! { <span class="contractum">{ for inner }</span> },
            };
            html! { <>{ before }{ inner }{ after }</> }
        });
    html! { <>{ for runs }</> }
}

/// A marked run without the spaces at its ends, and these spaces: before, run, after.
fn trimmed(run: &[Piece]) -> (String, Vec<Piece>, String) {
    let mut run = run.to_vec();
    let (mut before, mut after) = (String::new(), String::new());
    if run.first().is_none_or(|first| first.mark == Mark::None) {
        return (before, run, after);
    }
    if let Some(first) = run.first_mut().filter(|first| first.chip.is_none()) {
        let text = first.text.trim_start().to_owned();
        before = first.text.strip_suffix(&text).unwrap_or("").to_owned();
        first.text = text;
    }
    if let Some(last) = run.last_mut().filter(|last| last.chip.is_none()) {
        let text = last.text.trim_end().to_owned();
        after = last.text.strip_prefix(&text).unwrap_or("").to_owned();
        last.text = text;
    }
    (before, run, after)
}

fn piece(piece: &Piece, dispatch: &Callback<Msg>) -> Html {
    if let Some(chip) = &piece.chip {
        return chip::button(chip, dispatch);
    }
    if let Some(fold) = piece.fold {
        return handle(piece, fold, dispatch);
    }
    if piece.kind == PieceKind::Folded {
        return html! { <span class="folded" title={"Left out: not part of this step"}>{ &piece.text }</span> };
    }
    if piece.kind == PieceKind::Term {
        return gloss::term(&piece.text, dispatch);
    }
    match (class(piece.kind), piece.node) {
        ("", 0) => html! { { &piece.text } },
        (class, 0) => html! { <span {class}>{ &piece.text }</span> },
        (class, node) => {
            html! { <span {class} tabindex="-1" data-node={node.to_string()}>{ &piece.text }</span> }
        }
    }
}

/// A piece that folds or unfolds a subterm.
fn handle(piece: &Piece, fold: Fold, dispatch: &Callback<Msg>) -> Html {
    let kind = match piece.kind {
        PieceKind::Folded if fold.open => "folder",
        PieceKind::Folded => "folded",
        kind => class(kind),
    };
    let title = if fold.open { "Fold" } else { "Open" };
    html! { { button(yew::classes!("fold", kind), &piece.text).title(title).expanded(fold.open).on_click(dispatch, Msg::Reading(ReadingMsg::Toggle(fold.key))) } }
}

/// Style class of a kind of piece.
pub(crate) fn class(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Plain => "",
        PieceKind::Keyword => "kw",
        PieceKind::Operation => "op",
        PieceKind::Function => "fn",
        PieceKind::Location => "loc",
        PieceKind::Handler => "handler",
        PieceKind::Variable => "var",
        PieceKind::Cotangent => "var cotangent",
        PieceKind::Bracket => "bracket",
        PieceKind::Value => "value",
        PieceKind::Code => "code",
        PieceKind::Term => "term",
        PieceKind::Folded => "folded",
        PieceKind::Note => "remark",
        PieceKind::Metavariable => "metavariable",
    }
}

#[cfg(test)]
mod tests {
    use super::{Mark, Piece, PieceKind, trimmed};

    #[test]
    fn a_box_leaves_out_the_space_around_it() {
        let piece = |text: &str, mark| Piece {
            kind: PieceKind::Plain,
            text: text.into(),
            mark,
            chip: None,
            node: 0,
            fold: None,
        };
        let run = [piece(" let ", Mark::Redex), piece("x ⇐ ", Mark::Redex)];
        let (before, inner, after) = trimmed(&run);
        let inner: Vec<_> = inner.iter().map(|piece| piece.text.as_str()).collect();
        assert_eq!(
            (before.as_str(), inner.as_slice(), after.as_str()),
            (" ", ["let ", "x ⇐"].as_slice(), " ")
        );
        assert_eq!(
            trimmed(&[piece(" a ", Mark::None)]).1,
            [piece(" a ", Mark::None)]
        );
    }
}
