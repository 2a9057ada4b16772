import { expectData } from '@azimuth/test-support/envelope';
import { array, number, object } from '@azimuth/test-support/json';
import { type Point, rectangle, SceneScanner } from '@azimuth/test-support/scene-scanner';
import { describe, expect, it } from 'vitest';

const square = rectangle({ x: 1000, y: -500 }, { x: 3000, y: 500 });
const contour = (EvaluationId: number, Points: readonly Point[], LowerZLimit = 0, UpperZLimit = 0) => ({
  EvaluationId,
  Points,
  LowerZLimit,
  UpperZLimit,
});

describe('contours over REST', () => {
  async function withTwo() {
    const scanner = await SceneScanner.start({ scene: { circles: [{ center: [2, 0], radius: 0.3 }] } });
    await scanner.define([{ Id: 1, Points: square }, { Id: 48 }], [{ Id: 1, Evaluations: [1, 48] }]);
    return scanner;
  }
  const get = (scanner: SceneScanner, EvaluationId: number) =>
    scanner.callDone('GetFieldEvaluationContour', { EvaluationId });
  const set = (scanner: SceneScanner, wanted: object) =>
    scanner.callDone('SetFieldEvaluationContour', wanted);

  it('can be read and set, take effect at once, and are stored by WriteEeprom', async () => {
    const scanner = await withTwo();
    expect(await get(scanner, 1)).toEqual({ Contour: [contour(1, square)] });
    expect(await get(scanner, 48)).toEqual({ Contour: [] });
    expect(await get(scanner, 2)).toEqual({ Contour: [] });
    scanner.pass(500);
    expect((await scanner.states(48))[0]).toBe(4);
    expect((await scanner.states(48))[47]).toBe(1);

    const far = rectangle({ x: 4000, y: -500 }, { x: 5000, y: 500 });
    expect(await set(scanner, contour(1, far))).toEqual({ ErrorCode: 0 });
    expect(await set(scanner, contour(48, square))).toEqual({ ErrorCode: 0 });
    expect(await get(scanner, 48)).toEqual({ Contour: [contour(48, square)] });
    scanner.pass(500);
    expect((await scanner.states(48))[0]).toBe(2);
    expect((await scanner.states(48))[47]).toBe(4);
    expectData(await scanner.client.call('WriteEeprom'), { Success: true });
    await scanner.powerCycle();
    expect(await get(scanner, 1)).toEqual({ Contour: [contour(1, far)] });
  });

  it('stand around the scanner, wherever it is mounted', async () => {
    const scanner = await withTwo();
    scanner.pass(500);
    await scanner.write('SensorPosition', { x: 9000, y: 0, z: 1000, yaw: 900_000, pitch: 100_000, roll: 0 });
    scanner.pass(500);
    expect((await scanner.states(1))[0]).toBe(4);
  });
});

