import type { Device, Host, Log } from '@azimuth/device';
import { sectorCount } from '@azimuth/model';
import { TemperatureModel } from './temperature-model.js';

/** Inside a scanner at work, in °C. */
const usualTemperature = 32.5;

/** What the temperature inside a scanner comes from: it goes its own way unless it is fixed. */
interface Thermometer {
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

  /**
   * Becomes the hardware of this scanner, which gets warm by what it does; until then the temperature is always the same.
   * Returns what ends that.
   */
  attach(device: Device): () => void {
    const { clock, conditions, measuring } = device;
    const model = new TemperatureModel(clock, () => device.temperatureAlarm.temperatureChanged());
    this.#thermometer = model;
    conditions.onChange(() => model.works(measuring.state));
    model.works(measuring.state);
    return () => model.end();
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
