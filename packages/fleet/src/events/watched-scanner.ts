import { isDeepStrictEqual } from 'node:util';
import type { Device } from '@azimuth/device';
import {
  contaminationIndication,
  type Detection,
  extensions,
  operatingData,
  status,
  type Variable,
} from '@azimuth/model';
import type { ScannerService } from '@azimuth/server';
import type { FaultTimeline } from '@azimuth/simulation/faults';
import type { EventContent } from './fleet-event.js';

/** A scanner of a fleet, as needed for its events. */
export interface Watched {
  readonly facts: { readonly serial: string; readonly group: string };
  /** Undefined while it does not run. */
  readonly service: ScannerService | undefined;
  readonly faults: FaultTimeline | undefined;
}

/** The variables whose changes are published: the state of a scanner, for its operators. */
const publishedVariables: readonly Variable<unknown>[] = [
  status.members.DeviceStatus,
  status.members.temperatureAlarmStatus,
  contaminationIndication.members.ContaminationResult,
];

const { history } = extensions.members;
const saved = operatingData.members.LastParaTime;

interface Options {
  readonly device: Device;
  readonly faults: FaultTimeline;
  readonly publish: (content: EventContent) => void;
  /** True if the scanner has just started. Otherwise, faults that are active already are not published. */
  readonly isFresh: boolean;
}

/** Returns the number of parameters that a power cut would lose. */
export function unsavedOf({ parameters }: Device): number {
  const working = parameters.layer('working');
  const stored = parameters.layer('stored');
  return Object.keys(working).filter((name) => !isDeepStrictEqual(working[name], stored[name])).length;
}

/** A running scanner whose events have followers. */
export class WatchedScanner {
  readonly #options: Options;
  readonly #ends: readonly (() => void)[];
  readonly #values = new Map<Variable<unknown>, unknown>();
  /** The kinds of the faults that are active, by their ids. */
  #active = new Map<number, string>();
  #unsaved: number;
  #lastDetection: Detection | undefined;
  #mayDiffer = false;

  constructor(options: Options) {
    const { device, faults, isFresh } = options;
    if (!isFresh) this.#active = activeIn(faults);
    this.#options = options;
    this.#unsaved = unsavedOf(device);
    this.#lastDetection = device.read(history).at(-1);
    for (const variable of this.#publishVariables()) this.#values.set(variable, device.read(variable));
    this.#ends = [
      device.announcements.subscribe((changed) => this.#changed(changed)),
      ...this.#publishVariables().map((variable) => device.follow(variable, () => this.#compare(variable))),
    ];
  }

  /** Checks what no scanner announces: faults that begin and end, and unsaved parameters. */
  poll(): void {
    this.#publishFaults();
    if (!this.#mayDiffer) return;
    this.#mayDiffer = false;
    const parameters = unsavedOf(this.#options.device);
    if (parameters === this.#unsaved) return;
    this.#unsaved = parameters;
    this.#options.publish({ event: 'unsaved', parameters });
  }

  end(): void {
    for (const end of this.#ends) end();
  }

  #publishVariables(): readonly Variable<unknown>[] {
    const { endpoints } = this.#options.device.served;
    return publishedVariables.filter(({ name }) => endpoints.has(name));
  }

  #changed(changed: readonly Variable<unknown>[]): void {
    if (changed.includes(history)) this.#publishDetections();
    if (changed.includes(saved)) this.#options.publish({ event: 'saved' });
    this.#mayDiffer ||= changed.some(({ facts }) => facts.write !== undefined) || changed.includes(saved);
  }

  #publishDetections(): void {
    const { device, publish } = this.#options;
    const detections = device.read(history);
    const known = this.#lastDetection === undefined ? -1 : detections.lastIndexOf(this.#lastDetection);
    this.#lastDetection = detections.at(-1);
    for (const detection of detections.slice(known + 1)) publish({ event: 'detection', detection });
  }

  #compare(variable: Variable<unknown>): void {
    const value = this.#options.device.read(variable);
    if (isDeepStrictEqual(value, this.#values.get(variable))) return;
    this.#values.set(variable, value);
    this.#options.publish({ event: 'value', name: variable.name, value });
  }

  #publishFaults(): void {
    const { faults, publish } = this.#options;
    if (faults.list.length === 0 && this.#active.size === 0) return;
    const active = activeIn(faults);
    for (const [id, kind] of active) if (!this.#active.has(id)) publish({ event: 'fault-begins', id, kind });
    for (const [id, kind] of this.#active) if (!active.has(id)) publish({ event: 'fault-over', id, kind });
    this.#active = active;
  }
}

/** The kinds of the faults that are active, by their ids. */
function activeIn({ list }: FaultTimeline): Map<number, string> {
  return new Map(list.filter(({ state }) => state === 'active').map(({ id, fault }) => [id, kindOf(fault)]));
}

function kindOf(fault: object): string {
  return 'kind' in fault ? String(fault.kind) : '';
}
