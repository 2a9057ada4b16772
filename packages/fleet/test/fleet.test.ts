import { once } from 'node:events';
import { connect } from 'node:net';
import { Scanner } from '@azimuth/client';
import { ScannerService } from '@azimuth/server';
import { temporaryFolder } from '@azimuth/test-support/files';
import { scannerFacts, someFleet, urlOf } from '@azimuth/test-support/some-fleet';
import { until } from '@azimuth/test-support/waiting';
import { expect, onTestFinished, test, vi } from 'vitest';

const password = 'servicelevel';

test('a scanner runs only once it is needed, and was on since its power-on', async () => {
  const some = await someFleet(scannerFacts(300));
  const since = performance.now();
  expect(some.fleet.states).toEqual({ off: 0, idle: 300, running: 0, failed: 0 });
  const scannerOf = (serial: string) => new Scanner({ url: urlOf(some, serial) });
  for (let serial = 1; serial <= 20; serial++)
    expect(await scannerOf(String(serial)).read('PowerOnCnt')).toBe(1);
  expect(some.fleet.states).toEqual({ off: 0, idle: 280, running: 20, failed: 0 });
  const before = performance.now() - since;
  // The start of this one is faster than those of the others.
  expect((await scannerOf('300').read('DailyOpHours')) * 3_600_000).toBeGreaterThan(before);
});

test('power-ons count, also those of a run in which nobody needed the scanner', async () => {
  const data = temporaryFolder();
  for (let run = 0; run < 3; run++) await (await someFleet(scannerFacts(3), { data })).end();
  const some = await someFleet(scannerFacts(3), { data });
  const counts = () =>
    Promise.all(['1', '2'].map((one) => new Scanner({ url: urlOf(some, one) }).read('PowerOnCnt')));
  expect(await counts()).toEqual([4, 4]);
  await some.fleet.powerCycle(some.fleet.virtualMatching('1'));
  expect(await counts()).toEqual([5, 4]);
  await some.end();
  const next = await someFleet(scannerFacts(3), { data });
  const read = (serial: string) => new Scanner({ url: urlOf(next, serial) }).read('PowerOnCnt');
  expect([await read('1'), await read('2'), await read('3')]).toEqual([6, 5, 5]);
});

test('what was saved outlives a power cut, and what was not is lost', async () => {
  const data = temporaryFolder();
  const some = await someFleet(scannerFacts(2), { data });
  for (const serial of ['1', '2']) {
    const scanner = new Scanner({ url: urlOf(some, serial), password });
    await scanner.write('LocationName', `saved ${serial}`);
    await scanner.call('WriteEeprom');
    await scanner.write('LocationName', 'not saved');
  }
  await some.fleet.powerCycle(some.fleet.virtualMatching('1'));
  expect(await new Scanner({ url: urlOf(some, '1') }).read('LocationName')).toBe('saved 1');
  expect(await new Scanner({ url: urlOf(some, '2') }).read('LocationName')).toBe('not saved');
  await some.end();
  const next = await someFleet(scannerFacts(2), { data });
  expect(await new Scanner({ url: urlOf(next, '2') }).read('LocationName')).toBe('saved 2');
});

test('a scanner that was updated is listed with its release, also before anybody needs it again', async () => {
  const data = temporaryFolder();
  const some = await someFleet(
    scannerFacts(2, () => ({ release: '2.2.0' })),
    { data },
  );
  await new Scanner({ url: urlOf(some, '1') }).read('PowerOnCnt');
  await some.end();
  // The scanners of this group are delivered with an older release, those of the last one with a newer one.
  const next = await someFleet(
    scannerFacts(2, () => ({ release: '2.1.0' })),
    { data },
  );
  const releases = ({ fleet }: typeof some) => [...fleet.scanners.values()].map(({ release }) => release);
  expect(releases(next)).toEqual(['2.2.0', '2.1.0']);
  await next.end();
  const last = await someFleet(
    scannerFacts(2, () => ({ release: '2.4.4' })),
    { data },
  );
  expect(releases(last)).toEqual(['2.4.4', '2.4.4']);
});

