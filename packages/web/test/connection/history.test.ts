import { describe, expect, test } from 'vitest';
import {
  csvOfChanges,
  EventLog,
  jsonOf,
  matching,
  mostChanges,
  mostCharacters,
} from '../../src/connection/history.js';

function logged(log: EventLog): readonly string[] {
  return log.changes.value.map(({ name, json }) => `${name}=${json}`);
}

describe('the event log', () => {
  test('keeps changes in their order, with their time', () => {
    let now = 1000;
    const log = new EventLog(() => now);
    log.record({ DeviceStatus: 3 });
    now = 2000;
    log.record({ CurrentTempDev: 41.5, DeviceStatus: 4 });
    expect(logged(log)).toEqual(['DeviceStatus=3', 'CurrentTempDev=41.5', 'DeviceStatus=4']);
    expect(log.changes.value.map(({ at }) => at)).toEqual([1000, 2000, 2000]);
  });

  test('leaves out a value that is the same as before', () => {
    const log = new EventLog();
    log.record({ LocationName: 'Gate 3' });
    log.record({ LocationName: 'Gate 3' });
    expect(logged(log)).toEqual(['LocationName="Gate 3"']);
  });

  test('takes the first value that was read as no change, and another one later as a change', () => {
    const log = new EventLog();
    log.read('OpHours', 10);
    expect(logged(log)).toEqual([]);
    log.read('OpHours', 11);
    expect(logged(log)).toEqual(['OpHours=11']);
  });

  test('forgets the oldest changes if there are too many', () => {
    const log = new EventLog();
    for (let number = 0; number < mostChanges + 10; number++) log.record({ PowerOnCnt: number });
    expect(log.changes.value).toHaveLength(mostChanges);
    expect(logged(log)[0]).toBe('PowerOnCnt=10');
    expect(log.count).toBe(mostChanges + 10);
  });

  test('forgets the oldest changes if their values are too long together', () => {
    const log = new EventLog();
    const long = mostCharacters / 4;
    for (let number = 0; number < 6; number++) log.record({ fields: String(number).repeat(long) });
    expect(log.changes.value.map(({ json }) => json[1])).toEqual(['3', '4', '5']);
  });

  test('has nothing after it was cleared, and goes on', () => {
    const log = new EventLog();
    log.record({ PowerOnCnt: 1 });
    log.clear();
    expect(logged(log)).toEqual([]);
    log.record({ PowerOnCnt: 2 });
    expect(logged(log)).toEqual(['PowerOnCnt=2']);
  });
});

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
