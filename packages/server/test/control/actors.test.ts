import { beforeEach, describe, expect, test } from 'vitest';
import { done, look, post, refused } from './control-client.js';
import { room, SceneScanner } from './room.js';

let scanner: SceneScanner;
beforeEach(async () => {
  scanner = await SceneScanner.start();
});

const send = (path: string, body: unknown) => post(scanner.testScanner, path, body);
const actors = async () => (await look(scanner.testScanner, '/scene')).json.actors;

const post1 = {
  name: 'post',
  circles: [{ center: [0, 0], radius: 0.25 }],
  path: { waypoints: [{ t: 0, x: 1.5, y: 0 }] },
};

describe('an actor', () => {
  test('that is moved is measured at its new place', async () => {
    // The front of the box is nearer than its middle by half its length.
    expect(await scanner.ahead()).toBe(2000);
    expect(await send('/actors/move', { name: 'cart', x: 4, y: 0 })).toEqual(done);
    expect(await scanner.ahead()).toBe(3000);
    // The box crosses the beam with half its width.
    expect(await send('/actors/move', { name: 'cart', x: 4, y: 0.2, heading: 90 })).toEqual(done);
    expect(await scanner.ahead()).toBe(3500);
    // The box is out of the beam: the wall is visible.
    expect(await send('/actors/move', { name: 'cart', x: 4, y: -0.6, heading: 360 })).toEqual(done);
    expect(await scanner.ahead()).toBe(5000);
  });

  test('that follows a path stops at its new place and keeps its shape', async () => {
    const path = {
      repeat: 'loop',
      waypoints: [
        { t: 0, x: 3, y: 0 },
        { t: 9, x: 3, y: 9 },
      ],
    };
    scanner = await SceneScanner.start({ ...room, actors: [{ ...room.actors[0], path }] });
    await send('/actors/move', { name: 'cart', x: 2, y: 0 });
    scanner.testScanner.clock.advance(5000);
    expect(await scanner.ahead()).toBe(1000);
    expect(await actors()).toMatchObject([
      {
        name: 'cart',
        boxes: [{ size: [2, 1] }],
        path: { waypoints: [{ t: 0, x: 2, y: 0, heading: 0 }], repeat: 'stop' },
      },
    ]);
  });

  test('that is added is measured until it is removed', async () => {
    expect(await send('/actors/add', post1)).toEqual(done);
    expect(await scanner.ahead()).toBe(1250);
    expect(await actors()).toMatchObject([{ name: 'cart' }, { name: 'post' }]);
    expect(await send('/actors/remove', { name: 'post' })).toEqual(done);
    expect(await scanner.ahead()).toBe(2000);
    expect(await send('/actors/remove', { name: 'cart' })).toEqual(done);
    expect(await scanner.ahead()).toBe(5000);
    expect(await actors()).toEqual([]);
  });

  test('may be as large as a scene file', async () => {
    const circles = Array.from({ length: 5000 }, (_, index) => ({ center: [100, index], radius: 0.1 }));
    expect(await send('/actors/add', { ...post1, circles })).toEqual(done);
  });
});

describe('nothing changes, and the answer says why, when', () => {
  test.each([
    ['move', { name: 'crat', x: 1, y: 1 }, 'there is no actor "crat": the scene has "cart"'],
    ['remove', { name: 'Cart' }, 'there is no actor "Cart": the scene has "cart"'],
    ['move', { x: 1, y: 1 }, '"name" must be a text'],
    ['remove', { name: 7 }, '"name" must be a text'],
    ['remove', { name: '' }, '"name" must be a text'],
    ['move', { name: 'cart', x: 1 }, '"y" must be a number from -10000 to 10000 (m)'],
    ['move', { name: 'cart', x: '1', y: 1 }, '"x" must be a number from -10000 to 10000 (m)'],
    ['move', { name: 'cart', x: 1, y: 10_001 }, '"y" must be a number from -10000 to 10000 (m)'],
    [
      'move',
      { name: 'cart', x: 1, y: 1, heading: null },
      '"heading" must be a number from -36000 to 36000 (degrees)',
    ],
    ['move', { name: 'cart', x: 1, y: 1, z: 1 }, 'actors/move takes "name", "x", "y", "heading", not "z"'],
    ['remove', { name: 'cart', x: 1 }, 'actors/remove takes "name", not "x"'],
    ['add', { ...post1, name: 'cart' }, 'there is already an actor "cart"'],
    ['add', { path: post1.path }, '"name" must be a text'],
    [
      'add',
      { name: 'post' },
      'actor.path: expected a path like {"waypoints": [{"t": 0, "x": 1, "y": 0}]}, got nothing',
    ],
    ['add', { ...post1, circle: [] }, 'actor: unknown "circle" (did you mean "circles"?)'],
    [
      'add',
      { ...post1, circles: [{ center: [0, 0], radius: 0.1, material: 'gray' }] },
      'actor.circles[0].material: unknown material "gray" (did you mean "grey"?)',
    ],
  ])('actors/%s is given %j', async (command, body, error) => {
    expect(await send(`/actors/${command}`, body)).toEqual(refused(error));
    expect(await actors()).toMatchObject([{ name: 'cart', path: { waypoints: [{ x: 3 }] } }]);
  });

  test('two actors have one name', async () => {
    scanner = await SceneScanner.start({ ...room, actors: [room.actors[0], room.actors[0]] });
    const error = '2 actors have the name "cart"; expected a unique name';
    expect(await send('/actors/move', { name: 'cart', x: 1, y: 1 })).toEqual(refused(error));
    expect(await send('/actors/remove', { name: 'cart' })).toEqual(refused(error));
  });

  test('there are none', async () => {
    scanner = await SceneScanner.start({ noise: { enabled: false } });
    const told = await send('/actors/move', { name: 'cart', x: 1, y: 1 });
    expect(told).toEqual(refused('there is no actor "cart": the scene has none'));
  });

  test('the scene would be too large', async () => {
    const circles = Array.from({ length: 19_996 }, () => ({ center: [9, 9], radius: 0.1 }));
    // The wall is one line, the box has four.
    expect(await send('/actors/add', { ...post1, circles })).toEqual(
      refused('scene: expected at most 20000 lines and circles in all, got 20001'),
    );
    expect(await send('/actors/add', { ...post1, circles: circles.slice(1) })).toEqual(done);
  });
});

test('the overview names at most twenty actors', async () => {
  const many = Array.from({ length: 25 }, (_, index) => ({ ...post1, name: `post ${index}` }));
  scanner = await SceneScanner.start({ actors: many });
  const { json } = await send('/actors/remove', { name: 'post' });
  expect(json.error).toMatch(/^there is no actor "post": the scene has "post 0", .*"post 19", and 5 more$/);
});