test('a scanner is delivered with the parameters of its group, and keeps what is saved afterwards', async () => {
  const data = temporaryFolder();
  const facts = (name: string) =>
    scannerFacts(2, (number) => ({ parameters: { LocationName: `${name} ${number}` } }));
  const some = await someFleet(facts('Hall'), { data });
  const scanner = new Scanner({ url: urlOf(some, '1'), password });
  expect(await scanner.read('LocationName')).toBe('Hall 1');
  await scanner.write('LocationName', 'Gate');
  await scanner.call('WriteEeprom');
  await some.end();
  const next = await someFleet(facts('Other'), { data });
  expect(await new Scanner({ url: urlOf(next, '1') }).read('LocationName')).toBe('Gate');
  // It was never needed: it is delivered now.
  expect(await new Scanner({ url: urlOf(next, '2') }).read('LocationName')).toBe('Other 2');
});

test('logins, passwords and the lock of one scanner leave the others as they are', async () => {
  const some = await someFleet(scannerFacts(2));
  const [one, two] = ['1', '2'].map((serial) => urlOf(some, serial));
  if (one === undefined || two === undefined) throw new Error('there are two');
  const stranger = new Scanner({ url: one, password: 'wrong' });
  for (let attempt = 0; attempt < 5; attempt++)
    await expect(stranger.write('LocationName', 'x')).rejects.toThrow();
  await expect(new Scanner({ url: one, password }).write('LocationName', 'x')).rejects.toThrow(
    'Access Denied',
  );
  await new Scanner({ url: two, password }).write('LocationName', 'open');
  expect(await new Scanner({ url: two }).read('LocationName')).toBe('open');
});

test('scanners that nobody needs any more rest again, unseen by their clients', async () => {
  const some = await someFleet(scannerFacts(3));
  const restAll = () =>
    Promise.all([...some.fleet.scanners.values()].map((scanner) => scanner.restIfUnused(0)));
  const [read, changed] = ['1', '2'].map((serial) => new Scanner({ url: urlOf(some, serial), password }));
  if (read === undefined || changed === undefined) throw new Error('there are two');
  const hours = await read.read('DailyOpHours');
  await changed.write('LocationName', 'not saved');
  await restAll();
  expect(some.fleet.states).toMatchObject({ idle: 3, running: 0 });
  expect(await read.read('PowerOnCnt')).toBe(1);
  expect(await read.read('DailyOpHours')).toBeGreaterThan(hours);
  expect(await changed.read('LocationName')).toBe('not saved');
  expect(some.fleet.states).toMatchObject({ idle: 1, running: 2 });
  await restAll();
  expect(some.fleet.states).toMatchObject({ idle: 3, running: 0 });
  expect(await read.read('PowerOnCnt')).toBe(1);
});

test('reads while scanners come to rest are all answered', async () => {
  const some = await someFleet(scannerFacts(4), { restAfter: 2 });
  const scanners = [...some.fleet.scanners.keys()].map((serial) => new Scanner({ url: urlOf(some, serial) }));
  let rests = 0;
  for (let round = 0; round < 60; round++) {
    rests += some.fleet.states.idle;
    const counts = await Promise.all(scanners.map((scanner) => scanner.read('PowerOnCnt')));
    expect(counts).toEqual([1, 1, 1, 1]);
    if (round % 4 === 0) await until(() => some.fleet.states.idle > 0);
  }
  expect(rests).toBeGreaterThan(10);
});

test('all scanners are switched off at once, though the storage of each is slow', async () => {
  const some = await someFleet(scannerFacts(70));
  const services = await Promise.all([...some.fleet.scanners.values()].map((scanner) => scanner.started()));
  let goOn = () => {};
  const slow = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const close = vi.spyOn(ScannerService.prototype, 'close').mockReturnValue(slow);
  const off = some.fleet.switchOff([...some.fleet.scanners.values()]);
  await new Promise(setImmediate);
  expect(close).toHaveBeenCalledTimes(70);
  close.mockRestore();
  goOn();
  await off;
  await Promise.all(services.map((service) => service.close()));
});

