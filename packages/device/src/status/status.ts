import { extensions, operatingData, status } from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import { computed, type Feature } from '../feature.js';
import type { ContainedHardware } from '../hardware/contained-hardware.js';
import type { Conditions } from '../lifecycle/conditions.js';
import type { Parameters } from '../parameters/parameters.js';

const { DeviceStatus, SCdevicestate } = status.members;

export interface DeviceState extends Feature {
  /** The source of DeviceStatus. */
  readonly conditions: Conditions;
}

/** The state of the device. */
export function deviceStatus({ conditions }: { readonly conditions: Conditions }): DeviceState {
  return {
    conditions,
    computed: [
      computed(DeviceStatus, () => conditions.deviceStatus),
      computed(SCdevicestate, () => conditions.shortState),
      computed(extensions.members.conditions, () => conditions.state),
    ],
  };
}

const { temperatureAlarmConfiguration, temperatureAlarmStatus } = status.members;
const { CurrentTempDev } = operatingData.members;

interface Options {
  readonly parameters: Parameters;
  readonly hardware: Pick<ContainedHardware, 'temperature'>;
  readonly announcements: Announcements;
}

/** The temperature alarm: on above the upper threshold, off below the lower one, and unchanged between the two. */
export class TemperatureAlarm implements Feature {
  readonly computed = [computed(temperatureAlarmStatus, () => this.raised)];
  readonly #options: Options;
  #raised = false;

  constructor(options: Options) {
    this.#options = options;
    options.announcements.subscribeTo([temperatureAlarmConfiguration], () => this.update());
  }

  get raised(): boolean {
    return this.#raised;
  }

  /** Called at a boot: the alarm is off. Between the thresholds it stays off. */
  boot(): void {
    this.#updateAlarm(false);
  }

  remember(): () => void {
    const raised = this.#raised;
    return () => {
      this.#raised = raised;
      this.#options.announcements.changed([temperatureAlarmStatus, CurrentTempDev]);
    };
  }

  /** Called when the temperature of the hardware has changed. */
  temperatureChanged(): void {
    this.#options.announcements.changed([CurrentTempDev]);
    this.update();
  }

  /** Updates the alarm, after a change of the temperature or a threshold. */
  update(): void {
    this.#updateAlarm(this.#raised);
  }

  #updateAlarm(between: boolean): void {
    const before = this.#raised;
    this.#raised = this.#verdict(between);
    if (this.#raised !== before) this.#options.announcements.changed([temperatureAlarmStatus]);
  }

  /** @param between the result for a temperature between the thresholds */
  #verdict(between: boolean): boolean {
    const { parameters, hardware } = this.#options;
    if (!parameters.has(temperatureAlarmConfiguration)) return false;
    const { upperThreshold, lowerThreshold } = parameters.read(temperatureAlarmConfiguration);
    const temperature = hardware.temperature();
    if (temperature > upperThreshold) return true;
    return temperature < lowerThreshold ? false : between;
  }
}
