/**
 * The checker and the formatter alone: a smaller module than that of `fletch`, for an editor that runs nothing.
 *
 * @packageDocumentation
 */

/** A place in a program. */
export interface Span {
  /** Offset of its begin, in UTF-16 code units from 0: `source.slice(start, end)` is the text. */
  start: number;
  /** Offset of its end, in UTF-16 code units. */
  end: number;
  /** Line of its begin, from 1. */
  line: number;
  /** Column of its begin, in characters (code points) from 1. */
  column: number;
  /** Line of its end, from 1. */
  endLine: number;
  /** Column of its end, in characters from 1. */
  endColumn: number;
}

/** One thing that is wrong with a program, a run or what was asked for. */
export interface Problem {
  /**
   * A stable code, `F` and four digits: F00xx tokens, F01xx grammar, F02xx names, F03xx indices and shapes, F04xx types, F05xx operations
   * and handlers, F06xx runs, F09xx limits. Null if what was asked for is not there, such as a command of this name.
   */
  code: string | null;
  /** An error rejects the program; with a warning or a hint it runs. */
  severity: 'error' | 'warning' | 'hint';
  /** One sentence, with the names and types of the program. */
  message: string;
  /** Its place in the program; null if it has none. */
  span: Span | null;
  /** Further places that explain the first. */
  related: { span: Span; message: string }[];
  /** Advice. */
  help: string | null;
  /** An edit that follows the advice: `replacement` in place of `span`. */
  fix: { title: string; span: Span; replacement: string } | null;
  /** The file that it is about, of those that the program reads. */
  file: string | null;
}

/** An answer that is none. */
export interface Failure {
  ok: false;
  /** The reason. */
  error: Problem;
}

/**
 * Files that a program reads (`data d = csv("points.csv")`), by the names that it calls them: text, or bytes in any encoding of text, 16 MB
 * at most each. Nothing is fetched; a file that is not here is one that is missing.
 */
export type DataFiles = Record<string, string | Uint8Array | ArrayBuffer> | Map<string, string | Uint8Array | ArrayBuffer>;

/** A checked program. */
export interface Checked {
  /** False if there is an error. */
  ok: boolean;
  /** Errors, warnings and hints in order of place. */
  diagnostics: Problem[];
  /** `main`, if it has a type: that type, and the height and the number of nodes of its term. */
  main: { type: string; depth: number; size: number } | null;
  /** Names of the files that the program reads. */
  files: string[];
}

/**
 * Parses and checks a program. It goes on after an error, and never throws for what is in the text.
 *
 * @throws TypeError if an argument or an option is of another kind.
 */
export function check(source: string, options?: { files?: DataFiles }): Checked;

/**
 * Lays a program out anew, with its comments. Only white space and the spelling of tokens change; line ends and a byte order mark stay.
 * With `ascii`, tokens are written in ASCII (`<=` for `⇐`).
 *
 * @throws TypeError if an argument or an option is of another kind.
 */
export function format(source: string, options?: { ascii?: boolean }): { ok: true; text: string } | Failure;
