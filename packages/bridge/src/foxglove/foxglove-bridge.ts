import { randomUUID } from 'node:crypto';
import { isFromThisComputer, type RequestContext } from '@azimuth/http';
import type { WebSocket } from 'ws';
import type { BridgedScanner } from '../scanners/bridged-scanner.js';
import { type BridgeChannel, type BridgeChannels, bridgeChannels } from './bridge-channels.js';
import { FoxglovePort, type FoxglovePortOptions } from './foxglove-port.js';
import { logLevel } from './log-messages.js';
import { ParameterRequests } from './parameter-requests.js';
import { Problems } from './problems.js';
import { FoxgloveServer, messageData, ServerCapability, StatusLevel } from './protocol.js';
import { ScannerParameters } from './scanner-parameters.js';
import { Viewer, type ViewerHooks } from './viewer.js';
import type { Subscription, ViewerMessage } from './viewer-message.js';

export interface FoxgloveBridgeOptions
  extends Pick<FoxglovePortOptions, 'host' | 'port' | 'allowedHosts' | 'allowedOrigins'> {
  readonly scanners: readonly BridgedScanner[];
  /**
   * True if viewers on other computers and pages of allowed origins may set parameters, too. They need a login of the bridge
   * in any case.
   */
  readonly remoteWrites: boolean;
  /** Gets a line for each thing that happens, for the person at the terminal. */
  readonly onLine: (line: string) => void;
}

