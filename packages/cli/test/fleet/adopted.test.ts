import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { Scanner, ScannerError } from '@azimuth/client';
import type { AdoptionTimes, MemberFacts, RealScannerFacts } from '@azimuth/fleet';
import { Client } from '@azimuth/test-support/client';
import { array, object, parse } from '@azimuth/test-support/json';
import { type SomeFleet, scannerFacts, someFleet, urlOf } from '@azimuth/test-support/some-fleet';
import { until } from '@azimuth/test-support/waiting';
import { WebSocketClient } from '@azimuth/test-support/web-socket';
import { type StartOptions, startScanner, type TestScanner } from '@azimuth/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CommandFailure } from '../../src/command-failure.js';
import { adoption } from '../../src/fleet/adoption.js';
import { sealedPassword } from '../../src/fleet/sealed-password.js';
import { started } from '../../src/fleet/start-reports.js';

const quick: Partial<AdoptionTimes> = {
  followed: 200,
  unfollowed: 50,
  retry: 20,
  longestRetry: 50,
  registrations: 1,
  logins: 60_000,
};

/** A scanner that has only what real ones have. It ends with the test. */
async function device(options: StartOptions = {}): Promise<TestScanner> {
  const scanner = await startScanner({ asDevice: true, clock: 'real', legacy: false, ...options });
  onTestFinished(() => scanner.close());
  return scanner;
}

function real(serial: string, url: string, more: Partial<RealScannerFacts> = {}): RealScannerFacts {
  return { serial, group: 'yard', url, ...more };
}

async function fleetOf(
  facts: readonly MemberFacts[],
  times: Partial<AdoptionTimes> = quick,
): Promise<SomeFleet> {
  const adopted = await adoption(() => []);
  return someFleet(facts, { adoption: { ...adopted, times } });
}

async function listed({ url }: SomeFleet, query = ''): Promise<readonly Record<string, unknown>[]> {
  const response = await fetch(`${url}/scanners${query}`);
  return array(parse(await response.text())).map(object);
}

async function untilListed(
  fleet: SomeFleet,
  serial: string,
  state: string,
): Promise<Record<string, unknown>> {
  let found: Record<string, unknown> = {};
  await until(async () => {
    found = (await listed(fleet)).find((one) => one.serialNumber === serial) ?? {};
    return found.state === state;
  });
  return found;
}

describe('a fleet with real scanners', () => {
  test('lists them with state and location beside virtual ones, counts them, and shows trouble first', async () => {
    const one = await device({ serial: '23450001', release: '2.1.0', stored: { LocationName: 'Gate <3>' } });
    const fleet = await fleetOf([
      ...scannerFacts(1),
      real('23450001', one.url),
      real('23450002', 'http://127.0.0.1:9'),
    ]);
    const online = await untilListed(fleet, '23450001', 'online');
    expect(online).toMatchObject({ isReal: true, location: 'Gate <3>', release: '2.1.0', group: 'yard' });
    expect(online.url).toBe(urlOf(fleet, '23450001'));
    const silent = await untilListed(fleet, '23450002', 'unreachable');
    await until(async () =>
      /ECONNREFUSED/.test(String((await untilListed(fleet, '23450002', 'unreachable')).trouble)),
    );
    expect(silent).toMatchObject({ release: '', location: '' });
    const serials = (await listed(fleet, '?sort=trouble')).map(({ serialNumber }) => serialNumber);
    expect(serials).toEqual(['23450002', '1', '23450001']);
    const overview = object(parse(await (await fetch(`${fleet.url}/fleet`)).text()));
    expect(overview).toMatchObject({ scanners: 3, states: { online: 1, unreachable: 1, idle: 1 } });
    const site = object(parse(await (await fetch(`${fleet.url}/site`)).text()));
    expect(site.scanners).toMatchObject([
      { serialNumber: '23450002', severity: 'bad' },
      { serialNumber: '1', severity: 'good' },
      { serialNumber: '23450001', location: 'Gate <3>', severity: 'good' },
    ]);
    const metrics = await (await fetch(`${fleet.url}/metrics`)).text();
    expect(metrics).toContain('azimuth_fleet_scanners{group="yard",state="online"} 1');
  });

  test('forwards requests and WebSockets, and logins stay between client and scanner', async () => {
    const one = await device({ serial: '23450001', passwords: { Service: 'known to few' } });
    const fleet = await fleetOf([real('23450001', one.url)]);
    await untilListed(fleet, '23450001', 'online');
    const client = new Scanner({ url: urlOf(fleet, '23450001'), password: 'known to few' });
    onTestFinished(() => client.close());
    await client.write('LocationName', 'Gate 3');
    expect(one.read('LocationName')).toBe('Gate 3');
    const stranger = new Scanner({ url: urlOf(fleet, '23450001'), password: 'wrong' });
    await expect(stranger.write('LocationName', 'Gate 4')).rejects.toBeInstanceOf(ScannerError);
    for await (const { data } of client.events('DeviceStatus')) {
      expect(data).toBe(one.read('DeviceStatus'));
      break;
    }
  });
});

