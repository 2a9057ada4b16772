import { setTimeout as pause } from 'node:timers/promises';
import type { PostgresCluster } from '@azimuth/test-support/postgres-cluster';
import type { SeededRandom } from '@azimuth/test-support/seeded-random';
import { until } from '@azimuth/test-support/waiting';
import type { Disturbance, Recoveries } from './recoveries.js';
import type { Witness } from './witness.js';
import type { WorkerSlot } from './worker-slot.js';
import type { WrittenScanner } from './written-scanner.js';

interface Surroundings {
  readonly recoveries: Recoveries;
  readonly cluster: PostgresCluster;
  readonly slots: readonly WorkerSlot[];
  readonly scanners: readonly WrittenScanner[];
  readonly witness: Witness;
  readonly random: SeededRandom;
  /** Of a lease, in ms. */
  readonly lease: number;
}

/** How often each is done. */
export type Extent = Readonly<Record<Disturbance, number>>;

/** Kills, drains and pauses workers, and stops the database, in an order that follows from the seed. */
export class Disturber {
  readonly done: Record<Disturbance, number> = { kill: 0, drain: 0, pause: 0, database: 0 };
  /** What waits for the next save of a scanner of this process. */
  readonly #onSave = new Map<number, () => void>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #with: Surroundings;
  #database: Promise<void> = Promise.resolve();

  constructor(surroundings: Surroundings) {
    this.#with = surroundings;
  }

  /** A save of a scanner is sent now. */
  saving(serial: string): void {
    const pid = this.#with.witness.ownerOf(serial);
    if (pid === undefined) return;
    this.#onSave.get(pid)?.();
    this.#onSave.delete(pid);
  }

  async run(extent: Extent, isOver: () => boolean): Promise<void> {
    const { random } = this.#with;
    const left = { ...extent };
    const kinds: readonly Disturbance[] = ['kill', 'drain', 'pause', 'database'];
    for (;;) {
      const deck = kinds.flatMap((kind) => Array.from({ length: Math.max(0, left[kind]) }, () => kind));
      if (deck.length === 0 || isOver()) break;
      await pause(random.between(300, 4000));
      const kind = random.pick(deck);
      left[kind] -= await this.#disturb(kind, isOver);
    }
    await Promise.all([...this.#underWay, this.#database]);
  }

  /** @returns how often it was done */
  async #disturb(kind: Disturbance, isOver: () => boolean): Promise<number> {
    const { random, slots, lease } = this.#with;
    if (kind === 'database') {
      await this.#database;
      this.#database = this.#stopDatabase(random.between(0, 6000));
      this.done.database++;
      return 1;
    }
    const isFit = (slot: WorkerSlot) => slot.isReady && (kind === 'kill' || !slot.isPaused);
    // Otherwise a machine on which a start takes long would have no worker at all most of the time.
    await until(() => slots.filter(isFit).length > 1 || isOver(), 120_000);
    const fit = slots.filter(isFit);
    if (fit.length === 0) return 0;
    // Several at the same time now and then.
    const count = kind === 'kill' && random.percent(15) ? random.between(2, 3) : 1;
    const chosen = new Set(Array.from({ length: count }, () => random.pick(fit)));
    for (const slot of chosen) {
      const pausing = lease + random.between(200, 3000);
      const delay = random.between(0, 15);
      if (random.percent(60)) await this.#nextSave(slot, delay);
      if (!isFit(slot)) continue;
      this.#with.recoveries.note(`${kind} of ${slot.current?.child.pid}`);
      this.#hit(kind, slot);
      this.done[kind]++;
      if (kind === 'kill') slot.end('SIGKILL');
      else if (kind === 'drain') slot.end('SIGTERM');
      else {
        const paused = slot.pause(pausing).finally(() => this.#underWay.delete(paused));
        this.#underWay.add(paused);
      }
    }
    return chosen.size;
  }

  /** Waits until a save of a scanner of this worker is under way, but not for long: it may have no scanner. */
  async #nextSave(slot: WorkerSlot, delay: number): Promise<void> {
    const pid = slot.current?.child.pid;
    if (pid === undefined) return;
    const saving = new Promise<void>((resolve) => this.#onSave.set(pid, resolve));
    await Promise.race([saving, pause(1000)]);
    this.#onSave.delete(pid);
    await pause(delay);
  }

  #hit(kind: Disturbance, slot: WorkerSlot): void {
    const pid = slot.current?.child.pid;
    for (const scanner of this.#with.scanners) {
      const owner = this.#with.witness.ownerOf(scanner.serial);
      // One without an owner would have been taken by this worker, too.
      if (owner === pid || (owner === undefined && scanner.away > 0)) scanner.hit(kind);
    }
  }

  async #stopDatabase(milliseconds: number): Promise<void> {
    const { cluster, scanners, recoveries } = this.#with;
    for (const scanner of scanners) scanner.hit('database', Number.POSITIVE_INFINITY);
    recoveries.note('the database is stopped');
    await cluster.stop('immediate');
    await pause(milliseconds);
    await cluster.start();
    recoveries.note('the database is back');
    for (const scanner of scanners) scanner.hit('database');
  }
}
