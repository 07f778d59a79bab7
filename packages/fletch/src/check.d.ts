/**
 * The checker and the formatter alone. Their module is smaller than the module of `fletch`: use it in an editor that runs nothing.
 *
 * @packageDocumentation
 */

/** A range of the text of a program. */
export interface Span {
  /** Offset of the start, in UTF-16 code units from 0: `source.slice(start, end)` is the text of the range. */
  start: number;
  /** Offset of the end (exclusive), in UTF-16 code units from 0. */
  end: number;
  /** Line of the start, from 1. */
  line: number;
  /** Column of the start, in code points from 1. */
  column: number;
  /** Line of the end, from 1. */
  endLine: number;
  /** Column of the end (exclusive), in code points from 1. */
  endColumn: number;
}

/** A diagnostic of a program, a run or a request. */
export interface Problem {
  /**
   * Stable code, `F` and four digits: F00xx tokens, F01xx grammar, F02xx names, F03xx indices and shapes, F04xx types, F05xx operations
   * and handlers, F06xx runs, F09xx limits. Null if the request is at fault, for example if it names a command that does not exist.
   */
  code: string | null;
  /** `'error'` rejects the program; a program with warnings and hints alone can run. */
  severity: 'error' | 'warning' | 'hint';
  /** One sentence, with the names and types of the program. */
  message: string;
  /** Range of the program that the diagnostic is about; null if there is none. */
  span: Span | null;
  /** Further ranges that explain the diagnostic, each with a message. */
  related: { span: Span; message: string }[];
  /** Advice on how to solve the problem; null if there is none. */
  help: string | null;
  /** Edit that follows the advice: replaces the text of `span` by `replacement`. Null if there is none. */
  fix: { title: string; span: Span; replacement: string } | null;
  /** Name of the data file that the diagnostic is about; null if it is about the program. */
  file: string | null;
}

/** Result of a call that failed. */
export interface Failure {
  ok: false;
  /** Reason of the failure. */
  error: Problem;
}

/**
 * Files that a program reads (`data d = csv("points.csv")`), by the names in the program. A file is text, or bytes in any text encoding, of
 * at most 8 MiB and 100 000 lines of numbers. Nothing is fetched: a file that is not given here counts as missing.
 */
export type DataFiles = Record<string, string | Uint8Array | ArrayBuffer> | Map<string, string | Uint8Array | ArrayBuffer>;

/** Result of {@link check}. */
export interface Checked {
  /** False if a diagnostic is an error. */
  ok: boolean;
  /** Errors, warnings and hints, in the order of their positions in the program. */
  diagnostics: Problem[];
  /** Type of `main`, nesting depth of its handlers, and size of its typing derivation; null if `main` has no type. */
  main: { type: string; depth: number; size: number } | null;
  /** Names of the data files that the program reads. */
  files: string[];
}

/**
 * Parses and checks a program. Checking continues after an error, and no program text makes it throw.
 *
 * @throws TypeError if an argument or an option has the wrong type, or an option is unknown.
 */
export function check(source: string, options?: { files?: DataFiles }): Checked;

/**
 * Formats a program and its comments. Only white space and the spelling of tokens change; line endings and a byte order mark stay. With
 * `ascii`, tokens are written in ASCII (`<=` for `⇐`). Fails if the text has a syntax error.
 *
 * @throws TypeError if an argument or an option has the wrong type, or an option is unknown.
 */
export function format(source: string, options?: { ascii?: boolean }): { ok: true; text: string } | Failure;
