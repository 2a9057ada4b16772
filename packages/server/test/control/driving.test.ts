import { array, number, object } from '@azimuth/test-support/json';
import { expect, test } from 'vitest';
import { settled } from '../streams/scanner.js';
import { done, look, post, refused } from './control-client.js';
import { room, SceneScanner } from './room.js';

const wall = { name: 'Wall', noise: { enabled: false }, walls: [{ from: [5, -50], to: [5, 50] }] };

const odometryOf = async ({ testScanner }: SceneScanner, vehicle = '') =>
  (await look(testScanner, `/odometry${vehicle === '' ? '' : `?vehicle=${vehicle}`}`)).json;

/** Lets time pass without a scan. */
const pass = (scanner: SceneScanner, ms: number) => post(scanner.testScanner, '/clock/advance', { ms });

test('a scanner that stands drives when it is told to, and measures from where it is', async () => {
  const scanner = await SceneScanner.start(wall);
  expect(await scanner.ahead()).toBe(5000);
  const response = await post(scanner.testScanner, '/drive', { speed: 0.5 });
  expect(response).toMatchObject({ status: 200, json: { ok: true, x: 0, y: 0, heading: 0, speed: 0 } });
  await pass(scanner, 3000);
  await post(scanner.testScanner, '/drive', { speed: 0 });
  await pass(scanner, 2000);
  const { x, y, heading, speed, travelled, pose, vehicle } = await odometryOf(scanner);
  expect(x).toBeGreaterThan(1.3);
  expect({ y, heading, speed, travelled, pose, vehicle }).toEqual({
    ...{ y: 0, heading: 0, speed: 0, travelled: x, vehicle: undefined },
    pose: { x, y: 0, heading: 0 },
  });
  expect(await scanner.ahead()).toBe(Math.round((5 - Number(x)) * 1000));
});

test('a command with a time ends by itself, and one without drives until the next', async () => {
  const scanner = await SceneScanner.start(wall);
  await post(scanner.testScanner, '/drive', { speed: 1, turn: 0, ms: 1000 });
  await pass(scanner, 60_000);
  expect((await odometryOf(scanner)).travelled).toBeCloseTo(1, 9);
  await post(scanner.testScanner, '/drive', { turn: 10 });
  await pass(scanner, 36_000);
  expect(await odometryOf(scanner)).toMatchObject({ speed: 0, turn: expect.closeTo(10, 9) });
});

test('the odometry has the times of telegrams and of the world, and counts from the start', async () => {
  const scanner = await SceneScanner.start({ ...wall, scanner: { x: 1, y: 2, heading: 90 } });
  await post(scanner.testScanner, '/drive', { speed: 1, ms: 2000 });
  await pass(scanner, 5000);
  const odometry = await odometryOf(scanner);
  expect(odometry.x).toBeCloseTo(2, 9);
  expect(odometry.y).toBeCloseTo(0, 9);
  const { x, y, heading } = Object(odometry.pose);
  expect([x, y, heading]).toEqual([expect.closeTo(1, 9), expect.closeTo(4, 9), expect.closeTo(90, 9)]);
  expect(Number(odometry.time) / 1_000_000).toBeCloseTo(Number(odometry.worldTime), 5);
});

test('a vehicle that is put somewhere stands there', async () => {
  const scanner = await SceneScanner.start(wall);
  await post(scanner.testScanner, '/drive', { speed: 1 });
  await pass(scanner, 1000);
  await post(scanner.testScanner, '/drive/to', { x: 3, y: 1, heading: -90 });
  await pass(scanner, 1000);
  expect(await odometryOf(scanner)).toMatchObject({ speed: 0, pose: { x: 3, y: 1, heading: -90 } });
  await post(scanner.testScanner, '/drive/to', { x: 2, y: 0 });
  expect(await scanner.ahead()).toBe(3000);
});

test('an edit of the scene does not stop a vehicle, and another scene does', async () => {
  const scanner = await SceneScanner.start(room);
  await post(scanner.testScanner, '/drive', { speed: 0.5 });
  await pass(scanner, 1000);
  expect(await post(scanner.testScanner, '/actors/remove', { name: 'cart' })).toEqual(done);
  const { x } = await odometryOf(scanner);
  await pass(scanner, 1000);
  expect(Number((await odometryOf(scanner)).x)).toBeGreaterThan(Number(x) + 0.4);
  await post(scanner.testScanner, '/scene', { ...wall, scanner: { x: 1 } });
  await pass(scanner, 1000);
  expect(await odometryOf(scanner)).toMatchObject({ x: 0, speed: 0, pose: { x: 1, y: 0, heading: 0 } });
});

test('its drive says how fast it can be, and how wrong its odometry is', async () => {
  const drive = { speed: 0.25, turn: 5, acceleration: 100, odometry: { distance: 1.1 } };
  const scanner = await SceneScanner.start({ ...wall, scanner: { drive } });
  await post(scanner.testScanner, '/drive', { speed: -9, turn: 99 });
  await pass(scanner, 1000);
  expect(await odometryOf(scanner)).toMatchObject({ speed: -0.25, turn: expect.closeTo(5, 9) });
  await post(scanner.testScanner, '/drive', { speed: 0, turn: 0 });
  await pass(scanner, 4000);
  const { x, y, pose } = await odometryOf(scanner);
  const way = Math.hypot(Object(pose).x, Object(pose).y);
  expect(Math.hypot(Number(x), Number(y)) / way).toBeCloseTo(1.1, 6);
});

