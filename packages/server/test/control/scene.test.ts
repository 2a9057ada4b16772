import { expect, test } from 'vitest';
import { FlatCore } from '../../../../tests/support/flat-core.js';
import { Bench } from '../../../../tests/support/service-test-bench.js';
import { done, look, post, refused } from './control-client.js';
import { RoomBench, room } from './room.js';

test('a scene is told as a scene file has it, and can be given back', async () => {
  const { bench } = await RoomBench.start();
  const { status, json } = await look(bench, '/scene');
  expect(status).toBe(200);
  expect(json).toMatchObject({ name: 'Room', walls: room.walls, noise: { enabled: false } });
  expect(await post(bench, '/scene', json)).toEqual(done);
  expect((await look(bench, '/scene')).json).toEqual(json);
});

test('another scene is seen from the next turn on', async () => {
  const scanner = await RoomBench.start();
  expect(await scanner.ahead()).toBe(2000);
  const walls = [{ from: [1.75, -1], to: [1.75, 1] }];
  expect(await post(scanner.bench, '/scene', { noise: { enabled: false }, walls })).toEqual(done);
  expect(await scanner.ahead()).toBe(1750);
  expect((await look(scanner.bench, '/scene')).json).toMatchObject({ name: '', actors: [] });
});

test('a name by itself is that of a ready scene', async () => {
  const { bench } = await RoomBench.start();
  expect(await post(bench, '/scene', { name: 'gate' })).toEqual(done);
  expect((await look(bench, '/scene')).json).toMatchObject({ name: 'Gate' });
});

test('a scanner that was told nothing has the usual scene', async () => {
  const bench = await Bench.start({ controlPort: 0 });
  expect((await look(bench, '/scene')).json).toMatchObject({ name: 'Warehouse aisle' });
  expect(await post(bench, '/scene', { name: 'empty-room' })).toEqual(done);
  expect((await look(bench, '/scene')).json).toMatchObject({ name: 'Empty room' });
});

test.each([
  [{ name: 'gat' }, /^unknown scene "gat" \(did you mean "gate"\?\); the ready scenes are empty-room, /],
  [{ name: '../scenes/gate' }, /^unknown scene "\.\.\/scenes\/gate"/],
  [{ name: 7 }, /^scene: name: expected a text, got 7$/],
  ['', /^expected a scene, or \{"name": …\} for a ready one$/],
  ['{}', /^expected a scene/],
  ['{"walls":', /^expected a JSON object$/],
  [{ wals: [] }, /^scene: unknown "wals" \(did you mean "walls"\?\)$/],
  [
    { walls: [{ from: [0, 0], to: 'left' }, {}] },
    /^scene: walls\[0\]\.to: expected two numbers \[x, y\] in m, got "left"\nscene: walls\[1\]\.from: .*\nscene: walls\[1\]\.to: /,
  ],
])('%j is no scene: the answer says why, and all stays as it was', async (body, error) => {
  const { bench } = await RoomBench.start();
  const { status, json } = await post(bench, '/scene', body);
  expect([status, json.error]).toEqual([400, expect.stringMatching(error)]);
  expect((await look(bench, '/scene')).json).toMatchObject({ name: 'Room' });
});

test('a scene may be as large as a scene file, and no larger', async () => {
  const { bench } = await RoomBench.start();
  const blanks = (bytes: number) => ' '.repeat(bytes - 12);
  const largest = 8 * 1024 * 1024;
  expect(await post(bench, '/scene', `{"walls":[]${blanks(largest)}}`)).toEqual(done);
  const told = await post(bench, '/scene', `{"walls":[]${blanks(largest + 1)}}`);
  expect(told).toEqual(refused('expected a body of at most 8388608 bytes'));
});

test.each([
  ['/scene', { name: 'gate' }],
  ['/actors/add', { name: 'post', path: { waypoints: [{ t: 0, x: 1, y: 0 }] } }],
  ['/actors/move', { name: 'post', x: 1, y: 0 }],
  ['/actors/remove', { name: 'post' }],
])('a scanner that measures no scene refuses %s', async (path, body) => {
  const bench = await Bench.start({ core: new FlatCore(), controlPort: 0 });
  const error = 'this scanner has no scene: it plays a recording, or uses another measuring core';
  expect(await post(bench, path, body)).toEqual(refused(error));
  expect(await look(bench, '/scene')).toEqual(refused(error));
  expect((await look(bench, '/')).json).toMatchObject({ scene: null });
});
