//! The help dialog: notation of commands, and keyboard shortcuts.

use super::dialog::Dialog;
use crate::controls::{button, option, select};
use crate::editor::{KEY_MAPS, KeyMap};
use crate::model::{Model, Overlay};
use crate::tour::update::TourMsg;
use crate::update::Msg;
use yew::{Callback, Html, html};

const BECOMES: &str = " becomes ";

const ESC: &str = "Esc";

const SPACE: &str = "Space";

/// Keys, and their effect.
type Shortcut = (&'static [&'static str], &'static str);

/// Shortcuts, grouped by where they work.
const KEYS: &[(&str, &[Shortcut])] = &[
    (
        "Steps",
        &[
            (&["→", "j"], "next step"),
            (&["←", "k"], "previous step"),
            (&["Home"], "first step"),
            (&["End"], "last step"),
            (&[SPACE], "play, and pause"),
            (&["<", ">"], "play slower, faster"),
            (
                &["1", "…", "4"],
                "every step, no bookkeeping, operations, handlers",
            ),
            (&["5"], "one step per moment of a feedback"),
            (&["w"], "why: the rule of the step, as in the paper"),
            (&["v"], "the command before the step and after it"),
            (&["/"], "search the steps; then Enter and Shift Enter"),
        ],
    ),
    (
        "Jumps; with Shift to the previous one",
        &[
            (&["o"], "next operation, forward or backward"),
            (&["p"], "next Put"),
            (&["u"], "next unfolding of a reverse handler"),
            (
                &["c", "Alt Enter"],
                "next step that comes from the editor's cursor",
            ),
            (&["b", "F10"], "run to the next breakpoint"),
            (&["n"], "the last jump once more, also to a rule"),
            (&["]", "["], "next and previous mark on the slider"),
        ],
    ),
    (
        "Program",
        &[
            (&["Ctrl Enter"], "show the run from its first step"),
            (&["Ctrl s"], "save it as a file"),
            (&["e"], "go to the editor, where the redex comes from"),
            (&["Ctrl z"], "undo, also of opening another program"),
            (&["Tab"], "leave the editor"),
            (&["Ctrl Space"], "what can be written here"),
            (&["F1", "Ctrl i"], "what the name at the cursor is"),
            (&["F12"], "go to its definition; also Ctrl and a click"),
            (&["F2"], "rename it, wherever it stands"),
            (&["Ctrl u"], "go back to where the cursor was"),
            (&["Ctrl ."], "apply the fix on this line"),
            (&["F8"], "next mistake or hint"),
            (
                &["F9"],
                "set or remove a breakpoint; also a click on the line's number",
            ),
            (&["Shift Alt F"], "format the program"),
            (&["Ctrl Shift O"], "list of its declarations"),
        ],
    ),
    (
        "A diagram, while it has the focus",
        &[
            (&["←", "→", "↑", "↓"], "from box to box"),
            (&["Enter"], "open a box; also a double click"),
            (&[ESC], "fold what is around it"),
            (&[SPACE], "tell of it, and mark its place"),
            (&["+", "-", "0"], "larger, smaller, all of it"),
        ],
    ),
    (
        "Presenting",
        &[
            (
                &["PageDown", "PageUp"],
                "next and previous step, also by a clicker",
            ),
            (&["b"], "a black screen, and back"),
            (&["+", "-"], "larger and smaller type"),
            (&[ESC], "end the presentation"),
        ],
    ),
    (
        "Page",
        &[
            (&["t"], "the tour; in it, all lessons"),
            (
                &["Shift PageDown", "Shift PageUp"],
                "the next lesson, the one before",
            ),
            (&["s"], "share the program as a link"),
            (&["?"], "this list"),
            (&[ESC], "close what is open"),
        ],
    ),
];

/// Shortcuts of Vim and Emacs in the editor, in addition to those that work everywhere.
const OTHERS: [(KeyMap, &str, &[Shortcut]); 2] = [
    (
        KeyMap::Vim,
        "In the editor, with the keys of Vim",
        &[
            (&[ESC], "normal mode; the editor keeps the keyboard"),
            (&["Tab"], "leave the editor, in every mode"),
            (&["u", "Ctrl r"], "undo and redo a command or an insertion"),
            (&[":w"], "save the program as a file"),
            (&["F1"], "what the name at the cursor is"),
            (&["Ctrl Space"], "while inserting: what can be written here"),
            (&["Ctrl i", "Ctrl u"], "are Vim's; so is Enter"),
            (&["Ctrl w"], "closes the tab in most browsers"),
        ],
    ),
    (
        KeyMap::Emacs,
        "In the editor, with the keys of Emacs",
        &[
            (&["Tab"], "leave the editor"),
            (&["Ctrl x Ctrl s"], "save the program as a file"),
            (&["Ctrl /"], "undo; with Shift redo"),
            (&["Ctrl s"], "search"),
            (&["Alt /"], "what can be written here"),
            (&["Ctrl Space"], "sets the mark; Ctrl g drops it"),
            (&["Ctrl u"], "is Emacs's; so is Shift Alt F"),
            (
                &["Ctrl w"],
                "closes the tab in most browsers; Shift Ctrl w cuts",
            ),
        ],
    ),
];

