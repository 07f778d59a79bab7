// Names of CodeMirror's packages that the key maps use. Two copies of a package would not work together, so the key maps get the
// editor's copy. `build.mjs` reads the names from this file, and fails on a used name that is missing here.

export { completionStatus, startCompletion } from '@codemirror/autocomplete';
export {
  cursorCharBackward, cursorCharForward, cursorCharLeft, cursorDocEnd, cursorDocStart, cursorGroupLeft, cursorGroupRight,
  cursorLineBoundaryBackward, cursorLineBoundaryForward, cursorLineDown, cursorLineEnd, cursorLineStart, cursorLineUp,
  cursorPageDown, cursorPageUp, deleteCharBackward, deleteCharForward, history, indentLess, indentMore, indentSelection,
  insertNewlineAndIndent, isolateHistory, redo, selectAll, selectCharBackward, selectCharForward, selectDocEnd, selectDocStart,
  selectGroupBackward, selectGroupForward, selectGroupLeft, selectGroupRight, selectLineDown, selectLineEnd, selectLineStart,
  selectLineUp, selectPageDown, selectPageUp, simplifySelection, splitLine, toggleComment, toggleLineComment, transposeChars,
  undo, undoDepth,
} from '@codemirror/commands';
export { StringStream, ensureSyntaxTree, foldCode, indentUnit, matchBrackets } from '@codemirror/language';
export { RegExpCursor, SearchQuery, openSearchPanel, setSearchQuery } from '@codemirror/search';
export { EditorSelection, EditorState, MapMode, Prec, RangeSetBuilder, StateEffect, StateField } from '@codemirror/state';
export {
  Decoration, Direction, EditorView, ViewPlugin, getDrawSelectionConfig, runScopeHandlers, showPanel,
} from '@codemirror/view';
