import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Scanners } from '../src/scanners/each-scanner.js';

test('the results of scanners are in the order of the scanners, whoever answers first', async () => {
  const scanners = new Scanners({ targets: [{ label: 'slow' }, { label: 'quick' }], several: true }, {});
  const ended: string[] = [];
  const results = await scanners.each(async ({ label }) => {
    if (label === 'slow') while (ended.length === 0) await setImmediate();
    ended.push(label);
    return label;
  });
  expect(ended).toEqual(['quick', 'slow']);
  expect([...results.values()]).toEqual(['slow', 'quick']);
});
