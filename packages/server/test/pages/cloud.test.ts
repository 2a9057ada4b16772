import { createServer, get } from 'node:http';
import { Client } from '@azimuth/test-support/client';
import { listening } from '@azimuth/test-support/listening';
import { until } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';
import { type Recorder, sendCloud } from '../../src/pages/point-cloud.js';

/** Serves the page without a scanner, and records the errors that it throws. */
async function serve(recorder: Recorder | undefined) {
  const errors: unknown[] = [];
  const server = createServer((_, response) => {
    sendCloud(recorder, response).catch((error: unknown) => errors.push(error));
  });
  const port = await listening(server);
  return { client: new Client(port), address: `http://127.0.0.1:${port}/cloud.pcd`, errors };
}

/** A recorder whose cloud is this many pieces of 64 KiB. It counts the clouds that are open. */
class FakeRecorder implements Recorder {
  open = 0;

  constructor(
    readonly pieceCount: number,
    readonly missing = 0,
  ) {}

  async cloud() {
    this.open += 1;
    const { pieceCount, missing } = this;
    async function* pieces() {
      for (let piece = 0; piece < pieceCount - missing; piece++)
        yield new Uint8Array(65_536).fill(piece % 251);
      if (missing > 0) throw new Error(`${missing} pieces are missing`);
    }
    return {
      bytes: pieceCount * 65_536,
      pieces,
      close: async () => {
        this.open -= 1;
      },
    };
  }
}

test('a recording is sent whole, with its length', async () => {
  const recorder = new FakeRecorder(50);
  const { address } = await serve(recorder);
  const response = await fetch(address);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/octet-stream');
  expect(response.headers.get('content-length')).toBe(String(50 * 65_536));
  const file = new Uint8Array(await response.arrayBuffer());
  expect(file).toHaveLength(50 * 65_536);
  expect(Array.from({ length: 50 }, (_, piece) => file[piece * 65_536])).toEqual(
    Array.from({ length: 50 }, (_, piece) => piece),
  );
  await until(() => recorder.open === 0);
});

test('HEAD returns the length, and closes the recording', async () => {
  const recorder = new FakeRecorder(3);
  const { client } = await serve(recorder);
  const { httpStatus, headers, text } = await client.send({ method: 'HEAD', path: '/cloud.pcd' });
  expect([httpStatus, headers['content-length'], text]).toEqual([200, String(3 * 65_536), '']);
  await until(() => recorder.open === 0);
});

test.each([
  ['nothing was recorded', { cloud: async () => undefined }, 'no recorded point cloud'],
  ['the scanner has no recorder', undefined, 'no 3D recorder'],
])('if %s, the response is HTTP 404 with the reason', async (_, recorder, words) => {
  const { address } = await serve(recorder);
  const response = await fetch(address);
  expect(response.status).toBe(404);
  expect(await response.text()).toContain(words);
  expect((await fetch(address, { method: 'HEAD' })).status).toBe(404);
});

test('if a client disconnects, nothing is thrown and the recording is closed', async () => {
  // 64 MiB: more than fits the buffers of the connection.
  const recorder = new FakeRecorder(1024);
  const { address, errors } = await serve(recorder);
  await new Promise<void>((gone) => {
    const request = get(address, (response) => {
      response.once('data', () => request.destroy());
      response.on('error', () => undefined);
      response.once('close', gone);
    });
  });
  await until(() => recorder.open === 0);
  expect(errors).toEqual([]);
});

test('if the recording is shorter than its length, the response is cut off', async () => {
  const recorder = new FakeRecorder(10, 1);
  const { address, errors } = await serve(recorder);
  await expect(fetch(address).then((response) => response.arrayBuffer())).rejects.toThrow();
  await until(() => errors.length === 1);
  expect(String(errors[0])).toContain('1 pieces are missing');
  expect(recorder.open).toBe(0);
});
