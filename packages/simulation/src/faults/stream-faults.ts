import type { FaultyStream, StreamFaults, TelegramFault } from '@azimuth/device/faults';
import type { PlannedFault } from '@azimuth/model/faults';
import {
  changeBytes,
  type Occurrence,
  type OccurrenceOf,
  type OccurrencesOf,
  type StreamKind,
} from './occurrence.js';

/** Bytes of the checksum at the end of a telegram. */
const crcBytes = 4;

type Damage = (telegram: Uint8Array) => void;
type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** The fates of a telegram, from mild to grave. If several faults concern one telegram, the gravest fate counts. */
const fates = ['sent', 'lost', 'gone', 'silent'] as const;

/** Telegrams that a burst is still to lose, by stream. */
export type Bursts = WeakMap<Occurrence, Map<FaultyStream, number>>;

/** The planned faults of the data streams. Several may happen to one telegram. */
export class PlannedStreamFaults implements StreamFaults {
  readonly #occurrences: OccurrencesOf<StreamKind>;
  readonly #bursts: Bursts;

  /** @param bursts the bursts that have begun; they continue if the plan changes */
  constructor(occurrences: OccurrencesOf<StreamKind>, bursts: Bursts) {
    this.#occurrences = occurrences;
    this.#bursts = bursts;
  }

  of(stream: FaultyStream): TelegramFault | undefined {
    let happens = false;
    const result: Writable<TelegramFault> = {
      fate: 'sent',
      copies: 0,
      behind: 0,
      delay: 0,
      damage: undefined,
    };
    for (const occurrence of this.#occurrences) {
      if (occurrence.fault.stream !== 'any' && occurrence.fault.stream !== stream) continue;
      if (!this.#occurs(occurrence, stream)) continue;
      happens = true;
      apply(occurrence.fault, occurrence, result);
    }
    return happens ? result : undefined;
  }

  #occurs(occurrence: OccurrenceOf<StreamKind>, stream: FaultyStream): boolean {
    const { fault } = occurrence;
    if (fault.kind !== 'stream-burst-loss') return occurrence.occurs();
    const bursts = this.#bursts.get(occurrence) ?? new Map<FaultyStream, number>();
    this.#bursts.set(occurrence, bursts);
    const remaining = bursts.get(stream) ?? 0;
    if (remaining > 0) {
      bursts.set(stream, remaining - 1);
      return true;
    }
    const begins = occurrence.occurs();
    if (begins) bursts.set(stream, fault.length - 1);
    return begins;
  }
}

function apply(
  fault: PlannedFault<StreamKind>,
  { random }: Occurrence,
  result: Writable<TelegramFault>,
): void {
  switch (fault.kind) {
    case 'stream-loss':
    case 'stream-burst-loss':
      result.fate = graver(result.fate, 'lost');
      break;
    case 'stream-silence':
      result.fate = graver(result.fate, 'silent');
      break;
    case 'stream-gone':
      result.fate = graver(result.fate, 'gone');
      break;
    case 'stream-duplicate':
      result.copies = Math.max(result.copies, fault.copies);
      break;
    case 'stream-reorder':
      result.behind = Math.max(result.behind, fault.behind);
      break;
    case 'stream-jitter':
      result.delay += fault.delay + random.uniform() * fault.jitter;
      break;
    case 'stream-corrupt':
      result.damage = both(result.damage, (telegram) =>
        changeBytes(telegram, { from: 0, to: telegram.length }, fault.bytes, random),
      );
      break;
    case 'stream-crc':
      result.damage = both(result.damage, (telegram) =>
        changeBytes(
          telegram,
          { from: Math.max(0, telegram.length - crcBytes), to: telegram.length },
          1,
          random,
        ),
      );
      break;
  }
}

type Fate = TelegramFault['fate'];

function graver(one: Fate, other: Fate): Fate {
  return fates.indexOf(other) > fates.indexOf(one) ? other : one;
}

function both(first: Damage | undefined, second: Damage): Damage {
  return (telegram) => {
    first?.(telegram);
    second(telegram);
  };
}
