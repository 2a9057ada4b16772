import type { Edition } from '@azimuth/model';
import type { TestScanner } from '@azimuth/testing';
import { checkedOptions } from './checked-target.js';
import type { Testing } from './testing-of.js';

/** Scanners for what changes nothing in them: many cases use one after the other, and most of their time is that of starts. */
export class SharedScanners {
  readonly #testing: () => Promise<Testing>;
  readonly #scanners = new Map<string, Promise<TestScanner>>();

  constructor(testing: () => Promise<Testing>) {
    this.#testing = testing;
  }

  /** Returns the scanner of an edition. It starts at the first call. */
  of(edition: Edition): Promise<TestScanner> {
    const key = keyOf(edition);
    const known = this.#scanners.get(key);
    if (known !== undefined) return known;
    const started = this.#testing().then(({ startScanner }) => startScanner(checkedOptions(edition)));
    this.#scanners.set(key, started);
    return started;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const all = [...this.#scanners.values()];
    this.#scanners.clear();
    await Promise.all(all.map(async (started) => (await started).close()));
  }
}

function keyOf({ release, variant }: Edition): string {
  return `${release} ${variant}`;
}