test('a scanner that is handed over answers what it has begun with, and nothing new', async () => {
  const some = await someFleet(scannerFacts(1));
  const scanner = some.fleet.scanners.get('1');
  const client = connect(Number(new URL(some.url).port), '127.0.0.1').setEncoding('utf8');
  onTestFinished(() => void client.destroy());
  const post = 'POST /scanners/1/api/LocationName HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n\r\n';
  client.write(`${post}{`);
  await until(() => scanner?.state === 'running');
  await until(() => scanner?.requests === 1);
  const removed = some.fleet.remove(['1'], new Promise(() => {}));
  expect((await fetch(urlOf(some, '1'))).status).toBe(404);
  expect(scanner?.state).toBe('running');
  client.write('}');
  expect(String(await once(client, 'data'))).toContain('"status"');
  await removed;
  expect(scanner?.state).toBe('off');
});

test('a request that takes too long is broken off when its scanner is handed over', async () => {
  const some = await someFleet(scannerFacts(1));
  const scanner = some.fleet.scanners.get('1');
  const client = connect(Number(new URL(some.url).port), '127.0.0.1').setEncoding('utf8');
  const post = 'POST /scanners/1/api/LocationName HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n\r\n';
  client.on('error', () => undefined).write(`${post}{`);
  await until(() => scanner?.requests === 1);
  const ended = once(client, 'close');
  await some.fleet.remove(['1'], Promise.resolve());
  await ended;
  expect(scanner?.state).toBe('off');
});

test('passwords of the fleet are those of each scanner', async () => {
  const some = await someFleet(scannerFacts(2), { passwords: { Service: 'other' } });
  const url = urlOf(some, '2');
  await expect(new Scanner({ url, password }).write('LocationName', 'x')).rejects.toThrow('Access Denied');
  await new Scanner({ url, password: 'other' }).write('LocationName', 'x');
});

test('no two scanners of thousands have the same MAC address', async () => {
  const { fleet } = await someFleet(scannerFacts(20_000));
  const addresses = [...fleet.scanners.values()].map(({ macAddress }) => macAddress.join(':'));
  expect(new Set(addresses).size).toBe(addresses.length);
});

test('patterns mean serial numbers, parts of them, groups, and all', async () => {
  const { fleet } = await someFleet(
    scannerFacts(12, (number) => ({ group: number % 2 === 0 ? 'even' : 'odd.1' })),
  );
  const meant = (pattern: string) => fleet.virtualMatching(pattern).map(({ facts }) => facts.serial);
  expect(meant('12')).toEqual(['12']);
  expect(meant('1*')).toEqual(['1', '10', '11', '12']);
  expect(meant('even/*')).toEqual(['2', '4', '6', '8', '10', '12']);
  expect(meant('odd?1/*')).toEqual([]);
  expect(meant('*')).toHaveLength(12);
  expect(meant('.*')).toEqual([]);
});

test('a scanner that cannot start is listed as failed, and the others run', async () => {
  const some = await someFleet(scannerFacts(2));
  vi.spyOn(ScannerService, 'start').mockRejectedValueOnce(new Error('no memory for a scanner'));
  const reply = await fetch(`${urlOf(some, '1')}/api/SerialNumber`);
  expect(await reply.text()).toBe('The scanner 1 does not answer: no memory for a scanner\n');
  const listed: unknown = await (await fetch(`${some.url}/scanners`)).json();
  expect(listed).toMatchObject([
    { serialNumber: '1', state: 'failed' },
    { serialNumber: '2', state: 'idle' },
  ]);
  expect(await new Scanner({ url: urlOf(some, '2') }).read('SerialNumber')).toBe('2');
  // The next power-on tries again.
  await some.fleet.switchOn(some.fleet.virtualMatching('*'));
  expect(await new Scanner({ url: urlOf(some, '1') }).read('PowerOnCnt')).toBe(2);
});
