import { AnswerError } from '@azimuth/client';
import { expect, onTestFinished, test } from 'vitest';
import { oneLine } from '../../src/text/one-line.js';
import { watching } from './watching.js';

/** What no scanner should send. */
const hostile: readonly unknown[] = [
  'x'.repeat(1_000_000),
  'two\nlines\r\n\u001b[31mred\u0000\u202e\u2028',
  Number.NaN,
  Number.POSITIVE_INFINITY,
  -1,
  1e300,
  null,
  true,
  [],
  Array.from({ length: 10_000 }, () => 3),
  {},
  { Name: 'picoScan', Version: '\u001b]0;owned\u0007' },
  { Version: { Version: {} } },
  JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}'),
];

/** Line breaks, escapes and everything else that nobody sees. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]/u;

test('whatever a scanner answers, the monitor goes on, and its log has lines that are safe to print', async () => {
  const { clock, scanner, monitor, store, errors } = await watching();
  onTestFinished(() => monitor.close());
  const names = [...scanner.values.keys()];
  const right = new Map(scanner.values);
  for (const [turn, value] of hostile.entries()) {
    for (const [index, name] of names.entries())
      if (name !== 'SerialNumber' || turn % 3 === 0)
        scanner.values.set(name, hostile[(turn + index) % hostile.length]);
    scanner.push('DeviceStatus', value);
    scanner.push('ContaminationData', value);
    await clock.advance(60);
  }
  for (const [name, value] of right) scanner.values.set(name, value);
  await clock.advance(700);
  expect(errors).toEqual([]);
  expect(monitor.snapshots[0]).toMatchObject({ reachable: true, malformed: [], conditions: [] });
  for (const entry of store.entries) {
    const text = 'text' in entry ? entry.text : '';
    expect(text.length).toBeLessThan(400);
    expect(unprintable.test(text)).toBe(false);
  }
  expect(JSON.stringify(store.entries).length).toBeLessThan(100_000);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});

test('a scanner that changes its state all the time neither fills the log nor hides its conditions', async () => {
  const { clock, scanner, monitor, store, conditions } = await watching();
  onTestFinished(() => monitor.close());
  await clock.advance(60);
  for (let second = 0; second < 1200; second++) {
    scanner.push('DeviceStatus', second % 2 === 0 ? 4 : 5);
    await clock.advance(0.5);
  }
  scanner.push('DeviceStatus', 7);
  await clock.advance(60);
  const changes = store.entries.filter(({ kind }) => kind === 'value').length;
  expect(changes).toBeGreaterThan(400);
  expect(changes).toBeLessThan(600);
  expect(conditions()).toContain('scanner1 begins device-status');
  expect(store.entries).toContainEqual(expect.objectContaining({ kind: 'monitor', scanner: 'scanner1' }));
});

test('a web server that is no scanner does not answer, in words that are safe to print', async () => {
  const { clock, scanner, monitor, conditions } = await watching();
  onTestFinished(() => monitor.close());
  scanner.readAny = (name) =>
    Promise.reject(new AnswerError(scanner.url, name, 'a page: <script>\u001b[2J\n\n</script>'));
  await clock.advance(60);
  expect(conditions()).toEqual(['scanner1 begins unreachable']);
  expect(monitor.snapshots[0]?.failure).toContain('a page: <script>');
  expect(unprintable.test(monitor.snapshots[0]?.failure ?? '\n')).toBe(false);
});

test('a long text becomes one line', () => {
  expect(oneLine('a\r\n\u001b[0mb')).toBe('a [0mb');
  expect([...oneLine('ä'.repeat(1_000_000))].length).toBe(301);
});
