//! The tab of diagrams.

use std::fmt::Display;

pub(crate) const RETURN_CLAUSE: &str = "return clause";
pub(crate) const STRING_DIAGRAM: &str = "string diagram";
pub(crate) fn step(name: impl Display, at: impl Display) -> String {
    format!("{name}: step {at}")
}
pub(crate) fn show_in_the_heap(name: impl Display) -> String {
    format!("Show {name} in the heap")
}
pub(crate) fn the_box(shape: impl Display) -> String {
    format!("The box {shape}")
}
pub(crate) const IN_THE_SANDWICH: &str = "in the sandwich";
pub(crate) const CLOSE: &str = "Close";
pub(crate) fn string_diagram_of_the_network(of: impl Display, signature: impl Display) -> String {
    format!("String diagram of the network of {of} : {signature}")
}
pub(crate) fn string_diagram_of(of: impl Display, signature: impl Display) -> String {
    format!("String diagram of {of} : {signature}")
}
pub(crate) const THERE_IS_NO_DIAGRAM_YET: &str =
    "There is no diagram yet: the program has an error.";
pub(crate) const DRAWING: &str = "Drawing …";
pub(crate) const THERE_IS_NOTHING_TO_DRAW: &str =
    "There is nothing to draw: the program declares no command and no `main`.";
pub(crate) const DIAGRAM: &str = "Diagram";
pub(crate) const HANDLED: &str = "handled";
pub(crate) const THE_COMMAND_WITH_ITS_HANDLER: &str =
    "The command with its handler: out, the return clause, and back";
pub(crate) const NETWORK: &str = "network";
pub(crate) const WHAT_THE_HANDLER_HANDLES_ITS: &str =
    "What the handler handles: its operations have no behaviour yet";
pub(crate) const BOTH: &str = "both";
pub(crate) const THE_NETWORK_AND_THE_HANDLED: &str =
    "The network and the handled command, one below the other";
pub(crate) const BENT: &str = "bent";
pub(crate) const OUT_AND_BACK_SIDE_BY: &str =
    "Out and back side by side: each operation stands beside its own backward clause";
pub(crate) const UNBENT: &str = "unbent";
pub(crate) const IN_ONE_LINE_AS_IN: &str = "In one line, as in the paper";
pub(crate) const WHAT_IS_DRAWN: &str = "What is drawn";
pub(crate) const COMMAND: &str = "Command";
pub(crate) const THE_COMMAND_THAT_IS_DRAWN: &str = "The command that is drawn";
pub(crate) const PART_OF_THE_COMMAND: &str = "Part of the command";
pub(crate) const STYLE: &str = "Style";
pub(crate) const DIRECTION: &str = "Direction";
pub(crate) const FROM_TOP_TO_BOTTOM_WHERE: &str = "From top to bottom, where it is the sandwich";
pub(crate) const DOWNWARD: &str = "downward";
pub(crate) const BOXES: &str = "Boxes";
pub(crate) const OPEN: &str = "open";
pub(crate) const OPEN_THE_BOX_WITH_THE: &str =
    "Open the box with the focus: Enter, or a double click on it";
pub(crate) const FOLD: &str = "fold";
pub(crate) const FOLD_WHAT_IS_AROUND_THE: &str =
    "Fold what is around the box with the focus, last of all the run of its handler: Escape";
