import { setTimeout as realPause } from 'node:timers/promises';
import { Scanner } from '@azimuth/client';
import { LegacyScanner } from '@azimuth/client/legacy';
import { VirtualClock } from '@azimuth/device';
import { allMethods } from '@azimuth/model';
import { ScannerJournal } from '@azimuth/simulation/journal';
import { until } from '@azimuth/test-support/waiting';
import { describe, expect, expectTypeOf, onTestFinished, test } from 'vitest';
import { type StartOptions, startScanner } from '../src/index.js';

/** A scanner that ends with the test. */
async function started(options: StartOptions = {}) {
  const scanner = await startScanner(options);
  onTestFinished(() => scanner.close());
  return scanner;
}

async function connected(port: number | null, framing: 'text' | 'binary') {
  const legacy = await LegacyScanner.connect({ host: '127.0.0.1', port: port ?? 0, framing });
  onTestFinished(() => legacy.close());
  return legacy;
}

describe('the journal of startScanner', () => {
  test('has each write with the level of the caller, its value, its status and the time of the scanner', async () => {
    const scanner = await started({ user: 'AuthorizedClient', release: '1.5.0' });
    await scanner.advance(500);
    await scanner.client.write('LocationName', 'Gate 3');
    const write = await scanner.journal.write('LocationName');
    expect(write).toMatchObject({
      ...{ kind: 'write', verb: 'POST', name: 'LocationName', value: 'Gate 3' },
      ...{ level: 'AuthorizedClient', status: 0, time: 500, utc: Date.UTC(2026, 0, 15, 12) + 500 },
    });
    expectTypeOf(write.value).toEqualTypeOf<string>();
  });

  test('has reads, calls and requests under /x/', async () => {
    const scanner = await started();
    await scanner.client.read('SerialNumber');
    await scanner.client.call('FindMe', { uiDuration: 3 });
    await fetch(`${scanner.url}/x/conditions`);
    expect(await scanner.journal.read('SerialNumber')).toMatchObject({
      verb: 'GET',
      level: 'Run',
      status: 0,
    });
    const call = await scanner.journal.call('FindMe');
    expect(call).toMatchObject({ level: 'Service', request: { uiDuration: 3 } });
    expectTypeOf(call.request.uiDuration).toEqualTypeOf<number | undefined>();
    expect(await scanner.journal.next()).toMatchObject({ kind: 'read', name: 'x/conditions' });
  });

  test('has refused requests with the reason, and what nobody declares', async () => {
    const scanner = await started();
    const stranger = new Scanner({ url: scanner.url, password: 'wrong' });
    await expect(stranger.write('LocationName', 'Gate 3')).rejects.toThrow();
    await expect(scanner.client.write('LocationName', 'x'.repeat(99))).rejects.toThrow();
    await fetch(`${scanner.url}/api/LokationName`);
    await fetch(`${scanner.url}/api/SerialNumber`, { method: 'POST', body: '{"data":{"SerialNumber":"7"}}' });
    const refused = scanner.journal.entries.filter((entry) => 'status' in entry && entry.status !== 0);
    expect(refused).toMatchObject([
      { kind: 'write', status: 4, level: undefined, detail: 'wrong credentials' },
      { kind: 'write', status: 7, level: 'Service', value: 'x'.repeat(99) },
      { kind: 'unknown', name: 'LokationName', status: 5 },
      { kind: 'write', name: 'SerialNumber', status: 8, value: '7' },
    ]);
  });

  test('has the telegrams of both legacy interfaces in both framings, with their answers', async () => {
    const scanner = await started();
    const { legacyA, legacyB } = scanner.ports;
    const text = await connected(legacyA, 'text');
    const binary = await connected(legacyB, 'binary');
    await text.login('Service', 'servicelevel');
    await text.raw('sWN LocationName +6 Gate 3');
    await binary.raw('sRN LocationName');
    await expect(binary.raw('sRN Nothing')).rejects.toThrow();
    expect(await scanner.journal.legacy('sWN LocationName')).toMatchObject({
      ...{ interface: 'A', framing: 'text', level: 'Service', values: '+6 Gate 3' },
      ...{ answer: 'sWA LocationName', error: undefined },
    });
    expect(await scanner.journal.legacy('sRN LocationName')).toMatchObject({
      ...{ interface: 'B', framing: 'binary', level: 'Run', values: '' },
      answer: `sRA LocationName 0006${Buffer.from('Gate 3').toString('hex')}`,
    });
    expect(await scanner.journal.legacy('sRN Nothing')).toMatchObject({
      ...{ error: 'unknownVariable', answer: 'sFA 0003' },
    });
  });

  test('has registrations for events, and file transfers', async () => {
    const scanner = await started();
    const events = scanner.client.events('DeviceStatus');
    const first = events[Symbol.asyncIterator]().next();
    expect(await scanner.journal.registration('DeviceStatus')).toMatchObject({
      path: '/apievents',
      clientId: 1,
    });
    events.close();
    await first;
    await scanner.client.call('CreateParameterBackup', { Passphrase: '' });
    const { token } = await scanner.client.call('CreateSessionToken');
    await fetch(`${scanner.url}/api/parameterbackup`, { headers: { 'X-Session-Token': token } });
    await fetch(`${scanner.url}/api/parameterbackup`);
    const files = scanner.journal.entries.filter(({ kind }) => kind === 'file');
    expect(files).toMatchObject([
      { name: 'parameterbackup', verb: 'GET', level: 'Service', httpStatus: 200 },
      { name: 'parameterbackup', verb: 'GET', level: undefined, httpStatus: 403 },
    ]);
  });

  test('has requests whose answer was a planned fault', async () => {
    const scanner = await started();
    scanner.faults.add({ faults: [{ kind: 'http-429', first: 1 }] });
    await fetch(`${scanner.url}/api/SerialNumber`);
    expect(await scanner.journal.next()).toMatchObject({
      ...{ kind: 'unknown', name: 'SerialNumber', status: 11 },
      detail: 'a fault was planned for this request',
    });
  });
});

