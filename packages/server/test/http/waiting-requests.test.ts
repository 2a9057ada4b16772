import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Client } from '@azimuth/test-support/client';
import { FaultyStorage } from '@azimuth/test-support/faulty-storage';
import type { RawConnection, RawResponse } from '@azimuth/test-support/raw-connection';
import { expectResponse, open, payload, post } from '@azimuth/test-support/raw-connection';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import type { Latch } from '@azimuth/test-support/waiting';
import { until } from '@azimuth/test-support/waiting';
import { beforeEach, expect, onTestFinished, test } from 'vitest';

/** After this many waiting requests, the scanner reads nothing more of the connection. */
const beforePause = 32;
const bytesInOneRead = 65_536;

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

/** Counts the requests that arrive at the servers of this process from now on. */
function requestsToCome(): { count: number } {
  const requests = { count: 0 };
  const note = () => requests.count++;
  subscribe('http.server.request.start', note);
  onTestFinished(() => {
    unsubscribe('http.server.request.start', note);
  });
  return requests;
}

function reads(count: number, padding = 0): string[] {
  const tail = `HTTP/1.1\r\nHost: x\r\n${padding > 0 ? `A: ${'a'.repeat(padding)}\r\n` : ''}\r\n`;
  return Array.from({ length: count }, (_, index) => `GET /api/No${index} ${tail}`);
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

/** Sends requests of another client. A scanner that goes on reading the first one reads much more meanwhile. */
async function letReadOn(requests: { count: number }): Promise<void> {
  const other = scanner.client();
  for (let time = 0; time < 50; time++) await other.value('DeviceStatus');
  requests.count -= 50;
}

test('behind a write only a few requests are read, and all are answered in order', async () => {
  const padding = 2000;
  const requests = requestsToCome();
  connection.write(`${store}${reads(2000, padding).join('')}`);
  await until(() => requests.count > beforePause);
  await letReadOn(requests);
  expect(requests.count).toBeLessThanOrEqual(1 + beforePause + bytesInOneRead / padding);
  storing.open();
  await expectResponse(connection);
  expect(await names(2000)).toEqual(expectedNames(2000));
});

test('waiting bodies are read in their turn, and nothing else of the connection is read early', async () => {
  const padded = payload.padEnd(1000, ' ');
  const requests = requestsToCome();
  const posts = `${post}Content-Length: ${padded.length}\r\n\r\n${padded}`.repeat(40);
  connection.write(`${posts}${store}${reads(2000, 2000).join('')}`);
  await until(() => storage.begun.includes('parameters.json'));
  await until(() => requests.count > 41 + beforePause);
  await letReadOn(requests);
  expect(requests.count).toBeLessThanOrEqual(41 + beforePause + bytesInOneRead / 1000);
  storing.open();
  for (let index = 0; index < 41; index++) await expectResponse(connection);
  expect(await names(2000)).toEqual(expectedNames(2000));
});
