import type { Clock } from '@azimuth/device';
import type { FaultKind, faultGroups, PlannedFault } from '@azimuth/model/faults';
import type { RandomNumbers } from '../random-numbers.js';

/** Whether a fault is still to come, happens on occasions now, pauses until it repeats, or is over. */
export type FaultState = 'planned' | 'active' | 'pausing' | 'over';

/** When one fault of a plan happens: by time, by count and at random. */
export class Occurrence<Fault extends PlannedFault = PlannedFault> {
  readonly fault: Fault;
  readonly draws: RandomNumbers;
  readonly #clock: Clock;
  readonly #origin: number;
  #occasions = 0;
  #times = 0;

  constructor(fault: Fault, clock: Clock, draws: RandomNumbers) {
    this.fault = fault;
    this.draws = draws;
    this.#clock = clock;
    this.#origin = clock.monotonic() + fault.at;
  }

  /** How often there was an occasion while it was active. */
  get occasions(): number {
    return this.#occasions;
  }

  /** How often it has happened. */
  get times(): number {
    return this.#times;
  }

  /** Whether it is active by time; counts may have ended it. */
  get state(): FaultState {
    const { for: lasts, repeat, after, first } = this.fault;
    if (first !== undefined && this.#occasions >= after + first) return 'over';
    const since = this.#clock.monotonic() - this.#origin;
    if (since < 0) return 'planned';
    if (lasts === undefined) return 'active';
    if (repeat === undefined) return since < lasts ? 'active' : 'over';
    return since % repeat < lasts ? 'active' : 'pausing';
  }

  /** Counts an occasion. True if the fault happens. */
  occurs(): boolean {
    return this.state === 'active' && this.counts();
  }

  /** As `occurs`, whatever the time is. */
  counts(): boolean {
    const { after, first, every, probability } = this.fault;
    this.#occasions += 1;
    const number = this.#occasions - after;
    if (number < 1 || (first !== undefined && number > first) || number % every !== 0) return false;
    if (probability < 1 && this.draws.uniform() >= probability) return false;
    this.#times += 1;
    return true;
  }
}

export type HttpKind = keyof (typeof faultGroups)['HTTP'];
export type EventKind = keyof (typeof faultGroups)['Events'];
export type LegacyKind = keyof (typeof faultGroups)['Legacy protocol'];
export type StreamKind = keyof (typeof faultGroups)['Data streams'];

/** An occurrence of a fault of one of these kinds. */
export type RunOf<Kind extends FaultKind> = Occurrence<Extract<PlannedFault, { readonly kind: Kind }>>;
export type RunsOf<Kind extends FaultKind> = readonly RunOf<Kind>[];

/** Those of these kinds; undefined if there are none. */
export function runsOf<Kind extends FaultKind>(
  runs: Iterable<Occurrence>,
  kinds: Readonly<Record<Kind, unknown>>,
): RunsOf<Kind> | undefined {
  const found = [...runs].filter((run): run is RunOf<Kind> => isOneOf(run, kinds));
  return found.length === 0 ? undefined : found;
}

/** Is it a fault of one of these kinds? */
export function isOneOf<Kind extends FaultKind>(
  run: Occurrence,
  kinds: Readonly<Record<Kind, unknown>>,
): run is RunOf<Kind> {
  return Object.hasOwn(kinds, run.fault.kind);
}

/** Changes so many bytes at random places from `from` up to below `to`. No place is changed back. */
export function changeBytes(
  bytes: Uint8Array,
  { from, to }: { readonly from: number; readonly to: number },
  count: number,
  draws: RandomNumbers,
): void {
  const places = new Set<number>();
  while (places.size < Math.min(count, to - from)) places.add(from + draws.below(to - from));
  for (const place of places) bytes[place] = (bytes[place] ?? 0) ^ (1 + draws.below(255));
}
