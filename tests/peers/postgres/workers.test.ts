import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type Issued, issue, keyPem } from '@azimuth/test-support/certificates';
import { azimuth } from '@azimuth/test-support/command-process';
import { temporaryFolder } from '@azimuth/test-support/files';
import { FleetProcess } from '@azimuth/test-support/fleet-process';
import { PostgresCluster } from '@azimuth/test-support/postgres-cluster';
import { latch, until } from '@azimuth/test-support/waiting';
import { WebSocketClient } from '@azimuth/test-support/web-socket';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { open } from './some-fleet.js';

let cluster: PostgresCluster;
beforeAll(async () => {
  cluster = await PostgresCluster.start();
});
afterAll(() => cluster.remove());

const key = 'a key of the deployment';
/** s: of a worker that is to be missed soon. Others have time enough to renew theirs on a busy machine. */
const lease = ['--lease', '2'];

interface SomeFleet {
  readonly url: string;
  readonly environment: Readonly<Record<string, string>>;
  apply(yaml: string): Promise<string>;
}

/** An empty database with tables, and a fleet in it. */
async function fleet(yaml: string): Promise<SomeFleet> {
  const url = await cluster.database();
  const environment = { AZIMUTH_STORE: url, AZIMUTH_FLEET_KEY: key };
  const migrated = await azimuth(['fleet', 'migrate'], undefined, environment);
  expect(migrated.stdout).toContain('version 1, 128 shards');
  const folder = temporaryFolder();
  const apply = async (text: string) => {
    const file = join(folder, 'fleet.yaml');
    writeFileSync(file, text);
    const { stdout, stderr } = await azimuth(['fleet', 'apply', file], undefined, environment);
    return stdout + stderr;
  };
  expect(await apply(yaml)).toContain('Version 1 of the fleet');
  return { url, environment, apply };
}

const hall = (count: number, more = '') => `groups: {hall: {count: ${count}, serial: "23####"${more}}}`;
const serialsOf = (count: number) => Array.from({ length: count }, (_, index) => String(230_001 + index));

/** How many scanners each of the workers runs, by its own count. */
async function runBy(gateway: FleetProcess): Promise<unknown> {
  return (await fetch(`${gateway.url}/fleet`)).json();
}

/** How many shards a worker runs, by its own count. */
async function shardsOf({ url }: FleetProcess): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^azimuth_worker_shards (\d+)$/m.exec(metrics)?.[1]);
}

async function allRun(gateway: FleetProcess, scanners: number, workers: number): Promise<void> {
  await until(async () => {
    const listed: unknown = await (await fetch(`${gateway.url}/scanners?state=waiting`)).json();
    const overview = await runBy(gateway);
    const isSo = Array.isArray(listed) && listed.length === 0;
    return isSo && Object(overview).workers === workers && Object(overview).scanners === scanners;
  }, 60_000);
}

test('workers share the scanners; when one is killed, the others take its scanners as after a power cut', async () => {
  const { environment, url } = await fleet(hall(40, ', parameters: {LocationName: "Hall {n}"}'));
  const gateway = await FleetProcess.gateway(environment);
  const one = await FleetProcess.worker(environment, ...lease);
  const two = await FleetProcess.worker(environment);
  // Each takes half of the shards, however many the first one had.
  await until(async () => (await shardsOf(one)) === 64 && (await shardsOf(two)) === 64, 60_000);
  await allRun(gateway, 40, 2);
  expect(await gateway.scanner('230007').read('LocationName')).toBe('Hall 7');
  const before: number[] = [];
  for (const serial of serialsOf(40)) {
    const scanner = gateway.scanner(serial);
    await scanner.write('LocationName', `saved ${serial}`);
    await scanner.call('WriteEeprom');
    await scanner.write('LocationName', 'not saved');
    before.push(await scanner.read('PowerOnCnt'));
  }
  expect(
    Number(/^azimuth_worker_saves_total (\d+)$/m.exec(await (await fetch(`${two.url}/metrics`)).text())?.[1]),
  ).toBeGreaterThan(10);
  await one.end('SIGKILL');
  await allRun(gateway, 40, 1);
  const after = await Promise.all(serialsOf(40).map((serial) => gateway.scanner(serial).read('PowerOnCnt')));
  const names = await Promise.all(
    serialsOf(40).map((serial) => gateway.scanner(serial).read('LocationName')),
  );
  const hasMoved = after.map((powerOns, index) => powerOns - (before[index] ?? 0));
  expect(names).toEqual(
    hasMoved.map((more, index) => (more === 1 ? `saved ${230_001 + index}` : 'not saved')),
  );
  const moved = hasMoved.filter((more) => more === 1).length;
  expect(moved).toBeGreaterThan(5);
  expect(moved).toBeLessThan(35);
  expect(await two.end('SIGTERM')).toBe(0);
  // What has happened is in the history, but for the last moments of the one that was killed.
  const saved = `SELECT count(DISTINCT serial) FROM azimuth.events WHERE kind = 'saved'`;
  expect(Number(await cluster.sql(saved, new URL(url).pathname.slice(1)))).toBeGreaterThanOrEqual(40 - moved);
});

