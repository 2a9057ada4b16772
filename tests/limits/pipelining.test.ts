import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { Client } from '../support/client.js';
import { FaultyStorage } from '../support/faulty-storage.js';
import type { RawConnection, RawResponse } from '../support/raw-connection.js';
import { expectAnswer, expectEnd, open, payload, post } from '../support/raw-connection.js';
import { Bench } from '../support/service-test-bench.js';
import type { Latch } from '../support/waiting.js';
import { until } from '../support/waiting.js';

/** As many requests as may come before the scanner stops reading, and as many as a last read may bring. */
const beforePause = 32;
const mostWaiting = 100;
const bytesInOneRead = 65_536;

let storage: FaultyStorage;
let bench: Bench;
let connection: RawConnection;
let storing: Latch;
let store: string;

beforeEach(async () => {
  storage = new FaultyStorage();
  bench = await Bench.start({ storage });
  const body = JSON.stringify({ header: await new Client(bench.httpPort).header('WriteEeprom') });
  store = `POST /api/WriteEeprom HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  storing = storage.delay('parameters.json');
  connection = await open(bench.httpPort);
});

/** The requests that come to any server of this process from now on. */
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
  for (let index = 0; index < count; index++) found.push(nameIn(await expectAnswer(connection, 5)));
  return found;
}

const expectedNames = (count: number) => Array.from({ length: count }, (_, index) => `No${index}`);

/** Other clients ask so often that a scanner that reads on would have read much more. */
async function letReadOn(requests: { count: number }): Promise<void> {
  const other = bench.client();
  for (let time = 0; time < 50; time++) await other.value('DeviceStatus');
  requests.count -= 50;
}

test('behind a write no more is read than a few requests, and all are answered in their order', async () => {
  const padding = 2000;
  const requests = requestsToCome();
  connection.write(`${store}${reads(2000, padding).join('')}`);
  await until(() => requests.count > beforePause);
  await letReadOn(requests);
  expect(requests.count).toBeLessThanOrEqual(1 + beforePause + bytesInOneRead / padding);
  storing.open();
  await expectAnswer(connection);
  expect(await names(2000)).toEqual(expectedNames(2000));
});

test('bodies that wait are read when it is their turn, and no more of the connection for it', async () => {
  const padded = payload.padEnd(1000, ' ');
  const requests = requestsToCome();
  const posts = `${post}Content-Length: ${padded.length}\r\n\r\n${padded}`.repeat(40);
  connection.write(`${posts}${store}${reads(2000, 2000).join('')}`);
  await until(() => storage.begun.includes('parameters.json'));
  await until(() => requests.count > 41 + beforePause);
  await letReadOn(requests);
  expect(requests.count).toBeLessThanOrEqual(41 + beforePause + bytesInOneRead / 1000);
  storing.open();
  for (let index = 0; index < 41; index++) await expectAnswer(connection);
  expect(await names(2000)).toEqual(expectedNames(2000));
});

test('100 may wait on one connection', async () => {
  connection.write(`${store}${reads(mostWaiting).join('')}`);
  await until(() => storage.begun.includes('parameters.json'));
  storing.open();
  await expectAnswer(connection);
  expect(await names(mostWaiting)).toEqual(expectedNames(mostWaiting));
  connection.write(reads(1).join(''));
  expect(await names(1)).toEqual(['No0']);
});

test('one more is HTTP 429 behind their answers, and the end: nothing behind it is done', async () => {
  const header = await new Client(bench.httpPort).header('LocationName');
  const body = JSON.stringify({ header, data: { LocationName: 'too late' } });
  const rename = `POST /api/LocationName HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  connection.write(`${store}${reads(mostWaiting + 1).join('')}${rename}${reads(5).join('')}`);
  await until(() => storage.begun.includes('parameters.json'));
  storing.open();
  await expectAnswer(connection);
  expect(await names(mostWaiting)).toEqual(expectedNames(mostWaiting));
  const { headers } = await expectEnd(connection, 429, 11);
  expect(headers.get('retry-after')).toBe('1');
  expect(await bench.client().value('LocationName')).toBe('not defined');
});
