import type { IncomingMessage } from 'node:http';
import type { Device, Log } from '@azimuth/device';
import type { Caller } from '@azimuth/device/network-interface';
import { general, type Method, Refusal } from '@azimuth/model';

const { CreateSessionToken } = general.members;

/**
 * Returns the argument of a method from the `data` of a call: all of it, or nothing if it may be absent or is ignored.
 * The request's type checks the members.
 * @throws Refusal 1 if data is missing
 */
export function argumentOf(method: Method<unknown, unknown>, data: unknown): unknown {
  const { request = {}, optional = [] } = method.facts;
  const members = Object.keys(request);
  if (members.length === 0) return {};
  if (data !== undefined) return data;
  if (members.every((member) => optional.includes(member))) return {};
  throw new Refusal('parsingFailed', 'data', `expected ${members.join(', ')}, but there is no data`);
}

/** A user and a password as HTTP Basic carries them. */
interface BasicCredentials {
  readonly user: string;
  /** Password, decoded in each possible way: clients send UTF-8 or Latin-1, and do not state which. */
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
 * @throws Refusal 4 or 10
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
