import { allParameters, type Edition, Fault, type Method, reaches, type Variable } from '@azimuth/model';
import type { Caller } from './access/access.js';
import type { Behaviour } from './behaviour.js';
import { type Answer, admitCall } from './behaviour.js';
import type { Feature } from './feature.js';
import { featuresOf } from './features.js';
import type { Log } from './interfaces/log.js';
import { unexpectedError } from './lifecycle/unexpected-errors.js';
import { unreadableParameters } from './parameters/saving.js';
import type { Found } from './parameters/stored-state.js';
import {
  type DeviceOptions,
  openPlatform,
  type Platform,
  type ServedInterface,
  servedInterface,
} from './platform.js';
import type { LostDocument } from './storage/documents.js';

type NamedFeatures = Awaited<ReturnType<typeof featuresOf>>['named'];

/**
 * A scanner without its network interfaces: reads, writes and calls on behalf of a caller. It knows every rule of the
 * device, and no socket. Its features have more to offer: `device.measuring`.
 */
export type Device = Scanner & Platform & NamedFeatures;

/** A device whatever its features are: reads, writes, calls, and its life from start to end. */
class Scanner {
  readonly features: readonly Feature[];
  readonly #platform: Platform;
  readonly #behaviour: Behaviour;
  /** How the stored state was found when the storage was opened, so that the first boot need not read it again. */
  #found: Found | undefined;

  private constructor(platform: Platform, features: readonly Feature[], behaviour: Behaviour, found: Found) {
    this.#platform = platform;
    this.features = features;
    this.#behaviour = behaviour;
    this.#found = found;
    const { lifecycle, log } = platform;
    lifecycle.onDown(() => log.info('The scanner goes down'));
    lifecycle.onUp(() => log.info('The scanner is up again'));
    for (const feature of [...features].reverse()) lifecycle.onDown(() => feature.down?.());
  }

  static async open(options: DeviceOptions): Promise<Device> {
    const platform = await openPlatform(options, () => scanner.#load());
    const { features, behaviour, named } = await featuresOf(platform, options);
    const { state, log, neverUsed, counters, lifecycle } = platform;
    const found = await state.load(neverUsed);
    if (neverUsed && found === 'whole') log.warn('The operating counters are missing and start at zero');
    const scanner = new Scanner(platform, features, behaviour, found);
    await counters.powerOn();
    await lifecycle.start();
    return Object.assign(scanner, platform, named);
  }

  /** Which release and variant it is. */
  get edition(): Edition {
    return this.#platform.served.current.edition;
  }

  /** Everything it serves, by name, aliases included. */
  get endpoints(): ServedInterface['endpoints'] {
    return this.#platform.served.current.endpoints;
  }

  /** What it serves beside the specification under `/x/`, by name. */
  get extensions(): ServedInterface['extensions'] {
    return this.#platform.served.current.extensions;
  }

  /** The files that it transfers, by name. */
  get files(): ServedInterface['files'] {
    return this.#platform.served.current.files;
  }

  /** Could everything that was stored be read? */
  get intact(): boolean {
    return this.#platform.conditions.intact;
  }

  /** The documents that were found lost since the process started, in that order. */
  get lostDocuments(): readonly LostDocument[] {
    return this.#platform.documents.lost;
  }

  /** The value of a variable. */
  read<T>(variable: Variable<T>): T {
    return this.#behaviour.read(variable);
  }

  /** Is its value computed from the state of the device, so that it may differ with each read? */
  isComputed(variable: Variable<unknown>): boolean {
    return this.#behaviour.isComputed(variable);
  }

  /**
   * May this caller write it? Checked before the value is looked at.
   * @throws Fault 8 for a read-only variable, 4 for too low a level.
   */
  admitWrite({ name, facts: { write } }: Variable<unknown>, caller: Caller): void {
    if (write === undefined) throw new Fault('readOnly', '', `${name} cannot be written`);
    if (!reaches(caller.level, write)) throw new Fault('accessDenied', '', `${write} is needed`);
  }

  /**
   * Writes a variable's working value.
   * @param value as JSON has it
   * @param name the name in messages of faults, if it is an alias
   * @throws Fault as `admitWrite`, then what is wrong with the value; GoingDown if the change would be lost.
   */
  write(variable: Variable<unknown>, value: unknown, caller: Caller, name = variable.name): void {
    this.admitWrite(variable, caller);
    const checked = variable.valueFrom(value, name);
    this.#platform.parameters.change((change) => change.set(variable, checked));
  }

  /** May this caller call it? As `admitWrite`. @throws Fault 4 for too low a level. */
  admitCall(method: Method<unknown, unknown>, caller: Caller): void {
    admitCall(method, caller);
  }

  /**
   * Calls a method.
   * @param request its members as JSON has them; undefined for none
   * @throws Fault as `admitCall`, then what is wrong with the request, then what the method refuses.
   */
  call(
    method: Method<unknown, unknown>,
    request: unknown,
    caller: Caller,
    log: Log = this.#platform.log,
  ): Answer | Promise<Answer> {
    return this.#behaviour.call(method, request, caller, log);
  }

  /** Power goes off and on again: what was not stored is lost, and the power-on is counted. */
  powerCycle(): void {
    const { lifecycle, counters } = this.#platform;
    lifecycle.reboot(() => counters.powerOn());
  }

  /**
   * Calls `pass`, which lets a lot of time pass at once. Nothing is measured meanwhile: else every scan and pulse of that
   * time would be computed.
   */
  skipTime(pass: () => void): void {
    for (const feature of this.features) feature.pause?.();
    try {
      pass();
    } finally {
      for (const feature of this.features) feature.resume?.();
    }
  }

  /** Power goes off for good. What was not stored is lost. */
  async close(): Promise<void> {
    const { lifecycle, storage } = this.#platform;
    lifecycle.end();
    const features = [...this.features].reverse();
    for (const feature of features) feature.down?.();
    await Promise.all(features.map((feature) => feature.end?.()));
    await storage.close();
  }

  async #load(): Promise<void> {
    const { conditions, state, firmware, served, parameters, log } = this.#platform;
    conditions.set('DS_Startup', 'boot', true);
    await Promise.all(this.features.map((feature) => feature.beforeBoot?.()));
    const found = this.#found ?? (await state.load(false));
    await firmware.boot(state);
    this.#found = undefined;
    conditions.setLost(unreadableParameters, found === 'lost');
    conditions.set('DS_RecoverableError', unexpectedError, false);
    served.current = servedInterface({ ...served.current.edition, release: firmware.release });
    parameters.boot(
      allParameters.filter((variable) => variable.isIn(served.current.edition)),
      (variable) => variable.factoryValue(firmware),
      state.content.parameters,
      ({ message: fault }) =>
        log.warn('A stored value is not allowed; factory state takes its place', { fault }),
    );
    for (const feature of this.features) feature.boot?.();
    conditions.set('DS_Startup', 'boot', false);
  }
}

export const Device = {
  /**
   * Opens a scanner from its storage and starts it. The power-on is counted on disk before it is ready.
   * @throws DowngradeRefused
   */
  open: (options: DeviceOptions): Promise<Device> => Scanner.open(options),
};
