import { createServer } from 'node:http';
import { listening } from '@azimuth/test-support/listening';
import { expect, test } from 'vitest';
import { Scanner } from '../src/index.js';

async function answering(status: number, body: string): Promise<Scanner> {
  const server = createServer((_, response) => response.writeHead(status).end(body));
  return new Scanner({ url: `http://127.0.0.1:${await listening(server)}` });
}

test.each(['azimuth', 'acme_gate'])('the page of metrics is returned as text: %s', async (prefix) => {
  const page = `# HELP\n${prefix}_scanner_info{serial="1"} 1\n`;
  expect(await (await answering(200, page)).metrics()).toBe(page);
});

test.each([
  [404, 'not found'],
  [200, '<!doctype html><title>The pages of another scanner</title>'],
])('a scanner that answers %i %s has no such page', async (status, body) => {
  expect(await (await answering(status, body)).metrics()).toBeUndefined();
});