describe('a wait for the journal', () => {
  test('finds what came before the call, and then only what comes later', async () => {
    const scanner = await started();
    await scanner.client.write('LocationName', 'one');
    await scanner.client.write('LocationName', 'two');
    expect(await scanner.journal.write('LocationName')).toMatchObject({ value: 'one' });
    expect(await scanner.journal.write('LocationName')).toMatchObject({ value: 'two' });
    const third = scanner.journal.write('LocationName');
    await scanner.client.write('LocationName', 'three');
    expect(await third).toMatchObject({ value: 'three' });
    expect(await scanner.journal.write('LocationName', { since: 0 })).toMatchObject({ value: 'one' });
  });

  test('does not count a refused write', async () => {
    const scanner = await started();
    await expect(scanner.client.write('LocationName', 'x'.repeat(99))).rejects.toThrow();
    await scanner.client.write('LocationName', 'Gate 3');
    expect(await scanner.journal.write('LocationName')).toMatchObject({ value: 'Gate 3' });
  });

  test('rejects after its time, and names what came instead', async () => {
    const scanner = await started();
    await scanner.client.write('LocationName', 'Gate 3');
    const missing = scanner.journal.write('ScanDataEnable', { timeout: 5 });
    await expect(missing).rejects.toThrow(
      /^no write of ScanDataEnable was carried out in 5 ms\. Since entry 0 came instead:\n {2}1 call POST getChallenge/,
    );
    await expect(missing).rejects.toThrow('write POST LocationName "Gate 3" by Service: status 0');
    await expect(missing).rejects.toThrow('call advance()');
    const nothing = scanner.journal.legacy('sRN X', { timeout: 5, since: scanner.journal.last });
    await expect(nothing).rejects.toThrow('nothing came at all');
  });

  test('rejects with what its function throws, and leaves the request as it is', async () => {
    const scanner = await started();
    const matches = () => {
      throw new Error('a mistake in a test');
    };
    const waiting = scanner.journal.next(matches);
    await Promise.all([
      expect(waiting).rejects.toThrow('a mistake in a test'),
      scanner.client.write('LocationName', 'Gate 3'),
    ]);
    await expect(scanner.journal.next(matches)).rejects.toThrow('a mistake in a test');
    expect(scanner.journal.entries).not.toHaveLength(0);
  });

  test('waits for ever with the timeout Infinity, and refuses times that are none', async () => {
    const scanner = await started();
    const waits = [1e12, Number.POSITIVE_INFINITY].map((timeout) =>
      scanner.journal.next(undefined, { timeout }),
    );
    await realPause(20);
    await scanner.client.read('LocationName');
    expect(await Promise.all(waits)).toMatchObject([{ number: 1 }, { number: 1 }]);
    for (const timeout of [-1, Number.NaN])
      await expect(scanner.journal.next(undefined, { timeout })).rejects.toThrow(RangeError);
  });

  test('rejects when the scanner is closed, and iterators end', async () => {
    const scanner = await startScanner();
    await scanner.client.write('LocationName', 'Gate 3');
    const missing = scanner.journal.write('ScanDataEnable');
    const seen = (async () => {
      const names: string[] = [];
      for await (const entry of scanner.journal) if ('name' in entry) names.push(entry.name);
      return names;
    })();
    const rejected = expect(missing).rejects.toThrow('before the scanner was closed');
    await scanner.client.write('LocationName', 'Gate 4');
    await scanner.close();
    await rejected;
    expect((await seen).filter((name) => name === 'LocationName')).toHaveLength(2);
  });
});

