import { NotDoneError } from '@azimuth/client';
import { expect, test } from 'vitest';
import { SiteRun } from '../../src/site-actions/site-run.js';

/** A run over scanners whose acts end when the test says so. */
function runOver(names: readonly string[], options: { atOnce: number; stopsAtFailure: boolean }) {
  const begun: string[] = [];
  const ends = new Map<string, (failure?: Error) => void>();
  const run = new SiteRun<string>(
    names,
    (name) =>
      new Promise((resolve, reject) => {
        begun.push(name);
        ends.set(name, (failure) => (failure === undefined ? resolve(`${name} written`) : reject(failure)));
      }),
    options,
  );
  const ended = run.start();
  const end = async (name: string, failure?: Error) => {
    ends.get(name)?.(failure);
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  };
  const kinds = () => run.items.map(({ state }) => state.value.kind);
  return { run, begun, end, ended, kinds };
}

test('scanners are done one after the other, and it is said of each what was done', async () => {
  const { run, begun, end, ended, kinds } = runOver(['a', 'b'], { atOnce: 1, stopsAtFailure: true });
  expect([begun, kinds(), run.isRunning.value]).toEqual([['a'], ['doing', 'waiting'], true]);
  await end('a');
  expect([begun, kinds()]).toEqual([
    ['a', 'b'],
    ['done', 'doing'],
  ]);
  await end('b');
  await ended;
  expect(run.items[1]?.state.value).toEqual({ kind: 'done', text: 'b written' });
  expect([run.isRunning.value, run.count('done'), run.left]).toEqual([false, 2, []]);
});

test('after the first failure nothing new begins, what is begun goes on, and both are told', async () => {
  const { run, begun, end, ended, kinds } = runOver(['a', 'b', 'c', 'd'], {
    atOnce: 2,
    stopsAtFailure: true,
  });
  await end('a', new NotDoneError('x', 'refused', 'the lamps are locked'));
  expect([begun, kinds()]).toEqual([
    ['a', 'b'],
    ['failed', 'doing', 'stopped', 'stopped'],
  ]);
  await end('b');
  await ended;
  expect(kinds()).toEqual(['failed', 'done', 'stopped', 'stopped']);
  expect(run.items[0]?.state.value).toEqual({ kind: 'failed', reason: 'the lamps are locked' });
  expect(run.left).toEqual(['a', 'c', 'd']);
});

test('a run that does not stop at failures goes on to the end', async () => {
  const { begun, end, ended, kinds } = runOver(['a', 'b', 'c'], { atOnce: 1, stopsAtFailure: false });
  await end('a', new Error('no answer'));
  await end('b');
  await end('c');
  await ended;
  expect([begun, kinds()]).toEqual([
    ['a', 'b', 'c'],
    ['failed', 'done', 'done'],
  ]);
});

test('a run that is stopped brings to its end what it has begun, and nothing else', async () => {
  const { run, begun, end, ended, kinds } = runOver(['a', 'b', 'c'], { atOnce: 1, stopsAtFailure: true });
  run.stop();
  expect(kinds()).toEqual(['doing', 'waiting', 'waiting']);
  await end('a');
  await ended;
  expect([begun, kinds(), run.left]).toEqual([['a'], ['done', 'stopped', 'stopped'], ['b', 'c']]);
});
