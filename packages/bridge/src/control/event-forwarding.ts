import { type ClientRequest, type IncomingMessage, STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { dropAfterViolation, type RequestContext, refuseUpgrade, reset } from '@azimuth/http';
import { WebSocket, WebSocketServer } from 'ws';
import { timeNow } from '../timeline/clock.js';
import { connectTimeout, longestMessage, longestRefusal } from './limits.js';
import { headersOfHandshake } from './passed-headers.js';
import { RecordedExchange, type Recording } from './recorded-exchange.js';
import { pathIn } from './rest-forwarding.js';
import type { ScannerConnections } from './scanner-target.js';
import type { ToldFaults } from './told-faults.js';
import { WebSocketPair } from './web-socket-pair.js';

const compression = 'permessage-deflate';

/**
 * Joins WebSockets of programs with WebSockets of a scanner, message by message. The scanner is offered what the program
 * offers: compression, and subprotocols.
 */
export class EventForwarding {
  readonly #scanner: ScannerConnections;
  readonly #recording: Recording;
  readonly #faults: ToldFaults | undefined;
  readonly #pairs = new Set<WebSocketPair>();

  constructor(scanner: ScannerConnections, recording: Recording, faults: ToldFaults | undefined) {
    this.#scanner = scanner;
    this.#recording = recording;
    this.#faults = faults;
  }

  /** @param head bytes that followed the request */
  accept(context: RequestContext, socket: Duplex, head: Buffer): void {
    if (!(socket instanceof Socket)) {
      socket.destroy();
      return;
    }
    const { request } = context;
    const path = pathIn(request);
    const exchange = new RecordedExchange(this.#recording, request, path);
    exchange.requested();
    const scanner = this.#opened(context, path);
    if (scanner === undefined) {
      exchange.end();
      refuseUpgrade(socket, 400, 'The path or a header of this WebSocket is not valid.');
      return;
    }
    const leave = () => scanner.terminate();
    socket.on('error', () => socket.destroy()).once('close', leave);
    let refusal: ((status: number, reason: string) => void) | undefined = (status, reason) => {
      refusal = undefined;
      exchange.end();
      refuseUpgrade(socket, status, reason);
    };
    scanner.on('error', (error) =>
      refusal?.(502, `The relay gets no answer: ${this.#scanner.host}: ${error.message}`),
    );
    scanner.once('unexpected-response', (outgoing: ClientRequest, incoming: IncomingMessage) => {
      exchange.responds(incoming);
      textOf(incoming).then((text) => {
        outgoing.destroy();
        refusal?.(incoming.statusCode ?? 502, text);
      });
    });
    scanner.once('upgrade', (incoming) => exchange.upgrades(incoming));
    scanner.once('open', () => {
      dropAfterViolation(scanner);
      refusal = undefined;
      socket.off('close', leave);
      this.#join(request, socket, head, scanner, path);
    });
  }

  close(): void {
    for (const pair of this.#pairs) pair.close();
  }

  /** Returns a connection that is being opened; undefined if the request cannot be repeated: its path or a header is not valid. */
  #opened(context: RequestContext, path: string): WebSocket | undefined {
    try {
      return this.#open(context, path);
    } catch {
      return undefined;
    }
  }

  #open(context: RequestContext, path: string): WebSocket {
    const { headers } = context.request;
    const protocols = headers['sec-websocket-protocol']?.split(/\s*,\s*/) ?? [];
    return new WebSocket(this.#scanner.webSocketAt(path), protocols, {
      ...this.#scanner.certificateCheck,
      perMessageDeflate: headers['sec-websocket-extensions']?.includes(compression) === true,
      headers: headersOfHandshake(context),
      handshakeTimeout: connectTimeout,
      maxPayload: longestMessage,
      // The program answers pings itself, or does not.
      autoPong: false,
    });
  }

  #join(request: IncomingMessage, socket: Socket, head: Buffer, scanner: WebSocket, path: string): void {
    // Messages wait until the program has its own connection.
    scanner.pause();
    const isCompressed = scanner.extensions.includes(compression);
    const server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: isCompressed,
      handleProtocols: () => (scanner.protocol === '' ? false : scanner.protocol),
      maxPayload: longestMessage,
      autoPong: false,
    });
    // A handshake that is not valid is refused by the library.
    socket.once('close', () => scanner.terminate());
    server.handleUpgrade(request, socket, head, (program) => {
      dropAfterViolation(program);
      const connection = this.#recording.nextConnection();
      const { tell } = this.#recording;
      tell({ kind: 'opened', at: timeNow(), connection, protocol: 'events', path, isCompressed });
      const pair = new WebSocketPair({
        ...{ program, scanner, path },
        reset: () => reset(socket),
        faults: this.#faults?.events === undefined ? undefined : this.#faults,
        passed: (direction, message) =>
          tell({ kind: 'event', at: timeNow(), connection, path, direction, message }),
        closed: (direction, code) => {
          this.#pairs.delete(pair);
          tell({ kind: 'closed', at: timeNow(), connection, protocol: 'events', direction, code });
        },
        isWrong: (came) =>
          tell({
            ...{ kind: 'finding', at: timeNow(), of: `WebSocket ${connection}`, where: path },
            ...{ expected: 'frames of RFC 6455', came },
          }),
      });
      this.#pairs.add(pair);
      scanner.resume();
    });
  }
}

/** Returns the text of a response in place of a WebSocket, as far as it is short. */
async function textOf(incoming: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of incoming) {
      length += piece.length;
      if (length > longestRefusal) break;
      pieces.push(piece);
    }
  } catch {
    // What has come is shown.
  }
  const text = Buffer.concat(pieces).toString().trim();
  return text === '' ? (STATUS_CODES[incoming.statusCode ?? 0] ?? '') : text;
}
