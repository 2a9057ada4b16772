import {
  type Edition,
  type Endpoint,
  Fault,
  type Method,
  reaches,
  type ValueType,
  type Variable,
} from '@azimuth/model';
import type { Caller } from '../access/access.js';
import type { Answer } from '../behaviour.js';
import type { Log } from '../interfaces/log.js';
import type { LegacyMethod, LegacyName, LegacyVariable, Scanner } from './legacy-name.js';
import { legacyNamesOf } from './legacy-name-table.js';
import { acknowledgedWithoutBlank, followedWithoutValue } from './telegram-forms.js';

/** The parts of a device that answer requests by name. */
interface NamedScanner extends Scanner {
  readonly edition: Edition;
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  admitWrite(variable: Variable<unknown>, caller: Caller): void;
  write(variable: Variable<unknown>, value: unknown, caller: Caller, name: string): void;
  admitCall(method: Method<unknown, unknown>, caller: Caller): void;
  call(
    method: Method<unknown, unknown>,
    request: unknown,
    caller: Caller,
    log: Log,
  ): Answer | Promise<Answer>;
}

/** The meaning of a name in the legacy protocol. */
export type Named =
  | { readonly kind: 'endpoint'; readonly endpoint: Endpoint; readonly withoutValues?: object }
  | Exclude<LegacyName, { readonly kind: 'alias' }>;

/** A variable that the caller may write. */
interface WritableName {
  readonly type: ValueType<unknown>;
  /** @throws Fault if the value is refused; GoingDown if the change would be lost */
  readonly write: (value: unknown) => void;
  /** Does a blank follow the name in the binary acknowledgement? */
  readonly hasBlank: boolean;
}

/** A method that the caller may call. */
export interface CallableName {
  /** The members of its request in order, or its only value; undefined if it takes no values. */
  readonly takes: Method<unknown, unknown> | ValueType<unknown> | undefined;
  /** The request of a call without values; if undefined, `takes` applies to that, too. */
  readonly withoutValues?: object;
  readonly response: ValueType<unknown>;
  /** @throws Fault if the request is refused */
  readonly call: (request: unknown, log: Log) => Answer | Promise<Answer>;
}

/** Login methods of REST. Legacy clients must not disturb logins over REST or guess passwords through them. */
const restOnlyMethods: readonly string[] = ['getChallenge', 'changePassword'];

/**
 * The names that a scanner knows over the legacy protocol: those of its interface, then the legacy names. All checks of
 * levels are here and in the device, none in the server.
 */
export class LegacyNames {
  readonly #device: NamedScanner;
  /** The legacy names of `#edition`. */
  #names: ReadonlyMap<string, LegacyName>;
  #edition: Edition;

  constructor(device: NamedScanner) {
    this.#device = device;
    this.#edition = device.edition;
    this.#names = legacyNamesOf(device.edition);
  }

  find(name: string): Named | undefined {
    const endpoint = this.#device.endpoints.get(name);
    if (endpoint !== undefined) return { kind: 'endpoint', endpoint };
    const entry = this.#legacyNames.get(name);
    if (entry?.kind !== 'alias') return entry;
    const { withoutValues } = entry;
    return {
      kind: 'endpoint',
      endpoint: entry.endpoint,
      withoutValues,
    };
  }

  /**
   * The variable of this name, for a caller who may write it. Ask before you look at the value.
   * @throws Fault 5 if no variable has this name, 8 for a read-only variable, 4 for too low a level
   */
  writable(name: string, caller: Caller): WritableName {
    const named = this.find(name);
    if (named?.kind === 'variable') return this.#writableVariable(named, name, caller);
    if (named?.kind === 'scanData') throw readOnly(name);
    if (named?.kind !== 'endpoint' || named.endpoint.kind !== 'variable') {
      throw new Fault('notFound', '', `no variable is named ${name}`);
    }
    const variable: Variable<unknown> = named.endpoint;
    this.#device.admitWrite(variable, caller);
    const { written } = variable.facts;
    return {
      type: written?.type ?? variable.type,
      hasBlank: !acknowledgedWithoutBlank.has(variable),
      write: (value) =>
        this.#device.write(
          variable,
          written === undefined ? value : written.over(value, this.#device.read(variable)),
          caller,
          name,
        ),
    };
  }

  /** May a subscription to this name leave out the value that switches it on? */
  isFollowedWithoutValue(name: string): boolean {
    const named = this.find(name);
    return (
      named?.kind === 'endpoint' &&
      named.endpoint.kind === 'variable' &&
      followedWithoutValue.has(named.endpoint)
    );
  }

  /**
   * The method of this name, for a caller who may call it. Ask before you look at the request.
   * @throws Fault 5 if no method has this name, 4 for too low a level and for the login methods of REST
   */
  callable(name: string, caller: Caller): CallableName {
    const named = this.find(name);
    if (named?.kind === 'method') return this.#callableMethod(named, caller);
    if (named?.kind !== 'endpoint' || named.endpoint.kind !== 'method') {
      throw new Fault('notFound', '', `no method is named ${name}`);
    }
    const { endpoint: method, withoutValues } = named;
    if (restOnlyMethods.includes(method.name)) {
      throw new Fault('accessDenied', '', `${method.name} is for logins over REST`);
    }
    this.#device.admitCall(method, caller);
    return {
      takes: method,
      withoutValues,
      response: method.response,
      call: (request, log) => this.#device.call(method, request, caller, log),
    };
  }

  get #legacyNames(): ReadonlyMap<string, LegacyName> {
    const { edition } = this.#device;
    // Each boot makes a new edition, because an update may have made it another release.
    if (edition !== this.#edition) {
      this.#edition = edition;
      this.#names = legacyNamesOf(edition);
    }
    return this.#names;
  }

  #writableVariable(
    { type, level, write, isWritable }: LegacyVariable,
    name: string,
    caller: Caller,
  ): WritableName {
    const isOpen = isWritable?.(this.#device.edition) ?? true;
    if (!isOpen || write === undefined || level === undefined) throw readOnly(name);
    if (!reaches(caller.level, level)) throw new Fault('accessDenied', '', `${level} is needed`);
    return { type, hasBlank: true, write: (value) => write(this.#device, value) };
  }

  #callableMethod({ request, response, level, call }: LegacyMethod, caller: Caller): CallableName {
    if (level !== undefined && !reaches(caller.level, level)) {
      throw new Fault('accessDenied', '', `${level} is needed`);
    }
    return { takes: request, response, call: (given) => ({ response: call(this.#device, given) }) };
  }
}

function readOnly(name: string): Fault {
  return new Fault('readOnly', '', `${name} cannot be written`);
}
