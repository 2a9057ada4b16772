import type { FaultyStream, StreamFaults, TelegramFault } from '@azimuth/device';
import type { PlannedFault } from '@azimuth/model/faults';
import { changeBytes, type Occurrence, type RunOf, type RunsOf, type StreamKind } from './occurrence.js';

/** Bytes of the checksum at the end of a telegram. */
const crcBytes = 4;

type Damage = (telegram: Uint8Array) => void;
type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** From mild to grave: of several faults of one telegram, the gravest decides whether it is sent. */
const fates = ['sent', 'lost', 'gone', 'silent'] as const;

/** Telegrams that a burst still loses, of each stream. */
export type Bursts = WeakMap<Occurrence, Map<FaultyStream, number>>;

/** The planned faults of the data streams. Several may happen to one telegram. */
export class PlannedStreamFaults implements StreamFaults {
  readonly #runs: RunsOf<StreamKind>;
  readonly #bursts: Bursts;

  /** @param bursts those that have begun; they go on if the plan changes */
  constructor(runs: RunsOf<StreamKind>, bursts: Bursts) {
    this.#runs = runs;
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
    for (const run of this.#runs) {
      if (run.fault.stream !== 'any' && run.fault.stream !== stream) continue;
      if (!this.#occurs(run, stream)) continue;
      happens = true;
      apply(run.fault, run, result);
    }
    return happens ? result : undefined;
  }

  #occurs(run: RunOf<StreamKind>, stream: FaultyStream): boolean {
    const { fault } = run;
    if (fault.kind !== 'stream-burst-loss') return run.occurs();
    const bursts = this.#bursts.get(run) ?? new Map<FaultyStream, number>();
    this.#bursts.set(run, bursts);
    const left = bursts.get(stream) ?? 0;
    if (left > 0) {
      bursts.set(stream, left - 1);
      return true;
    }
    const begins = run.occurs();
    if (begins) bursts.set(stream, fault.length - 1);
    return begins;
  }
}

function apply(
  fault: PlannedFault<StreamKind>,
  { draws }: Occurrence,
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
      result.delay += fault.delay + draws.uniform() * fault.jitter;
      break;
    case 'stream-corrupt':
      result.damage = both(result.damage, (telegram) =>
        changeBytes(telegram, { from: 0, to: telegram.length }, fault.bytes, draws),
      );
      break;
    case 'stream-crc':
      result.damage = both(result.damage, (telegram) =>
        changeBytes(
          telegram,
          { from: Math.max(0, telegram.length - crcBytes), to: telegram.length },
          1,
          draws,
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
