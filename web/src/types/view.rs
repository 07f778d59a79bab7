//! The types tab: a derivation as inference rules, its enclosing derivations, and the selected judgement in full. On a narrow page,
//! the derivation is an outline, with premises indented below their conclusion.

use crate::controls::{button, empty, note, quiet, raised};
use crate::geometry::Resize;
use crate::model::Model;
use crate::types::{Beside, TreeKey, Types, TypesMsg};
use crate::update::Msg;
use crate::view::figures::{first_error, missing};
use crate::view::piece_class;
use crate::view::prose::prose;
use fletch_playground::protocol::derivation::{
    At, Detail, Handle, Instance, Judgement, Node, Room, Shown, Underivable,
};
use fletch_playground::protocol::{Piece, PieceKind};
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;
use yew::{Callback, Component, Context, Html, KeyboardEvent, NodeRef, Properties, html};

/// The types tab.
#[inline(never)] // A start does without it.
pub(crate) fn types(model: &Model, dispatch: &Callback<Msg>) -> Html {
    if model.read().is_none() {
        return missing(
            "There are no types yet: the program has an error.",
            "Deriving …",
            model,
            dispatch,
        );
    }
    html! { <Tree types={model.types.clone()} stale={model.is_outdated()} error={first_error(model, dispatch)} dispatch={dispatch.reform(Msg::Types)} /> }
}

#[derive(Clone, PartialEq, Properties)]
struct Props {
    types: Types,
    stale: bool,
    /// Link to the first error of a rejected program.
    error: Option<Html>,
    dispatch: Callback<TypesMsg>,
}

/// The derivation, which measures the size of its pane.
struct Tree {
    place: NodeRef,
    ruler: NodeRef,
    /// Selection at the last rendering, which the focus has followed.
    selected: (Vec<u32>, Option<Beside>),
    _size: Option<Resize>,
}

/// Number of characters of the ruler.
const RULER: f64 = 40.0;
/// Number of columns below which a pane shows an outline.
const NARROW: u32 = 62;
/// Height of a line of the tree with its bar, in pixels at a line height of 20 pixels.
const LINE: f64 = 29.0;

impl Component for Tree {
    type Message = ();
    type Properties = Props;

    fn create(_: &Context<Self>) -> Self {
        Tree {
            place: NodeRef::default(),
            ruler: NodeRef::default(),
            selected: (Vec::new(), None),
            _size: None,
        }
    }

    fn view(&self, context: &Context<Self>) -> Html {
        let Props {
            types,
            stale,
            error,
            dispatch,
        } = context.props();
        let shown = types.derived.as_deref();
        let (bar, tree, more) = match shown {
            Some(Ok(shown)) => (
                bar(shown, types, dispatch),
                rules(shown, types, dispatch),
                more(shown, dispatch),
            ),
            Some(Err(missing)) => (
                Html::default(),
                refused(missing, error.clone(), dispatch),
                Html::default(),
            ),
            None => Default::default(),
        };
        html! {
            <section class={yew::classes!("types", stale.then_some("stale"))} aria-label={"Types"}>
                { bar }
                <div class="derivation" ref={&self.place}>
                    <span class="ruler" ref={&self.ruler} aria-hidden="true">{ "0000000000000000000000000000000000000000" }</span>
                    { tree }
                </div>
                { more }
            </section>
        }
    }

    fn rendered(&mut self, context: &Context<Self>, first: bool) {
        if first {
            let (place, ruler) = (self.place.clone(), self.ruler.clone());
            let dispatch = context.props().dispatch.clone();
            let tell = move || {
                if let Some(room) = room(&place, &ruler) {
                    dispatch.emit(TypesMsg::Room(room));
                }
            };
            self._size = self
                .place
                .cast::<web_sys::Element>()
                .and_then(|element| Resize::of(&element, tell));
        }
        // The focus follows the selection once the requested derivation has arrived.
        let derived = context.props().types.derived.as_deref();
        let shown = derived.and_then(|derived| derived.as_ref().ok());
        if let Some(shown) = shown {
            let selected = (&shown.detail.path, &context.props().types.beside);
            if selected != (&self.selected.0, &self.selected.1) {
                self.selected = (selected.0.clone(), selected.1.clone());
                self.focus();
            }
        }
    }
}

