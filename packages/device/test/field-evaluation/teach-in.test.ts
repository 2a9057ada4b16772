import { describe, expect, test } from 'vitest';
import { contourFault, isInside } from '../../src/contours/contour.js';
import type { ScanGeometry } from '../../src/index.js';
import { ahead, evaluation, FieldBench, group } from './field-bench.js';
import { arc, before, halfTurn, nothing, type Sight } from './scripted-core.js';

const radPerDegree = Math.PI / 180;
/** The walls of a hall: 4 m ahead, 3 m to both sides. */
const hall: Sight = (angle) => {
  const cos = Math.cos(angle * radPerDegree);
  const sin = Math.abs(Math.sin(angle * radPerDegree));
  return [Math.min(cos > 1e-9 ? 4000 / cos : 1e9, sin > 1e-9 ? 3000 / sin : 1e9)];
};

function taught(bench: FieldBench, sight: Sight, milliseconds = 1000) {
  bench.core.sight = sight;
  bench.teachIn.start();
  bench.until(bench.now + milliseconds);
  bench.teachIn.stop();
  return bench.definitions;
}

/** Is each point that was seen outside the contour by the margin, and each one `deep` mm before it inside? */
function fits(
  points: readonly { x: number; y: number }[],
  sight: Sight,
  deep: number,
  geometry: ScanGeometry,
) {
  for (let beam = 0; beam < geometry.beams; beam++) {
    const angle = geometry.firstAngle + beam * geometry.step;
    const [cos, sin] = [Math.cos(angle * radPerDegree), Math.sin(angle * radPerDegree)];
    const at = (distance: number) => ({ x: distance * cos, y: distance * sin });
    const [distance = 0] = sight(angle);
    expect(isInside(points, at(distance - 45))).toBe(false);
    // The first and the last beam are sides of the contour, as far as whole numbers can be.
    if (beam === 0 || beam === geometry.beams - 1) continue;
    expect(isInside(points, at(Math.max(100, distance - deep)))).toBe(true);
  }
}

test('without any field, one is made that is always active', () => {
  const bench = new FieldBench();
  const { evaluations, groups } = taught(bench, hall);
  expect(evaluations).toEqual([
    expect.objectContaining({ Id: 1, Name: 'TeachIn', Type: 0, MinimumObjectSize: 200 }),
  ]);
  expect(groups).toEqual([
    {
      Id: 1,
      Name: 'TeachIn',
      Activation: { Type: 1, Inputs: [], InitiallyActive: false },
      Evaluations: [1],
    },
  ]);
  const points = evaluations[0]?.Points ?? [];
  expect(points.length).toBeLessThanOrEqual(100);
  expect(contourFault(points)).toBeUndefined();
  fits(points, hall, 400, halfTurn);
  // What was there infringes nothing; who comes in does.
  bench.until(5000);
  expect(bench.fields.stateOf(1)).toBe(2);
  bench.core.sight = before(arc(-5, 5, 2000), hall);
  bench.until(6000);
  expect(bench.fields.infringed(1)).toBe(true);
});

test('every field that waits for a contour gets it, and nothing else changes', () => {
  const bench = new FieldBench();
  const line = ahead.slice(0, 2);
  bench.define(
    [evaluation({ Id: 1 }), { Id: 2, Name: 'waits' }, { Id: 3, Type: 1, ReferenceLine: line }, { Id: 4 }],
    [group(1, [1])],
  );
  const { groups, evaluations } = bench.definitions;
  const after = taught(bench, hall);
  const shape = after.evaluations[1]?.Points ?? [];
  expect(shape.length).toBeGreaterThan(50);
  expect(after).toEqual({
    groups,
    evaluations: evaluations.map((entry) =>
      [2, 4].includes(entry.Id) ? { ...entry, Points: shape } : entry,
    ),
  });
});

test('the new field and its group get the lowest numbers that are free', () => {
  const bench = new FieldBench();
  bench.define([evaluation({ Id: 1 }), evaluation({ Id: 3 })], [group(2, [1])]);
  const { evaluations, groups } = taught(bench, hall);
  expect(evaluations.map(({ Id }) => Id)).toEqual([1, 3, 2]);
  expect(groups.map(({ Id, Evaluations }) => [Id, Evaluations])).toEqual([
    [2, [1]],
    [1, [2]],
  ]);
});

test('what came nearest counts, if only for a moment', () => {
  const bench = new FieldBench();
  bench.core.sight = hall;
  bench.teachIn.start();
  bench.until(320);
  bench.core.sight = before(arc(-20, 20, 1500), hall);
  bench.until(420);
  bench.core.sight = hall;
  bench.until(1000);
  bench.teachIn.stop();
  const points = bench.definitions.evaluations[0]?.Points ?? [];
  fits(points, before(arc(-20, 20, 1500), hall), 3000, halfTurn);
  expect(isInside(points, { x: 1400, y: 0 })).toBe(true);
  expect(isInside(points, { x: 2000, y: 2000 })).toBe(true);
});

