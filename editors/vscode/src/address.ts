// The address of the playground for a program: the panes in its query, the program in its fragment, which no request carries.

import { deflateRawSync } from 'node:zlib';

/** The part of the playground that a panel shows. */
export type View = 'steps' | 'diagram' | 'train';

/** The longest program that the playground opens, in bytes. */
export const MOST_BYTES = 1_000_000;

/** Panes of an embedded page. Training has the whole page: it is no pane. */
const PANES: Record<View, string | undefined> = { steps: 'steps,sandwich,heap', diagram: 'diagram', train: undefined };

/**
 * The address, or nothing where the program is longer than the playground takes.
 *
 * @param site the address of the site, with a slash at its end
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