test('workers and gateways do all that with the rights of their roles', async () => {
  const { url, environment } = await fleet(hall(4));
  const name = new URL(url).pathname.slice(1);
  await cluster.sql('CREATE ROLE some_worker LOGIN IN ROLE azimuth_worker', name);
  await cluster.sql('CREATE ROLE some_gateway LOGIN IN ROLE azimuth_gateway', name);
  const as = (user: string) => ({ ...environment, AZIMUTH_STORE: cluster.url(name, user) });
  const gateway = await FleetProcess.gateway(as('some_gateway'));
  const worker = await FleetProcess.worker(as('some_worker'));
  await allRun(gateway, 4, 1);
  await gateway.scanner('230001').write('LocationName', 'with few rights');
  await gateway.scanner('230001').call('WriteEeprom');
  expect(await worker.end('SIGTERM')).toBe(0);
  await FleetProcess.worker(as('some_worker'));
  await allRun(gateway, 4, 1);
  expect(await gateway.scanner('230001').read('LocationName')).toBe('with few rights');
  expect(Number(await cluster.sql(`SELECT count(*) FROM azimuth.events WHERE kind = 'saved'`, name))).toBe(1);
});

test('a worker that other computers reach warns of factory passwords, unless they were set', async () => {
  const { environment } = await fleet(hall(4));
  const open = ['--host', '0.0.0.0', '--advertise', 'http://127.0.0.1:9'];
  const warned = await FleetProcess.worker(environment, ...open);
  await until(() => warned.log.text.includes('Other computers reach this fleet'));
  const safe = await FleetProcess.worker({ ...environment, AZIMUTH_PASSWORD_SERVICE: 'another' }, ...open);
  expect(await safe.end('SIGTERM')).toBe(0);
  expect(safe.log.text).not.toContain('Other computers reach this fleet');
});

test('a fleet that cannot be read, as that of a newer version, keeps nobody from taking scanners over', async () => {
  const { environment, url } = await fleet(hall(12));
  const gateway = await FleetProcess.gateway(environment);
  const one = await FleetProcess.worker(environment, ...lease);
  const two = await FleetProcess.worker(environment);
  await until(async () => (await shardsOf(one)) === 64 && (await shardsOf(two)) === 64, 60_000);
  await allRun(gateway, 12, 2);
  const unknown = `INSERT INTO azimuth.fleet (version, yaml) VALUES (2, 'groups: {hall: {count: 12, unknown: 1}}')`;
  await cluster.sql(unknown, new URL(url).pathname.slice(1));
  await one.end('SIGKILL');
  await allRun(gateway, 12, 1);
  await expect.poll(() => shardsOf(two)).toBe(128);
});

