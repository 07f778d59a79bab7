//! The panel that explains why the step is right (*why?*): the rule as the paper states it, and what each of its letters stands for
//! in this step.

use crate::controls::{raised, square};
use crate::model::{Model, Shared};
use crate::steps::update::words::{WHY, WordsMsg};
use crate::texts::capitalised;
use crate::update::Msg;
use crate::view::pieces;
use fletch_playground::protocol::{Line, Part, Piece, PieceKind, Why};
use yew::{Callback, Html, Properties, classes, component, html, use_state_eq};

/// The button that opens the panel.
pub(crate) fn button(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let open = model.words.open;
    let trace = model.trace.as_ref();
    let view = trace.and_then(|trace| trace.view.as_ref());
    let at_end = view.is_some_and(|view| view.rule.is_none() && !view.stuck);
    html! {
        { raised("why?").class("why-button").with("id", WHY).title("The rule of this step, as in the paper (w)").expanded(open).with("aria-controls", "why-panel")
            .disabled(at_end && !open).on_click(dispatch, Msg::Words(WordsMsg::Why)) }
    }
}

/// The panel, if it is open.
#[inline(never)] // A start does without it.
pub(crate) fn panel(model: &Model, dispatch: &Callback<Msg>) -> Html {
    if !model.words.open {
        return Html::default();
    }
    let trace = model.trace.as_ref();
    let at_end = trace.is_some_and(|trace| {
        let view = trace.view.as_ref();
        view.is_some_and(|view| view.rule.is_none() && !view.stuck)
    });
    html! {
        <section id="why-panel" class="why" aria-label={"Why this step"}>
            { square("×").class("why-close").label("Close").title("Close (w or Esc)").on_click(dispatch, Msg::Words(WordsMsg::Why)) }
            if at_end {
                <p class="why-words">{ "There is no step from here." }</p>
            } else if let Some(why) = model.words.why.clone() {
                <Rule {why} dispatch={dispatch.clone()} />
            }
        </section>
    }
}

#[derive(Properties, PartialEq)]
struct RuleProps {
    why: Shared<Why>,
    dispatch: Callback<Msg>,
}

/// The rule. All occurrences of a letter light up when the pointer is on one.
#[component]
fn Rule(props: &RuleProps) -> Html {
    let lit = use_state_eq(String::new);
    let light = {
        let lit = lit.clone();
        Callback::from(move |name: String| lit.set(name))
    };
    let why = &*props.why;
    let letters = Letters {
        lit: &lit,
        light: &light,
        dispatch: &props.dispatch,
    };
    html! {
        <>
            <header>
                <h2>{ capitalised(&why.title) }</h2>
                <p>{ &why.source }</p>
            </header>
            <div class="why-statement" tabindex="0" role="group" aria-label={"The rule"}>{ for why.statement.iter().map(|line| letters.line(line)) }</div>
            <p class="why-words">{ &why.words }</p>
            <h3>{ "In this step" }</h3>
            <dl class="why-parts">{ for why.parts.iter().map(|part| letters.part(part)) }</dl>
        </>
    }
}

struct Letters<'a> {
    lit: &'a str,
    light: &'a Callback<String>,
    dispatch: &'a Callback<Msg>,
}

impl Letters<'_> {
    fn line(&self, line: &Line) -> Html {
        let indent = " ".repeat(usize::try_from(line.indent).unwrap_or(0));
        html! { <div class="line">{ indent }{ for line.pieces.iter().map(|piece| self.piece(piece)) }</div> }
    }

    fn piece(&self, piece: &Piece) -> Html {
        if piece.kind != PieceKind::Metavariable {
            return pieces::pieces(std::slice::from_ref(piece), self.dispatch);
        }
        let (name, none) = (piece.text.clone(), String::new());
        html! {
            <span class={classes!("metavariable", self.class(&piece.text))}
                onpointerenter={self.light.reform(move |_| name.clone())} onpointerleave={self.light.reform(move |_| none.clone())}>{ &piece.text }</span>
        }
    }

    fn part(&self, part: &Part) -> Html {
        let light = |name: &str| {
            let name = name.to_owned();
            self.light.reform(move |()| name.clone())
        };
        let (on, off) = (light(&part.name), light(""));
        let (focus, blur) = (on.clone(), off.clone());
        html! {
            <div class={classes!(self.class(&part.name))} tabindex="0"
                onpointerenter={on.reform(|_| ())} onpointerleave={off.reform(|_| ())}
                onfocus={focus.reform(|_| ())} onblur={blur.reform(|_| ())}>
                <dt><span class="metavariable">{ &part.name }</span><span>{ &part.role }</span></dt>
                <dd>{ for part.actual.iter().map(|line| self.line(line)) }</dd>
            </div>
        }
    }

    fn class(&self, name: &str) -> Option<&'static str> {
        (self.lit == name).then_some("lit")
    }
}