/** Scanners for Foxglove and other viewers that speak its WebSocket protocol. */
export class FoxgloveBridge {
  readonly #options: FoxgloveBridgeOptions;
  readonly #server = new FoxgloveServer({
    name: 'Azimuth',
    capabilities: [
      ServerCapability.parameters,
      ServerCapability.parametersSubscribe,
      ServerCapability.connectionGraph,
    ],
    supportedEncodings: [],
    // Viewers see that it is another bridge, and forget what they had subscribed to.
    sessionId: randomUUID(),
  });
  readonly #port: FoxglovePort;
  readonly #viewers = new Set<Viewer>();
  readonly #writers = new WeakSet<Viewer>();
  readonly #channels: BridgeChannels;
  readonly #byId = new Map<number, BridgeChannel>();
  readonly #ids = new Map<BridgeChannel, number>();
  /** Ends what channels with subscribers do, by their numbers. */
  readonly #working = new Map<number, () => void>();
  /** The last messages of channels whose last message counts. */
  readonly #states = new Map<number, Map<string, { readonly time: number; readonly data: Uint8Array }>>();
  readonly #problems: Problems;
  readonly #parameters: readonly ScannerParameters[];
  readonly #requests: ParameterRequests;

  constructor(options: FoxgloveBridgeOptions) {
    this.#options = options;
    this.#problems = new Problems({
      begins: (problem) => {
        options.onLine(problem.message);
        this.#channels.log('bridge', { level: logLevel.warning, message: problem.message });
        for (const viewer of this.#viewers) this.#server.sendStatus(problem, viewer);
      },
      ends: (id) => this.#server.removeStatus([id]),
    });
    this.#channels = bridgeChannels(options.scanners, this.#problems, (...message) => this.#send(...message));
    this.#parameters = options.scanners.map(
      (scanner) =>
        new ScannerParameters({
          scanner,
          onChanged: (parameters) => this.#requests.changed(parameters),
          onState: (failure) =>
            this.#problems.set(
              `${scanner.title} parameters`,
              failure === undefined ? undefined : `${scanner.title}: changes are not noticed: ${failure}`,
            ),
        }),
    );
    this.#requests = new ParameterRequests(this.#parameters, {
      values: (viewer, parameters, id) => this.#server.publishParameterValues([...parameters], id, viewer),
      refused: (viewer, message) => this.#server.sendStatus({ level: StatusLevel.ERROR, message }, viewer),
    });
    this.#port = new FoxglovePort({
      ...options,
      onViewer: (socket, address, context) => this.#add(socket, address, context),
      onRefused: options.onLine,
    });
    this.#advertise();
    this.#handle();
  }

  /** Opens the port. @returns its URL @throws PortTaken */
  open(): Promise<string> {
    return this.#port.open();
  }

  /** Closes the port and ends everything: settings of scanners are as before when it resolves. */
  async close(): Promise<void> {
    for (const viewer of this.#viewers) viewer.close(goingAway, 'the bridge ends');
    await Promise.all([this.#channels.close(), ...this.#parameters.map((parameters) => parameters.close())]);
    this.#port.close();
  }

  /** Number of viewers. */
  get viewers(): number {
    return this.#viewers.size;
  }

  #advertise(): void {
    for (const channel of this.#channels.channels) {
      const id = this.#server.addChannel(channel.facts);
      this.#byId.set(id, channel);
      this.#ids.set(channel, id);
    }
  }

  #handle(): void {
    const server = this.#server;
    server.on('subscribe', (id) => {
      const channel = this.#byId.get(id);
      if (channel?.isFollowed?.() === false) this.#states.delete(id);
      if (channel !== undefined) this.#working.set(id, channel.want());
      this.#tellGraph();
    });
    server.on('unsubscribe', (id) => {
      this.#working.get(id)?.();
      this.#working.delete(id);
      this.#tellGraph();
    });
    server.on('getParameters', (request, connection) => {
      if (connection instanceof Viewer) void this.#requests.get(connection, request);
    });
    server.on('setParameters', (request, connection) => {
      if (connection instanceof Viewer)
        void this.#requests.set(connection, request, this.#writers.has(connection));
    });
  }

  #add(socket: WebSocket, address: string, context: RequestContext): void {
    const viewer = new Viewer(address, socket, this.#hooks);
    this.#viewers.add(viewer);
    if (this.#options.remoteWrites || isFromThisComputer(context)) this.#writers.add(viewer);
    this.#server.handleConnection(viewer, address);
    for (const problem of this.#problems.all) this.#server.sendStatus(problem, viewer);
    this.#options.onLine(`${address} watches (${socket.protocol})`);
  }

  readonly #hooks: ViewerHooks = {
    keeps: (id) => this.#byId.get(id)?.isKept === true,
    received: (viewer, message) => this.#received(viewer, message),
    subscribed: (viewer, subscriptions) => this.#sendStates(viewer, subscriptions),
    wrong: (viewer, message) => this.#server.sendStatus({ level: StatusLevel.ERROR, message }, viewer),
    closed: (viewer, why) => {
      this.#viewers.delete(viewer);
      this.#requests.left(viewer);
      const dropped = viewer.dropped > 0 ? `; it was too slow for ${viewer.dropped} messages` : '';
      this.#options.onLine(`${viewer.address} has left (${why})${dropped}`);
    },
  };

  /** Handles messages that the library does not. */
  #received(viewer: Viewer, { op }: ViewerMessage): boolean {
    switch (op) {
      case 'subscribeParameterUpdates':
      case 'unsubscribeParameterUpdates':
        this.#requests.followed(viewer);
        return false;
      case 'subscribeConnectionGraph':
        viewer.followsGraph = true;
        viewer.send(this.#graph());
        return false;
      case 'unsubscribeConnectionGraph':
        viewer.followsGraph = false;
        return false;
      default:
        return true;
    }
  }

  #send(channel: BridgeChannel, time: number, data: Uint8Array, key = ''): void {
    const id = this.#ids.get(channel);
    if (id === undefined) return;
    if (channel.isFollowed !== undefined) {
      const states = this.#states.get(id) ?? new Map();
      this.#states.set(id, states.set(key, { time, data }));
    }
    this.#sendBytes(id, time, data);
  }

  /** Sends states to a viewer that has just subscribed, and to nobody else: others could be slow. */
  #sendStates(viewer: Viewer, subscriptions: readonly Subscription[]): void {
    for (const { id, channelId } of subscriptions)
      for (const { time, data } of this.#states.get(channelId)?.values() ?? [])
        viewer.send(messageData(id, nanoseconds(time), data));
  }

  /** Sends a copy: the library takes no bytes that threads may share, and the types of ours do not exclude that. */
  #sendBytes(channel: number, time: number, data: Uint8Array): void {
    this.#server.sendMessage(channel, nanoseconds(time), data.slice());
  }

  #tellGraph(): void {
    for (const viewer of this.#viewers) if (viewer.followsGraph) viewer.send(this.#graph());
  }

  /** Which topics there are, and which are watched. */
  #graph(): string {
    const topics = [...this.#byId];
    return JSON.stringify({
      op: 'connectionGraphUpdate',
      publishedTopics: topics.map(([, { facts }]) => ({ name: facts.topic, publisherIds: ['azimuth'] })),
      subscribedTopics: topics
        .filter(([id]) => this.#working.has(id))
        .map(([, { facts }]) => ({ name: facts.topic, subscriberIds: ['viewers'] })),
      advertisedServices: [],
      removedTopics: [],
      removedServices: [],
    });
  }
}

/** Code of the WebSocket for a server that ends (RFC 6455, 7.4.1). */
const goingAway = 1001;

function nanoseconds(microseconds: number): bigint {
  return BigInt(Math.round(microseconds)) * 1000n;
}
