import { createServer, type RequestListener } from 'node:http';
import { listening } from '@azimuth/test-support/listening';
import { beforeEach, describe, expect, test } from 'vitest';
import { FleetClient } from '../../src/scanners/fleet-client.js';

const piece = Buffer.alloc(1024 * 1024, 'x');

let answer: RequestListener;
let fleet: FleetClient;
let closed: Promise<void>;

beforeEach(async () => {
  closed = Promise.resolve();
  const server = createServer((request, response) => {
    closed = new Promise((resolve) => response.once('close', resolve));
    answer(request, response);
  });
  fleet = new FleetClient(`http://127.0.0.1:${await listening(server)}`);
});

const endless: RequestListener = (_request, response) => {
  const send = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', send);
  send();
};

async function first(events: AsyncIterable<unknown>): Promise<unknown> {
  for await (const event of events) return event;
  return undefined;
}

describe('a fleet that is none', () => {
  test('answers without end: refused behind 64 MiB, and the connection ends', async () => {
    answer = endless;
    await expect(fleet.scanners()).rejects.toThrow(`${fleet.url} answered more than 64 MiB`);
    await closed;
  });

  test('tells an event without end: refused, and the connection ends', async () => {
    answer = endless;
    const events = fleet.events(undefined, new AbortController().signal);
    await expect(first(events)).rejects.toThrow('an event of more than 1048576 characters');
    await closed;
  });

  test('tells an event that is not JSON: refused in words', async () => {
    answer = (_request, response) => response.write('data: {"event"\n');
    const events = fleet.events(undefined, new AbortController().signal);
    await expect(first(events)).rejects.toThrow(`${fleet.url} answered an event that is not JSON`);
    await closed;
  });

  test('sends somewhere else: not followed', async () => {
    answer = (_request, response) => response.writeHead(302, { Location: '/fleet' }).end();
    await expect(fleet.scanners()).rejects.toThrow('answers, but is not a fleet');
  });
});
