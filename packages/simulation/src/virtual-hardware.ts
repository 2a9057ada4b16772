/** @packageDocumentation @internal */

import {
  type AddressSet,
  type Device,
  type EncoderBySpeed,
  echoesPerBeam,
  type Hardware,
  type Log,
  type MeasuringOrder,
  type Scan,
  type Sensor,
  type SystemPlug,
} from '@azimuth/device';
import { firstBeamOfSector, removeEchoes, weakestEcho } from '@azimuth/device/cores';
import { portCount, sectorCount } from '@azimuth/model';
import { type BootFault, BootTime } from './boot-time.js';
import { type FailingMember, type HardwareFailure, HardwareFailures, isSensor } from './hardware-failures.js';
import { TemperatureModel } from './temperature-model.js';

/** A value that the user sets, and that planned faults override for a time. */
class OverriddenValue<T> {
  readonly #overrides = new Set<{ readonly value: T }>();
  #set: T;
  #value: T;

  constructor(value: T) {
    this.#set = value;
    this.#value = value;
  }

  /** The value of the newest override; if there is none, the set value. */
  get value(): T {
    return this.#value;
  }

  /** Sets the value. It counts while nothing overrides it. */
  set(value: T): void {
    this.#set = value;
    this.#update();
  }

  /** Remembers the set value. Overrides are put back by those that have made them. */
  remember(): () => void {
    const set = this.#set;
    return () => this.set(set);
  }

  /** Overrides the value. Returns a function that undoes this. */
  override(value: T): () => void {
    const override = { value };
    this.#overrides.add(override);
    this.#update();
    return () => {
      this.#overrides.delete(override);
      this.#update();
    };
  }

  #update(): void {
    const last = [...this.#overrides].at(-1);
    this.#value = last === undefined ? this.#set : last.value;
  }
}

/** °C inside a scanner that measures. */
const defaultTemperature = 32.5;

interface HardwareOptions {
  /** Duration of a reboot; 2000 by default. */
  readonly bootMilliseconds?: number | undefined;
  /** True if the clock of the system is synchronised: telegrams have UTC from the first scan on. False by default. */
  readonly synchronised?: boolean | undefined;
}

