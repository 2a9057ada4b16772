import { createServer, type IncomingMessage, type Server } from 'node:http';
import { isIP } from 'node:net';
import { refuseUpgrade } from '@azimuth/http';
import { type WebSocket, WebSocketServer } from 'ws';
import { ClientQueues } from './client-queues.js';
import type { Destination } from './destination.js';
import { keepAlive, mostClientMessage, mostClients, mostPongsWaiting } from './limits.js';
import { listening, type Outgoing } from './outgoing.js';
import type { Tallied } from './tally.js';

/** A port at which clients fetch telegrams over a WebSocket: each one is a binary message, unchanged. */
export class WebSocketOutgoing implements Outgoing {
  readonly sender = undefined;
  readonly #server: Server;
  readonly #clients = new ClientQueues();
  #url = '';

  private constructor() {
    this.#server = createServer(keepAlive, (_, response) => {
      response.writeHead(426, { connection: 'close', 'content-type': 'text/plain', upgrade: 'websocket' });
      response.end('Telegrams come over a WebSocket here.\n');
    });
    this.#server.maxConnections = 2 * mostClients;
    const sockets = new WebSocketServer({
      noServer: true,
      perMessageDeflate: false,
      maxPayload: mostClientMessage,
      // Pongs would wait for a client that reads nothing.
      autoPong: false,
    });
    this.#server.on('upgrade', (request, socket, head) => {
      socket.on('error', () => socket.destroy());
      const refusal = this.#refusalOf(request);
      if (refusal === undefined) {
        sockets.handleUpgrade(request, socket, head, (client) => this.#accept(client));
        return;
      }
      refuseUpgrade(socket, ...refusal);
    });
  }

  /** @throws OpenError if the port cannot be opened */
  static async open(destination: Destination): Promise<WebSocketOutgoing> {
    const outgoing = new WebSocketOutgoing();
    outgoing.#url = await listening(outgoing.#server, destination);
    return outgoing;
  }

  get url(): string {
    return this.#url;
  }

  get clients(): number {
    return this.#clients.size;
  }

  get tally(): Tallied {
    return this.#clients.tally;
  }

  send(telegram: Uint8Array): void {
    this.#clients.send(telegram);
  }

  close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#clients.closeAll();
    this.#server.closeAllConnections();
    return closed;
  }

  /** Returns HTTP status and reason; undefined if the client gets telegrams. */
  #refusalOf(request: IncomingMessage): readonly [number, string] | undefined {
    if (!mayRead(request))
      return [403, 'Pages of other sites, and other names of this computer, get no telegrams.'];
    return this.#clients.size < mostClients ? undefined : [503, 'Too many clients get telegrams here.'];
  }

  #accept(client: WebSocket): void {
    const ended = this.#clients.add({
      get isBusy() {
        return client.readyState !== client.OPEN || client.bufferedAmount > 0;
      },
      write: (telegram, done) => client.send(telegram, { binary: true }, done),
      close: () => client.terminate(),
    });
    client.on('error', () => client.terminate());
    client.on('ping', (data) => {
      if (client.readyState === client.OPEN && client.bufferedAmount < mostPongsWaiting) client.pong(data);
    });
    client.once('close', ended);
  }
}

/**
 * Refuses pages of other sites, which a browser would let read what passes, and names of others that point to this
 * computer. Programs send no Origin.
 */
function mayRead({ headers: { host = '', origin } }: IncomingMessage): boolean {
  const at = hostIn(`http://${host}`);
  if (at === undefined || !isOwnName(at)) return false;
  if (origin === undefined) return true;
  const page = hostIn(origin);
  return page !== undefined && (page === at || isLoopbackName(page));
}

function hostIn(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : undefined;
}

function isOwnName(host: string): boolean {
  return isIP(host) !== 0 || host === 'localhost';
}

function isLoopbackName(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host);
}
