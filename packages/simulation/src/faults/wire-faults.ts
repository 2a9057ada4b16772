import type { Clock } from '@azimuth/device';
import type { LinkFaults } from '@azimuth/device/faults';
import {
  type CheckedPlan,
  checkedPlan,
  type FaultKind,
  type FaultPlan,
  FaultPlanError,
  faultGroups,
  type PlannedFault,
} from '@azimuth/model/faults';
import { faultRandomNumbers } from '../random-numbers.js';
import { PlannedEventFaults } from './event-faults.js';
import { PlannedHttpFaults, Silences } from './http-faults.js';
import { PlannedLegacyFaults } from './legacy-faults.js';
import { isOneOf, Occurrence, occurrencesOf } from './occurrence.js';
import { PlannedStreamFaults } from './stream-faults.js';
import { Cable, ScheduledFault } from './timed-faults.js';

/** Groups of faults that can be put on what passes between a scanner and its programs. */
const wireGroups = ['HTTP', 'Events', 'Legacy protocol', 'Data streams', 'Link'] as const;

const linkKinds = { 'link-down': true } as const;

interface Options {
  readonly clock: Clock;
  /** Seed of a plan that has none; default 1. */
  readonly seed?: number | undefined;
}

/** The result of a question, and the kinds of fault that happened by it. */
export interface AskedFaults<T> {
  readonly result: T;
  readonly kinds: readonly FaultKind[];
}

/**
 * The planned faults of the network, without a virtual scanner: for what passes between a real one and its programs. They
 * begin at once. Each property is undefined if the plan has no fault of its protocol.
 */
export class WireFaults {
  readonly http: PlannedHttpFaults | undefined;
  readonly events: PlannedEventFaults | undefined;
  readonly legacy: PlannedLegacyFaults | undefined;
  readonly streams: PlannedStreamFaults | undefined;
  readonly #cable = new Cable();
  readonly #scheduled: readonly ScheduledFault[];
  #happened: FaultKind[] = [];

  /** @throws FaultPlanError if the plan is not valid, or has faults that only a virtual scanner can have */
  constructor(plan: FaultPlan, { clock, seed: usual = 1 }: Options) {
    const checked = checkedPlan(plan);
    refuseOthers(checked);
    const { seed = usual, faults } = checked;
    const counts = new Map<string, number>();
    const occurrences = faults.map((fault) => {
      const content = JSON.stringify(fault);
      const equal = counts.get(content) ?? 0;
      counts.set(content, equal + 1);
      // The same numbers as in a virtual scanner with this plan.
      const random = faultRandomNumbers(seed, `${content} ${equal}`);
      return new Occurrence(fault, clock, random, (kind) => this.#happened.push(kind));
    });
    const http = occurrencesOf(occurrences, faultGroups.HTTP);
    const events = occurrencesOf(occurrences, faultGroups.Events);
    const legacy = occurrencesOf(occurrences, faultGroups['Legacy protocol']);
    const streams = occurrencesOf(occurrences, faultGroups['Data streams']);
    this.http = http && new PlannedHttpFaults(http, new Silences(clock));
    this.events = events && new PlannedEventFaults(events);
    this.legacy = legacy && new PlannedLegacyFaults(legacy);
    this.streams = streams && new PlannedStreamFaults(streams, new WeakMap());
    this.#scheduled = occurrences
      .filter((occurrence) => isOneOf(occurrence, linkKinds))
      .map((occurrence) => {
        const { connections } = occurrence.fault;
        return new ScheduledFault(occurrence, clock, () => this.#cable.pull(connections));
      });
  }

  /** The network cable. */
  get link(): LinkFaults {
    return this.#cable;
  }

  /** Asks for a fault, and returns the kinds that happened, too: `asked(() => faults.http?.of(path, method))`. */
  asked<T>(ask: () => T): AskedFaults<T> {
    this.#happened = [];
    const result = ask();
    const kinds = this.#happened;
    this.#happened = [];
    return { result, kinds };
  }

  /** Ends all faults. */
  close(): void {
    for (const scheduled of this.#scheduled) scheduled.clear();
  }
}

/** Refuses faults that happen inside a scanner. @throws FaultPlanError with the place of each */
function refuseOthers({ faults }: CheckedPlan): void {
  const problems = faults.flatMap((fault, index) => {
    const group = groupOf(fault);
    return wireGroups.some((one) => one === group)
      ? []
      : [
          `faults[${index}].kind: a fault of what passes (${wireGroups.join(', ')}), not ${fault.kind}, which only a virtual scanner can have`,
        ];
  });
  if (problems.length > 0) throw new FaultPlanError(problems);
}

function groupOf({ kind }: PlannedFault): string | undefined {
  return Object.entries(faultGroups).find(([, kinds]) => Object.hasOwn(kinds, kind))?.[0];
}
