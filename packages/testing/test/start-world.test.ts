import { decodeTelegram } from '@azimuth/client';
import type { SceneFile } from '@azimuth/simulation/world';
import { temporaryFolder } from '@azimuth/test-support/serve-process';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startScanner, startWorld, type WorldOptions } from '../src/index.js';
import { datagramDriver } from './datagram-driver.js';

/** A vehicle that drives to the east at 1 m/s, with two scanners, and a person who crosses its way. */
const yard: SceneFile = {
  noise: { enabled: false },
  polygons: [
    {
      points: [
        [-20, -20],
        [60, -20],
        [60, 20],
        [-20, 20],
      ],
    },
  ],
  vehicles: [
    {
      name: 'agv',
      boxes: [{ center: [0, 0], size: [1.6, 0.8] }],
      path: {
        waypoints: [
          { t: 0, x: 0, y: 0 },
          { t: 40, x: 40, y: 0 },
        ],
      },
      scanners: [
        { name: 'front', x: 0.85, y: 0.45, heading: 45, serial: 'FRONT' },
        { name: 'rear', x: -0.85, y: -0.45, heading: -135 },
      ],
    },
  ],
  actors: [
    {
      name: 'person',
      circles: [{ center: [0, 0], radius: 0.3 }],
      path: {
        waypoints: [
          { t: 0, x: 5, y: 4 },
          { t: 4, x: -5, y: 4 },
        ],
      },
    },
  ],
};

async function started(options: Partial<WorldOptions> = {}) {
  const world = await startWorld({ world: yard, ...options });
  onTestFinished(() => world.close());
  return world;
}

/** Streams to a socket of the test. Returns the numbers and times (µs) of the begins of all scans that have come. */
async function streamFrom(scanner: Awaited<ReturnType<typeof startScanner>>) {
  const driver = await datagramDriver();
  await scanner.write('ScanDataEthSettings', driver.destination);
  await scanner.write('ScanDataEnable', true);
  return () => {
    const begins = new Map<number, number>();
    for (const bytes of driver.received) {
      const decoded = decodeTelegram(bytes);
      if (decoded.kind !== 'scan') continue;
      for (const { frameNumber, firstBeamTime } of decoded.telegram.modules)
        if (!begins.has(frameNumber)) begins.set(frameNumber, firstBeamTime[0] ?? 0);
    }
    return [...begins];
  };
}

