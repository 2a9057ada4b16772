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
  'hardware-fails': true,
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
      return showStatus(fault, targets.device);
    case 'device-temperature':
      return targets.hardware.overrideTemperature(fault.celsius);
    case 'hardware-fails':
      return targets.hardware.fail(fault.member, fault.how);
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

/** A number for each fault that shows a status. It tells several faults of the same status apart. */
const shown = new WeakMap<PlannedFault, number>();
let lastShown = 0;

function showStatus(fault: PlannedFault<'device-status'>, { features }: Device): () => void {
  const { status } = fault;
  const { conditions } = features.deviceStatus;
  const condition = status === DeviceStatus.DS_ServiceRequired ? 'DS_ServiceRequired' : 'DS_RecoverableError';
  const number = shown.get(fault) ?? ++lastShown;
  shown.set(fault, number);
  const reason = `planned fault ${number}`;
  conditions.set(condition, reason, true);
  return () => conditions.set(condition, reason, false);
}

/** Begins and ends a timed fault on a clock, as often as it repeats. */
export class ScheduledFault {
  readonly occurrence: OccurrenceOf<TimedKind>;
  readonly #clock: Clock;
  readonly #begin: () => (() => void) | undefined;
  /** The time (ms of the clock) of the next begin; undefined if there is none. */
  #beginAt: number | undefined;
  #cancelBegin: (() => void) | undefined;
  /** The time of the end of an active fault; undefined if it has none. */
  #endAt: number | undefined;
  #cancelEnd: (() => void) | undefined;
  #end: (() => void) | undefined;

  /** @param begin begins the fault. It returns a function that ends it; undefined if there is nothing to end */
  constructor(occurrence: OccurrenceOf<TimedKind>, clock: Clock, begin: () => (() => void) | undefined) {
    this.occurrence = occurrence;
    this.#clock = clock;
    this.#begin = begin;
    this.#schedule(clock.monotonic() + occurrence.fault.at);
  }

  /** True if the fault never begins again and is not active. */
  get isOver(): boolean {
    return this.#beginAt === undefined && this.#end === undefined;
  }

  /** Ends the fault for good. */
  clear(): void {
    this.#unschedule();
    this.#endNow();
  }

  /** Remembers whether it is active, and what is left until it begins or ends. */
  remember(): () => void {
    const taken = this.#clock.monotonic();
    const [beginAt, endAt, isActive] = [this.#beginAt, this.#endAt, this.#end !== undefined];
    return () => {
      const later = this.#clock.monotonic() - taken;
      this.#unschedule();
      if (beginAt !== undefined) this.#schedule(beginAt + later);
      if (!isActive) {
        this.#endNow();
        return;
      }
      this.#end ??= this.#begin();
      this.#cancelEnd?.();
      this.#endsAt(endAt === undefined ? undefined : endAt + later);
    };
  }

  #unschedule(): void {
    this.#cancelBegin?.();
    this.#beginAt = undefined;
  }

  #schedule(at: number): void {
    this.#beginAt = at;
    this.#cancelBegin = this.#clock.after(Math.max(0, at - this.#clock.monotonic()), () => this.#due(at));
  }

  #due(at: number): void {
    const { fault } = this.occurrence;
    this.#beginAt = undefined;
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
    this.#endsAt(this.#clock.monotonic() + fault.for);
  }

  #endsAt(at: number | undefined): void {
    this.#endAt = at;
    if (at === undefined) return;
    this.#cancelEnd = this.#clock.after(Math.max(0, at - this.#clock.monotonic()), () => this.#endNow());
  }

  #endNow(): void {
    const end = this.#end;
    this.#cancelEnd?.();
    this.#endAt = undefined;
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
