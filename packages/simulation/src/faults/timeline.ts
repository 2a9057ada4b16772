import type { Clock, Device, Storage } from '@azimuth/device';
import type { Faults } from '@azimuth/device/faults';
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
import type { BootFault } from '../boot-time.js';
import { faultRandomNumbers } from '../random-numbers.js';
import type { VirtualHardware } from '../virtual-hardware.js';
import { PlannedCoreFaults } from './core-faults.js';
import { PlannedEventFaults } from './event-faults.js';
import { brokenDisk, diskFull, faultyStorage } from './faulty-storage.js';
import { PlannedHttpFaults, Silences } from './http-faults.js';
import { PlannedLegacyFaults } from './legacy-faults.js';
import { type FaultState, isOneOf, Occurrence, occurrencesOf } from './occurrence.js';
import { PlannedScanFaults, RepeatedEchoes, scanKinds } from './scan-faults.js';
import { StampErrors } from './stamp-errors.js';
import { type Bursts, PlannedStreamFaults } from './stream-faults.js';
import { begin, Cable, ScheduledFault, timedKinds } from './timed-faults.js';

const saveKinds = { 'device-save-fails': true, 'device-disk-full': true } as const;
const stampKinds = { 'stamp-jitter': true, 'clock-skew': true } as const;
const bootKinds = { 'device-slow-boot': true, 'device-boot-loop': true } as const;

/** ms by which all/late-start makes a boot longer. */
const lateStart = 18_000;

interface Options {
  readonly clock: Clock;
  readonly hardware: VirtualHardware;
  /** Seed of plans that have none; default 1. */
  readonly seed?: number | undefined;
}

/** A fault of the list, as shown to users. */
export interface ListedFault {
  readonly id: number;
  readonly state: FaultState;
  /** Number of occasions while it was active. */
  readonly occasions: number;
  /** Number of times that it has happened. */
  readonly times: number;
  /** The fault as in a plan, without the defaults. */
  readonly fault: object;
}

interface Entry {
  readonly id: number;
  /** The fault as JSON: equal faults have equal JSON. */
  readonly content: string;
  readonly occurrence: Occurrence;
  readonly scheduled: ScheduledFault | undefined;
}

