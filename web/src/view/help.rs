//! How to read a command, and the list of shortcuts.

use super::dialog::Dialog;
use crate::model::{Model, Overlay};
use crate::texts;
use crate::update::Msg;
use yew::{Callback, Html, html};

/// Keys, and what each of them does.
type Shortcut = (&'static [&'static str], &'static str);

/// What the keys do, by where they do it.
const KEYS: &[(&str, &[Shortcut])] = &[
    (
        texts::help::STEPS,
        &[
            (&["→", "j"], texts::help::NEXT_STEP),
            (&["←", "k"], texts::help::PREVIOUS_STEP),
            (&[texts::help::HOME], texts::help::FIRST_STEP),
            (&[texts::help::END], texts::help::LAST_STEP),
            (&[texts::help::SPACE], texts::help::PLAY_AND_PAUSE),
            (&["<", ">"], texts::help::PLAY_SLOWER_FASTER),
            (
                &["1", "…", "4"],
                texts::help::EVERY_STEP_NO_BOOKKEEPING_OPERATIONS,
            ),
            (&["w"], texts::help::WHY_THE_RULE_OF_THE),
            (&["v"], texts::help::THE_COMMAND_BEFORE_THE_STEP),
            (&["/"], texts::help::SEARCH_THE_STEPS_THEN_ENTER),
        ],
    ),
    (
        texts::help::JUMPS_WITH_SHIFT_TO_THE,
        &[
            (&["o"], texts::help::NEXT_OPERATION_FORWARD_OR_BACKWARD),
            (&["p"], texts::help::NEXT_PUT),
            (&["u"], texts::help::NEXT_UNFOLDING_OF_A_REVERSE),
            (
                &["c", texts::help::ALT_ENTER],
                texts::help::NEXT_STEP_THAT_COMES_FROM,
            ),
            (&["b", "F10"], texts::help::RUN_TO_THE_NEXT_BREAKPOINT),
            (&["n"], texts::help::THE_LAST_JUMP_ONCE_MORE),
            (&["]", "["], texts::help::NEXT_AND_PREVIOUS_MARK_ON),
        ],
    ),
    (
        texts::help::PROGRAM,
        &[
            (
                &[texts::help::CTRL_ENTER],
                texts::help::SHOW_THE_RUN_FROM_ITS,
            ),
            (&[texts::help::CTRL_S], texts::help::SAVE_IT_AS_A_FILE),
            (&["e"], texts::help::GO_TO_THE_EDITOR_WHERE),
            (
                &[texts::help::CTRL_Z],
                texts::help::UNDO_ALSO_OF_OPENING_ANOTHER,
            ),
            (&[texts::help::TAB], texts::help::LEAVE_THE_EDITOR),
            (
                &[texts::help::CTRL_SPACE],
                texts::help::WHAT_CAN_BE_WRITTEN_HERE,
            ),
            (
                &["F1", texts::help::CTRL_I],
                texts::help::WHAT_THE_NAME_AT_THE,
            ),
            (&["F12"], texts::help::GO_TO_ITS_DEFINITION_ALSO),
            (&["F2"], texts::help::RENAME_IT_WHEREVER_IT_STANDS),
            (&[texts::help::CTRL_U], texts::help::GO_BACK_TO_WHERE_THE),
            (&["Ctrl ."], texts::help::APPLY_THE_FIX_ON_THIS),
            (&["F8"], texts::help::NEXT_MISTAKE_OR_HINT),
            (&["F9"], texts::help::SET_OR_REMOVE_A_BREAKPOINT),
            (&[texts::help::SHIFT_ALT_F], texts::help::FORMAT_THE_PROGRAM),
            (
                &[texts::help::CTRL_SHIFT_O],
                texts::help::LIST_OF_ITS_DECLARATIONS,
            ),
        ],
    ),
    (
        texts::help::A_DIAGRAM_WHILE_IT_HAS,
        &[
            (&["←", "→", "↑", "↓"], texts::help::FROM_BOX_TO_BOX),
            (&[texts::help::ENTER], texts::help::OPEN_A_BOX_ALSO_A),
            (&[texts::help::ESC], texts::help::FOLD_WHAT_IS_AROUND_IT),
            (&[texts::help::SPACE], texts::help::TELL_OF_IT_AND_MARK),
            (&["+", "-", "0"], texts::help::LARGER_SMALLER_ALL_OF_IT),
        ],
    ),
    (
        texts::help::PRESENTING,
        &[
            (
                &["PageDown", "PageUp"],
                texts::help::NEXT_AND_PREVIOUS_STEP_ALSO,
            ),
            (&["b"], texts::help::A_BLACK_SCREEN_AND_BACK),
            (&["+", "-"], texts::help::LARGER_AND_SMALLER_TYPE),
            (&[texts::help::ESC], texts::help::END_THE_PRESENTATION),
        ],
    ),
    (
        texts::help::PAGE,
        &[
            (&["s"], texts::help::SHARE_THE_PROGRAM_AS_A),
            (&["?"], texts::help::THIS_LIST),
            (&[texts::help::ESC], texts::help::CLOSE_WHAT_IS_OPEN),
        ],
    ),
];

