/** @packageDocumentation @internal */

import { isDeepStrictEqual } from 'node:util';
import { type Method, readOnly, type Variable } from '@azimuth/model';
import { type Access, admit, type Caller } from './access/access.js';
import type { Announcements } from './announcements.js';
import { Behaviour, type CallResult } from './behaviour.js';
import { bootContext, type DeviceContext, type DeviceContextOptions, openContext } from './device-context.js';
import type { Feature, PutBack, Setter } from './feature.js';
import { type FeatureOptions, type Features, featuresOf } from './features.js';
import type { ContainedHardware } from './hardware/contained-hardware.js';
import type { Identity } from './identity/identity.js';
import type { Clock, Log } from './interfaces/environment.js';
import { isKeepable, type KeptState, keptState, takeUpState } from './kept-state.js';
import { GoingDown, type Lifecycle } from './lifecycle/lifecycle.js';
import type { UnexpectedErrors } from './lifecycle/unexpected-errors.js';
import type { Parameters } from './parameters/parameters.js';

export type { KeptState } from './kept-state.js';

/** Parts of a scanner. */
export interface DeviceOptions extends DeviceContextOptions, FeatureOptions {}

/**
 * A scanner without its network interfaces: it reads, writes and calls on behalf of a caller. It knows every rule of
 * the device, and no socket. `features` has the functions of the groups of the interface beside their variables and
 * methods: `device.features.measuring`.
 */
export class Device {
  /** The groups of the interface, by name: what they offer beside their variables and methods. */
  readonly features: Features;
  /** Serial number, type and addresses. They never change. */
  readonly identity: Identity;
  /** Announces the variables that have changed together. */
  readonly announcements: Omit<Announcements, 'follow' | 'whileFollowed'>;
  /** Factory, stored and working values. */
  readonly parameters: Parameters;
  /** The logins of the REST interface. */
  readonly access: Access;
  /** A clock that passes the exceptions of its callbacks to `errors`, and the scanner continues. */
  readonly clock: Clock;
  /** The hardware, and its log. */
  readonly hardware: ContainedHardware;
  /** Receives the errors of callbacks, which no request waits for. */
  readonly errors: UnexpectedErrors;
  /** Boots, reboots and the end. */
  readonly lifecycle: Lifecycle;
  readonly #context: DeviceContext;
  readonly #behaviour: Behaviour;
  /** The variables of a product that take written values themselves, by name. */
  readonly #setters: ReadonlyMap<string, Setter['set']>;
  /** The features, in the order in which they boot. */
  readonly #inOrder: readonly Feature[];
  /** The stored state is loaded when the storage opens, so the first boot need not load it again. */
  #isFirstBoot = true;

