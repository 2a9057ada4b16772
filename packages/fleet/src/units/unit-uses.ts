import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { mostUsesOfFront } from '../limits.js';
import { within } from '../within.js';

/** Who uses a scanner by the port of the fleet: counts, and what is under way. */
export class UnitUses {
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
  readonly #open = new Set<Duplex | ServerResponse>();
  /** Requests that wait for its start. */
  readonly #waiting = new Set<Promise<void>>();

  /** May nobody else use it now? */
  get isFull(): boolean {
    return this.#open.size >= mostUsesOfFront;
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

  open(one: Duplex | ServerResponse): void {
    this.#open.add(one);
    one.once('close', () => this.#open.delete(one));
  }

  /** @param answered settles when a request has been answered that waits for the start */
  wait(answered: Promise<void>): void {
    const settled = answered.catch(() => undefined).finally(() => this.#waiting.delete(settled));
    this.#waiting.add(settled);
  }

  /** Ends what is open: the scanner goes down. */
  breakOff(): void {
    for (const one of this.#open) one.destroy();
    this.#open.clear();
  }

  /** Was it only read, and not for so many ms? */
  isUnusedFor(milliseconds: number): boolean {
    return !this.#isChanged && this.#open.size === 0 && performance.now() - this.#lastUse >= milliseconds;
  }

  /** Fulfilled when what is being answered has been answered, but after so many ms at the latest. */
  async answered(milliseconds: number): Promise<void> {
    if (this.#waiting.size === 0 && this.#open.size === 0) return;
    await within(milliseconds, this.#allAnswered());
  }

  async #allAnswered(): Promise<void> {
    await Promise.all(this.#waiting);
    const open = [...this.#open].filter((one) => one instanceof ServerResponse);
    await Promise.all(open.map((one) => new Promise<void>((done) => void one.once('close', done))));
  }

  #ownOf(received: number | undefined): number {
    return received === undefined ? 0 : received - this.#passed;
  }
}
