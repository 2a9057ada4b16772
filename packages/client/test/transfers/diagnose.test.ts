import { FakeDevice } from '@azimuth/test-support/fake-device';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Scanner } from '../../src/index.js';

const zip = Buffer.from([0x50, 0x4b, 0xff, 0xfe, 0, 1, 2]);

let device: FakeDevice;
let scanner: Scanner;
let queries: string[];

beforeEach(async () => {
  device = await FakeDevice.start();
  scanner = new Scanner({ url: device.url, password: 'servicelevel' });
  queries = [];
  device.files.set('crown/file', ({ query, headers }) => {
    queries.push(query);
    expect(headers).not.toHaveProperty('x-session-token');
    return { headers: { 'Content-Type': 'application/zip', 'Content-Length': `${zip.length}` }, body: zip };
  });
});
afterEach(() => device.stop());

test.each([{ Successfull: true }, { Successful: true }, { Successfull: true, Successful: true }])(
  'an archive is requested and fetched: %j',
  async (answer) => {
    device.responses.set('DoDiagnosisDump', answer);
    const progress: unknown[] = [];
    const download = await scanner.diagnose({
      output: 'x.zip',
      runlevelLoop: true,
      onProgress: (bytes, total) => progress.push([bytes, total]),
    });
    expect(download.size).toBe(zip.length);
    expect(Buffer.from(await download.bytes()).equals(zip)).toBe(true);
    expect(queries).toEqual(['filePath=diagnosisDump.zip']);
    expect(device.exchanges[1]?.body.data).toEqual({ DoRunlevelLoop: true, Output: 'x.zip' });
    expect(progress.at(-1)).toEqual([zip.length, zip.length]);
  },
);

test('options that are not given are not sent', async () => {
  device.responses.set('DoDiagnosisDump', { Successfull: true });
  await (await scanner.diagnose()).bytes();
  expect(device.exchanges[1]?.body.data).toEqual({});
});

test.each([{ Successfull: false }, {}])('an archive that was not made is not fetched: %j', async (answer) => {
  device.responses.set('DoDiagnosisDump', answer);
  await expect(scanner.diagnose()).rejects.toThrow(
    "DoDiagnosisDump: refused (Successfull false) – the scanner's log says why",
  );
  expect(queries).toEqual([]);
});

test('a connection that breaks in the middle is an error', async () => {
  device.responses.set('DoDiagnosisDump', { Successfull: true });
  const broken = new Scanner({
    url: device.url,
    password: 'servicelevel',
    fetch: async (url, init) => {
      if (!url.includes('crown/file')) return fetch(url, init);
      const body = new ReadableStream({
        start: (controller) => controller.enqueue(new Uint8Array(5000)),
        pull: (controller) => controller.error(new TypeError('terminated')),
      });
      return new Response(body);
    },
  });
  const download = await broken.diagnose();
  await expect(download.bytes()).rejects.toMatchObject({
    name: 'UnreachableError',
    message: expect.stringContaining('terminated'),
  });
});
