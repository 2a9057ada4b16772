import { SystemClock } from '@azimuth/device';
import { parseScene, World } from '@azimuth/simulation/world';
import { scannerFacts, someFleet } from '@azimuth/test-support/some-fleet';
import { expect, test } from 'vitest';

const yard = parseScene(
  {
    scanners: [{ name: 'gate' }, { name: 'dock', x: 3, heading: 180 }],
    actors: [
      {
        name: 'cart',
        circles: [{ center: [0, 0], radius: 0.2 }],
        path: { waypoints: [{ t: 0, x: 1.5, y: 1 }] },
      },
    ],
  },
  'yard.json',
);

async function ask(url: string, serial: string, path: string, body?: object) {
  const response = await fetch(
    `${url}/scanners/${serial}/x/sim${path}`,
    body && { method: 'POST', body: JSON.stringify(body) },
  );
  return response.json();
}

test('scanners of a fleet share the world of their group, whose time goes on while one has no power', async () => {
  const world = new World({ scene: yard, clock: new SystemClock() });
  const facts = scannerFacts(2, (number) => ({ mount: { world, scanner: number === 1 ? 'gate' : 'dock' } }));
  const { fleet, url } = await someFleet(facts);
  expect(await ask(url, '1', '/scene/places')).toMatchObject({
    scanner: { x: 0 },
    actors: [{ name: 'cart', x: 1.5 }],
  });
  expect(await ask(url, '2', '/scene/places')).toMatchObject({ scanner: { x: 3 } });
  expect(await ask(url, '1', '/actors/move', { name: 'cart', x: 2, y: 1 })).toEqual({ ok: true });
  expect(await ask(url, '2', '/scene/places')).toMatchObject({ actors: [{ name: 'cart', x: 2 }] });
  expect(await ask(url, '1', '/clock/advance', { ms: 1000 })).toEqual({
    error:
      'the scanners of a world in a fleet have the time of this computer; for time travel, use azimuth serve --world',
  });
  const before = await ask(url, '2', '/scene/places');
  await fleet.switchOff(fleet.virtualMatching('2'));
  await fleet.switchOn(fleet.virtualMatching('2'));
  const after = await ask(url, '2', '/scene/places');
  expect(after.time).toBeGreaterThan(before.time);
  expect(after).toMatchObject({ actors: [{ name: 'cart', x: 2 }] });
});

test('the world of a scanner alone goes on while it rests, and while it has no power', async () => {
  const { fleet, url } = await someFleet(scannerFacts(1));
  const before = await ask(url, '1', '/scene/places');
  await fleet.switchOff(fleet.virtualMatching('1'));
  await fleet.switchOn(fleet.virtualMatching('1'));
  const after = await ask(url, '1', '/scene/places');
  expect(before.time).toBeGreaterThan(0);
  expect(after.time).toBeGreaterThan(before.time);
});
