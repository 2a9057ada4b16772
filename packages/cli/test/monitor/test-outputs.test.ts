import { once } from 'node:events';
import { realpathSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { temporaryFolder } from '@azimuth/test-support/files';
import { freePort } from '@azimuth/test-support/free-port';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { azimuth } from '../run.js';

let folder: string;

/** The first import of the libraries takes seconds. */
beforeAll(async () => {
  await Promise.all([import('@azimuth/monitor/mqtt'), import('../../src/monitor/run-monitor.js')]);
}, 120_000);

beforeEach(() => {
  folder = realpathSync(temporaryFolder());
  vi.stubEnv('XDG_CONFIG_HOME', folder);
  vi.stubEnv('XDG_STATE_HOME', folder);
  vi.stubEnv('AZIMUTH_DEVICES', '');
});

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

async function webhook(status: number) {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => {
      body += String(piece);
    });
    request.on('end', () => {
      bodies.push(body);
      response.writeHead(status).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  return { bodies, url: `http://127.0.0.1:${address.port}/T0PSECRET` };
}

describe('azimuth monitor --test-outputs', () => {
  test('sends an entry through each output, whatever its filter is, and says what came back', async () => {
    const [right, wrong] = [await webhook(204), await webhook(403)];
    const syslog = createTcpServer((socket) => socket.resume());
    syslog.listen(0, '127.0.0.1');
    await once(syslog, 'listening');
    onTestFinished(() => {
      syslog.close();
    });
    const address = syslog.address();
    if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
    const path = file(
      'monitor.yaml',
      `outputs:
  syslog: [{url: 'tcp://127.0.0.1:${address.port}'}]
  webhook:
    - {url-file: ${file('url', `${right.url}\n`)}, only: {severity: error}}
    - {url-file: ${file('wrong-url', wrong.url)}}
  mqtt: [{url: 'mqtt://127.0.0.1:${await freePort()}'}]
`,
    );
    const { stdout, stderr, exitCode } = await azimuth('monitor', path, '--test-outputs');
    const lines = stdout.split('\n');
    expect(lines.slice(0, 3)).toEqual([
      `syslog: sent to tcp://127.0.0.1:${address.port}`,
      'webhook: sent to the URL in its file',
      `webhook-2: webhook-2 cannot send: ${new URL(wrong.url).host} responds with HTTP 403`,
    ]);
    expect(lines[3]).toMatch(/^mqtt: mqtt cannot send: .*ECONNREFUSED/);
    expect(JSON.parse(right.bodies[0] ?? '').text).toContain('This is a test of the output webhook');
    expect(exitCode).toBe(1);
    expect(stdout + stderr).not.toContain('T0PSECRET');
  });

  test('ends with 0 if all work, and prints JSON', async () => {
    const { url } = await webhook(200);
    const path = file('monitor.yaml', `outputs: {webhook: [{url: '${url}'}]}\n`);
    const { stdout, exitCode } = await azimuth('monitor', path, '--test-outputs', '--json');
    expect([JSON.parse(stdout), exitCode]).toEqual([{ output: 'webhook', address: url }, 0]);
  });

  test('has nothing to do without outputs', async () => {
    const { stderr, exitCode } = await azimuth('monitor', file('monitor.yaml', ''), '--test-outputs');
    expect(stderr).toContain('the monitor file has no outputs');
    expect(exitCode).toBe(2);
  });
});

describe('a secret in a file', () => {
  test.each([
    ['is missing', undefined, 'there is no such file'],
    ['is too short', 'short', 'expected at least 24 bytes'],
    ['is empty', '', 'is empty'],
  ])('that %s is a mistake before anything is sent', async (_, secret, message) => {
    const { url, bodies } = await webhook(200);
    if (secret !== undefined) file('secret', secret);
    const path = file('monitor.yaml', `outputs: {webhook: [{url: '${url}', secret-file: secret}]}\n`);
    const { stderr, exitCode } = await azimuth('monitor', path, '--test-outputs');
    expect(stderr).toContain(message);
    expect([bodies, exitCode]).toEqual([[], 2]);
  });

  test('with the password of a scanner is needed for commands over MQTT', async () => {
    const path = file('monitor.yaml', "outputs: {mqtt: [{url: 'mqtt://127.0.0.1:1', commands: [reboot]}]}\n");
    vi.stubEnv('AZIMUTH_PASSWORD', '');
    const { stderr } = await azimuth('monitor', path, '--test-outputs');
    expect(stderr).toContain('commands over MQTT need the password of Service');
  });
});
