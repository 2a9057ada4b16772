import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Scanner } from '@azimuth/client';
import { freePort } from '@azimuth/test-support/free-port';
import { ended, Reader, serve, temporaryFolder } from '@azimuth/test-support/serve-process';
import { describe, expect, test } from 'vitest';

const agv = fileURLToPath(new URL('../../../examples/worlds/agv.json', import.meta.url));

interface Ready {
  readonly scanners: Readonly<
    Record<string, { readonly url: string; readonly serial: string; readonly control: number } | undefined>
  >;
}

/** A world as a process of its own. */
async function started(flags: readonly string[], world = agv) {
  const child = serve({ flags: ['--world', world, '--json', ...flags] });
  const output = new Reader(child.stdout);
  await output.until((text) => text.includes('\n'));
  const ready: Ready = JSON.parse(output.text);
  const of = (name: string) => {
    const scanner = ready.scanners[name];
    if (scanner === undefined) throw new TypeError(`no scanner ${name}`);
    return scanner;
  };
  const control = async (name: string, path: string, body?: object) => {
    const url = `http://127.0.0.1:${of(name).control}/${path}`;
    const response = await fetch(url, body && { method: 'POST', body: JSON.stringify(body) });
    return response.json();
  };
  return { child, ready, of, control };
}

/** A world file in a new folder. */
async function worldFile(content: object): Promise<string> {
  const file = join(temporaryFolder(), 'yard.json');
  await writeFile(file, JSON.stringify(content));
  return file;
}

describe('azimuth serve --world', () => {
  test('runs all scanners of the file, and tells them in one line', async () => {
    const { child, ready, of } = await started(['--data', temporaryFolder()]);
    expect(Object.keys(ready.scanners)).toEqual(['gate', 'front', 'rear']);
    const serials = await Promise.all(
      ['gate', 'front', 'rear'].map((name) => new Scanner({ url: of(name).url }).read('SerialNumber')),
    );
    expect(serials).toEqual(['gate', 'front', 'rear'].map((name) => of(name).serial));
    expect(new Set(serials).size).toBe(3);
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
  });

  test('keeps each scanner in a folder of its name, for which a second process has to wait', async () => {
    const folder = temporaryFolder();
    const first = await started(['--data', folder]);
    const second = await ended(serve({ flags: ['--world', agv, '--data', folder] }));
    expect(second.exitCode).toBe(1);
    expect(second.stderr).toContain(join(folder, 'gate'));
    first.child.kill('SIGTERM');
    await once(first.child, 'exit');
    const third = await started(['--data', folder]);
    expect(third.of('rear').serial).toBe(first.of('rear').serial);
  });

  test('takes serial numbers and ports from the file, and control ports that count on', async () => {
    const [http, control] = [await freePort(), await freePort()];
    const world = await worldFile({
      scanners: [
        { name: 'a', serial: 'SN1', ports: { http, control } },
        { name: 'b', x: 2 },
      ],
    });
    const {
      ready,
      of,
      control: ask,
    } = await started(['--control-port', '0', '--data', temporaryFolder()], world);
    expect(of('a')).toMatchObject({ serial: 'SN1', http, control });
    expect(of('b').control).toBeTypeOf('number');
    expect(await ask('b', 'scene/places')).toMatchObject({
      scanner: { x: 2 },
      scanners: [{ name: 'a' }, { name: 'b' }],
    });
    expect(ready).toMatchObject({ ready: true });
  });

  test('gives the velocity port to one scanner, and drives a vehicle at any control port', async () => {
    const world = await worldFile({
      scanners: [{ name: 'gate' }],
      vehicles: [{ name: 'agv', x: 1, scanners: [{ name: 'front' }, { name: 'rear', heading: 180 }] }],
    });
    const flags = ['--velocity-port', '0', '--control-port', '0', '--data', temporaryFolder()];
    const { ready, control } = await started(flags, world);
    expect(ready.scanners).toMatchObject({
      gate: { velocity: null },
      front: { velocity: expect.any(Number) },
      rear: { velocity: null },
    });
    await control('gate', 'drive/to', { x: 3, y: 2, vehicle: 'agv' });
    await control('rear', 'clock/advance', { ms: 1000 });
    expect(await control('front', 'odometry')).toMatchObject({ vehicle: 'agv', pose: { x: 3, y: 2 } });
  });

  test('has one clock and one scene for all: time travel and edits at one control port', async () => {
    const flags = ['--clock', 'virtual', '--control-port', '0', '--data', temporaryFolder()];
    const { control } = await started(flags);
    expect(await control('front', 'clock/advance', { ms: 4000 })).toEqual({ ok: true });
    const places = await control('rear', 'scene/places');
    expect(places).toMatchObject({ time: 4, vehicles: [{ name: 'agv', x: -2.25 }] });
    await control('gate', 'actors/remove', { name: 'forklift' });
    expect(await control('rear', 'scene/places')).toMatchObject({ actors: [] });
    await control('front', 'power-cycle', {});
    await control('rear', 'clock/advance', { ms: 3000, measure: true });
    expect(await control('front', '')).toMatchObject({ up: true, clock: { uptime: 1 } });
    expect(await control('rear', '')).toMatchObject({ up: true, clock: { uptime: 7 } });
    expect(await control('front', 'scene/places')).toMatchObject({ time: 7 });
  });

  test.each([
    [['--scene', 'gate'], '--scene cannot be used with --world: it is for a single scanner'],
    [['--serial', '1'], '--serial cannot be used with --world'],
    [['--port', '8080'], '--port cannot be used with --world: the world file has the ports'],
    [['--network', 'rebind'], '--network cannot be used with --world'],
    [['--world', 'nowhere.json'], '--world: nowhere.json: there is no such file'],
    [
      ['--world', 'gate'],
      'expected "scanners", or "vehicles" with "scanners"; a scene with one scanner is for --scene',
    ],
  ])('refuses %j', async (flags, why) => {
    const { exitCode, stderr } = await ended(serve({ flags: ['--world', agv, ...flags] }));
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain(why);
  });

  test('starts no scanner if one cannot start', async () => {
    const port = await freePort();
    const world = await worldFile({
      scanners: [
        { name: 'a', ports: { http: port } },
        { name: 'b', ports: { http: port } },
      ],
    });
    const folder = temporaryFolder();
    const { exitCode, stderr } = await ended(serve({ flags: ['--world', world, '--data', folder] }));
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(new RegExp(`^azimuth: b: .*${port}`, 'm'));
  });

  test('is pointed to by --scene with a world', async () => {
    const { exitCode, stderr } = await ended(serve({ flags: ['--scene', agv] }));
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain(
      'the scene is a world of several scanners: gate, front, rear; start it with --world',
    );
  });
});
