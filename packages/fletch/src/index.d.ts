/**
 * The calculus of reverse handlers. An error in a program is returned as a value: `{ ok: false, error }` or a `Problem`. A mistake of the
 * caller, such as an unknown option, throws a `TypeError`. The same program, files, heap and options give the same result, to the last bit.
 *
 * @packageDocumentation
 */
import type { DataFiles, Failure, Problem, Span } from './check.js';

export { check, format } from './check.js';
export type { Checked, DataFiles, Failure, Problem, Span } from './check.js';

/** An array of numbers. */
export interface Tensor {
  /** Sizes, outermost first: `[3, 2]` is a matrix of 3 rows. A location `ℓ ∷ (n, m)` of a layer from n to m has shape `[m, n]`. */
  shape: number[];
  /** Entries, row-major; their number is the product of the sizes. */
  data: Float64Array;
}

/** A value: a tensor for a type `Real(…)`, or an array with one value for each factor of a product. */
export type Value = Tensor | Value[];

/** Contents of all locations, by name. */
export type Heap = Record<string, Tensor>;

/** A heap that the caller passes: entries may be in a plain array. Locations without an entry keep the initial contents of the program. */
export type GivenHeap = Record<string, { shape: readonly number[]; data: Float64Array | readonly number[] }>;

/** Options of {@link run}. */
export interface RunOptions {
  files?: DataFiles;
  /** Initial contents of locations, instead of those of the program. */
  heap?: GivenHeap;
  /**
   * `'step'` reduces in small steps and is the default. `'denotation'` evaluates the arrow of `main`. `'compiled'` compiles that arrow to
   * loops over buffers and is the fastest.
   */
  engine?: 'step' | 'denotation' | 'compiled';
  /** Floating-point numbers of 64 bits, the default, or of 32 bits, for the engine `'compiled'` only. */
  precision?: 'f64' | 'f32';
  /** Partial function symbols outside their domain: `'paper'`, the default, stops the run; `'total'` has the conventions of frameworks. */
  mode?: 'paper' | 'total';
  /** True to skip computations whose result is known to be 0, in fewer steps and with additional rules; for the engine `'step'` only. */
  shortcuts?: boolean;
  /** Maximum number of steps, for the engine `'step'` only; 1 000 000 by default. */
  maxSteps?: number;
}

/** Result of a run that has reached a value. */
export interface Ran {
  ok: true;
  value: Value;
  /** Contents of all locations after the run. */
  heap: Heap;
  /** Number of reductions, and number of uses of each rule, unfoldings included; null for engines without steps. */
  steps: { total: number; rules: Record<string, number> } | null;
}

/** Result of a run without a value: the program is rejected, or the run stops. `heap` and `steps` are present if the run has begun. */
export interface NotRan extends Failure {
  heap?: Heap;
  steps?: { total: number; rules: Record<string, number> } | null;
}

/**
 * Runs `main` to its end, on the thread of the caller.
 *
 * @throws TypeError if an argument or an option has the wrong type, or an option is unknown, or options contradict each other.
 */
export function run(source: string, options?: RunOptions): Ran | NotRan;

/** A small step. */
export interface Step {
  /** Number of the step, from 1. */
  number: number;
  /** Name of the rule, as in the paper. */
  rule: string;
  /** Term or command that is reduced or unfolded, as text. */
  redex: string;
  /** Explanation of the step, in one sentence. */
  explanation: string;
  /** The command after the step, as text; of a large command, only the parts near the step. */
  command: string;
  /** Heap writes of the step: the contents of the location before and after it. */
  writes: { location: string; before: Tensor; after: Tensor }[];
}

/** Options of {@link trace}. */
export interface TraceOptions {
  files?: DataFiles;
  /** First step that is returned, from 1; 1 by default. */
  from?: number;
  /** Last step that is returned (inclusive), from 1; by default the last step of the run. */
  to?: number;
  shortcuts?: boolean;
  mode?: 'paper' | 'total';
  /** True to write numbers with all digits; by default, digits that come from rounding alone are left out. */
  exact?: boolean;
}

