import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import { Bodies, BodyRefused } from '@azimuth/http';
import { isObject } from '@azimuth/model';
import { matcherOf, type Named } from '../scanners/scanner-facts.js';

/** Bytes of the body of a request to a fleet itself. */
const mostBytes = 64 * 1024;

/** A request to a fleet itself that cannot be done: HTTP 400. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** What a request to a fleet itself asks for. @throws Refused if it is no path and no URL, as `*` */
export function urlAsked(target: string): URL {
  // What begins with two slashes is a path here, too.
  const url = target.startsWith('/') ? `http://fleet${target}` : target;
  if (!URL.canParse(url)) throw new Refused('expected a path, as /scanners');
  return new URL(url);
}

/** The origin of the fleet as the client knows it: `http://hall.local:8000`. Undefined if it names no host. */
export function originAsked({ headers: { host }, socket }: IncomingMessage): string | undefined {
  return host === undefined ? undefined : `${socket instanceof TLSSocket ? 'https' : 'http'}://${host}`;
}

const bodies = new Bodies(mostBytes, 64 * mostBytes);

/** The body of a request to a fleet itself. @throws Refused if it is too large */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  try {
    return String(await bodies.read(request));
  } catch (error) {
    throw error instanceof BodyRefused ? new Refused(error.message) : error;
  }
}

/** A scanner as a list shows it, or as an event names it. */
export interface Chosen extends Named {
  /** Undefined for one that is chosen whatever its state is. */
  readonly state?: string;
}

/** Which scanners `?q=` (a pattern), `?group=`, `?state=` and `?serials=` choose; all of them without these. */
export function chosenBy(asked: URLSearchParams): (one: Chosen) => boolean {
  const [pattern, group, state] = [asked.get('q'), asked.get('group'), asked.get('state')];
  const isMeant = pattern === null ? () => true : matcherOf(pattern);
  const list = asked.get('serials');
  const serials = list === null ? undefined : new Set(list.split(','));
  return (one) =>
    isMeant(one) &&
    serials?.has(one.serial) !== false &&
    (group === null || one.group === group) &&
    (state === null || one.state === undefined || one.state === state);
}

const powers = ['on', 'off', 'cycle'] as const;

/** What the power of scanners is to do. */
export interface PowerAsked {
  /** A pattern. */
  readonly scanners: string;
  readonly power: (typeof powers)[number];
}

/** What `/fleet/power` is asked: `{"scanners": PATTERN, "power": "on" | "off" | "cycle"}`. @throws Refused */
export function powerAsked(body: string): PowerAsked {
  const { scanners, power } = objectIn(body);
  if (typeof scanners !== 'string')
    throw new Refused('scanners: expected a serial number or a pattern, as "*"');
  const known = powers.find((one) => one === power);
  if (known === undefined) throw new Refused('power: expected "on", "off" or "cycle"');
  return { scanners, power: known };
}

/** No scanner matches a pattern. */
export function noneMatches(pattern: string): Refused {
  return new Refused(`scanners: no scanner of this fleet matches "${pattern}"`);
}

function objectIn(body: string): Readonly<Record<string, unknown>> {
  try {
    const json: unknown = JSON.parse(body);
    if (isObject(json)) return json;
  } catch {
    // As any other body that is no object.
  }
  throw new Refused('expected a JSON object');
}