impl Tree {
    /// Moves the focus to the selection, if the tree has the focus.
    fn focus(&self) {
        let Some(place) = self.place.cast::<HtmlElement>() else {
            return;
        };
        let inside = place.query_selector("[role=tree] :focus").ok().flatten();
        let selected = place.query_selector("[role=treeitem][tabindex='0']");
        let selected = selected.ok().flatten();
        let selected = selected.and_then(|it| it.dyn_into::<HtmlElement>().ok());
        if let (Some(_), Some(selected)) = (inside, selected) {
            let _ = selected.focus();
        }
    }
}

/// Size of the pane, in characters and lines; `None` while the pane is hidden.
fn room(place: &NodeRef, ruler: &NodeRef) -> Option<Room> {
    let place = place.cast::<HtmlElement>()?;
    let letter = ruler.cast::<HtmlElement>()?.get_bounding_client_rect();
    let width = letter.width() / RULER;
    if width <= 0.0 || place.client_width() == 0 {
        return None;
    }
    let padding = 4.0 * width;
    // Small whole numbers, so the casts are exact.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let count = |length: f64| length.max(0.0) as u32;
    let columns = count((f64::from(place.client_width()) - padding) / width);
    let line = LINE * letter.height().max(1.0) / 20.0;
    Some(Room {
        columns,
        rows: count(f64::from(place.client_height()) / line).max(4),
        outline: columns < NARROW,
    })
}

fn bar(shown: &Shown, types: &Types, dispatch: &Callback<TypesMsg>) -> Html {
    let last = shown.around.len().saturating_sub(1);
    let around = shown.around.iter().enumerate().map(|(number, around)| {
        if number == last {
            return html! { <li aria-current="true">{ &around.label }</li> };
        }
        html! { <li>{ quiet(&around.label).on_click(dispatch, TypesMsg::Go(around.place.clone())) }</li> }
    });
    let copied = match types.copied {
        None => "Copy LaTeX",
        Some(true) => "Copied",
        Some(false) => "The browser would not copy",
    };
    let copied = html! { <span role="status">{ copied }</span> };
    let instance = match (&shown.instance, &types.wanted.at) {
        (Some(Instance { number, count }), At::Source { .. }) => {
            html! {
                <span class="instance">{ format!("instance {what} of {count}", what = number + 1) }
                    { quiet("Next").on_click(dispatch, TypesMsg::Instance((number + 1) % count)) }
                </span>
            }
        }
        _ => Html::default(),
    };
    html! {
        <div class="figure-bar">
            <nav aria-label={"What is around it"}><ol class="around">{ for around }</ol></nav>
            { instance }
            <div class="save">{ quiet(copied).title("Copy what is shown, as a LaTeX document").on_click(dispatch, TypesMsg::Copy) }</div>
        </div>
    }
}

fn rules(shown: &Shown, types: &Types, dispatch: &Callback<TypesMsg>) -> Html {
    let note = shown.note.as_ref().map(|text| note("types-note", text));
    let outline = types.wanted.room.outline;
    // The selected judgement may be folded, so the reply's selection counts.
    let keyboard = Keyboard {
        selected: &shown.detail.path,
        beside: types.beside.as_ref(),
    };
    html! {
        <>
            { for note }
            <div class={yew::classes!("rules", outline.then_some("outline"))} role="tree" aria-label={"Derivation"} onkeydown={keys(dispatch)}>
                { node(&shown.tree, 1, keyboard, dispatch) }
            </div>
        </>
    }
}

fn keys(dispatch: &Callback<TypesMsg>) -> Callback<KeyboardEvent> {
    let dispatch = dispatch.clone();
    Callback::from(move |event: KeyboardEvent| {
        if event.ctrl_key() || event.alt_key() || event.meta_key() {
            return;
        }
        let msg = match event.key().as_str() {
            "ArrowDown" => TypesMsg::Key(TreeKey::Next),
            "ArrowUp" => TypesMsg::Key(TreeKey::Previous),
            "ArrowRight" => TypesMsg::Key(TreeKey::Open),
            "ArrowLeft" => TypesMsg::Key(TreeKey::Fold),
            "Home" => TypesMsg::Key(TreeKey::First),
            "End" => TypesMsg::Key(TreeKey::Last),
            " " => TypesMsg::Key(TreeKey::Toggle),
            "Enter" => TypesMsg::Key(TreeKey::Enter),
            "Backspace" => TypesMsg::Out,
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        dispatch.emit(msg);
    })
}

/// Position of the keyboard focus in the tree.
#[derive(Clone, Copy)]
struct Keyboard<'t> {
    selected: &'t [u32],
    beside: Option<&'t Beside>,
}

