import { acceptedSockets } from '@azimuth/test-support/accepted-sockets';
import { Client } from '@azimuth/test-support/client';
import { FaultyStorage } from '@azimuth/test-support/faulty-storage';
import { RawConnection } from '@azimuth/test-support/raw-connection';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';

const read = 'GET /api/LocationName HTTP/1.1\r\nHost: x\r\n\r\n';

async function write(scanner: TestScanner, name: string, data?: unknown): Promise<string> {
  const header = await new Client(scanner.httpPort).header(name);
  const body = JSON.stringify({ header, data });
  return `POST /api/${name} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

test('a read after a write returns the written value, also in one segment', async () => {
  const scanner = await TestScanner.start();
  const connection = await RawConnection.open(scanner.httpPort);
  const one = await write(scanner, 'LocationName', { LocationName: 'Gate 1' });
  const two = await write(scanner, 'LocationName', { LocationName: 'Gate 2' });
  connection.write(`${read}${one}${read}${two}${read}`);
  const bodies: string[] = [];
  for (let count = 0; count < 5; count++) bodies.push((await connection.response()).body);
  expect(bodies.map((body) => /"LocationName":"([^"]*)"/.exec(body)?.[1])).toEqual([
    'not defined',
    undefined,
    'Gate 1',
    undefined,
    'Gate 2',
  ]);
  connection.destroy();
});

test('pages outside the interface wait as well', async () => {
  const storage = new FaultyStorage();
  const scanner = await TestScanner.start({ storage });
  await scanner.client().write('LocationName', 'Gate 3');
  const connection = await RawConnection.open(scanner.httpPort);
  connection.write(`${await write(scanner, 'WriteEeprom')}GET /x/stored HTTP/1.1\r\nHost: x\r\n\r\n`);
  expect((await connection.response()).body).toContain('"Success":true');
  expect((await connection.response()).body).toContain('Gate 3');
  connection.destroy();
});

test('a refused request does not block the next one', async () => {
  const scanner = await TestScanner.start();
  const connection = await RawConnection.open(scanner.httpPort);
  const broken = 'POST /api/LocationName HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n{';
  connection.write(`${broken}${broken}${read}`);
  const bodies = [await connection.response(), await connection.response(), await connection.response()];
  expect(bodies.map(({ body }) => /"status":(\d+)/.exec(body)?.[1])).toEqual(['1', '1', '0']);
  connection.destroy();
});

test('a waiting write of a closed connection is not executed, and others do not wait for it', async () => {
  const storage = new FaultyStorage();
  const scanner = await TestScanner.start({ storage });
  const store = await write(scanner, 'WriteEeprom');
  const rename = await write(scanner, 'LocationName', { LocationName: 'too late' });
  const storing = storage.delay('parameters.json');
  const accepted = acceptedSockets();
  const connection = await RawConnection.open(scanner.httpPort);
  connection.write(`${store}${rename}`);
  await until(() => storage.begun.includes('parameters.json'));
  for (const socket of accepted) socket.destroy();
  const client = scanner.client();
  expect(await client.value('LocationName')).toBe('not defined');
  await until(() => connection.isClosed);
  expect(await client.value('DeviceStatus')).toBe(3);
  storing.open();
  expect(await client.value('LocationName')).toBe('not defined');
});
