import { FakeEvents } from '@azimuth/test-support/fake-events';
import type { Pushed } from '../../src/index.js';
import { Scanner } from '../../src/scanner.js';
import { HandClock } from './hand-clock.js';

/** A scanner with events, a client of it, and the clock of the client. */
export async function start(tls?: Parameters<typeof FakeEvents.start>[0]) {
  const device = await FakeEvents.start(tls);
  const clock = new HandClock();
  const scanner = new Scanner({ url: device.url, pause: clock.pause });
  return { device, clock, scanner };
}

/** The next value without its time. */
export async function next<E extends { event: string; data: unknown }>(
  iterator: AsyncIterator<E, undefined>,
) {
  const { value } = await iterator.next();
  return value === undefined ? undefined : { event: value.event, data: value.data };
}

/** Starts to read what a scanner pushes. */
export const begin = <E>(stream: Pushed<E>) => stream[Symbol.asyncIterator]();
