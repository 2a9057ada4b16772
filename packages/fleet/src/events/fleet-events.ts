import type { EventContent, FleetEvent } from './fleet-event.js';
import { type Watched, WatchedScanner } from './watched-scanner.js';

/** ms between two polls of planned faults and unsaved parameters: no scanner announces these. */
const pollInterval = 1000;

type Follower = (event: FleetEvent) => void;

/** Sends the events of a fleet to followers. Without followers, it costs nothing. */
export class FleetEvents {
  readonly #followers = new Set<Follower>();
  readonly #watched = new Map<string, WatchedScanner>();
  #polling: NodeJS.Timeout | undefined;

  /** Number of followers. */
  get followers(): number {
    return this.#followers.size;
  }

  /** Publishes an event of a scanner. */
  publish(scanner: Watched, content: EventContent): void {
    if (this.#followers.size === 0) return;
    const { serial } = scanner.facts;
    this.publishOf(scanner.facts, content);
    if (content.event === 'started') this.#watch(scanner, true);
    else if (content.event === 'power-off' || content.event === 'rests') this.#unwatch(serial);
  }

  /** Publishes an event of a scanner that does not run here. */
  publishOf({ serial, group }: Watched['facts'], content: EventContent): void {
    const event = { time: new Date().toISOString(), serialNumber: serial, group, ...content };
    for (const follower of this.#followers) follower(event);
  }

  /**
   * Calls `follower` with all events from now on.
   * @param scanners those that run
   * @returns a function that stops it
   */
  follow(scanners: Iterable<Watched>, follower: Follower): () => void {
    // A function of its own: the same follower may follow twice.
    const own: Follower = (event) => follower(event);
    this.#followers.add(own);
    if (this.#followers.size === 1) this.#begin(scanners);
    return () => {
      if (this.#followers.delete(own) && this.#followers.size === 0) this.#end();
    };
  }

  #begin(scanners: Iterable<Watched>): void {
    for (const scanner of scanners) this.#watch(scanner, false);
    this.#polling = setInterval(() => {
      for (const scanner of this.#watched.values()) scanner.poll();
    }, pollInterval).unref();
  }

  #end(): void {
    clearInterval(this.#polling);
    for (const serial of [...this.#watched.keys()]) this.#unwatch(serial);
  }

  #watch(scanner: Watched, isFresh: boolean): void {
    const { service, faults } = scanner;
    if (service === undefined || faults === undefined) return;
    const { serial } = scanner.facts;
    this.#unwatch(serial);
    const { device } = service;
    this.#watched.set(
      serial,
      new WatchedScanner({
        device,
        faults,
        isFresh,
        publish: (happening) => this.publish(scanner, happening),
      }),
    );
  }

  #unwatch(serial: string): void {
    this.#watched.get(serial)?.end();
    this.#watched.delete(serial);
  }
}