test('a vehicle on a path has odometry, and follows no commands', async () => {
  const path = {
    waypoints: [
      { t: 0, x: 1, y: 0 },
      { t: 100, x: 1, y: 100 },
    ],
  };
  const scanner = await SceneScanner.start({ ...wall, scanner: { path } });
  await pass(scanner, 1000);
  const odometry = await odometryOf(scanner);
  expect(odometry).toMatchObject({ x: odometry.travelled, y: expect.closeTo(0, 9), speed: 1, heading: 0 });
  expect(Object(odometry.pose)).toMatchObject({ x: 1, y: odometry.travelled, heading: 90 });
  expect(await post(scanner.testScanner, '/drive', { speed: 1 })).toEqual(
    refused('this vehicle follows the path in the scene, and no commands'),
  );
});

test.each([
  ['/drive', {}, 'drive takes "speed", "turn" or both'],
  ['/drive', { speed: 'fast' }, '"speed" must be a number from -100 to 100 (m/s)'],
  ['/drive', { speed: 101 }, '"speed" must be a number from -100 to 100 (m/s)'],
  ['/drive', { turn: 1e9 }, '"turn" must be a number from -3600 to 3600 (degrees per s)'],
  ['/drive', { speed: 1, ms: -1 }, '"ms" must be a number from 0 to 86400000 (a day)'],
  ['/drive', { speed: 1, vehicle: 7 }, '"vehicle" must be a text'],
  ['/drive', { speed: 1, vehicle: 'agv' }, 'this scene has no vehicle with a name'],
  ['/drive', { linear: 1 }, 'drive takes "speed", "turn", "ms", "vehicle", not "linear"'],
  ['/drive/to', { x: 1 }, '"y" must be a number from -10000 to 10000 (m)'],
])('%s with %j is refused, and nothing moves', async (path, body, why) => {
  const scanner = await SceneScanner.start(wall);
  expect(await post(scanner.testScanner, path, body)).toEqual(refused(why));
  await pass(scanner, 1000);
  expect(await odometryOf(scanner)).toMatchObject({ x: 0, travelled: 0 });
});

test('a world has vehicles with names', async () => {
  const agv = { name: 'agv', x: 2 };
  const scanner = await SceneScanner.start({ ...wall, vehicles: [agv, { name: 'cart', y: 3 }] });
  await post(scanner.testScanner, '/drive', { speed: 1, ms: 1000, vehicle: 'cart' });
  await pass(scanner, 4000);
  expect(await odometryOf(scanner, 'cart')).toMatchObject({
    vehicle: 'cart',
    pose: { x: expect.closeTo(1, 9), y: 3, heading: 0 },
  });
  expect(await odometryOf(scanner, 'agv')).toMatchObject({ x: 0, pose: { x: 2, y: 0 } });
  expect((await look(scanner.testScanner, '/odometry?vehicle=agw')).json).toEqual({
    error: 'unknown vehicle "agw" (did you mean "agv"?); expected agv, cart',
  });
  expect((await look(scanner.testScanner, '/odometry?name=agv')).json).toEqual({
    error: 'odometry takes "vehicle", not "name"',
  });
});

test('a drive and a path exclude each other in a scene', async () => {
  const scanner = { drive: {}, path: { waypoints: [{ t: 0, x: 0, y: 0 }] } };
  await expect(SceneScanner.start({ ...wall, scanner })).rejects.toThrow(
    'scanner.drive: expected either a path, or a drive for commands',
  );
});

test('each beam is measured from the pose that the vehicle has at its time', async () => {
  const scanner = await SceneScanner.start(wall);
  await scanner.ahead();
  await post(scanner.testScanner, '/drive', { speed: 2, turn: 90 });
  for (let scans = 0; scans < 4; scans++) await scanner.ahead();
  const { beams } = (await look(scanner.testScanner, '/truth')).json;
  const seen = array(beams).flatMap((beam) => {
    const { angle, pose, surface } = object(beam);
    return surface === null ? [] : [{ angle: number(angle), pose: object(pose), surface: object(surface) }];
  });
  expect(seen.length).toBeGreaterThan(100);
  for (const { angle, pose, surface } of seen) {
    const direction = ((number(pose.heading) + angle) * Math.PI) / 180;
    const toWall = (5 - number(pose.x)) / Math.cos(direction);
    expect(number(surface.distance)).toBeCloseTo(toWall * 1000, 3);
  }
  const [first, last] = [seen[0], seen.at(-1)];
  expect(number(last?.pose.heading)).not.toBeCloseTo(number(first?.pose.heading), 1);
});

test('a command during a revolution changes the next one', async () => {
  const scanner = await SceneScanner.start(wall);
  await post(scanner.testScanner, '/drive', { speed: 1 });
  await pass(scanner, 2000);
  await scanner.ahead();
  // Into the next revolution, before most of its beams. It is measured at its begin.
  scanner.testScanner.clock.advance(20);
  await settled(1);
  const { json } = await post(scanner.testScanner, '/drive', { speed: -1, turn: 90 });
  const truth = async (time: number) => (await look(scanner.testScanner, `/truth?time=${time}`)).json;
  const headings = ({ beams }: Readonly<Record<string, unknown>>) =>
    array(beams).map((beam) => number(object(object(beam).pose).heading));
  const during = await truth(number(json.time));
  expect(number(object(array(during.beams).at(-1)).time)).toBeGreaterThan(number(json.time) + 20_000);
  expect(new Set(headings(during))).toEqual(new Set([0]));
  await scanner.ahead();
  expect(Math.max(...headings(await truth(number(json.time) + 66_667)))).toBeGreaterThan(0.1);
});
