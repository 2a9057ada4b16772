import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { azimuth } from '@azimuth/test-support/command-process';
import { temporaryFolder } from '@azimuth/test-support/files';
import { firmware, signer } from '@azimuth/test-support/firmware';
import { FleetProcess } from '@azimuth/test-support/fleet-process';
import { freePort } from '@azimuth/test-support/free-port';
import { object, parse } from '@azimuth/test-support/json';
import { listening } from '@azimuth/test-support/listening';
import { RawConnection } from '@azimuth/test-support/raw-connection';
import { until } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';

test('runs scanners, lists them, acts on them, and ends cleanly', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'fleet.yaml');
  writeFileSync(
    file,
    'groups: {hall: {count: 40, serial: "2300##", parameters: {LocationName: "Hall {n}"}}, gate: {count: 2, serial: "77##"}}',
  );
  const fleet = await FleetProcess.start(file, '--data', join(folder, 'data'));
  expect(fleet.scanners).toBe(42);
  const run = (...words: readonly string[]) => azimuth(words, undefined, { AZIMUTH_FLEET: fleet.url });
  expect(await run('get', 'LocationName', '--device', `${fleet.url}/scanners/230007`)).toMatchObject({
    stdout: 'Hall 7\n',
    code: 0,
  });
  const many = await run('get', 'SerialNumber', '--device', `${fleet.url}/scanners/gate/*`);
  expect(many).toMatchObject({ stdout: '7701  7701\n7702  7702\n', code: 0 });
  expect(await run('get', 'SerialNumber', '--device', `${fleet.url}/scanners/9*`)).toMatchObject({
    stderr: `azimuth: no scanner of the fleet at ${fleet.url} matches "9*"\n`,
    code: 2,
  });
  const status = await run('fleet', 'status', '230001');
  expect(status.stdout.split('\n')).toEqual([
    'SCANNER  GROUP  RELEASE  STATE  REQUESTS  UNSAVED  FAULTS',
    '230001   hall   2.4.4    idle   0         0        0',
    '',
  ]);
  expect(
    await run('fleet', 'sim', '77*', 'fault', 'add', 'http-status', '--http-status', '503'),
  ).toMatchObject({
    stdout: '7701  1\n7702  1\n',
    code: 0,
  });
  expect((await fetch(`${fleet.url}/scanners/7702/api/SerialNumber`)).status).toBe(503);
  expect((await run('fleet', 'stop', 'gate/*')).stdout).toBe('2 scanners were switched off.\n');
  const listed = (await run('fleet', 'status', '--json')).stdout
    .trim()
    .split('\n')
    .map((line) => object(parse(line)));
  expect(listed).toHaveLength(42);
  expect(listed.filter(({ state }) => state === 'off')).toHaveLength(2);
  expect((await run('fleet', 'power-cycle', '7701')).stdout).toBe('1 scanner was switched off and on.\n');
  expect((await fetch(`${fleet.url}/scanners/7701/api/SerialNumber`)).status).toBe(200);
  expect(await run('fleet', 'status', 'nobody')).toMatchObject({
    stderr: 'azimuth: no scanner of the fleet matches "nobody"\n',
    code: 2,
  });
  expect(await fleet.end('SIGTERM')).toBe(0);
  expect(await run('fleet', 'status')).toMatchObject({ code: 3 });
});

