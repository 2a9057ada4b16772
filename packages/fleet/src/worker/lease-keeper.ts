import { InterruptiblePause } from '@azimuth/async';
import type { Lease, Leases, OutageLog } from '../database/index.js';

interface Options {
  readonly leases: Pick<Leases, 'milliseconds' | 'remaining' | 'renew' | 'endingWithin' | 'forget'>;
  readonly outages: OutageLog;
  /** Called when others have these leases, or may take them at any moment: what works with them must stop. */
  readonly lost: (leases: readonly Lease[], why: string) => void;
}

/** Part of the time of a lease after which it is renewed. */
const renewAfter = 1 / 4;

/** Why a lease was lost that could be renewed no more. */
export const otherHasIt = 'another process has its lease';

/** Longest pause, in ms, before leases that were not renewed are tried again. */
const triedAgainAfter = 150;

/** Part of the time of a lease before its end at which it is given up, so that all has ended when others take it. */
const giveUpBefore = 1 / 10;

/**
 * Renews the leases of a process, apart from all else that it does. Those that could not be renewed are given up before they end,
 * even if a renewal hangs.
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

  /** To be called when leases were taken. */
  watch(): void {
    clearTimeout(this.#watchdog);
    const { remaining } = this.#options.leases;
    if (remaining === undefined || this.#isClosed) return;
    this.#watchdog = setTimeout(() => this.#giveUp(), Math.max(0, remaining - this.#margin));
  }

  /** Ends with the renewal that is under way. Nothing is lost from now on. */
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
        this.#options.outages.answered();
        this.watch();
        if (skipped.length > 0) wait = Math.min(wait, triedAgainAfter);
        this.#lose(lost, otherHasIt);
      } catch (error) {
        this.#options.outages.failed(error, 'Leases could not be renewed');
        if (this.#options.leases.remaining !== undefined) wait = Math.min(wait, triedAgainAfter);
      }
    }
  }

  #giveUp(): void {
    const { leases } = this.#options;
    const ending = leases.endingWithin(this.#margin);
    leases.forget(ending.map(({ shard }) => shard));
    this.watch();
    this.#lose(ending, 'its lease could not be renewed in time');
  }

  #lose(leases: readonly Lease[], why: string): void {
    if (leases.length > 0 && !this.#isClosed) this.#options.lost(leases, why);
  }
}
