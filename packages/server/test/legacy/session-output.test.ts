import { Duplex } from 'node:stream';
import { VirtualClock } from '@azimuth/device';
import { expect, test } from 'vitest';
import { LegacyMetrics, SessionOutput } from '../../src/legacy/session-output.js';

/** A client that accepts data when a test calls it. */
class Taker extends Duplex {
  #taken: (() => void) | undefined;

  override _read(): void {}

  override _write(_chunk: unknown, _encoding: string, taken: () => void): void {
    this.#taken = taken;
  }

  takes(): void {
    const taken = this.#taken;
    this.#taken = undefined;
    taken?.();
  }
}

function outputTo(taker: Taker, stallTimeout: number, clock = new VirtualClock()) {
  let freed = 0;
  const output = new SessionOutput(taker, {
    clock,
    metrics: new LegacyMetrics(),
    stallTimeout: () => stallTimeout,
    drained: () => {
      freed++;
    },
  });
  return { output, clock, freed: () => freed };
}

const frame = Buffer.from('sSN');

test('a scan telegram is dropped for a client that has not taken the previous one', async () => {
  const taker = new Taker();
  const { output, freed } = outputTo(taker, 0);
  expect(output.sendScan(frame)).toBe(true);
  expect(output.isBusy).toBe(true);
  expect(output.sendScan(frame)).toBe(false);
  taker.takes();
  await new Promise(setImmediate);
  expect(freed()).toBe(1);
  expect(output.sendScan(frame)).toBe(true);
});

test('a client that takes no scan data is closed after exactly the stall timeout', () => {
  const taker = new Taker();
  const { output, clock } = outputTo(taker, 15_000);
  output.sendScan(frame);
  clock.advance(14_999);
  expect(taker.destroyed).toBe(false);
  clock.advance(1);
  expect(taker.destroyed).toBe(true);
});

test('a client that takes something in time is not closed, nor one without a limit', async () => {
  const [slow, patient] = [new Taker(), new Taker()];
  const clock = new VirtualClock();
  const { output } = outputTo(slow, 15_000, clock);
  outputTo(patient, 0, clock).output.sendScan(frame);
  output.sendScan(frame);
  clock.advance(14_000);
  slow.takes();
  await new Promise(setImmediate);
  output.sendScan(frame);
  clock.advance(14_000);
  expect(slow.destroyed).toBe(false);
  clock.advance(1000);
  expect(slow.destroyed).toBe(true);
  expect(patient.destroyed).toBe(false);
});

test('a client without a subscription has no limit, nor has one that has unsubscribed', () => {
  const [session, left] = [new Taker(), new Taker()];
  const clock = new VirtualClock();
  outputTo(session, 15_000, clock).output.send(frame);
  const { output } = outputTo(left, 15_000, clock);
  output.sendScan(frame);
  output.endWatch();
  clock.advance(60_000);
  expect(session.destroyed).toBe(false);
  expect(left.destroyed).toBe(false);
});
