import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Device } from '@azimuth/device';
import type { Faults } from '@azimuth/device/faults';
import type { Journal } from '@azimuth/device/journal';
import { containErrors, dropAfterViolation, pathOf, refuseUpgrade, type Traffic } from '@azimuth/http';
import { changesPath, eventsPath, eventsSince, isFrom, scanPath } from '@azimuth/model';
import { type PerMessageDeflateOptions, type WebSocket, WebSocketServer } from 'ws';
import { clientIn } from '../rest/journal-note.js';
import { ClientConnection, Heartbeat } from './client-connection.js';
import type { EventMetrics } from './event-metrics.js';
import { eventPathOf } from './faulty-messages.js';
import { longestMessageBytes, mostFragments } from './limits.js';
import { LiveScans } from './live-scan.js';
import { RegistrationNotes } from './registration-notes.js';
import { Feeds } from './registrations.js';
import { Subscriber } from './subscriber.js';
import { Watcher, Watches } from './watches.js';

/** Second path on which clients may register for events. */
const eventsPathUnderApi = `/api${eventsPath}`;

/** Returns true if the release of this scanner has events. */
export function hasEvents({ served }: Device): boolean {
  return isFrom(served.edition.release, eventsSince);
}

/** The version of RFC 6455. Earlier ones were drafts. */
const version = '13';

const compression = {
  // Compression of each message on its own, however short: a client that offers compression may rely on it.
  threshold: 0,
  serverNoContextTakeover: true,
  clientNoContextTakeover: true,
  // Memory for decompression of each connection: clients send little.
  zlibInflateOptions: { chunkSize: 1024 },
  // Window for compression of each connection: 8 KiB of memory, instead of 144 KiB with a 15-bit window. Messages are
  // small.
  zlibDeflateOptions: { chunkSize: 1024, memLevel: 3 },
  serverMaxWindowBits: 10,
};

/** Options for clients that accept only a smaller window: `ws` would refuse them otherwise. */
const compressionWithOfferedWindow = { ...compression, serverMaxWindowBits: undefined };
const smallerWindow = /server_max_window_bits\s*=\s*"?[89]\b/;

interface Observers {
  /** Planned faults; undefined for a scanner that has none. */
  readonly faults?: Faults | undefined;
  /** Receives registrations; undefined if nobody keeps them. */
  readonly journal?: Journal | undefined;
}

interface EventOptions {
  readonly strictEvents?: boolean | undefined;
  readonly compressEvents?: boolean | undefined;
  /** True if only the events of the specification are served. */
  readonly asDevice?: boolean | undefined;
}

/** Paths of WebSockets that devices do not have. */
export const ownSocketPaths: readonly string[] = [changesPath, scanPath];

/** Serves WebSockets: the events of the specification, and in addition every change of every variable, and live scans. */
export class EventServer {
  readonly #device: Device;
  readonly #traffic: Traffic;
  readonly #metrics: EventMetrics;
  readonly #strict: boolean;
  readonly #compresses: boolean;
  readonly #ownPaths: readonly string[];
  readonly #faults: Faults | undefined;
  readonly #journal: Journal | undefined;
  readonly #feeds: Feeds;
  readonly #heartbeat: Heartbeat;
  readonly #watches: Watches;
  readonly #scans: LiveScans;
  readonly #server: WebSocketServer;
  readonly #serverWithOfferedWindow: WebSocketServer;
  readonly #serverUncompressed: WebSocketServer;

  /**
   * @param options limits of clients as on devices (--strict-events); compression of events; paths as on devices
   */
  constructor(
    device: Device,
    traffic: Traffic,
    metrics: EventMetrics,
    { strictEvents = false, compressEvents = true, asDevice = false }: EventOptions,
    { faults, journal }: Observers = {},
  ) {
    this.#faults = faults;
    this.#journal = journal;
    this.#device = device;
    this.#traffic = traffic;
    this.#metrics = metrics;
    this.#strict = strictEvents;
    this.#ownPaths = asDevice ? [] : ownSocketPaths;
    // Needed by a client that is limited as by devices.
    this.#compresses = compressEvents || strictEvents;
    this.#feeds = new Feeds(device);
    this.#watches = new Watches(device);
    this.#scans = new LiveScans(device, metrics.liveScans);
    this.#heartbeat = new Heartbeat((call) => device.errors.contain('events', call));
    this.#server = this.#serverWith(compression);
    this.#serverWithOfferedWindow = this.#serverWith(compressionWithOfferedWindow);
    this.#serverUncompressed = this.#serverWith(false);
  }

