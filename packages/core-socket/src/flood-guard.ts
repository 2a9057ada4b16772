import type { Clock, ScanGeometry } from '@azimuth/device';
import { flood } from './limits.js';
import { segmentAt, segmentLayout } from './protocol/layout.js';

interface Allowance {
  readonly bytes: number;
  readonly messages: number;
}

/** ms for which the allowance holds. */
const period = 1000;

/** Counts what a core sends. It may send several times as many scans as ordered, and some other messages. */
export class FloodGuard {
  readonly #clock: Clock;
  #allowance: Allowance = flood;
  #since = Number.NEGATIVE_INFINITY;
  #bytes = 0;
  #messages = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A core that still measures by the order before is not a flood: the larger allowance holds. */
  ordered({ beams, frequency }: ScanGeometry): void {
    // A core may send each beam as a segment of its own.
    const messages = flood.messages + flood.scans * frequency * Math.min(beams, mostSegments);
    const headers = segmentAt.distances * Math.min(beams, mostSegments);
    const bytes = flood.bytes + flood.scans * frequency * (segmentLayout(beams).bytes + headers);
    this.#allowance = {
      bytes: Math.max(bytes, this.#allowance.bytes),
      messages: Math.max(messages, this.#allowance.messages),
    };
  }

  /** Counts received bytes. Returns false if there are too many. */
  admitBytes(count: number): boolean {
    const now = this.#clock.monotonic();
    if (now - this.#since >= period) {
      this.#since = now;
      this.#bytes = 0;
      this.#messages = 0;
    }
    this.#bytes += count;
    return this.#bytes <= this.#allowance.bytes;
  }

  /** Counts a message. Returns false if there are too many. */
  admitMessage(): boolean {
    this.#messages += 1;
    return this.#messages <= this.#allowance.messages;
  }
}

/** Segments of a scan that are sensible: each is one datagram. */
const mostSegments = 200;