test('a worker that ends hands its scanners over without a failed request', async () => {
  const { environment } = await fleet(hall(24));
  const gateway = await FleetProcess.gateway(environment);
  const one = await FleetProcess.worker(environment);
  await FleetProcess.worker(environment);
  await allRun(gateway, 24, 2);
  const failures: string[] = [];
  let answered = 0;
  let isOver = false;
  const asking = serialsOf(24).map(async (serial) => {
    while (!isOver) {
      const reply = await fetch(`${gateway.url}/scanners/${serial}/api/PowerOnCnt`);
      if (reply.status === 200) answered++;
      else failures.push(`${serial}: ${reply.status} ${await reply.text()}`);
    }
  });
  let written = 0;
  // Each is a challenge, and a call that answers it.
  const writing = serialsOf(24).map(async (serial) => {
    const scanner = gateway.scanner(serial);
    while (!isOver) {
      await scanner.write('LocationName', `${written}`).then(
        () => written++,
        (error: unknown) => failures.push(`${serial}: ${String(error)}`),
      );
    }
  });
  await until(() => answered > 100 && written > 100);
  expect(await one.end('SIGTERM')).toBe(0);
  const before = [answered, written];
  await until(() => answered > (before[0] ?? 0) + 200 && written > (before[1] ?? 0) + 200);
  isOver = true;
  await Promise.all([...asking, ...writing]);
  expect(failures).toEqual([]);
  await allRun(gateway, 24, 1);
});

test('one request that takes long keeps no other scanner of a worker that ends from moving, and is answered', async () => {
  const { environment } = await fleet(hall(24));
  const gateway = await FleetProcess.gateway(environment);
  const one = await FleetProcess.worker(environment);
  await allRun(gateway, 24, 1);
  // A gateway does not keep a body of no stated length: the worker has begun with it.
  const client = connect(Number(new URL(gateway.url).port), '127.0.0.1').setEncoding('utf8');
  onTestFinished(() => void client.destroy());
  const head = 'Host: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n';
  client.write(`POST /scanners/230001/api/LocationName HTTP/1.1\r\n${head}\r\n1\r\n{\r\n`);
  await until(async () => {
    const listed = await (await fetch(`${gateway.url}/scanners?q=230001`)).text();
    return listed.includes('"requests":1');
  });
  // As small as it is, it has none beside the first one, and all behind it.
  const two = await FleetProcess.worker(environment, '--capacity', '24');
  const ended = one.end('SIGTERM');
  await until(async () => (await shardsOf(two)) > 16);
  client.write('1\r\n}\r\n0\r\n\r\n');
  expect(String(await once(client, 'data'))).toMatch(/^HTTP\/1.1 200 /);
  expect(await ended).toBe(0);
  await until(async () => (await shardsOf(two)) === 128);
});

test('with --tls-authority, a gateway talks to workers with a certificate of that authority alone', async () => {
  const { environment } = await fleet(hall(8));
  const authority = issue({ name: 'Authority', ca: true });
  const { certificate, keys } = issue({ issuer: authority });
  const folder = temporaryFolder();
  const fileWith = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const tls = ['--tls-cert', fileWith('worker.pem', certificate), '--tls-key', fileWith('key', keyPem(keys))];
  const trusting = (name: string, { certificate: pem }: Issued) =>
    FleetProcess.gateway(environment, '--tls-authority', fileWith(name, pem), '--patience', '1');
  const secure = await FleetProcess.worker(environment, ...tls);
  expect(secure.url).toMatch(/^https:/);
  const gateway = await trusting('authority.pem', authority);
  await allRun(gateway, 8, 1);
  const scanner = gateway.scanner('230003');
  await scanner.write('LocationName', 'over TLS');
  expect(await scanner.read('LocationName')).toBe('over TLS');
  const { port } = new URL(gateway.url);
  const events = await WebSocketClient.open(Number(port), { path: '/scanners/230003/x/events' });
  expect((await events.close()).code).toBe(1000);
  // The certificate of the worker is not one of this authority.
  const other = await trusting('other.pem', issue({ name: 'Authority', ca: true }));
  const untrusted = await fetch(`${other.url}/scanners/230003/api/LocationName`);
  expect([untrusted.status, await untrusted.text()]).toEqual([
    503,
    expect.stringMatching(/^The worker of this scanner cannot be reached: CERT_SIGNATURE_FAILURE$/m),
  ]);
  // Half of the scanners move to a worker without TLS, which the gateway does not use.
  const plain = await FleetProcess.worker(environment);
  await until(async () => (await shardsOf(plain)) === 64, 60_000);
  const ask = async (serial: string) => {
    const reply = await fetch(`${gateway.url}/scanners/${serial}/api/LocationName`);
    return `${reply.status} ${await reply.text()}`;
  };
  await until(async () => {
    const answers = await Promise.all(serialsOf(8).map(ask));
    const waiting = answers.filter((answer) => answer.startsWith('503 No worker runs this scanner now.'));
    return waiting.length > 0 && answers.filter((answer) => answer.startsWith('200 ')).length > 0;
  }, 60_000);
});

