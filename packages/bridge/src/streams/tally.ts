/**
 * Reasons for which a telegram does not reach a program. `refused`: nothing listens there; `slow`: too much waits for
 * this client; `closed`: it waited for a client that has gone; `congested`: the system accepts no more datagrams; `failed`: another error of the network.
 */
export const lossReasons = ['refused', 'slow', 'closed', 'congested', 'failed'] as const;

export type LossReason = (typeof lossReasons)[number];

/** Figures of a destination. */
export interface Tallied {
  /** Number of telegrams that were handed to the system; of several clients, the sum. */
  readonly sent: number;
  readonly bytes: number;
  /** Number of telegrams that were lost, by the reason; of several clients, the sum. */
  readonly lost: Readonly<Partial<Record<LossReason, number>>>;
}

/** Counts what a destination gets. */
export class Tally implements Tallied {
  sent = 0;
  bytes = 0;
  readonly lost: Partial<Record<LossReason, number>> = {};

  pass(bytes: number): void {
    this.sent += 1;
    this.bytes += bytes;
  }

  lose(reason: LossReason, telegrams = 1): void {
    this.lost[reason] = (this.lost[reason] ?? 0) + telegrams;
  }
}
