/**
 * The calculus of reverse handlers. What is wrong with a program is a value, `{ ok: false, error }` or a `Problem`; a mistake of the
 * caller, such as an option that is none, is a `TypeError`. The same program, files, heap and options have the same answer, to the last bit.
 *
 * @packageDocumentation
 */
import type { DataFiles, Failure, Problem, Span } from './check.js';

export { check, format } from './check.js';
export type { Checked, DataFiles, Failure, Problem, Span } from './check.js';

/** An array of numbers. */
export interface Tensor {
  /** Sizes, outermost first: `[3, 2]` is a matrix of 3 rows. A location `ℓ ∷ (n, m)` of a layer from n to m has `[m, n]`. */
  shape: number[];
  /** Entries, row-major; as many as the product of the shape. */
  data: Float64Array;
}

/** A point of a type: a vector of `Real(n)`, or an array with a value for each factor of a product. */
export type Value = Tensor | Value[];

/** Contents of locations, by name. */
export type Heap = Record<string, Tensor>;

/** A heap that is given: entries may be in a plain array. Locations that it does not name keep what the program says. */
export type GivenHeap = Record<string, { shape: readonly number[]; data: Float64Array | readonly number[] }>;

/** Options of {@link run}. */
export interface RunOptions {
  files?: DataFiles;
  /** Contents of locations at first, instead of what the program says. */
  heap?: GivenHeap;
  /** Small steps, `'step'`, if nothing is said; the denotation evaluated; or that compiled to loops over buffers, the fastest. */
  engine?: 'step' | 'denotation' | 'compiled';
  /** Numbers of 64 or, for the engine `'compiled'`, 32 bits. */
  precision?: 'f64' | 'f32';
  /** Partial function symbols outside of their domain stop a run, `'paper'`, or have the conventions of frameworks, `'total'`. */
  mode?: 'paper' | 'total';
  /** Leaves out what is known to be 0, for the engine `'step'`: fewer steps, with rules of their own. */
  shortcuts?: boolean;
  /** Steps of the engine `'step'` at most; 1 000 000 if nothing is said. */
  maxSteps?: number;
}

/** End of a run that has come to a value. */
export interface Ran {
  ok: true;
  value: Value;
  /** Contents of all locations at the end. */
  heap: Heap;
  /** Reductions, and how often each rule was used; null for engines without steps. */
  steps: { total: number; rules: Record<string, number> } | null;
}

/** A run without a value: the program is rejected, or the run stops. If it had begun, with its heap at the end. */
export interface NotRan extends Failure {
  heap?: Heap;
  steps?: { total: number; rules: Record<string, number> } | null;
}

/**
 * Runs `main` to its end, on the thread of the caller.
 *
 * @throws TypeError if an argument or an option is of another kind, or options do not go together.
 */
export function run(source: string, options?: RunOptions): Ran | NotRan;

/** A small step. */
export interface Step {
  /** From 1. */
  number: number;
  /** The rule, as the paper names it. */
  rule: string;
  /** What is reduced, as text. */
  redex: string;
  /** One sentence. */
  explanation: string;
  /** The command after the step, as text; of a large one what is near the step. */
  command: string;
  /** What the step writes to the heap. */
  writes: { location: string; before: Tensor; after: Tensor }[];
}

/** Options of {@link trace}. */
export interface TraceOptions {
  files?: DataFiles;
  /** The first step, from 1. */
  from?: number;
  /** The last step. */
  to?: number;
  shortcuts?: boolean;
  mode?: 'paper' | 'total';
  /** Numbers in text with all digits, instead of without those that only rounding has made. */
  exact?: boolean;
}

/** A run, step by step. Its states are kept in memory until it is collected. */
export interface Trace extends IterableIterator<Step> {
  /** The reason why there are no more steps and no value; null as long as there is none. */
  readonly error: Problem | null;
  /** The value, once the last step was taken. */
  readonly value: Value | null;
}

/**
 * Steps through `main`: an iterator that computes a few steps ahead. After a `break` it goes on where it was.
 *
 * @throws TypeError if an argument or an option is of another kind, or there are no steps in the range.
 */
export function trace(source: string, options?: TraceOptions): Trace;

/** A statement of an arrow: `results ← applies(arguments)`. */
export interface Statement {
  kind: 'symbol' | 'constant' | 'operation' | 'loop';
  applies: string;
  /** Numbers of wires. */
  arguments: number[];
  results: number[];
  /** Sizes of the results, in numbers. */
  sizes: number[];
  /** False if nothing depends on it. */
  used: boolean;
  /** The part of the program that it comes from. */
  span: Span;
  /** Handlers that it went through, and what else the command line's `arrow --json` says. */
  [more: string]: unknown;
}

/** A denotation. */
export interface Arrow {
  ok: true;
  /** Parameters of the command. */
  inputs: { name: string; type: string }[];
  /** Wires of the inputs. */
  wires: number;
  statements: Statement[];
  /** Wires of the value. */
  outputs: number[];
  /** Type of the value. */
  type: string;
  /** All of it as numbered statements. */
  text: string;
}

