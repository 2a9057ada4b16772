import { Client } from '@azimuth/test-support/client';
import { FaultyStorage } from '@azimuth/test-support/faulty-storage';
import type { RawConnection, RawResponse } from '@azimuth/test-support/raw-connection';
import { expectEnd, expectResponse, open } from '@azimuth/test-support/raw-connection';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import type { Latch } from '@azimuth/test-support/waiting';
import { until } from '@azimuth/test-support/waiting';
import { beforeEach, expect, test } from 'vitest';

const mostWaiting = 100;

let storage: FaultyStorage;
let scanner: TestScanner;
let connection: RawConnection;
let storing: Latch;
let store: string;

beforeEach(async () => {
  storage = new FaultyStorage();
  scanner = await TestScanner.start({ storage });
  const body = JSON.stringify({ header: await new Client(scanner.httpPort).header('WriteEeprom') });
  store = `POST /api/WriteEeprom HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  storing = storage.delay('parameters.json');
  connection = await open(scanner.httpPort);
});

function reads(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `GET /api/No${index} HTTP/1.1\r\nHost: x\r\n\r\n`);
}

function nameIn({ headers }: RawResponse): string | undefined {
  return /named (\w+)/.exec(headers.get('azimuth-detail') ?? '')?.[1];
}

async function names(count: number): Promise<(string | undefined)[]> {
  const found = [];
  for (let index = 0; index < count; index++) found.push(nameIn(await expectResponse(connection, 5)));
  return found;
}

const expectedNames = (count: number) => Array.from({ length: count }, (_, index) => `No${index}`);

test('100 requests may wait on one connection', async () => {
  connection.write(`${store}${reads(mostWaiting).join('')}`);
  await until(() => storage.begun.includes('parameters.json'));
  storing.open();
  await expectResponse(connection);
  expect(await names(mostWaiting)).toEqual(expectedNames(mostWaiting));
  connection.write(reads(1).join(''));
  expect(await names(1)).toEqual(['No0']);
});

test('one more gets HTTP 429 after the other responses, and the connection is closed: later requests have no effect', async () => {
  const header = await new Client(scanner.httpPort).header('LocationName');
  const body = JSON.stringify({ header, data: { LocationName: 'too late' } });
  const rename = `POST /api/LocationName HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  connection.write(`${store}${reads(mostWaiting + 1).join('')}${rename}${reads(5).join('')}`);
  await until(() => storage.begun.includes('parameters.json'));
  storing.open();
  await expectResponse(connection);
  expect(await names(mostWaiting)).toEqual(expectedNames(mostWaiting));
  const { headers } = await expectEnd(connection, 429, 11);
  expect(headers.get('retry-after')).toBe('1');
  expect(await scanner.client().value('LocationName')).toBe('not defined');
});
