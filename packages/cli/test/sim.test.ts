import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { ContaminationStrategy, contaminationIndication, ethernet, operatingData } from '@azimuth/model';
import { parseScene, SceneCore } from '@azimuth/simulation/world';
import { listening } from '@azimuth/test-support/listening';
import { temporaryFolder } from '@azimuth/test-support/serve-process';
import { bootMilliseconds, TestScanner } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { azimuth } from './run.js';

const silent = { stdout: '', stderr: '', exitCode: 0 };
const box = { center: [0, 0], size: [1, 1] };
const scene = {
  name: 'Hall',
  actors: [
    { name: 'cart', boxes: [box], path: { waypoints: [{ t: 0, x: 3, y: 0 }] } },
    {
      name: 'robot',
      path: {
        repeat: 'loop',
        waypoints: [
          { t: 0, x: 3, y: 0 },
          { t: 5, x: 3, y: 4 },
        ],
      },
    },
  ],
};

let scanner: TestScanner;
let core: SceneCore;
beforeEach(async () => {
  core = new SceneCore({ scene: parseScene(scene, 'hall.json'), seed: 1 });
  scanner = await TestScanner.start({ core, controlPort: 0 });
  vi.stubEnv('AZIMUTH_CONTROL', `http://127.0.0.1:${scanner.controlPort}`);
});

const sim = (...argv: readonly string[]) => azimuth('sim', ...argv);

function file(name: string, json: unknown): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, typeof json === 'string' ? json : JSON.stringify(json));
  return path;
}

describe('sim', () => {
  test.each([[], ['status']])('%j prints the whole state', async (...argv) => {
    await sim('temperature', '60');
    expect(await sim(...argv)).toMatchObject({ stderr: '', exitCode: 0 });
    const lines = (await sim(...argv)).stdout.split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'up             yes',
        'temperature    60 °C, set',
        'network        192.168.0.1, mask 255.255.255.0 (static)',
        'state          measuring, 0 scans',
        'scene          Hall: cart, robot',
        'encoder        0 mm/s',
        'contamination  none',
        `http           127.0.0.1:${scanner.httpPort}`,
        'https          off',
      ]),
    );
  });

  test('prints the state as JSON with --json', async () => {
    expect(JSON.parse((await sim('--json')).stdout)).toMatchObject({
      up: true,
      temperature: 22,
      scene: { name: 'Hall', actors: ['cart', 'robot'] },
      commands: expect.arrayContaining(['power-cycle', 'actors/move']),
    });
    expect((await sim('encoder', '5', '--json')).stdout).toBe('{"ok":true}\n');
  });

  test('finds the control port by --control before AZIMUTH_CONTROL, anywhere on the line', async () => {
    const url = `127.0.0.1:${scanner.controlPort}`;
    vi.stubEnv('AZIMUTH_CONTROL', 'http://127.0.0.1:1');
    expect(await sim('encoder', '7', '--control', url)).toEqual(silent);
    expect(await sim('--control', url, 'actor', 'remove', 'robot')).toEqual(silent);
    expect(await sim('--control', '127.0.0.1:1', 'encoder', '9', '--control', url)).toEqual(silent);
    expect((await sim('encoder', '8')).exitCode).toBe(3);
    expect(scanner.service.device.hardware.encoder()).toEqual({ kind: 'speed', speed: 9 });
    expect(core.scene.actors).toHaveLength(1);
  });

  test('contamination says where nothing follows, as the scanner does not watch its screen', async () => {
    const said = /^azimuth: Contamination detection is off, .*eStrategy=CM_STRATEGY_SENSITIVE\n$/;
    const dirty = await sim('contamination', '0.4');
    expect(dirty).toMatchObject({ stdout: '', exitCode: 0, stderr: expect.stringMatching(said) });
    expect(scanner.service.device.hardware.contamination?.()[0]).toBe(0.4);
    expect(await sim('contamination', '0.4', '--json')).toMatchObject({
      stdout: '{"ok":true}\n',
      stderr: expect.stringMatching(said),
    });
    expect(await sim('contamination', '0')).toEqual(silent);
    const { ContaminationConfig } = contaminationIndication.members;
    const { parameters } = scanner.service.device;
    const config = parameters.read(ContaminationConfig);
    parameters.change((change) =>
      change.set(ContaminationConfig, { ...config, eStrategy: ContaminationStrategy.CM_STRATEGY_SENSITIVE }),
    );
    expect(await sim('contamination', '0.4')).toEqual(silent);
  });

  test('contamination says that a variant does not watch its screen', async () => {
    const basic = await TestScanner.start({ variant: 'basic', controlPort: 0 });
    vi.stubEnv('AZIMUTH_CONTROL', `http://127.0.0.1:${basic.controlPort}`);
    const { stderr } = await sim('contamination', '0.4');
    expect(stderr).toMatch(/^azimuth: This variant has no contamination detection, /);
  });

  test('has examples in its help', async () => {
    const { stdout } = await sim('--help');
    expect(stdout).toContain('Usage: azimuth sim [options] [command]\n');
    expect(stdout).toMatch(/Examples:\n +azimuth serve --control-port/);
  });
});

