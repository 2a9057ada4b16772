import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { chain, keyPem } from '@azimuth/test-support/certificates';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { OutputBasics } from '../../../src/outputs/queued-output.js';
import { usualBounds } from '../../../src/outputs/send-queue.js';
import { webhookHeaders, webhookSecret } from '../../../src/outputs/webhook/signature.js';
import { webhookOutput } from '../../../src/outputs/webhook/webhook-output.js';
import { basics, condition, expectNoSecrets, until } from '../outputs-of-tests.js';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly url: string;
}

/** What the server responds to each request, in order; the last one to all further ones. */
type Response = readonly [status: number, headers?: Readonly<Record<string, string>>];

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  return address.port;
}

function responding(responses: readonly Response[]): { received: Received[]; listener: RequestListener } {
  const received: Received[] = [];
  const listener: RequestListener = (request, response) => {
    let body = '';
    request.on('data', (piece) => {
      body += String(piece);
    });
    request.on('end', () => {
      received.push({ headers: request.headers, body, url: request.url ?? '' });
      const [status, headers = {}] = responses[received.length - 1] ?? responses.at(-1) ?? [200];
      response.writeHead(status, headers).end();
    });
  };
  return { received, listener };
}

async function started(responses: readonly Response[], options: Partial<OutputBasics> = {}, more = {}) {
  const { received, listener } = responding(responses);
  const port = await listening(createServer(listener));
  const { options: usual, reports } = basics('webhook');
  const url = `http://127.0.0.1:${port}/T0PSECRETPATH`;
  const output = webhookOutput({ ...usual, ...options, url, ...more });
  onTestFinished(() => output.close(0));
  return { received, output, reports, port };
}