/**
 * The planned faults of a virtual scanner, for all its protocols and for the device itself. Faults can be added and cleared
 * at any time. On a virtual clock, equal plans have equal effects.
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
  /** Delay of the next boot in ms, because the power is off. */
  #powerOff = 0;
  readonly #bursts: Bursts = new WeakMap();
  readonly #silences: Silences;
  readonly #stamps = new StampErrors();
  #echoes = new RepeatedEchoes();
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
    return [...this.#entries.values()].map(({ id, occurrence, scheduled }) => ({
      id,
      state: scheduled?.isOver === true ? 'over' : occurrence.state,
      occasions: occurrence.occasions,
      times: occurrence.times,
      fault: withoutDefaults(occurrence.fault),
    }));
  }

  /**
   * Adds the faults of a plan. If no scanner is attached yet, they wait for one.
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
    const ids = faults.map((fault) => this.#addFault(fault, seed, device));
    this.#sortByProtocol();
    return ids;
  }

  /** Ends and removes a fault; without an id, all faults. False if no fault has this id. */
  clear(id?: number): boolean {
    const cleared = id === undefined ? [...this.#entries.values()] : [this.#entries.get(id)];
    for (const entry of cleared) {
      if (entry === undefined) return false;
      this.#entries.delete(entry.id);
      entry.scheduled?.clear();
    }
    this.#sortByProtocol();
    return true;
  }

  /** Remembers the planned faults with their counts and times. Faults that came later end when they are put back. */
  remember(): () => void {
    const lastId = this.#lastId;
    const entries = Array.from(this.#entries.values(), (entry) => ({
      entry,
      putBack: [entry.occurrence.remember(), ...(entry.scheduled ? [entry.scheduled.remember()] : [])],
    }));
    return () => {
      const kept = new Set(entries.map(({ entry }) => entry));
      for (const entry of this.#entries.values()) if (!kept.has(entry)) entry.scheduled?.clear();
      this.#entries.clear();
      for (const { entry, putBack } of entries) {
        this.#entries.set(entry.id, entry);
        for (const part of putBack) part();
      }
      this.#lastId = lastId;
      this.#powerOff = 0;
      // What was measured since is not shown again.
      this.#echoes = new RepeatedEchoes();
      this.#sortByProtocol();
    };
  }

  /** Returns the storage of the scanner with the planned failures of writes. */
  storage(storage: Storage): Storage {
    return faultyStorage(storage, (name) => this.#writeFault(name));
  }

  /** Begins the plans. Returns a function that ends them. */
  attach(device: Device): () => void {
    this.#device = device;
    this.#hardware.disturbBoots(() => this.#bootFault());
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const plan of waiting) this.add(plan);
    return () => {
      for (const { scheduled } of this.#entries.values()) scheduled?.clear();
    };
  }

  #addFault(fault: PlannedFault, seed: number, device: Device): number {
    this.#lastId += 1;
    const id = this.#lastId;
    const content = JSON.stringify(fault);
    // Equal faults get different random numbers. The numbers of a fault do not depend on the other faults.
    const equal = [...this.#entries.values()].filter((entry) => entry.content === content).length;
    const occurrence = new Occurrence(fault, this.#clock, faultRandomNumbers(seed, `${content} ${equal}`));
    this.#entries.set(id, { id, content, occurrence, scheduled: this.#scheduled(occurrence, device) });
    return id;
  }

  #scheduled(occurrence: Occurrence, device: Device): ScheduledFault | undefined {
    if (!isOneOf(occurrence, timedKinds)) return undefined;
    const targets = {
      device,
      hardware: this.#hardware,
      cable: this.link,
      stamps: this.#stamps,
      powerOff: (milliseconds: number) => {
        this.#powerOff = milliseconds;
      },
    };
    return new ScheduledFault(occurrence, device.clock, () => begin(occurrence.fault, targets));
  }

  /** Sorts the faults by protocol again. */
  #sortByProtocol(): void {
    const occurrences = [...this.#entries.values()].map(({ occurrence }) => occurrence);
    const http = occurrencesOf(occurrences, faultGroups.HTTP);
    const events = occurrencesOf(occurrences, faultGroups.Events);
    const legacy = occurrencesOf(occurrences, faultGroups['Legacy protocol']);
    const streams = occurrencesOf(occurrences, faultGroups['Data streams']);
    this.#http = http && new PlannedHttpFaults(http, this.#silences);
    this.#events = events && new PlannedEventFaults(events);
    this.#legacy = legacy && new PlannedLegacyFaults(legacy);
    this.#streams = streams && new PlannedStreamFaults(streams, this.#bursts);
    this.#disturbScans(occurrences);
  }

  #disturbScans(occurrences: readonly Occurrence[]): void {
    const { measuring, telegramTime } = this.#device?.features ?? {};
    const scans = occurrencesOf(occurrences, scanKinds);
    // What was measured before faults of scans were planned is not shown again.
    if (scans === undefined) this.#echoes = new RepeatedEchoes();
    measuring?.disturb(scans && new PlannedScanFaults(scans, this.#echoes, this.#stamps));
    const core = occurrencesOf(occurrences, faultGroups['Measuring core']);
    measuring?.disturbCore(core && new PlannedCoreFaults(core));
    telegramTime?.disturb(occurrencesOf(occurrences, stampKinds) && this.#stamps);
  }

  #occurrences(): readonly Occurrence[] {
    return [...this.#entries.values()].map(({ occurrence }) => occurrence);
  }

  #writeFault(name: string): Error | undefined {
    let error: Error | undefined;
    for (const occurrence of occurrencesOf(this.#occurrences(), saveKinds) ?? []) {
      const { fault } = occurrence;
      if (fault.kind === 'device-save-fails' && fault.file !== '*' && fault.file !== name) continue;
      if (occurrence.occurs()) error ??= fault.kind === 'device-disk-full' ? diskFull() : brokenDisk();
    }
    return error;
  }

  #bootFault(): BootFault {
    let delay =
      this.#powerOff + (this.#device?.features.issues.has('all/late-start') === true ? lateStart : 0);
    let fails = false;
    this.#powerOff = 0;
    for (const occurrence of occurrencesOf(this.#occurrences(), bootKinds) ?? []) {
      if (!occurrence.occurs()) continue;
      if (occurrence.fault.kind === 'device-slow-boot') delay += occurrence.fault.delay;
      else fails = true;
    }
    return { delay, fails };
  }
}

/** Refuses known issues that the release does not have. @throws FaultPlanError */
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
    Object.entries(fault).filter(([name, value]) => name === 'kind' || members[name]?.default !== value),
  );
}
