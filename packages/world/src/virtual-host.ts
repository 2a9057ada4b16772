import type { Device, Host, Log, SystemPlug } from '@azimuth/device';
import { sectorCount } from '@azimuth/model';
import { OverriddenValue } from './overridden-value.js';
import { TemperatureModel } from './temperature-model.js';

/** °C inside a scanner that measures. */
const usualTemperature = 32.5;

/** The hardware of a virtual scanner: what its sensors measure is set from outside. */
export class VirtualHost implements Host {
  readonly log: Log;
  /** Who changes it tells the scanner. */
  readonly tellsChanges: boolean = true;
  readonly #sectors = Array.from({ length: sectorCount }, () => new OverriddenValue(0));
  #contamination: readonly number[] = this.#sectors.map(({ value }) => value);
  /** What computes the temperature once the hardware belongs to a scanner. */
  #model: TemperatureModel | undefined;
  /** °C; undefined: the temperature model computes it. */
  readonly #temperature = new OverriddenValue<number | undefined>(undefined);
  #encoderSpeed = 0;
  #plug: SystemPlug | undefined;

  constructor(log: Log) {
    this.log = log;
  }

  /** °C. */
  temperature(): number {
    return this.#model?.celsius ?? this.#temperature.value ?? usualTemperature;
  }

  /** Whether it was set, or is overridden. */
  get temperatureIsSet(): boolean {
    return this.#temperature.value !== undefined;
  }

  /**
   * Keeps the temperature at this value (°C); undefined: the temperature model takes over again. If it is overridden, this
   * has its effect afterwards.
   */
  setTemperature(celsius: number | undefined): void {
    this.#temperature.set(celsius);
    this.#model?.fix(this.#temperature.value);
  }

  /** Overrides the temperature (°C). Returns a function that ends this. */
  overrideTemperature(celsius: number): () => void {
    const end = this.#temperature.override(celsius);
    this.#model?.fix(this.#temperature.value);
    return () => {
      end();
      this.#model?.fix(this.#temperature.value);
    };
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

  /** If it is overridden, this has its effect afterwards. @param sector from 1; all sectors if left out */
  setContamination(level: number, sector?: number): void {
    for (const one of this.#sectorsAt(sector)) one.set(level);
    this.#followSectors();
  }

  /** Overrides the contamination of a sector, or of all. Returns a function that ends this. */
  overrideContamination(level: number, sector?: number): () => void {
    const ends = this.#sectorsAt(sector).map((one) => one.override(level));
    this.#followSectors();
    return () => {
      for (const end of ends) end();
      this.#followSectors();
    };
  }

  #sectorsAt(sector: number | undefined): readonly OverriddenValue<number>[] {
    return sector === undefined ? this.#sectors : this.#sectors.slice(sector - 1, sector);
  }

  #followSectors(): void {
    this.#contamination = this.#sectors.map(({ value }) => value);
  }
}
