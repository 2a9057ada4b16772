import type { Host, Log } from '@azimuth/device';
import { sectorCount } from '@azimuth/model';

/** Inside a scanner at work, in °C. */
const usualTemperature = 32.5;

/** What the temperature inside a scanner comes from: it goes its own way unless it is fixed. */
export interface Thermometer {
  readonly celsius: number;
  /** Stays at this temperature (°C); undefined: goes its own way again. */
  fix(celsius: number | undefined): void;
}

/** The hardware of a virtual scanner: what sensors would measure is set from outside. */
export class VirtualHost implements Host {
  readonly log: Log;
  readonly #contamination: number[] = Array.from({ length: sectorCount }, () => 0);
  #thermometer: Thermometer = new SteadyThermometer();
  #temperatureIsSet = false;
  #encoderSpeed = 0;

  constructor(log: Log) {
    this.log = log;
  }

  /** °C. */
  temperature(): number {
    return this.#thermometer.celsius;
  }

  /** Is the temperature what somebody has set it to? */
  get temperatureIsSet(): boolean {
    return this.#temperatureIsSet;
  }

  /** Keeps the temperature at so many °C; undefined: it goes its own way again. */
  setTemperature(celsius: number | undefined): void {
    this.#temperatureIsSet = celsius !== undefined;
    this.#thermometer.fix(celsius);
  }

  /** Takes the temperature from here; until then it is always the same. */
  measureBy(thermometer: Thermometer): void {
    this.#thermometer = thermometer;
  }

  /** mm/s. */
  encoderSpeed(): number {
    return this.#encoderSpeed;
  }

  setEncoderSpeed(millimetresPerSecond: number): void {
    this.#encoderSpeed = millimetresPerSecond;
  }

  /** The share of light, 0 to 1, that each sector of the front screen takes away. */
  contamination(): readonly number[] {
    return this.#contamination;
  }

  /** @param sector 1 to 12; all of them where none is stated */
  setContamination(level: number, sector?: number): void {
    if (sector === undefined) this.#contamination.fill(level);
    else this.#contamination[sector - 1] = level;
  }
}

/** The same temperature at all times. */
class SteadyThermometer implements Thermometer {
  celsius = usualTemperature;

  fix(celsius: number = usualTemperature): void {
    this.celsius = celsius;
  }
}
