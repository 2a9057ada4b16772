import { FaultyStorage } from '@azimuth/test-support/faulty-storage';
import { LogBook } from '@azimuth/test-support/log-book';
import { promisesSettled } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';
import { VirtualClock } from '../../src/index.js';
import { OperatingCounters } from '../../src/operating-data/operating-data.js';
import { decodeDocument, encodeDocument } from '../../src/storage/document.js';
import { Documents } from '../../src/storage/documents.js';

const document = 'operating.json';
const tenth = 360_000;

async function counting(storage = new FaultyStorage()) {
  const clock = new VirtualClock();
  const log = new LogBook();
  const { counters, found } = await OperatingCounters.load(new Documents(storage, log), clock, log);
  const onDisk = () => decodeDocument(storage.documents.get(document) ?? new Uint8Array());
  return { storage, clock, log, counters, found, onDisk };
}

test('a power-on counts once it is on disk', async () => {
  const { storage, counters, onDisk } = await counting();
  const writing = storage.delay(document);
  let ready = false;
  const on = counters.powerOn().then(() => {
    ready = true;
  });
  await promisesSettled();
  expect(ready).toBe(false);
  writing.open();
  await on;
  expect(counters.powerOnCount).toBe(1);
  expect(onDisk()).toEqual({ powerOnCount: 1, operatingMilliseconds: 0 });
});

test('the counters are saved each tenth of an hour', async () => {
  const { clock, counters, onDisk } = await counting();
  await counters.powerOn();
  clock.advance(tenth - 1);
  await promisesSettled();
  expect(onDisk().operatingMilliseconds).toBe(0);
  clock.advance(1);
  await promisesSettled();
  expect(onDisk().operatingMilliseconds).toBe(tenth);
  clock.advance(tenth);
  await promisesSettled();
  expect(onDisk()).toEqual({ powerOnCount: 1, operatingMilliseconds: 2 * tenth });
});

test('operating hours go on over restarts; a power cut loses less than a tenth', async () => {
  const first = await counting();
  await first.counters.powerOn();
  first.clock.advance(2 * tenth + 359_999);
  await promisesSettled();
  const second = await counting(first.storage.afterPowerCut());
  await second.counters.powerOn();
  expect(second.counters.tenthsOfHours).toBe(2);
  expect(second.counters.powerOnCount).toBe(2);
  expect(second.counters.dailyHours).toBe(0);
  second.clock.advance(tenth);
  expect(second.counters.tenthsOfHours).toBe(3);
  expect(second.counters.dailyHours).toBeCloseTo(0.1, 12);
});

test('a power-on keeps the hours, starts the daily ones anew and leaves one timetable', async () => {
  const { storage, clock, counters, onDisk } = await counting();
  await counters.powerOn();
  clock.advance(tenth / 2);
  await counters.powerOn();
  expect(onDisk()).toEqual({ powerOnCount: 2, operatingMilliseconds: tenth / 2 });
  expect(counters.dailyHours).toBe(0);
  storage.begun.length = 0;
  clock.advance(tenth);
  await promisesSettled();
  expect(storage.begun).toEqual([document]);
  expect(counters.tenthsOfHours).toBe(1);
});

test('the daily hours are hours', async () => {
  const { clock, counters } = await counting();
  await counters.powerOn();
  clock.advance(5_400_000);
  expect(counters.dailyHours).toBe(1.5);
  expect(counters.tenthsOfHours).toBe(15);
});

test('a save that fails is logged, and the next one stores all of it', async () => {
  const { storage, clock, log, counters, onDisk } = await counting();
  await counters.powerOn();
  storage.fail(document, { once: true });
  clock.advance(tenth);
  await promisesSettled();
  expect(log.errors.map(({ facts }) => facts.reason)).toEqual([expect.stringContaining('ENOSPC')]);
  expect(onDisk().operatingMilliseconds).toBe(0);
  clock.advance(tenth);
  await promisesSettled();
  expect(onDisk().operatingMilliseconds).toBe(2 * tenth);
});

test('a power-on that could not be stored is not counted', async () => {
  const { storage, counters } = await counting();
  storage.fail(document, { once: true });
  await expect(counters.powerOn()).rejects.toThrow('ENOSPC');
  await counters.powerOn();
  expect(counters.powerOnCount).toBe(1);
});

test('many tenths that pass in one step are no queue of saves, and all of them are stored', async () => {
  const { storage, clock, counters, onDisk } = await counting();
  await counters.powerOn();
  storage.begun.length = 0;
  clock.advance(10_000 * tenth);
  await promisesSettled();
  expect(storage.begun.length).toBeLessThanOrEqual(2);
  expect(onDisk().operatingMilliseconds).toBe(10_000 * tenth);
});

test('after the end nothing is saved any more', async () => {
  const { storage, clock, counters } = await counting();
  await counters.powerOn();
  storage.begun.length = 0;
  counters.end();
  clock.advance(10 * tenth);
  await promisesSettled();
  expect(storage.begun).toEqual([]);
});

test.each([
  [{ powerOnCount: -1, operatingMilliseconds: 0 }],
  [{ powerOnCount: 1.5, operatingMilliseconds: 0 }],
  [{ powerOnCount: 1, operatingMilliseconds: '0' }],
  [{ powerOnCount: 1 }],
  [{}],
])('counters that make no sense (%j) are set aside and start at zero', async (content) => {
  const storage = new FaultyStorage(new Map([[document, encodeDocument(content)]]));
  const { counters, found, log } = await counting(storage);
  expect(found).toBe('lost');
  expect([counters.powerOnCount, counters.tenthsOfHours]).toEqual([0, 0]);
  expect(log.errors).toHaveLength(1);
  const aside = String(log.errors[0]?.facts.setAside);
  expect(storage.documents.get(aside)).toEqual(encodeDocument(content));
});
