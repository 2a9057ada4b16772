import { basicSettings, contourProblem, isInside } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import type { ScanGeometry } from '../../src/index.js';
import { ahead, evaluation, FieldTestDevice, group } from './field-test-device.js';
import { arc, before, halfTurn, nothing, type Sight } from './scripted-core.js';

const radPerDegree = Math.PI / 180;
/** The walls of a hall: 4 m ahead, 3 m to both sides. */
const hall: Sight = (angle) => {
  const cos = Math.cos(angle * radPerDegree);
  const sin = Math.abs(Math.sin(angle * radPerDegree));
  return [Math.min(cos > 1e-9 ? 4000 / cos : 1e9, sin > 1e-9 ? 3000 / sin : 1e9)];
};

function taught(testDevice: FieldTestDevice, sight: Sight, milliseconds = 1000) {
  testDevice.core.sight = sight;
  testDevice.teachIn.start();
  testDevice.until(testDevice.now + milliseconds);
  testDevice.teachIn.stop();
  return testDevice.definitions;
}

/** True if each measured point is outside the contour by the margin, and the point `deep` mm before it is inside. */
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
  const testDevice = new FieldTestDevice();
  const { evaluations, groups } = taught(testDevice, hall);
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
  expect(contourProblem(points)).toBeUndefined();
  fits(points, hall, 400, halfTurn);
  // The taught objects infringe nothing; a new object does.
  testDevice.until(5000);
  expect(testDevice.fields.stateOf(1)).toBe(2);
  testDevice.core.sight = before(arc(-5, 5, 2000), hall);
  testDevice.until(6000);
  expect(testDevice.fields.infringed(1)).toBe(true);
});

test('every field that waits for a contour gets it, and nothing else changes', () => {
  const testDevice = new FieldTestDevice();
  const line = ahead.slice(0, 2);
  testDevice.define(
    [evaluation({ Id: 1 }), { Id: 2, Name: 'waits' }, { Id: 3, Type: 1, ReferenceLine: line }, { Id: 4 }],
    [group(1, [1])],
  );
  const { groups, evaluations } = testDevice.definitions;
  const after = taught(testDevice, hall);
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
  const testDevice = new FieldTestDevice();
  testDevice.define([evaluation({ Id: 1 }), evaluation({ Id: 3 })], [group(2, [1])]);
  const { evaluations, groups } = taught(testDevice, hall);
  expect(evaluations.map(({ Id }) => Id)).toEqual([1, 3, 2]);
  expect(groups.map(({ Id, Evaluations }) => [Id, Evaluations])).toEqual([
    [2, [1]],
    [1, [2]],
  ]);
});

test('what came nearest counts, if only for a moment', () => {
  const testDevice = new FieldTestDevice();
  testDevice.core.sight = hall;
  testDevice.teachIn.start();
  testDevice.until(320);
  testDevice.core.sight = before(arc(-20, 20, 1500), hall);
  testDevice.until(420);
  testDevice.core.sight = hall;
  testDevice.until(1000);
  testDevice.teachIn.stop();
  const points = testDevice.definitions.evaluations[0]?.Points ?? [];
  fits(points, before(arc(-20, 20, 1500), hall), 3000, halfTurn);
  expect(isInside(points, { x: 1400, y: 0 })).toBe(true);
  expect(isInside(points, { x: 2000, y: 2000 })).toBe(true);
});

test('only what is seen between start and stop counts', () => {
  const testDevice = new FieldTestDevice();
  taught(testDevice, arc(-90, 90, 1000));
  testDevice.define([], []);
  testDevice.teachIn.start();
  testDevice.until(testDevice.now + 500);
  // Starts again.
  testDevice.core.sight = hall;
  testDevice.until(testDevice.now + 100);
  testDevice.teachIn.start();
  testDevice.until(testDevice.now + 500);
  testDevice.teachIn.stop();
  fits(testDevice.definitions.evaluations[0]?.Points ?? [], hall, 400, halfTurn);
});