pub(crate) const OPEN_ALL: &str = "open all";
pub(crate) const LOOK_INTO_EVERY_BOX: &str = "Look into every box";
pub(crate) const FOLD_ALL: &str = "fold all";
pub(crate) const FOLD_WHATEVER_IS_OPEN: &str = "Fold whatever is open";
pub(crate) const SAVE_THE_DIAGRAM: &str = "Save the diagram";
pub(crate) const SAVE: &str = "Save";
pub(crate) const NETWORK_OF_TYPE: &str = "network :";
pub(crate) const ZOOM: &str = "Zoom";
pub(crate) const SMALLER: &str = "Smaller (−)";
pub(crate) const FIT: &str = "fit";
pub(crate) const FIT_ALL_OF_IT_0: &str = "Fit all of it (0)";
pub(crate) const LARGER: &str = "Larger (+)";
pub(crate) const THE_BOXES_IN_THEIR_ORDER: &str = "The boxes in their order";
pub(crate) const OPERATION: &str = "operation";
pub(crate) const PURE_MAP: &str = "pure map";
pub(crate) const VALUE: &str = "value";
pub(crate) const GOES_BACK_THE_GRADIENT_IN: &str = "goes back: the gradient, in training";
pub(crate) const SAVED: &str = "saved";
pub(crate) const WEIGHTS: &str = "weights";
pub(crate) const NOT_RUN_YET: &str = "not run yet";
pub(crate) const NEXT: &str = "next";
pub(crate) fn n_1_statement(what: impl Display) -> String {
    format!("1 statement {what}")
}
pub(crate) fn statements(count: impl Display, what: impl Display) -> String {
    format!("{count} statements {what}")
}
pub(crate) fn statements_of(title: impl Display) -> String {
    format!("Statements of {title}")
}
pub(crate) fn takes(inputs: impl Display) -> String {
    format!("takes {inputs}")
}
pub(crate) fn gives(outputs: impl Display) -> String {
    format!("gives {outputs}")
}
pub(crate) fn line(line: impl Display) -> String {
    format!("line {line}")
}
pub(crate) const TAKES_NOTHING: &str = "takes nothing";
pub(crate) const BEFORE: &str = "before";
pub(crate) const AFTER: &str = "after";
pub(crate) const SHOW_IT_IN_THE_PROGRAM: &str = "Show it in the program";
pub(crate) const DIFFERS: &str = "differs";
pub(crate) const SET_ASIDE: &str = "set aside";
pub(crate) const BACK: &str = "back";
pub(crate) const FORWARD: &str = "forward";
pub(crate) const AT_WORK: &str = "At work: ";
pub(crate) const WAITS: &str = "Waits: ";
pub(crate) const AT_THE_CURSOR: &str = "At the cursor: ";
pub(crate) const VALUES_ON_THE_WIRES: &str = "Values on the wires";
pub(crate) fn in_the_heap(names: impl Display) -> String {
    format!("\nin the heap: {names}")
}
pub(crate) fn a_click_folds_it(trim_end: impl Display) -> String {
    format!("{trim_end}\na click folds it")
}
pub(crate) fn saves(only: impl Display) -> String {
    format!(", saves {only}")
}
pub(crate) fn saves_and(first: impl Display, last: impl Display) -> String {
    format!(", saves {first} and {last}")
}
pub(crate) fn parts(entries: impl Display, columns: impl Display) -> String {
    format!("{entries} × {columns} parts")
}
pub(crate) fn of_each_of_the_entry(
    space: impl Display,
    parts: impl Display,
    text: impl Display,
) -> String {
    format!("{space} : of each of {parts}, the entry farthest from 0{text}")
}
pub(crate) fn all_from_to(
    space: impl Display,
    least: impl Display,
    most: impl Display,
    text: impl Display,
) -> String {
    format!("{space}, all from {least} to {most} : {text}\n…")
}
pub(crate) const A_DOUBLE_CLICK_OPENS_IT: &str = "\na double click opens it";
pub(crate) const A_RUN_OF: &str = "a run of ";
pub(crate) const BACKWARD: &str = ", backward";
pub(crate) const GOES_FORWARD: &str = ", forward";
pub(crate) const THE_SUM: &str = "the sum";
pub(crate) const A_VALUE_ON_ITS_WAY: &str = "a value on its way forward";
pub(crate) const WHAT_GOES_BACK: &str = "what goes back";
pub(crate) const SAVED_FOR_THE_WAY_BACK: &str = "saved for the way back";
pub(crate) const NOT_YET_COMPUTED: &str = "not yet computed";
pub(crate) const ON_THE_WIRES: &str = "On the wires";
pub(crate) const NORMS: &str = "Norms";
pub(crate) const NORMS_TITLE: &str =
    "How long the values and gradients on the wires are, from the heap that the training has now";
pub(crate) fn norm(norm: impl Display) -> String {
    format!("norm {norm}")
}
pub(crate) fn norms_after(epochs: impl Display) -> String {
    format!(
        "‖x‖: the norm of what a wire carries, which its width shows too, from the heap after {epochs} epochs of training."
    )
}
pub(crate) const NORMS_AT_FIRST: &str = "‖x‖: the norm of what a wire carries, which its width shows too. The training has not begun: this is the heap that the program starts from.";
