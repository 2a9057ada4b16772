import {
  backupRestore,
  contaminationIndication,
  detectionHistory,
  type Edition,
  type Endpoint,
  legacyProtocols,
  type Method,
  measurementDataOutput,
  Refusal,
  readOnly,
  status,
  type ValueType,
  type Variable,
} from '@azimuth/model';
import { admit, type Caller } from '../access/access.js';
import type { CallResult } from '../behaviour.js';
import type { Log } from '../interfaces/environment.js';
import type { LegacyName, LegacyVariable, Scanner } from './legacy-name.js';
import { legacyNamesOf } from './legacy-name-table.js';

/** The parts of a device for requests by name. */
interface NamedScanner extends Scanner {
  readonly served: { readonly edition: Edition; readonly endpoints: ReadonlyMap<string, Endpoint> };
  write(
    variable: Variable<unknown>,
    value: () => unknown,
    caller: Caller,
    name: string,
  ): Promise<unknown> | undefined;
  call(
    method: Method<unknown, unknown>,
    request: () => unknown,
    caller: Caller,
    log: Log,
  ): CallResult | Promise<CallResult>;
}

/** The meaning of a name in the legacy protocol. */
export type Named =
  | { readonly kind: 'endpoint'; readonly endpoint: Endpoint; readonly withoutValues?: object | undefined }
  | Exclude<LegacyName, { readonly kind: 'alias' }>;

/** A completed write. */
interface Written {
  /** True if a blank follows the name in the binary acknowledgement. */
  readonly hasBlank: boolean;
  /** A promise if it takes effect later. */
  readonly effect: Promise<unknown> | undefined;
}

/** The values of a call: the members of its request in order, or its only value. Undefined if it has no values. */
export interface ValueShape {
  readonly request: Method<unknown, unknown> | ValueType<unknown> | undefined;
  /** The request of a call without values; if undefined, `request` applies to that, too. */
  readonly withoutValues?: object | undefined;
}

/** A completed call. */
interface Called {
  readonly response: ValueType<unknown>;
  readonly result: CallResult | Promise<CallResult>;
}

/** Login methods of REST. Legacy clients must not disturb logins over REST or guess passwords through them. */
const restOnlyMethods: readonly string[] = ['getChallenge', 'changePassword'];

/**
 * The names of a scanner in the legacy protocol: the names of its interface, then the legacy names. All checks of
 * levels are here and in the device, none in the server.
 */
export class LegacyNames {
  readonly #device: NamedScanner;
  /** The legacy names of `#edition`. */
  #names: ReadonlyMap<string, LegacyName>;
  #edition: Edition;

  constructor(device: NamedScanner) {
    this.#device = device;
    this.#edition = device.served.edition;
    this.#names = legacyNamesOf(device.served.edition);
  }

  find(name: string): Named | undefined {
    const endpoint = this.#device.served.endpoints.get(name);
    if (endpoint !== undefined) return { kind: 'endpoint', endpoint };
    const entry = this.#legacyNames.get(name);
    if (entry?.kind !== 'alias') return entry;
    // The product may declare it with a narrower type.
    const served = this.#device.served.endpoints.get(entry.endpoint.name) ?? entry.endpoint;
    return { kind: 'endpoint', endpoint: served, withoutValues: entry.withoutValues };
  }

  /**
   * Writes the variable with this name.
   * @param read returns the value; it is called only if the caller may write
   * @throws Refusal 5 if no variable has this name, 8 for a read-only variable, 4 for too low a level, then the errors
   * of `read`, then for a refused value; GoingDown if the change would be lost
   */
  write(name: string, caller: Caller, read: (type: ValueType<unknown>) => unknown): Written {
    const named = this.find(name);
    if (named?.kind === 'variable') return this.#writeLegacy(named, name, caller, read);
    if (named?.kind === 'scanData') throw readOnly(name);
    if (named?.kind !== 'endpoint' || named.endpoint.kind !== 'variable') {
      throw new Refusal('notFound', '', `no variable is named ${name}`);
    }
    const variable: Variable<unknown> = named.endpoint;
    const { written } = variable.facts;
    const value = () =>
      written === undefined
        ? read(variable.type)
        : written.over(read(written.type), this.#device.read(variable));
    const effect = this.#device.write(variable, value, caller, name);
    return { effect, hasBlank: !acknowledgedWithoutBlank.has(variable.name) };
  }

  /** True if a subscription to this name may leave out the value that switches it on. */
  isFollowedWithoutValue(name: string): boolean {
    const named = this.find(name);
    return (
      named?.kind === 'endpoint' &&
      named.endpoint.kind === 'variable' &&
      followedWithoutValue.has(named.endpoint.name)
    );
  }

  /**
   * Calls the method with this name.
   * @param read returns the request; it is called only if the caller may call the method
   * @throws Refusal 5 if no method has this name, 4 for too low a level and for the login methods of REST, then the
   * errors of `read`, then for a refused request
   */
  call(name: string, caller: Caller, log: Log, read: (values: ValueShape) => unknown): Called {
    const named = this.find(name);
    if (named?.kind === 'method') {
      const { request, response, level, call } = named;
      if (level !== undefined) admit(caller, level);
      return { response, result: { response: call(this.#device, read({ request })) } };
    }
    if (named?.kind !== 'endpoint' || named.endpoint.kind !== 'method') {
      throw new Refusal('notFound', '', `no method is named ${name}`);
    }
    const { endpoint: method, withoutValues } = named;
    if (restOnlyMethods.includes(method.name)) {
      throw new Refusal('accessDenied', '', `${method.name} is for logins over REST`);
    }
    const request = () => read({ request: method, withoutValues });
    return { response: method.response, result: this.#device.call(method, request, caller, log) };
  }

  get #legacyNames(): ReadonlyMap<string, LegacyName> {
    const { edition } = this.#device.served;
    // Compares editions: each boot makes a new one, because an update may have changed the release.
    if (edition !== this.#edition) {
      this.#edition = edition;
      this.#names = legacyNamesOf(edition);
    }
    return this.#names;
  }

  #writeLegacy(
    { type, level, write, isWritable }: LegacyVariable,
    name: string,
    caller: Caller,
    read: (type: ValueType<unknown>) => unknown,
  ): Written {
    const isOpen = isWritable?.(this.#device.served.edition) ?? true;
    if (!isOpen || write === undefined || level === undefined) throw readOnly(name);
    admit(caller, level);
    return { effect: write(this.#device, read(type)), hasBlank: true };
  }
}

/*
 * Variables whose telegrams have an unusual format on devices. It applies to each name of the variable.
 */

const { DeviceStatus, SCdevicestate } = status.members;

/** Variables that need no value behind the name in a subscription. A value is permitted, as for any other variable. */
const followedWithoutValue: ReadonlySet<string> = new Set([DeviceStatus.name, SCdevicestate.name]);

/**
 * Names whose binary write acknowledgement lacks the blank behind the name. Most of them came with release 2.3.1, but
 * not all, and not all new names of that release are among them.
 */
export const acknowledgedWithoutBlank: ReadonlySet<string> = new Set([
  contaminationIndication.members.treatBlockedSectorsAsErrorSectors.name,
  measurementDataOutput.members.compactTelegramType1Content.name,
  measurementDataOutput.members.rosDomainId.name,
  legacyProtocols.members.EtherSessionTimeout.name,
  legacyProtocols.members.EtherAuxIPPort.name,
  legacyProtocols.members.EtherHostIPPort.name,
  backupRestore.members.enableCloningPlug.name,
  detectionHistory.members.EnableDetectionHistory.name,
]);
