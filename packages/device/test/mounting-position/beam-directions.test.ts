import { describe, expect, test } from 'vitest';
import { beamDirections } from '../../src/mounting-position/beam-directions.js';
import { fan } from '../filter/hand-made-scan.js';

const degrees = 10_000;
/** Right (-90°), ahead (0°) and left (90°). */
const geometry = fan(3, { firstAngle: -90, step: 90 });
const straight = { yaw: 0, pitch: 0, roll: 0 };

/** x, y, z of each beam, to a millionth. */
function directions(position: Partial<typeof straight>, fanOut = geometry): number[][] {
  const { x, y, z } = beamDirections(fanOut, { ...straight, ...position });
  const rounded = (value = 0) => Math.round(value * 1e6) / 1e6 + 0;
  return Array.from(x, (_, beam) => [rounded(x[beam]), rounded(y[beam]), rounded(z[beam])]);
}

describe('the directions of the beams of a mounted scanner', () => {
  test.each([
    { position: {}, right: [0, -1, 0], ahead: [1, 0, 0], left: [0, 1, 0] },
    { position: { yaw: 90 * degrees }, right: [1, 0, 0], ahead: [0, 1, 0], left: [-1, 0, 0] },
    { position: { pitch: 90 * degrees }, right: [0, -1, 0], ahead: [0, 0, -1], left: [0, 1, 0] },
    { position: { roll: 90 * degrees }, right: [0, 0, -1], ahead: [1, 0, 0], left: [0, 0, 1] },
    { position: { roll: 180 * degrees }, right: [0, 1, 0], ahead: [1, 0, 0], left: [0, -1, 0] },
    {
      position: { yaw: -90 * degrees, roll: 90 * degrees },
      right: [0, 0, -1],
      ahead: [0, -1, 0],
      left: [0, 0, 1],
    },
    {
      position: { pitch: 90 * degrees, roll: 90 * degrees },
      right: [-1, 0, 0],
      ahead: [0, 0, -1],
      left: [1, 0, 0],
    },
    {
      position: { yaw: 90 * degrees, pitch: 90 * degrees },
      right: [1, 0, 0],
      ahead: [0, 0, -1],
      left: [-1, 0, 0],
    },
    {
      position: { yaw: 90 * degrees, pitch: 90 * degrees, roll: 90 * degrees },
      right: [0, -1, 0],
      ahead: [0, 0, -1],
      left: [0, 1, 0],
    },
  ])('$position', ({ position, right, ahead, left }) => {
    expect(directions(position)).toEqual([right, ahead, left]);
  });

  test('turn by parts of a right angle', () => {
    // Ahead, 30° to the left, pitched down by 60°: cos 60° = 0.5, sin 60° = 0.866025.
    expect(directions({ yaw: 30 * degrees, pitch: 60 * degrees })[1]).toEqual([0.433013, 0.25, -0.866025]);
  });

  test('follow the angles of the beams', () => {
    expect(directions({}, fan(2, { firstAngle: 30, step: 30 }))).toEqual([
      [0.866025, 0.5, 0],
      [0.5, 0.866025, 0],
    ]);
  });
});
