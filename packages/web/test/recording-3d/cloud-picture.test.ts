import { expect, test } from 'vitest';
import {
  CloudPicture,
  extentOf,
  type Orbit,
  screenAxes,
  shadedBy,
  turned,
  zoomed,
} from '../../src/recording-3d/cloud-picture.js';

const cloud = {
  count: 2,
  places: Float32Array.of(-1, 0, 0, 1, 0, 0),
  strengths: Float32Array.of(100, 300),
};
const pixels = Uint32Array.from({ length: 256 }, (_, shade) => shade + 1);
const above: Orbit = { yaw: 0, pitch: Math.PI / 2, zoom: 1 };
const behind: Orbit = { yaw: 0, pitch: 0, zoom: 1 };

function pixelsOf(orbit: Orbit, shades: Uint8Array) {
  const picture = new CloudPicture(11, 11);
  picture.draw({ cloud, extent: { middle: [0, 0, 0], radius: 2 }, shades, pixels, orbit, dot: 1 });
  return [...picture.pixels].flatMap((pixel, index) =>
    pixel === 0 ? [] : [{ pixel, left: index % 11, top: Math.floor(index / 11) }],
  );
}

test('from above, what is ahead of the scanner is at the top', () => {
  const [ahead, back] = pixelsOf(above, Uint8Array.of(10, 20));
  expect(ahead).toMatchObject({ pixel: 21, left: 6 });
  expect(back).toMatchObject({ pixel: 11, left: 6 });
  expect(pixelsOf(above, Uint8Array.of(10, 20))).toHaveLength(2);
});

test('the nearer point hides the farther one, in whatever order they come', () => {
  expect(pixelsOf(behind, Uint8Array.of(10, 20)).map(({ pixel }) => pixel)).toEqual([11]);
  const fromAhead = turned(behind, { yaw: Math.PI, pitch: 0 });
  expect(pixelsOf(fromAhead, Uint8Array.of(10, 20)).map(({ pixel }) => pixel)).toEqual([21]);
});

test('y, which is to the left, is to the left on the screen', () => {
  expect(screenAxes(behind).right[1]).toBeCloseTo(-1);
  expect(screenAxes(behind).up[2]).toBeCloseTo(1);
});

test('the view never turns over, and zooms within limits', () => {
  expect(turned(above, { yaw: 0, pitch: 1 }).pitch).toBe(Math.PI / 2);
  expect(zoomed(above, 1e9).zoom).toBe(50);
  expect(zoomed(above, 0).zoom).toBe(0.2);
});

test('the colour tells the height, or the strength of the echo', () => {
  const steep = { ...cloud, places: Float32Array.of(0, 0, -1, 0, 0, 3) };
  expect(shadedBy('height', steep)).toEqual({ shades: Uint8Array.of(0, 255), from: -1, to: 3 });
  expect(shadedBy('strength', steep)).toEqual({ shades: Uint8Array.of(0, 255), from: 100, to: 300 });
});

test('a cloud of one height has one colour', () => {
  expect([...shadedBy('height', cloud).shades]).toEqual([0, 0]);
});

test('a single far echo does not make the rest tiny', () => {
  const places = new Float32Array(3 * 1000);
  for (let index = 0; index < 1000; index++) places[3 * index] = index % 10;
  places[0] = 10_000;
  expect(extentOf({ count: 1000, places, strengths: undefined }).radius).toBeLessThan(5);
});

test('a point that does not fit into the picture is left out, and one at its edge is drawn', () => {
  const width = 11;
  const extent = { middle: [0, 0, 0], radius: 1 } as const;
  const pixelsAt = (y: number, dot: number) => {
    const picture = new CloudPicture(width, width);
    const one = { count: 1, places: Float32Array.of(0, y, 0), strengths: undefined };
    picture.draw({ cloud: one, extent, shades: Uint8Array.of(4), pixels, orbit: above, dot });
    return picture.pixels.filter((pixel) => pixel !== 0).length;
  };
  // 5.5 pixels a metre, y to the left.
  expect([pixelsAt(1, 1), pixelsAt(1.05, 1), pixelsAt(1.2, 1)]).toEqual([1, 1, 0]);
  expect([pixelsAt(-0.9, 1), pixelsAt(-1.05, 1)]).toEqual([1, 0]);
  expect([pixelsAt(0, 3), pixelsAt(0.8, 3), pixelsAt(1, 3)]).toEqual([9, 9, 0]);
});
