import { number } from '@azimuth/test-support/json';
import { SceneScanner } from '@azimuth/test-support/scene-scanner';
import { Subscriber } from '@azimuth/test-support/subscriber';
import { until } from '@azimuth/test-support/waiting';
import { describe, expect, it } from 'vitest';

const event = 'CurrentTempDev';

/** A scanner as warm as it is told to be, and a client that wants to hear of it at most every 5 s. */
async function throttled(options: unknown = { throttle: { minOutputIntervalMs: 5000 } }) {
  const scanner = await SceneScanner.start();
  await scanner.control('/temperature', { celsius: 20 });
  const subscriber = await Subscriber.connect(scanner.testScanner.httpPort);
  expect(await subscriber.follow(event, 1, options)).toEqual({ CurrentTempDev: 20 });
  const heat = (celsius: number) => scanner.control('/temperature', { celsius });
  const heard = async () => (await subscriber.pushes(event)).map(({ CurrentTempDev }) => CurrentTempDev);
  return { scanner, subscriber, heat, heard };
}

describe('throttle', () => {
  it('counts from each push, and does not delay the first value after a quiet interval', async () => {
    const { scanner, heat, heard } = await throttled();
    scanner.pass(5000);
    await heat(30);
    expect(await heard()).toEqual([30]);
    scanner.pass(4000);
    await heat(31);
    scanner.pass(999);
    expect(await heard()).toEqual([]);
    scanner.pass(1);
    expect(await heard()).toEqual([31]);
    scanner.pass(4999);
    await heat(32);
    expect(await heard()).toEqual([]);
    scanner.pass(1);
    expect(await heard()).toEqual([32]);
  });

  it('never loses the last value', async () => {
    const { scanner, heat, heard } = await throttled();
    const told: unknown[] = [];
    for (let step = 0; step < 100; step += 1) {
      await heat(20 + step / 2);
      scanner.pass(300);
      told.push(...(await heard()));
    }
    scanner.pass(5000);
    told.push(...(await heard()));
    // 30 s, and the value that was held at their end.
    expect(told.length).toBeGreaterThanOrEqual(6);
    expect(told.length).toBeLessThanOrEqual(7);
    expect(told.at(-1)).toBe(69.5);
    expect(told).toEqual(told.toSorted((a, b) => Number(a) - Number(b)));
  });

  it('applies to one registration only', async () => {
    const { scanner, subscriber, heat, heard } = await throttled();
    await subscriber.follow(event, 2);
    await heat(30);
    await heat(31);
    const told = (await subscriber.rest()).map(({ clientId, data }) => ({ clientId, data }));
    expect(told).toEqual([
      { clientId: 2, data: { CurrentTempDev: 30 } },
      { clientId: 2, data: { CurrentTempDev: 31 } },
    ]);
    scanner.pass(5000);
    expect(await heard()).toEqual([31]);
  });

  it('of 0 ms does not delay', async () => {
    const { heat, heard } = await throttled({ throttle: { minOutputIntervalMs: 0 } });
    await heat(30);
    await heat(31);
    expect(await heard()).toEqual([30, 31]);
  });

  it('of LSPdatetime pushes every fifth second', async () => {
    const { scanner, subscriber } = await throttled({});
    await subscriber.follow('LSPdatetime', 1);
    // What tells of seconds is loaded when somebody asks for it.
    await until(async () => {
      scanner.pass(1000);
      return (await subscriber.pushes('LSPdatetime')).length > 0;
    });
    // In the middle of a second.
    scanner.pass(500);
    const first = number(
      (await subscriber.follow('LSPdatetime', 1, { throttle: { minOutputIntervalMs: 5000 } })).usiSec,
    );
    const seconds: number[] = [];
    for (let second = 1; second <= 20; second += 1) {
      scanner.pass(1000);
      seconds.push(...(await subscriber.pushes('LSPdatetime')).map(({ usiSec }) => number(usiSec)));
    }
    expect(seconds.map((second) => (second - first + 60) % 60)).toEqual([5, 10, 15, 20]);
  });

  it('ends with its registration: a delayed value is not pushed', async () => {
    const { scanner, subscriber, heat } = await throttled();
    await heat(30);
    subscriber.deregister(event);
    expect(await subscriber.rest()).toEqual([]);
    scanner.pass(60_000);
    expect(await subscriber.rest()).toEqual([]);
  });

  it('is removed by a new registration without it', async () => {
    const { subscriber, heat, heard } = await throttled();
    await heat(30);
    expect(await subscriber.follow(event)).toEqual({ CurrentTempDev: 30 });
    await heat(31);
    await heat(32);
    expect(await heard()).toEqual([31, 32]);
  });
});

describe('queue', () => {
  const good: readonly object[] = [
    {},
    { priority: 'HIGH' },
    { priority: 'MID' },
    { priority: 'LOW' },
    { maxSize: 1 },
    { maxSize: 10 },
    { discardIfFull: 'OLDEST' },
    { discardIfFull: 'NEWEST' },
    { priority: 'HIGH', maxSize: 5, discardIfFull: 'NEWEST' },
  ];

  it.each(good.map((queue) => ({ queue })))('%j is accepted', async (options) => {
    const { heat, heard } = await throttled(options);
    await heat(30);
    expect(await heard()).toEqual([30]);
  });

  it('works together with a throttle, which comes first', async () => {
    const { scanner, heat, heard } = await throttled({
      throttle: { minOutputIntervalMs: 1000 },
      queue: { maxSize: 10, discardIfFull: 'NEWEST' },
    });
    await heat(30);
    await heat(31);
    scanner.pass(1000);
    expect(await heard()).toEqual([31]);
  });
});

describe('options', () => {
  const bad: readonly [unknown, RegExp][] = [
    [5, /options/],
    ['fast', /options/],
    [[], /options/],
    [{ throttle: 5000 }, /throttle/],
    [{ throttle: [] }, /throttle/],
    [{ throttle: { minOutputIntervalMs: '5000' } }, /minOutputIntervalMs/],
    [{ throttle: { minOutputIntervalMs: -1 } }, /minOutputIntervalMs/],
    [{ throttle: { minOutputIntervalMs: 1e300 } }, /minOutputIntervalMs/],
    [{ queue: 'HIGH' }, /queue/],
    [{ queue: { priority: 'URGENT' } }, /priority/],
    [{ queue: { priority: 'high' } }, /priority/],
    [{ queue: { priority: 1 } }, /priority/],
    [{ queue: { maxSize: 0 } }, /maxSize/],
    [{ queue: { maxSize: -1 } }, /maxSize/],
    [{ queue: { maxSize: 1.5 } }, /maxSize/],
    [{ queue: { maxSize: '1' } }, /maxSize/],
    [{ queue: { maxSize: 1e300 } }, /maxSize/],
    [{ queue: { discardIfFull: 'ALL' } }, /discardIfFull/],
    [{ queue: { discardIfFull: true } }, /discardIfFull/],
  ];

  it('that are invalid are refused with the reason, and other registrations stay', async () => {
    const { subscriber, heat, heard } = await throttled({});
    for (const [options, words] of bad) {
      const message = await subscriber.refused('DeviceStatus', 2, options);
      expect(message, JSON.stringify(options)).toMatch(words);
    }
    await heat(30);
    expect(await heard()).toEqual([30]);
  });
});
