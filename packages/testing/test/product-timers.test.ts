import { mock } from 'node:test';
import { setTimeout as realPause } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type StartOptions, startScanner, type TimersOption } from '../src/index.js';

async function started(options: StartOptions) {
  const scanner = await startScanner(options);
  onTestFinished(() => scanner.close());
  return scanner;
}

/** Timers of one's own: a list of what is due, in ms. */
function ownTimers() {
  let now = 0;
  const due: { at: number; act: () => void }[] = [];
  const timers = {
    set: (milliseconds: number, act: () => void) => void due.push({ at: now + milliseconds, act }),
    advance: (milliseconds: number) => {
      const end = now + milliseconds;
      for (;;) {
        due.sort((a, b) => a.at - b.at);
        const [first] = due;
        if (first === undefined || first.at > end) break;
        due.shift();
        now = first.at;
        first.act();
      }
      now = end;
    },
  };
  return timers;
}

interface Runner {
  readonly name: string;
  readonly begin: () => TimersOption;
  readonly after: (milliseconds: number, act: () => void) => void;
}

/** The fake timers of jest 30: the clock behind them has its timers in a Map. */
function jestTimers() {
  const timers: Map<number, { readonly callAt: number; readonly act: () => void }> =
    runInNewContext('new Map()');
  const clock = { now: 0, timers, next };
  let last = 0;
  function first() {
    return [...timers].sort(([, a], [, b]) => a.callAt - b.callAt)[0];
  }
  function next() {
    const [id = 0, timer] = first() ?? [];
    timers.delete(id);
    clock.now = timer?.callAt ?? clock.now;
    timer?.act();
  }
  function set(act: () => void, milliseconds: number) {
    last += 1;
    timers.set(last, { callAt: clock.now + milliseconds, act });
  }
  vi.stubGlobal('setTimeout', Object.assign(set, { clock }));
  return {
    advanceTimersByTime: (milliseconds: number) => {
      const end = clock.now + milliseconds;
      while ((first()?.[1].callAt ?? Number.POSITIVE_INFINITY) <= end) next();
      clock.now = end;
    },
    advanceTimersToNextTimer: next,
  };
}

let own = ownTimers();
const runners: readonly Runner[] = [
  {
    name: 'vi',
    begin: () => {
      vi.useFakeTimers();
      return vi;
    },
    after: (milliseconds, act) => void setTimeout(act, milliseconds),
  },
  {
    name: 'jest',
    begin: jestTimers,
    after: (milliseconds, act) => void setTimeout(act, milliseconds),
  },
  {
    name: 'mock.timers of node:test',
    begin: () => {
      mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'] });
      return mock.timers;
    },
    after: (milliseconds, act) => void setTimeout(act, milliseconds),
  },
  {
    name: 'functions of one’s own',
    begin: () => {
      own = ownTimers();
      return own;
    },
    after: (milliseconds, act) => own.set(milliseconds, act),
  },
];

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  mock.timers.reset();
});

describe.each(runners)('timers of the product: $name', ({ begin, after }) => {
  test('are called in order with the scans, at the time of the scanner', async () => {
    const timers = begin();
    const scanner = await started({ timers });
    const times: (readonly [string, number])[] = [];
    const now = () => scanner.device.clock.monotonic();
    scanner.device.features.measuring.watch({ scan: () => times.push(['scan', Math.round(now())]) });
    after(30, () => {
      times.push(['timer', now()]);
      after(100, () => times.push(['timer', now()]));
    });
    await scanner.advance(200);
    expect(times.filter(([what]) => what === 'timer')).toEqual([
      ['timer', 30],
      ['timer', 130],
    ]);
    expect(times.map(([, time]) => time)).toEqual(times.map(([, time]) => time).sort((a, b) => a - b));
    expect(times.filter(([what]) => what === 'scan').length).toBeGreaterThanOrEqual(2);
  });

  test('may send requests, which are answered before time goes on', async () => {
    const timers = begin();
    const scanner = await started({ timers });
    const poll = async (): Promise<void> => {
      await scanner.client.write('LocationName', `at ${scanner.device.clock.monotonic()}`);
      after(250, () => void poll());
    };
    after(250, () => void poll());
    await scanner.advance(1000);
    const writes = scanner.journal.entries.filter(({ kind }) => kind === 'write');
    expect(writes.map(({ time }) => time)).toEqual([250, 500, 750, 1000]);
    expect(writes).toMatchObject([
      { value: 'at 250' },
      { value: 'at 500' },
      { value: 'at 750' },
      { value: 'at 1000' },
    ]);
  });

  test('pass during a boot, and not while nothing advances', async () => {
    const timers = begin();
    const scanner = await started({ timers });
    let calls = 0;
    after(1999, () => calls++);
    await scanner.idle();
    await realPause(5);
    expect(calls).toBe(0);
    await scanner.powerCycle();
    expect(calls).toBe(1);
  });
});

describe('timers of the product', () => {
  test('that are due at the same time see what the first one has done with settled promises', async () => {
    vi.useFakeTimers();
    const scanner = await started({ timers: vi });
    const order: string[] = [];
    setTimeout(() => {
      order.push('first');
      void Promise.resolve().then(() => order.push('settled'));
    }, 10);
    setTimeout(() => order.push('second'), 10);
    await scanner.advance(10);
    expect(order).toEqual(['first', 'settled', 'second']);
  });

  test('that are faked leave the scanner, its streams and its end as they are', async () => {
    vi.useFakeTimers();
    const scanner = await startScanner({ timers: vi });
    let scans = 0;
    const events = scanner.client.scans();
    const reading = (async () => {
      for await (const _ of events) scans++;
    })();
    await scanner.journal.registration('scan');
    await scanner.advance(1000);
    expect(scans).toBeGreaterThan(10);
    await scanner.client.call('CreateParameterBackup', { Passphrase: '' });
    await scanner.client.backup();
    await scanner.powerCycle();
    events.close();
    await reading.catch(() => undefined);
    await scanner.close();
  });

  test('that are real pass by themselves', async () => {
    const scanner = await started({ timers: vi });
    let calls = 0;
    setTimeout(() => calls++, 1);
    await scanner.advance(60_000);
    await vi.waitFor(() => expect(calls).toBe(1));
  });

  test('that never end are an error', async () => {
    const scanner = await started({ timers: { next: () => 0, advance: () => undefined } });
    await expect(scanner.advance(1)).rejects.toThrow('they never end');
  });

  const refused: readonly StartOptions[] = [
    // @ts-expect-error: no timers
    { timers: {} },
    // @ts-expect-error: no timers
    { timers: 5 },
    { timers: vi, clock: 'real' },
  ];
  test('are refused if they are none, or if the clock is not virtual', async () => {
    for (const options of refused) await expect(startScanner(options)).rejects.toThrow(/^timers: expected/);
  });
});
