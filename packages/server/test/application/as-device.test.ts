import { once } from 'node:events';
import { connect } from 'node:net';
import { type ConnectionOptions, connect as connectSecurely } from 'node:tls';
import {
  allEndpoints,
  allFiles,
  builtInProduct,
  correlationHeader,
  detailHeader,
  simulationPath,
} from '@azimuth/model';
import { openApi } from '@azimuth/model/openapi';
import { bundleOf, issue } from '@azimuth/test-support/certificates';
import { dataOf, statusOf } from '@azimuth/test-support/client';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import { describe, expect, test } from 'vitest';
import { ownSocketPaths } from '../../src/events/event-server.js';
import { browserFiles } from '../../src/pages/docs.js';
import { guiFolder } from '../../src/pages/gui-folder.js';
import { ownPages } from '../../src/pages/pages.js';
import { downloaded } from '../files/transfer.js';
import { Asker, searchFor } from '../search/searcher.js';

const releases = ['1.5.0', '2.3.3', '2.4.4'] as const;
const leaf = issue({ name: 'Hall' });
const tls: ConnectionOptions = { ca: leaf.certificate, servername: 'localhost' };

/** Every path that only virtual scanners have: of the routing tables, and of the description of the interface. */
function ownPathsOf(release: (typeof releases)[number]): readonly string[] {
  const described = Object.entries(openApi({ release, variant: 'full' }).paths)
    .filter(([, item]) => Object.values(item).some(({ tags }) => tags.includes('x')))
    .map(([path]) => path);
  const routed = [...Object.keys(ownPages), ...ownSocketPaths];
  const documentation = Object.keys(browserFiles).map((name) => `/docs/${name}`);
  const simulation = [simulationPath, `${simulationPath}/clock/advance`];
  const gui = ['/', '/icon.svg', '/assets/index.js'];
  return [
    ...new Set([...described, ...routed, ...documentation, ...simulation, ...gui, '/x/', '/x/nothing']),
  ];
}

/** Sends bytes, and returns everything that comes back until the scanner closes the connection. */
async function exchanged(port: number, secure: boolean, text: string): Promise<string> {
  const host = '127.0.0.1';
  const socket = secure ? connectSecurely({ host, port, ...tls }) : connect(port, host);
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  socket.write(text);
  await closed;
  return Buffer.concat(parts).toString('latin1');
}

const head = (line: string, ...lines: readonly string[]) =>
  [`${line} HTTP/1.1`, 'Host: 127.0.0.1', 'Connection: close', ...lines, '', ''].join('\r\n');

