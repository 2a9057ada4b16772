/**
 * User levels in ascending order, with their numbers (specification, Envelope objects; numbers as devices use them).
 */
export const levels = {
  Run: 0,
  Operator: 1,
  Maintenance: 2,
  AuthorizedClient: 3,
  Service: 4,
} as const;

export type Level = keyof typeof levels;

export const levelNames: readonly Level[] = ['Run', 'Operator', 'Maintenance', 'AuthorizedClient', 'Service'];

/** Levels that have a password, over REST and over the legacy protocol. */
export const loginLevels = ['Maintenance', 'AuthorizedClient', 'Service'] as const;
export type LoginLevel = (typeof loginLevels)[number];

/** Realm of every login, the same for all devices of this family. Clients hash with the realm of the response. */
export const realm = 'SICK Sensor';

export function isLevel(name: string): name is Level {
  return Object.hasOwn(levels, name);
}

const loginLevelNames: ReadonlySet<string> = new Set(loginLevels);

export function isLoginLevel(name: string): name is LoginLevel {
  return loginLevelNames.has(name);
}

/** Returns the level of a number; undefined for a number that no level has. */
export function levelOfNumber(number: number): Level | undefined {
  return levelNames[number];
}

/** Returns true if the level `held` includes the rights of `needed`. Levels are ordered. */
export function reaches(held: Level, needed: Level): boolean {
  return levels[held] >= levels[needed];
}

/**
 * Returns the level that a name with additional blanks means (`Authorized Client`); undefined for a proper name and for
 * a name that means none. The specification has a status of its own for this mistake (7).
 */
export function levelWithBlanks(name: string): Level | undefined {
  if (isLevel(name)) return undefined;
  const joined = name.replaceAll(/\s/g, '');
  return isLevel(joined) ? joined : undefined;
}

/**
 * Statuses of a response (`header.status`) with their messages: the specification's table of errors. HTTP stays 200 for
 * all of them.
 */
export const statuses = {
  ok: { code: 0, message: 'Ok' },
  parsingFailed: { code: 1, message: 'Parsing Failed' },
  invalidData: { code: 2, message: 'Invalid Data' },
  internalServerError: { code: 3, message: 'Internal Server Error' },
  accessDenied: { code: 4, message: 'Access Denied' },
  notFound: { code: 5, message: 'Not Found' },
  outOfRange: { code: 6, message: 'Out Of Range' },
  outOfBounds: { code: 7, message: 'Out Of Bounds' },
  readOnly: { code: 8, message: 'Read Only' },
  illegalValue: { code: 9, message: 'Illegal Value' },
  invalidChallenge: { code: 10, message: 'Invalid Challenge' },
  outOfConnections: { code: 11, message: 'Out Of Connections' },
} as const;

/** Name of a status in this code. */
export type Status = keyof typeof statuses;

const messages = new Map<number, string>(Object.values(statuses).map(({ code, message }) => [code, message]));

/** Returns the message of a status number; undefined for a number that the specification does not have. */
export function statusMessage(code: number): string | undefined {
  return messages.get(code);
}

/**
 * Error for a mistake of the caller, or a refusal. It carries the status of the response. Any other error is a bug in
 * Azimuth, and gets status 3.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: Status;
  /** Place in the payload: `EtherIPAddress[2]`; empty if it has none. */
  readonly at: string;
  /** Expected and actual value. */
  readonly reason: string;

  constructor(status: Status, at: string, reason: string) {
    super(at === '' ? reason : `${at}: ${reason}`);
    this.status = status;
    this.at = at;
    this.reason = reason;
  }

  /** Number in `header.status`. */
  get code(): number {
    return statuses[this.status].code;
  }
}

/**
 * Thrown where the handler of a request sends a response, although the request was refused meanwhile. The client has its
 * response then, so it is not an error of the scanner.
 */
export class AlreadyRefused extends Error {
  override readonly name = 'AlreadyRefused';

  constructor() {
    super('the request was refused meanwhile');
  }
}

/** Makes the refusal of a write to a read-only variable. @param name as the caller wrote it */
export function readOnly(name: string): Refusal {
  return new Refusal('readOnly', '', `${name} cannot be written`);
}

/** Describes a JSON value in a refusal: its type, or a number, boolean or null itself. */
export function describeJson(json: unknown): string {
  if (json === null) return 'null';
  if (json === undefined) return 'nothing';
  if (Array.isArray(json)) return `an array of ${json.length}`;
  if (typeof json === 'number' || typeof json === 'boolean') return String(json);
  // A text may be a secret, so only its length is shown.
  if (typeof json === 'string') return `a string of ${json.length}`;
  return 'an object';
}

/** Returns true if this JSON value is an object, neither null nor an array. */
export function isObject(json: unknown): json is Record<string, unknown> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

/** Response to getChallenge: data with which the next protected POST is signed. */
export interface Challenge {
  readonly realm: string;
  readonly nonce: string;
  readonly opaque: string;
  /** Salt of 0 to 16 bytes. If there are any, the salted form of hash1 is required. */
  readonly salt: readonly number[];
}

/** `header` of a protected POST: proof that the caller knows the password of `user`. */
export interface Credentials {
  readonly user: string;
  readonly realm: string;
  readonly nonce: string;
  readonly opaque: string;
  /** Hash as 64 lower-case hex characters. */
  readonly response: string;
}

/** Response header, percent-encoded if needed, with the place and the reason of a refusal. */
export const detailHeader = 'Azimuth-Detail';

/** Response header that identifies the log line of the scanner about a request. */
export const correlationHeader = 'Azimuth-Correlation';

/** Returns the name of the header with the place and the reason of a refusal, for scanners of a product. */
export function detailHeaderOf({ headerPrefix }: { readonly headerPrefix: string }): string {
  return `${headerPrefix}-Detail`;
}

/** Returns the name of the header that identifies the log line about a request, for scanners of a product. */
export function correlationHeaderOf({ headerPrefix }: { readonly headerPrefix: string }): string {
  return `${headerPrefix}-Correlation`;
}

/** Request header with the token of a file transfer (specification, Session token for binary transfers). */
export const sessionTokenHeader = 'X-Session-Token';

/** Returns true if two JSON values are equal. The order of members does not matter. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => sameJson(item, other[index]));
  if (!isObject(one) || !isObject(other) || Array.isArray(one) || Array.isArray(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && sameJson(one[name], other[name]))
  );
}
