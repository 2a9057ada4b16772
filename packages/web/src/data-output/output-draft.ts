import { type Level, levelNames, reaches, sameJson, type Variable } from '@azimuth/model';
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { levelToWrite } from '../connection/declarations.js';
import { type RefusedValue, refusalBy, refusalOf } from '../forms/refusal.js';

/** A variable with the value that it has on the scanner, and the one that it will get. */
export interface DraftChange {
  readonly variable: Variable<unknown>;
  readonly from: unknown;
  readonly to: unknown;
}

/** The part of a scanner that a draft reads and writes. */
interface Written {
  value(name: string): unknown;
  /** @throws ClientError */
  write(name: string, value: unknown): Promise<void>;
}

type Edits = ReadonlyMap<Variable<unknown>, unknown>;

const none: Edits = new Map();
const mostSteps = 100;

/** Settings of the data output during an edit. Nothing reaches the scanner before `apply`. */
export class OutputDraft {
  readonly #scanner: Written;
  /** The edits after each step. */
  readonly #steps: Signal<readonly Edits[]> = signal([]);
  readonly #refusals: Signal<ReadonlyMap<string, RefusedValue>> = signal(new Map());
  /** Reasons why values are not allowed, by the names of their variables. */
  readonly refusals: ReadonlySignal<ReadonlyMap<string, RefusedValue>> = this.#refusals;
  readonly canUndo: ReadonlySignal<boolean> = computed(() => this.#steps.value.length > 0);
  #gesture: unknown;

  constructor(scanner: Written) {
    this.#scanner = scanner;
  }

  /** Changes that `apply` would make. */
  readonly changes: ReadonlySignal<readonly DraftChange[]> = computed(() =>
    [...this.#edits].flatMap(([variable, to]) => {
      const from = this.#scanner.value(variable.name);
      return sameJson(from, to) ? [] : [{ variable, from, to }];
    }),
  );

  get #edits(): Edits {
    return this.#steps.value.at(-1) ?? none;
  }

  /** The value on the page: JSON that is not checked; undefined until it is known. */
  valueOf(variable: Variable<unknown>): unknown {
    return this.#edits.has(variable) ? this.#edits.get(variable) : this.#scanner.value(variable.name);
  }

  isChanged(variable: Variable<unknown>): boolean {
    return this.changes.value.some((change) => change.variable === variable);
  }

  /** @param gesture changes of one gesture, one after another, are one step */
  edit(variable: Variable<unknown>, value: unknown, gesture?: unknown): void {
    const steps = this.#steps.peek();
    const goesOn = gesture !== undefined && gesture === this.#gesture;
    this.#gesture = gesture;
    const edits = new Map(steps.at(-1) ?? none).set(variable, value);
    this.#steps.value = [...(goesOn ? steps.slice(0, -1) : steps.slice(-mostSteps)), edits];
    this.#setRefusal(variable.name, undefined);
  }

  undo(): void {
    this.#gesture = undefined;
    this.#steps.value = this.#steps.peek().slice(0, -1);
    this.#refusals.value = new Map();
  }

  discard(): void {
    this.#gesture = undefined;
    this.#steps.value = [];
    this.#refusals.value = new Map();
  }

  /**
   * Writes the changes. Streams are switched off first, and on last. A value that the scanner refuses stays, with the
   * reason. Edits that are made meanwhile stay, too.
   * @throws ClientError if the value is not the cause
   */
  async apply(): Promise<void> {
    const changes = this.changes.peek();
    const steps = this.#steps.peek();
    this.#refusals.value = new Map(
      changes.flatMap(({ variable, to }) => {
        const refusal = refusalBy(variable, to);
        return refusal === undefined ? [] : [[variable.name, refusal] as const];
      }),
    );
    if (this.#refusals.peek().size > 0) return;
    for (const { variable, to } of inOrder(changes)) {
      try {
        await this.#scanner.write(variable.name, to);
      } catch (error) {
        const refusal = refusalOf(variable.name, error);
        if (refusal === undefined) throw error;
        this.#setRefusal(variable.name, refusal);
      }
    }
    if (this.#refusals.peek().size === 0 && this.#steps.peek() === steps) this.discard();
  }

  #setRefusal(name: string, refusal: RefusedValue | undefined): void {
    const refusals = new Map(this.#refusals.peek());
    if (refusal === undefined) refusals.delete(name);
    else refusals.set(name, refusal);
    this.#refusals.value = refusals;
  }
}

/** Switches that become off, then everything else, then switches that become on. */
function inOrder(changes: readonly DraftChange[]): readonly DraftChange[] {
  const rank = ({ to }: DraftChange) => (to === false ? 0 : to === true ? 2 : 1);
  return [...changes].sort((one, other) => rank(one) - rank(other));
}

/** The lowest level that may make all changes. */
export function levelOf(changes: readonly DraftChange[]): Level {
  const levels = changes.map(({ variable }) => levelToWrite(variable));
  return levelNames.find((level) => levels.every((needed) => reaches(level, needed))) ?? 'Service';
}
