import { isObject } from '../json.js';

/** Telegrams a second of a scanner with 50 scans a second of five segments. */
export const telegramsPerSecond = 250;
/** Programs to which each telegram is passed on. */
export const programsPerWay = 3;
/** What passes telegrams on. */
export const ways = ['azimuth relay', 'a bare forwarder'] as const;

/** Ports of the programs of a way: the one that gets telegrams straight, and those behind it. */
export interface Ports {
  readonly straight: number;
  readonly passed: readonly number[];
}

/** Ports to which telegrams are sent at the same moment, for each way, and their number for each. */
interface Sending {
  readonly ways: readonly { readonly straight: number; readonly entry: number }[];
  readonly count: number;
}

/** When telegrams were sent, in ms of {@link hostTime}, by their numbers. */
export interface SentAt {
  readonly straight: readonly number[];
  readonly passed: readonly number[];
}

/** When telegrams came, by their numbers, at the straight program and at each of those behind the way; null if it did not. */
export interface ReceivedAt {
  readonly straight: readonly (number | null)[];
  readonly passed: readonly (readonly (number | null)[])[];
}

/** What telegrams of a way needed, in ms. */
export interface WayTimes {
  readonly straight: readonly number[];
  /** To the last of the programs. */
  readonly passed: readonly number[];
  /** Of the same telegram: how much later than straight it came. */
  readonly added: readonly number[];
  readonly lost: number;
}

/** Compares both ways of each telegram. The last of the programs counts. */
export function wayTimes(sent: SentAt, received: ReceivedAt): WayTimes {
  const straight: number[] = [];
  const passed: number[] = [];
  let lost = 0;
  for (const [number, sentAt] of sent.passed.entries()) {
    const times = received.passed.map((at) => at[number] ?? Number.NaN);
    const missing = times.filter(Number.isNaN).length;
    const straightAt = received.straight[number] ?? Number.NaN;
    lost += missing;
    if (missing > 0 || Number.isNaN(straightAt)) continue;
    straight.push(straightAt - (sent.straight[number] ?? Number.NaN));
    passed.push(Math.max(...times) - sentAt);
  }
  const added = passed.map((time, index) => time - (straight[index] ?? Number.NaN));
  return { straight, passed, added, lost };
}

/** @throws Error for anything else than ports and a number of telegrams */
export function sendingIn(message: unknown): Sending {
  if (!isObject(message) || !Array.isArray(message.ways)) throw new Error('ports were expected');
  return {
    ways: message.ways.map((way: unknown) => ({
      straight: numberIn(way, 'straight'),
      entry: numberIn(way, 'entry'),
    })),
    count: numberIn(message, 'count'),
  };
}

/** @throws Error for anything else than ports of each way */
export function portsIn(message: unknown): readonly Ports[] {
  return listIn(message).map((way) => ({
    straight: numberIn(way, 'straight'),
    passed: listIn(isObject(way) ? way.passed : undefined).map(Number),
  }));
}

/** @throws Error for anything else than times of each way */
export function sentIn(message: unknown): readonly SentAt[] {
  return listIn(message).map((way) => ({
    straight: listIn(isObject(way) ? way.straight : undefined).map(Number),
    passed: listIn(isObject(way) ? way.passed : undefined).map(Number),
  }));
}

/** @throws Error for anything else than times of each way */
export function receivedIn(message: unknown): readonly ReceivedAt[] {
  return listIn(message).map((way) => ({
    straight: timesIn(isObject(way) ? way.straight : undefined),
    passed: listIn(isObject(way) ? way.passed : undefined).map(timesIn),
  }));
}

function timesIn(value: unknown): (number | null)[] {
  return listIn(value).map((time) => (typeof time === 'number' ? time : null));
}

function listIn(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error('a list was expected');
  return value;
}

function numberIn(value: unknown, member: string): number {
  const found = isObject(value) ? value[member] : undefined;
  if (typeof found !== 'number') throw new Error(`${member}: a number was expected`);
  return found;
}
