import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { pathOf, type RequestContext, respondJson } from '@azimuth/http';
import { statuses } from '@azimuth/model';
import type { ScannerService } from '@azimuth/server';
import type { RunningParts } from './scanner-state.js';
import type { ScannerUses } from './scanner-uses.js';

/** Paths of the simulation. */
const simulation = /^\/x\/sim(?:[/?]|$)/;

function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

const api = '/api/';

/** True if a request sends a file that the scanner may take, or removes one. */
function mayChangeFile({ device }: ScannerService, { url = '', method }: IncomingMessage): boolean {
  const path = pathOf(url);
  if (!path.startsWith(api)) return false;
  const file = device.served.files.get(path.slice(api.length));
  return file?.verbs.some((verb) => verb === method) === true;
}

/** The scanner to which requests go. */
export interface Target {
  /** Returns the running scanner; undefined if it does not run. */
  running(): RunningParts | undefined;
  /** Returns the running scanner, and starts it if needed. @throws Error if its power is off, or why it cannot start */
  started(): Promise<RunningParts>;
  /** @throws Error if its power is off */
  assertOn(): void;
}

/** Hands requests at the port of the fleet over to a scanner. If the scanner does not run, it is started. */
export class ScannerRequests {
  readonly #target: Target;
  readonly #uses: ScannerUses;

  constructor(target: Target, uses: ScannerUses) {
    this.#target = target;
    this.#uses = uses;
  }

  /**
   * Responds to a request whose path is the path for the scanner itself. If the scanner runs, it responds at once.
   * @returns a promise if the scanner has to be started. It rejects if its power is off, or if it cannot start
   */
  receive(context: RequestContext, response: ServerResponse): Promise<void> | undefined {
    const run = this.#target.running();
    if (run === undefined) return this.#respondOnceStarted(context, response);
    this.#respond(run, context, response);
    return undefined;
  }

  /**
   * Takes a connection over for a WebSocket.
   * @param refused called if the scanner treats it as a normal request
   * @throws Error if its power is off, or if it cannot start
   */
  async upgrade(context: RequestContext, socket: Duplex, head: Buffer, refused: () => void): Promise<void> {
    const { request } = context;
    const { service, cable } = await this.#target.started();
    // The scanner may have been switched off just after its start.
    this.#target.assertOn();
    const isUpgrade = service.requests.acceptsUpgrade(context);
    // A refused upgrade is handled and counted like any other request.
    if (isUpgrade) this.#uses.record();
    if (!service.serves || this.#uses.isFull) socket.destroy();
    else if (isUpgrade) {
      this.#uses.openSocket(request.socket);
      const open = () => service.requests.upgrade(context, socket, head);
      if (cable.isDown) cable.holdUpgrade(request.socket, open);
      else open();
    } else refused();
  }

  #respondOnceStarted(context: RequestContext, response: ServerResponse): Promise<void> {
    // Later requests of the connection wait. Otherwise they would get their responses first, and this one would wait behind
    // them.
    let act = () => {};
    const release = context.hold(() => act());
    const handled = this.#target
      .started()
      .then((run) => {
        act = () => this.#respond(run, context, response);
      })
      .finally(release);
    this.#uses.wait(handled);
    return handled;
  }

  #respond({ service, cable }: RunningParts, context: RequestContext, response: ServerResponse): void {
    const { request } = context;
    this.#uses.record();
    this.#recordChange(service, request, response);
    // The simulation also acts on a scanner that is down or without its network. Its response continues during a power cycle.
    if (simulation.test(request.url ?? '')) this.#pass(service, context, response);
    // Like a scanner that is down: nothing listens.
    else if (!service.serves) request.socket.destroy();
    else if (this.#uses.isFull) refuse(request, response);
    else if (cable.isDown) {
      this.#uses.openResponse(response);
      cable.holdRequest(response, () => this.#respondHeld(service, context, response));
    } else {
      this.#pass(service, context, response);
      this.#uses.openResponse(response);
    }
  }

  /**
   * Records what the scanner does not know itself (`ScannerService.keep`): a command of the simulation, or a file that it has
   * taken. Refused files leave nothing: otherwise, anybody could keep all scanners running.
   */
  #recordChange(service: ScannerService, request: IncomingMessage, response: ServerResponse): void {
    if (isRead(request)) return;
    if (simulation.test(pathOf(request.url ?? ''))) this.#uses.change();
    else if (mayChangeFile(service, request)) this.#uses.changeUnlessRefused(response);
  }

  #respondHeld(service: ScannerService, context: RequestContext, response: ServerResponse): void {
    if (service.serves && !response.destroyed) this.#pass(service, context, response);
    else context.request.socket.destroy();
  }

  #pass(service: ScannerService, context: RequestContext, response: ServerResponse): void {
    this.#uses.pass();
    service.requests.receive(context, response);
  }
}

function refuse(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  response.setHeader('Retry-After', 1);
  const { code, message } = statuses.outOfConnections;
  respondJson(response, 503, { header: { status: code, message } });
}