describe('the state of a real scanner', () => {
  test('is wrong-serial if another scanner is at its address: nothing is forwarded to that one', async () => {
    const other = await device({ serial: '77777777' });
    const fleet = await fleetOf([real('23450001', other.url)]);
    const { trouble } = await untilListed(fleet, '23450001', 'wrong-serial');
    expect(trouble).toBe('the scanner 77777777 is at its address');
    const answer = await fetch(`${urlOf(fleet, '23450001')}/api/DeviceStatus`);
    expect([answer.status, await answer.text()]).toEqual([
      502,
      'Nothing is forwarded to the scanner 23450001: the scanner 77777777 is at its address.\n',
    ]);
    await expect(
      WebSocketClient.open(Number(new URL(fleet.url).port), { path: '/scanners/23450001/apievents' }),
    ).rejects.toThrow(/502 Nothing is forwarded/);
  });

  test('is locked-out after one refused login, which is not tried again', async () => {
    const one = await device({ serial: '23450001' });
    const credentials = { user: 'Service', sealed: sealedPassword('yard', 'wrong') } as const;
    const fleet = await fleetOf([real('23450001', one.url, { credentials })]);
    await untilListed(fleet, '23450001', 'locked-out');
    const looksBefore = one.journal.entries.length;
    await until(() => one.journal.entries.length > looksBefore + 8);
    const logins = one.journal.entries.filter((entry) => JSON.stringify(entry).includes('checkCredentials'));
    expect(logins.length).toBe(1);
    await expect(one.client.write('LocationName', 'Gate 3')).resolves.toBeUndefined();
    expect(JSON.stringify(await listed(fleet))).not.toContain('wrong');
  });

  test('is online with the right password, and unreachable and online again with its power', async () => {
    const one = await device({ serial: '23450001', bootTime: 0 });
    const credentials = { user: 'Service', sealed: sealedPassword('yard', 'servicelevel') } as const;
    const fleet = await fleetOf([real('23450001', one.url, { credentials })]);
    const told: string[] = [];
    onTestFinished(
      fleet.fleet.events.follow(
        [],
        (event) => void told.push(`${event.event} ${'state' in event ? event.state : ''}`),
      ),
    );
    await untilListed(fleet, '23450001', 'online');
    await one.power.off();
    await untilListed(fleet, '23450001', 'unreachable');
    await one.power.on();
    await untilListed(fleet, '23450001', 'online');
    expect(told.filter((one) => one.startsWith('state'))).toEqual([
      'state online',
      'state unreachable',
      'state online',
    ]);
  });

  test('shows its DeviceStatus by events, and as trouble', async () => {
    const one = await device({ serial: '23450001' });
    const fleet = await fleetOf([real('23450001', one.url)], {
      ...quick,
      followed: 3_600_000,
      unfollowed: 3_600_000,
    });
    await untilListed(fleet, '23450001', 'online');
    await one.client.call('mStopMeasure');
    await until(async () => (await listed(fleet))[0]?.trouble === 'DeviceStatus 4 (DS_SuspendedOperation)');
    await one.client.call('mStartMeasure');
    await until(async () => (await listed(fleet))[0]?.trouble === undefined);
    expect((await listed(fleet))[0]).toMatchObject({ state: 'online', deviceStatus: 3 });
  });
});

test('commands for virtual scanners are refused by real ones, and act on the virtual ones beside them', async () => {
  const one = await device({ serial: '23450001' });
  const fleet = await fleetOf([...scannerFacts(1), real('23450001', one.url)]);
  await untilListed(fleet, '23450001', 'online');
  const power = await fetch(`${fleet.url}/fleet/power`, {
    method: 'POST',
    body: JSON.stringify({ scanners: '*', power: 'off' }),
  });
  expect(parse(await power.text())).toMatchObject({
    scanners: 2,
    changed: 1,
    failed: [
      { serialNumber: '23450001', reason: 'this is a real scanner: the fleet does not switch its power' },
    ],
  });
  const sim = await fetch(`${urlOf(fleet, '23450001')}/x/sim/temperature`, { method: 'POST', body: '{}' });
  expect([sim.status, await sim.text()]).toEqual([404, 'This is a real scanner: it has no simulation.\n']);
});

