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
import { Feed } from './feed.js';

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
