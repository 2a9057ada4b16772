import {
  diagnosticFile,
  type Endpoint,
  general,
  type Level,
  type Method,
  type Provenance,
  Refusal,
  type Variable,
  webserverSettings,
} from '@azimuth/model';
import { admit, type Caller } from './access/access.js';
import type { Announcements } from './announcements.js';
import type { Call, Computed, Feature, Performed } from './feature.js';
import type { Log } from './interfaces/environment.js';
import type { Parameters } from './parameters/parameters.js';

/** The response of a call, and an action after it was sent. */
export interface CallResult {
  readonly response: unknown;
  readonly afterwards?: () => void;
}

/** The lowest level that may call a method. */
export function neededLevel({ facts: { level } }: Method<unknown, unknown>): Level {
  if (level === 'open') return 'Run';
  return level === 'login' ? 'Maintenance' : level;
}

/** Methods that change nothing but logins and the storage. The open ones are among them: anybody may call those. */
const leavesNothing: ReadonlySet<string> = new Set(
  [
    ...[general.members.getChallenge, general.members.checkCredentials, general.members.changePassword],
    ...[general.members.WriteEeprom, diagnosticFile.members.GetDiagnosisDumpInfo],
    webserverSettings.members.GetWebserverEnabled,
  ].map(({ name }) => name),
);

/** A variable, and the computed variables that follow it. */
interface Followed {
  readonly variable: Variable<unknown>;
  readonly followers: Variable<unknown>[];
}

interface Options {
  readonly parameters: Parameters;
  readonly announcements: Announcements;
  readonly firmware: Provenance;
}

/** Values and methods of all features together. */
export class Behaviour {
  readonly #options: Options;
  /** By name: a product may declare a variable of the interface anew, with a narrower type. */
  readonly #computed = new Map<string, Computed>();
  /** The computed variables that follow each variable, by its name. */
  readonly #followers = new Map<string, Followed>();
  readonly #methods = new Map<string, Performed['perform']>();

  readonly #readAtBoot = new Set<string>();
  #hasActed = false;
  /** Number of calls that wait for something. */
  #underway = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Notes that more than logins, parameters and the storage may have changed. */
  noteAct(): void {
    this.#hasActed = true;
  }

  /** True if more than logins, parameters and the storage may have changed: by a call, or a value that a product takes. */
  get hasActed(): boolean {
    return this.#hasActed;
  }

  /** True while a call waits for something. */
  get isUnderway(): boolean {
    return this.#underway > 0;
  }

  /** True if a new value of this parameter comes into force at a boot. */
  isReadAtBoot(name: string): boolean {
    return this.#readAtBoot.has(name);
  }

  /** Adds the features, once. */
  add(features: readonly Feature[]): void {
    for (const feature of features) this.#add(feature);
    const followed = Array.from(this.#followers.values(), ({ variable }) => variable);
    this.#options.announcements.deriveFrom(followed, (changed) => this.#announceFollowers(changed));
  }

  /** The value of a variable: computed by a feature, otherwise the parameter, otherwise the default. */
  read<T>(variable: Variable<T>): T;
  read(variable: Variable<unknown>): unknown {
    const computed = this.#computed.get(variable.name);
    if (computed !== undefined) return computed.value();
    const { parameters, firmware } = this.#options;
    if (parameters.has(variable) || parameters.isAbsent(variable)) return parameters.read(variable);
    return variable.factoryValue(firmware);
  }

  /**
   * Calls a method, as `Device.call`. A method that no feature performs is refused with status 3.
   */
  call(
    method: Endpoint & { kind: 'method' },
    given: unknown,
    caller: Caller,
    log: Log,
  ): CallResult | Promise<CallResult> {
    admit(caller, neededLevel(method));
    if (!leavesNothing.has(method.name)) this.noteAct();
    const perform = this.#methods.get(method.name) ?? (() => Promise.reject(withoutFeature(method)));
    const request = typeof given === 'function' ? given() : given;
    const running = new RunningCall(method, caller, log);
    try {
      const response = perform(request === undefined ? {} : request, running);
      if (!(response instanceof Promise)) return running.resultOf(response);
      this.#underway++;
      return response
        .finally(() => this.#underway--)
        .then(
          (response) => running.resultOf(response),
          (error: unknown) => running.failed(error),
        );
    } catch (error) {
      return running.failed(error);
    }
  }

  /** Announces the computed variables that follow the changed ones. */
  #announceFollowers(changed: readonly Variable<unknown>[]): Promise<unknown> | undefined {
    const followers = new Set<Variable<unknown>>();
    for (const variable of changed) {
      for (const follower of this.#followers.get(variable.name)?.followers ?? []) followers.add(follower);
    }
    return this.#options.announcements.changed([...followers]);
  }

  #add({ computed = [], methods = [], readAtBoot = [] }: Feature): void {
    for (const { name } of readAtBoot) this.#readAtBoot.add(name);
    for (const entry of computed) {
      this.#computed.set(entry.variable.name, entry);
      for (const source of entry.from) {
        const followed = this.#followers.get(source.name) ?? { variable: source, followers: [] };
        followed.followers.push(entry.variable);
        this.#followers.set(source.name, followed);
      }
    }
    for (const { method, perform } of methods) this.#methods.set(method.name, perform);
  }
}

function withoutFeature({ name }: Method<unknown, unknown>): Refusal {
  return new Refusal('internalServerError', '', `no feature performs ${name}: nothing was done`);
}

/** A running call. */
class RunningCall implements Call {
  readonly #method: Method<unknown, unknown>;
  readonly caller: Caller;
  readonly log: Log;
  /** Undefined without an action after the response, the most frequent case. */
  #acts: (() => void)[] | undefined;

  constructor(method: Method<unknown, unknown>, caller: Caller, log: Log) {
    this.#method = method;
    this.caller = caller;
    this.log = log;
  }

  /** Methods call it without this object. */
  get afterwards(): Call['afterwards'] {
    return (act) => {
      this.#acts ??= [];
      this.#acts.push(act);
    };
  }

  resultOf(response: unknown): CallResult {
    if (this.#isLogged) {
      this.log.info('A method was called', { method: this.#method.name, userLevel: this.caller.level });
    }
    const acts = this.#acts;
    return acts === undefined ? { response } : { response, afterwards: () => doAll(acts) };
  }

  /** @throws this error */
  failed(error: unknown): never {
    if (this.#isLogged && error instanceof Refusal && error.status === 'internalServerError') {
      this.log.error('A method failed', { method: this.#method.name, reason: error.message });
    }
    throw error;
  }

  /** A caller without a login must not be able to fill the log. */
  get #isLogged(): boolean {
    return this.#method.facts.level !== 'open';
  }
}

function doAll(acts: readonly (() => void)[]): void {
  for (const act of acts) act();
}