/** A run, step by step. Its states stay in memory until the object is garbage-collected. */
export interface Trace extends IterableIterator<Step> {
  /** Reason why the run ended without a value; null until then, and for a run with a value. */
  readonly error: Problem | null;
  /** Value of the run, after its last step was returned; null before. */
  readonly value: Value | null;
}

/**
 * Steps through `main`. The iterator computes a few steps ahead. A loop after a `break` continues where the previous loop left off.
 *
 * @throws TypeError if an argument or an option has the wrong type, or an option is unknown, or `from` is greater than `to`.
 */
export function trace(source: string, options?: TraceOptions): Trace;

/** A statement of an arrow: `results ← applies(arguments)`. An array of numbers travels on a wire; wires are numbered from 0. */
export interface Statement {
  kind: 'symbol' | 'constant' | 'operation' | 'loop';
  /** What is applied, as text: a function symbol, a constant, an operation or a loop. */
  applies: string;
  /** Numbers of the wires of the arguments. */
  arguments: number[];
  /** Numbers of the wires of the results. */
  results: number[];
  /** Number of entries of each result. */
  sizes: number[];
  /** False if no result is used: the statement is then kept for its domain only, which a run checks. */
  used: boolean;
  /** Range of the program that the statement comes from. */
  span: Span;
  /** Further fields, as in the command line's `arrow --json`: `handlers` that the statement went through, outermost first; `loop`. */
  [more: string]: unknown;
}

/** The denotation of a command. */
export interface Arrow {
  ok: true;
  /** Parameters of the command, with their types. */
  inputs: { name: string; type: string }[];
  /** Number of wires of the inputs. */
  wires: number;
  statements: Statement[];
  /** Numbers of the wires of the value. */
  outputs: number[];
  /** Type of the value. */
  type: string;
  /** The arrow as text: its signature, and a line for each numbered statement. */
  text: string;
}

/**
 * The arrow that a command denotes. `of` names the command: `main` by default, or a declared command. With indices, `'Layer[ℓ0, 3]'`, it is
 * that instance of the command; without them, it is the instance that is called first.
 *
 * @throws TypeError if an argument or an option has the wrong type, or an option is unknown.
 */
export function arrow(source: string, options?: { files?: DataFiles; of?: string }): Arrow | Failure;

/** Options of {@link diagram}. */
export interface DiagramOptions {
  files?: DataFiles;
  /** Name of the command, as for {@link arrow}. */
  of?: string;
  /** True to draw the network alone: the body of the first `rev handle` of the command. Excludes `clause`. */
  network?: boolean;
  /** Clause to draw alone, of the handler in the first `rev handle`: `'return'`, `'FC[ℓ0] forward'`, `'FC[ℓ0] backward'`. */
  clause?: string;
  /** `'bent'`, the default, draws forward and backward pass side by side; `'unbent'` draws them in one line, as in the paper. */
  style?: 'bent' | 'unbent';
  /** True to draw from top to bottom, for a narrow space. */
  down?: boolean;
  /** Maximum number of rows that a long diagram is broken into, 1 to 20; 1 by default. */
  rows?: number;
  /** Boxes to open: operations (`'FC[ℓ0]'`, `'FC'`), handlers, terms as the program writes them, `'return'`. */
  open?: string[];
  /** Handlers whose runs are folded, each to one box; `'feedback'` folds all loops. */
  fold?: string[];
}

/**
 * The string diagram of the arrow that a command denotes, as an SVG document on a light background.
 *
 * @returns the text of the document, and its width and height in pixels.
 * @throws TypeError if an argument or an option has the wrong type, or an option is unknown, or options contradict each other.
 */
export function diagram(source: string, options?: DiagramOptions): { ok: true; svg: string; width: number; height: number } | Failure;

