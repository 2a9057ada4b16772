import { describe, expect, it } from 'vitest';
import { PathFollower, standingStretch } from '../../src/motion/path.js';
import { SceneCore, type SceneFile } from '../../src/world/index.js';
import { MeasuredScene, sceneOf } from './measured-scene.js';

type Path = NonNullable<NonNullable<SceneFile['actors']>[number]['path']>;

/** x, y in m, heading in degrees. */
function placeOn(path: Path, time: number): [number, number, number] {
  const [actor] = sceneOf({ actors: [{ path }] }).actors;
  if (actor === undefined) throw new TypeError('no actor');
  const place = { x: 0, y: 0, heading: 0 };
  new PathFollower(actor.path).pose(time, place);
  return [place.x, place.y, (place.heading * 180) / Math.PI];
}

const bend: Path = {
  waypoints: [
    { t: 2, x: 0, y: 0 },
    { t: 4, x: 4, y: 0 },
    { t: 8, x: 4, y: 8 },
  ],
};

/** s from the begin of a scan of 50 Hz to its beam straight ahead. */
const aheadAfter = 138 / 360 / 50;

function close(values: readonly number[]): unknown[] {
  return values.map((value) => expect.closeTo(value, 6));
}

describe('a path', () => {
  it.each([
    [0, [0, 0, 0]],
    [3, [2, 0, 0]],
    [4, [4, 0, 90]],
    [5, [4, 2, 90]],
    [8, [4, 8, 90]],
    [99, [4, 8, 90]],
  ] as const)('is at the position of its waypoints at %f s, and stays at its end', (time, expected) => {
    expect(placeOn(bend, time)).toEqual(close(expected));
  });

  it('in a loop begins again at its first waypoint', () => {
    expect(placeOn({ ...bend, repeat: 'loop' }, 9)).toEqual(close([2, 0, 0]));
    expect(placeOn({ ...bend, repeat: 'loop' }, 2 + 6 * 1000 + 3)).toEqual(close([4, 2, 90]));
  });

  it('can go back the same way, turned round, and forth again', () => {
    const path = { ...bend, repeat: 'back-and-forth' } as const;
    expect(placeOn(path, 11)).toEqual(close([4, 2, 270]));
    expect(placeOn(path, 13)).toEqual(close([2, 0, 180]));
    expect(placeOn(path, 15)).toEqual(close([2, 0, 0]));
  });

  it('with a phase begins later on the path', () => {
    expect(placeOn({ ...bend, phase: 3 }, 0)).toEqual(close([2, 0, 0]));
  });

  it('turns evenly, by the shorter way, between waypoints with headings', () => {
    const path: Path = {
      waypoints: [
        { t: 0, x: 0, y: 0, heading: 170 },
        { t: 2, x: 1, y: 0, heading: -170 },
      ],
    };
    expect(placeOn(path, 0.5)).toEqual(close([0.25, 0, 175]));
    expect(placeOn({ ...path, repeat: 'back-and-forth' }, 3.5)).toEqual(close([0.25, 0, 175]));
  });

  it.each(['loop', 'back-and-forth'] as const)(
    'ends each stretch after its begin, in a %s for years',
    (repeat) => {
      for (const begin of [1e3, 3e7, 1e8, 3e9]) {
        for (const duration of [0.7, 3.3, 10, 20.1]) {
          const waypoints = [0, duration / 3, duration].map((t, index) => ({ t, x: index, y: 0 }));
          const path = new PathFollower({ waypoints, repeat, phase: 0 });
          const stretch = standingStretch();
          let time = begin;
          for (let stretches = 0; stretches < 1000; stretches++) {
            path.stretch(time, stretch);
            expect(stretch.begin).toBeLessThanOrEqual(time);
            expect(stretch.end).toBeGreaterThan(time);
            time = stretch.end;
          }
          expect(time).toBeGreaterThan(begin + 50 * duration);
        }
      }
    },
  );

  it('of a single waypoint stays there', () => {
    const path: Path = { waypoints: [{ t: 5, x: 1, y: 2, heading: 30 }], repeat: 'loop' };
    expect(placeOn(path, 50)).toEqual(close([1, 2, 30]));
  });
});

