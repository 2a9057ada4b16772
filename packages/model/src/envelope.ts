/** The user levels in ascending order, with their numbers (specification, Envelope objects; numbers as devices use them). */
export const levels = {
  Run: 0,
  Operator: 1,
  Maintenance: 2,
  AuthorizedClient: 3,
  Service: 4,
} as const;

export type Level = keyof typeof levels;

export const levelNames: readonly Level[] = ['Run', 'Operator', 'Maintenance', 'AuthorizedClient', 'Service'];

/** The levels that have a password, over REST as over the legacy protocol. */
export const loginLevels = ['Maintenance', 'AuthorizedClient', 'Service'] as const;
export type LoginLevel = (typeof loginLevels)[number];

/** The realm of every login, the same for all devices of this family. Clients hash with the realm of the response. */
export const realm = 'SICK Sensor';

export function isLevel(name: string): name is Level {
  return Object.hasOwn(levels, name);
}

const loginLevelNames: ReadonlySet<string> = new Set(loginLevels);

export function isLoginLevel(name: string): name is LoginLevel {
  return loginLevelNames.has(name);
}

/** The level of a number; undefined for a number that no level has. */
export function levelOfNumber(number: number): Level | undefined {
  return levelNames[number];
}

/** Whether the level `held` includes the rights of `needed`. Levels are ordered. */
export function reaches(held: Level, needed: Level): boolean {
  return levels[held] >= levels[needed];
}

/**
 * The level that a name means but for its blanks (`Authorized Client`); undefined for a proper name and for a
 * name that means none. The specification answers this slip with a status of its own (7).
 */
export function levelWithBlanks(name: string): Level | undefined {
  if (isLevel(name)) return undefined;
  const joined = name.replaceAll(/\s/g, '');
  return isLevel(joined) ? joined : undefined;
}

/**
 * The statuses of a reply (`header.status`) with their messages: the specification's table of errors.
 * HTTP stays 200 for all of them.
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

/** The name of a status, as this code base speaks of it. */
export type Status = keyof typeof statuses;

const messages = new Map<number, string>(Object.values(statuses).map(({ code, message }) => [code, message]));

/** The message that belongs to a status number; undefined for a number that the specification does not know. */
export function statusMessage(code: number): string | undefined {
  return messages.get(code);
}

/**
 * A caller's mistake, or a refusal: it carries the status that the wire answers with.
 * Any other error is a bug in Azimuth, and is answered with status 3.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: Status;
  /** Where in the payload: `EtherIPAddress[2]`; empty when no place in it is meant. */
  readonly at: string;
  /** What was expected and what came. */
  readonly reason: string;

  constructor(status: Status, at: string, reason: string) {
    super(at === '' ? reason : `${at}: ${reason}`);
    this.status = status;
    this.at = at;
    this.reason = reason;
  }

  /** The number in `header.status`. */
  get code(): number {
    return statuses[this.status].code;
  }
}

/** The refusal of a write to a variable that nobody may write. @param name as the caller wrote it */
export function readOnly(name: string): Refusal {
  return new Refusal('readOnly', '', `${name} cannot be written`);
}

/** How a fault names a JSON value: its type, or a number, boolean or null itself. */
export function describeJson(json: unknown): string {
  if (json === null) return 'null';
  if (json === undefined) return 'nothing';
  if (Array.isArray(json)) return `an array of ${json.length}`;
  if (typeof json === 'number' || typeof json === 'boolean') return String(json);
  // A text may be a secret: only its length is shown.
  if (typeof json === 'string') return `a string of ${json.length}`;
  return 'an object';
}

/** Is this JSON value an object, neither null nor an array? */
export function isObject(json: unknown): json is Record<string, unknown> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

/** The answer to getChallenge: what the next protected POST is to be signed with. */
export interface Challenge {
  readonly realm: string;
  readonly nonce: string;
  readonly opaque: string;
  /** 0 to 16 bytes. With any, the salted form of hash1 is required. */
  readonly salt: readonly number[];
}

/** The `header` of a protected POST: proof that the caller knows the password of `user`. */
export interface Credentials {
  readonly user: string;
  readonly realm: string;
  readonly nonce: string;
  readonly opaque: string;
  /** 64 lower-case hex characters. */
  readonly response: string;
}

/** The response header, percent-encoded if needed, that says where and why a value was refused. */
export const detailHeader = 'Azimuth-Detail';

/** The response header that names the line of the scanner's log about a request. */
export const correlationHeader = 'Azimuth-Correlation';

/** The header that carries the token of a file transfer (specification, Session token for binary transfers). */
export const sessionTokenHeader = 'X-Session-Token';

/** Are two JSON values the same, whatever the order of members? */
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
