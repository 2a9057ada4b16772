import { pause } from '@azimuth/async';
import { ClientError, ScannerError } from '@azimuth/client';
import { imuDataOutput } from '@azimuth/model';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ScannerLink } from '../connection/scanner-link.js';
import { type Motion, MotionCurves, motionOf } from './motion.js';

const { name } = imuDataOutput.members.InertialMeasurementUnit;

/** ms between two values on the page, at least. */
const shownEvery = 50;
/** ms between two reads of a scanner that announces nothing. */
const readEvery = 500;
/** ms after which a value that stays the same is one that no longer comes. */
const stillAfter = 3000;

/** Motion of a scanner, as far as it is known. */
export type MotionState =
  | { readonly kind: 'waiting' }
  /** @property isStill true if no new values come */
  | { readonly kind: 'known'; readonly motion: Motion; readonly isStill: boolean }
  /** The scanner answers, and has no values. */
  | { readonly kind: 'none' }
  | { readonly kind: 'failed'; readonly reason: string };

/** Where the values come from: the scanner announces them, or the page reads them. */
type Source = Pick<ScannerLink, 'scanner' | 'state'>;

/** Follows the inertial measurement unit of a scanner while a page shows it. */
export class MotionFeed {
  readonly curves = new MotionCurves();
  readonly #state: Signal<MotionState> = signal({ kind: 'waiting' });
  readonly state: ReadonlySignal<MotionState> = this.#state;
  readonly #source: Source;
  /** ms, performance.now(), of the last value that was shown, and of the last one that was new. */
  #shownAt = Number.NEGATIVE_INFINITY;
  #newAt = 0;
  #lastTime: number | undefined;

  constructor(source: Source) {
    this.#source = source;
  }

  /** Follows until it is aborted. */
  async follow(aborted: AbortSignal): Promise<void> {
    const timer = setInterval(() => this.#checkStill(), 1000);
    aborted.addEventListener('abort', () => clearInterval(timer));
    // The value of now comes first: announcements tell changes only.
    await this.#read();
    while (!aborted.aborted) {
      if (this.#source.state.peek().kind === 'live' && (await this.#listen(aborted))) continue;
      await this.#read();
      await pause(readEvery, aborted);
    }
  }

  /** Takes what the scanner announces. Resolves with false if it announces nothing. */
  async #listen(signal: AbortSignal): Promise<boolean> {
    try {
      for await (const { changed } of this.#source.scanner.changes({ names: [name], signal })) {
        this.#take(changed[name]);
      }
      return true;
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      return false;
    }
  }

  async #read(): Promise<void> {
    try {
      this.#take(await this.#source.scanner.readAny(name));
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      const isMissing = error instanceof ScannerError && error.statusName === 'notFound';
      // The last values are more useful than the message. The strip shows that the scanner does not answer.
      if (isMissing) this.#state.value = { kind: 'none' };
      else if (this.#state.peek().kind !== 'known') {
        this.#state.value = { kind: 'failed', reason: error.message };
      }
    }
  }

  #take(json: unknown): void {
    const now = performance.now();
    if (now - this.#shownAt < shownEvery) return;
    this.#shownAt = now;
    const motion = motionOf(json);
    if (motion === undefined) {
      this.#state.value = { kind: 'none' };
      return;
    }
    if (motion.time !== this.#lastTime) this.#newAt = now;
    this.#lastTime = motion.time;
    this.curves.add(Date.now() / 1000, motion);
    this.#state.value = { kind: 'known', motion, isStill: now - this.#newAt > stillAfter };
  }

  #checkStill(): void {
    const state = this.#state.peek();
    if (state.kind !== 'known' || state.isStill) return;
    if (performance.now() - this.#newAt > stillAfter) this.#state.value = { ...state, isStill: true };
  }
}
