import { NotDoneError } from '@azimuth/client';
import { expect, test } from 'vitest';
import { Job } from '../../src/parts/jobs.js';

test('a job tells its stages and its result', async () => {
  const job = new Job<number>();
  const seen: unknown[] = [];
  const stop = job.state.subscribe((state) => seen.push(state));
  await job.run('Sending', (tell) => {
    tell('Sending', 5, 10);
    return Promise.resolve(7);
  });
  stop();
  expect(seen).toEqual([
    { kind: 'idle' },
    { kind: 'running', stage: 'Sending', done: undefined, total: undefined },
    { kind: 'running', stage: 'Sending', done: 5, total: 10 },
    { kind: 'done', result: 7 },
  ]);
});

test('a job that the scanner refuses has failed, with the reason', async () => {
  const job = new Job();
  await job.run('Restoring', () =>
    Promise.reject(NotDoneError.refused('RestoreParameterBackup', 'ParseError')),
  );
  expect(job.state.value).toEqual({
    kind: 'failed',
    stage: 'Restoring',
    reason: 'RestoreParameterBackup: refused (ParseError)',
  });
});

test('a job that the scanner refuses for a reason has failed with this reason in words alone', async () => {
  const job = new Job();
  const refusal = NotDoneError.refused('RunFirmwareUpdate', 'UpdateState Error', 'the file is not signed');
  await job.run('Installing', () => Promise.reject(refusal));
  expect(job.state.value).toEqual({ kind: 'failed', stage: 'Installing', reason: 'the file is not signed' });
});

test('a bug is thrown, and does not leave the job running', async () => {
  const job = new Job();
  await expect(job.run('Sending', () => Promise.reject(new TypeError('a bug')))).rejects.toThrow('a bug');
  expect(job.isRunning).toBe(false);
});

test('a job runs once at a time', async () => {
  const job = new Job<string>();
  let finish: (word: string) => void = () => undefined;
  const first = job.run('Sending', () => new Promise<string>((resolve) => (finish = resolve)));
  await job.run('Sending', () => Promise.resolve('second'));
  finish('first');
  await first;
  expect(job.state.value).toEqual({ kind: 'done', result: 'first' });
});
