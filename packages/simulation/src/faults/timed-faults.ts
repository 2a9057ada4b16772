import type { Clock, Device, LinkFaults } from '@azimuth/device';
import { DeviceStatus } from '@azimuth/model';
import type { PlannedFault } from '@azimuth/model/faults';
import type { VirtualHardware } from '../virtual-hardware.js';
import type { RunOf } from './occurrence.js';

/** The kinds whose occasion is each time that they begin. */
export const timedKinds = {
  'device-power-cut': true,
  'device-status': true,
  'device-temperature': true,
  'device-clock-step': true,
  'device-contamination': true,
  'known-issue': true,
  'link-down': true,
} as const;

type TimedKind = keyof typeof timedKinds;

/** What timed faults act on. */
export interface Surroundings {
  readonly device: Device;
  readonly hardware: VirtualHardware;
  readonly cable: Cable;
  /** The power is off for so many ms: the boot that follows begins later. */
  readonly powerOff: (milliseconds: number) => void;
}

/** Begins a fault. Returns a function that ends it; undefined if there is nothing to end. */
export function begin(fault: PlannedFault<TimedKind>, on: Surroundings): (() => void) | undefined {
  switch (fault.kind) {
    case 'device-power-cut':
      on.powerOff(fault.for ?? 0);
      on.device.lifecycle.powerCycle();
      return undefined;
    case 'device-status':
      return showStatus(fault.status, on.device);
    case 'device-temperature':
      return on.hardware.overrideTemperature(fault.celsius);
    case 'device-clock-step':
      on.device.features.synchronisation.step(fault.step);
      return undefined;
    case 'device-contamination':
      return soil(fault, on);
    case 'known-issue':
      return on.device.features.issues.begin(fault.issue);
    case 'link-down':
      return on.cable.pull(fault.connections);
  }
}

/** Tells several faults of the same status apart. */
let shown = 0;

function showStatus(status: 6 | 7, { features }: Device): () => void {
  const { conditions } = features.deviceStatus;
  const condition = status === DeviceStatus.DS_ServiceRequired ? 'DS_ServiceRequired' : 'DS_RecoverableError';
  shown += 1;
  const reason = `planned fault ${shown}`;
  conditions.set(condition, reason, true);
  return () => conditions.set(condition, reason, false);
}

function soil(
  { level, sector }: PlannedFault<'device-contamination'>,
  { device, hardware }: Surroundings,
): () => void {
  const clean = hardware.overrideContamination(level, sector);
  device.features.contamination.levelsChanged();
  return () => {
    clean();
    device.features.contamination.levelsChanged();
  };
}

/** Begins and ends a timed fault on a clock, as often as it repeats. */
export class TimedRun {
  readonly run: RunOf<TimedKind>;
  readonly #clock: Clock;
  readonly #begin: () => (() => void) | undefined;
  readonly #origin: number;
  #cancelBegin: (() => void) | undefined;
  #cancelEnd: (() => void) | undefined;
  #end: (() => void) | undefined;

  /** @param begin begins the fault, and returns a function that ends it; undefined if there is nothing to end */
  constructor(run: RunOf<TimedKind>, clock: Clock, begin: () => (() => void) | undefined) {
    this.run = run;
    this.#clock = clock;
    this.#begin = begin;
    this.#origin = clock.monotonic() + run.fault.at;
    this.#schedule(this.#origin);
  }

  /** Does it never begin again, and is nothing left to end? */
  get isOver(): boolean {
    return this.#cancelBegin === undefined && this.#end === undefined;
  }

  /** Ends it for good. */
  clear(): void {
    this.#cancelBegin?.();
    this.#cancelBegin = undefined;
    this.#endNow();
  }

  #schedule(at: number): void {
    this.#cancelBegin = this.#clock.after(Math.max(0, at - this.#clock.monotonic()), () => this.#due(at));
  }

  #due(at: number): void {
    const { fault } = this.run;
    this.#cancelBegin = undefined;
    const happens = this.run.counts();
    const { repeat, first, after } = fault;
    if (repeat !== undefined && (first === undefined || this.run.occasions < after + first)) {
      this.#schedule(at + repeat);
    }
    if (!happens) return;
    // A fault without an end that begins again goes on.
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

type How = 'silent' | 'reset';

/** The network cable. Several faults may have pulled it out: it is in again when all of them are over. */
export class Cable implements LinkFaults {
  readonly #pulledBy = new Map<object, How>();
  readonly #listeners = new Set<() => void>();
  #down: How | undefined;

  get down(): How | undefined {
    return this.#down;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Pulls it out. Returns a function that puts it in again. */
  pull(how: How): () => void {
    const pull = {};
    this.#pulledBy.set(pull, how);
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
