import { isAscii, isUtf8 } from 'node:buffer';
import type { Device } from '@azimuth/device';
import {
  type Challenge,
  describeJson,
  Fault,
  isObject,
  type Method,
  statuses,
  type Variable,
} from '@azimuth/model';
import { longestCredentials, mostBytesParsedAtOnce, pieceBytes } from '../http/limits.js';
import { JsonBody } from '../http/reply.js';
import { type Extent, NotJson, scanBody, TooDeep } from './json-scan.js';

/** What a POST carries: the credentials and the payload. */
export interface Payload {
  /** Unparsed; null if it is too long to hold credentials. */
  readonly header: unknown;
  /** Unparsed. Large data is parsed only after its caller is authorised. */
  readonly data: unknown;
}

const nothing: Payload = { header: undefined, data: undefined };

/**
 * The JSON of a POST, whatever its Content-Type. An empty body, `null` and `{}` mean that there is no payload.
 * @param deepest how many objects and arrays may stand within each other
 * @throws Fault 1 for anything but a JSON object, or one that is nested deeper
 */
export function payloadOf(body: Buffer, deepest: number): Payload {
  const isLarge = body.length > mostBytesParsedAtOnce;
  // Most small bodies are ASCII. It is decoded faster.
  const encoding = !isLarge && isAscii(body) ? 'latin1' : 'utf8';
  if (encoding === 'utf8' && !isUtf8(body)) throw new Fault('parsingFailed', '', 'the body is not UTF-8');
  try {
    return isLarge ? ofLarge(body, deepest) : ofSmall(body, body.toString(encoding), deepest);
  } catch (error) {
    if (error instanceof NotJson) throw new Fault('parsingFailed', '', error.message);
    throw error;
  }
}

function ofSmall(body: Buffer, text: string, deepest: number): Payload {
  // Most bodies have fewer brackets than that: then their bytes need not be looked at one by one.
  if (hasMoreBrackets(text, deepest) && isDeeper(body, deepest)) throw new TooDeep(deepest);
  if (text.trim() === '') return nothing;
  const json = parse(text);
  if (json === null) return nothing;
  if (!isObject(json)) throw notAnObject();
  return {
    header: Object.hasOwn(json, 'header') ? json.header : undefined,
    data: Object.hasOwn(json, 'data') ? json.data : undefined,
  };
}

/** Does a text contain more opening brackets than this, in strings or outside? */
function hasMoreBrackets(text: string, most: number): boolean {
  let count = 0;
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      if (++count > most) return true;
    }
  }
  return false;
}

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = Buffer.from('"\\{}[]');

/** Are objects and arrays nested deeper than `deepest`? The result for invalid JSON does not matter. */
export function isDeeper(bytes: Uint8Array, deepest: number): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (isText) {
      if (byte === backslash) at++;
      else if (byte === quote) isText = false;
    } else if (byte === quote) isText = true;
    else if (byte === openBrace || byte === openBracket) {
      if (++depth > deepest) return true;
    } else if (byte === closeBrace || byte === closeBracket) depth--;
  }
  return false;
}

/** Parses the header alone: only the data of authorised callers is parsed. */
function ofLarge(body: Buffer, deepest: number): Payload {
  const { kind, header, data } = scanBody(body, deepest);
  if (kind === 'null' || kind === 'empty') return nothing;
  if (kind === 'other') throw notAnObject();
  return {
    header:
      header !== undefined && header.end - header.begin > longestCredentials ? null : parsed(body, header),
    get data() {
      return parsed(body, data);
    },
  };
}

function parsed(body: Buffer, extent: Extent | undefined): unknown {
  return extent === undefined ? undefined : parse(body.toString('utf8', extent.begin, extent.end));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new NotJson('the body is not valid JSON');
  }
}

function notAnObject(): Fault {
  return new Fault('parsingFailed', '', 'the body must be a JSON object');
}

/**
 * Returns the new value of a variable from the `data` of a write. `data` must hold it under the variable's name as
 * requested. The device checks the value itself.
 * @throws Fault 1 if data or the key is missing, 2 if the key is another one or not alone
 */
export function valueOfPayload(name: string, data: unknown): unknown {
  if (data === undefined)
    throw new Fault('parsingFailed', 'data', `expected {"${name}": …}, but there is no data`);
  if (!isObject(data))
    throw new Fault('invalidData', 'data', `expected an object, got ${describeJson(data)}`);
  const keys = Object.keys(data);
  if (!Object.hasOwn(data, name)) {
    if (keys.length === 1)
      throw new Fault('invalidData', 'data', `expected the key ${name}, got another one`);
    throw new Fault('parsingFailed', 'data', `the key ${name} is missing`);
  }
  if (keys.length > 1) throw new Fault('invalidData', 'data', `expected no other key than ${name}`);
  return data[name];
}

/**
 * Returns the argument of a method from the `data` of a call: all of it, or nothing if it may be absent or is ignored.
 * The request's type checks the members.
 * @throws Fault 1 if data is missing
 */
