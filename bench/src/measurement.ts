import type { Place } from './processes/server.js';
import { median, type Spread, spread } from './statistics.js';

/** The means of every measurement. */
export interface Bench extends Place {
  readonly rounds: number;
  /** Measured seconds of each load. */
  readonly seconds: number;
  /** Reports the progress. */
  readonly progress: (text: string) => void;
}

/** The figures of one subject under one condition, by name with unit. */
export interface Row {
  readonly subject: string;
  readonly condition: string;
  readonly figures: Readonly<Record<string, Spread>>;
}

/** The ratio of two subjects, computed in each round. */
export interface Ratio {
  readonly name: string;
  readonly spread: Spread;
}

/** A target and the figure that was found. */
export interface Target {
  readonly name: string;
  readonly unit: string;
  readonly atLeast?: number;
  readonly atMost?: number;
  readonly found: number;
  readonly reached: boolean;
}

export interface Measurement {
  readonly name: string;
  readonly title: string;
  readonly rows: readonly Row[];
  readonly ratios: readonly Ratio[];
  readonly targets: readonly Target[];
  readonly notes: readonly string[];
}

export function atLeast(name: string, unit: string, limit: number, found: number): Target {
  return { name, unit, atLeast: limit, found, reached: found >= limit };
}

export function atMost(name: string, unit: string, limit: number, found: number): Target {
  return { name, unit, atMost: limit, found, reached: found <= limit };
}

/** Collects the figures of one subject under one condition. */
export class Collected {
  readonly #values = new Map<string, number[]>();

  constructor(
    readonly subject: string,
    readonly condition: string,
  ) {}

  add(figures: Readonly<Record<string, number>>): void {
    for (const [name, value] of Object.entries(figures)) {
      const values = this.#values.get(name) ?? [];
      values.push(value);
      this.#values.set(name, values);
    }
  }

  values(name: string): readonly number[] {
    return this.#values.get(name) ?? [];
  }

  median(name: string): number {
    return median(this.values(name));
  }

  get row(): Row {
    const known = [...this.#values].filter(([, values]) => values.every(Number.isFinite));
    const figures = Object.fromEntries(known.map(([name, values]) => [name, spread(values)]));
    return { subject: this.subject, condition: this.condition, figures };
  }
}

/** The figures of a subject under a condition. @throws Error if there are none. */
export function found(all: readonly Collected[], subject: string, condition: string): Collected {
  const one = all.find((each) => each.subject === subject && each.condition === condition);
  if (one === undefined) throw new Error(`no figures of ${subject}, ${condition}`);
  return one;
}