describe('the surroundings of the scanner', () => {
  test.each([
    ['250ms', 250],
    ['30s', 30_000],
    ['1.5min', 90_000],
    ['2h', 7_200_000],
    ['7d', 604_800_000],
  ])('advance %s moves the clock on', async (duration, milliseconds) => {
    expect(await sim('advance', duration)).toEqual(silent);
    expect(scanner.clock.monotonic()).toBe(milliseconds);
  });

  test('power-cycle switches the scanner off and on', async () => {
    expect(await sim('power-cycle')).toEqual(silent);
    expect((await sim()).stdout).toMatch(/^up +no\n/);
    await sim('advance', `${bootMilliseconds}ms`);
    await until(() => scanner.service.device.lifecycle.phase === 'up');
    expect(scanner.service.device.read(operatingData.members.PowerOnCnt)).toBe(2);
  });

  test('temperature fixes it, also below zero, and releases it', async () => {
    const { hardware } = scanner.service.device;
    expect(await sim('temperature', '-20.5')).toEqual(silent);
    expect(hardware.temperature()).toBe(-20.5);
    expect(await sim('temperature', 'auto')).toEqual(silent);
    await sim('advance', '1d');
    expect(hardware.temperature()).toBe(32.5);
  });

  test('encoder sets its speed in both directions', async () => {
    expect(await sim('encoder', '-250')).toEqual(silent);
    expect(scanner.service.device.hardware.encoder()).toEqual({ kind: 'speed', speed: -250 });
    expect(await sim('reference', '1')).toEqual(silent);
  });

  test('synchronised gives telegrams UTC, and ends it', async () => {
    const { synchronisation } = scanner.service.device.features;
    expect(await sim('synchronised', 'on')).toEqual(silent);
    expect(synchronisation.state).toMatchObject({ Synchronised: true, System: 'PTP' });
    expect(await sim('synchronised', 'off')).toEqual(silent);
    expect(synchronisation.state.Synchronised).toBe(false);
  });

  test('dhcp offers an address and withdraws it', async () => {
    const {
      parameters,
      features: { network },
    } = scanner.service.device;
    parameters.change((change) => change.set(ethernet.members.EtherAddressingMode, 1));
    network.activate();
    expect(await sim('dhcp', '10.0.0.42/8,10.0.0.1')).toEqual(silent);
    expect(network.reachable).toEqual({
      source: 'DHCP',
      address: [10, 0, 0, 42],
      mask: [255, 0, 0, 0],
      gateway: [10, 0, 0, 1],
    });
    expect((await sim()).stdout).toContain('10.0.0.42, mask 255.0.0.0 (DHCP)');
    expect(await sim('dhcp', 'none')).toEqual(silent);
    expect(network.reachable.source).toBe('static');
  });

  test('input drives a port, and contamination the front screen', async () => {
    const {
      hardware,
      features: { ports },
    } = scanner.service.device;
    expect(await sim('input', '1', 'high')).toEqual(silent);
    expect(ports.overview[0]?.driven).toBe(true);
    expect(await sim('input', '1', 'low')).toEqual(silent);
    expect(ports.overview[0]?.driven).toBe(false);
    expect((await sim('contamination', '0.5', '--sector', '3')).exitCode).toBe(0);
    expect(hardware.contamination?.()).toEqual([0, 0, 0.5, 0, 0, 0, 0]);
    const { stdout } = await sim();
    expect(stdout).toMatch(/^contamination +sector 3: 0\.5$/m);
    expect(stdout).toMatch(/^ports$\n(?: {2}.*\n){2} {2}3 {2}input, low, inactive/m);
    expect(await sim('contamination', '0')).toEqual(silent);
    expect((await sim()).stdout).toMatch(/^contamination +none$/m);
  });

  test('webserver is switched on and off', async () => {
    const { webserver } = scanner.service.device.features;
    expect(await sim('webserver', 'off')).toEqual(silent);
    expect(webserver.isEnabled).toBe(false);
    expect(await sim('webserver', 'on')).toEqual(silent);
    expect(webserver.isEnabled).toBe(true);
  });
});

