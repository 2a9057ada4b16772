import { expect, test } from 'vitest';
import { signedMetres } from '../../src/live/beam-reading.js';
import { csvOfScans, svgOf } from '../../src/live/pictures.js';
import { initialViewport } from '../../src/plan/plan.js';

function drawingOf(shape: number, isReflector = false): string {
  const svg = svgOf({
    viewport: initialViewport(400, 400),
    background: '#fff',
    grid: '#ccc',
    text: '#555',
    points: [{ point: { x: 1, y: 1 }, colour: 'red', shape, isReflector }],
    areas: [],
    caption: 'a < b & "c"',
  });
  return svg.split('\n').find((line) => line.includes('"red"')) ?? '';
}

test('each echo has a shape of its own in a drawing', () => {
  const shapes = new Set([1, 2, 3].map((echo) => drawingOf(echo)));
  expect(shapes.size).toBe(3);
  expect(drawingOf(1)).toContain('<circle');
  expect(drawingOf(2)).toContain('<path');
});

test('a reflector has a ring in a drawing', () => {
  expect(drawingOf(2, true)).toContain('r="6"');
  expect(drawingOf(2)).not.toContain('r="6"');
});

test('a coordinate has a true minus sign, and zero has none', () => {
  expect(signedMetres(-2.5)).toBe('−2.500');
  expect(signedMetres(-0.0001, 2)).toBe('0.00');
  expect(signedMetres(1, 1)).toBe('1.0');
});

test('a field that is not watched has a dashed edge in a drawing, an infringed one is hatched', () => {
  const area = { points: [], colour: 'red', isHatched: false, isIdle: false };
  const corners = [
    { x: -1, y: -1 },
    { x: -1, y: 1 },
    { x: 1, y: 1 },
  ];
  const svg = svgOf({
    viewport: initialViewport(400, 400),
    background: '#fff',
    grid: '#ccc',
    text: '#555',
    points: [],
    areas: [
      { ...area, name: 'watched', points: corners },
      { ...area, name: 'idle', points: corners, isIdle: true },
      { ...area, name: 'infringed', points: corners, isHatched: true },
    ],
    caption: '',
  });
  const lineOf = (name: string) => svg.split('\n').find((line) => line.includes(`>${name}<`)) ?? '';
  expect(lineOf('idle')).toContain('stroke-dasharray');
  expect(lineOf('watched')).not.toContain('stroke-dasharray');
  expect(lineOf('infringed')).toContain('url(#hatching)');
  expect(lineOf('watched')).not.toContain('url(#hatching)');
});

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
