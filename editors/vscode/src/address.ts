// The playground's address for a program: panes in the query, the program in the fragment, which no request contains.

import { deflateRawSync } from 'node:zlib';

/** View of the playground that a panel shows. */
export type View = 'steps' | 'diagram' | 'train';

/** Maximum length of a program that the playground opens, in bytes of UTF-8. */
export const MOST_BYTES = 1_000_000;

/** Panes of the embedded page for each view. Training is not a pane, so its view is the whole page. */
const PANES: Record<View, string | undefined> = { steps: 'steps,sandwich,heap', diagram: 'diagram', train: undefined };

/**
 * Returns the address, or undefined if the program is longer than `MOST_BYTES`.
 *
 * @param site address of the site, ending with a slash
 */
export function address(site: string, text: string, view: View): string | undefined {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length > MOST_BYTES) return undefined;
  const page = new URL(site);
  const panes = PANES[view];
  if (panes !== undefined) page.search = `embed=&panes=${panes}&readonly=`;
  const payload = deflateRawSync(bytes).toString('base64url');
  page.hash = panes === undefined ? `v1.${payload}&view=${view}` : `v1.${payload}`;
  return page.href;
}
