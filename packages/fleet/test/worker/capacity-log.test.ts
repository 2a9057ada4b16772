import { expect, test } from 'vitest';
import { CapacityLog } from '../../src/worker/worker-reports.js';

test('that all workers together are too small is said once, with both numbers, and once more when it is over', () => {
  const lines: unknown[] = [];
  const log = new CapacityLog({
    info: (message, facts) => lines.push(['info', message, facts]),
    warn: (message, facts) => lines.push(['warn', message, facts]),
    error: () => lines.push('error'),
  });
  const workers = (count: number) =>
    new Map(Array.from({ length: count }, (_, index) => [String(index), 2000]));
  log.record({ scanners: 6000, capacities: workers(3) });
  expect(lines).toEqual([]);
  log.record({ scanners: 10_000, capacities: workers(3) });
  log.record({ scanners: 10_000, capacities: workers(4) });
  expect(lines).toEqual([
    [
      'warn',
      expect.stringContaining('start more workers, or raise --capacity'),
      { scanners: 10_000, capacity: 6000, workers: 3 },
    ],
  ]);
  log.record({ scanners: 10_000, capacities: workers(5) });
  log.record({ scanners: 10_000, capacities: workers(6) });
  expect(lines.slice(1)).toEqual([
    ['info', expect.any(String), { scanners: 10_000, capacity: 10_000, workers: 5 }],
  ]);
});
