import { InterruptiblePause } from '@azimuth/async';
import type { Lease, Leases, OutageLog } from '../database/index.js';

interface Options {
  readonly leases: Pick<Leases, 'milliseconds' | 'remaining' | 'renew' | 'endingIn' | 'forget'>;
  readonly outages: OutageLog;
  /** Called when others have these leases, or may acquire them at any moment: all work with them must stop. */
  readonly lost: (leases: readonly Lease[], why: string) => void;
}

/** Part of the time of a lease after which it is renewed. */
const renewAfter = 1 / 4;

/** The reason for a lease that could not be renewed because of another owner. */
export const otherOwnerReason = 'another process has its lease';

/** Longest pause in ms before leases that were not renewed are tried again. */
const retryInterval = 150;

/** Part of the time of a lease before its end at which it is given up, so that all work has ended when others acquire it. */
const giveUpBefore = 1 / 10;

/**
 * Renews the leases of a process, independent of its other work. Leases that could not be renewed are given up before they
 * end, even if a renewal hangs.
 */
export class LeaseKeeper {
  readonly #options: Options;
  readonly #pause = new InterruptiblePause();
  #renewing: Promise<void> = Promise.resolve();
  #watchdog: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** ms between two renewals. */
  get period(): number {
    return this.#options.leases.milliseconds * renewAfter;
  }

  start(): void {
    this.watch();
    this.#renewing = this.#keepRenewing();
  }

  /** Call this after leases were acquired. */
  watch(): void {
    clearTimeout(this.#watchdog);
    const { remaining } = this.#options.leases;
    if (remaining === undefined || this.#isClosed) return;
    this.#watchdog = setTimeout(() => this.#giveUp(), Math.max(0, remaining - this.#margin));
  }

  /** Ends with the current renewal. From now on, no lease is reported as lost. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#watchdog);
    this.#pause.end();
    await this.#renewing;
  }

  get #margin(): number {
    return this.#options.leases.milliseconds * giveUpBefore;
  }

  async #keepRenewing(): Promise<void> {
    for (let wait = this.period; ; ) {
      await this.#pause.wait(wait);
      if (this.#isClosed) return;
      wait = this.period;
      try {
        const { lost, skipped } = await this.#options.leases.renew();
        this.#options.outages.succeeded();
        this.watch();
        if (skipped.length > 0) wait = Math.min(wait, retryInterval);
        this.#lose(lost, otherOwnerReason);
      } catch (error) {
        this.#options.outages.failed(error, 'Leases could not be renewed');
        if (this.#options.leases.remaining !== undefined) wait = Math.min(wait, retryInterval);
      }
    }
  }

  #giveUp(): void {
    const { leases } = this.#options;
    const ending = leases.endingIn(this.#margin);
    leases.forget(ending.map(({ shard }) => shard));
    this.watch();
    this.#lose(ending, 'its lease could not be renewed in time');
  }

  #lose(leases: readonly Lease[], why: string): void {
    if (leases.length > 0 && !this.#isClosed) this.#options.lost(leases, why);
  }
}
