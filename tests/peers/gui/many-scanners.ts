import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { allVariables } from '@azimuth/model';
import { onTestFinished } from 'vitest';
import { WebSocketServer } from 'ws';

/** ms that each scanner takes for an answer. */
const answersAfter = 15;

/** The values of a scanner from the factory. */
const initial = new Map<string, unknown>(allVariables.map(({ name, type }) => [name, type.initial]));

/** Many scanners behind one port, as far as lists of scanners look at them. All of them measure. They announce changes, and send no scans. */
export interface ManyScanners {
  /** In the order of their numbers, from 1 on. */
  readonly urls: readonly string[];
}

/** The serial number of a scanner. */
export const serialOf = (number: number): string => `24${String(number).padStart(4, '0')}`;

/**
 * Scanners until the test ends.
 * @param hanging the numbers of those that never answer
 */
export async function manyScanners(count: number, hanging: readonly number[] = []): Promise<ManyScanners> {
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const [, number = '', name = ''] = /^\/(\d+)\/(?:api|x)\/([\w.]+)/.exec(request.url ?? '') ?? [];
    if (hanging.includes(Number(number))) return;
    setTimeout(() => {
      const value = told(Number(number), name);
      const status = value === undefined ? 5 : 0;
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ header: { status, message: 'x' }, data: { [name]: value } }));
    }, answersAfter);
  };
  const server = createServer(answer);
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    // A client that gives up resets its connection.
    socket.on('error', () => socket.destroy());
    if (hanging.includes(Number(request.url?.split('/')[1]))) return;
    if (!/^\/\d+\/x\/events$/.test(request.url ?? '')) {
      socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    setTimeout(() => sockets.handleUpgrade(request, socket, head, () => undefined), answersAfter);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    for (const socket of sockets.clients) socket.terminate();
  });
  const { port } = addressOf(server.address());
  const urls = Array.from({ length: count }, (_, index) => `http://127.0.0.1:${port}/${index + 1}`);
  return { urls };
}

function told(number: number, name: string): unknown {
  switch (name) {
    case 'stored':
      return Object.fromEntries(initial);
    case 'DeviceIdent':
      return { Name: 'picoScan', Version: '2.4.4.0R' };
    case 'DeviceStatus':
      return 3;
    case 'SerialNumber':
      return serialOf(number);
    case 'LocationName':
      return `Gate ${number}`;
    default:
      return initial.get(name);
  }
}

function addressOf(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('the server listens nowhere');
  return address;
}

/** A port at which nothing is. */
export async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = addressOf(server.address());
  await new Promise((resolve) => server.close(resolve));
  return port;
}