/// A judgement, and its derivation.
fn node(it: &Node, level: usize, keyboard: Keyboard<'_>, dispatch: &Callback<TypesMsg>) -> Html {
    let selected = it.path == keyboard.selected;
    let here = selected && keyboard.beside.is_none();
    let choose = {
        let path = it.path.clone();
        dispatch.reform(move |_| TypesMsg::Select(path.clone()))
    };
    let toggle = |handle: Handle| dispatch.reform(move |_| TypesMsg::Toggle(handle.clone()));
    let above = || TypesMsg::Toggle(Handle::Above(it.path.clone()));
    let folder = |class: &'static str, face: &str, title: String| {
        html! { { button(class, face).with("tabindex", "-1").with("aria-hidden", "true").title(title).on_click(dispatch, above()) } }
    };
    let key: Vec<String> = it.path.iter().map(ToString::to_string).collect();
    let role = it
        .role
        .as_ref()
        .map(|role| html! { <span class="role">{ role }</span> });
    let beside = |it: Beside| {
        if keyboard.beside == Some(&it) {
            "0"
        } else {
            "-1"
        }
    };
    let others = (it.others > 0).then(|| {
        let open = toggle(Handle::Others(it.path.clone()));
        html! { <div key="others" class="others" role="treeitem" aria-level={(level + 1).to_string()} tabindex={beside(Beside::Others(it.path.clone()))} aria-label={format!("{others} more premises", others = it.others)} onclick={open}>{ format!("… {others} more", others = it.others) }</div> }
    });
    let side = it.side.iter().enumerate().map(|(number, side)| {
        let this = Beside::Side(it.path.clone(), number);
        let choose = { let this = this.clone(); dispatch.reform(move |_| TypesMsg::Beside(this.clone())) };
        html! { <div class="side" role="treeitem" aria-level={(level + 1).to_string()} tabindex={beside(this)} onclick={choose}>{ for side.iter().map(piece) }</div> }
    });
    let above_it = if it.open {
        html! {
            <>
                { folder("by-rule", &it.rule, format!("{rule}: fold what is above", rule = it.rule)) }
                <div class="premises">
                    { for it.premises.iter().map(|premise| node(premise, level + 1, keyboard, dispatch)) }
                    { others }
                    { for side }
                </div>
            </>
        }
    } else {
        let left = match it.left_out {
            0 => it.rule.clone(),
            1 => format!("{} ⋮ 1 rule", it.rule),
            count => format!("{rule} ⋮ {count} rules", rule = it.rule),
        };
        folder(
            "dots",
            &left,
            format!("{rule}: open what is above", rule = it.rule),
        )
    };
    let class = yew::classes!(
        "node",
        it.open.then_some("open"),
        it.stacked.then_some("stacked")
    );
    html! {
        <div key={key.join(".")} {class}>
            <div class="conclusion" role="treeitem" aria-level={level.to_string()} aria-expanded={it.open.to_string()} aria-selected={selected.to_string()}
                aria-label={spoken(it)} tabindex={if here { "0" } else { "-1" }} onclick={choose}>{ role }{ judgement(&it.judgement) }</div>
            { above_it }
        </div>
    }
}

/// Spoken text of a judgement, with its rule.
fn spoken(it: &Node) -> String {
    let Judgement {
        environment,
        turnstile,
        subject,
        ty,
    } = &it.judgement;
    let text =
        |pieces: &[Piece]| -> String { pieces.iter().map(|piece| piece.text.as_str()).collect() };
    let role = it.role.as_ref().map(|role| format!("{role}: "));
    let left = match it.left_out {
        0 => String::new(),
        count => format!(", {count} rules folded"),
    };
    format!(
        "{role}{environment} {turnstile} {subject} : {ty}, by {rule}{left}",
        role = role.unwrap_or_default(),
        environment = text(environment),
        subject = text(subject),
        ty = text(ty),
        rule = it.rule
    )
}

