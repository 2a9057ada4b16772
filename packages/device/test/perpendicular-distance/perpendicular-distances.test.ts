import { perpendicularDistance } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { evaluation, FieldBench, group } from '../field-evaluation/field-bench.js';
import { arc, before, nothing, type Sight } from '../field-evaluation/scripted-core.js';

/** Along y, 500 mm ahead: its left side is that of the scanner. */
const across = [
  { x: 500, y: 0 },
  { x: 500, y: 1000 },
];

function ranging(given: Parameters<typeof evaluation>[0] = { Id: 1 }) {
  const bench = new FieldBench();
  bench.define([evaluation({ Type: 1, ReferenceLine: across, ...given })], [group(1, [given.Id])]);
  const told: [number, unknown][] = [];
  const { perpendicularDistanceResult } = perpendicularDistance.members;
  bench.announcements.subscribe((changed) => {
    if (changed.includes(perpendicularDistanceResult)) told.push([bench.now, bench.fields.distances.result]);
  });
  return { bench, told };
}

const at = (x: number, y: number, z = 0) => ({ x, y, z });
/** Straight ahead and to the left. */
const two: Sight = (angle) => (angle === 0 ? [1200] : angle === 30 ? [2000] : []);

test('the least and the greatest distance, with their places and the time', () => {
  const { bench } = ranging({ Id: 4 });
  const epoch = bench.clock.utc();
  bench.core.sight = two;
  expect(bench.fields.distances.result).toEqual({ timestamp: 0, evaluations: [] });
  bench.until(60);
  // Away from the scanner is to the right of a line that goes to the left: below 0.
  expect(bench.fields.distances.result).toEqual({
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
  const { bench } = ranging({ Id: 1, ReferenceLine: [...across].reverse() });
  bench.core.sight = two;
  bench.until(60);
  expect(bench.fields.distances.result.evaluations).toEqual([
    expect.objectContaining({
      minimumDistance: 700,
      maximumDistance: 1232,
      minimumDistancePosition: at(1200, 0),
      maximumDistancePosition: at(1732, 1000),
    }),
  ]);
});

test('a slanting line, which goes on beyond its points', () => {
  // From (0, 0) up to the left by 45°: a point (x, 0) is x / √2 to its right.
  const { bench } = ranging({
    Id: 1,
    ReferenceLine: [
      { x: 0, y: 0 },
      { x: 10, y: 10 },
    ],
  });
  bench.core.sight = arc(0, 0, 2000);
  bench.until(60);
  expect(bench.fields.distances.result.evaluations[0]).toMatchObject({
    minimumDistance: -1414,
    maximumDistance: -1414,
  });
});

test('only what is in the area counts, of all echoes', () => {
  const { bench } = ranging();
  bench.core.sight = before(arc(0, 0, 900, 1500, 2500), arc(1, 90, 4500));
  bench.until(60);
  expect(bench.fields.distances.result.evaluations[0]).toMatchObject({
    minimumDistance: -2000,
    maximumDistance: -1000,
  });
});

test('heights are told, and limited', () => {
  const { bench } = ranging({ Id: 1, LowerZLimit: 100 });
  // By 30° down from 1 m: at 1500 mm it is 250 mm high, at 1900 mm 50.
  bench.mount({ z: 1000, pitch: 300_000 });
  bench.core.sight = arc(0, 0, 1500, 1900);
  bench.until(60);
  expect(bench.fields.distances.result.evaluations).toEqual([
    {
      evaluationId: 1,
      minimumDistance: -799,
      maximumDistance: -799,
      minimumDistancePosition: at(1299, 0, 250),
      maximumDistancePosition: at(1299, 0, 250),
    },
  ]);
});

describe('the beams that are in the area are found anew', () => {
  const ids = (bench: FieldBench) => bench.fields.distances.result.evaluations.length;

  test('when the scanner is mounted elsewhere', () => {
    const { bench } = ranging();
    bench.core.sight = arc(0, 0, 500);
    bench.until(60);
    expect(ids(bench)).toBe(0);
    // Now it is 1500 mm ahead of the origin, 1000 mm to the right of the line.
    bench.mount({ x: 1000 });
    bench.until(160);
    expect(bench.fields.distances.result.evaluations[0]).toMatchObject({
      minimumDistance: -1000,
      maximumDistancePosition: at(1500, 0),
    });
    bench.mount({});
    bench.until(260);
    expect(ids(bench)).toBe(0);
  });

  test('when the profile brings other beams', () => {
    const { bench } = ranging();
    bench.core.sight = arc(0, 0, 1500);
    bench.until(60);
    expect(ids(bench)).toBe(1);
    // Straight ahead is beam 40 of these, which was 50° to the right of the area before.
    bench.core.geometry = { frequency: 20, firstAngle: -80, step: 2, beams: 81, beamsPerSegment: 81 };
    bench.switchProfile(4);
    bench.until(500);
    expect(bench.fields.distances.result.evaluations[0]).toMatchObject({
      minimumDistance: -1000,
      maximumDistancePosition: at(1500, 0),
    });
  });
});

describe('it is told', () => {
  test('in each scan in which it changes, and left out where nothing is in the area', () => {
    const { bench, told } = ranging();
    bench.until(190);
    bench.core.sight = arc(0, 0, 1500);
    bench.until(490);
    bench.core.sight = arc(0, 0, 1510);
    bench.until(590);
    bench.core.sight = nothing;
    bench.until(1000);
    const distance = (value: number) => ({
      timestamp: expect.any(Number),
      evaluations: [expect.objectContaining({ minimumDistance: value, maximumDistance: value })],
    });
    expect(told).toEqual([
      [250, distance(-1000)],
      [550, distance(-1010)],
      [650, { timestamp: expect.any(Number), evaluations: [] }],
    ]);
  });

  test('also where only one end of it moves', () => {
    const { bench, told } = ranging();
    bench.core.sight = arc(0, 0, 1500, 2000);
    bench.until(90);
    bench.core.sight = arc(0, 0, 1500, 2001);
    bench.until(190);
    bench.core.sight = arc(0, 0, 1501, 2001);
    bench.until(500);
    expect(told.map(([moment]) => moment)).toEqual([50, 150, 250]);
  });

  test('when its evaluation is active no more', () => {
    const { bench, told } = ranging();
    bench.core.sight = arc(0, 0, 1500);
    bench.until(110);
    bench.measuring.request('stopped');
    expect(told.at(-1)).toEqual([110, expect.objectContaining({ evaluations: [] })]);
    expect(told).toHaveLength(2);
  });
});

test('several evaluations stand in their order; one that stays as it is keeps what it has seen', () => {
  const bench = new FieldBench();
  const one = evaluation({ Id: 3, Type: 1, ReferenceLine: across });
  const other = evaluation({ Id: 2, Type: 1, ReferenceLine: across });
  bench.define([one, other], [group(1, [2, 3])]);
  bench.core.sight = arc(0, 0, 1500);
  bench.until(60);
  const ids = () => bench.fields.distances.result.evaluations.map(({ evaluationId }) => evaluationId);
  expect(ids()).toEqual([3, 2]);
  bench.define([one, { ...other, UpperZLimit: 5 }], [group(1, [2, 3])]);
  expect(ids()).toEqual([3]);
  bench.until(160);
  expect(ids()).toEqual([3, 2]);
});

test('it is no field: its slot is not configured, and nothing in it infringes', () => {
  const { bench } = ranging();
  bench.core.sight = arc(-10, 10, 1500);
  bench.until(1000);
  expect(bench.fields.stateOf(1)).toBe(0);
  expect(bench.fields.infringed(1)).toBe(false);
  expect(bench.infringements).toEqual([]);
});

test('the variable tells it', () => {
  const { bench } = ranging();
  bench.core.sight = arc(0, 0, 1500);
  bench.until(60);
  const [entry] = bench.fields.distances.computed;
  expect(entry?.variable.name).toBe('perpendicularDistanceResult');
  expect(entry?.value()).toEqual(bench.fields.distances.result);
});

test('its time is told with every scan to who follows it, and a distance to everybody', () => {
  const { bench, told } = ranging();
  const { perpendicularDistanceResult } = perpendicularDistance.members;
  let heard = 0;
  bench.announcements.follow(perpendicularDistanceResult, () => heard++);
  bench.core.sight = two;
  bench.until(60);
  expect([heard, told.length]).toEqual([1, 1]);
  bench.until(460);
  expect([heard, told.length]).toEqual([5, 1]);
});
