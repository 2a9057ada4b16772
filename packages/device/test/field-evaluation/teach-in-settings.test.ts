import { contourProblem, extensions, FieldState, isInside } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { FieldTestDevice, group } from './field-test-device.js';
import { arc, before, halfTurn, nothing, type Sight } from './scripted-core.js';

const { fields, teachIn } = extensions.members;
const { FREE, INFRINGED } = FieldState;
const radPerDegree = Math.PI / 180;

/** A round wall. */
const round = (distance: number): Sight => arc(-90, 90, distance);

/** A device with one field without a contour, and these settings of teach-in. */
function waiting(settings: object, given: object = {}): FieldTestDevice {
  const testDevice = new FieldTestDevice();
  testDevice.write(teachIn, settings);
  testDevice.write(fields, {
    evaluations: [{ Id: 1, MinimumObjectSize: 0, ...given }],
    groups: [group(1, [1])],
  });
  return testDevice;
}

/** Runs teach-in with these sights, each from its time (ms) on, until the last time. */
function teach(testDevice: FieldTestDevice, seen: readonly (readonly [Sight, number])[]) {
  testDevice.teachIn.start();
  for (const [sight, until] of seen) {
    testDevice.core.sight = sight;
    testDevice.until(until);
  }
  testDevice.teachIn.stop();
  return testDevice.definitions.evaluations[0]?.Points ?? [];
}

/** Start and end of a contour along a beam, in steps of 10 mm. */
function extentAt(points: readonly { x: number; y: number }[], angle: number): readonly number[] {
  const inside = Array.from({ length: 1000 }, (_, step) => step * 10).filter((distance) =>
    isInside(points, {
      x: distance * Math.cos(angle * radPerDegree),
      y: distance * Math.sin(angle * radPerDegree),
    }),
  );
  return [inside.at(0) ?? Number.NaN, inside.at(-1) ?? Number.NaN];
}

describe('DistanceInFront', () => {
  test.each([0, 50, 400])('of %d mm is kept before what was seen', (DistanceInFront) => {
    const points = teach(waiting({ DistanceInFront }), [[round(3000), 1000]]);
    expect(contourProblem(points)).toBeUndefined();
    const [begin = 0, end = 0] = extentAt(points, 10);
    expect(begin).toBe(0);
    expect(end).toBeGreaterThan(2980 - DistanceInFront);
    expect(end).toBeLessThanOrEqual(3000 - DistanceInFront);
  });

  test('is 50 mm by factory default, and one that is written acts on the next teach-in', () => {
    expect(teachIn.type.initial).toEqual({ DistanceInFront: 50, DistanceBehind: 50, MinimumTime: 0 });
    const testDevice = waiting({});
    testDevice.core.sight = round(3000);
    testDevice.teachIn.start();
    testDevice.until(500);
    testDevice.write(teachIn, { DistanceInFront: 1000 });
    testDevice.until(1000);
    testDevice.teachIn.stop();
    const points = testDevice.definitions.evaluations[0]?.Points ?? [];
    expect(extentAt(points, 10)[1]).toBeGreaterThan(2900);
  });
});

