import type { Log } from '@azimuth/device';
import {
  type LegacyAccess,
  type LegacyNames,
  loginRequest,
  loginResponse,
  type SessionMethodName,
  type ValueShape,
} from '@azimuth/device/legacy';
import type { CallResult } from '@azimuth/device/network-interface';
import { type Level, Method } from '@azimuth/model';
import type { Framing } from '@azimuth/telegrams/legacy';
import type { Outcome } from './values.js';
import { expectEnd, telegramOf, type Values } from './values.js';

export type LegacyPassword = ReturnType<LegacyAccess['passwordOf']>;

/** Session that logs in and out. */
export interface LoginSession {
  level: Level;
  /** Password with which the session has logged in. */
  password: LegacyPassword;
  readonly log: Log;
}

/** Method of the legacy protocol itself, which concerns the session of the caller. Returns true if it was granted. */
type SessionMethod = (values: Values, session: LoginSession) => boolean;

/** Methods SetAccessMode, CheckPassword and Run. */
function sessionMethods(access: LegacyAccess): ReadonlyMap<string, SessionMethod> {
  const login = (values: Values, log: Log): Level | undefined => {
    const { level, password } = values.read(loginRequest, '');
    expectEnd(values);
    return access.login(level, password, log);
  };
  const methods: Readonly<Record<SessionMethodName, SessionMethod>> = {
    SetAccessMode: (values, session) => {
      const level = login(values, session.log);
      if (level === undefined) return false;
      session.level = level;
      session.password = access.passwordOf(level);
      return true;
    },
    CheckPassword: (values, { log }) => login(values, log) !== undefined,
    Run: (values, session) => {
      expectEnd(values);
      session.level = 'Run';
      return true;
    },
  };
  return new Map(Object.entries(methods));
}

/** Calls of methods (`sMN`): first those of the legacy protocol itself, then those of the scanner. */
export class Calls {
  readonly #names: LegacyNames;
  readonly #sessionMethods: ReadonlyMap<string, SessionMethod>;

  constructor(names: LegacyNames, access: LegacyAccess) {
    this.#names = names;
    this.#sessionMethods = sessionMethods(access);
  }

  /** Returns true for a method of the protocol itself. These log in and out. */
  isOfSession(name: string): boolean {
    return this.#sessionMethods.has(name);
  }

  /** @throws LegacyRefusal, or Refusal as the method does */
  call(name: string, values: Values, framing: Framing, session: LoginSession): Outcome | Promise<Outcome> {
    const ofSession = this.#sessionMethods.get(name);
    if (ofSession !== undefined) {
      return { frame: telegramOf(framing, 'sAN', name, loginResponse, ofSession(values, session)) };
    }
    const { level, log } = session;
    const { response: type, result } = this.#names.call(name, { level }, log, (shape) =>
      requestOf(shape, values),
    );
    const outcomeOf = ({ response, afterwards }: CallResult): Outcome => ({
      frame: telegramOf(framing, 'sAN', name, type, response),
      afterwards,
    });
    return result instanceof Promise ? result.then(outcomeOf) : outcomeOf(result);
  }
}

/**
 * Reads the arguments of a method: one value, or its members in order, without separators. Optional members at the end
 * may be missing.
 */
function requestOf({ request: shape, withoutValues }: ValueShape, values: Values): unknown {
  if (withoutValues !== undefined && values.atEnd) return withoutValues;
  const request = shape instanceof Method ? membersOf(shape, values) : shape && values.read(shape, '');
  expectEnd(values);
  return request;
}

function membersOf(
  { facts: { request = {}, optional = [] } }: Method<unknown, unknown>,
  values: Values,
): object {
  const given: Record<string, unknown> = {};
  for (const [member, type] of Object.entries(request)) {
    if (values.atEnd && optional.includes(member)) continue;
    given[member] = values.read(type, member);
  }
  return given;
}
