import { isDeepStrictEqual } from 'node:util';
import { type Evaluation, FieldState, type Point } from '@azimuth/model';
import type { Clock } from '../interfaces/environment.js';
import type { BeamFan, Scan } from '../scan/scan.js';
import { Field } from './field.js';

/** A field that has become infringed, and where, in mm. */
export interface InfringedField {
  readonly evaluation: Evaluation;
  readonly positions: readonly Point[];
}

/** The active fields. All states that change at the same moment change before the change is reported. */
export class ActiveFields {
  readonly #clock: Clock;
  readonly #settled: (infringed: readonly InfringedField[]) => void;
  /** By their number. */
  readonly #fields = new Map<number, Field>();
  /** When the next state changes, and how to cancel the timer for it. */
  #due = Number.POSITIVE_INFINITY;
  #cancel: (() => void) | undefined;

  /** @param settled is called when states have changed between two scans, with the fields that have become infringed */
  constructor(clock: Clock, settled: (infringed: readonly InfringedField[]) => void) {
    this.#clock = clock;
    this.#settled = settled;
  }

  /** Whether a field is infringed, and an object was in it in the last scan, too. */
  get someInfringed(): boolean {
    for (const { state } of this.#fields.values()) if (state === FieldState.INFRINGED) return true;
    return false;
  }

  /** The field of this number; undefined if it is not active. */
  at(id: number): Field | undefined {
    return this.#fields.get(id);
  }

  /** Evaluates these from now on. A field whose definition has not changed keeps its state. */
  evaluate(evaluations: readonly Evaluation[]): void {
    for (const [id, field] of this.#fields) {
      const evaluation = evaluations.find(({ Id }) => Id === id);
      if (!isDeepStrictEqual(evaluation, field.evaluation)) this.#fields.delete(id);
    }
    for (const evaluation of evaluations) {
      if (!this.#fields.has(evaluation.Id)) this.#fields.set(evaluation.Id, new Field(evaluation));
    }
    this.#schedule();
  }

  /**
   * Takes a scan. Changes that were due before come first, even if their timer is late.
   * @returns the fields that have become infringed by such a change; undefined if no state has changed
   */
  take(scan: Scan, fan: BeamFan): readonly InfringedField[] | undefined {
    const now = this.#clock.monotonic();
    const infringed = this.#settle(now);
    let changed = infringed !== undefined;
    for (const field of this.#fields.values()) if (field.take(scan, fan, now)) changed = true;
    this.#schedule();
    return changed ? (infringed ?? []) : undefined;
  }

  /** Changes all states that are due. Returns the fields that are infringed now; undefined if nothing was due. */
  #settle(now: number): readonly InfringedField[] | undefined {
    if (this.#due === Number.POSITIVE_INFINITY) return undefined;
    const settled = [...this.#fields.values()].filter((field) => field.settle(now));
    if (settled.length === 0) return undefined;
    return settled
      .filter(({ state }) => state === FieldState.INFRINGED)
      .map(({ evaluation, positions }) => ({ evaluation, positions }));
  }

  /** Starts one timer for all fields. */
  #schedule(): void {
    let due = Number.POSITIVE_INFINITY;
    for (const field of this.#fields.values()) due = Math.min(due, field.due);
    if (due === this.#due) return;
    this.#due = due;
    this.#cancel?.();
    this.#cancel =
      due === Number.POSITIVE_INFINITY
        ? undefined
        : this.#clock.after(Math.max(0, due - this.#clock.monotonic()), () => this.#timerFired());
  }

  #timerFired(): void {
    const infringed = this.#settle(this.#clock.monotonic());
    // The timer has fired, possibly too early: it has to be started again.
    this.#due = Number.POSITIVE_INFINITY;
    this.#cancel = undefined;
    this.#schedule();
    if (infringed !== undefined) this.#settled(infringed);
  }
}