test('a worker that was paused for longer than its lease saves nothing when it comes back', async () => {
  const { environment, url } = await fleet(hall(8));
  const gateway = await FleetProcess.gateway(environment);
  const paused = await FleetProcess.worker(environment, ...lease);
  await allRun(gateway, 8, 1);
  for (const serial of serialsOf(8)) {
    await gateway.scanner(serial).write('LocationName', 'old');
    await gateway.scanner(serial).call('WriteEeprom');
    await gateway.scanner(serial).write('LocationName', 'of the paused one');
  }
  paused.child.kill('SIGSTOP');
  await FleetProcess.worker(environment);
  await allRun(gateway, 8, 1);
  for (const serial of serialsOf(8)) {
    expect(await gateway.scanner(serial).read('LocationName')).toBe('old');
    await gateway.scanner(serial).write('LocationName', 'new');
    await gateway.scanner(serial).call('WriteEeprom');
  }
  paused.child.kill('SIGCONT');
  await until(
    () => paused.log.text.includes('has its lease') || paused.log.text.includes('could not be renewed'),
  );
  for (const serial of serialsOf(8)) {
    expect(await gateway.scanner(serial).read('LocationName')).toBe('new');
    expect(await gateway.scanner(serial).read('PowerOnCnt')).toBe(2);
  }
  // Each shard was taken in the order of its epochs.
  const twice =
    'SELECT count(*) FROM azimuth.epochs a JOIN azimuth.epochs b USING (shard) WHERE a.epoch < b.epoch AND a.began_at > b.began_at';
  expect(await cluster.sql(twice, new URL(url).pathname.slice(1))).toBe('0');
});

test('a worker whose scanners take longer to start than its lease lasts keeps the lease', async () => {
  const { environment, url } = await fleet(hall(8));
  const name = new URL(url).pathname.slice(1);
  const database = open(url);
  const locked = latch();
  const ending = latch();
  const locking = database.transaction(async (run) => {
    // Scanners that are switched on look into it.
    await run('LOCK TABLE azimuth.documents IN ACCESS EXCLUSIVE MODE');
    locked.open();
    await ending.opened;
  });
  await locked.opened;
  const starting = FleetProcess.worker(environment, '--lease', '1');
  const age = `SELECT coalesce(extract(epoch FROM clock_timestamp() - min(began_at)), 0) FROM azimuth.epochs`;
  await until(async () => Number(await cluster.sql(age, name)) > 4);
  ending.open();
  await locking;
  await database.close();
  const worker = await starting;
  await until(async () => (await shardsOf(worker)) === 128);
  expect(await cluster.sql('SELECT count(*) FROM azimuth.epochs', name)).toBe('128');
});

test('while the database is away, reads go on and saves are refused in words; then all goes on by itself', async () => {
  const { environment } = await fleet(hall(4));
  const gateway = await FleetProcess.gateway(environment);
  const worker = await FleetProcess.worker(environment, '--lease', '60');
  await allRun(gateway, 4, 1);
  const scanner = gateway.scanner('230001');
  await scanner.write('LocationName', 'before');
  await scanner.call('WriteEeprom');
  await cluster.stop('immediate');
  expect(await scanner.read('LocationName')).toBe('before');
  await scanner.write('LocationName', 'meanwhile');
  await expect(scanner.call('WriteEeprom')).rejects.toThrow('the database does not answer');
  expect((await fetch(`${worker.url}/readyz`)).status).toBe(200);
  await cluster.start();
  await until(() =>
    scanner.call('WriteEeprom').then(
      () => true,
      () => false,
    ),
  );
  expect(await worker.end('SIGTERM')).toBe(0);
  await FleetProcess.worker(environment);
  await allRun(gateway, 4, 1);
  expect(await scanner.read('LocationName')).toBe('meanwhile');
});

