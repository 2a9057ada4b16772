import { describe, expect, it } from 'vitest';
import { topicNamesOf } from '../../src/scanners/bridged-scanner.js';
import { lingering, WhileWanted } from '../../src/scanners/while-wanted.js';

/** Work that the test ends or fails. */
function manual() {
  const pauses: number[] = [];
  const states: (string | undefined)[] = [];
  const due: (() => void)[] = [];
  const runs: { fail: (error: Error) => void; works: () => void; signal: AbortSignal; end: () => void }[] =
    [];
  const wanted = new WhileWanted({
    work: (signal, works) =>
      new Promise<void>((resolve, reject) => {
        runs.push({ fail: reject, works, signal, end: resolve });
      }),
    onState: (failure) => states.push(failure),
    wait: async (ms) => {
      pauses.push(ms);
    },
    after: (ms, act) => {
      expect(ms).toBe(lingering);
      due.push(act);
      return () => void due.splice(due.indexOf(act), 1);
    },
  });
  /** The time after which work that nobody wants ends. */
  const pass = () => {
    for (const act of due.splice(0)) act();
  };
  return { wanted, runs, pauses, states, pass };
}

/** Waits until all promises that can settle have settled. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('work that runs while it is wanted', () => {
  it('begins with the first who wants it, and ends some seconds after the last', async () => {
    const { wanted, runs, pass } = manual();
    const ends = [wanted.want(), wanted.want()];
    await settled();
    expect(runs).toHaveLength(1);
    ends[0]?.();
    ends[0]?.();
    expect([runs[0]?.signal.aborted, wanted.isRunning]).toEqual([false, true]);
    ends[1]?.();
    expect([runs[0]?.signal.aborted, wanted.isRunning]).toEqual([false, true]);
    pass();
    expect([runs[0]?.signal.aborted, wanted.isRunning]).toEqual([true, false]);
  });

  it('goes on for one who wants it again within these seconds', async () => {
    const { wanted, runs, pass } = manual();
    wanted.want()();
    await settled();
    const end = wanted.want();
    pass();
    await settled();
    expect(runs.map(({ signal }) => signal.aborted)).toEqual([false]);
    end();
    pass();
    expect(runs[0]?.signal.aborted).toBe(true);
  });

  it('does not begin again before it has ended', async () => {
    const { wanted, runs, pass } = manual();
    const end = wanted.want();
    await settled();
    end();
    pass();
    wanted.want();
    await settled();
    expect(runs).toHaveLength(1);
    runs[0]?.end();
    await settled();
    expect(runs.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  });

  it('begins again after growing pauses, which are short again after it has worked', async () => {
    const { wanted, runs, pauses, states } = manual();
    wanted.want();
    for (let failure = 0; failure < 7; failure++) {
      await settled();
      runs.at(-1)?.fail(new Error(`failure ${failure}`));
    }
    await settled();
    expect(pauses).toEqual([500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
    runs.at(-1)?.works();
    runs.at(-1)?.end();
    await settled();
    expect(pauses.at(-1)).toBe(500);
    expect(states.slice(-3)).toEqual(['failure 6', undefined, 'it ended']);
  });
});

describe('names of scanners in topics', () => {
  it('are names of ROS 2, and all different', () => {
    expect(topicNamesOf(['hall-gate3', 'hall/gate3', 'http://10.0.0.1:80', '…'])).toEqual([
      'hall_gate3',
      'hall_gate3_2',
      'n10_0_0_1_80',
      'scanner',
    ]);
  });
});
