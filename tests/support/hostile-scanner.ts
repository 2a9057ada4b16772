import { createServer, type IncomingHttpHeaders } from 'node:http';
import { expect } from 'vitest';
import { listening } from './listening.js';
import type { RawResponse } from './raw-connection.js';

/** Headers by which a response would change the origin that it comes from, or make its client misjudge it. */
export const hostileHeaders: Readonly<Record<string, string>> = {
  'Set-Cookie': 'session=stolen',
  Location: 'http://evil.example/',
  'Service-Worker-Allowed': '/',
  'Clear-Site-Data': '"*"',
  Refresh: '0;url=http://evil.example/',
  Link: '<http://evil.example/x.js>; rel=preload; as=script',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Credentials': 'true',
  'Content-Encoding': 'identity',
  'WWW-Authenticate': 'Basic realm="Password of Service"',
  'Strict-Transport-Security': 'max-age=99999999',
  'Content-Security-Policy': "default-src * 'unsafe-inline'",
  'X-Powered-By': 'evil',
};

/** A page whose script leaves a trace, and registers itself as a service worker. */
const page =
  '<!doctype html><script>document.title="taken";navigator.serviceWorker&&navigator.serviceWorker.register(location.href)</script>taken over';

export interface HostileScanner {
  readonly url: string;
  /** Headers of the requests that have come. */
  readonly requests: IncomingHttpHeaders[];
  /** HTTP status of its responses. */
  status: number;
  type: string;
}

/**
 * Starts a server in place of a scanner. It answers every request with a page that does harm. It ends with the test.
 */
export async function hostileScanner(): Promise<HostileScanner> {
  const requests: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    requests.push(request.headers);
    request.resume();
    const content = { 'Content-Type': scanner.type, 'Content-Length': page.length };
    response.writeHead(scanner.status, { ...hostileHeaders, ...content });
    response.end(page);
  });
  server.on('upgrade', (request, socket) => {
    requests.push(request.headers);
    const accept = 'Sec-WebSocket-Accept: x';
    const head = ['HTTP/1.1 101 Mine', 'Upgrade: websocket', 'Connection: Upgrade', accept];
    const more = Object.entries(hostileHeaders).map(([name, value]) => `${name}: ${value}`);
    socket.end(`${[...head, ...more].join('\r\n')}\r\n\r\n`);
  });
  const scanner: HostileScanner = {
    url: `http://127.0.0.1:${await listening(server)}`,
    requests,
    status: 200,
    type: 'text/html',
  };
  return scanner;
}

/** Content of a response, by the path below a scanner. */
export const contentTypes: readonly (readonly [path: string, type: string, isFile: boolean])[] = [
  ['/api/DeviceStatus', 'application/json', false],
  ['/api/DeviceStatus?x=/cloud.pcd', 'application/json', false],
  ['/api/crown/file?filePath=a', 'application/octet-stream', true],
  ['/api/parameterbackup', 'application/octet-stream', true],
  ['/cloud.pcd', 'application/octet-stream', true],
  ['/metrics', 'text/plain; version=0.0.4; charset=utf-8', false],
  ['/x/stored', 'application/json', false],
  ['/x/evil.html', 'application/json', false],
];

/** Expects none of those headers, and a content type that a browser treats as data. @param isFile it is to be saved */
export function expectHarmless({ body, headers }: RawResponse, type: string, isFile: boolean): void {
  expect(body).toContain('taken over');
  expect(headers.get('content-type')).toBe(type);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
  expect(headers.get('content-disposition')?.startsWith('attachment') ?? false).toBe(isFile);
  for (const name of Object.keys(hostileHeaders))
    if (name !== 'Content-Security-Policy')
      expect([name, headers.get(name.toLowerCase())]).toEqual([name, undefined]);
}

/** Headers with which browsers ask for something that a page may not have from a scanner. */
export const foreignRequests: readonly (readonly [what: string, headers: readonly string[]])[] = [
  ['a link', ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document']],
  ['an address that is typed', ['Sec-Fetch-Site: none', 'Sec-Fetch-Mode: navigate']],
  ['a frame of an own page', ['Sec-Fetch-Site: same-origin', 'Sec-Fetch-Dest: iframe']],
  ['a script of an own page', ['Sec-Fetch-Site: same-origin', 'Sec-Fetch-Dest: script']],
  ['a style of an own page', ['Sec-Fetch-Dest: style']],
  ['an image of a foreign page', ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: no-cors']],
  ['a request of a page of another port', ['Sec-Fetch-Site: same-site', 'Sec-Fetch-Mode: cors']],
  ['the script of a service worker', ['Service-Worker: script']],
  ['the same without that header', ['Sec-Fetch-Dest: serviceworker']],
];
