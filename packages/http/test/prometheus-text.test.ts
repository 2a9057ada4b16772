import { expect, test } from 'vitest';
import { by, counted, counter, gauge, memoryMetrics, processText, prometheusText } from '../src/index.js';

test('a metric has its help, its type, and a line for each value', async () => {
  const metrics = [
    counter('x_total', 'Some.', [
      [{ group: 'a "b"\\\n', state: 'off' }, 2],
      [{ group: 'c', state: 'off' }, 0],
    ]),
    gauge('x', 'One.', 3),
    gauge('none', 'Nothing.', []),
  ];
  expect(await prometheusText(metrics)).toBe(
    `${[
      '# HELP x_total Some.\n# TYPE x_total counter\nx_total{group="a \\"b\\"\\\\\\n",state="off"} 2\nx_total{group="c",state="off"} 0',
      '# HELP x One.\n# TYPE x gauge\nx 3',
      '# HELP none Nothing.\n# TYPE none gauge',
    ].join('\n\n')}\n`,
  );
});

test('a metric with one label has a sample for each of its values', () => {
  expect(by('kind', ['a', 'b'], (kind) => kind.charCodeAt(0))).toEqual([
    [{ kind: 'a' }, 97],
    [{ kind: 'b' }, 98],
  ]);
  expect(counted('where', new Map([['hall', 4]]))).toEqual([[{ where: 'hall' }, 4]]);
});

test('the memory of a process has the same names alone and among all metrics of the process', async () => {
  const all = await processText();
  for (const { name } of memoryMetrics()) expect(all).toContain(`\n${name} `);
});
