import { LogBook } from '@azimuth/test-support/log-book';
import { expect, it } from 'vitest';
import { VirtualClock } from '../src/index.js';
import { mostLines, RecentLog } from '../src/recent-log.js';

function lines(log: RecentLog): { message: string }[] {
  return log.text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

it('passes every line on as it came', () => {
  const book = new LogBook();
  const log = new RecentLog(book, new VirtualClock());
  log.info('one', { a: 1 });
  log.warn('two');
  log.error('three');
  expect(book.lines).toEqual([
    { severity: 'info', message: 'one', facts: { a: 1 } },
    { severity: 'warn', message: 'two', facts: {} },
    { severity: 'error', message: 'three', facts: {} },
  ]);
});

it('remembers each with its time, severity and facts', () => {
  const clock = new VirtualClock();
  const log = new RecentLog(new LogBook(), clock);
  const time = new Date(clock.utc()).toISOString();
  log.warn('odd', { client: '10.0.0.1', message: 'of somebody else' });
  expect(lines(log)).toEqual([{ time, severity: 'warn', message: 'odd', client: '10.0.0.1' }]);
});

it('remembers the last ones, the oldest first', () => {
  const log = new RecentLog(new LogBook(), new VirtualClock());
  for (let line = 0; line < mostLines; line++) log.info(`line ${line}`);
  expect(lines(log)[0]?.message).toBe('line 0');
  for (let line = mostLines; line < mostLines + 7; line++) log.info(`line ${line}`);
  expect(lines(log)).toHaveLength(mostLines);
  expect(lines(log)[0]?.message).toBe('line 7');
  expect(lines(log).at(-1)?.message).toBe(`line ${mostLines + 6}`);
});

it('tells once that an asynchronous log fails, and once that it works again', async () => {
  let writes = (): Promise<void> => Promise.reject(new Error('no disk'));
  const write = () => writes();
  const log = new RecentLog({ info: write, warn: write, error: write }, new VirtualClock());
  const told: boolean[] = [];
  log.onFailing((fails) => told.push(fails));
  for (let line = 0; line < 3; line++) {
    log.error('a line');
    await new Promise(setImmediate);
  }
  expect(told).toEqual([true]);
  writes = () => Promise.resolve();
  log.info('a line');
  await new Promise(setImmediate);
  expect(told).toEqual([true, false]);
});

it('leaves out facts that are too long or no JSON', () => {
  const log = new RecentLog(new LogBook(), new VirtualClock());
  const circle: Record<string, unknown> = {};
  circle.circle = circle;
  log.info('long', { text: 'x'.repeat(100_000) });
  log.info('circle', circle);
  log.info('y'.repeat(100_000));
  expect(log.text.length).toBeLessThan(10_000);
  expect(lines(log)).toMatchObject([
    { message: 'long', facts: 'left out' },
    { message: 'circle', facts: 'left out' },
    { facts: 'left out' },
  ]);
});
