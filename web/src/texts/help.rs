//! Keys and notation.

pub(crate) const STEPS: &str = "Steps";
pub(crate) const NEXT_STEP: &str = "next step";
pub(crate) const PREVIOUS_STEP: &str = "previous step";
pub(crate) const HOME: &str = "Home";
pub(crate) const FIRST_STEP: &str = "first step";
pub(crate) const END: &str = "End";
pub(crate) const LAST_STEP: &str = "last step";
pub(crate) const SPACE: &str = "Space";
pub(crate) const PLAY_AND_PAUSE: &str = "play, and pause";
pub(crate) const PLAY_SLOWER_FASTER: &str = "play slower, faster";
pub(crate) const EVERY_STEP_NO_BOOKKEEPING_OPERATIONS: &str =
    "every step, no bookkeeping, operations, handlers";
pub(crate) const WHY_THE_RULE_OF_THE: &str = "why: the rule of the step, as in the paper";
pub(crate) const THE_COMMAND_BEFORE_THE_STEP: &str = "the command before the step and after it";
pub(crate) const SEARCH_THE_STEPS_THEN_ENTER: &str = "search the steps; then Enter and Shift Enter";
pub(crate) const JUMPS_WITH_SHIFT_TO_THE: &str = "Jumps; with Shift to the previous one";
pub(crate) const NEXT_OPERATION_FORWARD_OR_BACKWARD: &str = "next operation, forward or backward";
pub(crate) const NEXT_PUT: &str = "next Put";
pub(crate) const NEXT_UNFOLDING_OF_A_REVERSE: &str = "next unfolding of a reverse handler";
pub(crate) const ALT_ENTER: &str = "Alt Enter";
pub(crate) const NEXT_STEP_THAT_COMES_FROM: &str = "next step that comes from the editor's cursor";
pub(crate) const RUN_TO_THE_NEXT_BREAKPOINT: &str = "run to the next breakpoint";
pub(crate) const THE_LAST_JUMP_ONCE_MORE: &str = "the last jump once more, also to a rule";
pub(crate) const NEXT_AND_PREVIOUS_MARK_ON: &str = "next and previous mark on the slider";
pub(crate) const PROGRAM: &str = "Program";
pub(crate) const CTRL_ENTER: &str = "Ctrl Enter";
pub(crate) const SHOW_THE_RUN_FROM_ITS: &str = "show the run from its first step";
pub(crate) const CTRL_S: &str = "Ctrl s";
pub(crate) const SAVE_IT_AS_A_FILE: &str = "save it as a file";
pub(crate) const GO_TO_THE_EDITOR_WHERE: &str = "go to the editor, where the redex comes from";
pub(crate) const CTRL_Z: &str = "Ctrl z";
pub(crate) const UNDO_ALSO_OF_OPENING_ANOTHER: &str = "undo, also of opening another program";
pub(crate) const TAB: &str = "Tab";
pub(crate) const LEAVE_THE_EDITOR: &str = "leave the editor";
pub(crate) const CTRL_SPACE: &str = "Ctrl Space";
pub(crate) const WHAT_CAN_BE_WRITTEN_HERE: &str = "what can be written here";
pub(crate) const CTRL_I: &str = "Ctrl i";
pub(crate) const WHAT_THE_NAME_AT_THE: &str = "what the name at the cursor is";
pub(crate) const GO_TO_ITS_DEFINITION_ALSO: &str = "go to its definition; also Ctrl and a click";
pub(crate) const RENAME_IT_WHEREVER_IT_STANDS: &str = "rename it, wherever it stands";
pub(crate) const CTRL_U: &str = "Ctrl u";
pub(crate) const GO_BACK_TO_WHERE_THE: &str = "go back to where the cursor was";
pub(crate) const APPLY_THE_FIX_ON_THIS: &str = "apply the fix on this line";
pub(crate) const NEXT_MISTAKE_OR_HINT: &str = "next mistake or hint";
pub(crate) const SET_OR_REMOVE_A_BREAKPOINT: &str =
    "set or remove a breakpoint; also a click on the line's number";
