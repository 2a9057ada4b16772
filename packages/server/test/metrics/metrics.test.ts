import { MemoryStorage, type Storage } from '@azimuth/device';
import { acceptedSockets } from '@azimuth/test-support/accepted-sockets';
import { type Client, service, statusOf } from '@azimuth/test-support/client';
import { FaultyStorage } from '@azimuth/test-support/faulty-storage';
import { RawConnection } from '@azimuth/test-support/raw-connection';
import { bootMilliseconds, TestScanner, type TestScannerOptions } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import { expect, onTestFinished, test } from 'vitest';

const wrong = { ...service, password: 'wrong' };

/** Returns the samples as Prometheus would read them: each under its name and labels as they are written. */
async function scrape(client: Client): Promise<ReadonlyMap<string, number>> {
  const reply = await client.send({ method: 'GET', path: '/metrics' });
  expect(reply.httpStatus).toBe(200);
  expect(reply.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
  const samples = new Map<string, number>();
  for (const line of reply.text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [, name = '', value = ''] = /^([a-z_0-9]+(?:\{[^}]*\})?) (\S+)$/.exec(line) ?? [];
    expect(name, `"${line}" is a sample`).not.toBe('');
    expect(samples.has(name), `${name} comes once`).toBe(false);
    samples.set(name, Number(value));
  }
  return samples;
}

async function startedWith(options: TestScannerOptions = {}) {
  const scanner = await TestScanner.start(options);
  return { scanner, client: scanner.client() };
}

test('requests are counted by endpoint and status', async () => {
  const { client } = await startedWith();
  for (let time = 0; time < 3; time++) await client.get('DeviceStatus');
  await client.write('LocationName', 'Gate 3');
  await client.write('LocationName', 3);
  await client.call('WriteEeprom');
  await client.send({ method: 'DELETE', path: '/api/LocationName' });
  const samples = await scrape(client);
  expect(samples.get('azimuth_requests_total{endpoint="DeviceStatus",status="0"}')).toBe(3);
  expect(samples.get('azimuth_requests_total{endpoint="LocationName",status="0"}')).toBe(1);
  expect(samples.get('azimuth_requests_total{endpoint="LocationName",status="2"}')).toBe(1);
  expect(samples.get('azimuth_requests_total{endpoint="LocationName",status="5"}')).toBe(1);
  expect(samples.get('azimuth_requests_total{endpoint="WriteEeprom",status="0"}')).toBe(1);
  expect(samples.get('azimuth_requests_total{endpoint="getChallenge",status="0"}')).toBe(3);
});

test('pages beside the interface are counted by path and HTTP status', async () => {
  const { client } = await startedWith();
  await client.send({ method: 'GET', path: '/healthz' });
  await client.send({ method: 'GET', path: '/healthz' });
  expect((await scrape(client)).get('azimuth_page_requests_total{path="/healthz",code="200"}')).toBe(2);
});

test('requests for unknown names make no new samples', async () => {
  const { client } = await startedWith();
  const ours = (samples: ReadonlyMap<string, number>) =>
    [...samples.keys()].filter((name) => name.startsWith('azimuth_')).length;
  const before = ours(await scrape(client));
  for (let name = 0; name < 50; name++) {
    await client.get(`nothing${name}`);
    await client.send({ method: 'GET', path: `/nothing${name}` });
  }
  const samples = await scrape(client);
  expect(samples.get('azimuth_requests_total{endpoint="",status="5"}')).toBe(50);
  // The connection of that client, and that of the page itself.
  expect(ours(samples)).toBe(before + 2);
});

test('logins are counted by level and result, locks and challenges too', async () => {
  const { scanner, client } = await startedWith();
  await client.call('checkCredentials');
  for (let time = 0; time < 5; time++) await client.call('checkCredentials', undefined, wrong);
  const samples = await scrape(client);
  expect(samples.get('azimuth_logins_total{user_level="Service",result="succeeded"}')).toBe(1);
  expect(samples.get('azimuth_logins_total{user_level="Service",result="failed"}')).toBe(5);
  expect(samples.get('azimuth_logins_total{user_level="Maintenance",result="failed"}')).toBe(0);
  expect(samples.get('azimuth_challenges_total{user_level="Service"}')).toBe(6);
  expect(samples.get('azimuth_login_locks_total')).toBe(1);
  expect(samples.get('azimuth_login_locked')).toBe(1);
  scanner.clock.advance(30_000);
  expect((await scrape(client)).get('azimuth_login_locked')).toBe(0);
});

test('unused challenges are counted, and the floods that they cause', async () => {
  const { client } = await startedWith();
  for (let time = 0; time < 50; time++) await client.challenge();
  expect(statusOf(await client.post('getChallenge', { data: { user: 'Service' } }))).toBe(4);
  const samples = await scrape(client);
  expect(samples.get('azimuth_challenges_pending')).toBe(50);
  expect(samples.get('azimuth_challenge_floods_total')).toBe(1);
});

test('saves are counted by result', async () => {
  const storage = new FaultyStorage();
  const { client } = await startedWith({ storage });
  await client.call('WriteEeprom');
  storage.fail('parameters.json');
  await client.write('LocationName', 'Gate 3');
  await client.call('WriteEeprom');
  await client.call('LoadFactoryDefaults');
  const samples = await scrape(client);
  expect(samples.get('azimuth_saves_total{result="stored"}')).toBe(1);
  expect(samples.get('azimuth_saves_total{result="failed"}')).toBe(2);
});

/** The storage of a scanner that was used before, with a document cut short. */
async function damaged(document: string): Promise<Storage> {
  const storage = new MemoryStorage();
  const before = await TestScanner.start({ storage });
  await before.service.close();
  const content = storage.documents.get(document);
  if (content === undefined) throw new Error(`${document} is missing`);
  storage.documents.set(document, content.subarray(0, content.length >> 1));
  return storage;
}

