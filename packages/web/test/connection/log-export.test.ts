import { expect, test } from 'vitest';
import { csvOfChanges, jsonOf, matching } from '../../src/connection/history.js';

const changes = [
  { number: 1, at: 0, name: 'LocationName', json: '"Gate \\"3\\", left"' },
  { number: 2, at: 1500, name: 'x/plug', json: '{"State":0}' },
];

test('a CSV table quotes values as RFC 4180 wants it', () => {
  expect(csvOfChanges(changes)).toBe(
    [
      'time,name,value',
      '1970-01-01T00:00:00.000Z,LocationName,"""Gate \\""3\\"", left"""',
      '1970-01-01T00:00:01.500Z,x/plug,"{""State"":0}"',
      '',
    ].join('\r\n'),
  );
});

test('a spreadsheet takes a negative number as a number, and no text as a formula', () => {
  const cells = csvOfChanges([{ number: 1, at: 0, name: '=1+1', json: '-12.5' }]).split('\r\n')[1];
  expect(cells).toBe("1970-01-01T00:00:00.000Z,'=1+1,-12.5");
});

test('JSON has the values themselves', () => {
  expect(JSON.parse(jsonOf(changes))).toEqual([
    { time: '1970-01-01T00:00:00.000Z', name: 'LocationName', value: 'Gate "3", left' },
    { time: '1970-01-01T00:00:01.500Z', name: 'x/plug', value: { State: 0 } },
  ]);
  expect(JSON.parse(jsonOf([]))).toEqual([]);
});

test('the filter wants all words, in the name, the value or its words', () => {
  const words = () => 'State NONE';
  expect(matching(changes, '', words)).toEqual(changes);
  expect(matching(changes, 'gate location', () => '').map(({ number }) => number)).toEqual([1]);
  expect(matching(changes, 'plug none', words).map(({ number }) => number)).toEqual([2]);
  expect(matching(changes, 'plug gate', words)).toEqual([]);
});