describe('a world of startWorld', () => {
  test('has all scanners of its file, each with its own ports, serial number and options', async () => {
    const world = await started({
      release: '2.3.1',
      scanners: { rear: { release: '2.1.0', serial: 'BACK' } },
    });
    expect(Object.keys(world.scanners)).toEqual(['front', 'rear']);
    const [front, rear] = [world.scanner('front'), world.scanner('rear')];
    expect(await front.client.read('SerialNumber')).toBe('FRONT');
    expect(await rear.client.read('SerialNumber')).toBe('BACK');
    expect(front.device.served.edition.release).toBe('2.3.1');
    expect(rear.device.served.edition.release).toBe('2.1.0');
    expect(front.url).not.toBe(rear.url);
  });

  test('lets time pass for all scanners at once, by the world or by one of them', async () => {
    const world = await started();
    const scansOf = await Promise.all(['front', 'rear'].map((name) => streamFrom(world.scanner(name))));
    await world.advance(1000);
    await world.scanner('rear').advance(1000);
    expect(world.world.now).toBe(2);
    for (const scans of scansOf) expect(scans()).toHaveLength(30);
  });

  test('shows the same person at the same place to both scanners, at equal times of theirs', async () => {
    const world = await started();
    const [front, rear] = [world.scanner('front'), world.scanner('rear')];
    for (const scanner of [front, rear]) await streamFrom(scanner);
    await world.advance(2000);
    const places = await Promise.all(
      [front, rear].map(async (scanner) => {
        const { beams, worldTime } = await scanner.truth({ scan: 28 });
        return { worldTime, sees: beams.some(({ surface }) => surface?.actor === 'person') };
      }),
    );
    expect(places[0]).toEqual({ worldTime: expect.closeTo(1.8, 6), sees: true });
    expect(places[1]?.worldTime).toBe(places[0]?.worldTime);
  });

  test('has one UTC: at equal stamps, both scanners are told the same place of a person who walks', async () => {
    // Each scanner stands at a wall of its own that walks with the person: 1 m/s away from both.
    const walking = {
      waypoints: [
        { t: 0, x: 5, y: 0 },
        { t: 20, x: 25, y: 0 },
      ],
    };
    const scene: SceneFile = {
      noise: { enabled: false },
      scanners: [
        { name: 'a', y: 0.5, housing: false },
        { name: 'b', x: -1, y: -0.5, housing: false },
      ],
      actors: [{ name: 'door', walls: [{ from: [0, -5], to: [0, 5] }], path: walking }],
    };
    const world = await started({ world: scene, synchronised: true });
    const [a, b] = [world.scanner('a'), world.scanner('b')];
    for (const scanner of [a, b]) await streamFrom(scanner);
    await world.advance(700);
    // The second one boots in between, so that its uptime and its scans differ from those of the first one.
    await b.powerCycle();
    await b.write('ScanDataEnable', true);
    await world.advance(1033);
    const truths = await Promise.all([a, b].map((scanner) => scanner.truth()));
    const doors = truths.map(({ beams }, index) => {
      const { time, surface } = beams.find(({ angle }) => Math.abs(angle) < 1e-6) ?? {};
      return { time: time ?? 0, x: (surface?.distance ?? 0) / 1000 - index };
    });
    const [first, second] = doors;
    if (first === undefined || second === undefined) throw new TypeError('two scanners');
    expect(first.time).toBeGreaterThan(1_700_000_000_000_000);
    // The door walks 1 µm in each µs: a place tells its time.
    const difference = first.x - second.x - (first.time - second.time) / 1_000_000;
    expect(Math.abs(difference)).toBeLessThanOrEqual(1.001e-6);
  });

  test('goes on while one scanner is off: the other streams without a gap, and paths do not begin anew', async () => {
    const world = await started();
    const [front, rear] = [world.scanner('front'), world.scanner('rear')];
    const scansOfRear = await streamFrom(rear);
    await front.write('ScanDataEnable', true);
    await world.advance(1000);
    front.device.lifecycle.powerCycle();
    await world.advance(3000);
    expect(front.device.lifecycle.phase).toBe('up');
    const scans = scansOfRear();
    expect(scans.map(([number]) => number)).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
    const uptime = front.device.features.measuring.microseconds() / 1_000_000;
    expect(uptime).toBeCloseTo(1, 6);
    const { vehicles } = JSON.parse(JSON.stringify(await placesOf(front)));
    expect(vehicles).toEqual([{ name: 'agv', x: 4, y: 0, heading: 0 }]);
  });

  test('has one scene: an edit by one scanner is seen by all', async () => {
    const world = await started();
    await world.scanner('front').simulation.moveActor('person', -3, -3);
    const { actors } = await placesOf(world.scanner('rear'));
    expect(actors).toEqual([{ name: 'person', x: -3, y: -3, heading: 0 }]);
    await expect(world.scanner('front').simulation.scene('gate')).rejects.toThrow(
      'expected a scene with the scanner front, got a scene without scanners that have names',
    );
  });

  test('stores each scanner in a folder of its own, and starts again from there', async () => {
    const folder = await temporaryFolder();
    const first = await startWorld({ world: yard, folder });
    await first.scanner('rear').client.write('LocationName', 'back');
    await first.scanner('rear').client.call('WriteEeprom');
    await first.close();
    const second = await started({ folder });
    expect(second.scanner('rear').read('LocationName')).toBe('back');
    expect(second.scanner('front').read('LocationName')).not.toBe('back');
  });

  test('goes on when one scanner is closed', async () => {
    const world = await started();
    await world.scanner('front').close();
    await world.advance(100);
    expect(world.world.now).toBe(0.1);
    await world.close();
    await expect(world.advance(1)).rejects.toThrow('closed');
  });

  test.each([
    [{ world: {} }, 'the world has no scanners'],
    [{ world: { scanners: [{ name: 'a b' }] } }, 'scanners[0].name: expected a name of up to 40'],
    [{ scanners: { fornt: {} } }, 'the world has no scanner fornt; did you mean front?'],
    [{ scanners: { front: { scene: 'gate' } } }, 'scanners.front has no option scene'],
    [{ scanners: { front: { serial: 'far too long' } } }, 'serial: expected up to 9 letters and digits'],
    [{ serial: '1' }, 'startWorld has no option serial'],
    [{ clokc: 'real' }, 'startWorld has no option clokc; did you mean clock?'],
  ])('is not started with %j', async (options, why) => {
    const all: object = { world: yard, ...options };
    // @ts-expect-error: tests in JavaScript have no compiler
    await expect(startWorld(all)).rejects.toThrow(why);
  });

  test('is not a scene for a scanner alone', async () => {
    await expect(startScanner({ scene: yard })).rejects.toThrow(
      'the scene is a world of several scanners: front, rear; start it with --world or startWorld',
    );
  });
});

async function placesOf(scanner: Awaited<ReturnType<typeof startScanner>>) {
  const core = await scanner.device.features.measuring.coreMade();
  if (core === undefined || !('places' in core) || typeof core.places !== 'function')
    throw new TypeError('no scene');
  return core.places();
}
