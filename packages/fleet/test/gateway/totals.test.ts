import { expect, test } from 'vitest';
import { eventIn, eventText } from '../../src/events/fleet-event.js';
import { totalMetrics, totalOf } from '../../src/gateway/totals.js';

test('numbers of workers are added up at every depth, and lists put behind each other', () => {
  const parts = [
    { a: 1, in: { b: 2 }, list: [1] },
    { a: 3, in: { b: 4, c: 5 }, list: [2, 3] },
    'nonsense',
    { text: 'x' },
  ];
  expect(totalOf(parts)).toEqual({ a: 4, in: { b: 6, c: 5 }, list: [1, 2, 3] });
});

test('pages of metrics are one page: equal samples added up, or in their own words, each metric together', () => {
  const page = (count: number, more = '') =>
    `# HELP a_total Of all.\n# TYPE a_total counter\na_total{group="x"} ${count}\n${more}b 7\nc 1\n`;
  const own = new Map([['c', 12]]);
  expect(totalMetrics([page(2), page(3, 'a_total{group="y"} 1\n')], own).split('\n')).toEqual([
    '# HELP a_total Of all.',
    '# TYPE a_total counter',
    'a_total{group="x"} 5',
    'a_total{group="y"} 1',
    'b 14',
    'c 12',
    '',
  ]);
});

test('events are lines of a stream, and what is none of a fleet is left out', () => {
  const event = { event: 'lost', events: 3 } as const;
  expect(eventIn(eventText(event).trimEnd())).toEqual(event);
  const ofScanner = '{"event":"state","serialNumber":"1","group":"hall","state":"off"}';
  expect(eventIn(`data: ${ofScanner}`)).toEqual(JSON.parse(ofScanner));
  for (const line of [
    ofScanner,
    'data: {',
    'data: 3',
    'data: {"event":"state","serialNumber":"1"}',
    'data: {"event":"lost"}',
    ': a comment',
  ])
    expect(eventIn(line), line).toBeUndefined();
});
