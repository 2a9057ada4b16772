import type { Device } from '@azimuth/device';
import {
  contaminationIndication,
  dateAndSystemTime,
  fieldEvaluation,
  firmwareUpdate,
  imuDataOutput,
  inputsAndOutputs,
  operatingData,
  perpendicularDistance,
  status,
  type Variable,
} from '@azimuth/model';
import { dataOf } from '../rest/envelope.js';
import type { Registration } from './registration.js';

/** The variables that are events, in the order in which devices name them. */
const events: readonly Variable<unknown>[] = [
  status.members.DeviceStatus,
  status.members.SCdevicestate,
  fieldEvaluation.members.FieldEvaluationResult,
  perpendicularDistance.members.perpendicularDistanceResult,
  inputsAndOutputs.members.InputState,
  inputsAndOutputs.members.OutputState,
  inputsAndOutputs.members.PortState,
  contaminationIndication.members.ContaminationData,
  contaminationIndication.members.ContaminationResult,
  imuDataOutput.members.InertialMeasurementUnit,
  operatingData.members.CurrentTempDev,
  status.members.temperatureAlarmStatus,
  firmwareUpdate.members.UpdateState,
  dateAndSystemTime.members.LSPdatetime,
];

/** One event of the scanner, for all who are registered for it: read, and put into words, once for each change. */
export class Feed {
  readonly #device: Device;
  readonly #variable: Variable<unknown>;
  readonly #registrations = new Set<Registration>();
  #unfollow: (() => void) | undefined;

  constructor(device: Device, variable: Variable<unknown>) {
    this.#device = device;
    this.#variable = variable;
  }

  /** The value of now, as what a message ends with: the same text for all. */
  get current(): string {
    const { name } = this.#variable;
    const data = dataOf(name, this.#device.read(this.#variable));
    return `,"status":0,"data":${JSON.stringify(data)}}`;
  }

  add(registration: Registration): void {
    this.#registrations.add(registration);
    this.#unfollow ??= this.#device.announcements.follow(this.#variable, () => this.#tell());
  }

  delete(registration: Registration): void {
    this.#registrations.delete(registration);
    if (this.#registrations.size > 0) return;
    this.#unfollow?.();
    this.#unfollow = undefined;
  }

  #tell(): void {
    const { current } = this;
    for (const registration of this.#registrations) registration.offer(current);
  }
}

/** The events of a scanner, by name; those whose variable its edition has. */
export class Feeds {
  readonly #device: Device;
  readonly #feeds: ReadonlyMap<string, Feed>;

  constructor(device: Device) {
    this.#device = device;
    this.#feeds = new Map(events.map((variable) => [variable.name, new Feed(device, variable)]));
  }

  get names(): readonly string[] {
    return [...this.#feeds.keys()].filter((name) => this.#device.endpoints.has(name));
  }

  of(name: string): Feed | undefined {
    return this.#device.endpoints.has(name) ? this.#feeds.get(name) : undefined;
  }
}
