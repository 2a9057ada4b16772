import { Latencies } from '../load/latencies.js';

/** Compact, type 1, version 4, one row: little-endian. */
const at = { type: 4, sequence: 8, transmitTime: 16, sender: 48, lastBeamTime: 72 } as const;
const scanType = 1;

/** ms: a telegram that is sent later than this after its last beam is late. */
export const mostLag = 5;

/** Counts over the measured time. */
export interface ArrivalResult {
  readonly telegrams: number;
  /** Telegrams missing in the sequence numbers. */
  readonly lost: number;
  /** Senders of at least one telegram. */
  readonly senders: number;
  /** Telegrams of other kinds than scan data. */
  readonly others: number;
  /** Milliseconds from the last beam of a segment to its transmission, as stated in the telegram. */
  readonly lagP50: number;
  readonly lagP99: number;
  readonly lagMost: number;
  /** Telegrams with more than `mostLag`. */
  readonly late: number;
}

export function isArrivalResult(message: object): message is ArrivalResult {
  return 'telegrams' in message && 'lagP99' in message;
}

/** Counts telegrams of scan data by sender, and how late they were sent. */
export class Arrivals {
  readonly #lags = new Latencies();
  /** Number of the last telegram of each sender. */
  readonly #last = new Map<number, number>();
  #lost = 0;
  #most = 0;
  #others = 0;
  #late = 0;

  add(telegram: Buffer): void {
    if (telegram.readUInt32LE(at.type) !== scanType) {
      this.#others += 1;
      return;
    }
    const sender = telegram.readUInt32LE(at.sender);
    const sequence = Number(telegram.readBigUInt64LE(at.sequence));
    const last = this.#last.get(sender);
    if (last !== undefined) this.#lost += Math.max(0, sequence - last - 1);
    this.#last.set(sender, sequence);
    const sent = telegram.readBigUInt64LE(at.transmitTime);
    const lag = Number(sent - telegram.readBigUInt64LE(at.lastBeamTime)) / 1000;
    this.#lags.add(Math.max(0, lag));
    this.#most = Math.max(this.#most, lag);
    if (lag > mostLag) this.#late += 1;
  }

  /** Resets the counts. */
  clear(): void {
    this.#lags.clear();
    this.#last.clear();
    this.#lost = 0;
    this.#most = 0;
    this.#others = 0;
    this.#late = 0;
  }

  get result(): ArrivalResult {
    return {
      telegrams: this.#lags.total,
      lost: this.#lost,
      senders: this.#last.size,
      others: this.#others,
      lagP50: this.#lags.quantile(0.5),
      lagP99: this.#lags.quantile(0.99),
      lagMost: this.#most,
      late: this.#late,
    };
  }
}
