import type { Variable } from '@azimuth/model';
import type { MonitorClock } from '../clock.js';
import { type Asked, asked, eventCheck } from './asked.js';
import { type AskedScanner, readVariable } from './reading.js';

/** Looks come a little early or late (ms). */
const tolerance = 500;

/** What a look has brought. */
export interface Look {
  /** The values that were read, by the names of variables. */
  readonly values: ReadonlyMap<string, unknown>;
  /** Variables that were answered with something that the interface does not allow. */
  readonly malformed: readonly string[];
  readonly missing: readonly string[];
  /** When each answer was awaited: milliseconds since 1970-01-01 UTC. */
  readonly times: ReadonlyMap<string, { readonly from: number; readonly to: number }>;
}

export interface LookOptions {
  readonly clock: MonitorClock;
  /** True if the serial number belongs to the address. Otherwise nothing more is asked. */
  readonly isRight: (serial: unknown) => boolean;
  readonly hasEvents: boolean;
}

/** Looks at one scanner. It remembers when it asked for what, and what the scanner does not have. */
export class Looks {
  readonly #scanner: AskedScanner;
  readonly #asked: readonly Asked[];
  readonly #askedAt = new Map<string, number>();
  readonly #missing = new Set<string>();

  /** @param also variables that each look asks for besides */
  constructor(scanner: AskedScanner, also: readonly Variable<unknown>[]) {
    this.#scanner = scanner;
    this.#asked = [...asked, ...also.map((variable) => ({ variable, every: 0 }))];
  }

  /** Asks for everything at the next look: the scanner may have booted, or have other firmware. */
  forget(): void {
    this.#askedAt.clear();
    this.#missing.clear();
  }

  /** The clock was set back by this many milliseconds. */
  setBack(by: number): void {
    for (const [name, at] of this.#askedAt) this.#askedAt.set(name, at - by);
  }

  /**
   * Asks for one variable after the other, over one connection.
   * @throws ClientError if the scanner does not answer, or if its first answer is not that of a scanner
   */
  async look({ clock, isRight, hasEvents }: LookOptions): Promise<Look> {
    const values = new Map<string, unknown>();
    const times = new Map<string, { from: number; to: number }>();
    const malformed: string[] = [];
    const missing: string[] = [];
    const due = this.#asked.filter((each) => this.#isDue(each, clock.now(), hasEvents));
    for (const [index, { variable }] of due.entries()) {
      const { name } = variable;
      const from = clock.now();
      const reading = await readVariable(this.#scanner, { name, variable });
      times.set(name, { from, to: clock.now() });
      this.#askedAt.set(name, from);
      if (reading.is === 'value') values.set(name, reading.value);
      if (reading.is === 'malformed') {
        // A web server that is no scanner: nothing else needs to be asked.
        if (index === 0) throw reading.error;
        malformed.push(name);
      }
      if (reading.is === 'missing') {
        missing.push(name);
        this.#missing.add(name);
      }
      if (index === 0 && !isRight(values.get(name))) break;
    }
    return { values, malformed, missing, times };
  }

  #isDue({ variable: { name }, every, isEvent }: Asked, now: number, hasEvents: boolean): boolean {
    if (this.#missing.has(name)) return false;
    const seconds = isEvent === true && hasEvents ? eventCheck : every;
    const before = this.#askedAt.get(name);
    return before === undefined || now - before >= seconds * 1000 - tolerance;
  }
}
