import { isAscii, isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Caller, Device, Log } from '@azimuth/device';
import { describeJson, Fault, general, isObject, type Method } from '@azimuth/model';
import { type Extent, NotJson, scanBody, TooDeep } from './json-scan.js';
import { longestCredentials, mostBytesParsedAtOnce } from './limits.js';

const { CreateSessionToken } = general.members;

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

/** A user and a password as HTTP Basic carries them. */
interface BasicCredentials {
  readonly user: string;
  /** The password, decoded in each possible way: clients send UTF-8 or Latin-1, and do not say which. */
  readonly readings: readonly string[];
}

/** Parses the header Authorization (RFC 7617); undefined for another scheme or a header that cannot be read. */
function basicCredentials(authorization: string | undefined): BasicCredentials | undefined {
  const [, token] = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization ?? '') ?? [];
  if (token === undefined) return undefined;
  const bytes = Buffer.from(token, 'base64');
  const colon = bytes.indexOf(':');
  if (colon < 0) return undefined;
  const password = bytes.subarray(colon + 1);
  return {
    user: bytes.toString('latin1', 0, colon),
    readings: [password.toString('latin1'), password.toString('utf8')],
  };
}

/**
 * Authenticates the caller of a method that requires a login: by the header in the body, or by HTTP Basic. HTTP Basic
 * is accepted for CreateSessionToken alone, and only if the body has no header.
 * @param endpoint the name that the request is signed with
 * @throws Fault 4 or 10
 */
export function authenticated(
  access: Device['access'],
  method: Method<unknown, unknown>,
  header: unknown,
  endpoint: string,
  { headers }: IncomingMessage,
  log: Log,
): Caller {
  if (method === CreateSessionToken && header === undefined) {
    const basic = basicCredentials(headers.authorization);
    if (basic !== undefined) return access.authenticatePassword(basic.user, basic.readings, endpoint, log);
  }
  return access.authenticate(header, endpoint, log);
}
