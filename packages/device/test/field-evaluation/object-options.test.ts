import type { Evaluation } from '@azimuth/model';
import { FieldState } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { evaluation, FieldTestDevice, group } from './field-test-device.js';
import { arc, before, halfTurn, nothing, type Sight } from './scripted-core.js';

const { FREE, INFRINGED } = FieldState;

/** A device with one field, after two seconds with this sight. */
function watching(given: Partial<Evaluation>, sight: Sight, reflectorsAt: readonly number[] = []) {
  const testDevice = new FieldTestDevice();
  // Four beams a degree.
  testDevice.core.geometry = { ...halfTurn, step: 0.25, beams: 721, beamsPerSegment: 721 };
  testDevice.core.sight = sight;
  testDevice.core.reflectorsAt = new Set(reflectorsAt);
  testDevice.define([evaluation({ Id: 1, ...given })], [group(1, [1])]);
  testDevice.until(2000);
  return testDevice;
}

const stateOf = (...given: Parameters<typeof watching>) => watching(...given).fields.stateOf(1);

describe('ObjectDistanceThreshold', () => {
  // 7 beams at 2 m are 61 mm wide; beside them, 23 beams at 2.45 m are 246 mm wide.
  const small = arc(0, 1.5, 2000);
  const large = arc(1.75, 7.25, 2450);
  const both = before(small, large);

  test.each([
    ['off, they are one', 0, INFRINGED],
    ['of 300 mm, each is judged by itself', 300, FREE],
    ['of 450 mm, too', 450, FREE],
    ['of 451 mm, they are one', 451, INFRINGED],
    ['of 500 mm, too', 500, INFRINGED],
  ])('two objects beside each other, 450 mm apart in depth: %s', (_, ObjectDistanceThreshold, state) => {
    expect(stateOf({ MinimumObjectSize: 300, ObjectDistanceThreshold }, both)).toBe(state);
  });

  test('an object that is large enough by itself infringes with any threshold', () => {
    expect(stateOf({ MinimumObjectSize: 240, ObjectDistanceThreshold: 300 }, both)).toBe(INFRINGED);
    expect(
      watching({ MinimumObjectSize: 240, ObjectDistanceThreshold: 300 }, both).fields.result,
    ).toMatchObject({
      EvaluationResultList: { 0: { Positions: [{ x: expect.closeTo(2450, -2) }] } },
    });
  });

  test('a wall that goes away from the scanner step by step is one object', () => {
    // 40 mm from beam to beam, 400 mm from one end to the other.
    const oblique: Sight = (angle) => (angle >= 0 && angle <= 2.5 ? [2000 + angle * 160] : []);
    expect(stateOf({ MinimumObjectSize: 300, ObjectDistanceThreshold: 100 }, oblique)).toBe(INFRINGED);
    expect(stateOf({ MinimumObjectSize: 300, ObjectDistanceThreshold: 30 }, oblique)).toBe(FREE);
  });

  test('a beam that does not hit is bridged with a threshold, too', () => {
    const gap: Sight = (angle) => (angle === 1 ? [] : arc(0, 2, 2000)(angle));
    expect(stateOf({ MinimumObjectSize: 70, ObjectDistanceThreshold: 300 }, gap)).toBe(INFRINGED);
  });

  test('parts that are hidden have no distance, and divide nothing', () => {
    const half: Sight = (angle) => (angle < 1 ? arc(0, 1, 2000)(angle) : angle <= 4 ? [] : [5000]);
    const given = { MinimumObjectSize: 100, ObjectDistanceThreshold: 1, TreatMissingDataAsInfringed: true };
    expect(stateOf(given, half)).toBe(INFRINGED);
  });
});

describe('ReflectorsOnly', () => {
  const person = arc(-3, 3, 2000);

  test('what is no reflector does not infringe the field', () => {
    expect(stateOf({}, person)).toBe(INFRINGED);
    expect(stateOf({ ReflectorsOnly: true }, person)).toBe(FREE);
    expect(stateOf({ ReflectorsOnly: true }, person, [2000])).toBe(INFRINGED);
  });

  test('a reflector behind an echo counts, and is where the field is infringed', () => {
    const testDevice = watching({ ReflectorsOnly: true }, arc(-3, 3, 1500, 2500), [2500]);
    expect(testDevice.fields.stateOf(1)).toBe(INFRINGED);
    const [position] = testDevice.fields.result.EvaluationResultList[0]?.Positions ?? [];
    expect(Math.hypot(position?.x ?? 0, position?.y ?? 0)).toBeCloseTo(2500, -1);
    expect(stateOf({ ReflectorsOnly: true }, arc(-3, 3, 1500, 5000), [5000])).toBe(FREE);
  });
});

describe('ContourAsReference', () => {
  /** A band around a wall that is 2 m ahead, seen from -20° to 20°. */
  const band = {
    ContourAsReference: true,
    MinimumObjectSize: 300,
    Points: [
      { x: 1000, y: -363 },
      { x: 3000, y: -1091 },
      { x: 3000, y: 1091 },
      { x: 1000, y: 363 },
    ],
  };
  const ahead =
    (x: number): Sight =>
    (angle) => [x / Math.cos((angle * Math.PI) / 180)];
  const wall = ahead(2000);

  test('the field is free while the contour is there, and infringed where it is not', () => {
    expect(stateOf(band, wall)).toBe(FREE);
    expect(stateOf(band, nothing)).toBe(INFRINGED);
    expect(stateOf(band, ahead(3100))).toBe(INFRINGED);
    expect(stateOf(band, ahead(900))).toBe(INFRINGED);
  });

  test('a part of it that is missing counts by its size', () => {
    const hole = (width: number): Sight => before(arc(0, width, 5000), wall);
    // The field ends 3 m ahead, where a degree is 52 mm wide.
    expect(stateOf(band, hole(4))).toBe(FREE);
    expect(stateOf(band, hole(8))).toBe(INFRINGED);
  });

  test('with ReflectorsOnly, only a reflector keeps it free', () => {
    expect(stateOf({ ...band, ReflectorsOnly: true }, wall)).toBe(INFRINGED);
    expect(stateOf({ ...band, ReflectorsOnly: true }, arc(-50, 50, 2000), [2000])).toBe(FREE);
  });
});