describe('an actor', () => {
  const car: SceneFile = {
    actors: [
      {
        boxes: [{ center: [0, 0], size: [2, 1] }],
        path: {
          waypoints: [
            { t: 0, x: 5, y: 0 },
            { t: 10, x: 15, y: 0 },
          ],
        },
      },
    ],
  };

  it('is at the position of its path at the time of the beam', () => {
    const measured = new MeasuredScene(car);
    expect(measured.turn(0, 0).distances(0)).toEqual([expect.closeTo(4 + aheadAfter, 5)]);
    expect(measured.turn(1, 4).distances(0)).toEqual([expect.closeTo(8 + aheadAfter, 5)]);
    expect(measured.turn(2, 60).distances(0)).toEqual([expect.closeTo(14, 5)]);
  });

  it('turns with its path', () => {
    const across: SceneFile = {
      actors: [
        {
          boxes: [{ center: [0, 0], size: [2, 1] }],
          path: {
            waypoints: [
              { t: 0, x: 5, y: -1 },
              { t: 2, x: 5, y: 1 },
            ],
          },
        },
      ],
    };
    expect(new MeasuredScene(across).turn(0, 1).distances(0)).toEqual([expect.closeTo(4.5, 5)]);
  });

  it('walks on two legs', () => {
    // After half a step of 0.7 m the left leg is 0.35 m ahead, the right one as far behind.
    const walker: SceneFile = {
      actors: [
        {
          legs: { radius: 0.05, apart: 0.4, stride: 0.7 },
          path: {
            waypoints: [
              { t: 0, x: 5, y: 0 },
              { t: 1, x: 4.65, y: 0 },
            ],
          },
        },
      ],
    };
    const measured = new MeasuredScene(walker, { profile: 9 }).turn(0, 1);
    // It walks towards the scanner: its left leg is on the right.
    const [right, left] = [Math.atan2(-0.2, 4.3), Math.atan2(0.2, 5)].map((angle) => (angle * 180) / Math.PI);
    expect(measured.distances(right ?? 0)).toEqual([expect.closeTo(Math.hypot(0.2, 4.3) - 0.05, 3)]);
    expect(measured.distances(left ?? 0)).toEqual([expect.closeTo(Math.hypot(0.2, 5) - 0.05, 3)]);
    expect(measured.distances(0)).toEqual([]);
  });
});

describe('a scanner on a vehicle', () => {
  const wall = { from: [10, -20], to: [10, 20] } as const;
  const straight: SceneFile = {
    walls: [wall],
    scanner: {
      x: 0.5,
      path: {
        waypoints: [
          { t: 1, x: 0, y: 0 },
          { t: 5, x: 8, y: 0 },
        ],
      },
    },
  };

  it('measures from its position', () => {
    const measured = new MeasuredScene(straight);
    expect(measured.turn(0, 0).distances(0)).toEqual([expect.closeTo(9.5, 5)]);
    expect(measured.turn(1, 3).distances(0)).toEqual([expect.closeTo(5.5 - 2 * aheadAfter, 5)]);
  });

  const motion = (file: SceneFile, time: number) =>
    new SceneCore({ scene: sceneOf(file), seed: 1 }).motion(time * 1_000_000, 0);

  it('measures only gravity while it stands or moves at constant velocity', () => {
    const still = motion({ scanner: { heading: 90 } }, 3);
    expect(still.acceleration).toEqual(close([0, 0, 9.81]));
    expect(still.angularVelocity).toEqual(close([0, 0, 0]));
    expect(still.orientation).toEqual(close([Math.SQRT1_2, 0, 0, Math.SQRT1_2]));
    expect(motion(straight, 3).acceleration).toEqual(close([0, 0, 9.81]));
  });

  it('measures acceleration when it starts and deceleration when it stops', () => {
    // From 0 to 2 m/s: 0.1 m in the 50 ms after.
    expect(motion(straight, 1).acceleration).toEqual(close([40, 0, 9.81]));
    expect(motion(straight, 5).acceleration).toEqual(close([-40, 0, 9.81]));
    // Looking backwards, it feels the start from behind.
    const backwards = { ...straight, scanner: { ...straight.scanner, x: 0, heading: 180 } };
    expect(motion(backwards, 1).acceleration).toEqual(close([-40, 0, 9.81]));
  });

  it('measures its rotation', () => {
    const carousel: SceneFile = {
      scanner: {
        x: 1,
        path: {
          waypoints: [
            { t: 0, x: 0, y: 0, heading: 0 },
            { t: 1, x: 0, y: 0, heading: 90 },
          ],
        },
      },
    };
    const { angularVelocity, acceleration, orientation } = motion(carousel, 0.5);
    expect(angularVelocity).toEqual(close([0, 0, Math.PI / 2]));
    // Towards the middle, 1 m behind: ω² r
    expect(acceleration[0]).toBeCloseTo(-2.467, 2);
    expect(acceleration[1]).toBeCloseTo(0, 6);
    expect(orientation).toEqual(close([Math.cos(Math.PI / 8), 0, 0, Math.sin(Math.PI / 8)]));
  });

  it('does not measure the jump of a loop', () => {
    const looped: SceneFile = {
      scanner: {
        path: {
          repeat: 'loop',
          waypoints: [
            { t: 0, x: 0, y: 0 },
            { t: 4, x: 8, y: 0 },
          ],
        },
      },
    };
    for (const time of [3.99, 4, 4.01, 8.001])
      expect(motion(looped, time).acceleration).toEqual(close([0, 0, 9.81]));
  });
});