test('if nothing is measured, the field reaches as far as the longest sector', () => {
  const testDevice = new FieldTestDevice();
  const { evaluations } = taught(testDevice, before(arc(-90, -30, 2000), arc(-29, 0, 5000), nothing));
  const points = evaluations[0]?.Points ?? [];
  expect(isInside(points, { x: 3400, y: 3400 })).toBe(true);
  expect(isInside(points, { x: 3600, y: 3600 })).toBe(false);
});

test('things right at the scanner leave a contour that is sound', () => {
  const testDevice = new FieldTestDevice();
  const { evaluations } = taught(testDevice, (angle) => [angle % 20 === 0 ? 10 : 30_000]);
  expect(contourProblem(evaluations[0]?.Points ?? [])).toBeUndefined();
});

test('fine beams make no more corners', () => {
  const testDevice = new FieldTestDevice();
  const fine = { frequency: 15, firstAngle: -138, step: 0.05, beams: 5521, beamsPerSegment: 600 };
  testDevice.core.geometry = fine;
  const round: Sight = (angle) => [3000 + 500 * Math.sin(angle / 10)];
  const { evaluations } = taught(testDevice, round);
  const points = evaluations[0]?.Points ?? [];
  expect(points).toHaveLength(99);
  fits(points, round, 400, fine);
});

test('the position of the scanner on its machine moves no contour', () => {
  const testDevice = new FieldTestDevice();
  testDevice.mount({ x: 10_000, y: 5000, yaw: 900_000 });
  const points = taught(testDevice, arc(-90, 90, 2000)).evaluations[0]?.Points ?? [];
  expect(points[0]).toEqual({ x: 0, y: 0 });
  expect(isInside(points, { x: 1900, y: 0 })).toBe(true);
  expect(isInside(points, { x: 2000, y: 0 })).toBe(false);
});

describe('nothing is made', () => {
  test.each([
    ['nothing was seen', 1000],
    ['no scan came', 0],
  ])('where %s', (_, milliseconds) => {
    const testDevice = new FieldTestDevice();
    expect(() => taught(testDevice, nothing, milliseconds)).toThrow('nothing was seen since StartTeachIn');
    expect(testDevice.definitions.evaluations).toEqual([]);
    // Teach-in has ended.
    expect(() => testDevice.teachIn.stop()).not.toThrow();
  });

  test('if no teach-in was started', () => {
    const testDevice = new FieldTestDevice();
    testDevice.teachIn.stop();
    testDevice.teachIn.end();
    expect(testDevice.definitions.evaluations).toEqual([]);
  });

  test('if no number is free', () => {
    const testDevice = new FieldTestDevice();
    testDevice.define(
      Array.from({ length: 48 }, (_, index) => evaluation({ Id: index + 1 })),
      [],
    );
    expect(() => taught(testDevice, hall)).toThrow('all 48 evaluations or groups are in use');
  });

  test('by a scanner that sees further than a contour reaches', () => {
    const testDevice = new FieldTestDevice();
    testDevice.write(basicSettings.members.EnableLongRangeMode, true);
    expect(() => taught(testDevice, arc(-90, 90, 125_000))).toThrow(
      expect.objectContaining({
        status: 'invalidData',
        at: '',
        reason: expect.stringContaining('nothing usable was seen since StartTeachIn: no field was made'),
      }),
    );
    expect(testDevice.definitions.evaluations).toEqual([]);
  });
});

test('the scanner measures while it learns, and no longer', () => {
  const testDevice = new FieldTestDevice();
  testDevice.core.sight = hall;
  testDevice.teachIn.start();
  testDevice.until(1050);
  expect(testDevice.core.computed).toBe(11);
  testDevice.teachIn.end();
  testDevice.until(5000);
  expect(testDevice.core.computed).toBe(11);
  testDevice.teachIn.stop();
  expect(testDevice.definitions.evaluations).toEqual([]);
});
