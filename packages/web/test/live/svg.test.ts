import { expect, test } from 'vitest';
import { signedMetres } from '../../src/live/beam-reading.js';
import { svgOf } from '../../src/live/pictures.js';
import { initialViewport } from '../../src/plan/plan.js';

function drawn(shape: number, isReflector = false): string {
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
  const shapes = new Set([1, 2, 3].map((echo) => drawn(echo)));
  expect(shapes.size).toBe(3);
  expect(drawn(1)).toContain('<circle');
  expect(drawn(2)).toContain('<path');
});

test('a reflector has a ring in a drawing', () => {
  expect(drawn(2, true)).toContain('r="6"');
  expect(drawn(2)).not.toContain('r="6"');
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