pub(crate) const SHIFT_ALT_F: &str = "Shift Alt F";
pub(crate) const FORMAT_THE_PROGRAM: &str = "format the program";
pub(crate) const CTRL_SHIFT_O: &str = "Ctrl Shift O";
pub(crate) const LIST_OF_ITS_DECLARATIONS: &str = "list of its declarations";
pub(crate) const A_DIAGRAM_WHILE_IT_HAS: &str = "A diagram, while it has the focus";
pub(crate) const FROM_BOX_TO_BOX: &str = "from box to box";
pub(crate) const ENTER: &str = "Enter";
pub(crate) const OPEN_A_BOX_ALSO_A: &str = "open a box; also a double click";
pub(crate) const ESC: &str = "Esc";
pub(crate) const FOLD_WHAT_IS_AROUND_IT: &str = "fold what is around it";
pub(crate) const TELL_OF_IT_AND_MARK: &str = "tell of it, and mark its place";
pub(crate) const LARGER_SMALLER_ALL_OF_IT: &str = "larger, smaller, all of it";
pub(crate) const PRESENTING: &str = "Presenting";
pub(crate) const NEXT_AND_PREVIOUS_STEP_ALSO: &str = "next and previous step, also by a clicker";
pub(crate) const A_BLACK_SCREEN_AND_BACK: &str = "a black screen, and back";
pub(crate) const LARGER_AND_SMALLER_TYPE: &str = "larger and smaller type";
pub(crate) const END_THE_PRESENTATION: &str = "end the presentation";
pub(crate) const PAGE: &str = "Page";
pub(crate) const SHARE_THE_PROGRAM_AS_A: &str = "share the program as a link";
pub(crate) const THIS_LIST: &str = "this list";
pub(crate) const CLOSE_WHAT_IS_OPEN: &str = "close what is open";
pub(crate) const LET_X_P_IN_Q: &str = "let x ⇐ P in Q";
pub(crate) const RUN_P_CALL_ITS_RESULT: &str = "run P, call its result x, go on with Q";
pub(crate) const THE_VALUE_OF_M_WITH: &str = "the value of M, with no operation";
pub(crate) const PERFORM_THE_OPERATION_FC_ON: &str =
    "perform the operation FC on x; what that means is up to a handler";
pub(crate) const READ_AND_WRITE_THE_HEAP: &str = "read and write the heap";
pub(crate) const REV_HANDLE_V_X_R: &str = "rev handle(v)⟨x⟩. R with H";
pub(crate) const RUN_R_ON_X_V: &str =
    "run R on x = v: H handles its operations, forward and then back";
pub(crate) const RH_V_X_R_WITH: &str = "RH(v)⟨x⟩. R with H";
pub(crate) const THE_SAME_UNDER_WAY_R: &str = "the same under way: R is what is left of the network, v are the values it uses; it gives back the \
         cotangents of x";
pub(crate) const THE_REVERSE_DERIVATIVE_OF_M: &str = "the reverse derivative of M at x = v: carries the cotangent y back; rd[f] is that of a function f";
pub(crate) const COTANGENTS_OF_X_ADDED_UP: &str =
    "cotangents of x, added up where there are several";
pub(crate) const ANOTHER_VARIABLE_THAT_WAS_CALLED: &str = "another variable that was called x too";
pub(crate) const A_VECTOR_OF_8_ENTRIES: &str = "a vector of 8 entries, a matrix of 8 rows and 2 columns, zeros; on each, a click or Enter shows the entries";
pub(crate) const HELP: &str = "Help";
pub(crate) const KEYBOARD_SHORTCUTS: &str = "Keyboard shortcuts";
pub(crate) const IN_THE_EDITOR_ASCII_SPELLINGS: &str =
    "In the editor, ASCII spellings turn into Unicode as you type: ";
pub(crate) const BECOMES: &str = " becomes ";
pub(crate) const READING_A_COMMAND: &str = "Reading a command";
pub(crate) const ON_A_MAC: &str = ". On a Mac, Cmd takes the place of Ctrl.";