test('only what is seen between start and stop counts', () => {
  const bench = new FieldBench();
  taught(bench, arc(-90, 90, 1000));
  bench.define([], []);
  bench.teachIn.start();
  bench.until(bench.now + 500);
  // Anew.
  bench.core.sight = hall;
  bench.until(bench.now + 100);
  bench.teachIn.start();
  bench.until(bench.now + 500);
  bench.teachIn.stop();
  fits(bench.definitions.evaluations[0]?.Points ?? [], hall, 400, halfTurn);
});

test('where nothing is seen, the field reaches as far as the longest sector', () => {
  const bench = new FieldBench();
  const { evaluations } = taught(bench, before(arc(-90, -30, 2000), arc(-29, 0, 5000), nothing));
  const points = evaluations[0]?.Points ?? [];
  expect(isInside(points, { x: 3400, y: 3400 })).toBe(true);
  expect(isInside(points, { x: 3600, y: 3600 })).toBe(false);
});

test('things right at the scanner leave a contour that is sound', () => {
  const bench = new FieldBench();
  const { evaluations } = taught(bench, (angle) => [angle % 20 === 0 ? 10 : 30_000]);
  expect(contourFault(evaluations[0]?.Points ?? [])).toBeUndefined();
});

test('fine beams make no more corners', () => {
  const bench = new FieldBench();
  const fine = { frequency: 15, firstAngle: -138, step: 0.05, beams: 5521, beamsPerSegment: 600 };
  bench.core.geometry = fine;
  const round: Sight = (angle) => [3000 + 500 * Math.sin(angle / 10)];
  const { evaluations } = taught(bench, round);
  const points = evaluations[0]?.Points ?? [];
  expect(points).toHaveLength(99);
  fits(points, round, 400, fine);
});

test('a mounted scanner teaches in the coordinates of its machine', () => {
  const bench = new FieldBench();
  bench.mount({ x: 10_000, y: 5000, yaw: 900_000 });
  const { evaluations } = taught(bench, arc(-90, 90, 2000));
  const points = evaluations[0]?.Points ?? [];
  expect(points[0]).toEqual({ x: 10_000, y: 5000 });
  // It looks along y.
  expect(isInside(points, { x: 10_000, y: 6900 })).toBe(true);
  expect(isInside(points, { x: 10_000, y: 7000 })).toBe(false);
  expect(isInside(points, { x: 10_000, y: 4900 })).toBe(false);
});

describe('nothing is made', () => {
  test.each([
    ['nothing was seen', 1000],
    ['no scan came', 0],
  ])('where %s', (_, milliseconds) => {
    const bench = new FieldBench();
    expect(() => taught(bench, nothing, milliseconds)).toThrow('nothing was seen since StartTeachIn');
    expect(bench.definitions.evaluations).toEqual([]);
    // It has ended all the same.
    expect(() => bench.teachIn.stop()).not.toThrow();
  });

  test('where nothing was started', () => {
    const bench = new FieldBench();
    bench.teachIn.stop();
    bench.teachIn.end();
    expect(bench.definitions.evaluations).toEqual([]);
  });

  test('where no number is left', () => {
    const bench = new FieldBench();
    bench.define(
      Array.from({ length: 48 }, (_, index) => evaluation({ Id: index + 1 })),
      [],
    );
    expect(() => taught(bench, hall)).toThrow('all 48 evaluations or groups are in use');
  });

  test.each([
    ['that stands on its side, of which all beams are upon one line', { roll: 900_000 }],
    ['that stands on its side and looks down', { roll: 900_000, pitch: 900_000 }],
    ['that sees further than a contour reaches', { x: 100_000 }],
  ])('by a scanner %s', (_, position) => {
    const bench = new FieldBench();
    bench.mount(position);
    expect(() => taught(bench, arc(-90, 90, 25_000))).toThrow(
      expect.objectContaining({
        status: 'invalidData',
        at: '',
        reason: expect.stringContaining('nothing usable was seen since StartTeachIn: no field was made'),
      }),
    );
    expect(bench.definitions.evaluations).toEqual([]);
  });
});

test('the scanner measures while it learns, and no longer', () => {
  const bench = new FieldBench();
  bench.core.sight = hall;
  bench.teachIn.start();
  bench.until(1050);
  expect(bench.core.computed).toBe(11);
  bench.teachIn.end();
  bench.until(5000);
  expect(bench.core.computed).toBe(11);
  bench.teachIn.stop();
  expect(bench.definitions.evaluations).toEqual([]);
});