/// Notations of commands, each with its meaning.
const NOTATION: &[(&str, &str)] = &[
    ("let x ⇐ P in Q", "run P, call its result x, go on with Q"),
    ("⌊M⌋", "the value of M, with no operation"),
    (
        "FC[ℓ](x)",
        "perform the operation FC on x; what that means is up to a handler",
    ),
    ("Get[ℓ]()  Put[ℓ](w)", "read and write the heap"),
    (
        "rev handle(v)⟨x⟩. R with H",
        "run R on x = v: H handles its operations, forward and then back",
    ),
    (
        "RH(v)⟨x⟩. R with H",
        "the same under way: R is what is left of the network, v are the values it uses; it gives back the \
         cotangents of x",
    ),
    (
        "y.rd(x. M)(v)",
        "the reverse derivative of M at x = v: carries the cotangent y back; rd[f] is that of a function f",
    ),
    (
        "x′  x″",
        "cotangents of x, added up where there are several",
    ),
    ("x₁", "another variable that was called x too"),
    (
        "8  ·  8 × 2  ·  8 zeros",
        "a vector of 8 entries, a matrix of 8 rows and 2 columns, zeros; on each, a click or Enter shows the entries",
    ),
];

/// The help dialog.
#[inline(never)] // A start does without it.
pub(crate) fn help(model: &Model, dispatch: &Callback<Msg>) -> Html {
    html! {
        <Dialog title={"Help"} close={dispatch.reform(|()| Msg::Over(Overlay::None))}>
            // On a phone with large type the page's head has no room for the link to the tour.
            <p class="help-first">{ "New to this? " }{ button("link", "Take the tour").on_click(dispatch, Msg::Tour(TourMsg::Open("".into(), "".into()))) }{ ": from one operation to a trained network." }</p>
            { notation() }
            <h3 class="help-part">{ "Keyboard shortcuts" }</h3>
            { keys(model.keys, dispatch) }
            { for KEYS.iter().map(|(place, keys)| group(place, keys)) }
            <p class="help-foot">
                { "In the editor, ASCII spellings turn into Unicode as you type: " }<code>{ "<=" }</code>{ BECOMES }<code>{ "⇐" }</code>{ ", " }
                <code>{ "|->" }</code>{ BECOMES }<code>{ "↦" }</code>{ ", " }<code>{ "\\alpha" }</code>{ BECOMES }<code>{ "α" }</code>
                { ". On a Mac, Cmd takes the place of Ctrl." }
            </p>
        </Dialog>
    }
}

fn notation() -> Html {
    let rows = NOTATION.iter().map(|(text, meaning)| {
        html! { <div><dt><code>{ *text }</code></dt><dd>{ *meaning }</dd></div> }
    });
    html! { <section class="notation"><h3 class="help-part">{ "Reading a command" }</h3><dl>{ for rows }</dl></section> }
}

/// Selection of the editor's key map, with the shortcuts of the selected one.
fn keys(chosen: KeyMap, dispatch: &Callback<Msg>) -> Html {
    let options = KEY_MAPS.map(|(map, name, stored)| option(stored, name, map == chosen));
    let list = select("Keys of the editor", options).with("id", "keys");
    let list = list.on_change(dispatch, |name| Msg::Keys(KeyMap::named(&name)));
    let known = OTHERS.iter().filter(|(map, ..)| *map == chosen);
    html! {
        <>
            <p class="help-keys"><span aria-hidden="true">{ "Keys of the editor" }</span>{ list }</p>
            { for known.map(|(_, place, keys)| group(place, keys)) }
        </>
    }
}

fn group(place: &'static str, keys: &[Shortcut]) -> Html {
    let rows = keys.iter().map(|(names, text)| {
        let names = names.iter().map(|name| html! { <kbd>{ *name }</kbd> });
        html! { <div><dt>{ for names }</dt><dd>{ *text }</dd></div> }
    });
    html! { <section><h3>{ place }</h3><dl>{ for rows }</dl></section> }
}
