import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RequestContext, respondJson } from '@azimuth/http';
import { statuses } from '@azimuth/model';
import type { ScannerService } from '@azimuth/server';
import type { Run } from './scanner-state.js';
import type { ScannerUses } from './scanner-uses.js';

/** What is asked of the simulation. */
const simulation = /^\/x\/sim(?:[/?]|$)/;

/** The scanner to which requests go. */
interface Target {
  /** What runs of it; undefined if nothing does. */
  running(): Run | undefined;
  /** The same, started if need be. @throws Error if its power is off, or why it cannot start */
  started(): Promise<Run>;
  /** @throws Error if its power is off */
  assertOn(): void;
}

/** Hands requests that come by the port of the fleet over to a scanner, which is started if it does not run. */
export class ScannerRequests {
  readonly #target: Target;
  readonly #uses: ScannerUses;

  constructor(target: Target, uses: ScannerUses) {
    this.#target = target;
    this.#uses = uses;
  }

  /**
   * Answers a request whose path is that of the scanner, at once if it runs.
   * @returns a promise if it has to be started. It rejects if its power is off, or if it cannot start
   */
  receive(context: RequestContext, response: ServerResponse): Promise<void> | undefined {
    const run = this.#target.running();
    if (run === undefined) return this.#answerOnceStarted(context, response);
    this.#answer(run, context, response);
    return undefined;
  }

  /**
   * Takes a connection over for a WebSocket.
   * @param refused is called if the scanner answers it as any other request
   * @throws Error if its power is off, or if it cannot start
   */
  async upgrade(context: RequestContext, socket: Duplex, head: Buffer, refused: () => void): Promise<void> {
    const { request } = context;
    const { service, connections } = await this.#target.started();
    // It may have been switched off as soon as it had started.
    this.#target.assertOn();
    const isUpgrade = service.requests.acceptsUpgrade(context);
    // What is refused is answered, and counted, as any other request.
    if (isUpgrade) this.#uses.note(request);
    if (!service.serves || this.#uses.isFull) socket.destroy();
    else if (isUpgrade) {
      this.#uses.openSocket(request.socket);
      const open = () => service.requests.upgrade(context, socket, head);
      if (connections.isDown) connections.holdUpgrade(request.socket, open);
      else open();
    } else refused();
  }

  #answerOnceStarted(context: RequestContext, response: ServerResponse): Promise<void> {
    // Later requests of the connection wait. Else they would be answered first, and this one would wait behind them.
    let act = () => {};
    const release = context.hold(() => act());
    const answered = this.#target
      .started()
      .then((run) => {
        act = () => this.#answer(run, context, response);
      })
      .finally(release);
    this.#uses.wait(answered);
    return answered;
  }

  #answer({ service, connections }: Run, context: RequestContext, response: ServerResponse): void {
    const { request } = context;
    this.#uses.note(request);
    // The simulation acts on a scanner that is down or without its network, and its answer outlives a power cycle.
    if (simulation.test(request.url ?? '')) this.#pass(service, context, response);
    // As a scanner that is down: nobody listens.
    else if (!service.serves) request.socket.destroy();
    else if (this.#uses.isFull) refuse(request, response);
    else if (connections.isDown) {
      this.#uses.openResponse(response);
      connections.holdRequest(response, () => this.#answerHeld(service, context, response));
    } else {
      this.#pass(service, context, response);
      // Reads are answered by now.
      if (!response.writableEnded) this.#uses.openResponse(response);
    }
  }

  #answerHeld(service: ScannerService, context: RequestContext, response: ServerResponse): void {
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
