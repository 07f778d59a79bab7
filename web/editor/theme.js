// Styles of the editor. They use only the page's custom properties for colours, so that light, dark and large type follow the page.

import { EditorView } from '@codemirror/view';

const panel = { backgroundColor: 'var(--surface)', color: 'var(--ink)', borderColor: 'var(--line)' };
const raised = { ...panel, border: '1px solid var(--line)', borderRadius: '.5rem', boxShadow: 'var(--shadow, none)' };

export const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'var(--surface)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono, "JetBrains Mono", monospace)', lineHeight: '1.62', overflow: 'auto' },
  '.cm-content': { padding: '.625rem 0', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0 .75rem 0 calc(.375rem + var(--hang, 2ch))', textIndent: 'calc(-1 * var(--hang, 2ch))' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--ink)', borderLeftWidth: '2px' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'var(--selection, color-mix(in srgb, var(--fn) 22%, transparent))',
  },
  // The active line is highlighted only in a focused editor; otherwise it would look like a mark of the step.
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--sunken) 60%, transparent)' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--ink-3)', border: 'none' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--ink)' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 .5rem 0 .75rem', minWidth: '2.25rem', position: 'relative', cursor: 'pointer' },
  '.cm-lineNumbers .cm-gutterElement::before': {
    content: '""', position: 'absolute', left: '3px', top: 'calc(0.81em - .25rem)', width: '.5rem', height: '.5rem', borderRadius: '50%',
  },
  '.cm-lineNumbers .cm-gutterElement:hover::before': { boxShadow: 'inset 0 0 0 1.5px var(--line-strong)' },
  '.cm-lineNumbers .cm-breakpoint': { color: 'var(--ink)', fontWeight: '650' },
  '.cm-lineNumbers .cm-breakpoint::before, .cm-lineNumbers .cm-breakpoint:hover::before': {
    backgroundColor: 'var(--error)', boxShadow: 'none',
  },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'transparent', color: 'inherit', outline: '1px solid var(--ink-3)', borderRadius: '2px',
  },
  '.cm-nonmatchingBracket, &.cm-focused .cm-nonmatchingBracket': {
    backgroundColor: 'transparent', color: 'inherit', outline: '1px dashed var(--op)', borderRadius: '2px',
  },
  '.cm-selectionMatch': { backgroundColor: 'color-mix(in srgb, var(--fn) 12%, transparent)' },
  // On a dark page a stronger background would leave coloured words too little contrast.
  '.cm-searchMatch': { backgroundColor: 'color-mix(in srgb, var(--redex-line) 22%, transparent)' },
  '.cm-searchMatch-selected': { outline: '1.5px solid var(--redex-line)', borderRadius: '2px' },
  '.cm-redex-line': { backgroundColor: 'color-mix(in srgb, var(--redex) 55%, transparent)' },
  '.cm-ran': { boxShadow: 'inset 0 -1px 0 var(--ink-3)', borderRadius: '2px' },
  '.cm-redex': { backgroundColor: 'var(--redex)', boxShadow: '0 1.5px 0 var(--redex-line)', borderRadius: '2px' },

  '.cm-panels': panel,
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panels.cm-panels-bottom': { borderTop: '1px solid var(--line)' },
  '.cm-panel.cm-search': { padding: '.375rem .625rem', font: '.8125rem var(--ui, sans-serif)' },
  '.cm-panel.cm-dialog': { padding: '.375rem .625rem', font: '.8125rem var(--ui, sans-serif)' },
  '.cm-panel.cm-rename-refused label': { color: 'var(--error, inherit)' },
  '.cm-panel.cm-search [name=close]': { color: 'var(--ink-2)', fontSize: '1rem', top: '2px', right: '.375rem' },
  '.cm-textfield': {
    backgroundColor: 'var(--paper)', color: 'var(--ink)', border: '1px solid var(--line)', borderRadius: '.375rem', padding: '3px .4375rem',
  },
  '.cm-button': {
    backgroundImage: 'none', backgroundColor: 'var(--sunken)', color: 'var(--ink)', border: '1px solid var(--line)',
    borderRadius: '.375rem',
  },

  '.cm-tooltip': { ...raised, maxWidth: 'min(56ch, calc(100vw - 1rem))', zIndex: '30' },
  '.cm-tooltip.cm-tooltip-lint': { padding: '0', overflow: 'hidden' },
  '.cm-hover': { padding: '.5rem .6875rem', font: '.8125rem/1.45 var(--ui, sans-serif)', overflowWrap: 'anywhere' },
  '.cm-hover-kind': { display: 'block', color: 'var(--ink-2)', font: '.6875rem/1.4 var(--ui, sans-serif)' },
  '.cm-hover-title, .cm-hover-general': { display: 'block', font: '.8125rem/1.5 var(--mono, monospace)' },
  '.cm-hover-general': { opacity: '0.85', fontSize: '.6875rem' },
  '.cm-hover-text': { color: 'var(--ink-2)', marginTop: '3px', whiteSpace: 'pre-wrap' },
  '.cm-tooltip.cm-tooltip-autocomplete': { maxWidth: 'calc(100vw - 1rem)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--mono, monospace)', minWidth: 'min(13.75rem, calc(100vw - 1rem))', maxWidth: 'min(62ch, calc(100vw - 1rem))',
    maxHeight: '16em', padding: '3px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    display: 'flex', alignItems: 'baseline', gap: '.5rem', padding: '3px .4375rem', borderRadius: '.3125rem', overflow: 'hidden',
  },
  '.cm-completionLabel': { flex: 'none' },
  '.cm-kind': { flex: 'none', width: '1.2em', textAlign: 'center', fontWeight: '700', color: 'var(--ink-2)' },
  '.cm-kind-operation': { color: 'var(--op)' },
  '.cm-kind-function, .cm-kind-function-symbol': { color: 'var(--fn)' },
  '.cm-kind-location': { color: 'var(--loc)' },
  '.cm-kind-handler': { color: 'var(--handler)' },
  'li[aria-selected] .cm-kind': { color: 'inherit' },
  '.cm-tooltip.cm-completionInfo': {
    maxWidth: 'min(44ch, calc(100vw - 1rem))', padding: '.4375rem .625rem', font: '.8125rem/1.45 var(--ui, sans-serif)', whiteSpace: 'pre-wrap',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--fn)', color: 'var(--surface)' },
  '.cm-completionDetail': {
    marginLeft: 'auto', color: 'var(--ink-2)', fontStyle: 'normal', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap',
  },
  'li[aria-selected] .cm-completionDetail': { color: 'inherit' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },

  '.cm-diagnostic': { padding: '.4375rem .625rem', font: '.8125rem/1.45 var(--ui, sans-serif)', borderLeftWidth: '3px' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--error, var(--op))' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--warning, var(--redex-line))' },
  '.cm-diagnostic-info, .cm-diagnostic-hint': { borderLeftColor: 'var(--fn)' },
  '.cm-diagnosticBody': { whiteSpace: 'pre-wrap' },
  '.cm-diagnosticBody code': { font: '.8125rem var(--mono, monospace)', fontVariantLigatures: 'none' },
  '.cm-diagnosticBody .cm-diagnostic-code': {
    float: 'right', margin: '-1px -3px 0 .625rem', padding: '1px .3125rem', border: 'none', borderRadius: '.3125rem', background: 'none',
    color: 'var(--ink-2)', font: '.6875rem/1.125rem var(--mono, monospace)',
  },
  '.cm-diagnosticBody button.cm-diagnostic-code': { cursor: 'pointer', textDecoration: 'underline dotted', textUnderlineOffset: '3px' },
  '.cm-diagnosticBody button.cm-diagnostic-code:hover': { background: 'var(--hover)', color: 'var(--ink)' },
  '.cm-diagnosticBody .cm-diagnostic-label': {
    display: 'block', width: '100%', padding: '1px 0', border: 'none', background: 'none', color: 'var(--ink-2)', font: 'inherit',
    fontSize: '.8125rem', textAlign: 'left', whiteSpace: 'pre-wrap', cursor: 'pointer',
  },
  '.cm-diagnosticBody .cm-diagnostic-label > span': { textDecoration: 'underline dotted', textUnderlineOffset: '3px' },
  '.cm-diagnosticBody .cm-diagnostic-label:hover': { color: 'var(--ink)' },
  '.cm-diagnosticBody .cm-diagnostic-hint': { color: 'var(--ink-2)', border: 'none', marginTop: '3px' },
  '.cm-diagnosticAction': {
    margin: '.375rem 0 0', padding: '3px .5625rem', backgroundColor: 'var(--fn)', color: 'var(--surface)', borderRadius: '.375rem', font: 'inherit',
  },
  // CodeMirror draws squiggles as images in fixed colours; a wavy underline takes the page's colours.
  '.cm-lintRange': { backgroundImage: 'none', paddingBottom: '0' },
  '.cm-lintRange-error': { textDecoration: 'underline wavy var(--error, var(--op))', textUnderlineOffset: '3px' },
  '.cm-lintRange-warning': { textDecoration: 'underline wavy var(--warning, var(--redex-line))', textUnderlineOffset: '3px' },
  '.cm-lintRange-info, .cm-lintRange-hint': { textDecoration: 'underline dotted var(--ink-3)', textUnderlineOffset: '3px' },
  '.cm-lintRange-active': { backgroundColor: 'color-mix(in srgb, var(--redex) 45%, transparent)' },
  '.cm-gutter-lint': { width: '.875rem' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '0 0 0 3px' },
  // Vertically centred in a line of height 1.62.
  '.cm-lint-marker': { display: 'block', width: '.625rem', height: '.625rem', position: 'relative', top: 'calc(0.81em - .3125rem)' },
  // A circle, a triangle and a ring: shape as well as colour distinguishes the severities.
  '.cm-lint-marker-error': { content: '""', backgroundColor: 'var(--error, var(--op))', borderRadius: '50%' },
  '.cm-lint-marker-warning': {
    content: '""', backgroundColor: 'var(--warning, var(--redex-line))', clipPath: 'polygon(50% 0, 100% 100%, 0 100%)',
  },
  '.cm-lint-marker-info, .cm-lint-marker-hint': {
    content: '""', boxShadow: 'inset 0 0 0 2px var(--ink-3)', borderRadius: '50%', transform: 'scale(0.7)',
  },
});
