import { Scanner, SimulationError } from '@azimuth/client';
import type { AllowedNames } from '@azimuth/http';
import { Client } from '@azimuth/test-support/client';
import { forwardingHeaders } from '@azimuth/test-support/forwarding-headers';
import { open } from '@azimuth/test-support/raw-connection';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { beforeEach, describe, expect, test } from 'vitest';
import { SceneScanner } from './room.js';

/** Returns the HTTP status of a request for the simulation at the web server of a scanner. */
async function asked(scanner: TestScanner, headers: Readonly<Record<string, string>>, path = '/x/sim') {
  const { httpStatus } = await new Client(scanner.httpPort).send({ method: 'GET', path, headers });
  return httpStatus;
}

const fromElsewhere: readonly (readonly [what: string, headers: Readonly<Record<string, string>>])[] = [
  ['comes from a page of another origin', { Origin: 'http://evil.example' }],
  ['names a host that is not this computer', { Host: '192.168.0.1' }],
  ['names a public host', { Host: 'scanner.lan' }],
  ['names an allowed host, which a proxy is called by', { Host: 'panel.example' }],
  ['comes from a page of another port', { Origin: 'http://127.0.0.1:1' }],
  ...forwardingHeaders.map((name) => [`has the header ${name}`, { [name]: '127.0.0.1' }] as const),
];

describe('with a control port, the pages of the scanner control its simulation', () => {
  let room: SceneScanner;
  let scanner: Scanner;
  beforeEach(async () => {
    room = await SceneScanner.start();
    scanner = new Scanner({ url: room.testScanner.service.url ?? '' });
  });

  test('they see the state, and carry out commands', async () => {
    expect(await scanner.simulation.isAvailable()).toBe(true);
    await scanner.simulation.command('temperature', { celsius: 60 });
    expect(await scanner.simulation.read()).toMatchObject({ temperature: 60, scene: { name: 'Room' } });
    expect(await scanner.simulation.read('scene')).toMatchObject({ name: 'Room' });
  });

  test('a command that is refused says why, and changes nothing', async () => {
    const { simulation } = scanner;
    await expect(simulation.command('temperature', { celsius: 500 })).rejects.toThrow(SimulationError);
    await expect(simulation.command('earthquake')).rejects.toThrow('unknown command');
    expect(await simulation.read()).toMatchObject({ temperature: 22 });
  });

  test('a request of the same origin is admitted', async () => {
    const origin = `http://127.0.0.1:${room.testScanner.httpPort}`;
    expect(await asked(room.testScanner, { Origin: origin })).toBe(200);
  });

  test.each(fromElsewhere)('a request is refused that %s', async (_, headers) => {
    expect(await asked(room.testScanner, headers)).toBe(403);
  });

  test('a request of HTTP/1.0 is refused, which proxies speak by default, and no browser', async () => {
    const connection = await open(room.testScanner.httpPort);
    connection.write('GET /x/sim HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n');
    expect((await connection.response()).statusLine).toContain('403');
  });

  test('a body that is too large is refused', async () => {
    const body = JSON.stringify({ celsius: 60, more: 'x'.repeat(100_000) });
    const client = new Client(room.testScanner.httpPort);
    const reply = await client.send({ method: 'POST', path: '/x/sim/temperature', headers: {}, body });
    expect(reply.httpStatus).toBe(400);
  });
});

test('not even pages of an allowed origin may use it', async () => {
  const origin = 'https://panel.example.com';
  const scanner = await TestScanner.start({ controlPort: 0, web: { allowed: { origins: [origin] } } });
  expect(await asked(scanner, { Origin: origin })).toBe(403);
  expect(await asked(scanner, { Origin: origin }, '/api/DeviceStatus')).toBe(200);
});

test('behind a proxy that does not show, nobody is on this computer, unless the scanner is told so', async () => {
  const hosts = ['scanner.example.com'];
  const scannerWith = (allowed: AllowedNames) => TestScanner.start({ controlPort: 0, web: { allowed } });
  expect(await asked(await scannerWith({ hosts }), {})).toBe(403);
  expect(await asked(await scannerWith({ hosts, localRights: true }), {})).toBe(200);
  expect(await asked(await scannerWith({ localRights: false }), {})).toBe(403);
  const proxied = { 'X-Forwarded-For': '127.0.0.1' };
  expect(await asked(await scannerWith({ hosts, localRights: true }), proxied)).toBe(403);
});

test('without a control port, there is no simulation, and asking for it is no mistake', async () => {
  const scanner = await TestScanner.start();
  const { service } = scanner;
  expect(await asked(scanner, {})).toBe(200);
  const { simulation } = new Scanner({ url: service.url ?? '' });
  expect(await simulation.isAvailable()).toBe(false);
  await expect(simulation.command('temperature', { celsius: 60 })).rejects.toThrow('simulation');
});
