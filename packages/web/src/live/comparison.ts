import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { isSamePlacement } from '../plan/placement.js';
import { type ScanChange, type ScanCopy, scanChange, scanCopy } from './scan-change.js';
import type { ScanSource } from './scan-source.js';

/** ms for which the scan before a change stays in sight, from the first scan after the change. */
const shownFor = 5000;
/** ms for which the first scan after a change is awaited: another profile stops the scanner for a moment. */
const awaitedFor = 10_000;

/** The scans before and after a change of a setting. */
interface Compared {
  readonly source: ScanSource;
  readonly before: ScanCopy;
}

/** Result of the last change: undefined before the first scan after it. */
export type ComparisonResult =
  | { readonly kind: 'none' }
  | { readonly kind: 'waiting' }
  /** No scan has come before the change, or after it. */
  | { readonly kind: 'silent' }
  | { readonly kind: 'known'; readonly change: ScanChange; readonly hasMoved: boolean };

/** Shows what a change of a setting does to a scan: the scan before it and the scans after it, for 5 s. */
export class Comparison {
  readonly #shown: Signal<Compared | undefined> = signal(undefined);
  /** Undefined while nothing is compared. */
  readonly shown: ReadonlySignal<Compared | undefined> = this.#shown;
  readonly #result: Signal<ComparisonResult> = signal({ kind: 'none' });
  readonly result: ReadonlySignal<ComparisonResult> = this.#result;
  /** ms, when the change was done. */
  #changedAt = 0;
  /** ms, when the comparison ends. */
  #endsAt = 0;

  /**
   * Changes a setting, and compares the scans. If the change fails, nothing is compared.
   * @param source the scanner that is changed; undefined if it is not in sight
   */
  async around<T>(source: ScanSource | undefined, change: () => Promise<T>): Promise<T> {
    const newest = source?.history.newest;
    const before = source && newest && scanCopy(source.history, newest, source.placement.peek());
    const done = await change();
    this.#begin(source && before && { source, before });
    return done;
  }

  #begin(compared: Compared | undefined): void {
    this.#changedAt = performance.now();
    this.#endsAt = this.#changedAt + awaitedFor;
    this.#shown.value = compared;
    this.#result.value = { kind: compared === undefined ? 'silent' : 'waiting' };
  }

  /** Called several times a second. @param now ms */
  update(now: number): void {
    const compared = this.#shown.peek();
    if (compared === undefined) return;
    const { source, before } = compared;
    const { newest } = source.history;
    const isAfter = newest !== undefined && newest.at > this.#changedAt;
    if (isAfter) {
      if (this.#result.peek().kind === 'waiting') this.#endsAt = now + shownFor;
      this.#result.value = {
        kind: 'known',
        change: scanChange(before, { echoes: source.history, scan: newest }),
        hasMoved: !isSamePlacement(before.placement, source.placement.peek()),
      };
    }
    if (now < this.#endsAt) return;
    if (!isAfter) this.#result.value = { kind: 'silent' };
    this.#shown.value = undefined;
  }
}
