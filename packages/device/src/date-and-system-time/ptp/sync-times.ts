import type { PtpFollowUp, PtpSync, PtpTime } from '@azimuth/telegrams/ptp';
import { PtpFlag } from '@azimuth/telegrams/ptp';

/** A Sync with both times. */
export interface SyncTime {
  /** Arrival: ms of the monotonic clock. */
  readonly at: number;
  /** Sending: ms since the epoch of the master, with the corrections of network devices. */
  readonly time: number;
}

/**
 * Combines each Sync of a two-step master with its Follow_Up. They arrive at two sockets, in either order. Only the
 * newest of each is stored.
 */
export class SyncTimes {
  #sync: { readonly message: PtpSync; readonly at: number } | undefined;
  #followUp: PtpFollowUp | undefined;

  /** Adds a Sync with arrival time `at`. Returns both times if they are known. */
  sync(message: PtpSync, at: number): SyncTime | undefined {
    if ((message.flags & PtpFlag.twoStep) === 0) {
      this.clear();
      return { at, time: millisecondsOf(message.time) + correctionOf(message.correction) };
    }
    this.#sync = { message, at };
    return this.#together();
  }

  followUp(message: PtpFollowUp): SyncTime | undefined {
    this.#followUp = message;
    return this.#together();
  }

  clear(): void {
    this.#sync = undefined;
    this.#followUp = undefined;
  }

  #together(): SyncTime | undefined {
    const sync = this.#sync;
    const followUp = this.#followUp;
    if (sync === undefined || followUp === undefined) return undefined;
    if (sync.message.sequence !== followUp.sequence) return undefined;
    this.clear();
    const correction = correctionOf(sync.message.correction) + correctionOf(followUp.correction);
    return { at: sync.at, time: millisecondsOf(followUp.time) + correction };
  }
}

export function millisecondsOf({ seconds, nanoseconds }: PtpTime): number {
  return seconds * 1000 + nanoseconds / 1_000_000;
}

/** ms of a correction, which is in 2^-16 ns. */
export function correctionOf(correction: bigint): number {
  return Number(correction) / 65_536 / 1_000_000;
}
