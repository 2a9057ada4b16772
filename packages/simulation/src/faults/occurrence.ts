import type { Clock } from '@azimuth/device';
import type { FaultKind, faultGroups, PlannedFault } from '@azimuth/model/faults';
import type { RandomNumbers } from '../random-numbers.js';

/** The state of a fault: still to come, active, pausing until it repeats, or over. */
export type FaultState = 'planned' | 'active' | 'pausing' | 'over';

/** Decides when one fault of a plan happens: by time, by count and at random. */
export class Occurrence<Fault extends PlannedFault = PlannedFault> {
  readonly fault: Fault;
  readonly random: RandomNumbers;
  readonly #clock: Clock;
  #origin: number;
  readonly #happens: ((kind: FaultKind) => void) | undefined;
  #occasions = 0;
  #times = 0;

  /** @param happens called each time that the fault happens */
  constructor(fault: Fault, clock: Clock, random: RandomNumbers, happens?: (kind: FaultKind) => void) {
    this.fault = fault;
    this.random = random;
    this.#clock = clock;
    this.#happens = happens;
    this.#origin = clock.monotonic() + fault.at;
  }

  /** Number of occasions while the fault was active. */
  get occasions(): number {
    return this.#occasions;
  }

  /** Number of times that the fault has happened. */
  get times(): number {
    return this.#times;
  }

  /** The state by time and by the count of occasions. */
  get state(): FaultState {
    const { for: lasts, repeat, after, first } = this.fault;
    if (first !== undefined && this.#occasions >= after + first) return 'over';
    const since = this.#clock.monotonic() - this.#origin;
    if (since < 0) return 'planned';
    if (lasts === undefined) return 'active';
    if (repeat === undefined) return since < lasts ? 'active' : 'over';
    return since % repeat < lasts ? 'active' : 'pausing';
  }

  /** Remembers the counts, the next random numbers, and what is left until it begins or ends. */
  remember(): () => void {
    const taken = this.#clock.monotonic();
    const [origin, occasions, times] = [this.#origin, this.#occasions, this.#times];
    const putBackRandom = this.random.remember();
    return () => {
      this.#origin = origin + this.#clock.monotonic() - taken;
      this.#occasions = occasions;
      this.#times = times;
      putBackRandom();
    };
  }

  /** Counts an occasion. True if the fault happens. */
  occurs(): boolean {
    return this.state === 'active' && this.counts();
  }

  /** Counts an occasion at any time. True if the fault happens. */
  counts(): boolean {
    const { after, first, every, probability } = this.fault;
    this.#occasions += 1;
    const number = this.#occasions - after;
    if (number < 1 || (first !== undefined && number > first) || number % every !== 0) return false;
    if (probability < 1 && this.random.uniform() >= probability) return false;
    this.#times += 1;
    this.#happens?.(this.fault.kind);
    return true;
  }
}

export type HttpKind = keyof (typeof faultGroups)['HTTP'];
export type EventKind = keyof (typeof faultGroups)['Events'];
export type LegacyKind = keyof (typeof faultGroups)['Legacy protocol'];
export type StreamKind = keyof (typeof faultGroups)['Data streams'];

/** An occurrence of a fault of one of these kinds. */
export type OccurrenceOf<Kind extends FaultKind> = Occurrence<Extract<PlannedFault, { readonly kind: Kind }>>;
export type OccurrencesOf<Kind extends FaultKind> = readonly OccurrenceOf<Kind>[];

/** Returns the occurrences of these kinds; undefined if there are none. */
export function occurrencesOf<Kind extends FaultKind>(
  occurrences: Iterable<Occurrence>,
  kinds: Readonly<Record<Kind, unknown>>,
): OccurrencesOf<Kind> | undefined {
  const ofKinds = [...occurrences].filter((occurrence): occurrence is OccurrenceOf<Kind> =>
    isOneOf(occurrence, kinds),
  );
  return ofKinds.length === 0 ? undefined : ofKinds;
}

/** True if the fault is of one of these kinds. */
export function isOneOf<Kind extends FaultKind>(
  occurrence: Occurrence,
  kinds: Readonly<Record<Kind, unknown>>,
): occurrence is OccurrenceOf<Kind> {
  return Object.hasOwn(kinds, occurrence.fault.kind);
}

/** Changes this many bytes at random positions from `from` up to below `to`. Each changed byte differs from before. */
export function changeBytes(
  bytes: Uint8Array,
  { from, to }: { readonly from: number; readonly to: number },
  count: number,
  random: RandomNumbers,
): void {
  const places = new Set<number>();
  while (places.size < Math.min(count, to - from)) places.add(from + random.below(to - from));
  for (const place of places) bytes[place] = (bytes[place] ?? 0) ^ (1 + random.below(255));
}
