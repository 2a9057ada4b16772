import http, { type ClientRequest } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';

/** The scanner behind a relay. */
export interface ScannerTarget {
  /** `http://192.168.0.1`, without a slash at its end. */
  readonly url: string;
  /** Authorities (PEM) of its certificate; by default, those of the system. */
  readonly ca?: string | undefined;
  /** True if its certificate is not checked. */
  readonly isUnchecked?: boolean | undefined;
}

interface Outgoing {
  readonly method: string;
  /** Path of the scanner, with its query. */
  readonly path: string;
  /** Names and values alternate. */
  readonly headers: readonly string[];
}

/**
 * Opens requests to one scanner. Each connection of a program has one connection to the scanner, so that the scanner sees as
 * many as it would without the relay.
 */
export class ScannerConnections {
  readonly #target: ScannerTarget;
  readonly #base: URL;
  readonly #agents = new WeakMap<Socket, http.Agent>();
  readonly #followed = new WeakSet<Socket>();

  constructor(target: ScannerTarget) {
    this.#target = target;
    this.#base = new URL(target.url);
  }

  /** Host and port, as in the header Host. */
  get host(): string {
    return this.#base.host;
  }

  /** How its certificate is checked. */
  get certificateCheck(): { readonly ca?: string | undefined; readonly rejectUnauthorized?: boolean } {
    const { ca, isUnchecked } = this.#target;
    return { ca, ...(isUnchecked === true ? { rejectUnauthorized: false } : {}) };
  }

  /** Returns the address of a WebSocket at a path. */
  webSocketAt(path: string): string {
    return this.#base.href.replace(/^http/, 'ws').replace(/\/$/, '') + path;
  }

  /**
   * Opens a request. The caller sends its body.
   * @param program the connection of the program
   * @param isIdle true if no request of the program is in progress. If the scanner then closes its connection, that of the
   * program is closed, too
   */
  request(program: Socket, isIdle: () => boolean, { method, path, headers }: Outgoing): ClientRequest {
    const { protocol, hostname, port, host, pathname } = this.#base;
    const outgoing = (protocol === 'https:' ? https : http).request({
      ...this.certificateCheck,
      ...{ agent: this.#agentOf(program), method, setHost: false },
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? undefined : Number(port),
      path: pathname.replace(/\/$/, '') + path,
      headers: ['host', host, ...headers],
    });
    outgoing.once('socket', (socket) => {
      if (this.#followed.has(socket)) return;
      this.#followed.add(socket);
      socket.once('close', () => {
        if (isIdle()) program.destroySoon();
      });
    });
    return outgoing;
  }

  #agentOf(program: Socket): http.Agent {
    const known = this.#agents.get(program);
    if (known !== undefined) return known;
    const options = { keepAlive: true, maxSockets: 1 };
    const agent =
      this.#base.protocol === 'https:'
        ? new https.Agent({ ...options, ...this.certificateCheck })
        : new http.Agent(options);
    this.#agents.set(program, agent);
    program.once('close', () => agent.destroy());
    return agent;
  }
}
