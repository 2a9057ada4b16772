import { expect, test } from 'vitest';
import { acceptedSockets } from '../../../tests/support/accepted-sockets.js';
import { Client } from '../../../tests/support/client.js';
import { FaultyStorage } from '../../../tests/support/faulty-storage.js';
import { RawConnection } from '../../../tests/support/raw-connection.js';
import { Bench } from '../../../tests/support/service-test-bench.js';
import { until } from '../../../tests/support/waiting.js';

const read = 'GET /api/LocationName HTTP/1.1\r\nHost: x\r\n\r\n';

async function write(bench: Bench, name: string, data?: unknown): Promise<string> {
  const header = await new Client(bench.httpPort).header(name);
  const body = JSON.stringify({ header, data });
  return `POST /api/${name} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

test('a read behind a write sees what was written, also in one segment', async () => {
  const bench = await Bench.start();
  const connection = await RawConnection.open(bench.httpPort);
  const one = await write(bench, 'LocationName', { LocationName: 'Gate 1' });
  const two = await write(bench, 'LocationName', { LocationName: 'Gate 2' });
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

test('pages beside the interface wait as well', async () => {
  const storage = new FaultyStorage();
  const bench = await Bench.start({ storage });
  await bench.client().write('LocationName', 'Gate 3');
  const connection = await RawConnection.open(bench.httpPort);
  connection.write(`${await write(bench, 'WriteEeprom')}GET /x/stored HTTP/1.1\r\nHost: x\r\n\r\n`);
  expect((await connection.response()).body).toContain('"Success":true');
  expect((await connection.response()).body).toContain('Gate 3');
  connection.destroy();
});

test('a refused request does not block the one behind it', async () => {
  const bench = await Bench.start();
  const connection = await RawConnection.open(bench.httpPort);
  const broken = 'POST /api/LocationName HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n{';
  connection.write(`${broken}${broken}${read}`);
  const bodies = [await connection.response(), await connection.response(), await connection.response()];
  expect(bodies.map(({ body }) => /"status":(\d+)/.exec(body)?.[1])).toEqual(['1', '1', '0']);
  connection.destroy();
});

test('a write that waits is not done for a client that is gone, and nobody else waits for it', async () => {
  const storage = new FaultyStorage();
  const bench = await Bench.start({ storage });
  const store = await write(bench, 'WriteEeprom');
  const rename = await write(bench, 'LocationName', { LocationName: 'too late' });
  const storing = storage.delay('parameters.json');
  const accepted = acceptedSockets();
  const connection = await RawConnection.open(bench.httpPort);
  connection.write(`${store}${rename}`);
  await until(() => storage.begun.includes('parameters.json'));
  for (const socket of accepted) socket.destroy();
  const client = bench.client();
  expect(await client.value('LocationName')).toBe('not defined');
  await until(() => connection.isClosed);
  expect(await client.value('DeviceStatus')).toBe(3);
  storing.open();
  expect(await client.value('LocationName')).toBe('not defined');
});
