import { RawConnection } from '@azimuth/test-support/raw-connection';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { expect, test } from 'vitest';
import { pathOf } from '../src/admission.js';

test.each([
  ['/api/DeviceIdent', '/api/DeviceIdent'],
  ['/api/DeviceIdent?', '/api/DeviceIdent'],
  ['/api/DeviceIdent?a=1?b', '/api/DeviceIdent'],
  ['http://scanner/api/DeviceIdent', '/api/DeviceIdent'],
  ['HTTP://Scanner:8080/api/DeviceIdent?a=1', '/api/DeviceIdent'],
  ['https://[::1]:8080/api/', '/api/'],
  ['http://scanner', '/'],
  ['http://scanner/', '/'],
  ['http://scanner?a=/api/x', '/'],
  ['http://scanner//api/x', '//api/x'],
  ['//scanner/api/x', '//scanner/api/x'],
  ['/http://scanner/api/x', '/http://scanner/api/x'],
  ['ftp://scanner/api/x', 'ftp://scanner/api/x'],
  ['*', '*'],
  ['', ''],
])('the target "%s" names the path "%s"', (target, path) => {
  expect(pathOf(target)).toBe(path);
});

test('over the network, a target in absolute form is served like one in origin form', async () => {
  const scanner = await TestScanner.start();
  const connection = await RawConnection.open(scanner.httpPort);
  const bodies: string[] = [];
  for (const target of [
    '/api/DeviceIdent',
    'http://x/api/DeviceIdent',
    `http://127.0.0.1:1/api/DeviceIdent?a`,
  ]) {
    connection.request(`GET ${target}`);
    bodies.push((await connection.response()).body);
  }
  expect(bodies[0]).toContain('"status":0');
  expect(new Set(bodies).size).toBe(1);
  connection.request('POST http://x/api/getChallenge', [], '{"data":{"user":"Service"}}');
  expect((await connection.response()).body).toContain('"challenge"');
  connection.destroy();
});
