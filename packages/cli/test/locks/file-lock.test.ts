import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { temporaryFolder } from '@azimuth/test-support/files';
import { expect, test } from 'vitest';
import { withFileLock } from '../../src/locks/file-lock.js';

/** Reads a file again and again, and tells every content that it has seen when it gets a message. */
const looking = `
  const { readFileSync } = require('node:fs');
  const { parentPort, receiveMessageOnPort, workerData } = require('node:worker_threads');
  const seen = new Set();
  parentPort.postMessage('looks');
  while (receiveMessageOnPort(parentPort) === undefined)
    try {
      seen.add(readFileSync(workerData, 'utf8'));
    } catch {}
  parentPort.postMessage([...seen]);
`;

test('a lock has the number of its process whenever it is there: nobody sees it without', async () => {
  const path = join(temporaryFolder(), 'p.yaml');
  const worker = new Worker(looking, { eval: true, workerData: `${path}.lock` });
  await once(worker, 'message');
  for (let count = 0; count < 100; count++) await withFileLock(path, turn);
  worker.postMessage('that is all');
  expect(await once(worker, 'message')).toEqual([[String(process.pid)]]);
});

test('the lock of a process that was killed does not count, and nothing is left', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'p.yaml');
  // Above the largest number of a process.
  writeFileSync(`${path}.lock`, String(2 ** 22 + 1));
  expect(await withFileLock(path, async () => readFileSync(`${path}.lock`, 'utf8'))).toBe(
    String(process.pid),
  );
  expect(readdirSync(folder)).toEqual([]);
});
