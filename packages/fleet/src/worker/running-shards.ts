import { isDeepStrictEqual } from 'node:util';
import { pause } from '@azimuth/async';
import type { Log } from '@azimuth/device';
import type { DesiredScanner, DesiredScanners, Lease } from '../database/index.js';
import type { Fleet } from '../fleet.js';

interface Options {
  readonly fleet: Pick<Fleet, 'add' | 'remove'>;
  readonly log: Log;
  /** Returns the lease of a shard; undefined if this process does not have it any more. */
  readonly leaseOf: (shard: number) => Lease | undefined;
  /** Called with scanners that do not run any more. */
  readonly ended: (serials: readonly string[]) => void;
}

/** Scanners that run with a lease. */
interface Running extends Lease {
  /** The scanners by their serial numbers. */
  readonly scanners: ReadonlyMap<string, DesiredScanner>;
  /** The version of their fleet; undefined if some could not be switched on. */
  readonly version: number | undefined;
  /** Fulfilled when they have been switched on, or could not be. Before, they cannot be stopped. */
  readonly started: Promise<unknown>;
}

/** Scanners that are being stopped. */
interface Stopping {
  readonly stopped: Promise<void>;
  /** Breaks off the requests that may still continue. Undefined if there are none. */
  readonly breakOff: (() => void) | undefined;
}

/** The scanners of the shards whose leases a worker has. */
export class RunningShards {
  readonly #options: Options;
  readonly #running = new Map<number, Running>();
  /** Shards whose scanners are being stopped: they are not started again before they have ended. */
  readonly #stopping = new Map<number, Stopping>();

  constructor(options: Options) {
    this.#options = options;
  }

  get size(): number {
    return this.#running.size;
  }

  /**
   * Runs the scanners of a shard as in a version of the fleet. New and changed scanners are switched on, removed ones are
   * switched off, and all others continue to run. A scanner that was removed and added again runs anew, even if this process
   * has not seen the removal: its stored data may belong to another one.
   * @throws errors of the store: the next call tries again to switch on the scanners that failed
   */
  async run(lease: Lease, { version, inShard }: Pick<DesiredScanners, 'version' | 'inShard'>): Promise<void> {
    await this.#endOthers(lease);
    const before = this.#running.get(lease.shard);
    if (before?.version === version) return;
    const wanted = inShard.get(lease.shard) ?? [];
    const staysOn = (scanner: DesiredScanner) =>
      isDeepStrictEqual(before?.scanners.get(scanner.facts.serial), scanner);
    const unchanged = bySerial(wanted.filter(staysOn));
    await this.#remove([...(before?.scanners.keys() ?? [])].filter((serial) => !unchanged.has(serial)));
    // Its lease may have ended in between: then its scanners were stopped.
    if (this.#running.get(lease.shard) !== before) return;
    await this.#add(lease, version, unchanged, wanted);
    // The lease may have ended while they were switched on. Scanners that were not there yet have not been stopped.
    if (this.#options.leaseOf(lease.shard)?.epoch === lease.epoch) return;
    await this.stop(lease, 'its lease has ended');
    await this.#options.fleet.remove(wanted.map(({ facts }) => facts.serial));
  }

  /**
   * Stops the scanners that run with a lease.
   * @param why for the log, if it was not intended
   * @param drain ms for running requests. Without it, all requests are broken off, also those that an earlier call lets
   * continue
   */
  async stop({ shard, epoch }: Lease, why?: string, drain?: number): Promise<void> {
    const { log, ended } = this.#options;
    const running = this.#running.get(shard);
    if (running?.epoch !== epoch) {
      const stopping = this.#stopping.get(shard);
      if (drain === undefined && stopping?.breakOff !== undefined) {
        log.warn('Scanners were stopped while they were handed over', { shard, why });
        stopping.breakOff();
      }
      await stopping?.stopped;
      return;
    }
    this.#running.delete(shard);
    const serials = [...running.scanners.keys()];
    if (why !== undefined && serials.length > 0)
      log.warn('Scanners were stopped', { shard, scanners: serials.length, why });
    const over = new AbortController();
    const until = drain === undefined ? undefined : pause(drain, over.signal);
    const stopped = this.#end(running, serials, until).finally(() => {
      over.abort();
      this.#stopping.delete(shard);
      ended(serials);
    });
    this.#stopping.set(shard, { stopped, breakOff: until && (() => over.abort()) });
    await stopped;
  }

  async #end({ started }: Running, serials: readonly string[], until?: Promise<void>): Promise<void> {
    const { fleet } = this.#options;
    try {
      await fleet.remove(serials, until);
    } finally {
      // Scanners that are just being switched on are not there before.
      await started;
      await fleet.remove(serials, until);
    }
  }

  /** Ends scanners with an earlier lease: they cannot save. */
  async #endOthers({ shard, epoch }: Lease): Promise<void> {
    const running = this.#running.get(shard);
    if (running !== undefined && running.epoch !== epoch) await this.stop(running, 'its lease has ended');
    await this.#stopping.get(shard)?.stopped;
  }

  async #add(
    lease: Lease,
    version: number,
    unchanged: ReadonlyMap<string, DesiredScanner>,
    wanted: readonly DesiredScanner[],
  ): Promise<void> {
    const added = wanted.map(({ facts }) => facts).filter(({ serial }) => !unchanged.has(serial));
    const adding = added.length > 0 ? this.#options.fleet.add(added) : Promise.resolve();
    const running = { ...lease, scanners: bySerial(wanted), version, started: Promise.allSettled([adding]) };
    this.#running.set(lease.shard, running);
    try {
      await adding;
    } catch (error) {
      if (this.#running.get(lease.shard) === running) {
        if (unchanged.size === 0) this.#running.delete(lease.shard);
        else this.#running.set(lease.shard, { ...running, scanners: unchanged, version: undefined });
      }
      throw error;
    }
  }

  async #remove(serials: readonly string[]): Promise<void> {
    if (serials.length === 0) return;
    await this.#options.fleet.remove(serials);
    this.#options.ended(serials);
  }
}

function bySerial(scanners: readonly DesiredScanner[]): ReadonlyMap<string, DesiredScanner> {
  return new Map(scanners.map((scanner) => [scanner.facts.serial, scanner]));
}
