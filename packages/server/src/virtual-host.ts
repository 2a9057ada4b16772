import type { Host, Log } from '@azimuth/device';

/** Inside a scanner at work, in °C. */
const usualTemperature = 32.5;

/** The hardware of a virtual scanner: what sensors would measure is set from outside. */
export class VirtualHost implements Host {
  readonly log: Log;
  #temperature = usualTemperature;
  #encoderSpeed = 0;

  constructor(log: Log) {
    this.log = log;
  }

  temperature(): number {
    return this.#temperature;
  }

  setTemperature(celsius: number): void {
    this.#temperature = celsius;
  }

  /** mm/s. */
  encoderSpeed(): number {
    return this.#encoderSpeed;
  }

  setEncoderSpeed(millimetresPerSecond: number): void {
    this.#encoderSpeed = millimetresPerSecond;
  }
}
