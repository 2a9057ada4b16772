import type { Clock, Device } from '@azimuth/device';
import type { LinkFaults } from '@azimuth/device/faults';
import { DeviceStatus } from '@azimuth/model';
import type { PlannedFault } from '@azimuth/model/faults';
import type { VirtualHardware } from '../virtual-hardware.js';
import type { OccurrenceOf } from './occurrence.js';
import type { StampErrors } from './stamp-errors.js';

/** The kinds of fault with an occasion at each begin. */
export const timedKinds = {
  'device-power-cut': true,
  'device-status': true,
  'device-temperature': true,
  'device-clock-step': true,
  'device-clock-lost': true,
  'device-contamination': true,
  'known-issue': true,
  'link-down': true,
  'clock-skew': true,
} as const;

type TimedKind = keyof typeof timedKinds;

/** The parts of the simulation on which timed faults act. */
export interface FaultTargets {
  readonly device: Device;
  readonly hardware: VirtualHardware;
  readonly cable: Cable;
  readonly stamps: StampErrors;
  /** Switches the power off for a time in ms: the next boot begins later. */
  readonly powerOff: (milliseconds: number) => void;
}

/** Begins a fault. Returns a function that ends it; undefined if there is nothing to end. */
export function begin(fault: PlannedFault<TimedKind>, targets: FaultTargets): (() => void) | undefined {
  switch (fault.kind) {
    case 'device-power-cut':
      targets.powerOff(fault.for ?? 0);
      targets.device.lifecycle.powerCycle();
      return undefined;
    case 'device-status':
      return showStatus(fault.status, targets.device);
    case 'device-temperature':
      return targets.hardware.overrideTemperature(fault.celsius);
    case 'device-clock-step':
      targets.device.features.synchronisation.step(fault.step);
      return undefined;
    case 'device-clock-lost':
      return targets.hardware.overrideSynchronised();
    case 'device-contamination':
      return targets.hardware.overrideContamination(fault.level, fault.sector);
    case 'known-issue':
      return targets.device.features.issues.begin(fault.issue);
    case 'link-down':
      return targets.cable.pull(fault.connections);
    case 'clock-skew':
      return targets.stamps.skew(fault.ppm, targets.device.features.uptime.microseconds);
  }
}

/** Number of shown statuses. It tells several faults of the same status apart. */
let shown = 0;

function showStatus(status: 6 | 7, { features }: Device): () => void {
  const { conditions } = features.deviceStatus;
  const condition = status === DeviceStatus.DS_ServiceRequired ? 'DS_ServiceRequired' : 'DS_RecoverableError';
  shown += 1;
  const reason = `planned fault ${shown}`;
  conditions.set(condition, reason, true);
  return () => conditions.set(condition, reason, false);
}

/** Begins and ends a timed fault on a clock, as often as it repeats. */
export class ScheduledFault {
  readonly occurrence: OccurrenceOf<TimedKind>;
  readonly #clock: Clock;
  readonly #begin: () => (() => void) | undefined;
  readonly #origin: number;
  #cancelBegin: (() => void) | undefined;
  #cancelEnd: (() => void) | undefined;
  #end: (() => void) | undefined;

  /** @param begin begins the fault. It returns a function that ends it; undefined if there is nothing to end */
  constructor(occurrence: OccurrenceOf<TimedKind>, clock: Clock, begin: () => (() => void) | undefined) {
    this.occurrence = occurrence;
    this.#clock = clock;
    this.#begin = begin;
    this.#origin = clock.monotonic() + occurrence.fault.at;
    this.#schedule(this.#origin);
  }

  /** True if the fault never begins again and is not active. */
  get isOver(): boolean {
    return this.#cancelBegin === undefined && this.#end === undefined;
  }

  /** Ends the fault for good. */
  clear(): void {
    this.#cancelBegin?.();
    this.#cancelBegin = undefined;
    this.#endNow();
  }

  #schedule(at: number): void {
    this.#cancelBegin = this.#clock.after(Math.max(0, at - this.#clock.monotonic()), () => this.#due(at));
  }

  #due(at: number): void {
    const { fault } = this.occurrence;
    this.#cancelBegin = undefined;
    const happens = this.occurrence.counts();
    const { repeat, first, after } = fault;
    if (repeat !== undefined && (first === undefined || this.occurrence.occasions < after + first)) {
      this.#schedule(at + repeat);
    }
    if (!happens) return;
    // A fault without an end continues if it begins again.
    if (this.#end !== undefined) return;
    this.#end = this.#begin();
    if (this.#end === undefined || fault.for === undefined) return;
    this.#cancelEnd = this.#clock.after(fault.for, () => this.#endNow());
  }

  #endNow(): void {
    const end = this.#end;
    this.#cancelEnd?.();
    this.#cancelEnd = undefined;
    this.#end = undefined;
    end?.();
  }
}

type LinkDownKind = 'silent' | 'reset';

/** The network cable. Several faults may have pulled it out. It is in again when all of them are over. */
export class Cable implements LinkFaults {
  readonly #pulledBy = new Map<object, LinkDownKind>();
  readonly #listeners = new Set<() => void>();
  #down: LinkDownKind | undefined;

  get down(): LinkDownKind | undefined {
    return this.#down;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Pulls the cable out. Returns a function that undoes this. */
  pull(kind: LinkDownKind): () => void {
    const pull = {};
    this.#pulledBy.set(pull, kind);
    this.#changed();
    return () => {
      if (this.#pulledBy.delete(pull)) this.#changed();
    };
  }

  #changed(): void {
    this.#down = this.#pulledBy.values().next().value;
    for (const listener of [...this.#listeners]) listener();
  }
}
