import type { ScannerState } from './scanner-state.js';

/** A scanner, as its state and its requests are counted. */
interface Counted {
  readonly facts: { readonly group: string };
  readonly state: ScannerState;
  /** Place in the order of the fleet, from 1 on; 0 if it does not belong to it. */
  readonly place: number;
}

/** Numbers of scanners by state. */
type Counts = Record<ScannerState, number>;

/**
 * How the scanners of a fleet stand, kept as they change: nobody walks over all of them to count. Most scanners are idle, so
 * only the others are listed.
 */
export class Standing<S extends Counted> {
  readonly #groups = new Map<string, Counts>();
  readonly #listed = { off: new Set<S>(), running: new Set<S>(), failed: new Set<S>() };
  /** Requests of scanners while they did not run, or ran earlier, by group. These counts only grow. */
  readonly #requests = new Map<string, number>();
  /** Scanners whose state has changed; undefined as long as nobody wants to know. */
  #touched: Set<S> | undefined;

  /** Counts a scanner from now on. */
  join(scanner: S): void {
    const { group } = scanner.facts;
    if (!this.#groups.has(group)) this.#groups.set(group, { off: 0, idle: 0, running: 0, failed: 0 });
    this.addRequests(group, 0);
    this.#count(scanner, scanner.state, 1);
  }

  /** Counts a scanner no more. Its requests stay. */
  leave(scanner: S): void {
    this.#count(scanner, scanner.state, -1);
    this.#touched?.delete(scanner);
  }

  /** Called when a scanner has another state. */
  changed(scanner: S, before: ScannerState): void {
    if (scanner.state === before || scanner.place === 0) return;
    this.#count(scanner, before, -1);
    this.#count(scanner, scanner.state, 1);
    this.#touched?.add(scanner);
  }

  /**
   * Notes from now on which scanners have another state.
   * @returns a function that returns those since its last call
   */
  noteChanges(): () => Iterable<S> {
    this.#touched ??= new Set();
    return () => {
      const touched = this.#touched ?? [];
      this.#touched = new Set();
      return touched;
    };
  }

  addRequests(group: string, requests: number): void {
    this.#requests.set(group, (this.#requests.get(group) ?? 0) + requests);
  }

  /** The scanners of a state. Idle ones are not listed. */
  of(state: Exclude<ScannerState, 'idle'>): ReadonlySet<S> {
    return this.#listed[state];
  }

  /** Numbers by state, of each group that has scanners or had some. */
  get byGroup(): ReadonlyMap<string, Readonly<Counts>> {
    return this.#groups;
  }

  get total(): Readonly<Counts> {
    const total = { off: 0, idle: 0, running: 0, failed: 0 };
    for (const counts of this.#groups.values()) {
      total.off += counts.off;
      total.idle += counts.idle;
      total.running += counts.running;
      total.failed += counts.failed;
    }
    return total;
  }

  /** The requests by group, without those of scanners that run. */
  get requests(): ReadonlyMap<string, number> {
    return this.#requests;
  }

  #count(scanner: S, state: ScannerState, more: 1 | -1): void {
    const counts = this.#groups.get(scanner.facts.group);
    if (counts !== undefined) counts[state] += more;
    if (state === 'idle') return;
    if (more > 0) this.#listed[state].add(scanner);
    else this.#listed[state].delete(scanner);
  }
}
