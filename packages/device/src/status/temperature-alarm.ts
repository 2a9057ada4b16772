import { status } from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import type { Parameters } from '../parameters/parameters.js';
import type { Host } from '../ports/host.js';

const { temperatureAlarmConfiguration, temperatureAlarmStatus } = status.members;

/** The temperature alarm: raised above the upper threshold, gone below the lower one, and as it was between the two. */
export class TemperatureAlarm {
  readonly #parameters: Parameters;
  readonly #host: Host;
  readonly #announcements: Announcements;
  #raised = false;

  constructor(parameters: Parameters, host: Host, announcements: Announcements) {
    this.#parameters = parameters;
    this.#host = host;
    this.#announcements = announcements;
    announcements.subscribeTo([temperatureAlarmConfiguration], () => this.update());
  }

  get raised(): boolean {
    return this.#raised;
  }

  /** A boot: it has not been raised; between the thresholds it stays so. */
  boot(): void {
    this.#settle(false);
  }

  /** Looks at the temperature: whenever it, or a threshold, has changed. */
  update(): void {
    this.#settle(this.#raised);
  }

  #settle(before: boolean): void {
    const told = this.#raised;
    this.#raised = this.#verdict(before);
    if (this.#raised !== told) this.#announcements.changed([temperatureAlarmStatus]);
  }

  /** @param before what it is between the thresholds */
  #verdict(before: boolean): boolean {
    if (!this.#parameters.has(temperatureAlarmConfiguration)) return false;
    const { upperThreshold, lowerThreshold } = this.#parameters.read(temperatureAlarmConfiguration);
    const temperature = this.#host.temperature();
    if (temperature > upperThreshold) return true;
    return temperature < lowerThreshold ? false : before;
  }
}
