import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  Admission,
  allowing,
  Connections,
  errorReport,
  HttpPort,
  listen,
  type RequestContext,
  refuseUpgrade,
  respondText,
  urlOf,
} from '@azimuth/http';
import { type WebSocket, WebSocketServer } from 'ws';
import { mostMessageBytes, mostViewers } from './limits.js';
import { chosenSubprotocol, subprotocols } from './protocol.js';

export interface FoxglovePortOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Origins of web pages that may connect, such as `https://app.foxglove.dev`. */
  readonly allowedOrigins: readonly string[];
  /** Names by which the port may be called, beside its addresses and names without a dot. */
  readonly allowedHosts: readonly string[];
  /** Gets each viewer. */
  readonly onViewer: (socket: WebSocket, address: string, request: RequestContext) => void;
  /** Gets a line for each refused connection, for the person at the terminal. */
  readonly onRefused: (line: string) => void;
}

/**
 * The port for viewers. It admits pages of allowed origins only: any page that the user visits could otherwise read the
 * scanners through the browser.
 */
export class FoxglovePort {
  readonly #options: FoxglovePortOptions;
  readonly #sockets: WebSocketServer;
  readonly #listener: ReturnType<HttpPort['listener']>;

  constructor(options: FoxglovePortOptions) {
    this.#options = options;
    this.#sockets = new WebSocketServer({
      noServer: true,
      perMessageDeflate: false,
      maxPayload: mostMessageBytes,
      handleProtocols: (offered) => chosenSubprotocol([...offered].join(',')) ?? false,
    });
    const errors = errorReport((_, error) => process.emitWarning(String(error)));
    const { allowedHosts: hosts, allowedOrigins: origins } = options;
    const { check } = allowing({ hosts, origins });
    const port = new HttpPort({
      errors,
      connections: new Connections(mostViewers, (error) => errors.report('http', error)),
      admission: new Admission({
        check,
        respond: (response, { httpStatus, why, counted }) => {
          const text = counted === 'origin' ? originRefused(response.req) : why;
          options.onRefused(text);
          respondText(response, httpStatus, text);
        },
      }),
      serve: (context, response) =>
        context.respondInTurn(response, () => respondText(response, 426, forPeople)),
      upgrades: { isAt: (path) => path === '/', accept: (...args) => this.#accept(...args) },
    });
    this.#listener = port.listener();
  }

  /** Opens the port. @returns its URL @throws PortTaken */
  async open(): Promise<string> {
    const { host } = this.#options;
    const port = await listen(this.#listener, host, this.#options.port, '--port');
    return urlOf({ host, port }, 'http').replace('http:', 'ws:');
  }

  /** Closes the port and what is left of its connections. */
  close(): void {
    this.#listener.close();
    this.#listener.closeAllConnections();
    for (const socket of this.#sockets.clients) socket.terminate();
  }

  #accept(context: RequestContext, socket: Duplex, head: Buffer): void {
    const { request } = context;
    socket.on('error', () => socket.destroy());
    if (chosenSubprotocol(request.headers['sec-websocket-protocol']) === undefined) {
      refuseUpgrade(socket, 400, `expected one of the subprotocols ${subprotocols.join(', ')}`);
      return;
    }
    const { remoteAddress, remotePort } = request.socket;
    this.#sockets.handleUpgrade(request, socket, head, (viewer) =>
      this.#options.onViewer(viewer, `${remoteAddress}:${remotePort}`, context),
    );
  }
}

const forPeople = 'This is a WebSocket for Foxglove: open it there as a connection, not in a browser.';

function originRefused({ headers }: IncomingMessage): string {
  const { origin = '' } = headers;
  if (origin === 'null')
    return 'a web page without an origin was refused, for example a file: let a web server send the page';
  return `a web page of ${JSON.stringify(origin.slice(0, 100))} was refused. If it is yours, start with --allowed-origin and this origin`;
}