describe('teach-in', () => {
  /** A room with a post, in mm: x from -3000 to 5000, y from -2000 to 3000. */
  const scene = {
    polygons: [
      {
        points: [
          [-3, -2],
          [5, -2],
          [5, 3],
          [-3, 3],
        ],
      },
    ],
    circles: [{ center: [2, 1], radius: 0.15 }],
    actors: [
      {
        name: 'cart',
        boxes: [{ center: [0, 0], size: [0.5, 0.5] }],
        path: { waypoints: [{ t: 0, x: 40, y: 0 }] },
      },
    ],
  };

  const placesOf = (points: unknown): readonly Point[] =>
    array(points).map((point) => ({ x: number(object(point).x), y: number(object(point).y) }));

  /** Every cm of the sides. */
  const outline = (corners: readonly Point[]): readonly Point[] =>
    corners.flatMap((from, index) => {
      const to = corners[(index + 1) % corners.length] ?? from;
      const steps = Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / 10);
      return Array.from({ length: steps }, (_, step) => ({
        x: from.x + ((to.x - from.x) * step) / steps,
        y: from.y + ((to.y - from.y) * step) / steps,
      }));
    });

  interface Side {
    readonly from: Point;
    readonly to: Point;
  }

  const sidesOf = (corners: readonly Point[]): readonly Side[] =>
    corners.map((from, index) => ({ from, to: corners[(index + 1) % corners.length] ?? from }));

  /** Distance in mm along a beam (unit vector) to a side; infinite where the beam misses it. */
  function toSide(beam: Point, { from, to }: Side): number {
    const along = { x: to.x - from.x, y: to.y - from.y };
    const across = beam.x * along.y - beam.y * along.x;
    const distance = (from.x * along.y - from.y * along.x) / across;
    const share = (from.x * beam.y - from.y * beam.x) / across;
    return distance > 0 && share >= 0 && share <= 1 ? distance : Number.POSITIVE_INFINITY;
  }

  /** Distance in mm along a beam to a post. */
  function toPost(beam: Point, { x, y }: Point, radius: number): number {
    const before = x * beam.x + y * beam.y;
    const beside = y * beam.x - x * beam.y;
    return before > 0 && Math.abs(beside) < radius
      ? before - Math.sqrt(radius ** 2 - beside ** 2)
      : Number.POSITIVE_INFINITY;
  }

  const walls = sidesOf(rectangle({ x: -3000, y: -2000 }, { x: 5000, y: 3000 }));

  /** What 829 beams from -138° to 138° see of the room, and of what stands in it. */
  function seenIn(room: readonly Side[]): readonly Point[] {
    return Array.from({ length: 829 }, (_, index) => {
      const angle = ((index / 3 - 138) * Math.PI) / 180;
      const beam = { x: Math.cos(angle), y: Math.sin(angle) };
      const nearest = Math.min(
        toPost(beam, { x: 2000, y: 1000 }, 150),
        ...[...walls, ...room].map((side) => toSide(beam, side)),
      );
      return { x: nearest * beam.x, y: nearest * beam.y };
    });
  }

  /** How near the sides of a contour come to what was seen, in mm. */
  function nearestTo(seen: readonly Point[], corners: readonly Point[]): number {
    const distance = ({ from, to }: Side, { x, y }: Point) => {
      const along = { x: to.x - from.x, y: to.y - from.y };
      const share = ((x - from.x) * along.x + (y - from.y) * along.y) / (along.x ** 2 + along.y ** 2);
      const at = Math.min(1, Math.max(0, share));
      return Math.hypot(x - from.x - at * along.x, y - from.y - at * along.y);
    };
    const sides = sidesOf(corners);
    return Math.min(...seen.map((place) => Math.min(...sides.map((side) => distance(side, place)))));
  }

  const areaOf = (corners: readonly Point[]): number =>
    Math.abs(
      corners.reduce((sum, { x, y }, index) => {
        const next = corners[(index + 1) % corners.length] ?? { x, y };
        return sum + (x * next.y - next.x * y) / 2;
      }, 0),
    );

  async function teach(scanner: SceneScanner, milliseconds = 1000): Promise<void> {
    await scanner.act('StartTeachIn');
    scanner.pass(milliseconds);
    await scanner.act('StopTeachIn');
  }

  it('teaches a contour inside the walls and in front of the post, which is not infringed afterwards', async () => {
    const scanner = await SceneScanner.start({ scene });
    await scanner.define([{ Id: 7, MinimumObjectSize: 0 }], [{ Id: 1, Evaluations: [7] }]);
    await teach(scanner);
    const { Contour } = await scanner.callDone('GetFieldEvaluationContour', { EvaluationId: 7 });
    const corners = placesOf(object(array(Contour)[0]).Points);
    expect(corners.length).toBeGreaterThan(10);
    expect(corners.length).toBeLessThan(100);
    // No wall and no post stands in the contour, and none is touched: its sides run in front of what there is.
    for (const { x, y } of outline(corners)) {
      expect(x).toBeGreaterThan(-3000);
      expect(x).toBeLessThan(5000);
      expect(y).toBeGreaterThan(-2000);
      expect(y).toBeLessThan(3000);
      expect(Math.hypot(x - 2000, y - 1000)).toBeGreaterThan(150);
    }
    // The room has 40 m², 276° of it are seen: most of that is in the contour.
    expect(areaOf(corners)).toBeGreaterThan(25e6);
    expect(areaOf(corners)).toBeLessThan(40e6);

    scanner.pass(1000);
    expect((await scanner.states(7))[6]).toBe(2);
    await scanner.move('cart', 2, -1);
    scanner.pass(500);
    expect((await scanner.states(7))[6]).toBe(4);
    await scanner.move('cart', 40, 0);
    scanner.pass(500);
    expect((await scanner.states(7))[6]).toBe(2);
  });

  it.each([3, 4, 5])(
    'keeps the sides of the contour 50 mm from every echo: a screen up to %i.1° to the left',
    async (end) => {
      const edge = { x: 2, y: 2 * Math.tan(((end + 0.1) * Math.PI) / 180) };
      const screen = { from: [2, -0.5], to: [edge.x, edge.y] };
      const scanner = await SceneScanner.start({ scene: { ...scene, walls: [screen] } });
      await teach(scanner);
      const { evaluations } = object(await scanner.extension('fields'));
      const corners = placesOf(object(array(evaluations)[0]).Points);
      const seen = seenIn([{ from: { x: 2000, y: -500 }, to: { x: 2000, y: 1000 * edge.y } }]);
      // A mm for corners that are whole mm.
      expect(nearestTo(seen, corners)).toBeGreaterThan(49);
    },
  );
});
