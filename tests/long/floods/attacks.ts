import { isObject, object, parse } from '@azimuth/test-support/json';
import type { ScannerProcess } from '@azimuth/test-support/scanner-process';
import { closedLoop, datagrams, handshakes, type Target, unreadFor } from './clients.js';

export interface Attack {
  readonly name: string;
  readonly run: (ms: number) => Promise<unknown>;
}

/** Everything that is served to a GET, by what the scanner says of itself; and what it says nothing of. */
export async function publicPaths(scanner: ScannerProcess): Promise<readonly string[]> {
  const { text } = await scanner.client().send({ method: 'GET', path: '/openapi.json' });
  const paths = Object.entries(object(object(parse(text)).paths))
    .filter(([, item]) => isObject(item) && item.get !== undefined)
    .map(([path]) => path.replace('{filePath}', 'x'));
  return [
    ...new Set([
      ...paths,
      '/',
      '/docs',
      '/openapi.json',
      '/healthz',
      '/metrics',
      '/cloud.pcd',
      '/nothing',
      '/api/Nothing',
    ]),
  ];
}

export function get(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
}

export function post(path: string, body: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

const mebibyte = 1024 * 1024;

/** JSON that costs more to parse than other JSON of its length. */
const dearValues: Readonly<Record<string, (bytes: number) => string>> = {
  deep: (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  'empty objects': (bytes) => `[${Array.from({ length: bytes / 3 - 1 }, () => '{}').join()}]`,
  'names of their own': (bytes) =>
    `[${Array.from({ length: bytes / 16 }, (_, index) => `{"k${index}":1}`).join()}]`,
  letters: (bytes) => `"${'x'.repeat(bytes - 2)}"`,
};

const endpoints = [
  '/api/getChallenge',
  '/api/LocationName',
  '/api/changePassword',
  '/api/setCertificateBundle',
  '/api/Nothing',
  '/x/fields',
  '/api/PortConfiguration',
];

function postsOf(): readonly (readonly [name: string, request: string])[] {
  return endpoints.flatMap((path) =>
    Object.entries(dearValues).flatMap(([name, value]) =>
      [1000, 16_000, mebibyte - 100].map(
        (bytes) => [`${path} ${name} ${bytes}`, post(path, `{"data":${value(bytes)}}`)] as const,
      ),
    ),
  );
}

/** Frames of text as a client sends them, with a mask of zeros. */
function textFrame(text: string): Buffer {
  const length = Buffer.alloc(8);
  length.writeBigUInt64BE(BigInt(text.length));
  return Buffer.concat([Buffer.of(0x81, 0xff), length, Buffer.alloc(4), Buffer.from(text)]);
}

const upgrade = (path: string) =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`;

const webSocketMessages = (): Readonly<Record<string, string>> => ({
  deep: '['.repeat(32_000) + ']'.repeat(32_000),
  'empty objects': `[${Array.from({ length: 20_000 }, () => '{}').join()}]`,
  register: JSON.stringify({ type: 'register', event: 'DeviceStatus', clientId: 1 }),
});

const telegrams: Readonly<Record<string, string>> = {
  requests: '\x02sRN DeviceIdent\x03',
  unknown: '\x02sRN Nothing\x03',
  'no telegrams': 'x'.repeat(1000),
  beginnings: '\x02'.repeat(1000),
  'binary beginnings': '\x02\x02\x02\x02\x00\x00\xff\x00'.repeat(100),
};

export interface Extent {
  /** Clients at the same time. */
  readonly clients: number;
  readonly paths: readonly string[];
}

/** What a stranger may send: to every public path, and to every other port. */
export function attacksOn(scanner: ScannerProcess, { clients, paths }: Extent): readonly Attack[] {
  const http: Target = { port: Number(scanner.httpPort) };
  const https: Target = { port: scanner.httpsPort, tls: true };
  const { legacyA, legacyB, search } = scanner.readyLine;
  const both = (name: string, target: Target, request: string | Buffer): readonly Attack[] => [
    { name: `${name}, unread`, run: (ms) => unreadFor(ms, target, clients, request) },
    { name: `${name}, closed loop`, run: (ms) => closedLoop(ms, target, clients, request) },
  ];
  return [
    ...paths.flatMap((path) => both(`GET ${path}`, http, get(path))),
    ...['/openapi.json', '/metrics', '/x/stored', '/api/DeviceStatus'].flatMap((path) =>
      both(`HTTPS ${path}`, https, get(path)),
    ),
    ...postsOf().flatMap(([name, request]) => both(`POST ${name}`, http, request)),
    ...['/healthz', '/api/update', '/api/parameterbackup', '/apievents'].flatMap((path) =>
      both(`PUT ${path} of 1 MiB`, http, post(path, 'x'.repeat(mebibyte)).replace('POST', 'PUT')),
    ),
    ...Object.entries(webSocketMessages()).flatMap(([name, text]) =>
      both(
        `WebSocket, ${name}`,
        http,
        Buffer.concat([
          Buffer.from(upgrade('/apievents')),
          ...Array.from({ length: Math.ceil(60_000 / text.length) }, () => textFrame(text)),
        ]),
      ),
    ),
    ...Object.entries(telegrams).flatMap(([name, telegram]) => [
      ...both(`legacy A, ${name}`, { port: Number(legacyA) }, telegram),
      ...both(`legacy B, ${name}`, { port: Number(legacyB) }, telegram),
    ]),
    { name: 'TLS handshakes', run: (ms) => handshakes(ms, scanner.httpsPort, clients) },
    { name: 'device search, garbage', run: (ms) => datagrams(ms, Number(search), Buffer.alloc(1400, '<')) },
  ];
}
