//! Image that the reader draws by pointer, finger or keys. It is predicted at once, and can be added to the data as a sample.

use super::pictures::choice;
use super::samples::{likely, percent};
use crate::controls::quiet;
use crate::train::pictures::{Classes, PictureMsg, Pictures};
use crate::train::texts;
use crate::view::heatmap;
use fletch_playground::protocol::Sketch;
use wasm_bindgen::JsCast;
use web_sys::Element;
use yew::{Callback, Component, Context, Html, KeyboardEvent, PointerEvent, Properties, html};

#[derive(Clone, PartialEq, Properties)]
struct Props {
    entries: Vec<f64>,
    rows: u32,
    columns: u32,
    tell: Callback<PictureMsg>,
}

/// The paper: the ink that the pressed pointer puts down, and the entry at the keyboard cursor.
struct Paper {
    inks: Option<bool>,
    at: usize,
    focused: bool,
}

enum Msg {
    Down(usize),
    Over(usize),
    Up,
    Key(usize),
    Turn,
    Focus(bool),
}

impl Component for Paper {
    type Message = Msg;
    type Properties = Props;

    fn create(_: &Context<Self>) -> Self {
        Paper {
            inks: None,
            at: 0,
            focused: false,
        }
    }

    fn update(&mut self, context: &Context<Self>, msg: Msg) -> bool {
        let Props { entries, tell, .. } = context.props();
        let inked = |at: usize| entries.get(at).is_some_and(|entry| *entry > 0.5);
        match msg {
            Msg::Down(at) => {
                self.inks = Some(!inked(at));
                tell.emit(PictureMsg::Ink(at, !inked(at)));
            }
            Msg::Over(at) => {
                if let Some(ink) = self.inks.filter(|ink| *ink != inked(at)) {
                    tell.emit(PictureMsg::Ink(at, ink));
                }
            }
            Msg::Up => self.inks = None,
            Msg::Key(at) => self.at = at,
            Msg::Turn => tell.emit(PictureMsg::Ink(self.at, !inked(self.at))),
            Msg::Focus(focused) => self.focused = focused,
        }
        true
    }

    fn view(&self, context: &Context<Self>) -> Html {
        let Props {
            entries,
            rows,
            columns,
            ..
        } = context.props().clone();
        let link = context.link();
        let (high, wide) = (rows as usize, (columns as usize).max(1));
        let cells = (0..high * wide).map(|at| {
            let grey = heatmap::grey(entries.get(at).copied().unwrap_or(0.0));
            let here = (self.focused && at == self.at).then_some("here");
            html! { <i class={yew::classes!(here)} style={format!("background: {grey}")}></i> }
        });
        let on = move |event: &PointerEvent| place(event, high, wide);
        let down = link.batch_callback(move |event: PointerEvent| on(&event).map(Msg::Down));
        let over = link.batch_callback(move |event: PointerEvent| on(&event).map(Msg::Over));
        let at = self.at;
        let keys = link.batch_callback(move |event: KeyboardEvent| {
            let msg = match event.key().as_str() {
                _ if event.ctrl_key() || event.alt_key() || event.meta_key() => return None,
                "ArrowLeft" if !at.is_multiple_of(wide) => Msg::Key(at - 1),
                "ArrowRight" if at % wide + 1 < wide => Msg::Key(at + 1),
                "ArrowUp" if at >= wide => Msg::Key(at - wide),
                "ArrowDown" if at + wide < high * wide => Msg::Key(at + wide),
                " " | "Enter" => Msg::Turn,
                _ => return None,
            };
            event.prevent_default();
            event.stop_propagation();
            Some(msg)
        });
        let inked = entries.get(at).is_some_and(|entry| *entry > 0.5);
        html! {
            <div class="paper" tabindex="0" role="application" aria-label={"Paper to draw on: arrows go from cell to cell, the space bar puts ink or takes it"} style={format!("--columns: {columns}; --rows: {rows}")}
                onpointerdown={down} onpointermove={over} onpointerup={link.callback(|_| Msg::Up)} onpointerleave={link.callback(|_| Msg::Up)} onkeydown={keys}
                onfocus={link.callback(|_| Msg::Focus(true))} onblur={link.callback(|_| Msg::Focus(false))}>
                { for cells }
                <span class="spoken" aria-live="polite">{ if self.focused { texts::cell(at / wide + 1, at % wide + 1, inked) } else { String::new() } }</span>
            </div>
        }
    }
}

/// Index of the entry under a pointer.
fn place(event: &PointerEvent, rows: usize, columns: usize) -> Option<usize> {
    let inside = event.target()?.dyn_into::<Element>().ok()?;
    let frame = inside.closest(".paper").ok()??.get_bounding_client_rect();
    let share = |at: i32, from: f64, size: f64| (f64::from(at) - from) / size.max(1.0);
    let x = share(event.client_x(), frame.left(), frame.width());
    let y = share(event.client_y(), frame.top(), frame.height());
    if !((0.0..1.0).contains(&x) && (0.0..1.0).contains(&y)) {
        return None;
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // Shares of small numbers.
    let at = |share: f64, of: usize| (share * of as f64) as usize;
    Some(at(y, rows) * columns + at(x, columns))
}

pub(super) fn ink(
    pictures: &Pictures,
    sketch: &Sketch,
    (rows, columns): (u32, u32),
    stale: bool,
    tell: &Callback<PictureMsg>,
) -> Html {
    let found = pictures
        .tried
        .as_ref()
        .filter(|tried| tried.len() != sketch.inputs as usize);
    let likely = found.map(|outputs| likely(outputs));
    let classes = pictures
        .samples()
        .and_then(Classes::of)
        .filter(|classes| classes.hot);
    let said = match likely {
        Some((class, share)) => format!("Predicted: {class}, with {share}", share = percent(share)),
        None => "Draw here: what you draw is predicted at once.".to_owned(),
    };
    let names: Vec<String> = classes
        .iter()
        .flat_map(|classes| 0..classes.values.len())
        .map(|class| class.to_string())
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let blank = pictures.ink.is_empty();
    let class = pictures.adds.unwrap_or(0);
    let chosen = tell.reform(|class| PictureMsg::Adds(Some(class)));
    html! {
        <div class="ink">
            <Paper entries={(*pictures.ink).clone()} {rows} {columns} tell={tell.clone()} />
            <div class="ink-said">
                <p aria-live="polite">{ said }</p>
                { quiet("Clear").disabled(blank).on_click(tell, PictureMsg::Clear) }
                if let (Some(samples), Some(_)) = (pictures.samples(), &classes) {
                    <span class="add-ink">
                        <label>{ texts::CLASS }{ " " }{ choice(&names, class, texts::CLASS, &chosen) }</label>
                        { quiet(format!("Add as {class}")).disabled(blank || stale).title(format!("Adds what is drawn to {set}", set = samples.name)).on_click(tell, PictureMsg::AddInk(class)) }
                    </span>
                }
            </div>
        </div>
    }
}
