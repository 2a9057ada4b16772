import { LossCount, type Losses } from '@azimuth/client';
import { counted } from '@azimuth/model';
import type { FaultKind } from '@azimuth/model/faults';
import { decodeTelegram, senderIdOf, streamOf, type Telegram, TelegramError } from '@azimuth/telegrams';
import type { Timeline } from '../timeline/timeline.js';
import type { StreamName } from '../timeline/timeline-entry.js';

/** Losses between the scanner and the relay, and what is no telegram. */
export type WatchedLosses = Readonly<Losses>;

/** What was passed on. */
interface Seen {
  readonly bytes: Uint8Array;
  /** µs since 1970. */
  readonly at: number;
  readonly from: string;
  readonly to: string;
  /** Planned faults that were put on it. */
  readonly faults: readonly FaultKind[];
}

/** Number of other scanners that are named. */
const mostOthers = 64;

/** Looks at telegrams that were passed on: it puts them on the timeline, counts losses, and finds what is wrong. */
export class TelegramWatch {
  readonly #timeline: Timeline;
  readonly #count = new LossCount();
  #sender: number | undefined;
  readonly #others = new Set<number>();

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  /** @param serialNumber of the scanner whose telegrams are expected; undefined if it is not known */
  expect(serialNumber: string | undefined): void {
    this.#sender = serialNumber === undefined ? undefined : senderIdOf(serialNumber);
  }

  get losses(): WatchedLosses {
    return this.#count.losses;
  }

  see(seen: Seen): void {
    const { bytes, at, from, to, faults } = seen;
    const stream: StreamName = streamOf(bytes) ?? 'scan';
    this.#timeline.add({ kind: 'telegram', stream, at, from, to, bytes });
    for (const fault of faults) this.#timeline.add({ kind: 'fault', at, fault, on: `${stream} telegram` });
    const telegram = this.#decoded(seen);
    if (telegram === undefined) return;
    this.#follow(telegram, seen);
    this.#nameOthers(telegram, at, from);
  }

  /** Follows the numbers of the telegrams of a stream. */
  #follow(telegram: Telegram, { at, from }: Seen): void {
    if (telegram.kind === 'imu') return;
    const step =
      telegram.kind === 'scan'
        ? this.#count.scan(telegram.telegram, from)
        : this.#count.encoder(telegram.telegram, from);
    if (step.kind === 'next' && step.lost === 0) return;
    this.#timeline.add({
      kind: 'finding',
      at,
      of: `${telegram.kind} telegrams from ${from}`,
      where: 'number of the telegram',
      expected: 'the next number',
      came: `${telegram.telegram.sequence}, ${wordsFor(step)}`,
    });
  }

  /** Counts bytes of a connection that belonged to no telegram. */
  foreign(bytes: number, { at, from }: Pick<Seen, 'at' | 'from'>): void {
    this.#count.damaged();
    this.#timeline.add({
      kind: 'finding',
      at,
      of: `connection to ${from}`,
      where: 'between two telegrams',
      expected: 'the beginning of a telegram',
      came: `${bytes} other bytes, which were not passed on`,
    });
  }

  #decoded({ bytes, at, from }: Seen): Telegram | undefined {
    try {
      return decodeTelegram(bytes);
    } catch (error) {
      if (!(error instanceof TelegramError)) throw error;
      this.#count.damaged();
      this.#timeline.add({
        kind: 'finding',
        at,
        of: `datagram of ${bytes.length} bytes from ${from}`,
        where: `byte ${error.offset}`,
        expected: error.expected,
        came: error.came,
      });
      return undefined;
    }
  }

  #nameOthers(telegram: Telegram, at: number, from: string): void {
    const sender = senderIn(telegram);
    if (this.#sender === undefined || sender === undefined || sender === this.#sender) return;
    if (this.#others.has(sender) || this.#others.size >= mostOthers) return;
    this.#others.add(sender);
    this.#timeline.add({
      kind: 'finding',
      at,
      of: `${telegram.kind} telegram from ${from}`,
      where: 'sender',
      expected: `the scanner with serial number ${this.#sender}`,
      came: `${sender}: another scanner sends here, too, and what it sends is passed on`,
    });
  }
}

function wordsFor(step: ReturnType<LossCount['scan']>): string {
  switch (step.kind) {
    case 'next':
      return `${counted(step.lost, 'telegram')} missing in front of it`;
    case 'late':
      return 'which is late';
    case 'repeated':
      return 'which came before';
    case 'restart':
      return 'because the scanner has started again';
  }
}

function senderIn(telegram: Telegram): number | undefined {
  if (telegram.kind === 'imu') return undefined;
  return telegram.kind === 'scan' ? telegram.telegram.modules[0]?.sender : telegram.telegram.sender;
}
