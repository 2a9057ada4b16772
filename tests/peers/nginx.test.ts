import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { largestFirmware } from '@azimuth/model';
import { issue, keyPem } from '@azimuth/test-support/certificates';
import { temporaryFolder } from '@azimuth/test-support/files';
import { FleetProcess } from '@azimuth/test-support/fleet-process';
import { freePort } from '@azimuth/test-support/free-port';
import { object, parse, string } from '@azimuth/test-support/json';
import { listens } from '@azimuth/test-support/raw-connection';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { until } from '@azimuth/test-support/waiting';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { at, resources } from '../deploy/documents.js';

const name = 'scanner.example.com';
const agent = new Agent({ rejectUnauthorized: false });
const folderOfDocs = new URL('../../docs/', import.meta.url);

/** The configuration that docs/security.md shows. */
function documented(): string {
  const page = readFileSync(new URL('security.md', folderOfDocs), 'utf8');
  const [, block] = /```nginx\n(.*?)```/s.exec(page) ?? [];
  if (block === undefined) throw new Error('docs/security.md shows no configuration of nginx');
  return block;
}

/** The same with nothing in it but where the scanner is: HTTP/1.0, and the address of the scanner as Host. */
const shortest = `server {
  listen 443 ssl;
  ssl_certificate /etc/ssl/scanner.pem; ssl_certificate_key /etc/ssl/scanner.key;
  location / { proxy_pass http://127.0.0.1:8080; }
}`;

/** What shows nothing of itself, and lets strangers choose Host. */
const silent = shortest.replace(
  'location / {',
  'location / { proxy_http_version 1.1; proxy_set_header Host $http_host; proxy_set_header Connection "";',
);

/** Runs nginx with these servers in front of a port. It ends with the test. @returns its own port */
async function nginx(servers: string, scannerPort: number): Promise<number> {
  const folder = temporaryFolder();
  const port = await freePort();
  const keys = issue({ name, names: [name] });
  writeFileSync(join(folder, 'scanner.pem'), keys.certificate);
  writeFileSync(join(folder, 'scanner.key'), keyPem(keys.keys));
  const here = servers
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replaceAll('/etc/ssl/', `${folder}/`)
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${scannerPort}`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => {
    mkdirSync(join(folder, kind));
    return `${kind}_temp_path ${folder}/${kind};`;
  });
  const whole = `daemon off; master_process off; pid ${folder}/pid; error_log stderr;
    events {} http { access_log off; ${temporary.join(' ')} ${here} }`;
  writeFileSync(join(folder, 'nginx.conf'), whole);
  const environment = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: environment,
  });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    if (child.exitCode === null) child.kill('SIGKILL');
    await exited;
  });
  await until(() => child.exitCode !== null || listens(port));
  expect(child.exitCode).toBeNull();
  return port;
}

/** What ingress-nginx makes of the annotations of the Ingress in deploy/kubernetes. */
function ofIngress(): string {
  const annotations = resources()
    .filter(({ kind }) => kind === 'Ingress')
    .flatMap(({ json }) => Object.entries(object(at(json, 'metadata', 'annotations'))));
  expect(annotations.length).toBeGreaterThan(4);
  return annotations
    .map(([annotation, value]) => {
      const directive = annotation.replace('nginx.ingress.kubernetes.io/', '').replaceAll('-', '_');
      if (directive === 'proxy_body_size') return `client_max_body_size ${value};`;
      return `${directive} ${value}${directive.endsWith('timeout') ? 's' : ''};`;
    })
    .join(' ');
}

/** The servers of ingress-nginx, with settings of an Ingress. */
const ingress = (settings: string) => `map $http_upgrade $connection_of_client { default upgrade; '' ''; }
${shortest.replace(
  'location / {',
  `location / { proxy_http_version 1.1; proxy_set_header Host $http_host; proxy_set_header Upgrade $http_upgrade;
    proxy_set_header Connection $connection_of_client; proxy_set_header X-Forwarded-For $remote_addr; ${settings}`,
)}`;

interface Asked {
  readonly host?: string;
  readonly origin?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What somebody elsewhere gets through the proxy. */
async function answer(port: number, path: string, { host = name, origin, body, headers = {} }: Asked = {}) {
  const all = { ...headers, Host: host, ...(origin === undefined ? {} : { Origin: origin }) };
  const method = body === undefined ? 'GET' : 'POST';
  const sent = request({ port, host: '127.0.0.1', path, method, headers: all, agent }).end(body);
  const [response] = await once(sent, 'response');
  return { status: Number(response.statusCode), body: await text(response) };
}

/** Hosts by which a stranger may try to look like a program on the computer of the scanner. */
const hosts = [name, 'localhost', 'localhost:8080', '127.0.0.1', '127.0.0.1:8080', '[::1]'];
const headers = { 'X-Forwarded-For': '127.0.0.1', 'X-Real-IP': '127.0.0.1', Connection: 'X-Forwarded-For' };

/** Nobody controls the simulation through the proxy. */
async function expectNoRights(port: number, path: string, body: string): Promise<void> {
  for (const host of hosts) {
    expect([host, (await answer(port, path, { host, body })).status]).toEqual([host, 403]);
    expect([host, (await answer(port, path, { host, body, headers })).status]).toEqual([host, 403]);
  }
}

const temperature = ['/x/sim/temperature', '{"celsius":61}'] as const;

test('with the configuration of the docs, a scanner is used by its name, and strangers are not on this computer', async () => {
  const scanner = await new ScannerFolder().start(['--allowed-host', name]);
  const port = await nginx(documented(), scanner.httpPort ?? 0);
  await expectNoRights(port, ...temperature);
  expect(await scanner.client().value('CurrentTempDev')).not.toBe(61);
  const host = `${name}:${port}`;
  expect((await answer(port, '/', { host })).body).toContain('<!doctype html>');
  const challenge = { host, origin: `https://${host}`, body: '{"data":{"user":"Service"}}' };
  expect((await answer(port, '/api/getChallenge', challenge)).body).toContain('"nonce"');
  expect((await answer(port, '/metrics')).status).toBe(403);
  const socket = new WebSocket(`wss://127.0.0.1:${port}/x/events`, {
    rejectUnauthorized: false,
    headers: { Host: host },
    origin: `https://${host}`,
  });
  await once(socket, 'open');
  socket.terminate();
});

