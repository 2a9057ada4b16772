import { createServer, type Server } from 'node:http';
import { listening } from '@azimuth/test-support/listening';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { editionSubject, Unmet } from '../src/index.js';
import { noEvent, openEvents, type Step } from '../src/steps/index.js';
import { perform } from '../src/steps/perform.js';
import type { StepContext } from '../src/steps/step-context.js';
import { HttpExchange } from '../src/wire/http-exchange.js';

const clock = { now: () => Date.now(), wait: async () => undefined };

/** Does steps against a server, with its URL as that of the scanner. */
async function done(server: Server, ...steps: readonly Step[]): Promise<void> {
  const url = `http://127.0.0.1:${await listening(server)}`;
  const http = new HttpExchange(url, 1000);
  const context: StepContext = {
    target: { url, passwords: {}, clock, timeoutMs: 1000 },
    subject: editionSubject('2.4.4', 'full'),
    http,
    signal: new AbortController().signal,
    saved: new Map(),
    samples: new Map(),
    changing: () => undefined,
    closeAtEnd: (close) => onTestFinished(async () => void (await close())),
  };
  onTestFinished(() => http.close());
  for (const step of steps) await perform(step, context);
}

test('an event of thousands of nested brackets fails its case, and does not end the check', async () => {
  const server = createServer();
  const nested = `{"data":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  new WebSocketServer({ server }).on('connection', (socket) => socket.send(nested));
  await expect(done(server, openEvents(), noEvent(20))).rejects.toThrow(Unmet);
});
