import type { EventSource } from './events-stream.js';
import type { ListedUnit } from './listed-unit.js';

/** A fleet as its port tells of it, wherever its scanners run. */
export interface WholeFleet {
  /** How many scanners it has. */
  readonly size: number;
  readonly events: EventSource;
  /**
   * `?q=` is a pattern, `?group=` and `?state=` are exact, `?serials=` has serial numbers with commas between them, `?limit=` and
   * `?from=` are a part of the list.
   * @param origin of the fleet, as whoever asks knows it: `http://127.0.0.1:8000`
   * @throws Refused
   */
  list(asked: URLSearchParams, origin: string): readonly ListedUnit[] | Promise<readonly ListedUnit[]>;
  overview(): object | Promise<object>;
  /** In the text format of Prometheus. */
  metrics(): string | Promise<string>;
  /**
   * Switches scanners on or off.
   * @param body `{"scanners": PATTERN, "power": "on" | "off" | "cycle"}`
   * @throws Refused
   */
  power(body: string): Promise<object>;
}
