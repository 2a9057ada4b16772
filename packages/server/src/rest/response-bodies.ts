import type { Device } from '@azimuth/device';
import { IssuedChallenge } from '@azimuth/device/network-interface';
import { JsonBody } from '@azimuth/http';
import { pieceBytes } from '@azimuth/http/limits';
import { type Challenge, isObject, type Method, statuses, type Variable } from '@azimuth/model';

const okHeader = JSON.stringify({ status: statuses.ok.code, message: statuses.ok.message });

/** Returns a successful response: the header, and the members of `content` beside it (`data` or `challenge`). */
export function successBody(content: Readonly<Record<string, unknown>> = {}): JsonBody {
  const members = JSON.stringify(content).slice(1);
  return new JsonBody(`{"header":${okHeader}${members === '}' ? '' : ','}${members}`);
}

/** Returns the body for a call, with the response of the device. */
export function responseBody(method: Method<unknown, unknown>, response: unknown): JsonBody {
  const { responseMember = 'data' } = method.facts;
  if (response instanceof IssuedChallenge) return challengeBody(response, responseMember);
  return successBody({ [responseMember]: response });
}

/** What is around nonce and opaque in the body for getChallenge. */
interface AroundChallenge {
  readonly realm: string;
  readonly before: string;
  readonly after: string;
  /** Length in bytes, without nonce and opaque. */
  readonly bytes: number;
}

/** By salt: all challenges of a level have the same array, until its password changes. */
const aroundChallenges = new WeakMap<Challenge['salt'], AroundChallenge>();

/**
 * Returns the body for getChallenge. Every write needs one, and JSON.stringify takes several times as long. Nonce and
 * opaque are hex, so nothing in them is escaped.
 */
function challengeBody({ realm, nonce, opaque, salt }: Challenge, member: string): JsonBody {
  let around = aroundChallenges.get(salt);
  if (around?.realm !== realm) {
    around = aroundChallenge(member, realm, salt);
    aroundChallenges.set(salt, around);
  }
  const { before, after, bytes } = around;
  const text = withChallenge(before, nonce, opaque, after);
  return new JsonBody(text, bytes + nonce.length + opaque.length);
}

function aroundChallenge(member: string, realm: string, salt: Challenge['salt']): AroundChallenge {
  const before = `{"header":${okHeader},"${member}":{"realm":${JSON.stringify(realm)},"nonce":"`;
  const after = `"salt":${JSON.stringify(salt)}}}`;
  return { realm, before, after, bytes: Buffer.byteLength(withChallenge(before, '', '', after)) };
}

function withChallenge(before: string, nonce: string, opaque: string, after: string): string {
  return `${before}${nonce}","opaque":"${opaque}",${after}`;
}

/**
 * Returns the `data` of a read. Devices put a struct under its name; the published description puts its members beside
 * the name. Clients exist for both.
 */
export function dataOf(name: string, value: unknown): Readonly<Record<string, unknown>> {
  return { [name]: value, ...(isObject(value) ? value : {}) };
}

/** Response to a read, and its value. */
interface PreparedRead {
  readonly value: unknown;
  readonly body: JsonBody;
}

/**
 * Responses to reads, ready to be sent. The response of a parameter is made once for each value, which saves 3 to 4 µs
 * of the 20 µs of a read. Responses that depend on the state of the device are made each time. Large equal ones share
 * their memory, because many may wait at once.
 */
export class PreparedReads {
  readonly #device: Device;
  /** Responses by requested name: the variable's own, or an alias. */
  readonly #last = new Map<string, PreparedRead>();

  constructor(device: Device) {
    this.#device = device;
  }

  /** Returns the response to a read of `variable` under `name`. */
  of(variable: Variable<unknown>, name: string): JsonBody {
    const value = this.#device.read(variable);
    const last = this.#last.get(name);
    // Equal objects are enough for a parameter, whose value is replaced by a new one. A computed value may be the same
    // object with another content.
    const isParameter = this.#device.parameters.has(variable);
    if (last !== undefined && last.value === value && isParameter) return last.body;
    const body = successBody({ data: dataOf(name, value) });
    const isLarge = body.length > pieceBytes;
    if (isLarge && last?.body.text === body.text) return last.body;
    if (isLarge || isParameter) this.#last.set(name, { value, body });
    return body;
  }
}