describe('a webhook', () => {
  test('gets each entry as JSON, with a text for people', async () => {
    const { received, output } = await started([[204]]);
    output.accept(condition({ text: 'first' }));
    output.accept(condition({ text: 'second' }));
    await until(() => expect(output.counts.delivered).toBe(2));
    const bodies = received.map(({ body }) => JSON.parse(body));
    expect(bodies[0]).toEqual({
      type: 'azimuth.condition',
      timestamp: '2026-06-01T12:30:15.250Z',
      text: 'hall-a/gate1: Is too warm: first',
      severity: 'warning',
      data: condition({ text: 'first' }),
    });
    expect(bodies.map(({ data }) => data.text)).toEqual(['first', 'second']);
  });

  test('can check the signature, and knows another attempt by its id', async () => {
    const secret = Buffer.from('a secret of at least 24 bytes');
    const { received, output } = await started([[500], [200]], {}, { secret });
    output.accept(condition());
    await until(() => expect(received).toHaveLength(2));
    const ids = new Set(received.map(({ headers }) => headers['webhook-id']));
    expect(ids.size).toBe(1);
    for (const { headers, body } of received) {
      const { 'webhook-id': id, 'webhook-timestamp': timestamp } = headers;
      const digest = createHmac('sha256', secret).update(`${String(id)}.${String(timestamp)}.${body}`);
      expect(headers['webhook-signature']).toBe(`v1,${digest.digest('base64')}`);
      expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(60);
    }
  });

  test('does not get another entry before it has accepted the first', async () => {
    const { received, output } = await started([[503], [503], [200]]);
    output.accept(condition({ text: 'first' }));
    output.accept(condition({ text: 'second' }));
    await until(() => expect(output.counts.delivered).toBe(2));
    expect(received.map(({ body }) => JSON.parse(body).data.text)).toEqual([
      'first',
      'first',
      'first',
      'second',
    ]);
  });

  test('that is gone for ever gets nothing more, and that is reported', async () => {
    const { received, output, reports, port } = await started([[410]]);
    output.accept(condition());
    await until(() => expect(output.counts.lost).toBe(1));
    output.accept(condition());
    expect(output.counts).toEqual({ delivered: 0, lost: 2, waiting: 0 });
    expect(reports).toEqual([
      `webhook cannot send: 127.0.0.1:${port} responds with HTTP 410: nothing more is sent there`,
    ]);
    expect(received).toHaveLength(1);
  });

  test('that refuses one entry gets the next', async () => {
    const { output, reports } = await started([[400], [200]]);
    output.accept(condition());
    output.accept(condition());
    await until(() => expect(output.counts.delivered).toBe(1));
    expect(output.counts.lost).toBe(1);
    expect(reports[0]).toContain('HTTP 400: it refuses an entry');
  });

  test.each([
    ['seconds', () => '120', 120_000],
    ['a date', () => new Date(Date.now() + 90_000).toUTCString(), 80_000],
    ['a year', () => '31536000', 3_600_000],
  ])('is heard if it asks for a pause: %s', async (_, retryAfter, least) => {
    const pauses: number[] = [];
    const { attempt } = basics('webhook').options.bounds;
    const clock = {
      now: () => Date.now(),
      pause: (milliseconds: number, signal?: AbortSignal) => {
        pauses.push(milliseconds);
        return new Promise<void>((resolve) => {
          if (milliseconds === 0) resolve();
          signal?.addEventListener('abort', () => resolve(), { once: true });
        });
      },
    };
    const { output } = await started([[503, { 'retry-after': retryAfter() }]], { clock });
    output.accept(condition());
    await until(() => expect(pauses.some((pause) => pause !== attempt)).toBe(true));
    const [asked = 0] = pauses.filter((pause) => pause !== attempt);
    expect(asked).toBeGreaterThanOrEqual(least);
    expect(asked).toBeLessThanOrEqual(3_600_000);
  });

  test('is not followed to another place', async () => {
    const other = await started([[200]]);
    const location = `http://127.0.0.1:${other.port}/`;
    const { output, reports } = await started([[307, { location }]]);
    output.accept(condition());
    await until(() => expect(reports.join()).toContain('redirects are not followed'));
    expect(other.received).toEqual([]);
  });

  test('may respond without an end', async () => {
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(200);
      const flood = () => {
        while (response.write('x'.repeat(65_536)));
      };
      response.on('drain', flood);
      flood();
    });
    const port = await listening(server);
    const { options } = basics('webhook');
    const output = webhookOutput({ ...options, url: `http://127.0.0.1:${port}/` });
    onTestFinished(() => output.close(0));
    output.accept(condition());
    output.accept(condition());
    await until(() => expect(output.counts.delivered).toBe(2));
  });

  test('that never responds does not stop the end of the monitor', async () => {
    const port = await listening(createServer(() => undefined));
    const { options, reports } = basics('webhook', { attempt: usualBounds.attempt });
    const output = webhookOutput({ ...options, url: `http://127.0.0.1:${port}/` });
    output.accept(condition());
    await until(() => expect(reports.join()).toContain('expected a response within 30 s'));
    await output.close(100);
    expect(output.counts).toEqual({ delivered: 0, lost: 1, waiting: 0 });
  });

  test('with HTTPS is sent to with the right authority alone', async () => {
    const [leaf, authority] = chain(2);
    if (leaf === undefined || authority === undefined) throw new Error('a chain of two');
    const { received, listener } = responding([[200]]);
    const port = await listening(
      createTlsServer({ cert: leaf.certificate, key: keyPem(leaf.keys) }, listener),
    );
    const { options, reports } = basics('webhook');
    const url = `https://127.0.0.1:${port}/`;
    const stranger = webhookOutput({ ...options, url });
    onTestFinished(() => stranger.close(0));
    stranger.accept(condition());
    await until(() => expect(reports.join()).toMatch(/webhook cannot send: .*certificate/));
    expect(received).toEqual([]);
    const output = webhookOutput({ ...options, url, ca: authority.certificate });
    onTestFinished(() => output.close(0));
    output.accept(condition());
    await until(() => expect(received).toHaveLength(1));
  });

  test('never shows its path, its secret or its token', async () => {
    const secret = Buffer.from('S3CRET-S3CRET-S3CRET-S3CRET');
    const more = { secret, token: 'T0KEN' };
    const { received, output, reports } = await started([[404], [302], [400], [410]], {}, more);
    output.accept(condition());
    output.accept(condition());
    await until(() => expect(output.counts.lost).toBe(2));
    expect(reports.length).toBeGreaterThan(2);
    expectNoSecrets(reports, 'T0PSECRETPATH', 'S3CRET', 'T0KEN');
    expect(received[0]?.headers.authorization).toBe('Bearer T0KEN');
    expectNoSecrets(
      received.map(({ body }) => body),
      'S3CRET',
      'T0KEN',
    );
  });
});

describe('the signature', () => {
  test('is that of the example of Standard Webhooks', () => {
    const secret = webhookSecret('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
    const headers = webhookHeaders(
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      1_614_265_330_000,
      '{"test": 2432232314}',
      secret,
    );
    expect(headers).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  test.each(['', 'short', 'whsec_c2hvcnQ='])('needs a secret that is long enough: %j', (text) => {
    expect(webhookSecret(text)).toBeUndefined();
  });
});
