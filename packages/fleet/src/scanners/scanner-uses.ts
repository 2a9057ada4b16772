import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { mostUsesOfScanner } from '../limits.js';

/** Responses that wait behind each other on one connection. */
interface Queue {
  readonly responses: Set<ServerResponse>;
  readonly ended: () => void;
}

/** Who uses a scanner by the port of the fleet: counts, and what is under way. */
export class ScannerUses {
  /** Requests by the port of the fleet, since the fleet started. */
  #requests = 0;
  /** Those of them that the service which runs has got. */
  #passed = 0;
  /** Requests by ports of the scanner's own, to services that have ended. */
  #earlierOwn = 0;
  /** ms of the clock of this process. */
  #lastUse = 0;
  /** Has anything but reads been asked of it since it runs? Then it may have a state that is nowhere stored. */
  #isChanged = false;
  /** WebSockets. */
  readonly #sockets = new Set<Socket>();
  /** Responses that are not complete. */
  readonly #responses = new Set<ServerResponse>();
  readonly #queues = new Map<Duplex, Queue>();
  /** Called when all responses are complete. */
  #complete: (() => void)[] = [];
  /** Requests that wait for its start. */
  readonly #waiting = new Set<Promise<void>>();

  /** May nobody else use it now? */
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
   * Requests by all ports, since the fleet started.
   * @param received by the service that runs; undefined if none does
   */
  requests(received: number | undefined): number {
    return this.#requests + this.#earlierOwn + this.#ownOf(received);
  }

  /** A service runs from now on. */
  begin(): void {
    this.#lastUse = performance.now();
    this.#passed = 0;
    this.#isChanged = false;
  }

  /** The service that ran has ended. @param received requests that it has got */
  finish(received: number): void {
    this.#earlierOwn += this.#ownOf(received);
    this.#passed = 0;
  }

  note({ method }: IncomingMessage): void {
    this.#requests++;
    this.#lastUse = performance.now();
    if (method !== 'GET' && method !== 'HEAD') this.#isChanged = true;
  }

  /** The service gets a request that was noted. */
  pass(): void {
    this.#passed++;
  }

  /** It uses the scanner until it is closed. */
  openSocket(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  }

  /** It uses the scanner until it is complete, or its connection has ended. */
  openResponse(response: ServerResponse): void {
    const { socket } = response.req;
    if (socket.destroyed) return;
    let queue = this.#queues.get(socket);
    if (queue === undefined) {
      // Of those that wait behind others, Node closes none when the connection ends.
      queue = { responses: new Set(), ended: () => this.#connectionEnded(socket) };
      this.#queues.set(socket, queue);
      socket.once('close', queue.ended);
    }
    queue.responses.add(response);
    this.#responses.add(response);
    response.once('close', () => this.#close(response, socket));
  }

  /** @param answered settles when a request has been answered that waits for the start */
  wait(answered: Promise<void>): void {
    const settled = answered.catch(() => undefined).finally(() => this.#waiting.delete(settled));
    this.#waiting.add(settled);
  }

  /** Ends what is open: the scanner goes down. */
  breakOff(): void {
    for (const socket of this.#sockets) socket.destroy();
    for (const response of this.#responses) response.destroy();
    for (const socket of [...this.#queues.keys()]) this.#connectionEnded(socket);
  }

  /** Was it only read, and not for so many ms? */
  isUnusedFor(milliseconds: number): boolean {
    const isOpen = this.#sockets.size + this.#responses.size > 0;
    return !this.#isChanged && !isOpen && performance.now() - this.#lastUse >= milliseconds;
  }

  /** Fulfilled when what is being answered has been answered. */
  async answered(): Promise<void> {
    await Promise.all(this.#waiting);
    if (this.#responses.size > 0) await new Promise<void>((done) => void this.#complete.push(done));
  }

  #connectionEnded(socket: Duplex): void {
    const { responses = [] } = this.#queues.get(socket) ?? {};
    for (const response of [...responses]) this.#close(response, socket);
  }

  #close(response: ServerResponse, socket: Duplex): void {
    if (!this.#responses.delete(response)) return;
    const queue = this.#queues.get(socket);
    queue?.responses.delete(response);
    if (queue?.responses.size === 0) {
      socket.off('close', queue.ended);
      this.#queues.delete(socket);
    }
    if (this.#responses.size > 0) return;
    for (const done of this.#complete.splice(0)) done();
  }

  #ownOf(received: number | undefined): number {
    return received === undefined ? 0 : received - this.#passed;
  }
}
