import { isDeepStrictEqual } from 'node:util';
import { type Evaluation, FieldState } from '@azimuth/model';
import type { Clock } from '../interfaces/clock.js';
import type { Scan } from '../scan/scan.js';
import type { Point } from '../sight/point.js';
import type { Sight } from '../sight/sight.js';
import { Field } from './field.js';

/** A field that has become infringed, and where: mm. */
export interface Sighting {
  readonly evaluation: Evaluation;
  readonly positions: readonly Point[];
}

/** The fields that are active. All that changes at one moment changes before anybody is told: no state in between is seen. */
export class ActiveFields {
  readonly #clock: Clock;
  readonly #settled: (infringed: readonly Sighting[]) => void;
  /** By their number. */
  readonly #fields = new Map<number, Field>();
  /** When the next of them becomes infringed or free, and how not to wait for it. */
  #due = Number.POSITIVE_INFINITY;
  #cancel: (() => void) | undefined;

  /** @param settled is called when fields have become infringed, or free, between two scans. It gets those infringed. */
  constructor(clock: Clock, settled: (infringed: readonly Sighting[]) => void) {
    this.#clock = clock;
    this.#settled = settled;
  }

  /** Is one of them infringed, by what the last scan showed as well? */
  get someInfringed(): boolean {
    for (const { state } of this.#fields.values()) if (state === FieldState.INFRINGED) return true;
    return false;
  }

  /** The field of this number; undefined where it is not active. */
  at(id: number): Field | undefined {
    return this.#fields.get(id);
  }

  /** Has these evaluated from now on. A field that goes on as it is keeps its state. */
  evaluate(evaluations: readonly Evaluation[]): void {
    for (const [id, field] of this.#fields) {
      const evaluation = evaluations.find(({ Id }) => Id === id);
      if (!isDeepStrictEqual(evaluation, field.evaluation)) this.#fields.delete(id);
    }
    for (const evaluation of evaluations) {
      if (!this.#fields.has(evaluation.Id)) this.#fields.set(evaluation.Id, new Field(evaluation));
    }
    this.#book();
  }

  /**
   * Takes a scan. What was due until now comes first, however late its timer is.
   * @returns the fields that have become infringed; undefined where no state is another one now.
   */
  take(scan: Scan, sight: Sight): readonly Sighting[] | undefined {
    const now = this.#clock.monotonic();
    const infringed = this.#settle(now);
    let changed = infringed !== undefined;
    for (const field of this.#fields.values()) if (field.take(scan, sight, now)) changed = true;
    this.#book();
    return changed ? (infringed ?? []) : undefined;
  }

  /** Has all change that is due. The fields that are infringed now; undefined where nothing was due. */
  #settle(now: number): readonly Sighting[] | undefined {
    if (this.#due === Number.POSITIVE_INFINITY) return undefined;
    const settled = [...this.#fields.values()].filter((field) => field.settle(now));
    if (settled.length === 0) return undefined;
    return settled
      .filter(({ state }) => state === FieldState.INFRINGED)
      .map(({ evaluation, positions }) => ({ evaluation, positions }));
  }

  /** One timer for all of them. */
  #book(): void {
    let due = Number.POSITIVE_INFINITY;
    for (const field of this.#fields.values()) due = Math.min(due, field.due);
    if (due === this.#due) return;
    this.#due = due;
    this.#cancel?.();
    this.#cancel =
      due === Number.POSITIVE_INFINITY
        ? undefined
        : this.#clock.after(Math.max(0, due - this.#clock.monotonic()), () => this.#timeIsOver());
  }

  #timeIsOver(): void {
    const infringed = this.#settle(this.#clock.monotonic());
    // The timer is spent, also where it came too early.
    this.#due = Number.POSITIVE_INFINITY;
    this.#cancel = undefined;
    this.#book();
    if (infringed !== undefined) this.#settled(infringed);
  }
}
