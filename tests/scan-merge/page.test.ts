import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FolderStorage } from '@azimuth/device';
import { expect, onTestFinished, test } from 'vitest';
import { CloudFile } from '../../packages/device/src/scan-merge/cloud-file.js';
import { PointCloud } from '../../packages/device/src/scan-merge/point-cloud.js';
import { type Recorder, sendCloud } from '../../packages/server/src/pages/cloud.js';
import { Client } from '../support/client.js';
import { number } from '../support/json.js';
import { LogBook } from '../support/log-book.js';
import { readPcd } from '../support/pcd.js';
import { until } from '../support/waiting.js';

/** The page alone, over HTTP; what it throws is kept. */
async function serve(recorder: Recorder | undefined) {
  const errors: unknown[] = [];
  const server = createServer((_, response) => {
    sendCloud(recorder, response).catch((error: unknown) => errors.push(error));
  });
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = number(typeof address === 'object' ? address?.port : undefined);
  return { client: new Client(port), address: `http://127.0.0.1:${port}/cloud.pcd`, errors };
}

/** A folder with the cloud of a recorder that is only a file. */
async function recorder() {
  const folder = mkdtempSync(join(tmpdir(), 'azimuth-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const storage = await FolderStorage.open(folder);
  onTestFinished(() => storage.close());
  const log = new LogBook();
  const file = new CloudFile(storage, log);
  const save = (points: number, x: number) => file.save(cloudOf(points, x), new AbortController().signal);
  const path = join(folder, 'cloud.pcd');
  return { save, path, log, cloud: () => file.open() };
}

/** Points that are told from each other by their y. */
function cloudOf(points: number, x: number): PointCloud {
  const cloud = new PointCloud();
  for (let point = 0; point < points; point++) cloud.add(x, point / 1024, -1.5, point % 1000);
  return cloud;
}

/** Files of this process that are open and have this path, removed ones included. */
function openOnes(path: string): number {
  return readdirSync('/proc/self/fd').filter((name) => {
    try {
      return readlinkSync(join('/proc/self/fd', name)).startsWith(path);
    } catch {
      return false;
    }
  }).length;
}

test('a recording is sent whole, with its length', async () => {
  const { save, path, cloud } = await recorder();
  await save(200_000, 2);
  const { address } = await serve({ cloud });
  const response = await fetch(address);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/octet-stream');
  const file = new Uint8Array(await response.arrayBuffer());
  expect(response.headers.get('content-length')).toBe(String(file.length));
  const { header, points } = readPcd(file);
  expect(header.get('FIELDS')).toEqual(['x', 'y', 'z', 'intensity']);
  expect(header.get('HEIGHT')).toEqual(['1']);
  expect(header.get('VIEWPOINT')).toEqual(['0', '0', '0', '1', '0', '0', '0']);
  expect(points).toHaveLength(200_000);
  expect(points[0]).toEqual({ x: 2, y: 0, z: -1.5, intensity: 0 });
  expect(points[66_666]).toEqual({ x: 2, y: 66_666 / 1024, z: -1.5, intensity: 666 });
  expect(points[199_999]).toEqual({ x: 2, y: 199_999 / 1024, z: -1.5, intensity: 999 });
  await until(() => openOnes(path) === 0);
});

test('HEAD returns the length, and keeps no file open', async () => {
  const { save, path, cloud } = await recorder();
  await save(3, 2);
  const { client, address } = await serve({ cloud });
  const whole = await (await fetch(address)).arrayBuffer();
  const { httpStatus, headers, text } = await client.send({ method: 'HEAD', path: '/cloud.pcd' });
  expect([httpStatus, headers['content-length'], text]).toEqual([200, String(whole.byteLength), '']);
  await until(() => openOnes(path) === 0);
});

test('an empty recording is a file without points', async () => {
  const { save, cloud } = await recorder();
  await save(0, 0);
  const { address } = await serve({ cloud });
  expect(readPcd(new Uint8Array(await (await fetch(address)).arrayBuffer())).points).toEqual([]);
});

test.each([
  ['nothing was recorded', async () => ({ cloud: (await recorder()).cloud }), 'no recorded point cloud'],
  ['there is no recorder', async () => undefined, 'no 3D recorder'],
])('HTTP 404 says so where %s', async (_, made, words) => {
  const { address } = await serve(await made());
  const response = await fetch(address);
  expect(response.status).toBe(404);
  expect(await response.text()).toContain(words);
  expect((await fetch(address, { method: 'HEAD' })).status).toBe(404);
});

test('a download gets the whole recording while the next one replaces it', async () => {
  const { save, cloud } = await recorder();
  // 16 MB: more than waits on the way.
  await save(1_000_000, 1);
  const { address } = await serve({ cloud });
  const response = await fetch(address);
  await save(10, 2);
  const first = readPcd(new Uint8Array(await response.arrayBuffer())).points;
  expect([first.length, first.at(-1)?.x]).toEqual([1_000_000, 1]);
  const second = readPcd(new Uint8Array(await (await fetch(address)).arrayBuffer())).points;
  expect([second.length, second.at(-1)?.x]).toEqual([10, 2]);
});

test('a client that disconnects causes no error, and no file stays open', async () => {
  const { save, path, cloud } = await recorder();
  await save(1_000_000, 1);
  const { address, errors } = await serve({ cloud });
  await new Promise<void>((gone) => {
    const request = get(address, (response) => {
      response.once('data', () => request.destroy());
      response.on('error', () => undefined);
      response.once('close', gone);
    });
  });
  await until(() => openOnes(path) === 0);
  expect(errors).toEqual([]);
});

test('a file that is shorter than its length breaks the reply off', async () => {
  const { save, path, cloud } = await recorder();
  await save(1000, 1);
  const { address, errors } = await serve({ cloud });
  const whole = new Uint8Array(await (await fetch(address)).arrayBuffer());
  writeFileSync(path, whole.subarray(0, -1));
  await expect(fetch(address).then((response) => response.arrayBuffer())).rejects.toThrow();
  await until(() => errors.length === 1);
  expect(String(errors[0])).toContain('1 bytes are missing');
});
