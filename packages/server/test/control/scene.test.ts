import { FlatCore } from '@azimuth/test-support/flat-core';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { expect, test } from 'vitest';
import { done, look, post, refused } from './control-client.js';
import { room, SceneScanner } from './room.js';

test('the scene is returned in the form of a scene file, and can be set again', async () => {
  const { testScanner } = await SceneScanner.start();
  const { status, json } = await look(testScanner, '/scene');
  expect(status).toBe(200);
  expect(json).toMatchObject({ name: 'Room', walls: room.walls, noise: { enabled: false } });
  expect(await post(testScanner, '/scene', json)).toEqual(done);
  expect((await look(testScanner, '/scene')).json).toEqual(json);
});

test('another scene is measured from the next revolution on', async () => {
  const scanner = await SceneScanner.start();
  expect(await scanner.ahead()).toBe(2000);
  const walls = [{ from: [1.75, -1], to: [1.75, 1] }];
  expect(await post(scanner.testScanner, '/scene', { noise: { enabled: false }, walls })).toEqual(done);
  expect(await scanner.ahead()).toBe(1750);
  expect((await look(scanner.testScanner, '/scene')).json).toMatchObject({ name: '', actors: [] });
});

test('a name alone chooses a ready scene', async () => {
  const { testScanner } = await SceneScanner.start();
  expect(await post(testScanner, '/scene', { name: 'gate' })).toEqual(done);
  expect((await look(testScanner, '/scene')).json).toMatchObject({ name: 'Gate' });
});

test('without a choice a scanner has the default scene', async () => {
  const testScanner = await TestScanner.start({ controlPort: 0 });
  expect((await look(testScanner, '/scene')).json).toMatchObject({ name: 'Warehouse aisle' });
  expect(await post(testScanner, '/scene', { name: 'empty-room' })).toEqual(done);
  expect((await look(testScanner, '/scene')).json).toMatchObject({ name: 'Empty room' });
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
])('%j is not a valid scene: the answer says why, and nothing changes', async (body, error) => {
  const { testScanner } = await SceneScanner.start();
  const { status, json } = await post(testScanner, '/scene', body);
  expect([status, json.error]).toEqual([400, expect.stringMatching(error)]);
  expect((await look(testScanner, '/scene')).json).toMatchObject({ name: 'Room' });
});

test('a scene may be as large as a scene file, and no larger', async () => {
  const { testScanner } = await SceneScanner.start();
  const blanks = (bytes: number) => ' '.repeat(bytes - 12);
  const largest = 8 * 1024 * 1024;
  expect(await post(testScanner, '/scene', `{"walls":[]${blanks(largest)}}`)).toEqual(done);
  const told = await post(testScanner, '/scene', `{"walls":[]${blanks(largest + 1)}}`);
  expect(told).toEqual(refused('expected a body of at most 8388608 bytes'));
});

test.each(['/scene', '/scene/places'])('a scanner without a scene has no %s', async (path) => {
  const testScanner = await TestScanner.start({ core: new FlatCore(), controlPort: 0 });
  expect((await look(testScanner, path)).status).toBe(400);
});

test.each([
  ['/scene', { name: 'gate' }],
  ['/actors/add', { name: 'post', path: { waypoints: [{ t: 0, x: 1, y: 0 }] } }],
  ['/actors/move', { name: 'post', x: 1, y: 0 }],
  ['/actors/remove', { name: 'post' }],
])('a scanner without a scene refuses %s', async (path, body) => {
  const testScanner = await TestScanner.start({ core: new FlatCore(), controlPort: 0 });
  const error = 'this scanner has no scene: it plays a recording, or uses another measuring core';
  expect(await post(testScanner, path, body)).toEqual(refused(error));
  expect(await look(testScanner, '/scene')).toEqual(refused(error));
  expect((await look(testScanner, '/')).json).toMatchObject({ scene: null });
});