  private constructor(context: DeviceContext, features: Features, behaviour: Behaviour) {
    this.features = features;
    this.identity = context.identity;
    this.announcements = context.announcements;
    this.parameters = context.parameters;
    this.access = context.access;
    this.clock = context.clock;
    this.hardware = context.hardware;
    this.errors = context.errors;
    this.lifecycle = context.lifecycle;
    this.#context = context;
    this.#behaviour = behaviour;
    this.#inOrder = Object.values(features);
    const setters = this.#inOrder.flatMap((feature) => feature.setters ?? []);
    this.#setters = new Map(setters.map(({ variable, set }) => [variable.name, set]));
    const { lifecycle, log } = context;
    lifecycle.onDown(() => log.info('The scanner goes down'));
    lifecycle.onUp(() => log.info('The scanner is up again'));
    for (const feature of [...this.#inOrder].reverse()) lifecycle.onDown(() => feature.down?.());
  }

  /**
   * Opens a scanner from its storage and starts it. The power-on is counted on disk before it is ready.
   * @throws DowngradeRefused
   */
  static async open(options: DeviceOptions): Promise<Device> {
    return Device.on(await openContext(options), options);
  }

  /** Creates the features for a context, and starts the scanner. */
  static async on(context: DeviceContext, options: FeatureOptions): Promise<Device> {
    const behaviour = new Behaviour(context);
    const features = await featuresOf(context, options, behaviour);
    behaviour.add(Object.values(features));
    const device = new Device(context, features, behaviour);
    await context.lifecycle.start({
      powerOn: () => device.#powerOn(),
      boot: () => device.#boot(),
      pause: () => device.#each('pause'),
      resume: () => device.#each('resume'),
    });
    return device;
  }

  /** The interface since the last boot. */
  get served(): DeviceContext['served']['current'] {
    return this.#context.served.current;
  }

  /** The value of a variable. */
  read<T>(variable: Variable<T>): T {
    return this.#behaviour.read(variable);
  }

  /**
   * Calls `listener` after each change of a variable, including routine changes. Returns a function that removes it. A
   * value that changes all the time is computed only while it is followed.
   * @param listener `isRoutine` is true if only values that change with every scan (a time, a count) are new
   */
  follow(variable: Variable<unknown>, listener: (isRoutine: boolean) => void): () => void {
    return this.#context.announcements.follow(variable, listener);
  }

  /**
   * Writes a variable's working value.
   * @param given the value as in JSON, or a function that returns it. The function is called only if the caller may
   * write
   * @param name the name in messages of refusals, if it is an alias
   * @returns a promise while the effect of the change is pending: for example, a stream is being switched on. It is
   * fulfilled when the change has taken effect, or has failed to. Undefined without a pending effect
   * @throws Refusal 8 for a read-only variable, 4 for too low a level, then for an invalid value; GoingDown if the
   * change would be lost.
   */
  write(
    variable: Variable<unknown>,
    given: unknown,
    caller: Caller,
    name: string = variable.name,
  ): Promise<unknown> | undefined {
    const { write } = variable.facts;
    if (write === undefined) throw readOnly(variable.name);
    admit(caller, write);
    const value = variable.valueFrom(typeof given === 'function' ? given() : given, name);
    const set = this.#setters.get(variable.name);
    if (set === undefined) return this.parameters.change((change) => change.set(variable, value));
    if (!this.lifecycle.acceptsChanges) throw new GoingDown();
    this.#behaviour.noteAct();
    return set(value);
  }

  /**
   * Calls a method.
   * @param given the members of the request as in JSON, undefined for none; or a function that returns them. The
   * function is called only if the caller may call the method
   * @returns a promise if the method waits for something, otherwise the result itself
   * @throws Refusal 4 for too low a level, then for an invalid request, then a refusal of the method
   */
  call(
    method: Method<unknown, unknown>,
    given: unknown,
    caller: Caller,
    log: Log = this.#context.log,
  ): CallResult | Promise<CallResult> {
    return this.#behaviour.call(method, given, caller, log);
  }

  /**
   * Returns all that the scanner holds in memory beside its storage, for `takeUp` of the same scanner when it is started
   * again. Undefined if it holds more than that, for example after a call of most methods: then it has to run on.
   */
  keep(): KeptState | undefined {
    return isKeepable(this.#kept) ? keptState(this.#kept) : undefined;
  }

  /** Makes the scanner what it was before it was started again. Call it before anything is asked of it. */
  takeUp(kept: KeptState): void {
    takeUpState(this.#kept, kept);
  }

  get #kept() {
    const { measuring, operatingData } = this.features;
    return { behaviour: this.#behaviour, context: this.#context, measuring, operatingData };
  }

  /** Switches power off for good. Unsaved data is lost. */
  async close(): Promise<void> {
    const { lifecycle, storage } = this.#context;
    lifecycle.end();
    const features = [...this.#inOrder].reverse();
    for (const feature of features) feature.down?.();
    await Promise.all(features.map((feature) => feature.end?.()));
    await storage.close();
  }

  /**
   * Remembers the state of the scanner: parameters in all layers, passwords, logins, and what its features hold. The
   * returned function puts it back, as often as it is called, also after boots. Each variable that has another value then
   * is announced once. Time does not go back, and neither do the numbers of scans and readings. Its storage and
   * its hardware are put back by their owners.
   * @param outside put back what is outside of the scanner, before it
   * @returns a function that rejects if the scanner is not up. Its promise is fulfilled when the change has taken effect
   * @throws Underway if something runs that cannot be put back; GoingDown if the scanner is not up
   */
  remember(outside: readonly PutBack[] = []): () => Promise<void> {
    const { firmware, state, credentials, parameters, conditions, access, storage, served } = this.#context;
    if (!this.lifecycle.acceptsChanges) throw new GoingDown();
    const { current } = served;
    const putBackServed = () => {
      served.current = current;
    };
    const context = [firmware, state, credentials, parameters, conditions, access, storage];
    const parts: readonly PutBack[] = [
      putBackServed,
      ...context.map((part) => part.remember()),
      ...this.#inOrder.flatMap((feature) => feature.remember?.() ?? []),
    ];
    return async () => {
      if (!this.lifecycle.acceptsChanges) throw new GoingDown();
      const before = this.#values();
      const effects: unknown[] = [];
      const putBack = () => {
        for (const one of outside) effects.push(one());
        // Twice: what a part computes from others is right when those are put back.
        for (const part of [...parts, ...parts]) effects.push(part());
        conditions.putBack();
        const after = [...this.#values().values()].map(({ variable }) => variable);
        this.#context.announcements.changed(after);
      };
      effects.push(
        this.#context.announcements.together(putBack, (variable) => {
          const value = before.get(variable.name);
          return value === undefined || !isDeepStrictEqual(value.value, this.read(variable));
        }),
      );
      await Promise.all(effects);
    };
  }

  /** The values of all variables by name, of parameters also while the release does not show them. */
  #values(): ReadonlyMap<string, { readonly variable: Variable<unknown>; readonly value: unknown }> {
    const { endpoints, extensions } = this.served;
    const shown = [...endpoints.values(), ...extensions.values()].filter(
      (endpoint) => endpoint.kind === 'variable',
    );
    return new Map(
      [...shown, ...this.parameters.variables].map((variable) => [
        variable.name,
        { variable, value: this.read(variable) },
      ]),
    );
  }

  #each(act: 'pause' | 'resume'): void {
    for (const feature of this.#inOrder) feature[act]?.();
  }

  async #powerOn(): Promise<void> {
    await Promise.all(this.#inOrder.map((feature) => feature.powerOn?.()));
  }

  async #boot(): Promise<void> {
    const { conditions, state, credentials } = this.#context;
    conditions.set('DS_Startup', 'boot', true);
    await Promise.all(this.#inOrder.map((feature) => feature.beforeBoot?.()));
    if (!this.#isFirstBoot) {
      await state.load(false);
      await credentials.boot();
    }
    await bootContext(this.#context);
    this.#isFirstBoot = false;
    await Promise.all(this.#inOrder.map((feature) => feature.loaded?.()));
    for (const feature of this.#inOrder) feature.boot?.();
    conditions.set('DS_Startup', 'boot', false);
  }
}