test('signed firmware is accepted, and stays over a power cycle', async () => {
  const folder = temporaryFolder();
  const [file, keyFile, update] = ['fleet.yaml', 'key.pem', 'new.spk'].map((name) => join(folder, name));
  if (file === undefined || keyFile === undefined || update === undefined) throw new Error('three files');
  const key = signer(keyFile);
  writeFileSync(update, firmware({ release: '2.4.4', key }));
  writeFileSync(file, 'groups: {hall: {count: 2, serial: "23##", release: 2.3.1}}');
  const words = ['--data', join(folder, 'data'), '--firmware-key', keyFile, '--boot-time', '0'];
  const fleet = await FleetProcess.start(file, ...words, '--processes', '2');
  const run = (...given: readonly string[]) =>
    azimuth(given, undefined, { AZIMUTH_FLEET: fleet.url, AZIMUTH_PASSWORD: 'servicelevel' });
  const device = `${fleet.url}/scanners/hall/*`;
  const updated = await run('update', '--yes', update, '--device', device);
  expect(updated.code, updated.stderr).toBe(0);
  expect((await run('fleet', 'power-cycle', '*')).stdout).toBe('2 scanners were switched off and on.\n');
  expect((await run('get', 'FirmwareVersion', '--device', device)).stdout).toContain('2.4.4');
  expect(await fleet.end('SIGTERM')).toBe(0);
});

test('what was acknowledged as saved is there after the process was killed, and power-ons count', async () => {
  const data = join(temporaryFolder(), 'data');
  const start = () => FleetProcess.start('--count', '200', '--data', data);
  const fleet = await start();
  const serials = Array.from({ length: 200 }, (_, index) => String(10_000_001 + index));
  await Promise.all(
    serials.slice(0, 20).map(async (serial) => {
      const scanner = fleet.scanner(serial);
      await scanner.write('LocationName', `saved ${serial}`);
      await scanner.call('WriteEeprom');
    }),
  );
  expect(await fleet.end('SIGKILL')).toBe('SIGKILL');
  const again = await start();
  for (const serial of serials.slice(0, 20)) {
    expect(await again.scanner(serial).read('LocationName')).toBe(`saved ${serial}`);
    expect(await again.scanner(serial).read('PowerOnCnt')).toBe(2);
  }
  expect(await again.scanner('10000150').read('PowerOnCnt')).toBe(2);
});

test('events tells what happens, as lines and as JSON, until the fleet ends', async () => {
  const fleet = await FleetProcess.start('--count', '2', '--data', join(temporaryFolder(), 'data'));
  const run = (...words: readonly string[]) => azimuth(['fleet', ...words, '--fleet', fleet.url]);
  const lines = run('events');
  const json = run('events', '10000002', '--json');
  await until(async () =>
    (await (await fetch(`${fleet.url}/metrics`)).text()).includes('azimuth_fleet_event_followers 2\n'),
  );
  expect((await run('power-cycle', '*')).code).toBe(0);
  expect(await fleet.end('SIGTERM')).toBe(0);
  const [{ stdout, stderr, code }, events] = await Promise.all([lines, json]);
  expect({ stderr, code }).toEqual({ stderr: 'azimuth: the fleet has ended\n', code: 3 });
  expect(stdout).toMatch(/^\d{4}-\S+Z {2}10000001 {2}fleet {2}power-on$/m);
  const [first] = events.stdout.split('\n');
  expect(object(parse(first ?? ''))).toMatchObject({ serialNumber: '10000002', group: 'fleet' });
  expect(events.stdout).not.toContain('10000001');
});

