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

/** The active fields. All states that change at the same moment change before the report. */
export class ActiveFields {
  readonly #clock: Clock;
  readonly #onChange: (infringed: readonly InfringedField[]) => void;
  /** Fields by number. */
  readonly #fields = new Map<number, Field>();
  /** The time of the next change of a state, and a function that cancels its timer. */
  #due = Number.POSITIVE_INFINITY;
  #cancel: (() => void) | undefined;

  /** @param onChange called with the newly infringed fields when states have changed between two scans */
  constructor(clock: Clock, onChange: (infringed: readonly InfringedField[]) => void) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** True if a field is infringed and an object was in it in the last scan. */
  get someInfringed(): boolean {
    for (const { state } of this.#fields.values()) if (state === FieldState.INFRINGED) return true;
    return false;
  }

  /** The field with this number. Undefined if it is not active. */
  at(id: number): Field | undefined {
    return this.#fields.get(id);
  }

  remember(): () => void {
    const fields = Array.from(this.#fields, ([id, field]) => ({
      ...{ id, field, putBack: field.remember(this.#clock) },
    }));
    return () => {
      this.#fields.clear();
      for (const { id, field, putBack } of fields) {
        putBack();
        this.#fields.set(id, field);
      }
      this.#schedule();
    };
  }

  /** Sets the evaluations. A field with an unchanged definition keeps its state. */
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
   * Evaluates a scan. Changes that were due before come first, even if their timer is late.
   * @returns the newly infringed fields; undefined if no state has changed
   */
  evaluateScan(scan: Scan, fan: BeamFan): readonly InfringedField[] | undefined {
    const now = this.#clock.monotonic();
    const infringed = this.#applyDueChanges(now);
    let changed = infringed !== undefined;
    for (const field of this.#fields.values()) if (field.evaluateScan(scan, fan, now)) changed = true;
    this.#schedule();
    return changed ? (infringed ?? []) : undefined;
  }

  /** Applies all state changes that are due. Returns the infringed fields. Undefined if none was due. */
  #applyDueChanges(now: number): readonly InfringedField[] | undefined {
    if (this.#due === Number.POSITIVE_INFINITY) return undefined;
    const changed = [...this.#fields.values()].filter((field) => field.applyDueChange(now));
    if (changed.length === 0) return undefined;
    return changed
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
    const infringed = this.#applyDueChanges(this.#clock.monotonic());
    // Restarts the timer: it may have fired too early.
    this.#due = Number.POSITIVE_INFINITY;
    this.#cancel = undefined;
    this.#schedule();
    if (infringed !== undefined) this.#onChange(infringed);
  }
}