test('a lost document is shown, with the status of the device', async () => {
  const { client } = await startedWith({ storage: await damaged('parameters.json') });
  const samples = await scrape(client);
  expect(samples.get('azimuth_lost_documents{document="parameters.json"}')).toBe(1);
  expect(samples.get('azimuth_device_status')).toBe(7);
});

test('a scanner with intact documents shows no lost ones', async () => {
  const { client } = await startedWith();
  const samples = await scrape(client);
  expect([...samples.keys()].filter((name) => name.startsWith('azimuth_lost_documents'))).toEqual([]);
  expect(samples.get('azimuth_device_status')).toBe(3);
});

test('open connections are counted, and closed ones are not', async () => {
  const { scanner, client } = await startedWith();
  const connections = await Promise.all([1, 2, 3].map(() => RawConnection.open(scanner.httpPort)));
  // The connection that requests the metrics counts, too.
  const counted = async () => (await scrape(client)).get('azimuth_connections');
  await expect.poll(counted).toBe(4);
  for (const connection of connections) connection.destroy();
  await expect.poll(counted).toBe(1);
});

test('refused requests are counted by reason', async () => {
  const { scanner, client } = await startedWith({ web: { rateLimit: 1 } });
  await client.get('DeviceStatus');
  await client.get('DeviceStatus');
  const noHttp = await RawConnection.open(scanner.httpPort);
  noHttp.write('no HTTP at all\r\n\r\n');
  await noHttp.closed;
  scanner.clock.advance(2000);
  const samples = await scrape(client);
  expect(samples.get('azimuth_turned_away_total{reason="rate"}')).toBe(1);
  expect(samples.get('azimuth_turned_away_total{reason="broken"}')).toBe(1);
});

test('the scanner and its network settings in force are shown', async () => {
  const { client } = await startedWith();
  const samples = await scrape(client);
  expect(samples.get('azimuth_scanner_info{serial="12345678",release="2.4.4",variant="full"}')).toBe(1);
  expect(
    samples.get(
      'azimuth_network_info{source="static",address="192.168.0.1",mask="255.255.255.0",gateway="0.0.0.0"}',
    ),
  ).toBe(1);
});

test('the lag of the event loop and the memory are shown from the first request on', async () => {
  const { client } = await startedWith();
  const samples = await scrape(client);
  const between = (name: string, least: number, most: number) => {
    expect(samples.get(name), name).toBeGreaterThan(least);
    expect(samples.get(name), name).toBeLessThan(most);
  };
  between('nodejs_eventloop_lag_p99_seconds', 0, 60);
  between('process_resident_memory_bytes', 1e6, 1e11);
  between('nodejs_heap_size_used_bytes', 1e6, 1e11);
});

test('counts continue after a reboot', async () => {
  const { scanner, client } = await startedWith();
  await client.get('DeviceStatus');
  scanner.service.device.lifecycle.reboot();
  scanner.clock.advance(bootMilliseconds);
  await until(() => scanner.service.ports.http !== null);
  const samples = await scrape(scanner.client());
  expect(samples.get('azimuth_requests_total{endpoint="DeviceStatus",status="0"}')).toBe(1);
  expect(samples.get('azimuth_connections')).toBe(1);
});

test('several scanners of one process have separate counts', async () => {
  const [one, other] = [await startedWith(), await startedWith()];
  onTestFinished(() => one.client.close());
  await one.client.get('DeviceStatus');
  expect((await scrape(one.client)).has('azimuth_requests_total{endpoint="DeviceStatus",status="0"}')).toBe(
    true,
  );
  expect((await scrape(other.client)).has('azimuth_requests_total{endpoint="DeviceStatus",status="0"}')).toBe(
    false,
  );
});

test('the page is made once for all requests within its time, whatever happens meanwhile', async () => {
  const { client } = await startedWith({ web: { metricsFreshFor: 3_600_000 } });
  const page = async () => (await client.send({ method: 'GET', path: '/metrics' })).text;
  const [first, ...others] = await Promise.all(Array.from({ length: 100 }, page));
  await client.get('DeviceStatus');
  expect(new Set([first, ...others, await page()]).size).toBe(1);
});

test('nothing is made for a client that is gone', async () => {
  const storage = new FaultyStorage();
  const { scanner, client } = await startedWith({ storage });
  const header = await client.header('WriteEeprom');
  const storing = storage.delay('parameters.json');
  const accepted = acceptedSockets();
  const connection = await RawConnection.open(scanner.httpPort);
  connection.request('POST /api/WriteEeprom', [], JSON.stringify({ header }));
  for (let count = 0; count < 20; count++) connection.request('GET /metrics');
  await until(() => storage.begun.includes('parameters.json'));
  for (const socket of accepted) socket.destroy();
  storing.open();
  await scrape(client);
  expect((await scrape(client)).get('azimuth_page_requests_total{path="/metrics",code="200"}')).toBe(1);
});

test('values of labels are escaped, and the lines of a family are together', async () => {
  const { client } = await startedWith();
  const { text } = await client.send({ method: 'GET', path: '/metrics' });
  expect(text.endsWith('\n')).toBe(true);
  const families = text
    .split('\n')
    .flatMap((line) => /^# TYPE (\S+) (?:counter|gauge)/.exec(line)?.[1] ?? []);
  expect(new Set(families).size).toBe(families.length);
  expect(text).toContain(
    '# HELP azimuth_connections Open connections.\n# TYPE azimuth_connections gauge\nazimuth_connections 1\n',
  );
});