/**
 * The arrow that a command denotes. `of` is `main`, if nothing is said, or a declared command; one with indices at those given,
 * `'Layer[ℓ0, 3]'`, or as it is first called.
 *
 * @throws TypeError if an argument or an option is of another kind.
 */
export function arrow(source: string, options?: { files?: DataFiles; of?: string }): Arrow | Failure;

/** Options of {@link diagram}. */
export interface DiagramOptions {
  files?: DataFiles;
  /** As in {@link arrow}. */
  of?: string;
  /** The network alone: the body of its first `rev handle`. */
  network?: boolean;
  /** One clause of that handler alone: `'return'`, `'FC[ℓ0] forward'`, `'FC[ℓ0] backward'`. */
  clause?: string;
  /** Out and back side by side, `'bent'`, or in one line as in the paper. */
  style?: 'bent' | 'unbent';
  /** From top to bottom, for a narrow place. */
  down?: boolean;
  /** Rows that a long diagram is broken into at most, 1 to 20. */
  rows?: number;
  /** Boxes to open: operations (`'FC[ℓ0]'`, `'FC'`), handlers, terms as they are written, `'return'`. */
  open?: string[];
  /** Handlers whose runs are folded to one box. */
  fold?: string[];
}

/**
 * The string diagram of what a command denotes, as an SVG document on a light ground.
 *
 * @returns its text, and its size in pixels.
 * @throws TypeError if an argument or an option is of another kind, or options do not go together.
 */
export function diagram(source: string, options?: DiagramOptions): { ok: true; svg: string; width: number; height: number } | Failure;

/** Options of {@link train}. */
export interface TrainOptions {
  files?: DataFiles;
  /** Contents of locations at first, such as the heap of an earlier training. */
  heap?: GivenHeap;
  /** `'compiled'`, as a module that is made for the program, if nothing is said. */
  engine?: 'step' | 'denotation' | 'compiled';
  precision?: 'f64' | 'f32';
  shortcuts?: boolean;
  /** Epochs of every `train` item, instead of what it says. */
  epochs?: number;
  /** The `train` item of this number alone, from 0; all of them, one after the other, if nothing is said. */
  item?: number;
  /** Measures are told each time after so many epochs, and at the end; 1 if nothing is said. */
  every?: number;
  /** Stops the training before its next slice, of some 10 ms. The heap is then that of the last whole step. */
  signal?: AbortSignal;
}

/** Measures at one time. */
export interface Epoch {
  /** Complete epochs so far, of all items; 0 before training. */
  epoch: number;
  /** All epochs of all items. */
  epochs: number;
  /** Complete steps: samples, or batches. */
  steps: number;
  /** The mean of each `measure` over its samples. */
  measures: Record<string, number>;
}

/** A training. */
export interface Training extends AsyncIterable<Epoch> {
  /** `'failed'` if the program is rejected or a step stops; `'aborted'` if the signal says so. */
  readonly state: 'running' | 'ended' | 'failed' | 'aborted';
  /** The reason of `'failed'`. */
  readonly error: Problem | null;
  /** A copy of the contents of all locations now; empty if the training could not begin. */
  heap(): Heap;
  /**
   * True if every item runs as a WebAssembly module made for it. False where the host forbids that, as by a content security policy
   * without `'wasm-unsafe-eval'`, and for the other engines; numbers are the same.
   */
  readonly generated: boolean;
}

/**
 * Runs the `train` items. Iterate over it: there are measures before the first epoch and after each, and every 10 ms or so the event loop has
 * its turn. After a `break` another loop goes on where it was. It computes on the thread of the caller: in a page, use a worker.
 *
 * @throws TypeError if an argument or an option is of another kind, or options do not go together.
 */
export function train(source: string, options?: TrainOptions): Training;

/**
 * Runs the `predict` item of this name from a heap: at inputs, each with the numbers of its parameters one after the other, or at those of
 * the first data set whose samples begin with what it takes.
 *
 * @throws TypeError if an argument or an option is of another kind.
 */
export function predict(
  source: string,
  name: string,
  options?: { files?: DataFiles; heap?: GivenHeap; inputs?: number[][]; precision?: 'f64' | 'f32' },
): { ok: true; predictions: { input: Value; value: Value }[] } | Failure;

/** Options of {@link link}. */
export interface LinkOptions {
  /** Address of the page, such as `https://example.org/fletch/`; without one, the link is the fragment, from `#` on. */
  base?: string;
  /** The position in the run: the number of small steps before it. */
  step?: number;
  /** Where a reader stops. */
  level?: 'every' | 'plain' | 'operations' | 'handlers' | 'moments';
  /** The view beside the program. */
  view?: 'steps' | 'diagram' | 'train' | 'types' | 'compare';
}

/**
 * The program as a link that the page opens; `files` are those that it reads and a link does not have.
 *
 * @throws TypeError if an argument or an option is of another kind, or the base is no address.
 */
export function link(source: string, options?: LinkOptions): { ok: true; link: string; files: string[] } | Failure;

/** The program of a link, with the settings of the view, and the keys that this version does not know. */
export function open(link: string): { ok: true; source: string; settings: Record<string, string>; ignored: string[]; files: string[] } | Failure;
