import { type Endpoint, Fault, type Method, type Provenance, type Variable } from '@azimuth/model';
import type { Caller } from './access/access.js';
import type { Announcements } from './announcements.js';
import type { Computed, Feature, Performed } from './feature.js';
import type { Log } from './interfaces/log.js';
import { type Answer, callMethod } from './method-call.js';
import type { Parameters } from './parameters/parameters.js';

interface Facts {
  readonly parameters: Parameters;
  readonly announcements: Announcements;
  readonly firmware: Provenance;
}

/** What all features together compute and do. */
export class Behaviour {
  readonly #facts: Facts;
  readonly #computed = new Map<Variable<unknown>, Computed>();
  /** The computed variables that follow each variable. */
  readonly #followers = new Map<Variable<unknown>, readonly Variable<unknown>[]>();
  readonly #methods = new Map<Method<unknown, unknown>, Performed['perform']>();

  constructor(features: readonly Feature[], facts: Facts) {
    this.#facts = facts;
    for (const feature of features) this.#add(feature);
    facts.announcements.subscribeTo(this.#followers.keys(), (changed) => this.#announceFollowers(changed));
  }

  /** The value of a variable: of the state of the device, or the parameter, or the default where nothing stands behind it. */
  read<T>(variable: Variable<T>): T;
  read(variable: Variable<unknown>): unknown {
    const computed = this.#computed.get(variable);
    if (computed !== undefined) return computed.value();
    const { parameters, firmware } = this.#facts;
    return parameters.has(variable) ? parameters.read(variable) : variable.factoryValue(firmware);
  }

  /** Does a variable's value come from the state of the device? */
  isComputed(variable: Variable<unknown>): boolean {
    return this.#computed.has(variable);
  }

  /**
   * Calls a method. One that nothing stands behind yet says so, with status 3.
   * @throws Fault 4 for too low a level, then what is wrong with the request, then what the method refuses.
   */
  call(
    method: Endpoint & { kind: 'method' },
    request: unknown,
    caller: Caller,
    log: Log,
  ): Answer | Promise<Answer> {
    const perform = this.#methods.get(method) ?? (() => Promise.reject(notBuilt(method)));
    return callMethod(method, perform, request, caller, log);
  }

  /** Announces what follows the variables that have changed. */
  #announceFollowers(changed: readonly Variable<unknown>[]): void {
    const followers = new Set<Variable<unknown>>();
    for (const variable of changed) {
      for (const follower of this.#followers.get(variable) ?? []) followers.add(follower);
    }
    if (followers.size > 0) this.#facts.announcements.changed([...followers]);
  }

  #add({ computed = [], methods = [] }: Feature): void {
    for (const entry of computed) {
      this.#computed.set(entry.variable, entry);
      for (const source of entry.from) {
        this.#followers.set(source, [...(this.#followers.get(source) ?? []), entry.variable]);
      }
    }
    for (const { method, perform } of methods) this.#methods.set(method, perform);
  }
}

function notBuilt({ name }: Method<unknown, unknown>): Fault {
  return new Fault('internalServerError', '', `${name} is not built yet: nothing was done`);
}
