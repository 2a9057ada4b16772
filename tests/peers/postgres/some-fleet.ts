import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import {
  applyFleet,
  Database,
  type DatabaseOptions,
  DatabaseStore,
  type DatabaseStoreOptions,
  type Lease,
  Leases,
  leaseOfScanner,
  migrate,
  readFleetLoad,
  scannersOf,
  shardsToMove,
} from '@azimuth/fleet/database';
import type { PostgresCluster } from '@azimuth/test-support/postgres-cluster';
import { latch } from '@azimuth/test-support/waiting';

export const silent = { info() {}, warn() {}, error() {} };

export const key = 'a key of sixteen bytes or more';

export function serialsFrom(first: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => String(first + index));
}

export function open(url: string, options: Partial<DatabaseOptions> = {}): Database {
  return new Database({ url, log: silent, program: 'azimuth test', ...options });
}

/** Tables with few shards, and a fleet of scanners in them. */
export async function prepared(url: string, serials: readonly string[], shards?: number): Promise<Database> {
  const database = open(url);
  await migrate(database, shards === undefined ? {} : { shards });
  await applyFleet(database, {
    yaml: 'groups: {}',
    files: new Map(),
    scanners: serials.map((serial) => ({ serial, group: 'hall' })),
  });
  return database;
}

const prototypes = new WeakMap<PostgresCluster, Map<string, string>>();

/** A new database with a fleet. The first one of its kind is prepared; the others are copies of it. */
export async function fleetIn(
  cluster: PostgresCluster,
  serials: readonly string[],
  shards = 4,
): Promise<string> {
  const known = prototypes.get(cluster) ?? new Map<string, string>();
  prototypes.set(cluster, known);
  const kind = `${shards} ${serials.join()}`;
  const prototype = known.get(kind) ?? (await cluster.database());
  if (!known.has(kind)) {
    await (await prepared(prototype, serials, shards)).close();
    // A server logs numbers of a sequence before they are used, but none that it believes to have logged: those of a copy were
    // logged for its prototype, and would be given twice after a crash. This makes the first number be logged.
    await cluster.sql(
      `SELECT setval('azimuth.epoch_numbers', last_value) FROM azimuth.epoch_numbers`,
      nameIn(prototype),
    );
  }
  known.set(kind, prototype);
  return cluster.database(nameIn(prototype));
}

/** Leases of a process that runs no scanners. */
export function leasesIn(database: Database, worker?: { url: string; capacity: number }): Leases {
  return new Leases(database, { milliseconds: 60_000, worker });
}

/** How many shards a worker should take or give now. */
export async function toMove(
  database: Database,
  { owner, held }: Leases,
  kept = held.length,
): Promise<number> {
  return shardsToMove(await readFleetLoad(database, owner), owner, kept);
}

/** A process that runs scanners: its connections, its leases and its store. */
export class SomeWorker {
  readonly database: Database;
  readonly leases: Leases;
  readonly store: DatabaseStore;
  readonly #scanners = new Map<string, { readonly shard: number; readonly since: number }>();

  private constructor(database: Database, leases: Leases, options: Partial<DatabaseStoreOptions>) {
    this.database = database;
    this.leases = leases;
    this.store = new DatabaseStore({
      database,
      owner: leases.owner,
      leaseOf: (serial) => this.#leaseOf(serial),
      keys: [key],
      log: silent,
      ...options,
    });
  }

  static async on(
    url: string,
    options: Partial<DatabaseStoreOptions> & {
      milliseconds?: number;
      take?: number;
      connections?: number;
      lockMilliseconds?: number;
    } = {},
  ): Promise<SomeWorker> {
    const { milliseconds = 60_000, take = 100, connections = 8, lockMilliseconds, ...rest } = options;
    const database = open(url, {
      connections,
      lockMilliseconds,
    });
    const leases = new Leases(database, {
      milliseconds,
      worker: { url: 'http://127.0.0.1:1', capacity: 100 },
    });
    const worker = new SomeWorker(database, leases, rest);
    await worker.look();
    await leases.acquire(take);
    return worker;
  }

  /** A process that runs one scanner without a fleet. */
  static async alone(url: string, serial: string): Promise<SomeWorker> {
    const database = open(url);
    const leases = new Leases(database, { milliseconds: 60_000 });
    const worker = new SomeWorker(database, leases, {});
    // Its lease is later than when the scanner was registered.
    worker.#scanners.set(serial, { shard: (await leases.acquireStandalone(serial)).shard, since: 0 });
    return worker;
  }

  /** Sees which scanners there are now. */
  async look(): Promise<void> {
    for (const scanner of await scannersOf(this.database)) this.#scanners.set(scanner.serial, scanner);
  }

  shardOf(serial: string): number {
    return this.#scanners.get(serial)?.shard ?? Number.NaN;
  }

  #leaseOf(serial: string): Lease | undefined {
    const lease = this.leases.of(this.shardOf(serial));
    return lease && leaseOfScanner(lease, this.#scanners.get(serial)?.since ?? 0);
  }

  async close(): Promise<void> {
    await this.store.close();
    await this.database.close();
  }
}

/** A transaction that has run a statement, and holds its locks until it is ended. */
export async function holding(url: string, text: string): Promise<{ end(): Promise<void> }> {
  const database = open(url);
  const locked = latch();
  const ending = latch();
  const transaction = database.transaction(async (run) => {
    await run(text);
    locked.open();
    await ending.opened;
  });
  await locked.opened;
  return {
    async end() {
      ending.open();
      await transaction;
      await database.close();
    },
  };
}

/** Does a statement wait for a lock? @param like its text, as a pattern of LIKE */
export async function isWaiting(cluster: PostgresCluster, url: string, like: string): Promise<boolean> {
  const count = await cluster.sql(
    `SELECT count(*) FROM pg_stat_activity WHERE datname = '${nameIn(url)}' AND wait_event_type = 'Lock'
    AND query LIKE '${like}'`,
  );
  return count === '1';
}

/** The name of the database in a URL. */
export function nameIn(url: string): string {
  return new URL(url).pathname.slice(1);
}

export async function textOf(
  store: DatabaseStore,
  serial: string,
  name: string,
): Promise<string | undefined> {
  const bytes = await store.storageOf(serial).read(name);
  return bytes === undefined ? undefined : Buffer.from(bytes).toString();
}

/** Large contents are compared by their hashes: the comparison of vitest takes seconds for a megabyte. */
export function hashOf(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The hash of a file as it is read in pieces. */
export async function fileHash(
  store: DatabaseStore,
  serial: string,
  name: string,
): Promise<string | undefined> {
  const pieces = await store.storageOf(serial).pieces(name);
  return pieces === undefined ? undefined : hashOf(await buffer(pieces));
}