/// What is written in a command, and what it means.
const NOTATION: &[(&str, &str)] = &[
    (
        texts::help::LET_X_P_IN_Q,
        texts::help::RUN_P_CALL_ITS_RESULT,
    ),
    ("⌊M⌋", texts::help::THE_VALUE_OF_M_WITH),
    ("FC[ℓ](x)", texts::help::PERFORM_THE_OPERATION_FC_ON),
    ("Get[ℓ]()  Put[ℓ](w)", texts::help::READ_AND_WRITE_THE_HEAP),
    (texts::help::REV_HANDLE_V_X_R, texts::help::RUN_R_ON_X_V),
    (
        texts::help::RH_V_X_R_WITH,
        texts::help::THE_SAME_UNDER_WAY_R,
    ),
    ("y.rd(x. M)(v)", texts::help::THE_REVERSE_DERIVATIVE_OF_M),
    ("x′  x″", texts::help::COTANGENTS_OF_X_ADDED_UP),
    ("x₁", texts::help::ANOTHER_VARIABLE_THAT_WAS_CALLED),
    (
        "8  ·  8 × 2  ·  8 zeros",
        texts::help::A_VECTOR_OF_8_ENTRIES,
    ),
];

/// The dialog, if it is open.
pub(super) fn help(model: &Model, dispatch: &Callback<Msg>) -> Html {
    if model.overlay != Overlay::Help {
        return Html::default();
    }
    html! {
        <Dialog title={texts::help::HELP} close={dispatch.reform(|()| Msg::Over(Overlay::None))}>
            { notation() }
            <h3 class="help-part">{ texts::help::KEYBOARD_SHORTCUTS }</h3>
            { for KEYS.iter().map(|(place, keys)| group(place, keys)) }
            <p class="help-foot">
                { texts::help::IN_THE_EDITOR_ASCII_SPELLINGS }<code>{ "<=" }</code>{ texts::help::BECOMES }<code>{ "⇐" }</code>{ ", " }
                <code>{ "|->" }</code>{ texts::help::BECOMES }<code>{ "↦" }</code>{ ", " }<code>{ "\\alpha" }</code>{ texts::help::BECOMES }<code>{ "α" }</code>
                { texts::help::ON_A_MAC }
            </p>
        </Dialog>
    }
}

fn notation() -> Html {
    let rows = NOTATION.iter().map(|(text, meaning)| {
        html! { <div><dt><code>{ *text }</code></dt><dd>{ *meaning }</dd></div> }
    });
    html! { <section class="notation"><h3 class="help-part">{ texts::help::READING_A_COMMAND }</h3><dl>{ for rows }</dl></section> }
}

fn group(place: &'static str, keys: &[Shortcut]) -> Html {
    let rows = keys.iter().map(|(names, text)| {
        let names = names.iter().map(|name| html! { <kbd>{ *name }</kbd> });
        html! { <div><dt>{ for names }</dt><dd>{ *text }</dd></div> }
    });
    html! { <section><h3>{ place }</h3><dl>{ for rows }</dl></section> }
}