test('wrong usage is one line, and starts nothing', async () => {
  for (const [words, message] of [
    [[], 'expected a fleet file, or --count: azimuth fleet run --count 20'],
    [['--count', '0'], 'Expected a whole number from 1 to 100000'],
    [['none.yaml'], 'none.yaml'],
    [
      ['--count', '10', '--own-ports', '65530'],
      '--own-ports: 10 ports from 65530 on are more than there are',
    ],
    [
      ['none.yaml', '--first-serial', '7'],
      '--first-serial: with a fleet file, give its groups serial or first',
    ],
  ] as const) {
    const { stderr, code } = await azimuth(['fleet', 'run', ...words]);
    expect(stderr).toContain(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(code).toBe(2);
  }
});

test('a port that is taken is told with its scanner and what chooses it, and the others do not start', async () => {
  const folder = temporaryFolder();
  const port = await listening(createServer());
  const file = join(folder, 'fleet.yaml');
  writeFileSync(file, `groups: {hall: {count: 2}, gate: {count: 1, serial: "77##", port: ${port}}}`);
  const words = ['fleet', 'run', file, '--port', '0', '--data', join(folder, 'data')];
  const { stdout, stderr, code } = await azimuth(words);
  expect(stderr).toContain(
    `azimuth: scanner 7701: Port ${port} on 127.0.0.1 is in use. Stop the program that uses it, or choose another one with port: or address: of the group gate in the fleet file\n`,
  );
  expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
});

test('a fleet that other computers reach warns of factory passwords', async () => {
  const data = join(temporaryFolder(), 'data');
  const words = ['--count', '2', '--host', '0.0.0.0', '--data', data];
  const fleet = await FleetProcess.start(...words);
  await fleet.log.until((text) => text.endsWith('\n'));
  expect(object(parse(fleet.log.text))).toMatchObject({
    host: '0.0.0.0',
    levels: ['Service'],
    msg: expect.stringContaining('Other computers reach this fleet'),
  });
  expect(await fleet.end('SIGTERM')).toBe(0);
});

test('each scanner takes as many connections to ports of its own as it may', async () => {
  const port = await freePort();
  const words = ['--count', '1', '--own-ports', String(port), '--max-connections', '2'];
  const fleet = await FleetProcess.start(...words, '--data', join(temporaryFolder(), 'data'));
  const bodies: string[] = [];
  for (let count = 0; count < 3; count++) {
    const client = await RawConnection.open(port);
    client.request('GET /api/SerialNumber');
    bodies.push((await client.response()).body);
  }
  expect(bodies.map((body) => body.includes('"status":0'))).toEqual([true, true, false]);
  expect(bodies[2]).toContain('"status":11');
  expect(await fleet.end('SIGTERM')).toBe(0);
});

test('several processes share the scanners behind one port, and one that ends is started again', async () => {
  const data = join(temporaryFolder(), 'data');
  const words = ['--count', '6', '--data', data, '--processes', '2'];
  const fleet = await FleetProcess.start(...words);
  const serials = [1, 2, 3, 4, 5, 6].map((number) => String(10_000_000 + number));
  const listed = async (query = '') => {
    const list: unknown = await (await fetch(`${fleet.url}/scanners${query}`)).json();
    return (Array.isArray(list) ? list : []).map((one) => object(one));
  };
  expect((await listed()).map(({ serialNumber }) => serialNumber)).toEqual(serials);
  expect((await listed('?from=2&limit=2')).map(({ url }) => url)).toEqual([
    `${fleet.url}/scanners/10000003`,
    `${fleet.url}/scanners/10000004`,
  ]);
  for (const query of ['?from=x', '?limit=-1', '?limit=1e3']) {
    const refused = await fetch(`${fleet.url}/scanners${query}`);
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('expected a whole number'),
    ]);
  }
  const large = { method: 'POST', body: 'x'.repeat(70_000) };
  expect((await fetch(`${fleet.url}/fleet/power`, large)).status).toBe(400);
  for (const serial of serials) {
    const scanner = fleet.scanner(serial);
    await scanner.write('LocationName', serial);
    await scanner.call('WriteEeprom');
  }
  const power = await azimuth(['fleet', 'power-cycle', '*', '--fleet', fleet.url]);
  expect(power.stdout).toBe('6 scanners were switched off and on.\n');
  expect(await fleet.scanner('10000002').read('PowerOnCnt')).toBe(2);
  const metrics = await (await fetch(`${fleet.url}/metrics`)).text();
  expect(metrics).toContain('azimuth_fleet_scanners{group="fleet",state="idle"} 5\n');
  // A program elsewhere, as a proxy tells it, does not control the simulation.
  const foreign = { method: 'POST', body: '{"celsius":50}', headers: { 'X-Forwarded-For': '192.0.2.1' } };
  expect((await fetch(`${fleet.url}/scanners/10000001/x/sim/temperature`, foreign)).status).toBe(403);
  const [child] = childrenOf(fleet.child.pid);
  process.kill(Number(child), 'SIGKILL');
  expect(await listed()).toHaveLength(6);
  await until(async () => {
    const names = await Promise.all(
      serials.map((serial) =>
        fleet
          .scanner(serial)
          .read('PowerOnCnt')
          .catch(() => 0),
      ),
    );
    return names.every((count) => count >= 2) && names.filter((count) => count === 3).length === 3;
  });
  expect(await fleet.scanner('10000001').read('LocationName')).toBe('10000001');
  expect(await fleet.end('SIGTERM')).toBe(0);
});

