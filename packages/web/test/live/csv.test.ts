import { expect, test } from 'vitest';
import { csvOfScans } from '../../src/live/pictures.js';

const echo = {
  ...{ beam: 3, azimuth: Math.PI / 6, echo: 2, distance: 1.23456, rssi: 700 },
  ...{ isReflector: true, isBlooming: false, point: { x: 1.00004, y: -2 } },
};

test('scans are written as a table, an echo a line', () => {
  const points = [echo, { ...echo, echo: 3, rssi: undefined, isReflector: false, isBlooming: true }];
  expect(csvOfScans([{ scanner: 'Gate 3', number: 9, time: 1_000_001, points }]).split('\r\n')).toEqual([
    'scanner,frame,time_us,beam,azimuth_deg,echo,distance_m,rssi,reflector,blooming,x_m,y_m',
    'Gate 3,9,1000001,3,30.00,2,1.2346,700,1,0,1.0000,-2.0000',
    'Gate 3,9,1000001,3,30.00,3,1.2346,,0,1,1.0000,-2.0000',
    '',
  ]);
});

test('the name of a scanner is one field, and no formula', () => {
  const nameIn = (scanner: string) =>
    csvOfScans([{ scanner, number: 1, time: 0, points: [echo] }])
      .split('\r\n')[1]
      ?.replace(/,1,0,3,.*/, '');
  expect(nameIn('a "b", c')).toBe('"a ""b"", c"');
  expect(['=1+1', '+x', '-x', '@x'].map(nameIn)).toEqual(["'=1+1", "'+x", "'-x", "'@x"]);
});