/** Options of {@link train}. */
export interface TrainOptions {
  files?: DataFiles;
  /** Initial contents of locations, for example the heap of an earlier training. */
  heap?: GivenHeap;
  /** Engine of the steps: by default `'compiled'`, as a WebAssembly module that is generated for the program; `'step'` with `shortcuts`. */
  engine?: 'step' | 'denotation' | 'compiled';
  /** As for {@link run}. */
  precision?: 'f64' | 'f32';
  /** As for {@link run}. */
  shortcuts?: boolean;
  /** Number of epochs of every `train` item, instead of the number in the program. */
  epochs?: number;
  /** Index of the only `train` item to run, from 0; by default all items run, one after the other. */
  item?: number;
  /** Number of epochs between two reports of the measures, 1 by default. The last epoch is always reported. */
  every?: number;
  /** Stops the training before its next slice; a slice takes about 10 ms. The heap is then that after the last complete step. */
  signal?: AbortSignal;
}

/** A report of a training: its progress, and the measures at that epoch. */
export interface Epoch {
  /** Number of complete epochs so far, over all items; 0 before the training. */
  epoch: number;
  /** Total number of epochs of all items. */
  epochs: number;
  /** Number of complete steps so far. A step takes one sample or one batch. */
  steps: number;
  /** Mean of each `measure` over its samples, by the name of the measure. */
  measures: Record<string, number>;
}

/** A training, whose iteration computes it. */
export interface Training extends AsyncIterable<Epoch> {
  /** `'failed'` if the program is rejected, the heap does not match it, or a step stops; `'aborted'` if the signal is aborted. */
  readonly state: 'running' | 'ended' | 'failed' | 'aborted';
  /** Reason of the state `'failed'`; null in other states. */
  readonly error: Problem | null;
  /** Copy of the current contents of all locations; empty if the training could not begin. */
  heap(): Heap;
  /**
   * True if every item runs as a WebAssembly module that is generated for it. False for other engines, and if the host forbids such
   * modules, for example by a content security policy without `'wasm-unsafe-eval'`. The numbers are the same in either case.
   */
  readonly generated: boolean;
}

/**
 * Runs the `train` items while the result is iterated. Measures are reported before the first epoch and after each epoch (see `every`).
 * About every 10 ms the event loop gets a turn. A loop after a `break` continues where the previous loop left off. The training runs on the
 * thread of the caller: in a page, use a worker.
 *
 * @throws TypeError if an argument or an option has the wrong type, or an option is unknown, or options contradict each other.
 */
export function train(source: string, options?: TrainOptions): Training;

/**
 * Runs the `predict` item of this name on a heap, once for each input. Each entry of `inputs` has the numbers of all parameters, one after
 * the other. Without `inputs`, the inputs are the samples of the first data set whose samples begin with the parameters of the item.
 *
 * @throws TypeError if an argument or an option has the wrong type, or an option is unknown.
 */
export function predict(
  source: string,
  name: string,
  options?: { files?: DataFiles; heap?: GivenHeap; inputs?: number[][]; precision?: 'f64' | 'f32' },
): { ok: true; predictions: { input: Value; value: Value }[] } | Failure;

/** Options of {@link link}. */
export interface LinkOptions {
  /** Address of the page, such as `https://example.org/fletch/`; without it, the link is the fragment alone, from `#` on. */
  base?: string;
  /** Position in the run: the number of small steps before it, 0 by default. */
  step?: number;
  /** Level of the stepper: the set of positions at which it stops; `'plain'` by default. */
  level?: 'every' | 'plain' | 'operations' | 'handlers' | 'moments';
  /** View next to the program; `'steps'` by default. */
  view?: 'steps' | 'diagram' | 'train' | 'types' | 'compare';
}

/**
 * The program as a link that the page opens. `files` are the names of the data files that the program reads: a link does not contain them.
 * Fails for a program of more than 1 MB.
 *
 * @throws TypeError if an argument or an option has the wrong type, or an option is unknown, or the base is not the address of a page.
 */
export function link(source: string, options?: LinkOptions): { ok: true; link: string; files: string[] } | Failure;

/**
 * Reads the program of a link. `settings` are the settings of the view, by their keys. `ignored` are the keys that this version does not
 * know. `files` are the names of the data files that the program reads. Fails for a link that cannot be read.
 *
 * @throws TypeError if the link is not a string.
 */
export function open(link: string): { ok: true; source: string; settings: Record<string, string>; ignored: string[]; files: string[] } | Failure;
