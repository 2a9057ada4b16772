import type { Detection } from '@azimuth/model';
import { expect, test } from 'vitest';
import { csvOfDetections, fieldsIn, isoTime, shownDetections } from '../../src/detections/detection-table.js';

const history: readonly Detection[] = [
  { Timestamp: 1_767_225_600_123, EvaluationId: 12, Name: 'old, gate', Positions: [{ x: 1500, y: -20 }] },
  { Timestamp: 1_767_225_601_000, EvaluationId: 1, Name: 'door', Positions: [] },
  { Timestamp: 1_767_225_602_000, EvaluationId: 12, Name: 'gate', Positions: [{ x: 0, y: 7 }] },
];
const all = { typed: '', field: undefined };

test('the newest detection is the first', () => {
  expect(shownDetections(history, all).map(({ Name }) => Name)).toEqual(['gate', 'door', 'old, gate']);
});

test('the words of a filter are looked for in the name and the number, in any case', () => {
  expect(shownDetections(history, { ...all, typed: '12 GATE' })).toHaveLength(2);
  expect(shownDetections(history, { ...all, typed: 'door gate' })).toHaveLength(0);
});

test('a filter by field does not take 1 for 12', () => {
  expect(shownDetections(history, { ...all, field: 1 }).map(({ Name }) => Name)).toEqual(['door']);
});

test('the fields of a history have their last names, in the order of their numbers', () => {
  expect([...fieldsIn(history)]).toEqual([
    [1, '1 door'],
    [12, '12 gate'],
  ]);
});

test('the table for spreadsheets has a line for each detection; what is not known is empty', () => {
  expect(csvOfDetections(history.slice(0, 2))).toBe(
    'time,field,name,x mm,y mm\r\n' +
      '2026-01-01T00:00:00.123Z,12,"old, gate",1500,-20\r\n' +
      '2026-01-01T00:00:01.000Z,1,door,,\r\n',
  );
});

test('a time that no calendar has is empty', () => {
  expect(isoTime(Number.MAX_SAFE_INTEGER)).toBe('');
});
