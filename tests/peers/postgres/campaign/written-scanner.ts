import { setTimeout as pause } from 'node:timers/promises';
import { Scanner } from '@azimuth/client';
import type { SeededRandom } from '@azimuth/test-support/seeded-random';
import type { Disturbance, Recoveries } from './recoveries.js';
import type { Witness } from './witness.js';

interface Surroundings {
  readonly gateways: readonly string[];
  readonly witness: Witness;
  readonly recoveries: Recoveries;
  readonly random: SeededRandom;
  /** A save of a scanner is sent now. */
  readonly saving: (serial: string) => void;
}

/** A save that was acknowledged, and when it and the write before it were under way: ms since 1970. */
interface Acknowledged {
  readonly counter: number;
  readonly from: number;
  readonly to: number;
}

/** ms between two saves of a scanner, on average. */
const restMilliseconds = 600;
/** ms until a scanner that has not answered is asked again. */
const againMilliseconds = 100;
/** ms for an answer: longer than a gateway takes to give up. */
const timeoutMs = 90_000;

const keptLines = 60;

/**
 * A scanner whose LocationName is a counter that rises with each write, and what it may have stored. A power cut between a write
 * and its save is one reason more for what may be stored: whoever takes the scanner over has the value that was stored before.
 */
export class WrittenScanner {
  readonly history: string[] = [];
  readonly acknowledged: number[] = [];
  attempts = 0;
  unanswered = 0;
  refusals = 0;
  readonly #serial: string;
  readonly #with: Surroundings;
  readonly #scanners: readonly Scanner[];
  /** What the database may hold. */
  #stored = new Set([0]);
  /** What the scanner may work with, beside that. */
  #working = new Set([0]);
  #last: Acknowledged | undefined;
  #next = 0;
  #powerOns = 0;
  #hit: { readonly what: Disturbance; readonly at: number } | undefined;

  constructor(serial: string, surroundings: Surroundings) {
    this.#serial = serial;
    this.#with = surroundings;
    this.#scanners = surroundings.gateways.map(
      (url) => new Scanner({ url: `${url}/scanners/${serial}`, password: 'servicelevel', timeoutMs }),
    );
  }

  get serial(): string {
    return this.#serial;
  }

  /** ms since it was hit, if it has not saved since. */
  get away(): number {
    return this.#hit === undefined || this.#hit.at === Number.POSITIVE_INFINITY
      ? 0
      : Date.now() - this.#hit.at;
  }

  /** Something has happened to who runs it. @param at ms since 1970; infinite if it is to come back later */
  hit(what: Disturbance, at = Date.now()): void {
    // While the database is away, nothing else counts.
    if (this.#hit?.at === Number.POSITIVE_INFINITY && what !== 'database') return;
    if (this.#hit !== undefined && this.#hit.at !== Number.POSITIVE_INFINITY) this.#with.recoveries.again++;
    this.#hit = { what, at };
    this.#note(`hit: ${what}`);
  }

  /** Writes, saves and compares until it is over. @throws Error if something is not as it must be */
  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const isDone = await this.#step();
      await pause(isDone ? this.#with.random.fraction() * 2 * restMilliseconds : againMilliseconds);
    }
  }

  /** Reads and compares. @returns the counter that it has now @throws Error if it is none that may be */
  async compare(): Promise<number | undefined> {
    const powerOns = await this.#ask('PowerOnCnt', (scanner) => scanner.read('PowerOnCnt'));
    const text = powerOns && (await this.#ask('LocationName', (scanner) => scanner.read('LocationName')));
    if (powerOns === undefined || text === undefined) return undefined;
    if (powerOns < this.#powerOns)
      throw new Error(`power-ons went back from ${this.#powerOns} to ${powerOns}`);
    this.#powerOns = powerOns;
    const counter = Number(text);
    await this.#settle(counter);
    if (!this.#stored.has(counter) && !this.#working.has(counter))
      throw new Error(
        `it has ${text}; stored may be ${[...this.#stored]}, and ${[...this.#working]} was written`,
      );
    return counter;
  }

  /** When nothing is written any more: is all there that was acknowledged? @throws Error if not */
  async compareWithDatabase(databaseStops: number): Promise<void> {
    let counter: number | undefined;
    while (counter === undefined) counter = await this.compare();
    const takeovers = await this.#with.witness.takeovers(this.#serial);
    // A power-on may be tried once more if the database goes away when it was counted.
    if (this.#powerOns > takeovers + databaseStops)
      throw new Error(`${this.#powerOns} power-ons, and only ${takeovers} takeovers`);
    const saved = await this.#with.witness.saved(this.#serial);
    const all = new Set(saved);
    const lost = this.acknowledged.filter((one) => !all.has(one));
    if (lost.length > 0) throw new Error(`acknowledged, and never stored: ${lost}`);
    if (saved.at(-1) !== counter) throw new Error(`it has ${counter}, and ${saved.at(-1)} is stored`);
  }

  /** @returns whether it has saved */
  async #step(): Promise<boolean> {
    if ((await this.compare()) === undefined) return false;
    const counter = ++this.#next;
    const from = Date.now();
    this.#working.add(counter);
    const isWritten = await this.#ask(`write ${counter}`, async (scanner) => {
      await scanner.write('LocationName', String(counter));
      return true;
    });
    if (isWritten === undefined) return false;
    this.#working = new Set([counter]);
    this.#stored.add(counter);
    this.attempts++;
    this.#with.saving(this.#serial);
    const isSaved = await this.#ask(`save ${counter}`, async (scanner) => {
      await scanner.call('WriteEeprom');
      return true;
    });
    if (isSaved === undefined) return false;
    this.#last = { counter, from, to: Date.now() };
    if (this.#hit !== undefined && this.#hit.at < from) {
      this.#with.recoveries.add(this.#hit.what, Date.now() - this.#hit.at, () =>
        [this.#serial, ...this.history.slice(-20)].join('\n'),
      );
      this.#hit = undefined;
    }
    return true;
  }

  /** What the last save that was acknowledged has stored. */
  async #settle(counter: number): Promise<void> {
    if (this.#last === undefined) return;
    const { counter: saved, from, to } = this.#last;
    // Was there a power cut behind the write? Then the value of before was saved again, and nothing was written since.
    const isUnclear = await this.#with.witness.wasTakenOver(this.#serial, from, to);
    this.#note(`${saved} was ${isUnclear ? 'saved, perhaps after a power cut' : 'saved'}`);
    if (!isUnclear) this.acknowledged.push(saved);
    if (isUnclear && this.#stored.has(counter)) this.#stored = new Set([counter]);
    if (!isUnclear) this.#stored = new Set([saved]);
    this.#working = new Set(this.#stored);
    this.#last = undefined;
  }

  /** @returns undefined if it does not answer, or refuses */
  async #ask<T>(what: string, act: (scanner: Scanner) => Promise<T>): Promise<T | undefined> {
    try {
      const answer = await act(this.#with.random.pick(this.#scanners));
      this.#note(answer === true ? what : `${what}: ${String(answer)}`);
      return answer;
    } catch (error) {
      const text = error instanceof Error ? `${error.name} ${error.message}` : String(error);
      this.#note(`${what}: ${text.slice(0, 200)}`);
      if (error instanceof Error && error.name === 'ScannerError') this.refusals++;
      else this.unanswered++;
      return undefined;
    }
  }

  #note(line: string): void {
    this.history.push(`${new Date().toISOString().slice(11)} ${line}`);
    if (this.history.length > keptLines) this.history.shift();
  }
}
