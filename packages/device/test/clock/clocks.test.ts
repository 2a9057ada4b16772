import { performance } from 'node:perf_hooks';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type MovableClock, SystemClock, VirtualClock } from '../../src/index.js';

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000, toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  vi.spyOn(performance, 'now').mockImplementation(() => Date.now() - 500_000 + 0.25);
});

afterEach(() => {
  // All clocks of the process share timers: none of this test may be left.
  vi.advanceTimersByTime(10_000);
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const clocks: readonly [string, () => MovableClock][] = [
  ['VirtualClock', () => new VirtualClock()],
  ['SystemClock', () => new SystemClock()],
];

describe.each(clocks)('%s, moved on', (_, make) => {
  test('calls back in the order of time and, at the same time, of booking', () => {
    const clock = make();
    const seen: string[] = [];
    clock.after(30, () => seen.push('c'));
    clock.after(10, () => seen.push('a1'));
    clock.after(20, () => seen.push('b'));
    clock.after(10, () => seen.push('a2'));
    clock.advance(30);
    expect(seen).toEqual(['a1', 'a2', 'b', 'c']);
  });

  test('has the time of each callback while it runs, and the end time after them', () => {
    const clock = make();
    const start = clock.monotonic();
    const utc = clock.utc();
    const seen: number[] = [];
    for (const at of [5, 40]) clock.after(at, () => seen.push(clock.monotonic() - start, clock.utc() - utc));
    clock.advance(100);
    expect(seen.map((at) => Math.round(at))).toEqual([5, 5, 40, 40]);
    expect(clock.monotonic() - start).toBeCloseTo(100, 6);
    expect(clock.utc() - utc).toBeCloseTo(100, 3);
  });

  test('calls what callbacks have scheduled, if it is due before the end', () => {
    const clock = make();
    const seen: string[] = [];
    clock.after(10, () => {
      seen.push('first');
      clock.after(0, () => seen.push('at once'));
      clock.after(10, () => seen.push('at 20'));
      clock.after(91, () => seen.push('too late'));
    });
    clock.after(15, () => seen.push('at 15'));
    clock.advance(100);
    expect(seen).toEqual(['first', 'at once', 'at 15', 'at 20']);
    clock.advance(1);
    expect(seen.at(-1)).toBe('too late');
  });

  test('does not call callbacks that were cancelled, before or during the move', () => {
    const clock = make();
    const seen: string[] = [];
    clock.after(10, () => seen.push('off before'))();
    const off = clock.after(30, () => seen.push('off on the way'));
    clock.after(20, () => {
      seen.push('stays');
      off();
    });
    clock.advance(100);
    off();
    expect(seen).toEqual(['stays']);
  });

  test('calls back once', () => {
    const clock = make();
    let count = 0;
    clock.after(10, () => count++);
    clock.advance(10);
    clock.advance(1000);
    expect(count).toBe(1);
  });

  test('goes to the end in small steps as in a great one', () => {
    const clock = make();
    const start = clock.monotonic();
    const seen: number[] = [];
    const tick = () => {
      seen.push(Math.round(clock.monotonic() - start));
      clock.after(7, tick);
    };
    clock.after(7, tick);
    for (let step = 0; step < 10; step++) clock.advance(3);
    clock.advance(30);
    expect(seen).toEqual([7, 14, 21, 28, 35, 42, 49, 56]);
  });

  test('the error of a callback is thrown, and the next move continues after it', () => {
    const clock = make();
    const seen: string[] = [];
    clock.after(10, () => {
      throw new Error('broken');
    });
    clock.after(20, () => seen.push('after it'));
    expect(() => clock.advance(15)).toThrow('broken');
    clock.advance(20);
    expect(seen).toEqual(['after it']);
  });

  test.each([1, 1000])('never goes back when a callback moves it on by %d ms', (step) => {
    const clock = make();
    const seen = [clock.monotonic()];
    clock.after(5, () => clock.advance(step));
    clock.after(8, () => seen.push(clock.monotonic()));
    clock.advance(10);
    seen.push(clock.monotonic());
    expect(seen).toHaveLength(3);
    expect(seen.map((at) => at - (seen[0] ?? 0))).toEqual([0, 8, Math.max(10, 5 + step)]);
  });
});

test('SystemClock runs by itself, and stays ahead by as much as it was moved on', () => {
  const clock = new SystemClock();
  const start = clock.monotonic();
  const utc = clock.utc();
  vi.advanceTimersByTime(250);
  clock.advance(1000);
  vi.advanceTimersByTime(250);
  expect(clock.monotonic() - start).toBeCloseTo(1500, 3);
  expect(clock.utc() - utc).toBeCloseTo(1500, 3);
});

test('SystemClock calls back by itself, with the time that it was moved on taken off', () => {
  const clock = new SystemClock();
  const seen: string[] = [];
  clock.after(1000, () => seen.push('second'));
  clock.after(900, () => seen.push('first'));
  clock.advance(800);
  vi.advanceTimersByTime(99);
  expect(seen).toEqual([]);
  vi.advanceTimersByTime(2);
  expect(seen).toEqual(['first']);
  vi.advanceTimersByTime(100);
  expect(seen).toEqual(['first', 'second']);
});

test('SystemClock waits longer than a timer of Node can', () => {
  const clock = new SystemClock();
  const days = 30 * 24 * 3_600_000;
  let called = 0;
  clock.after(days, () => called++);
  vi.advanceTimersByTime(days - 1);
  expect(called).toBe(0);
  vi.advanceTimersByTime(2);
  expect(called).toBe(1);
});

test('SystemClock keeps no timer if nothing is scheduled, so that a process can end', () => {
  const clock = new SystemClock();
  const off = clock.after(1000, () => {});
  expect(vi.getTimerCount()).toBe(1);
  off();
  expect(vi.getTimerCount()).toBe(0);
});

test('VirtualClock stops until it is moved on', () => {
  const clock = new VirtualClock(Date.UTC(2026, 5, 1), 7_200_000);
  vi.advanceTimersByTime(10_000);
  expect([clock.monotonic(), clock.utc(), clock.localOffset()]).toEqual([0, Date.UTC(2026, 5, 1), 7_200_000]);
});

describe('SystemClock, kept waiting', () => {
  /** Time passes, and no timer runs. */
  const hold = (ms: number) => vi.setSystemTime(Date.now() + ms);

  test('calls overdue callbacks on catchUp, and once', () => {
    const clock = new SystemClock();
    const seen: string[] = [];
    clock.after(10, () => seen.push('a'));
    clock.after(12, () => seen.push('b'));
    clock.after(100, () => seen.push('later'));
    hold(9);
    clock.catchUp();
    expect(seen).toEqual([]);
    hold(20);
    clock.catchUp();
    clock.catchUp();
    expect(seen).toEqual(['a', 'b']);
    vi.advanceTimersByTime(50);
    expect(seen).toEqual(['a', 'b']);
    vi.advanceTimersByTime(50);
    expect(seen).toEqual(['a', 'b', 'later']);
  });

  test('leaves to its timer what is late by a moment', () => {
    const clock = new SystemClock();
    const seen: string[] = [];
    clock.after(10, () => seen.push('a'));
    hold(12);
    clock.catchUp();
    expect(seen).toEqual([]);
  });

  test('does not begin anew in a callback that catches up itself', () => {
    const clock = new SystemClock();
    const seen: string[] = [];
    clock.after(10, () => {
      seen.push('begins');
      clock.catchUp();
      seen.push('ends');
    });
    clock.after(11, () => seen.push('next'));
    hold(50);
    clock.catchUp();
    expect(seen).toEqual(['begins', 'ends', 'next']);
  });
});

test('a SystemClock can be wrong and drift: its UTC, its uptime and its timers run at that speed', () => {
  const right = new SystemClock();
  const wrong = new SystemClock({ offset: -3_600_000, drift: 1000 });
  const ahead = wrong.utc() - right.utc();
  const monotonic = wrong.monotonic();
  expect(ahead).toBeGreaterThan(-3_600_000);
  expect(ahead).toBeLessThan(-3_590_000);
  let calledAt = 0;
  wrong.after(10_010, () => {
    calledAt = Date.now();
  });
  const start = Date.now();
  vi.advanceTimersByTime(100_000);
  expect(calledAt - start).toBeGreaterThanOrEqual(10_000);
  expect(calledAt - start).toBeLessThanOrEqual(10_011);
  expect(wrong.utc() - right.utc() - ahead).toBeCloseTo(100, 3);
  expect(wrong.monotonic() - monotonic).toBeCloseTo(100_100, 3);
});

describe('SystemClock, when the clock of the computer is set', () => {
  test('follows with UTC, and measures time as before', () => {
    const clock = new SystemClock();
    const [utc, start] = [clock.utc(), clock.monotonic()];
    const seen: number[] = [];
    clock.after(1000, () => seen.push(clock.monotonic() - start));
    const years = 50 * 365 * 86_400_000;
    const { now } = Date;
    let step = years;
    vi.spyOn(Date, 'now').mockImplementation(() => now() + step);
    vi.mocked(performance.now).mockImplementation(() => now() - 500_000 + 0.25);
    expect(clock.utc() - utc).toBeCloseTo(years, 3);
    vi.advanceTimersByTime(1000);
    expect(clock.utc() - utc).toBeCloseTo(years + 1000, 3);
    expect(seen.map(Math.round)).toEqual([1000]);
    // Sets it back.
    step = 0;
    expect(clock.utc() - utc).toBeCloseTo(1000, 3);
    expect(clock.monotonic() - start).toBeCloseTo(1000, 3);
  });

  test('keeps the time by which it is ahead itself', () => {
    const clock = new SystemClock({ offset: 5000, drift: 0 });
    const utc = clock.utc();
    clock.advance(1000);
    const { now } = Date;
    vi.spyOn(Date, 'now').mockImplementation(() => now() + 60_000);
    vi.mocked(performance.now).mockImplementation(() => now() - 500_000 + 0.25);
    expect(clock.utc() - utc).toBeCloseTo(61_000, 3);
  });

  test('does not follow the jitter of the computer', () => {
    const clock = new SystemClock();
    const utc = clock.utc();
    const { now } = Date;
    vi.spyOn(Date, 'now').mockImplementation(() => now() + 50);
    vi.mocked(performance.now).mockImplementation(() => now() - 500_000 + 0.25);
    expect(clock.utc()).toBe(utc);
  });
});

test('SystemClock, while its callbacks may not run, keeps them until they may, and runs them in their order', () => {
  let may = false;
  const clock = new SystemClock(undefined, undefined, () => may);
  const seen: string[] = [];
  clock.after(20, () => seen.push('second'));
  clock.after(10, () => seen.push('first'));
  const callOff = clock.after(30, () => seen.push('called off'));
  vi.advanceTimersByTime(1000);
  clock.catchUp();
  expect(seen).toEqual([]);
  callOff();
  may = true;
  vi.advanceTimersByTime(5);
  expect(seen).toEqual(['first', 'second']);
  clock.after(10, () => seen.push('third'));
  vi.advanceTimersByTime(10);
  expect(seen).toEqual(['first', 'second', 'third']);
});

test('callbacks of a SystemClock wait while they may not run, also from the middle of what is due on', () => {
  let mayRun = true;
  const clock = new SystemClock(undefined, undefined, () => mayRun);
  const seen: string[] = [];
  clock.after(10, () => {
    seen.push('a');
    // Simulates a process that was paused for longer than it may respond for a scanner.
    mayRun = false;
  });
  clock.after(10, () => seen.push('b'));
  clock.after(20, () => seen.push('c'));
  vi.advanceTimersByTime(1000);
  expect(seen).toEqual(['a']);
  clock.catchUp();
  expect(seen).toEqual(['a']);
  mayRun = true;
  vi.advanceTimersByTime(10);
  expect(seen).toEqual(['a', 'b', 'c']);
});

test('a pause of the process between two reads of the host is no step', () => {
  vi.mocked(performance.now).mockImplementation(() => 500_000);
  vi.setSystemTime(performance.timeOrigin + 500_000);
  const before = new SystemClock().utcAhead();
  expect(before).toBeCloseTo(performance.timeOrigin, -1);
  vi.setSystemTime(performance.timeOrigin + 500_050);
  vi.spyOn(Date, 'now').mockReturnValueOnce(performance.timeOrigin + 499_700);
  expect(new SystemClock().utcAhead()).toBe(before);
});

test('all clocks of a process follow a set clock of the computer by the same time', () => {
  vi.mocked(performance.now).mockImplementation(() => 500_000);
  const clocks = [new SystemClock(), new SystemClock(undefined, 1000)];
  vi.setSystemTime(performance.timeOrigin + 800_000.4);
  const first = clocks[0]?.utcAhead();
  // Jitter of the second read of the computer.
  vi.setSystemTime(performance.timeOrigin + 800_007);
  expect(clocks[1]?.utcAhead()).toBe(first);
});

test('a pause of the process during the look at a set clock does not count', () => {
  let passed = 500_000;
  vi.mocked(performance.now).mockImplementation(() => passed);
  vi.setSystemTime(performance.timeOrigin + 500_000);
  new SystemClock().utcAhead();
  vi.setSystemTime(performance.timeOrigin + 500_300);
  let reads = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => {
    reads += 1;
    // The edge of a millisecond is seen at the third read, and behind a pause.
    if (reads === 3) passed += 150;
    return Math.floor(performance.timeOrigin + passed + 300 + (reads > 2 ? 1 : 0));
  });
  const ahead = new SystemClock().utcAhead() - performance.timeOrigin;
  expect(ahead).toBeGreaterThan(298);
  expect(ahead).toBeLessThan(302);
});
