import { type Detection, FieldState, fieldEvaluation, isObject } from '@azimuth/model';
import type { LoggedChange } from '../connection/history.js';

/** A time during which a field was infringed: ms since 1970 UTC, by the clock of this computer. */
export interface Infringement {
  readonly field: number;
  readonly from: number;
  /** Undefined while it lasts. */
  readonly to: number | undefined;
}

const { name } = fieldEvaluation.members.FieldEvaluationResult;

/** Infringements that are kept. */
const mostKept = 1000;

/** The infringements in a log of changes, with their ends. The history of a scanner has their begins alone. */
export class Infringements {
  readonly #open = new Map<number, number>();
  #ended: Infringement[] = [];
  #last = 0;

  /** Takes the changes that were added since the last call. Returns true if one began or ended an infringement. */
  take(changes: readonly LoggedChange[]): boolean {
    let isNew = false;
    const firstNew = changes.findLastIndex(({ number }) => number <= this.#last) + 1;
    for (const change of changes.slice(firstNew)) {
      this.#last = change.number;
      if (change.name === name && this.#results(change.at, JSON.parse(change.json))) isNew = true;
    }
    return isNew;
  }

  get all(): readonly Infringement[] {
    const open = [...this.#open].map(([field, from]): Infringement => ({ field, from, to: undefined }));
    return [...this.#ended, ...open];
  }

  #results(at: number, value: unknown): boolean {
    const results = isObject(value) ? value.EvaluationResultList : undefined;
    if (!Array.isArray(results)) return false;
    let isNew = false;
    for (const [index, result] of results.entries()) {
      const state: unknown = isObject(result) ? result.State : undefined;
      const isInfringed = state === FieldState.INFRINGED || state === FieldState.DETECTING_FREE;
      if (this.#set(index + 1, isInfringed, at)) isNew = true;
    }
    return isNew;
  }

  /** Returns true if the field was in the other state before. */
  #set(field: number, isInfringed: boolean, at: number): boolean {
    const from = this.#open.get(field);
    if (isInfringed === (from !== undefined)) return false;
    if (from === undefined) this.#open.set(field, at);
    else {
      this.#open.delete(field);
      this.#ended = [...this.#ended, { field, from, to: at }].slice(-mostKept);
    }
    return true;
  }
}

/** ms between the begin of an infringement by the clock of the scanner and by that of this computer, at most. */
const clockTolerance = 2000;

/** A detection with its end, as far as that is known. */
export interface Span {
  readonly field: number;
  /** ms since 1970 UTC */
  readonly from: number;
  /** Equal to `from` if the end is not known. */
  readonly to: number;
}

/**
 * Returns detections as spans of time. The end of one is known if this page has seen it.
 * @param now ms since 1970 UTC: the end of those that last
 */
export function spansOf(
  detections: readonly Detection[],
  seen: readonly Infringement[],
  now: number,
): readonly Span[] {
  return detections.map(({ EvaluationId: field, Timestamp: from }) => {
    const same = seen.find((one) => one.field === field && Math.abs(one.from - from) < clockTolerance);
    return { field, from, to: same === undefined ? from : Math.max(from, same.to ?? now) };
  });
}
