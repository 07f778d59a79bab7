//! The list of shortcuts.

use super::dialog::Dialog;
use crate::model::{Model, Overlay};
use crate::update::Msg;
use yew::{Callback, Html, html};

/// Keys, and what each of them does.
type Shortcut = (&'static [&'static str], &'static str);

/// What the keys do, by where they do it.
const KEYS: &[(&str, &[Shortcut])] = &[
    (
        "Steps",
        &[
            (&["→", "j"], "next step"),
            (&["←", "k"], "previous step"),
            (&["Home"], "first step"),
            (&["End"], "last step"),
            (&["Space"], "play, and pause"),
            (&["<", ">"], "play slower, faster"),
            (
                &["1", "…", "4"],
                "every step, no bookkeeping, operations, handlers",
            ),
            (&["w"], "why: the rule of the step, as in the paper"),
            (
                &["v"],
                "the command before and after the step, side by side",
            ),
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
            (&["e"], "go to the editor, where the redex comes from"),
            (&["Ctrl z"], "undo, also of opening an example"),
            (&["Tab"], "leave the editor"),
            (&["Ctrl Space"], "what can be written here"),
            (&["F1", "Ctrl i"], "what the name at the cursor is"),
            (&["F12"], "go to its definition; also Ctrl and a click"),
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
        "Page",
        &[(&["?"], "this list"), (&["Esc"], "close what is open")],
    ),
];

/// The dialog, if it is open.
pub(super) fn help(model: &Model, dispatch: &Callback<Msg>) -> Html {
    if model.overlay != Overlay::Help {
        return Html::default();
    }
    html! {
        <Dialog title="Keyboard shortcuts" close={dispatch.reform(|()| Msg::Over(Overlay::None))}>
            { for KEYS.iter().map(|(place, keys)| group(place, keys)) }
            <p class="help-foot">
                { "In the editor, ASCII spellings turn into Unicode as you type: " }<code>{ "<=" }</code>{ " becomes " }<code>{ "⇐" }</code>{ ", " }
                <code>{ "|->" }</code>{ " becomes " }<code>{ "↦" }</code>{ ", " }<code>{ "\\alpha" }</code>{ " becomes " }<code>{ "α" }</code>
                { ". On a Mac, Cmd takes the place of Ctrl." }
            </p>
        </Dialog>
    }
}

fn group(place: &'static str, keys: &[Shortcut]) -> Html {
    let rows = keys.iter().map(|(names, text)| {
        let names = names.iter().map(|name| html! { <kbd>{ *name }</kbd> });
        html! { <div><dt>{ for names }</dt><dd>{ *text }</dd></div> }
    });
    html! { <section><h3>{ place }</h3><dl>{ for rows }</dl></section> }
}