test('the journal keeps the last 10,000 entries and 16 MiB, and tells how many it has dropped', () => {
  const event = { kind: 'unknown', client: '', name: '', verb: 'GET', level: undefined, status: 5 } as const;
  const journal = new ScannerJournal(new VirtualClock());
  for (let count = 0; count < 25_100; count++) journal.add(event, 1);
  expect(journal.since(0).entries).toHaveLength(10_000);
  expect(journal.since(0).dropped).toBe(15_100);
  expect(journal.since(0).entries[0]?.number).toBe(15_101);
  expect(journal.since(25_098, 1).entries).toMatchObject([{ number: 25_099 }]);
  journal.add(event, 16 * 1024 * 1024);
  expect(journal.since(0).entries).toMatchObject([{ number: 25_101 }]);
});

test('the control port has the journal too', async () => {
  const scanner = await started({ controlPort: true });
  await scanner.client.write('LocationName', 'Gate 3');
  const control = `http://127.0.0.1:${scanner.ports.control}`;
  const all = await (await fetch(`${control}/journal`)).json();
  expect(all).toEqual({
    ...{ last: scanner.journal.last, dropped: 0 },
    entries: JSON.parse(JSON.stringify(scanner.journal.entries)),
  });
  const part = await (await fetch(`${control}/journal?since=1&limit=1`)).json();
  expect(part).toMatchObject({ entries: [{ number: 2 }] });
  const refused = await fetch(`${control}/journal?limit=0`);
  expect([refused.status, await refused.json()]).toEqual([
    400,
    { error: '"limit" must be a whole number from 1 to 10000' },
  ]);
  const { paths } = await (await fetch(`${control}/openapi.json`)).json();
  expect(paths['/journal'].get.parameters).toMatchObject([{ name: 'since' }, { name: 'limit' }]);
});

describe('no secret', () => {
  const secrets = /passw|passphrase|private|token$|nonce|opaque|salt|secret|encrypted|hash/i;

  test('is declared as anything else', () => {
    const open = allMethods.flatMap((method) =>
      [...Object.keys(method.facts.request ?? {}), ...Object.keys(method.facts.response ?? {})]
        .filter((member) => secrets.test(member) && !method.isSecret(member))
        .map((member) => `${method.name}.${member}`),
    );
    expect(open).toEqual([]);
  });

  test('is declared under a name that the method lacks', () => {
    for (const { name, facts } of allMethods) {
      const members = [...Object.keys(facts.request ?? {}), ...Object.keys(facts.response ?? {})];
      expect(members, name).toEqual(expect.arrayContaining([...(facts.secrets ?? [])]));
    }
  });

  test('is in the journal, however it comes', async () => {
    const scanner = await started();
    const { client } = scanner;
    const bodies: string[] = [];
    await client.call('SetPassword', { siUserLevel: 4, udiNewPassword: 3_141_592_653 });
    await client.call('CreateParameterBackup', { Passphrase: 'phrase-4711' });
    const { token } = await client.call('CreateSessionToken');
    await fetch(`${scanner.url}/api/parameterbackup`, { headers: { 'X-Session-Token': token } });
    for (const [name, data] of [
      ['setCertificateBundle', { contentCertificateBundle: 'bundle-4716', contentPrivateKey: 'key-4712' }],
      ['SetPassword', { siUserLevel: 'other-member-4717', udiNewPassword: 1 }],
      ['SetPassword', { siUserLevel: ['other-member-4717'], udiNewPassword: 1 }],
      ['SetPasword', { udiNewPassword: 'wrong-name-4713' }],
      ['SetPassword', { newPassword: 'wrong-member-4714' }],
      ['SetPassword', 'no-object-4715'],
    ] as const) {
      const body = JSON.stringify({ data });
      bodies.push(body);
      await fetch(`${scanner.url}/api/${name}`, { method: 'POST', body });
    }
    const legacy = await connected(scanner.ports.legacyA, 'text');
    for (const telegram of [
      'sMN SetAccessMode 04 DEADBEEF',
      'sMN CheckPassword 04 DEADBEEF',
      'sMN SetAccesMode 04 DEADBEEF',
      'sMN SetPassword 04 DEADBEEF',
    ])
      await legacy.raw(telegram).catch(() => undefined);
    await until(() => scanner.journal.entries.filter(({ kind }) => kind === 'legacy').length === 4);
    const kept = JSON.stringify(scanner.journal.entries);
    expect(kept).toContain('CreateParameterBackup');
    expect(kept).toContain('sMN SetAccessMode');
    const words = [
      '3141592653',
      '4711',
      '4712',
      '4713',
      '4714',
      '4715',
      '4716',
      '4717',
      'DEADBEEF',
      token,
      '"nonce"',
      '"salt"',
    ];
    expect(words.filter((word) => kept.includes(word))).toEqual([]);
  });
});
