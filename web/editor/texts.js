// Texts of the editor itself. Texts about a program come from the page; `src/texts.rs` lists all files with texts.

export const PROGRAM = 'Program';
export const MEANING = 'What this means';
export const UNKNOWN = 'Nothing is known here.';
export const UNREADABLE = 'The program could not be read.';
/** @param {number} number */
export const line = (number) => `line ${number}`;
/** @param {string} name */
export const rename = (name) => `Rename ${name} to`;
/** @param {string} name of a key map */
export const withoutKeys = (name) => `The keys of ${name === 'vim' ? 'Vim' : 'Emacs'} could not be loaded. `;
export const AGAIN = 'Try again';
export const COMMAND = 'Command of Vim';
/** @param {string} name of a mode of Vim */
export const mode = (name) => `${name} mode`;