describe('the scene', () => {
  test('scene accepts a predefined one by its name', async () => {
    expect(await sim('scene', 'gate')).toEqual(silent);
    expect(core.scene.name).toBe('Gate');
  });

  test('scene accepts a file, and prints one that it accepts again', async () => {
    expect(await sim('scene', file('yard.json', { name: 'Yard' }))).toEqual(silent);
    expect(core.scene).toMatchObject({ name: 'Yard', actors: [] });
    await sim('scene', 'gate');
    const before = core.scene;
    const { stdout } = await sim('scene');
    expect(stdout).toMatch(/^\{\n {2}"/);
    await sim('scene', 'empty-room');
    expect(await sim('scene', file('gate-again.json', stdout))).toEqual(silent);
    expect(core.scene).toEqual(before);
  });

  test('scene reads a ROS map and sends its walls, and prints a scene file with them', async () => {
    const map = join(temporaryFolder(), 'depot.yaml');
    writeFileSync(map, 'image: depot.pgm\nresolution: 0.05\norigin: [-1, 2, 0]');
    writeFileSync(join(dirname(map), 'depot.pgm'), 'P2 2 1 255 0 255');
    expect(await sim('scene', map)).toEqual(silent);
    expect(core.scene).toMatchObject({ name: 'depot', map: { outlines: 'M0 0h1v1h-1z', x: -1, y: 2 } });
    const before = core.scene;
    const { stdout } = await sim('scene');
    await sim('scene', 'empty-room');
    expect(await sim('scene', file('depot.json', stdout))).toEqual(silent);
    expect(core.scene).toEqual(before);
  });

  test('the control port takes no name of a map: the scanner would read a file of somebody else', async () => {
    const sent = await fetch(`http://127.0.0.1:${scanner.controlPort}/scene`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ map: 'depot.yaml' }),
    });
    expect(await sent.text()).toContain('map: expected the walls of a map');
    expect(core.scene.name).toBe('Hall');
  });

  test('actor list prints where they are, or move to', async () => {
    expect((await sim('actor', 'list')).stdout).toBe(
      'cart   at 3, 0, heading 0\nrobot  on a path of 2 waypoints, loop\n',
    );
    const [cart] = JSON.parse((await sim('actor', 'list', '--json')).stdout);
    expect(cart).toMatchObject({ name: 'cart', path: { waypoints: [{ t: 0, x: 3, y: 0 }] } });
  });

  test('actor add, move and remove', async () => {
    const post = { name: 'post', circles: [{ center: [0, 0], radius: 0.1 }], path: scene.actors[0]?.path };
    expect(await sim('actor', 'add', file('post.json', post))).toEqual(silent);
    expect(core.scene.actors.at(-1)).toMatchObject({ name: 'post' });
    expect(await sim('actor', 'move', 'post', '-2.5', '-0.4', '90')).toEqual(silent);
    expect(core.scene.actors.at(-1)?.path.waypoints).toEqual([{ t: 0, x: -2.5, y: -0.4, heading: 90 }]);
    expect(await sim('actor', 'move', 'robot', '1', '2')).toEqual(silent);
    expect((await sim('actor', 'list')).stdout).toContain('robot  at 1, 2, heading 0\n');
    expect(await sim('actor', 'remove', 'post')).toEqual(silent);
    expect(core.scene.actors.map(({ name }) => name)).toEqual(['cart', 'robot']);
  });
});