/** The hardware of a virtual scanner. The measured values of its sensors can be set. */
export class VirtualHardware implements Hardware {
  readonly log: Log;
  readonly #sectors = Array.from({ length: sectorCount }, () => new OverriddenValue(0));
  #contamination: readonly number[] = this.#sectors.map(({ value }) => value);
  /** The model of the temperature, once the hardware belongs to a scanner. */
  #model: TemperatureModel | undefined;
  /** °C; undefined: the temperature model computes it. */
  readonly #temperature = new OverriddenValue<number | undefined>(undefined);
  /** The power of a virtual scanner may be off for any time. */
  readonly rebootLimit = Number.POSITIVE_INFINITY;
  /** The clock of its system. It may be synchronised, as by PTP. */
  readonly clock = {
    disciplined: () => (this.#isSynchronised.value ? ({ by: 'PTP' } as const) : undefined),
  };
  readonly #isSynchronised: OverriddenValue<boolean>;
  readonly #bootTime: BootTime;
  /** mm/s; undefined: the vehicle in the scene turns the encoder. */
  #encoderSpeed: number | undefined;
  readonly #levels = Array.from({ length: portCount }, () => false);
  readonly #failures = new HardwareFailures();
  #plug: SystemPlug | undefined;
  #lease: AddressSet | undefined;
  /** The network, with a DHCP client. */
  readonly network = { lease: () => this.#lease };
  #changed: (sensor: Sensor) => void = () => undefined;

  constructor(log: Log, { bootMilliseconds = 2000, synchronised = false }: HardwareOptions = {}) {
    this.log = log;
    this.#isSynchronised = new OverriddenValue(synchronised);
    this.#bootTime = new BootTime(bootMilliseconds);
  }

  /** Reports each change of a sensor to the scanner. */
  onChange(changed: (sensor: Sensor) => void): () => void {
    this.#changed = changed;
    return () => {
      this.#changed = () => undefined;
    };
  }

  /** °C. */
  temperature(): number {
    return this.#failures.sensor('temperature') ?? this.celsius;
  }

  /** °C, also while the thermometer fails. */
  get celsius(): number {
    return this.#model?.celsius ?? this.#temperature.value ?? defaultTemperature;
  }

  /** True if the temperature was set, or is overridden. */
  get temperatureIsSet(): boolean {
    return this.#temperature.value !== undefined;
  }

  /**
   * Fixes the temperature at this value (°C); undefined: the temperature model computes it again. If the temperature is
   * overridden, this has its effect afterwards.
   */
  setTemperature(celsius: number | undefined): void {
    this.#temperature.set(celsius);
    this.#model?.fix(this.#temperature.value);
  }

  /** Overrides the temperature (°C). Returns a function that undoes this. */
  overrideTemperature(celsius: number): () => void {
    const end = this.#temperature.override(celsius);
    this.#model?.fix(this.#temperature.value);
    return () => {
      end();
      this.#model?.fix(this.#temperature.value);
    };
  }

  /**
   * Attaches the hardware to a scanner, whose work warms it up, and whose clock counts the boot time. Before, the
   * temperature is constant.
   * @returns a function that detaches it
   */
  attach(device: Device): () => void {
    const { clock, features } = device;
    const { measuring, deviceStatus } = features;
    const model = new TemperatureModel(clock, () => this.#changed('temperature'));
    this.#model = model;
    deviceStatus.conditions.onChange(() => model.setState(measuring.state));
    model.setState(measuring.state);
    const end = this.#bootTime.attach(device);
    return () => {
      model.end();
      end();
    };
  }

  /** Synchronises the clock of the system, or ends this. If it is overridden, this has its effect afterwards. */
  setSynchronised(on: boolean): void {
    this.#isSynchronised.set(on);
    this.#changed('disciplined');
  }

  /** Ends the synchronisation for a time. Returns a function that undoes this. */
  overrideSynchronised(): () => void {
    const end = this.#isSynchronised.override(false);
    this.#changed('disciplined');
    return () => {
      end();
      this.#changed('disciplined');
    };
  }

  /** Remembers what was set: temperature, dirt, signals, encoder, plug, lease, and whether the clock is synchronised. */
  remember(): () => void {
    const values = [this.#temperature, this.#isSynchronised, ...this.#sectors].map((value) =>
      value.remember(),
    );
    const putBackModel = this.#model?.remember();
    const [speed, levels, plug, lease] = [this.#encoderSpeed, [...this.#levels], this.#plug, this.#lease];
    return () => {
      for (const putBack of values) putBack();
      this.#followSectors();
      putBackModel?.();
      this.#changed('temperature');
      this.setEncoderSpeed(speed);
      this.#levels.splice(0, levels.length, ...levels);
      this.#changed('inputs');
      if (this.#plug !== plug) this.setSystemPlug(plug);
      this.offerLease(lease);
      this.#changed('disciplined');
    };
  }

  /** Sets what the DHCP server offers, which the client takes at once. Undefined: no offer. */
  offerLease(lease: AddressSet | undefined): void {
    this.#lease = lease;
    this.#changed('lease');
  }

  /** The encoder, while its speed is set. Otherwise the scanner follows the way of its core. */
  get encoder(): EncoderBySpeed | undefined {
    if (this.#failures.has('encoder'))
      return { speed: () => this.#failures.sensor('encoder') ?? this.#encoderSpeed ?? 0 };
    const speed = this.#encoderSpeed;
    return speed === undefined ? undefined : { speed: () => speed };
  }

  /** Sets the speed that the encoder measures, in mm/s; undefined: the vehicle in the scene turns it again. */
  setEncoderSpeed(millimetresPerSecond: number | undefined): void {
    // The way up to now counts in any case.
    this.#changed('encoder');
    this.#encoderSpeed = millimetresPerSecond;
    this.#changed('encoder');
  }

  /** The levels at the pins, true for high. */
  inputs(): readonly boolean[] {
    return this.#failures.sensor('inputs') ?? this.#levels;
  }

  /** Drives the pins: nothing is connected to them. It has an effect only if it fails. */
  setOutputs(): Promise<void> | undefined {
    return this.#failures.call('setOutputs');
  }

  /** Nothing but the lamps of the scanner helps to find it. It has an effect only if it fails. */
  findMe(): Promise<void> | undefined {
    return this.#failures.call('findMe');
  }

  /** Lets a member fail. Returns a function that undoes this. */
  fail(member: FailingMember, how: HardwareFailure): () => void {
    const end = this.#failures.begin(member, how);
    if (isSensor(member)) this.#changed(member);
    return () => {
      end();
      if (isSensor(member)) this.#changed(member);
    };
  }

  /** Sets the level at the pin of a port. @throws RangeError for a port that no scanner has */
  setInput(port: number, high: boolean): void {
    if (!(port - 1 in this.#levels)) throw new RangeError(`port ${port} is not in 1..${portCount}`);
    this.#levels[port - 1] = high;
    this.#changed('inputs');
  }

  /** Takes the boot time, with the planned faults of boots. */
  reboot(): Promise<void> {
    return this.#bootTime.pass();
  }

  /** False while the power is switched off. */
  get hasPower(): boolean {
    return this.#bootTime.hasPower;
  }

  /** Switches the power. While it is off, no boot begins. The scanner itself learns it by `lifecycle.losePower`. */
  switchPower(on: boolean): void {
    this.#bootTime.switchPower(on);
  }

  /** Number of boots that planned faults have let fail. */
  get failedBoots(): number {
    return this.#bootTime.failedBoots;
  }

  /** Calls `fault` at the beginning of each boot after the first start. */
  disturbBoots(fault: () => BootFault): void {
    this.#bootTime.disturb(fault);
  }

  systemPlug(): SystemPlug | undefined {
    return this.#plug;
  }

  /** Puts a plug into the connector in place of the current one; undefined: pulls it out. Returns the former plug. */
  setSystemPlug(plug: SystemPlug | undefined): SystemPlug | undefined {
    const former = this.#plug;
    this.#plug = plug;
    this.#changed('systemPlug');
    return former;
  }

  /** Returns the share of light, 0 to 1, that the dirt on each sector of the front screen absorbs. */
  contamination(): readonly number[] {
    return this.#contamination;
  }

  /** Sets the contamination. If it is overridden, this has its effect afterwards. @param sector from 1; default all sectors */
  setContamination(level: number, sector?: number): void {
    for (const only of this.#sectorsAt(sector)) only.set(level);
    this.#followSectors();
  }

  /** Overrides the contamination of a sector, or of all. Returns a function that undoes this. */
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
    this.#changed('contamination');
  }
}

/** The dirt on the simulated front screen. The hardware of a virtual scanner implements it. */
export interface Dirt {
  /** Returns the share of light, 0 to 1, that dirt absorbs in each sector. Missing sectors are clean. */
  contamination?(): readonly number[];
}

/** The simulated front screen. A simulated core measures through it. */
export class FrontScreen {
  readonly #dirt: Dirt;

  /** @param dirt default none */
  constructor(dirt: Dirt = {}) {
    this.#dirt = dirt;
  }

  /**
   * Weakens the echoes of a scan. Light passes the screen twice, so the strength of an echo is multiplied by (1 - share)².
   * An echo is lost if its strength is then below what the receiver detects. Clean sectors change nothing.
   */
  weaken(scan: Scan, sensitivity: MeasuringOrder['sensitivity']): void {
    const shares = this.#dirt.contamination?.() ?? [];
    const detectable = weakestEcho[sensitivity];
    for (let sector = 0; sector < shares.length; sector++) {
      const share = shares[sector] ?? 0;
      if (share === 0) continue;
      const passing = (1 - share) * (1 - share);
      const end = firstBeamOfSector(sector + 1, scan.geometry);
      for (let beam = firstBeamOfSector(sector, scan.geometry); beam < end; beam++) {
        weakenBeam(scan, beam, passing, detectable);
      }
    }
  }
}

/** Weakens the echoes of a beam. @param passing the share of light, 0 to 1, that comes back through the screen */
function weakenBeam(scan: Scan, beam: number, passing: number, detectable: number): void {
  let lost = 0;
  for (let echo = 0; echo < echoesPerBeam; echo++) {
    const place = beam * echoesPerBeam + echo;
    if (scan.distance[place] === 0) break;
    const strength = (scan.rssi[place] ?? 0) * passing;
    scan.rssi[place] = Math.round(strength);
    if (strength < detectable) lost |= 1 << echo;
  }
  if (lost !== 0) removeEchoes(scan, beam, lost);
}
