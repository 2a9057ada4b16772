import { expect, test } from 'vitest';
import {
  actorsOf,
  housingsOf,
  outlinesOf,
  overviewIn,
  placesIn,
  vehiclesOf,
} from '../../src/simulation/control-port-data.js';

test('a wall is a line between its ends, and a polygon is closed', () => {
  const outlines = outlinesOf({
    walls: [{ from: [3, -1], to: [3, 1] }],
    polygons: [
      {
        points: [
          [0, 0],
          [1, 0],
          [0, 1],
        ],
      },
    ],
  });
  expect(outlines).toEqual([
    {
      points: [
        { x: 3, y: -1 },
        { x: 3, y: 1 },
      ],
      closed: false,
      kind: 'solid',
    },
    {
      points: [
        { x: 0, y: 0 },
        { x: 1, y: 0 },
        { x: 0, y: 1 },
      ],
      closed: true,
      kind: 'solid',
    },
  ]);
});

test('a box is turned about its middle', () => {
  const [box] = outlinesOf({ boxes: [{ center: [1, 2], size: [4, 2], heading: 90 }] });
  const corners = box?.points.map(({ x, y }) => [Math.round(x) + 0, Math.round(y) + 0]);
  expect(corners).toEqual([
    [0, 4],
    [0, 0],
    [2, 0],
    [2, 4],
  ]);
});

test('round fog is an area, and what has no place is left out', () => {
  const [fog, ...others] = outlinesOf({ fog: [{ center: [0, 0], radius: 2 }], circles: [{ radius: 1 }] });
  expect(fog).toMatchObject({ kind: 'fog', closed: true });
  expect(others).toEqual([]);
});

test('somebody who walks has two legs', () => {
  const [actor] = actorsOf({ actors: [{ name: 'person', legs: { radius: 0.1, apart: 0.2 } }] });
  expect(actor).toMatchObject({ name: 'person', outlines: { length: 2 } });
});

test('the state of the simulation is read from the overview of the control port', () => {
  const overview = {
    temperature: 60,
    temperatureIsSet: true,
    scene: { name: 'Gate', actors: [] },
    contamination: [0, 0.5],
    ports: [{ port: 1, name: 'IOx', type: 'INPUT', driven: true, active: true }],
    encoder: { speed: -250, isSet: true },
    clock: { uptime: 12.5 },
  };
  expect(overviewIn(overview)).toEqual({
    scene: 'Gate',
    temperature: 60,
    temperatureIsSet: true,
    contamination: [0, 0.5],
    ports: [{ port: 1, type: 'INPUT', driven: true }],
    encoderSpeed: -250,
    encoderIsSet: true,
    uptime: 12.5,
  });
});

test('places are found by the names of the actors', () => {
  const places = placesIn({
    scanner: { x: 0, y: 0, heading: 0 },
    actors: [{ name: 'person 1', x: 1, y: 2, heading: 90 }],
  });
  expect(places.actors.get('person 1')).toEqual({ x: 1, y: 2, heading: 90 });
});

test('a vehicle has its body and the housings of its scanners, and a fixed scanner is a box, too', () => {
  const scanner = { name: 'front', x: 1, y: 0, heading: 0, housing: { size: [0.06, 0.06] } };
  const scene = {
    scanners: [scanner, { ...scanner, housing: false }],
    vehicles: [{ name: 'agv', boxes: [{ center: [0, 0], size: [1, 1] }], scanners: [scanner] }],
  };
  const [agv] = vehiclesOf(scene);
  expect(agv?.name).toBe('agv');
  expect(agv?.outlines.map(({ points }) => points.length)).toEqual([4, 4]);
  expect(housingsOf(scene)).toEqual(agv?.outlines.slice(1));
  expect(agv?.outlines[1]?.points[0]).toEqual({ x: expect.closeTo(1.03, 6), y: expect.closeTo(0.03, 6) });
});