test.each([
  ['that says nothing at all', shortest, []],
  ['that shows nothing of itself, in front of a name', silent, ['--allowed-host', name]],
  ['that shows nothing of itself, of which the scanner was told', silent, ['--no-local-rights']],
])('behind a proxy %s, strangers are not on this computer', async (_, servers, options) => {
  const scanner = await new ScannerFolder().start(options);
  await expectNoRights(await nginx(servers, scanner.httpPort ?? 0), ...temperature);
  const controlled = await nginx(shortest, scanner.controlPort);
  await expectNoRights(controlled, '/temperature', temperature[1]);
});

test('behind the proxy of the docs, nobody switches the scanners of a fleet', async () => {
  const fleet = await FleetProcess.start('--count', '1', '--data', temporaryFolder(), '--allowed-host', name);
  const port = await nginx(documented(), Number(new URL(fleet.url).port));
  await expectNoRights(port, '/fleet/power', '{"scanners":"*","power":"off"}');
  await expectNoRights(port, '/scanners/10000001/x/sim/temperature', temperature[1]);
  expect((await answer(port, '/fleet')).body).toContain('"off":0');
});

test('through the Ingress of deploy/kubernetes come a whole firmware file and WebSockets, and without its settings they do not', async () => {
  const fleet = await FleetProcess.start('--count', '1', '--data', temporaryFolder(), '--allowed-host', name);
  const api = '/scanners/10000001/api';
  const target = Number(new URL(fleet.url).port);
  const [port, plain] = [await nginx(ingress(ofIngress()), target), await nginx(ingress(''), target)];
  const login = Buffer.from('Service:servicelevel').toString('base64');
  const asked = { body: '{}', headers: { Authorization: `Basic ${login}` } };
  const made = parse((await answer(port, `${api}/CreateSessionToken`, asked)).body);
  const token = string(at(made, 'data', 'token'));
  const put = async (to: number, bytes: number) => {
    const all = { Host: name, 'X-Session-Token': token };
    const sent = request({
      port: to,
      host: '127.0.0.1',
      path: `${api}/update`,
      method: 'PUT',
      headers: all,
      agent,
    });
    // Whoever refuses it closes the connection before all is sent.
    sent.on('error', () => undefined).end(Buffer.alloc(bytes));
    const [response] = await once(sent, 'response');
    return { status: Number(response.statusCode), body: await text(response) };
  };
  expect((await put(plain, largestFirmware)).body).toContain('nginx');
  expect((await put(port, largestFirmware)).status).toBe(200);
  // The scanner itself says what is too large.
  const refused = await put(port, largestFirmware + 1);
  expect(refused.status).toBe(413);
  expect(at(parse(refused.body), 'header', 'status')).toBe(1);
  const socket = new WebSocket(`wss://127.0.0.1:${port}${api}events`, {
    rejectUnauthorized: false,
    headers: { Host: name },
  });
  await once(socket, 'open');
  socket.terminate();
});
