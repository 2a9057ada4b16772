import type { EventCounts } from '../traffic/traffic.js';
import type { Line } from './line.js';
import { Tail } from './tail.js';
import type { Watch } from './watch.js';

/** Announcements, and characters of them, that may wait for a client that reads too slowly. */
const mostWaiting = 1000;
const longestWaiting = 1024 * 1024;

/** A client that watches changes. One that reads too slowly is told how many announcements it has missed. */
export class Watching {
  readonly #line: Line;
  readonly #counts: EventCounts;
  readonly #waiting: Tail[] = [];
  #length = 0;
  #lost = 0;

  constructor(line: Line, watch: Watch, counts: EventCounts) {
    this.#line = line;
    this.#counts = counts;
    const listener = (tail: Tail) => this.#tell(tail);
    line.onDrain(() => this.#empty());
    line.socket.once('close', () => watch.delete(listener));
    // Nothing is to be said here: what comes is read and dropped.
    line.onMessage(() => undefined);
    watch.add(listener);
  }

  #tell(tail: Tail): void {
    if (!this.#line.isFull) this.#send(tail);
    else if (this.#lost > 0 || this.#waiting.length >= mostWaiting || this.#length > longestWaiting) {
      this.#lost++;
      this.#counts.discarded++;
    } else {
      this.#waiting.push(tail);
      this.#length += tail.text.length;
    }
  }

  #send(tail: Tail): void {
    this.#counts.pushed++;
    this.#line.send(tail);
  }

  #empty(): void {
    while (!this.#line.isFull) {
      const tail = this.#waiting.shift();
      if (tail === undefined) break;
      this.#length -= tail.text.length;
      this.#send(tail);
    }
    if (this.#waiting.length > 0 || this.#lost === 0 || this.#line.isFull) return;
    this.#line.send(new Tail(JSON.stringify({ lost: this.#lost })));
    this.#lost = 0;
  }
}
