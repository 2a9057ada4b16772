import { perpendicularDistance } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { evaluation, FieldTestDevice, group } from '../field-evaluation/field-test-device.js';
import { arc, before, nothing, type Sight } from '../field-evaluation/scripted-core.js';

/** Along y, 500 mm ahead: its left side is that of the scanner. */
const across = [
  { x: 500, y: 0 },
  { x: 500, y: 1000 },
];

function ranging(given: Parameters<typeof evaluation>[0] = { Id: 1 }) {
  const testDevice = new FieldTestDevice();
  testDevice.define([evaluation({ Type: 1, ReferenceLine: across, ...given })], [group(1, [given.Id])]);
  const reported: [number, unknown][] = [];
  const { perpendicularDistanceResult } = perpendicularDistance.members;
  testDevice.announcements.subscribe((changed) => {
    if (changed.includes(perpendicularDistanceResult))
      reported.push([testDevice.now, testDevice.fields.distances.result]);
  });
  return { testDevice, reported };
}

const at = (x: number, y: number, z = 0) => ({ x, y, z });
/** Straight ahead and to the left. */
const two: Sight = (angle) => (angle === 0 ? [1200] : angle === 30 ? [2000] : []);

test('the least and the greatest distance, with their places and the time', () => {
  const { testDevice } = ranging({ Id: 4 });
  const epoch = testDevice.clock.utc();
  testDevice.core.sight = two;
  expect(testDevice.fields.distances.result).toEqual({ timestamp: 0, evaluations: [] });
  testDevice.until(60);
  // Away from the scanner is to the right of a line that goes to the left: below 0.
  expect(testDevice.fields.distances.result).toEqual({
    timestamp: epoch + 50,
    evaluations: [
      {
        evaluationId: 4,
        minimumDistance: -1232,
        maximumDistance: -700,
        minimumDistancePosition: at(1732, 1000),
        maximumDistancePosition: at(1200, 0),
      },
    ],
  });
});

test('left of the line is above 0', () => {
  const { testDevice } = ranging({ Id: 1, ReferenceLine: [...across].reverse() });
  testDevice.core.sight = two;
  testDevice.until(60);
  expect(testDevice.fields.distances.result.evaluations).toEqual([
    expect.objectContaining({
      minimumDistance: 700,
      maximumDistance: 1232,
      minimumDistancePosition: at(1200, 0),
      maximumDistancePosition: at(1732, 1000),
    }),
  ]);
});

test('a slanting line, which goes on beyond its points', () => {
  // The line goes from (0, 0) up to the left by 45°: a point (x, 0) is x / √2 to its right.
  const { testDevice } = ranging({
    Id: 1,
    ReferenceLine: [
      { x: 0, y: 0 },
      { x: 10, y: 10 },
    ],
  });
  testDevice.core.sight = arc(0, 0, 2000);
  testDevice.until(60);
  expect(testDevice.fields.distances.result.evaluations[0]).toMatchObject({
    minimumDistance: -1414,
    maximumDistance: -1414,
  });
});

test('only what is in the area counts, of all echoes', () => {
  const { testDevice } = ranging();
  testDevice.core.sight = before(arc(0, 0, 900, 1500, 2500), arc(1, 90, 4500));
  testDevice.until(60);
  expect(testDevice.fields.distances.result.evaluations[0]).toMatchObject({
    minimumDistance: -2000,
    maximumDistance: -1000,
  });
});

test('positions have no height', () => {
  const { testDevice } = ranging({ Id: 1, LowerZLimit: -100_000, UpperZLimit: 100_000 });
  testDevice.core.sight = arc(0, 0, 1500);
  testDevice.until(60);
  expect(testDevice.fields.distances.result.evaluations[0]).toMatchObject({
    minimumDistancePosition: at(1500, 0, 0),
    maximumDistancePosition: at(1500, 0, 0),
  });
});