test('a process that is started again has the scanners of the fleet file as it was at the start', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'hall.yaml');
  const data = join(folder, 'data');
  writeFileSync(file, 'groups: {hall: {count: 4, serial: "77##", scene: ./world.json}}');
  writeFileSync(join(folder, 'world.json'), '{"walls": []}');
  const fleet = await FleetProcess.start(file, '--data', data, '--processes', '2');
  writeFileSync(file, 'groups: nonsense');
  rmSync(join(folder, 'world.json'));
  const [child] = childrenOf(fleet.child.pid);
  process.kill(Number(child), 'SIGKILL');
  const counts = () =>
    Promise.all(['7701', '7702', '7703', '7704'].map((serial) => fleet.scanner(serial).read('PowerOnCnt')));
  await until(async () => {
    const powerOns = await counts().catch(() => []);
    return powerOns.filter((count) => count === 2).length === 2;
  });
  expect(await fleet.end('SIGTERM')).toBe(0);
  expect(existsSync(join(data, 'fleet-file'))).toBe(false);
});

/** The ids of the processes that a process has started. */
function childrenOf(pid: number | undefined): readonly string[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
}

test.each([1, 2])(
  'passwords count at the first start, and are reset on purpose, in %d processes',
  async (processes) => {
    const data = join(temporaryFolder(), 'data');
    const words = ['--count', '4', '--data', data, '--processes', String(processes)];
    const log = async (fleet: FleetProcess, serial: string, password: string) => {
      const basic = Buffer.from(`Service:${password}`).toString('base64');
      const headers = { Authorization: `Basic ${basic}` };
      const url = `${fleet.url}/scanners/${serial}/api/CreateSessionToken`;
      const reply = object(parse(await (await fetch(url, { method: 'POST', headers, body: '{}' })).text()));
      return object(reply.header).status;
    };
    const of = (password: string) => ({ AZIMUTH_PASSWORD_SERVICE: password });
    const first = await FleetProcess.startWith(of('label'), ...words);
    for (const serial of ['10000001', '10000002']) expect(await log(first, serial, 'label')).toBe(0);
    expect(await first.end('SIGTERM')).toBe(0);
    const second = await FleetProcess.startWith(of('other'), ...words, '--reset-passwords', '*2');
    expect(await log(second, '10000001', 'label')).toBe(0);
    expect(await log(second, '10000001', 'other')).toBe(4);
    expect(await log(second, '10000002', 'other')).toBe(0);
    expect(await second.end('SIGTERM')).toBe(0);
    expect(second.log.text).toContain('The passwords of scanners were reset');
    expect(second.log.text).toContain('Passwords were given that are ignored');
    const third = await FleetProcess.start(...words);
    expect(await log(third, '10000002', 'other')).toBe(0);
    expect(await third.end('SIGTERM')).toBe(0);
  },
);

test('a pattern of --reset-passwords that means no scanner is refused before anything is reset', async () => {
  const { stderr, code } = await azimuth([
    ...['fleet', 'run', '--count', '2', '--port', '0', '--reset-passwords', 'nobody'],
    ...['--data', join(temporaryFolder(), 'data')],
  ]);
  expect(stderr).toContain('--reset-passwords: no scanner of the fleet matches "nobody"');
  expect(code).toBe(2);
});
