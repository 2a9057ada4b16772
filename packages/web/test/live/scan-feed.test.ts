import { type Frame, NoScansError, Scanner, type ScanOptions, UnreachableError } from '@azimuth/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ScanFeed } from '../../src/live/scan-feed.js';
import { frameOf } from './kept-scan.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const frame = frameOf([1000]);

/** A connection for scans, whose end the test is. */
class Stream {
  readonly options: ScanOptions;
  #deliver: (result: IteratorResult<Frame, undefined> | Error) => void = () => undefined;

  constructor(options: ScanOptions) {
    this.options = options;
  }

  /** What stands for the scans of the client: two telegrams were lost, and one scan waited too long. */
  readonly scans = {
    dropped: 1,
    losses: { telegrams: 2, frames: 0, restarts: 0, outOfOrder: 0, damaged: 0 },
    close: () => undefined,
    [Symbol.asyncIterator]: () => ({
      next: () =>
        new Promise<IteratorResult<Frame, undefined>>((resolve, reject) => {
          this.#deliver = (result) => (result instanceof Error ? reject(result) : resolve(result));
        }),
    }),
  };

  async give(result: Frame | Error | undefined): Promise<void> {
    await turn();
    const isFrame = result !== undefined && !(result instanceof Error);
    this.#deliver(isFrame ? { value: result, done: false } : (result ?? { value: undefined, done: true }));
    await turn();
  }
}

const turn = () => new Promise(setImmediate);

function someFeed() {
  const streams: Stream[] = [];
  const scanner = new Scanner({ url: 'http://scanner' });
  vi.spyOn(scanner, 'scans').mockImplementation((options = {}) => {
    const stream = new Stream(options);
    streams.push(stream);
    return stream.scans;
  });
  const seen: Frame[] = [];
  const feed = new ScanFeed(
    () => scanner,
    (one) => seen.push(one),
  );
  return { feed, streams, seen, now: () => performance.now() };
}

test('a feed waits until the first scan has come, and hands over each one', async () => {
  const { feed, streams, seen } = someFeed();
  expect(feed.state.value).toEqual({ kind: 'off' });
  feed.open();
  feed.open();
  expect([feed.state.value, streams.length]).toEqual([{ kind: 'waiting' }, 1]);
  await streams[0]?.give(frame);
  await streams[0]?.give({ ...frame, number: 2 });
  expect([feed.state.value, feed.received]).toEqual([{ kind: 'running' }, 2]);
  expect(seen.map(({ number }) => number)).toEqual([1, 2]);
  feed.close();
  expect([feed.state.value, streams[0]?.options.signal?.aborted]).toEqual([{ kind: 'off' }, true]);
});

test('the rate is that of the last 64 scans, and 0 if none has come for two seconds', async () => {
  const { feed, streams, now } = someFeed();
  feed.open();
  expect(feed.rate(now())).toBe(0);
  await streams[0]?.give(frame);
  expect(feed.rate(now())).toBe(0);
  for (let count = 0; count < 10; count++) {
    vi.advanceTimersByTime(50);
    await streams[0]?.give(frame);
  }
  expect(feed.rate(now())).toBeCloseTo(20);
  for (let count = 0; count < 63; count++) {
    vi.advanceTimersByTime(20);
    await streams[0]?.give(frame);
  }
  // 63 gaps, the first of which is the last one of 50 ms ago no more.
  expect(feed.rate(now())).toBeCloseTo(50);
  expect([feed.rate(now() + 2000), feed.rate(now() + 2001)]).toEqual([expect.closeTo(50), 0]);
  feed.close();
});

test('a connection that was lost says since when, and the first reason stays', async () => {
  const { feed, streams, now } = someFeed();
  feed.open();
  const { onState } = streams[0]?.options ?? {};
  vi.advanceTimersByTime(700);
  onState?.('lost', 'gone');
  const lost = { kind: 'lost', since: now(), why: 'gone' };
  vi.advanceTimersByTime(700);
  onState?.('lost', 'still gone');
  expect(feed.state.value).toEqual(lost);
  onState?.('reconnected', '');
  expect(feed.state.value).toEqual({ kind: 'waiting' });
  feed.close();
});

test('a scanner that cannot be reached is tried again after three seconds, and losses add up', async () => {
  const { feed, streams } = someFeed();
  feed.open();
  await streams[0]?.give(new UnreachableError('http://scanner', 'no route', undefined));
  expect(feed.state.value).toMatchObject({ kind: 'lost', why: expect.stringContaining('no route') });
  expect(feed.losses).toEqual({ telegrams: 2, late: 1 });
  vi.advanceTimersByTime(2999);
  await turn();
  expect(streams).toHaveLength(1);
  vi.advanceTimersByTime(1);
  await turn();
  expect(streams).toHaveLength(2);
  expect(feed.losses).toEqual({ telegrams: 4, late: 2 });
  await streams[1]?.give(frame);
  expect(feed.state.value).toEqual({ kind: 'running' });
  feed.close();
  expect(feed.losses).toEqual({ telegrams: 4, late: 2 });
});

test('a scanner without live scans is not asked again', async () => {
  const { feed, streams } = someFeed();
  feed.open();
  await streams[0]?.give(new NoScansError('http://scanner', 'HTTP 404'));
  expect(feed.state.value).toEqual({ kind: 'absent' });
  vi.advanceTimersByTime(60_000);
  await turn();
  expect(streams).toHaveLength(1);
});

test('telegrams go to whoever records', async () => {
  const { feed, streams } = someFeed();
  feed.open();
  const telegram = Uint8Array.of(1, 2);
  streams[0]?.options.onTelegram?.(telegram);
  const recorded: Uint8Array[] = [];
  feed.onTelegram = (one) => recorded.push(one);
  streams[0]?.options.onTelegram?.(telegram);
  expect(recorded).toEqual([telegram]);
  feed.close();
});