test('a fleet that is applied anew is followed: scanners come, go and change, and the others run on', async () => {
  const { environment, apply } = await fleet(hall(6));
  const gateway = await FleetProcess.gateway(environment);
  await FleetProcess.worker(environment);
  await allRun(gateway, 6, 1);
  await gateway.scanner('230001').write('LocationName', 'runs on');
  expect(await apply(hall(6))).toContain('Version 1 of the fleet: 0 scanners added, 0 removed, 6 kept.');
  const next =
    'groups: {hall: {count: 4, serial: "23####"}, gate: {count: 2, serial: "77##", release: 2.1.0}}';
  expect(await apply(next)).toContain('Version 2 of the fleet: 2 scanners added, 2 removed, 4 kept.');
  await until(async () => (await fetch(`${gateway.url}/scanners/7701/api/PowerOnCnt`)).status === 200);
  await until(async () => (await fetch(`${gateway.url}/scanners/230006/api/PowerOnCnt`)).status === 404);
  expect(await gateway.scanner('230001').read('LocationName')).toBe('runs on');
  const listed: unknown = await (await fetch(`${gateway.url}/scanners?group=gate`)).json();
  expect(listed).toMatchObject([{ serialNumber: '7701', release: '2.1.0' }, { serialNumber: '7702' }]);
});

test('without the key of the first worker, nothing starts that seals, and one line says what to compare', async () => {
  const { environment } = await fleet(hall(1));
  await FleetProcess.worker(environment);
  const other = { ...environment, AZIMUTH_FLEET_KEY: 'another key of the deployment' };
  for (const words of [
    ['worker', '--port', '0'],
    ['serve', '--serial', '77000001'],
    ['fleet', 'reseal'],
    ['fleet', 'reset-passwords', '230001'],
  ]) {
    const { code, stderr } = await azimuth(words, undefined, other);
    expect(stderr).toContain('compare AZIMUTH_FLEET_KEY or --key-file');
    expect([code, stderr.trim().split('\n').length]).toEqual([1, 1]);
  }
});

test('the passwords of named scanners are reset, each once, and a scanner that the fleet lacks is told', async () => {
  const { environment } = await fleet(hall(3));
  const reset = async (...serials: string[]) => {
    const { code, stdout, stderr } = await azimuth(
      ['fleet', 'reset-passwords', ...serials],
      undefined,
      environment,
    );
    return { code, stdout, stderr };
  };
  expect(await reset('230001', '230002', '230001')).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^The passwords of 2 scanners were reset\./),
    stderr: '',
  });
  expect(await reset('999999')).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('the fleet has no scanner 999999'),
  });
  expect(await reset('230003', '999999')).toEqual({
    code: 1,
    stdout: expect.stringMatching(/^The passwords of 1 scanner were reset\./),
    stderr: expect.stringContaining('the fleet has no scanner 999999'),
  });
});

test('wrong usage and an unreachable database are one line each, without the password', async () => {
  const run = (words: readonly string[], environment: Record<string, string>) =>
    azimuth(words, undefined, environment);
  expect(await run(['worker'], { AZIMUTH_FLEET_KEY: key })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--store'),
  });
  const store = 'postgres://azimuth:geheim-42@127.0.0.1:1/fleet';
  expect(await run(['worker', '--store', store], {})).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('AZIMUTH_FLEET_KEY'),
  });
  for (const words of [
    ['worker', '--port', '0'],
    ['gateway', '--port', '0'],
    ['fleet', 'migrate'],
  ]) {
    const { code, stderr } = await run(words, { AZIMUTH_STORE: store, AZIMUTH_FLEET_KEY: key });
    expect(stderr).toContain('127.0.0.1:1 does not answer');
    expect(stderr).not.toContain('geheim');
    expect([code, stderr.trim().split('\n').length]).toEqual([3, 1]);
  }
  const bare = await cluster.database();
  expect(
    await run(['gateway', '--port', '0'], { AZIMUTH_STORE: bare, AZIMUTH_FLEET_KEY: key }),
  ).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('run azimuth fleet migrate'),
  });
});
