import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Device } from '@azimuth/device';
import type { Variable } from '@azimuth/model';
import { type WebSocket, WebSocketServer } from 'ws';
import type { EventCounts, Traffic } from '../metrics/traffic.js';
import { EventConnection } from './event-connection.js';
import { eventsPath, watchPath } from './event-desk.js';
import { Feeds } from './feeds.js';
import { Line } from './line.js';
import { RollCall } from './roll-call.js';
import { named, Watch } from './watch.js';
import { Watching } from './watching.js';

/** RFC 6455; those before were drafts. */
const version = '13';

/** Bytes of one message of a client. */
const longestMessage = 64 * 1024;

const compression = {
  // Each message by itself: no memory for each connection, and one compressed message for all of them.
  serverNoContextTakeover: true,
  clientNoContextTakeover: true,
  // Clients send little: this is what unpacking holds for each of them.
  zlibInflateOptions: { chunkSize: 1024 },
};

/** Serves WebSockets: events as the specification has them, and every change beside them. */
export class EventServer {
  readonly #device: Device;
  readonly #traffic: Traffic;
  readonly #counts: EventCounts;
  readonly #strict: boolean;
  readonly #feeds: Feeds;
  readonly #rollCall = new RollCall();
  readonly #watches = new Map<string, Watch>();
  /** The answers to offers of compression. */
  readonly #agreed = new WeakMap<IncomingMessage, string>();
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: longestMessage,
    perMessageDeflate: compression,
  });

  constructor(device: Device, traffic: Traffic, strict: boolean) {
    this.#device = device;
    this.#traffic = traffic;
    this.#counts = traffic.events;
    this.#strict = strict;
    this.#feeds = new Feeds(device);
    this.#server.on('headers', (lines, request) => {
      const [agreed] = lines.filter((line) => line.startsWith('Sec-WebSocket-Extensions:'));
      if (agreed !== undefined) this.#agreed.set(request, agreed);
    });
  }

  /** A client that registers for events. */
  register(request: IncomingMessage, head: Buffer): void {
    this.#open(eventsPath, request, head, (line) => {
      new EventConnection({
        device: this.#device,
        feeds: this.#feeds,
        line,
        counts: this.#counts,
        strict: this.#strict,
      });
    });
  }

  /** A client that watches the variables that `names` in the query of its address names, or all. */
  watch(request: IncomingMessage, head: Buffer): void {
    const [, query = ''] = /\?(.*)$/s.exec(request.url ?? '') ?? [];
    const names = (new URLSearchParams(query).get('names') ?? '').split(',').filter((name) => name !== '');
    const unknown = names.filter((name) => named(this.#device, name) === undefined);
    if (unknown.length > 0) {
      const shown = encodeURIComponent(unknown.join(', ')).slice(0, 200);
      refuse(request.socket, 400, 'Bad Request', `No variable here is named ${shown}`);
      return;
    }
    this.#open(watchPath, request, head, (line) => {
      new Watching(line, this.#watchOf(line, names), this.#counts);
    });
  }

  #open(path: string, request: IncomingMessage, head: Buffer, serve: (line: Line) => void): void {
    if (isForeign(request)) {
      refuse(request.socket, 403, 'Forbidden', 'Pages of other origins are not served');
      return;
    }
    if (request.headers['sec-websocket-version'] !== version) {
      refuse(request.socket, 426, 'Upgrade Required', `Version ${version} of WebSocket is spoken here`, [
        'Upgrade: websocket',
        `Sec-WebSocket-Version: ${version}`,
      ]);
      return;
    }
    this.#server.handleUpgrade(request, request.socket, head, (socket) => {
      this.#traffic.sent(path, 101);
      this.#count(socket);
      this.#rollCall.add(socket);
      serve(new Line(socket, request.socket, windowBits(this.#agreed.get(request))));
    });
  }

  #count(socket: WebSocket): void {
    this.#counts.connections++;
    socket.once('close', () => {
      this.#counts.connections--;
    });
  }

  #watchOf(line: Line, names: readonly string[]): Watch {
    const key = [...new Set(names)].sort().join();
    const watch = this.#watches.get(key) ?? new Watch(this.#device, this.#variables(names));
    this.#watches.set(key, watch);
    // Before its own listener there: when the last one goes, it is still needed.
    line.socket.once('close', () => {
      setImmediate(() => {
        if (watch.isIdle && this.#watches.get(key) === watch) this.#watches.delete(key);
      });
    });
    return watch;
  }

  #variables(names: readonly string[]): ReadonlySet<Variable<unknown>> | undefined {
    if (names.length === 0) return undefined;
    return new Set(names.flatMap((name) => named(this.#device, name) ?? []));
  }
}

/** The window for what we send, in bits; undefined where no compression was agreed on. */
function windowBits(agreed: string | undefined): number | undefined {
  if (agreed === undefined) return undefined;
  const [, bits] = /server_max_window_bits="?(\d+)/.exec(agreed) ?? [];
  return bits === undefined ? 15 : Number(bits);
}

/** Browsers ask nobody before a page opens a WebSocket to another place; what such a page can read is its own. */
function isForeign({ headers }: IncomingMessage): boolean {
  const { origin, host = '' } = headers;
  if (origin === undefined) return false;
  if (!URL.canParse(origin)) return true;
  const { protocol, host: itsHost } = new URL(origin);
  const ours = `${protocol}//${host}`;
  // Parsed as well, as an origin leaves a usual port out.
  return itsHost === '' || !URL.canParse(ours) || new URL(ours).host !== itsHost;
}

function refuse(
  socket: Socket,
  code: number,
  reason: string,
  text: string,
  headers: readonly string[] = [],
): void {
  socket.on('error', () => socket.destroy());
  const lines = [
    `HTTP/1.1 ${code} ${reason}`,
    'Connection: close',
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${text.length + 1}`,
    ...headers,
  ];
  socket.once('finish', () => socket.destroy());
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}\n`);
}
