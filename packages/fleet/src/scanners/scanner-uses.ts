import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { mostUsesOfScanner } from '../limits.js';

/** Responses that wait behind each other on one connection. */
interface Queue {
  readonly responses: Set<ServerResponse>;
  readonly ended: () => void;
}

/** Counts the uses of a scanner at the port of the fleet, and knows the running ones. */
export class ScannerUses {
  /** Requests at the port of the fleet, since the fleet started. */
  #requests = 0;
  /** Number of these requests that the running service has got. */
  #passed = 0;
  /** Requests at ports of the scanner's own, to services that have ended. */
  #earlierOwn = 0;
  /** Time of the last use: ms of the clock of this process. */
  #lastUse = 0;
  /** True if a request since its start may have left something that only the running scanner knows. */
  #isChanged = false;
  #wasChanged = false;
  /** WebSockets. */
  readonly #sockets = new Set<Socket>();
  /** Responses that are not complete. */
  readonly #responses = new Set<ServerResponse>();
  /** Responses that tell whether their requests were refused. */
  readonly #undecided = new WeakSet<ServerResponse>();
  readonly #queues = new Map<Duplex, Queue>();
  /** Called when all responses are complete. */
  #complete: (() => void)[] = [];
  /** Requests that wait for its start. */
  readonly #waiting = new Set<Promise<void>>();

  /** True if no more uses are allowed now. */
  get isFull(): boolean {
    return this.#sockets.size + this.#responses.size >= mostUsesOfScanner;
  }

  /** Connections of WebSockets. */
  get sockets(): Iterable<Socket> {
    return this.#sockets;
  }

  /** Responses that are not complete. */
  get responses(): Iterable<ServerResponse> {
    return this.#responses;
  }

  /**
   * Returns the requests at all ports, since the fleet started.
   * @param received by the running service; undefined if none runs
   */
  requests(received: number | undefined): number {
    return this.#requests + this.#earlierOwn + this.#ownOf(received);
  }

  /** True if there was such a request since the fleet started, also before a power cycle. */
  get wasChanged(): boolean {
    return this.#wasChanged;
  }

  /** Called when a service starts. */
  begin(): void {
    this.#lastUse = performance.now();
    this.#passed = 0;
    this.#isChanged = false;
  }

  /** Called when the service has ended. @param received number of requests that it has got */
  finish(received: number): void {
    this.#earlierOwn += this.#ownOf(received);
    this.#passed = 0;
  }

  /** Records a request. */
  record(): void {
    this.#requests++;
    this.#lastUse = performance.now();
  }

  /** Records that a request may have left something that only the running scanner knows. */
  change(): void {
    this.#isChanged = true;
    this.#wasChanged = true;
  }

  /** Records the same when a response is complete, or broken off, unless it is a refusal. Call `openResponse` then. */
  changeUnlessRefused(response: ServerResponse): void {
    this.#undecided.add(response);
  }

  /** Called when the service gets a recorded request. */
  pass(): void {
    this.#passed++;
  }

  /** Records a WebSocket. It uses the scanner until it is closed. */
  openSocket(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  }

  /** Records a response. It uses the scanner until it is complete, or its connection has ended. */
  openResponse(response: ServerResponse): void {
    const { socket } = response.req;
    // The response to a read has already ended.
    if (socket.destroyed || response.writableEnded) {
      this.#decide(response);
      return;
    }
    let queue = this.#queues.get(socket);
    if (queue === undefined) {
      // Node does not close responses that wait behind others when the connection ends.
      queue = { responses: new Set(), ended: () => this.#connectionEnded(socket) };
      this.#queues.set(socket, queue);
      socket.once('close', queue.ended);
    }
    queue.responses.add(response);
    this.#responses.add(response);
    response.once('close', () => this.#close(response, socket));
  }

  /** Records a request that waits for the start. @param response settles when it has its response */
  wait(response: Promise<void>): void {
    const waiting = response.catch(() => undefined).finally(() => this.#waiting.delete(waiting));
    this.#waiting.add(waiting);
  }

  /** Ends all connections: the scanner goes down. */
  breakOff(): void {
    for (const socket of this.#sockets) socket.destroy();
    for (const response of this.#responses) response.destroy();
    for (const socket of [...this.#queues.keys()]) this.#connectionEnded(socket);
  }

  /** True if nobody uses it, and nobody has for this many ms. */
  isUnusedFor(milliseconds: number): boolean {
    const isOpen = this.#sockets.size + this.#responses.size > 0;
    return !this.#isChanged && !isOpen && performance.now() - this.#lastUse >= milliseconds;
  }

  /** Fulfilled when all running requests have their responses. */
  async responded(): Promise<void> {
    await Promise.all(this.#waiting);
    if (this.#responses.size > 0) await new Promise<void>((done) => void this.#complete.push(done));
  }

  #connectionEnded(socket: Duplex): void {
    const { responses = [] } = this.#queues.get(socket) ?? {};
    for (const response of [...responses]) this.#close(response, socket);
  }

  #close(response: ServerResponse, socket: Duplex): void {
    if (!this.#responses.delete(response)) return;
    this.#decide(response);
    const queue = this.#queues.get(socket);
    queue?.responses.delete(response);
    if (queue?.responses.size === 0) {
      socket.off('close', queue.ended);
      this.#queues.delete(socket);
    }
    if (this.#responses.size > 0) return;
    for (const done of this.#complete.splice(0)) done();
  }

  #decide(response: ServerResponse): void {
    const isRefused = response.writableEnded && response.statusCode >= 400;
    if (this.#undecided.delete(response) && !isRefused) this.change();
  }

  #ownOf(received: number | undefined): number {
    return received === undefined ? 0 : received - this.#passed;
  }
}