  #serverWith(perMessageDeflate: PerMessageDeflateOptions | false): WebSocketServer {
    const server = containErrors(
      new WebSocketServer({
        noServer: true,
        clientTracking: false,
        maxPayload: longestMessageBytes,
        maxFragments: mostFragments,
        // Refuses subprotocols, because there are none. Without this, ws would accept the first one that is offered.
        handleProtocols: () => false,
        perMessageDeflate,
      }),
      (error) => this.#device.errors.report('events', error),
    );
    server.on('wsClientError', ({ message }, socket, request) => {
      const path = pathOf(request.url ?? '');
      const counted = path === changesPath || path === scanPath ? path : eventsPath;
      this.#refuse(counted, socket, 400, message);
    });
    return server;
  }

  /** Returns true if WebSockets are served at this path. */
  isAt(path: string): boolean {
    return (
      this.#ownPaths.includes(path) ||
      ((path === eventsPath || path === eventsPathUnderApi) && hasEvents(this.#device))
    );
  }

  /** Takes over a connection at a path for which `isAt` is true. @param head bytes that followed the request */
  accept(request: IncomingMessage, head: Buffer): void {
    const path = pathOf(request.url ?? '');
    if (path === changesPath) this.#watch(request, head);
    else if (path === scanPath)
      this.#open(path, request, head, (connection) => {
        this.#noted(path, request)?.watched(['scan']);
        this.#scans.watch(connection);
      });
    else this.#register(request, head);
  }

  /** Handles a client that registers for events. */
  #register(request: IncomingMessage, head: Buffer): void {
    this.#open(eventsPath, request, head, (connection) => {
      new Subscriber({
        device: this.#device,
        feeds: this.#feeds,
        connection,
        counts: this.#metrics.events,
        strict: this.#strict,
        registered: this.#noted(eventsPath, request)?.registered,
      });
    });
  }

  /** Handles a client that watches the variables in the query parameter `names`, or all variables without it. */
  #watch(request: IncomingMessage, head: Buffer): void {
    const [, query = ''] = /\?(.*)$/s.exec(request.url ?? '') ?? [];
    const names = (new URLSearchParams(query).get('names') ?? '').split(',').filter((name) => name !== '');
    const unknown = this.#watches.unknown(names);
    if (unknown.length > 0) {
      const text = `No variable here is named ${encodeURIComponent(unknown.join(', ')).slice(0, 200)}`;
      this.#refuse(changesPath, request.socket, 400, text);
      return;
    }
    this.#open(changesPath, request, head, (connection) => {
      this.#noted(changesPath, request)?.watched(names.length === 0 ? ['*'] : names);
      new Watcher(connection, this.#watches.of(names), this.#metrics.events);
    });
  }

  #noted(path: string, { socket }: IncomingMessage): RegistrationNotes | undefined {
    return this.#journal && new RegistrationNotes(this.#journal, path, clientIn(socket));
  }

  #open(
    path: string,
    request: IncomingMessage,
    head: Buffer,
    serve: (connection: ClientConnection) => void,
  ): void {
    if (request.headers['sec-websocket-version'] !== version) {
      const text = `only WebSocket version ${version} is supported`;
      const headers = ['Upgrade', 'websocket', 'Sec-WebSocket-Version', version];
      this.#refuse(path, request.socket, 426, text, headers);
      return;
    }
    const { clock, errors, hardware } = this.#device;
    const failed = (error: unknown) => {
      errors.report('events', error);
      request.socket.destroy();
    };
    this.#serverFor(path, request).handleUpgrade(
      request,
      containErrors(request.socket, failed),
      head,
      (socket) => {
        containErrors(socket, failed);
        dropAfterViolation(socket);
        this.#traffic.countPage(path, 101);
        this.#count(socket);
        this.#heartbeat.add(socket);
        const faults = this.#faults && { path: eventPathOf(path), faults: this.#faults, clock };
        serve(new ClientConnection(socket, request.socket, hardware.log, this.#metrics.unsent, faults));
      },
    );
  }

  /** Compression of scans would take more time than it saves. */
  #serverFor(path: string, { headers }: IncomingMessage): WebSocketServer {
    if (path === scanPath || !this.#compresses) return this.#serverUncompressed;
    const offer = validOffers(headers['sec-websocket-extensions'] ?? '');
    if (offer === undefined) return this.#serverUncompressed;
    headers['sec-websocket-extensions'] = offer;
    return smallerWindow.test(offer) ? this.#serverWithOfferedWindow : this.#server;
  }

  #count(socket: WebSocket): void {
    this.#metrics.events.connections++;
    socket.once('close', () => {
      this.#metrics.events.connections--;
    });
  }

  #refuse(path: string, socket: Duplex, httpStatus: number, why: string, headers?: readonly string[]): void {
    this.#traffic.countPage(path, httpStatus);
    refuseUpgrade(socket, httpStatus, why, headers);
  }
}

const compressionName = 'permessage-deflate';

/** Window bits: 8 to 15, also as a quoted text. */
const bits = '(?:(?:8|9|1[0-5])|"(?:8|9|1[0-5])")';

/** Parameters of an offer (RFC 7692, §7.1), each with the values that it may have. */
const parameters: readonly RegExp[] = [
  /^server_no_context_takeover$/i,
  /^client_no_context_takeover$/i,
  new RegExp(`^server_max_window_bits\\s*=\\s*${bits}$`, 'i'),
  new RegExp(`^client_max_window_bits(?:\\s*=\\s*${bits})?$`, 'i'),
];

/**
 * Returns the valid offers of compression in a header Sec-WebSocket-Extensions. An invalid offer, or an unknown
 * extension, is declined, and the connection goes on without it (RFC 7692, §7.1). The library would refuse the complete
 * handshake.
 * @returns the header with the valid offers only; undefined if there are none
 */
function validOffers(header: string): string | undefined {
  const valid = header
    .split(',')
    .map((offer) => offer.trim())
    .filter(isValid);
  return valid.length === 0 ? undefined : valid.join(', ');
}

function isValid(offer: string): boolean {
  const [name = '', ...given] = offer.split(';').map((part) => part.trim());
  if (name.toLowerCase() !== compressionName) return false;
  const kinds = given.map((parameter) => parameters.findIndex((form) => form.test(parameter)));
  // Returns true if each parameter is known, has a valid value, and occurs once.
  return !kinds.includes(-1) && new Set(kinds).size === kinds.length;
}
