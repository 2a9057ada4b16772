import { readyScenes } from '@azimuth/simulation/world';
import { expect, test } from 'vitest';
import { done, look, post } from './control-client.js';
import { room, SceneScanner } from './room.js';

const places = async ({ testScanner }: SceneScanner) => (await look(testScanner, '/scene/places')).json;

test('the places follow the paths with the uptime of the scanner', async () => {
  const path = {
    repeat: 'back-and-forth',
    waypoints: [
      { t: 0, x: 2, y: 0 },
      { t: 4, x: 2, y: 4 },
    ],
  };
  const scanner = await SceneScanner.start({
    ...room,
    actors: [{ ...room.actors[0], path }],
    scanner: { x: 1, y: -0.5, heading: 270 },
  });
  const up = Number((await places(scanner)).time);
  expect(await post(scanner.testScanner, '/clock/advance', { ms: 1000 })).toEqual(done);
  const { time, actors, scanner: own } = await places(scanner);
  expect(time).toBeCloseTo(up + 1);
  expect(own).toEqual({ x: 1, y: -0.5, heading: -90 });
  expect(actors).toEqual([{ name: 'cart', x: 2, y: Math.round((up + 1) * 1000) / 1000, heading: 90 }]);
});

test('an actor that was moved is where it was put', async () => {
  const scanner = await SceneScanner.start();
  await post(scanner.testScanner, '/actors/move', { name: 'cart', x: 4, y: -0.25, heading: 540 });
  expect((await places(scanner)).actors).toEqual([{ name: 'cart', x: 4, y: -0.25, heading: 180 }]);
});

test('the ready scenes are listed with what is in them', async () => {
  const scanner = await SceneScanner.start();
  const { scenes } = (await look(scanner.testScanner, '/scenes')).json;
  expect(scenes).toEqual(
    readyScenes.map((name) => ({
      name,
      title: expect.any(String),
      description: expect.stringMatching(/\.$/),
    })),
  );
});