const upgrade = (path: string, version = '13') =>
  [
    ...[`GET ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'Connection: Upgrade', 'Upgrade: websocket'],
    ...['Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', `Sec-WebSocket-Version: ${version}`, '', ''],
  ].join('\r\n');

function post(path: string, body: string, method = 'POST'): string {
  return head(`${method} ${path}`, `Content-Length: ${Buffer.byteLength(body)}`) + body;
}

const wrongLogin = JSON.stringify({
  header: { user: 'Service', realm: 'SICK Sensor', nonce: '0', opaque: '0', response: '0' },
  data: {},
});

/** Requests of all kinds, valid and not. Those of WebSockets are refused. */
function sweep(ownPaths: readonly string[]): readonly string[] {
  const names = [...allEndpoints, ...allFiles].map(({ name }) => `/api/${name}`);
  return [
    ...names.map((path) => head(`GET ${path}`)),
    ...names.map((path) => post(path, '{}')),
    ...names.map((path) => post(path, wrongLogin)),
    ...ownPaths.map((path) => head(`GET ${path}`)),
    ...ownPaths.map((path) => post(path, '{"data":{}}')),
    ...[...ownSocketPaths, '/api', '/api/', '/nothing'].map((path) => upgrade(path)),
    ...['/apievents', ...ownSocketPaths].map((path) => upgrade(path, '8')),
    ...['/api/update', '/api/parameterbackup'].map((path) => post(path, 'no file', 'PUT')),
    ...['/api/getChallenge', '/api/LocationName'].map((path) => post(path, '{')),
    ...['/API/DeviceStatus', '/api//DeviceStatus', '/api/devicestatus', '/api/a/b'].map((path) =>
      head(`GET ${path}`),
    ),
    head('OPTIONS *'),
    head('OPTIONS /api/DeviceStatus', 'Origin: https://panel.example', 'Access-Control-Request-Method: POST'),
    head('GET /api/DeviceStatus', 'Origin: https://panel.example'),
    head('GET /api/DeviceStatus', 'Expect: more'),
    head('DELETE /'),
    head('CONNECT elsewhere:80'),
    'GET /api/DeviceStatus HTTP/1.1\r\nHost: elsewhere.example\r\nConnection: close\r\n\r\n',
    'GET /api/DeviceStatus HTTP/1.1\r\nConnection: close\r\n\r\n',
    'GET /api/DeviceStatus HTTP/7.0\r\nHost: x\r\n\r\n',
    `${head('POST /api/DeviceStatus', 'Content-Length: many')}`,
    'nothing of this is HTTP\r\n\r\n',
    post('/api/getChallenge', '{"data":{"user":"Nobody"}}'),
    head('GET /api/crown/file?filePath=../x'),
  ];
}

async function started(release: string): Promise<TestScanner> {
  const scanner = await TestScanner.start({
    ...{ release, asDevice: true, searchPort: 0, legacy: 'closed' },
    web: { gui: guiFolder, maxConnections: 20 },
  });
  const uploaded = await scanner.client().call('setCertificateBundle', bundleOf([leaf]));
  if (release !== '1.5.0') expect(dataOf(uploaded)).toMatchObject({ success: true });
  return scanner;
}

describe.each(releases)('a scanner of %s with only what devices have', (release) => {
  const ownPaths = ownPathsOf(release);
  const schemes = release === '1.5.0' ? ['http'] : ['http', 'https'];

  test.each(schemes)(
    'answers as for an unknown path where virtual scanners have their own, over %s',
    async (scheme) => {
      const scanner = await started(release);
      const secure = scheme === 'https';
      const port = secure ? scanner.httpsPort : scanner.httpPort;
      const unknown = await exchanged(port, secure, head('GET /unknown'));
      expect(unknown).toMatch(/^HTTP\/1\.1 404 .*\r\nContent-Type: text\/plain; charset=utf-8\r\n/s);
      const constant = (text: string, path: string) =>
        text.replaceAll(path, '').replaceAll(/^(?:Date|Content-Length): .*\r\n/gm, '');
      expect(ownPaths.length).toBeGreaterThan(20);
      for (const path of ownPaths) {
        const answer = await exchanged(port, secure, head(`GET ${path}`));
        expect(constant(answer, `at ${path};`), path).toBe(constant(unknown, 'at /unknown;'));
        const socket = await exchanged(port, secure, upgrade(path));
        expect(socket, path).toMatch(/^HTTP\/1\.1 404 /);
      }
    },
  );

  test.each(schemes)('names no product and has no own header in any answer, over %s', async (scheme) => {
    const scanner = await started(release);
    const secure = scheme === 'https';
    const port = secure ? scanner.httpsPort : scanner.httpPort;
    const own = [detailHeader, correlationHeader].map((name) => `\r\n${name}:`.toLowerCase());
    const requests = sweep(ownPaths);
    expect(requests.length).toBeGreaterThan(300);
    for (const request of requests) {
      const answer = (await exchanged(port, secure, request)).toLowerCase();
      const [line = ''] = request.split('\r\n');
      expect(answer, line).toMatch(/^http\/1\.1 \d/);
      expect(
        [builtInProduct.metricPrefix, '--allowed', ...own].filter((word) => answer.includes(word)),
        line,
      ).toEqual([]);
    }
  });

  test('answers the device search without the tags of virtual scanners', async () => {
    const scanner = await started(release);
    const asker = await Asker.open();
    await asker.send(searchFor('11223344'), scanner.service.ports.search ?? 0);
    await until(() => asker.heard.length === 2);
    const answers = asker.heard.map(({ body }) => body.toString('latin1')).join('');
    expect(answers).toContain('12345678');
    expect(answers).not.toMatch(/XHtp|XIns|HTTPPortNo|Instance/);
  });

  test('serves the interface as ever', async () => {
    const scanner = await started(release);
    const client = scanner.client();
    expect(await client.value('DeviceStatus')).toBeTypeOf('number');
    expect(statusOf(await client.write('LocationName', 'Gate 3'))).toBe(0);
    expect(statusOf(await client.write('LocationName', 7))).toBe(2);
    const events = await exchanged(scanner.httpPort, false, head('GET /apievents'));
    expect(events).toMatch(release === '1.5.0' ? /^HTTP\/1\.1 404 / : /^HTTP\/1\.1 426 /);
    const cloud = await exchanged(scanner.httpPort, false, head('GET /cloud.pcd'));
    expect(cloud).toMatch(/^HTTP\/1\.1 404 .*\r\n/);
  });
});

test('its files do not name the product either', async () => {
  const scanner = await started('2.4.4');
  const client = scanner.client();
  expect(statusOf(await client.call('CreateParameterBackup', {}))).toBe(0);
  await client.call('DoDiagnosisDump', { Output: 'dump.zip' });
  const path = '/api/crown/file?filePath=dump.zip';
  await until(async () => (await client.send({ method: 'GET', path })).httpStatus === 200);
  const archive = await client.send({ method: 'GET', path });
  for (const text of [await downloaded(client), archive.text]) {
    expect(text.length).toBeGreaterThan(200);
    expect(text.toLowerCase()).not.toContain(builtInProduct.metricPrefix);
  }
});

test('a virtual scanner has all of these paths and headers without the switch', async () => {
  const scanner = await TestScanner.start({ web: { gui: guiFolder } });
  const missing: string[] = [];
  for (const path of Object.keys(ownPages).concat('/', ownPathsOf('2.4.4'))) {
    const answer = await exchanged(scanner.httpPort, false, head(`GET ${path}`));
    if (/^HTTP\/1\.1 404/.test(answer)) missing.push(path);
  }
  expect(missing).toEqual(['/assets/index.js']);
  const refused = await exchanged(scanner.httpPort, false, post('/api/DeviceStatus', '{}'));
  expect(refused).toContain(`\r\n${detailHeader}: `);
});
