import type { Device, Host, Log, SystemPlug } from '@azimuth/device';
import { sectorCount } from '@azimuth/model';
import { TemperatureModel } from './temperature-model.js';

/** °C inside a scanner that measures. */
const usualTemperature = 32.5;

/** The hardware of a virtual scanner: what its sensors measure is set from outside. */
export class VirtualHost implements Host {
  readonly log: Log;
  readonly #contamination: number[] = Array.from({ length: sectorCount }, () => 0);
  /** What computes the temperature once the hardware belongs to a scanner. */
  #model: TemperatureModel | undefined;
  /** °C. */
  #setTemperature: number | undefined;
  #encoderSpeed = 0;
  #plug: SystemPlug | undefined;

  constructor(log: Log) {
    this.log = log;
  }

  /** °C. */
  temperature(): number {
    return this.#model?.celsius ?? this.#setTemperature ?? usualTemperature;
  }

  /** Whether the temperature was set by `setTemperature`. */
  get temperatureIsSet(): boolean {
    return this.#setTemperature !== undefined;
  }

  /** Keeps the temperature at this value (°C); undefined: the temperature model takes over again. */
  setTemperature(celsius: number | undefined): void {
    this.#setTemperature = celsius;
    this.#model?.fix(celsius);
  }

  /**
   * Attaches the hardware to a scanner, whose work warms it up; before, the temperature is constant.
   * @returns a function that ends it
   */
  attach(device: Device): () => void {
    const { clock, conditions, measuring } = device;
    const model = new TemperatureModel(clock, () => device.temperatureAlarm.temperatureChanged());
    this.#model = model;
    conditions.onChange(() => model.setState(measuring.state));
    model.setState(measuring.state);
    return () => model.end();
  }

  /** mm/s. */
  encoderSpeed(): number {
    return this.#encoderSpeed;
  }

  setEncoderSpeed(millimetresPerSecond: number): void {
    this.#encoderSpeed = millimetresPerSecond;
  }

  systemPlug(): SystemPlug | undefined {
    return this.#plug;
  }

  /** Puts a plug into the connector, in place of the one that is there; undefined: pulls it out. Returns the former one. */
  setSystemPlug(plug: SystemPlug | undefined): SystemPlug | undefined {
    const former = this.#plug;
    this.#plug = plug;
    return former;
  }

  /** The share of light, 0 to 1, that the dirt on each sector of the front screen absorbs. */
  contamination(): readonly number[] {
    return this.#contamination;
  }

  /** @param sector 1 to 12; all sectors if left out */
  setContamination(level: number, sector?: number): void {
    if (sector === undefined) this.#contamination.fill(level);
    else this.#contamination[sector - 1] = level;
  }
}
