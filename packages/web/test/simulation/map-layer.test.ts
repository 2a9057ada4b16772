import { signal } from '@preact/signals';
import { expect, test, vi } from 'vitest';
import { cornersOfMap, mapIn, mapLayer } from '../../src/simulation/map-layer.js';
import { recordedPen } from '../plan/recorded-canvas.js';

const map = {
  name: 'hall.yaml',
  resolution: 0.5,
  x: 1,
  y: -1,
  heading: 90,
  outlines: 'M0 0h2v1h-2zM4 2h1v1h-1z',
};

test('the walls of a map are those of the member map of a scene', () => {
  const place = { x: 1, y: -1, heading: 90 };
  expect(mapIn({ map })).toEqual({ outlines: map.outlines, resolution: 0.5, place });
  expect(mapIn({ map: { ...map, x: undefined, heading: 'north' } })?.place).toEqual({
    x: 0,
    y: -1,
    heading: 0,
  });
  expect(mapIn({})).toBeUndefined();
  expect(mapIn({ map: { outlines: 3 } })).toBeUndefined();
});

test('a map takes the room that its walls take, as it is turned', () => {
  const walls = mapIn({ map });
  if (walls === undefined) throw new Error('there is a map');
  const corners = cornersOfMap(walls).map(({ x, y }) => [
    Math.round(1000 * x) / 1000,
    Math.round(1000 * y) / 1000,
  ]);
  expect(corners).toEqual([
    [1, -1],
    [1, 1.5],
    [-0.5, 1.5],
    [-0.5, -1],
  ]);
  expect(cornersOfMap({ ...walls, outlines: '' })).toEqual([]);
});

test('the browser draws the outlines as they are, put in their place', () => {
  const paths: string[] = [];
  vi.stubGlobal(
    'Path2D',
    class {
      constructor(path: string) {
        paths.push(path);
      }
    },
  );
  const scene = signal({ map: mapIn({ map }) });
  const layer = mapLayer({ scene });
  expect(layer.isShown?.()).toBe(true);
  const { pen, of } = recordedPen();
  layer.draw(pen);
  layer.draw(pen);
  expect(paths).toEqual([map.outlines]);
  // A cell is 50 pixels: to the right of the map is to the left of the scene, and so of the screen.
  expect(of('transform')[0]).toEqual(['transform', -50, 0, 0, 50, 300, 0]);
  expect(of('lineWidth =')[0]).toEqual(['lineWidth =', 0.03]);
  expect(of('fill', 'stroke')).toHaveLength(4);
  scene.value = { map: undefined };
  expect(layer.isShown?.()).toBe(false);
  vi.unstubAllGlobals();
});
