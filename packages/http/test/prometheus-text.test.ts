import { expect, test } from 'vitest';
import { by, counted, counter, gauge } from '../src/index.js';

test('a metric has its help, its type, and a line for each value', () => {
  expect(
    counter('x_total', 'Some.', [
      [{ group: 'a "b"\\\n', state: 'off' }, 2],
      [{ group: 'c', state: 'off' }, 0],
    ]),
  ).toBe(
    '# HELP x_total Some.\n# TYPE x_total counter\nx_total{group="a \\"b\\"\\\\\\n",state="off"} 2\nx_total{group="c",state="off"} 0\n',
  );
  expect(gauge('x', 'One.', 3)).toBe('# HELP x One.\n# TYPE x gauge\nx 3\n');
});

test('a metric with one label has a sample for each of its values', () => {
  expect(by('kind', ['a', 'b'], (kind) => kind.charCodeAt(0))).toEqual([
    [{ kind: 'a' }, 97],
    [{ kind: 'b' }, 98],
  ]);
  expect(counted('where', new Map([['hall', 4]]))).toEqual([[{ where: 'hall' }, 4]]);
});
