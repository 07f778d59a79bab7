// Styles of the key maps, in the page's colours.

import { EditorView } from '@codemirror/view';

export const looks = EditorView.theme({
  // The packages' own styles have a higher precedence, so these selectors are more specific.
  '& .cm-scroller .cm-fat-cursor': { background: 'var(--ink)', color: 'var(--surface) !important' },
  '&:not(.cm-focused) .cm-scroller .cm-fat-cursor': {
    background: 'none', outline: '1px solid var(--ink-3)', color: 'transparent !important',
  },
  '& .cm-panels .cm-vim-panel': {
    display: 'flex', alignItems: 'center', gap: '.5rem', minHeight: '1.5rem', padding: '0 .75rem', color: 'var(--ink-2)',
    font: '.75rem/1.5rem var(--mono, monospace)', maxHeight: '40vh', overflow: 'auto',
  },
  // A prompt of Vim has a sign, a field and a note.
  '& .cm-vim-panel > div': { flex: '1', minWidth: '0' },
  '& .cm-vim-panel > div ~ span': { display: 'none' },
  '& .cm-vim-panel > div > div > span': { alignItems: 'baseline', fontFamily: 'inherit !important' },
  '& .cm-vim-panel > div > div > span + span': {
    flex: '0 1 auto', overflow: 'hidden', color: 'var(--ink-2) !important', textOverflow: 'ellipsis', whiteSpace: 'nowrap',
  },
  '& div.cm-vim-message': { color: 'var(--error) !important', whiteSpace: 'pre-wrap !important' },
  '& .cm-vim-panel input': { minWidth: '4ch', padding: '0', color: 'var(--ink)', font: 'inherit' },
});
