import type { BootFault, Clock, Device, Faults, Storage } from '@azimuth/device';
import { hasIssue, type Release, releasesWith } from '@azimuth/model';
import {
  checkedPlan,
  type FaultPlan,
  FaultPlanError,
  faultGroups,
  membersOf,
  mostFaults,
  type PlannedFault,
} from '@azimuth/model/faults';
import { drawsOf } from '../random-numbers.js';
import type { VirtualHardware } from '../virtual-hardware.js';
import { PlannedEventFaults } from './event-faults.js';
import { brokenDisk, diskFull, faultyStorage } from './faulty-storage.js';
import { PlannedHttpFaults, Silences } from './http-faults.js';
import { PlannedLegacyFaults } from './legacy-faults.js';
import { type FaultState, isOneOf, Occurrence, runsOf } from './occurrence.js';
import { type Bursts, PlannedStreamFaults } from './stream-faults.js';
import { begin, Cable, TimedRun, timedKinds } from './timed-faults.js';

const saveKinds = { 'device-save-fails': true, 'device-disk-full': true } as const;
const bootKinds = { 'device-slow-boot': true, 'device-boot-loop': true } as const;

/** ms by which all/late-start makes a boot longer. */
const lateStart = 18_000;

interface Options {
  readonly clock: Clock;
  readonly hardware: VirtualHardware;
  /** Of plans that have none; default 1. */
  readonly seed?: number | undefined;
}

/** A fault of the list, as it is shown. */
export interface ListedFault {
  readonly id: number;
  readonly state: FaultState;
  /** How often it could have happened while it was active, and how often it has. */
  readonly occasions: number;
  readonly times: number;
  /** As in a plan, without the defaults. */
  readonly fault: object;
}

interface Entry {
  readonly id: number;
  /** Equal for faults with the same content. */
  readonly content: string;
  readonly run: Occurrence;
  readonly timed: TimedRun | undefined;
}

/**
 * The planned faults of a virtual scanner, over all its protocols and the device itself. Faults are added and cleared at
 * any time. On a virtual clock, equal plans have equal effects.
 */
export class FaultTimeline implements Faults {
  readonly link = new Cable();
  readonly #clock: Clock;
  readonly #hardware: VirtualHardware;
  readonly #seed: number;
  readonly #entries = new Map<number, Entry>();
  #lastId = 0;
  #device: Device | undefined;
  /** Plans that were added before the scanner was attached. */
  #waiting: FaultPlan[] = [];
  /** ms that the next boot begins later, because the power is off. */
  #powerOff = 0;
  readonly #bursts: Bursts = new WeakMap();
  readonly #silences: Silences;
  #http: PlannedHttpFaults | undefined;
  #events: PlannedEventFaults | undefined;
  #legacy: PlannedLegacyFaults | undefined;
  #streams: PlannedStreamFaults | undefined;

  constructor({ clock, hardware, seed = 1 }: Options) {
    this.#clock = clock;
    this.#hardware = hardware;
    this.#seed = seed;
    this.#silences = new Silences(clock);
  }

  get http(): PlannedHttpFaults | undefined {
    return this.#http;
  }

  get events(): PlannedEventFaults | undefined {
    return this.#events;
  }

  get legacy(): PlannedLegacyFaults | undefined {
    return this.#legacy;
  }

  get streams(): PlannedStreamFaults | undefined {
    return this.#streams;
  }