fn judgement(it: &Judgement) -> Html {
    html! {
        <span class="judgement">
            <span class="environment">{ for it.environment.iter().map(piece) }</span>
            <span class="turnstile">{ format!(" {} ", it.turnstile) }</span>
            <span class="subject">{ for it.subject.iter().map(piece) }</span>
            <span class="of">{ " : " }{ for it.ty.iter().map(piece) }</span>
        </span>
    }
}

fn piece(piece: &Piece) -> Html {
    match piece_class(piece.kind) {
        "" => html! { { &piece.text } },
        _ if piece.kind == PieceKind::Folded => {
            html! { <span class="elided">{ &piece.text }</span> }
        }
        class => html! { <span {class}>{ &piece.text }</span> },
    }
}

/// Details of the derivation: its environments, its size, its operations, and the selected judgement in full.
fn more(shown: &Shown, dispatch: &Callback<TypesMsg>) -> Html {
    let environments = shown.environments.iter().map(|named| {
        html! { <li><span class="metavariable">{ &named.name }</span>{ " = " }{ for named.entries.iter().map(piece) }</li> }
    });
    let (shown_rules, all) = shown.rules;
    let depth = shown.depth.map(|depth| {
        html! { <span title={"How deeply handlers nest: the depth of the paper"}>{ format!("handlers {depth} deep") }</span> }
    });
    let operations = shown
        .signature
        .iter()
        .map(|entry| html! { <li>{ for entry.iter().map(piece) }</li> });
    let more = shown.more_operations;
    html! {
        <div class="types-more">
            <p class="measures">
                { for depth }
                <span title={"The size of the derivation, as the paper counts"}>{ format!("derivation of size {size}", size = shown.size) }</span>
                <span>{ if shown_rules == all { format!("all {all} rules shown") } else { format!("{shown_rules} of {all} rules shown") } }</span>
            </p>
            <div class="types-columns">
                { detail(&shown.detail, dispatch) }
                <div>
                    if !shown.environments.is_empty() { <h2>{ "Environments" }</h2><ul class="listed">{ for environments }</ul> }
                    if !shown.signature.is_empty() {
                        <h2>{ "Operations, Σ" }</h2>
                        <ul class="listed">{ for operations }if more > 0 { <li>{ format!("and {more} more") }</li> }</ul>
                    }
                </div>
            </div>
        </div>
    }
}

fn detail(it: &Detail, dispatch: &Callback<TypesMsg>) -> Html {
    let premises = it.rule.premises.iter();
    let premises = premises.map(|premise| html! { <span>{ premise }</span> });
    let environment = it.environment.iter();
    let environment = environment.map(|entry| html! { <li>{ for entry.iter().map(piece) }</li> });
    let lines = it.subject.iter().map(|line| {
        let indent = " ".repeat(line.indent as usize);
        html! { <>{ indent }{ for line.pieces.iter().map(piece) }{ "\n" }</> }
    });
    html! {
        <div class="judgement-detail">
            <h2>{ &it.rule.name }</h2>
            <div class="figure" role="img" aria-label={format!("From {}, conclude {}", it.rule.premises.join(" and "), it.rule.conclusion)}>
                <div class="figure-premises" aria-hidden="true">{ for premises }</div>
                <div class="figure-conclusion" aria-hidden="true">{ &it.rule.conclusion }</div>
            </div>
            <p>{ &it.rule.says }</p>
            <h2>{ "Here" }</h2>
            if !it.environment.is_empty() { <ul class="listed">{ for environment }</ul> }
            <pre tabindex="0" class="here">{ for lines }</pre>
            <p class="here-type">{ ": " }{ for it.ty.iter().map(piece) }</p>
            <p>
                { quiet("Show in the program").on_click(dispatch, TypesMsg::Select(it.path.clone())) }
                if !it.path.is_empty() { { quiet("Show this alone").on_click(dispatch, TypesMsg::In) } }
            </p>
        </div>
    }
}

fn refused(missing: &Underivable, error: Option<Html>, dispatch: &Callback<TypesMsg>) -> Html {
    let nearest = missing.nearest.as_ref().map(|nearest| {
        let (from, to) = nearest.source;
        let face = html! { <>{ "Go to " }{ prose(&nearest.label) }</> };
        raised(face).on_click(dispatch, TypesMsg::At(from, to))
    });
    empty(prose(&missing.message), nearest.or(error))
}
