import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Server as TlsServer } from 'node:tls';
import { BrokenRequests, refuseExpectation, TunnelWanted } from './broken-requests.js';
import { Connections } from './connections.js';
import { OverfullConnections } from './overfull-connections.js';

/**
 * The requests at a port that is not the port of one scanner. What a scanner promises holds there, too: the requests of one
 * connection are answered in order, one at a time, and what is no HTTP is refused as a scanner refuses it.
 */
export class RequestsInOrder {
  readonly #connections: Connections;
  readonly #broken: BrokenRequests;
  readonly #overfull = new OverfullConnections();

  /** @param failed gets the error of a request that has waited */
  constructor(failed: (error: unknown) => void) {
    // Their number is limited elsewhere.
    this.#connections = new Connections(Number.POSITIVE_INFINITY, failed);
    this.#broken = new BrokenRequests(this.#connections);
  }

  /** Refuses what comes to this listener and is no request. */
  watch(listener: Server | SecureServer): void {
    const isSecure = listener instanceof TlsServer;
    const encrypted = new WeakSet<Duplex>();
    listener.on(isSecure ? 'secureConnection' : 'connection', (socket: Socket) => {
      if (isSecure) encrypted.add(socket);
      // Runs after node has handled what came with the end.
      socket.once('end', () => setImmediate(() => this.#broken.ended(socket)));
    });
    listener.on('clientError', (error, socket) => {
      // A handshake that has failed.
      if (isSecure && !encrypted.has(socket)) socket.destroy();
      else if (!this.#broken.excuses(error, socket)) this.#broken.refuse(error, socket);
    });
    listener.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
      this.note(request, response);
      refuseExpectation(request, response);
    });
    listener.on('connect', (_, connection: Duplex) => {
      connection.on('error', () => connection.destroy());
      this.#broken.refuse(new TunnelWanted(), connection);
      connection.resume();
    });
  }

  /** A request has come. What follows on its connection, and is no request, is refused behind its answer. */
  note({ headers, socket }: IncomingMessage, response: ServerResponse): void {
    this.#connections.of(socket).latest = response;
    // The request asks for an upgrade that is not accepted. Node would lose the bytes that follow such a request.
    if (headers.upgrade !== undefined) response.shouldKeepAlive = false;
  }

  /**
   * Are all earlier requests of this connection answered? Only then it may become a WebSocket: its head would come before their
   * answers. Otherwise the request for it is answered in its turn, as without `Upgrade`.
   */
  mayUpgrade({ socket }: IncomingMessage): boolean {
    const { isHeld, isAnswering } = this.#connections.of(socket);
    return !isHeld && !isAnswering;
  }

  /** Calls `answer` when the answers to earlier requests of the connection that came here have been sent. */
  receive(request: IncomingMessage, response: ServerResponse, answer: () => void): void {
    const connection = this.#connections.of(request.socket);
    const begin = () => {
      if (response.headersSent || request.socket.destroyed) return;
      const release = connection.hold();
      const go = () => {
        response.once('close', release);
        answer();
      };
      // Node assigns the connection to an answer when it is the next to be sent: only then it tells when that was closed.
      if (response.socket === null) response.once('socket', go);
      else go();
    };
    if (connection.isHeld) connection.wait(begin, () => this.#overfull.refuse(request, response));
    else begin();
  }
}
