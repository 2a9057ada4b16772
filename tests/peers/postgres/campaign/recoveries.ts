/** What may happen to the process that runs a scanner. */
export type Disturbance = 'kill' | 'drain' | 'pause' | 'database';

/** ms within which a scanner is to save again. */
const wanted: Readonly<Record<Disturbance, number>> = {
  kill: 10_000,
  drain: 10_000,
  pause: 10_000,
  database: 20_000,
};

/** How long scanners were away, in ms, by what had happened. */
export class Recoveries {
  /** Scanners that were hit once more before they were back. */
  again = 0;
  /** What was done last to workers and the database, for the history of a scanner. */
  readonly disturbances: string[] = [];
  /** What happened to scanners that were away for longer than is wanted. */
  readonly late: string[] = [];
  readonly #times = new Map<Disturbance, number[]>();

  add(what: Disturbance, milliseconds: number, history: () => string): void {
    const times = this.#times.get(what) ?? [];
    times.push(milliseconds);
    this.#times.set(what, times);
    if (milliseconds <= wanted[what]) return;
    const lines = [`${seconds(milliseconds)} s after ${what}: ${history()}`, ...this.disturbances];
    this.late.push(lines.join('\n'));
  }

  /** Notes what is done to a process. */
  note(what: string): void {
    this.disturbances.push(`${new Date().toISOString().slice(11)} ${what}`);
    if (this.disturbances.length > 30) this.disturbances.shift();
  }

  get lines(): readonly string[] {
    return [...this.#times].map(([what, times]) => {
      const sorted = times.toSorted((one, other) => one - other);
      const at = (part: number) => seconds(sorted[Math.floor((sorted.length - 1) * part)] ?? 0);
      return `saved again after ${what}: ${sorted.length} times, p50 ${at(0.5)} s, p99 ${at(0.99)} s, most ${at(1)} s`;
    });
  }
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(2);
}