describe('a field whose contour is a reference', () => {
  const settings = { DistanceInFront: 300, DistanceBehind: 200 };
  const reference = { ContourAsReference: true, MinimumObjectSize: 300 };

  test('gets a band from before to behind what was seen', () => {
    const points = teach(waiting(settings, reference), [[round(3000), 1000]]);
    expect(points.length).toBeLessThanOrEqual(100);
    expect(contourProblem(points)).toBeUndefined();
    for (const angle of [-85, 0, 33]) {
      const [begin = 0, end = 0] = extentAt(points, angle);
      expect(begin).toBeGreaterThan(2690);
      expect(begin).toBeLessThanOrEqual(2710);
      expect(end).toBeGreaterThanOrEqual(3190);
      expect(end).toBeLessThan(3215);
    }
  });

  test('is free while what was seen is there, and infringed when a part of it is gone or hidden', () => {
    const testDevice = waiting(settings, reference);
    teach(testDevice, [[round(3000), 1000]]);
    testDevice.until(2000);
    expect(testDevice.fields.stateOf(1)).toBe(FREE);
    testDevice.core.sight = before(arc(0, 10, 6000), round(3000));
    testDevice.until(3000);
    expect(testDevice.fields.stateOf(1)).toBe(INFRINGED);
    testDevice.core.sight = round(3000);
    testDevice.until(4000);
    expect(testDevice.fields.stateOf(1)).toBe(FREE);
    testDevice.core.sight = before(arc(0, 10, 1000), round(3000));
    testDevice.until(5000);
    expect(testDevice.fields.stateOf(1)).toBe(INFRINGED);
  });

  test('covers the widest span in which something was seen', () => {
    const points = teach(waiting(settings, reference), [
      [before(arc(-90, -40, 2000), arc(-20, 90, 3000)), 1000],
    ]);
    expect(extentAt(points, -60)).toEqual([Number.NaN, Number.NaN]);
    expect(extentAt(points, 30)[0]).toBeCloseTo(2700, -1);
  });

  test('gets nothing without echoes, which is reported', () => {
    const testDevice = waiting(settings, reference);
    expect(() => teach(testDevice, [[nothing, 1000]])).toThrow('nothing was seen');
    expect(testDevice.definitions.evaluations[0]?.Points).toEqual([]);
  });

  test('stands beside a field that is taught the free area', () => {
    const testDevice = new FieldTestDevice();
    testDevice.write(teachIn, settings);
    testDevice.write(fields, {
      evaluations: [{ Id: 1 }, { Id: 2, ContourAsReference: true }],
      groups: [group(1, [1, 2])],
    });
    teach(testDevice, [[round(3000), 1000]]);
    const [free, band] = testDevice.definitions.evaluations;
    expect(extentAt(free?.Points ?? [], 0)[0]).toBe(0);
    expect(extentAt(band?.Points ?? [], 0)[0]).toBeCloseTo(2700, -1);
  });
});

describe('MinimumTime', () => {
  const passer = before(arc(-5, 5, 1000), round(3000));

  test('leaves out who passes in less time', () => {
    const points = teach(waiting({ MinimumTime: 1000 }), [
      [round(3000), 1000],
      [passer, 1500],
      [round(3000), 4000],
    ]);
    expect(extentAt(points, 0)[1]).toBeGreaterThan(2900);
  });

  test('leaves out who is there at the start, and goes in less time', () => {
    const points = teach(waiting({ MinimumTime: 1000 }), [
      [passer, 500],
      [round(3000), 4000],
    ]);
    expect(extentAt(points, 0)[1]).toBeGreaterThan(2900);
  });

  test('includes objects that stay for longer', () => {
    const points = teach(waiting({ MinimumTime: 1000 }), [
      [round(3000), 1000],
      [passer, 2500],
      [round(3000), 4000],
    ]);
    expect(extentAt(points, 0)[1]).toBeLessThan(1000);
    expect(extentAt(points, 60)[1]).toBeGreaterThan(2900);
  });

  test('of 0 includes everything', () => {
    const points = teach(waiting({}), [
      [round(3000), 1000],
      [passer, 1200],
      [round(3000), 4000],
    ]);
    expect(extentAt(points, 0)[1]).toBeLessThan(1000);
  });

  test('is how long a teach-in has to last at least', () => {
    const testDevice = waiting({ MinimumTime: 2000 });
    expect(() => teach(testDevice, [[round(3000), 1500]])).toThrow('MinimumTime, 2000 ms');
    expect(testDevice.definitions.evaluations[0]?.Points).toEqual([]);
  });

  test('looks for the beams of any scan, as many as it has', () => {
    const testDevice = waiting({ MinimumTime: 500 });
    testDevice.core.geometry = { ...halfTurn, step: 0.5, beams: 361, beamsPerSegment: 361 };
    expect(extentAt(teach(testDevice, [[round(3000), 2000]]), 45)[1]).toBeGreaterThan(2900);
  });
});
