import { operatingData } from '@azimuth/model';
import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { type KnownValues, knownValue } from '../connection/declarations.js';
import { ofEachScanner } from '../connection/scanner-link.js';

const { CurrentTempDev } = operatingData.members;

/** The value of a number at a time (s since 1970 UTC, by the clock of this computer). */
interface Sample {
  readonly at: number;
  readonly value: number;
}

/** Number of stored samples. If there are more, every second one of the older half is left out. */
export const mostSamples = 2000;

/** The values of a number since the first one was read. */
export class Trend {
  readonly #samples: Signal<readonly Sample[]> = signal([]);
  /** The oldest first. */
  readonly samples: ReadonlySignal<readonly Sample[]> = this.#samples;
  readonly #now: () => number;

  /** @param now s since 1970 UTC */
  constructor(now: () => number = () => Date.now() / 1000) {
    this.#now = now;
  }

  add(value: number): void {
    const samples = [...this.#samples.peek(), { at: this.#now(), value }];
    this.#samples.value = samples.length > mostSamples ? thinned(samples) : samples;
  }
}

function thinned(samples: readonly Sample[]): readonly Sample[] {
  const middle = Math.floor(samples.length / 2);
  return samples.filter((_, index) => index >= middle || index % 2 === 0);
}

/**
 * The trend of the temperature inside a scanner. It begins when a page shows it first, and continues while the page is
 * open.
 */
export const temperatureTrend = ofEachScanner((known: KnownValues) => {
  const trend = new Trend();
  effect(() => {
    const celsius = knownValue(known, CurrentTempDev);
    if (celsius !== undefined) trend.add(celsius);
  });
  return trend;
});