  /** All planned faults, in the order in which they were added. */
  get list(): readonly ListedFault[] {
    return [...this.#entries.values()].map(({ id, run, timed }) => ({
      id,
      state: timed?.isOver === true ? 'over' : run.state,
      occasions: run.occasions,
      times: run.times,
      fault: withoutDefaults(run.fault),
    }));
  }

  /**
   * Adds the faults of a plan. Before the scanner is attached, they wait for that.
   * @returns their ids; none while they wait
   * @throws FaultPlanError if it is not valid, if it has an issue of another release, or if there were more than 1000 faults
   */
  add(plan: FaultPlan): readonly number[] {
    const { seed = this.#seed, faults } = checkedPlan(plan);
    if (this.#entries.size + faults.length > mostFaults) {
      throw new FaultPlanError([`at most ${mostFaults} faults at a time; there are ${this.#entries.size}`]);
    }
    if (this.#device === undefined) {
      this.#waiting.push(plan);
      return [];
    }
    const device = this.#device;
    refuseForeignIssues(faults, device.served.edition.release);
    const ids = faults.map((fault) => this.#enter(fault, seed, device));
    this.#arrange();
    return ids;
  }

  /** Ends and removes a fault, or all without an id. False if there is none with this id. */
  clear(id?: number): boolean {
    const cleared = id === undefined ? [...this.#entries.values()] : [this.#entries.get(id)];
    for (const entry of cleared) {
      if (entry === undefined) return false;
      this.#entries.delete(entry.id);
      entry.timed?.clear();
    }
    this.#arrange();
    return true;
  }

  /** The storage of the scanner, with writes that fail as planned. */
  storage(storage: Storage): Storage {
    return faultyStorage(storage, (name) => this.#writeFault(name));
  }

  /** Begins the plans. Returns a function that ends them. */
  attach(device: Device): () => void {
    this.#device = device;
    device.lifecycle.disturbBoots(() => this.#bootFault());
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const plan of waiting) this.add(plan);
    return () => {
      for (const { timed } of this.#entries.values()) timed?.clear();
    };
  }

  #enter(fault: PlannedFault, seed: number, device: Device): number {
    this.#lastId += 1;
    const id = this.#lastId;
    const content = JSON.stringify(fault);
    // Equal faults draw different numbers; all others depend only on themselves.
    const equal = [...this.#entries.values()].filter((entry) => entry.content === content).length;
    const run = new Occurrence(fault, this.#clock, drawsOf(seed, `${content} ${equal}`));
    this.#entries.set(id, { id, content, run, timed: this.#timed(run, device) });
    return id;
  }

  #timed(run: Occurrence, device: Device): TimedRun | undefined {
    if (!isOneOf(run, timedKinds)) return undefined;
    const surroundings = {
      device,
      hardware: this.#hardware,
      cable: this.link,
      powerOff: (milliseconds: number) => {
        this.#powerOff = milliseconds;
      },
    };
    return new TimedRun(run, device.clock, () => begin(run.fault, surroundings));
  }

  /** Makes the faults of each protocol anew. */
  #arrange(): void {
    const runs = [...this.#entries.values()].map(({ run }) => run);
    const http = runsOf(runs, faultGroups.HTTP);
    const events = runsOf(runs, faultGroups.Events);
    const legacy = runsOf(runs, faultGroups['Legacy protocol']);
    const streams = runsOf(runs, faultGroups['Data streams']);
    this.#http = http && new PlannedHttpFaults(http, this.#silences);
    this.#events = events && new PlannedEventFaults(events);
    this.#legacy = legacy && new PlannedLegacyFaults(legacy);
    this.#streams = streams && new PlannedStreamFaults(streams, this.#bursts);
  }

  #runs(): readonly Occurrence[] {
    return [...this.#entries.values()].map(({ run }) => run);
  }

  #writeFault(name: string): Error | undefined {
    let error: Error | undefined;
    for (const run of runsOf(this.#runs(), saveKinds) ?? []) {
      const { fault } = run;
      if (fault.kind === 'device-save-fails' && fault.file !== '*' && fault.file !== name) continue;
      if (run.occurs()) error ??= fault.kind === 'device-disk-full' ? diskFull() : brokenDisk();
    }
    return error;
  }

  #bootFault(): BootFault {
    let delay =
      this.#powerOff + (this.#device?.features.issues.has('all/late-start') === true ? lateStart : 0);
    let fails = false;
    this.#powerOff = 0;
    for (const run of runsOf(this.#runs(), bootKinds) ?? []) {
      if (!run.occurs()) continue;
      if (run.fault.kind === 'device-slow-boot') delay += run.fault.delay;
      else fails = true;
    }
    return { delay, fails };
  }
}

/** @throws FaultPlanError for known issues that the release does not have */
function refuseForeignIssues(faults: readonly PlannedFault[], release: Release): void {
  const problems = faults.flatMap((fault, index) =>
    fault.kind === 'known-issue' && !hasIssue(release, fault.issue)
      ? [
          `faults[${index}].issue: ${fault.issue} belongs to ${releasesWith(fault.issue)}; this scanner runs ${release}`,
        ]
      : [],
  );
  if (problems.length > 0) throw new FaultPlanError(problems);
}

function withoutDefaults(fault: PlannedFault): object {
  const members = membersOf(fault.kind);
  return Object.fromEntries(
    Object.entries(fault).filter(([name, value]) => name === 'kind' || members[name]?.usual !== value),
  );
}