test('nothing that a scanner answers is a document, and a redirection is not followed', async () => {
  const answers: RequestListener = (request, response) => {
    const name = request.url?.replace('/api/', '') ?? '';
    const values: Record<string, unknown> = {
      SerialNumber: '23450001',
      DeviceIdent: { Name: 'x', Version: '2.1.0.0R' },
      LocationName: '<script>alert(1)</script>\u202e',
      DeviceStatus: 3,
    };
    if (name in values) {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ header: { status: 0, message: 'Ok' }, data: { [name]: values[name] } }));
    } else if (name === 'redirects') response.writeHead(302, { Location: 'http://127.0.0.1:9/' }).end();
    else
      response.writeHead(200, { 'Content-Type': 'text/html', 'Set-Cookie': 'a=b' }).end('<script>1</script>');
  };
  const server = createServer(answers).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = Object(server.address());
  const fleet = await fleetOf([real('23450001', `http://127.0.0.1:${port}`)]);
  const found = await untilListed(fleet, '23450001', 'online');
  expect(found.location).toBe('<script>alert(1)</script>?');
  expect(await (await fetch(fleet.url)).text()).not.toContain('<script>');
  const page = await fetch(`${urlOf(fleet, '23450001')}/some/page`);
  expect(Object.fromEntries(page.headers)).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  });
  expect(page.headers.get('set-cookie')).toBeNull();
  const redirected = await fetch(`${urlOf(fleet, '23450001')}/api/redirects`, { redirect: 'manual' });
  expect([redirected.status, redirected.headers.get('location')]).toEqual([502, null]);
});

describe('a real scanner that leaves the fleet', () => {
  /** A server in the place of a scanner, which ends with the test. */
  async function serverOf(answers: RequestListener): Promise<string> {
    const server = createServer(answers).listen(0, '127.0.0.1');
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    await once(server, 'listening');
    return `http://127.0.0.1:${Object(server.address()).port}`;
  }

  test('is not waited for, even if it does not answer', async () => {
    let asked = 0;
    const url = await serverOf(() => void asked++);
    const { fleet } = await fleetOf([real('23450001', url)]);
    await until(() => asked > 0);
    const began = performance.now();
    await fleet.remove(['23450001']);
    // A request has ten seconds.
    expect(performance.now() - began).toBeLessThan(2000);
  });

  test('still answers the requests that it has, for a while', async () => {
    const one = await device({ serial: '23450001' });
    const slow: (() => void)[] = [];
    const url = await serverOf((request, response) => {
      if (request.url !== '/api/slow') {
        void fetch(`${one.url}${request.url}`).then(async (answer) => response.end(await answer.text()));
        return;
      }
      slow.push(() => response.end('{}'));
    });
    const fleet = await fleetOf([real('23450001', url)]);
    await untilListed(fleet, '23450001', 'online');
    const asked = fetch(`${urlOf(fleet, '23450001')}/api/slow`);
    await until(() => slow.length === 1);
    const removed = fleet.fleet.remove(['23450001'], new Promise(() => undefined));
    slow[0]?.();
    expect((await asked).status).toBe(200);
    await removed;
  });
});

test('a fleet whose file names its own port says so in a line', async () => {
  const own = real('23450001', 'http://127.0.0.1:8000');
  const adopted = await adoption(() => [{ host: '127.0.0.1', port: 8000 }]);
  const starting = started(() => someFleet([own], { adoption: adopted }));
  await expect(starting).rejects.toEqual(
    new CommandFailure('127.0.0.1:8000 is the port of the fleet itself'),
  );
});

test('a request by a foreign host name does not reach a real scanner', async () => {
  const one = await device({ serial: '23450001' });
  const fleet = await fleetOf([real('23450001', one.url)]);
  await untilListed(fleet, '23450001', 'online');
  const client = new Client(Number(new URL(fleet.url).port));
  const path = '/scanners/23450001/api/DeviceStatus';
  const foreign = await client.send({ method: 'GET', path, headers: { Host: 'evil.example' } });
  expect(foreign.httpStatus).toBe(403);
  const own = await client.send({ method: 'GET', path, headers: { Host: '127.0.0.1' } });
  expect(own.httpStatus).toBe(200);
});
