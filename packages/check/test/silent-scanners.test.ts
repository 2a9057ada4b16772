import { createServer as httpServer } from 'node:http';
import { createServer } from 'node:net';
import { listening } from '@azimuth/test-support/listening';
import { expect, test } from 'vitest';
import { type CheckTarget, checkScanner, editionSubject } from '../src/index.js';

const clock = { now: () => Date.now(), wait: async () => undefined };

function target(url: string, more: Partial<CheckTarget> = {}): CheckTarget {
  return { url, passwords: {}, clock, timeoutMs: 30, patienceSeconds: 0, ...more };
}

function checked(at: CheckTarget, only: (id: string) => boolean) {
  const scanner = {
    ...{ url: at.url, name: 'x', version: '2.4.4.0R', serialNumber: '1', deviceType: 'x', orderNumber: '1' },
    release: '2.4.4',
    variant: 'full',
  } as const;
  const subject = editionSubject('2.4.4', 'full');
  return checkScanner(at, { scanner, subject }, { stages: new Set(['read']), only });
}

/** Returns the URL of a scanner that answers DeviceIdent, and is silent otherwise. */
async function mute(): Promise<string> {
  const server = httpServer((request, response) => {
    if (request.url === '/api/DeviceIdent') response.end('{"header":{"status":0,"message":"Ok"},"data":{}}');
  });
  return `http://127.0.0.1:${await listening(server)}`;
}

test('an interface of the legacy protocol that takes one client only is given up after three cases', async () => {
  let clients = 0;
  const server = createServer((socket) => {
    clients += 1;
    socket.on('error', () => undefined);
    if (clients === 1) socket.write('\u0002sRA SCdevicestate 1\u0003');
  });
  const legacyA = { host: '127.0.0.1', port: await listening(server) };
  const { results, ended } = await checked(target(await mute(), { legacyA }), (id) =>
    id.startsWith('legacy.'),
  );
  const ofA = results.filter(({ case: { steps } }) =>
    steps.some((step) => 'interface' in step && step.interface === 'A'),
  );
  expect(ended).toBeUndefined();
  expect(ofA.length).toBeGreaterThan(50);
  expect(clients).toBeLessThan(12);
  expect(ofA.at(-1)).toMatchObject({
    verdict: 'not-tested',
    reason: expect.stringContaining('interface A of the legacy protocol does not answer any more'),
  });
});

test('a scanner that is silent at what it does not know is checked to the end, with shorter waits', async () => {
  const at = target(await mute(), { timeoutMs: 100 });
  const { results, ended } = await checked(at, (id) => /^method\.[a-g]\w+\.get$/i.test(id));
  const waits = results.map(({ milliseconds }) => milliseconds);
  expect([ended, results.length > 12]).toEqual([undefined, true]);
  expect(Math.min(...waits.slice(0, 9))).toBeGreaterThan(90);
  expect(results.at(-1)?.failure?.came).toBe('no answer within 0.02 s');
});
