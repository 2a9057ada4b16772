import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import { Bodies, BodyRefused } from '@azimuth/http';
import { isObject } from '@azimuth/model';
import { matcherOf, type Named } from '../scanners/scanner-facts.js';

/** Largest body in bytes of a request to a fleet itself. */
const mostBytes = 64 * 1024;

/** A request to a fleet itself that cannot be served: HTTP 400. */
export class BadFleetRequest extends Error {
  override readonly name = 'BadFleetRequest';
}

/** Parses the target of a request to a fleet itself. @throws BadFleetRequest if it is neither a path nor a URL: `*` */
export function requestUrl(target: string): URL {
  // A target that begins with two slashes is a path here, too.
  const url = target.startsWith('/') ? `http://fleet${target}` : target;
  if (!URL.canParse(url)) throw new BadFleetRequest('expected a path, as /scanners');
  return new URL(url);
}

/** Returns the origin of the fleet as known to the client: `http://hall.local:8000`. Undefined if the request names no host. */
export function requestOrigin({ headers: { host }, socket }: IncomingMessage): string | undefined {
  return host === undefined ? undefined : `${socket instanceof TLSSocket ? 'https' : 'http'}://${host}`;
}

const bodies = new Bodies(mostBytes, 64 * mostBytes);

/** Reads the body of a request to a fleet itself. @throws BadFleetRequest if it is too large */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  try {
    return String(await bodies.read(request));
  } catch (error) {
    throw error instanceof BodyRefused ? new BadFleetRequest(error.message) : error;
  }
}

/** A scanner as a list shows it, or as an event names it. */
export interface Selectable extends Named {
  /** Undefined if the state does not matter. */
  readonly state?: string;
}

/**
 * Returns a test for the scanners that `?q=` (a pattern), `?group=`, `?state=` and `?serials=` select; all of them without
 * these.
 */
export function selectedBy(query: URLSearchParams): (one: Selectable) => boolean {
  const [pattern, group, state] = [query.get('q'), query.get('group'), query.get('state')];
  const matches = pattern === null ? () => true : matcherOf(pattern);
  const list = query.get('serials');
  const serials = list === null ? undefined : new Set(list.split(','));
  return (one) =>
    matches(one) &&
    serials?.has(one.serial) !== false &&
    (group === null || one.group === group) &&
    (state === null || one.state === undefined || one.state === state);
}

const powers = ['on', 'off', 'cycle'] as const;

/** A request to switch the power of scanners. */
export interface PowerRequest {
  /** A pattern. */
  readonly scanners: string;
  readonly power: (typeof powers)[number];
}

/** Parses the body of `/fleet/power`: `{"scanners": PATTERN, "power": "on" | "off" | "cycle"}`. @throws BadFleetRequest */
export function powerRequestOf(body: string): PowerRequest {
  const { scanners, power } = objectIn(body);
  if (typeof scanners !== 'string')
    throw new BadFleetRequest('scanners: expected a serial number or a pattern, as "*"');
  const known = powers.find((one) => one === power);
  if (known === undefined) throw new BadFleetRequest('power: expected "on", "off" or "cycle"');
  return { scanners, power: known };
}

/** Returns the refusal of a pattern that no scanner matches. */
export function noMatch(pattern: string): BadFleetRequest {
  return new BadFleetRequest(`scanners: no scanner of this fleet matches "${pattern}"`);
}

function objectIn(body: string): Readonly<Record<string, unknown>> {
  try {
    const json: unknown = JSON.parse(body);
    if (isObject(json)) return json;
  } catch {
    // Treated like any other body that is not an object.
  }
  throw new BadFleetRequest('expected a JSON object');
}
