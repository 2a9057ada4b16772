import { describe, expect, test } from 'vitest';
import {
  mapDescription,
  PictureError,
  type Placing,
  placedWith,
  placingOfMap,
  scaledBy,
} from '../../src/background/placing.js';

const placing: Placing = { scale: 0.05, x: 2, y: 4, turn: 0, opacity: 0.5 };

test('a number of a placing changes only within its range', () => {
  expect(placedWith(placing, 'turn', 90)?.turn).toBe(90);
  for (const wrong of [Number.NaN, 361, Number.POSITIVE_INFINITY]) {
    expect(placedWith(placing, 'turn', wrong)).toBeUndefined();
  }
  expect(placedWith(placing, 'scale', 0)).toBeUndefined();
});

test('two points get their distance, and the first one stays', () => {
  expect(scaledBy(placing, { x: 0, y: 4 }, { x: 0, y: 9 }, 10)).toEqual({
    ...{ scale: 0.1, x: 4, y: 4, turn: 0, opacity: 0.5 },
  });
});

test('no scale follows from points at one place, or from a distance of nothing', () => {
  const point = { x: 1, y: 1 };
  expect(scaledBy(placing, point, point, 10)).toBeUndefined();
  expect(scaledBy(placing, point, { x: 2, y: 1 }, 0)).toBeUndefined();
  expect(scaledBy(placing, point, { x: 2, y: 1 }, Number.NaN)).toBeUndefined();
});

describe('the description of a map', () => {
  const text = 'image: maps/hall.pgm # the hall\nresolution: 0.05\norigin: [-10.0, -5.0, 0.0]\nnegate: 0\n';

  test('tells the picture, the resolution and the origin', () => {
    expect(mapDescription(text)).toEqual({
      ...{ image: 'maps/hall.pgm', resolution: 0.05, origin: [-10, -5, 0], isNegated: false },
    });
    expect(
      mapDescription(
        'image: "a.png"\r\nresolution: 0.1\r\norigin:\r\n  - 1\r\n  - -2\r\n  - 0.5\r\nnegate: 1',
      ),
    ).toEqual({ image: 'a.png', resolution: 0.1, origin: [1, -2, 0.5], isNegated: true });
  });

  test.each([
    ['without a picture', text.replace('image', 'picture')],
    ['without a resolution', text.replace('0.05', '')],
    ['with a resolution of nothing', text.replace('0.05', '0')],
    ['with an origin of two numbers', text.replace(', 0.0]', ']')],
    ['with an origin that is far away', text.replace('-10.0', '1e9')],
    ['that is very long', text + ' '.repeat(70_000)],
  ])('%s is refused', (_, wrong) => {
    expect(() => mapDescription(wrong)).toThrow(PictureError);
  });

  test('places the map by its lower left corner, and its columns go ahead', () => {
    const map = { image: '', resolution: 0.1, origin: [1, 2, 0], isNegated: false } as const;
    expect(placingOfMap(map, 40, 20)).toEqual({ scale: 0.1, x: 3, y: 3, turn: 90 });
    const turned = placingOfMap({ ...map, origin: [1, 2, Math.PI / 2] }, 40, 20);
    expect(turned.x).toBeCloseTo(0);
    expect(turned.y).toBeCloseTo(4);
    expect(turned.turn).toBeCloseTo(180);
  });
});
