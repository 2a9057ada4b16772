import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';

/** The value of a number at a time (s since 1970 UTC, by the clock of this computer). */
interface Sample {
  readonly at: number;
  readonly value: number;
}

/** Samples kept. If there are more, every second one of the older half is left out. */
export const mostSamples = 2000;

/** How a number has changed since it was first looked at. */
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

/** What has values that trends follow. */
interface Source {
  value(name: string): unknown;
}

const trends = new WeakMap<Source, Map<string, Trend>>();

/** The trend of a variable of a scanner. It begins when it is first asked for, and goes on while the page is open. */
export function trendOf(source: Source, name: string): Trend {
  const own = trends.get(source) ?? new Map<string, Trend>();
  trends.set(source, own);
  const known = own.get(name);
  if (known !== undefined) return known;
  const trend = new Trend();
  own.set(name, trend);
  effect(() => {
    const value = source.value(name);
    if (typeof value === 'number') trend.add(value);
  });
  return trend;
}