describe('what cannot be is one line, and changes nothing', () => {
  test.each([
    [['advance', '30'], 'expected a duration like 30s, 1.5min, 2h or 7d (also ms), got "30"'],
    [['advance', '3m'], 'expected a duration like 30s, 1.5min, 2h or 7d (also ms), got "3m"'],
    [['advance', '500d'], '"ms" must be a number from 0 to 34560000000 (400 days)'],
    [['temperature', 'warm'], 'temperature: expected a number, got "warm"'],
    [['temperature', '999'], '"celsius" must be a number from -100 to 200'],
    [['input', '1', 'up'], 'level: expected high or low, got "up"'],
    [['input', 'one', 'high'], 'port: expected a number, got "one"'],
    [['contamination', '0.4', '--sector', 'x'], '--sector: expected a number, got "x"'],
    [['reference', '3'], '"signal" must be 1 or 2'],
    [
      ['dhcp', '10.0.0'],
      'dhcp: expected an address like 10.0.0.42/24 or 10.0.0.42/24,10.0.0.1 or none, got "10.0.0"',
    ],
    [['webserver', 'maybe'], 'webserver: expected on or off, got "maybe" (Invalid Data)'],
    [['actor', 'move', 'crat', '1', '2'], 'there is no actor "crat": the scene has "cart", "robot"'],
    [['actor', 'move', 'cart', '1', 'left'], 'y: expected a number, got "left"'],
    [['actor', 'remove', 'crat'], 'there is no actor "crat": the scene has "cart", "robot"'],
    [['advnce', '3s'], "unknown command 'sim advnce'; did you mean advance?"],
    [['adress', '1', '2'], "unknown command 'sim adress'"],
    [['--clear'], "unknown option '--clear'"],
    [
      ['--control', 'ftp://x'],
      'expected the URL of a control port like http://127.0.0.1:9000, got "ftp://x"',
    ],
    [['--control', 'http://a:b@x'], 'the URL of a control port must not contain a user or a password'],
    [['scene', './nope.json'], './nope.json: there is no such file'],
  ])('%j', async (argv, line) => {
    expect(await sim(...argv)).toEqual({ stdout: '', stderr: `azimuth: ${line}\n`, exitCode: 2 });
    expect(core.scene.actors).toHaveLength(2);
    expect(scanner.clock.monotonic()).toBe(0);
  });

  test('a scene or an actor with faults', async () => {
    const told = await sim('scene', file('hall.json', { wals: [] }));
    expect(told.stderr).toBe('azimuth: hall.json: unknown "wals" (did you mean "walls"?)\n');
    expect(told.exitCode).toBe(2);
    const actor = await sim('actor', 'add', file('a.json', { name: 'a', path: {} }));
    expect(actor.stderr).toMatch(/^azimuth: actor\.path\.waypoints: expected .*, got nothing\n$/);
    expect(actor.exitCode).toBe(2);
    const list = file('list.json', [1]);
    expect((await sim('actor', 'add', list)).stderr).toBe(`azimuth: ${list} is not a JSON object\n`);
    const broken = file('broken.json', '{');
    expect((await sim('actor', 'add', broken)).stderr).toContain(`azimuth: ${broken}: line 1, column `);
    const missing = join(temporaryFolder(), 'missing.json');
    expect((await sim('actor', 'add', missing)).stderr).toContain(`azimuth: ${missing} cannot be read: `);
    expect(core.scene.name).toBe('Hall');
  });

  test('nothing listens there', async () => {
    const port = scanner.controlPort;
    await scanner.service.close();
    expect(await sim('advance', '3s')).toEqual({
      stdout: '',
      stderr: `azimuth: nothing listens at http://127.0.0.1:${port}: start the scanner with --control-port ${port}\n`,
      exitCode: 3,
    });
  });

  test.each([
    ['text', 200, 'hello'],
    ['JSON of another kind', 200, '[1]'],
    ['no error in words', 404, '{"header":{"status":2}}'],
  ])('what answers is no control port: %s', async (_, status, body) => {
    const server = createServer((__, response) => response.writeHead(status).end(body));
    const port = await listening(server);
    expect(await sim('--control', `127.0.0.1:${port}`)).toEqual({
      stdout: '',
      stderr: `azimuth: http://127.0.0.1:${port} answers, but is not a control port\n`,
      exitCode: 3,
    });
  });
});