export function requestOfPayload(method: Method<unknown, unknown>, data: unknown): unknown {
  const { request = {}, optional = [] } = method.facts;
  const members = Object.keys(request);
  if (members.length === 0) return {};
  if (data !== undefined) return data;
  if (members.every((member) => optional.includes(member))) return {};
  throw new Fault('parsingFailed', 'data', `expected ${members.join(', ')}, but there is no data`);
}

const okHeader = JSON.stringify({ status: statuses.ok.code, message: statuses.ok.message });

/** A successful reply: the header, and what `content` adds beside it (`data` or `challenge`). */
export function successBody(content: Readonly<Record<string, unknown>> = {}): JsonBody {
  const members = JSON.stringify(content).slice(1);
  return new JsonBody(`{"header":${okHeader}${members === '}' ? '' : ','}${members}`);
}

/** The reply to a call, with its response as the device returned it. */
export function responseBody(method: Method<unknown, unknown>, response: unknown): JsonBody {
  const { answersIn = 'data' } = method.facts;
  if (answersIn === 'challenge' && isChallenge(response)) return challengeBody(response);
  return successBody({ [answersIn]: response });
}

function isChallenge(response: unknown): response is Challenge {
  if (!isObject(response) || typeof response.realm !== 'string') return false;
  return isHex(response.nonce) && isHex(response.opaque) && Array.isArray(response.salt);
}

function isHex(text: unknown): boolean {
  return typeof text === 'string' && /^[0-9a-f]*$/.test(text);
}

/** Salts as JSON: all challenges of a level have the same array, until its password changes. */
const saltTexts = new WeakMap<Challenge['salt'], string>();

/**
 * The reply to getChallenge. Every write needs one, and JSON.stringify takes several times as long. Nonce and opaque are
 * hex, so nothing in them is escaped.
 */
function challengeBody({ realm, nonce, opaque, salt }: Challenge): JsonBody {
  let saltText = saltTexts.get(salt);
  if (saltText === undefined) {
    saltText = JSON.stringify(salt);
    saltTexts.set(salt, saltText);
  }
  const members = `"realm":${JSON.stringify(realm)},"nonce":"${nonce}","opaque":"${opaque}","salt":${saltText}`;
  return new JsonBody(`{"header":${okHeader},"challenge":{${members}}}`);
}

/**
 * The `data` of a read. Devices put a struct under its name; the published description puts its members beside the
 * name. Clients exist for both.
 */
export function dataOf(name: string, value: unknown): Readonly<Record<string, unknown>> {
  return { [name]: value, ...(isObject(value) ? value : {}) };
}

/** Cache of large reply bodies: equal bodies share their memory, because many replies may wait at once. */
class SameBody {
  #last: JsonBody | undefined;

  of(body: JsonBody): JsonBody {
    if (body.length <= pieceBytes) return body;
    if (this.#last?.text !== body.text) this.#last = body;
    return this.#last;
  }
}

/**
 * Replies to reads, ready to be sent. Replies made only of parameters are cached until a parameter changes, which saves
 * 3 to 4 µs of the 20 µs of a read. Replies that depend on the state of the device are built each time.
 */
export class PreparedReads {
  readonly #device: Device;
  /** By requested name: the variable's own, or an alias. */
  readonly #kept = new Map<string, JsonBody>();
  readonly #names = new Map<Variable<unknown>, Set<string>>();
  /** For replies that are built each time. */
  readonly #last = new Map<string, SameBody>();

  constructor(device: Device) {
    this.#device = device;
    device.announcements.subscribe((changed) => {
      for (const variable of changed) this.#forget(variable);
    });
    // After an update, the release or variant may lack this variable.
    device.lifecycle.onUp(() => {
      this.#kept.clear();
      this.#names.clear();
    });
  }

  /** The cached reply to a read under this name; undefined if the variable has changed or was not read yet. */
  kept(name: string): JsonBody | undefined {
    return this.#kept.get(name);
  }

  /** The reply to a read of `variable` under `name`. */
  of(variable: Variable<unknown>, name: string): JsonBody {
    return this.#kept.get(name) ?? this.#make(variable, name);
  }

  #make(variable: Variable<unknown>, name: string): JsonBody {
    const value = this.#device.read(variable);
    const body = successBody({ data: dataOf(name, value) });
    if (this.#device.isComputed(variable)) return this.#likeLast(name, body);
    this.#keep(variable, name, body);
    return body;
  }

  #likeLast(name: string, body: JsonBody): JsonBody {
    if (body.length <= pieceBytes) return body;
    let last = this.#last.get(name);
    if (last === undefined) {
      last = new SameBody();
      this.#last.set(name, last);
    }
    return last.of(body);
  }

  #keep(variable: Variable<unknown>, name: string, body: JsonBody): void {
    this.#kept.set(name, body);
    const names = this.#names.get(variable);
    if (names === undefined) this.#names.set(variable, new Set([name]));
    else names.add(name);
  }

  #forget(variable: Variable<unknown>): void {
    for (const name of this.#names.get(variable) ?? []) this.#kept.delete(name);
    this.#names.delete(variable);
  }
}