describe('the beams that are in the area are found anew', () => {
  const ids = (testDevice: FieldTestDevice) => testDevice.fields.distances.result.evaluations.length;

  test('but not if the scanner is mounted elsewhere', () => {
    const { testDevice } = ranging();
    testDevice.core.sight = arc(0, 0, 1500);
    testDevice.until(60);
    const { evaluations } = testDevice.fields.distances.result;
    testDevice.mount({ x: 1000, z: 1000, yaw: 900_000, pitch: 300_000 });
    testDevice.until(160);
    expect(evaluations).toHaveLength(1);
    expect(testDevice.fields.distances.result.evaluations).toEqual(evaluations);
  });

  test('when the profile brings other beams', () => {
    const { testDevice } = ranging();
    testDevice.core.sight = arc(0, 0, 1500);
    testDevice.until(60);
    expect(ids(testDevice)).toBe(1);
    // Straight ahead is beam 40 of these, which was 50° to the right of the area before.
    testDevice.core.geometry = { frequency: 20, firstAngle: -80, step: 2, beams: 81, beamsPerSegment: 81 };
    testDevice.switchProfile(4);
    testDevice.until(500);
    expect(testDevice.fields.distances.result.evaluations[0]).toMatchObject({
      minimumDistance: -1000,
      maximumDistancePosition: at(1500, 0),
    });
  });
});

describe('it is announced', () => {
  test('in each scan in which it changes, and stays with its time when the area is free again', () => {
    const { testDevice, reported } = ranging();
    testDevice.until(190);
    testDevice.core.sight = arc(0, 0, 1500);
    testDevice.until(490);
    testDevice.core.sight = arc(0, 0, 1510);
    testDevice.until(590);
    testDevice.core.sight = nothing;
    testDevice.until(1000);
    const distance = (value: number) => ({
      timestamp: expect.any(Number),
      evaluations: [expect.objectContaining({ minimumDistance: value, maximumDistance: value })],
    });
    expect(reported).toEqual([
      [250, distance(-1000)],
      [550, distance(-1010)],
    ]);
    const left = testDevice.fields.distances.result;
    expect(left).toMatchObject(distance(-1010));
    testDevice.until(2000);
    expect(testDevice.fields.distances.result).toEqual(left);
  });

  test('also where only one end of it moves', () => {
    const { testDevice, reported } = ranging();
    testDevice.core.sight = arc(0, 0, 1500, 2000);
    testDevice.until(90);
    testDevice.core.sight = arc(0, 0, 1500, 2001);
    testDevice.until(190);
    testDevice.core.sight = arc(0, 0, 1501, 2001);
    testDevice.until(500);
    expect(reported.map(([moment]) => moment)).toEqual([50, 150, 250]);
  });

  test('when its evaluation is active no more', () => {
    const { testDevice, reported } = ranging();
    testDevice.core.sight = arc(0, 0, 1500);
    testDevice.until(110);
    testDevice.measuring.request('stopped');
    expect(reported.at(-1)).toEqual([110, expect.objectContaining({ evaluations: [] })]);
    expect(reported).toHaveLength(2);
  });
});

test('several evaluations are in their order; an unchanged one keeps its distances', () => {
  const testDevice = new FieldTestDevice();
  const one = evaluation({ Id: 3, Type: 1, ReferenceLine: across });
  const other = evaluation({ Id: 2, Type: 1, ReferenceLine: across });
  testDevice.define([one, other], [group(1, [2, 3])]);
  testDevice.core.sight = arc(0, 0, 1500);
  testDevice.until(60);
  const ids = () => testDevice.fields.distances.result.evaluations.map(({ evaluationId }) => evaluationId);
  expect(ids()).toEqual([3, 2]);
  testDevice.define([one, { ...other, Name: 'renamed' }], [group(1, [2, 3])]);
  expect(ids()).toEqual([3]);
  testDevice.until(160);
  expect(ids()).toEqual([3, 2]);
});

test('it is not a field: its slot is not configured, and nothing in it infringes', () => {
  const { testDevice } = ranging();
  testDevice.core.sight = arc(-10, 10, 1500);
  testDevice.until(1000);
  expect(testDevice.fields.stateOf(1)).toBe(0);
  expect(testDevice.fields.infringed(1)).toBe(false);
  expect(testDevice.infringements).toEqual([]);
});

test('the variable has it', () => {
  const { testDevice } = ranging();
  testDevice.core.sight = arc(0, 0, 1500);
  testDevice.until(60);
  const [entry] = testDevice.fields.distances.computed;
  expect(entry?.variable.name).toBe('perpendicularDistanceResult');
  expect(entry?.value()).toEqual(testDevice.fields.distances.result);
});

test('its followers get the time with every scan, and all subscribers get a changed distance', () => {
  const { testDevice, reported } = ranging();
  const { perpendicularDistanceResult } = perpendicularDistance.members;
  let heard = 0;
  testDevice.announcements.follow(perpendicularDistanceResult, () => heard++);
  testDevice.core.sight = two;
  testDevice.until(60);
  expect([heard, reported.length]).toEqual([1, 1]);
  testDevice.until(460);
  expect([heard, reported.length]).toEqual([5, 1]);
});
