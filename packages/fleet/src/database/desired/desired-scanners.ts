import type { Log } from '@azimuth/device';
import type { MemberFacts } from '../../adopted/real-facts.js';
import { type MacAddresses, macAddressesOf } from '../../scanners/scanner-facts.js';
import type { Database } from '../database.js';
import { DatabaseUnavailable } from '../database-errors.js';
import {
  type AppliedFleet,
  desiredFleet,
  fleetVersion,
  type ShardScanner,
  scannersOf,
} from './desired-fleet.js';

/** Reads the scanners of a fleet that was applied. */
export type ReadFleet = (fleet: AppliedFleet) => Promise<readonly MemberFacts[]>;

/** A scanner of the fleet file. If it was removed and added again, it counts as another one. */
export interface DesiredScanner {
  readonly facts: MemberFacts;
  /** The epoch at which it was added. */
  readonly since: number;
}

/** The scanners of the fleet that was applied last, and their shards. */
export interface DesiredScanners {
  /** 0 if nothing was applied yet. */
  readonly version: number;
  readonly facts: readonly MemberFacts[];
  /** The scanners by their serial numbers, with their shards. */
  readonly scanners: ReadonlyMap<string, ShardScanner>;
  /** The scanners by shard. Shards without scanners are missing. */
  readonly inShard: ReadonlyMap<number, readonly DesiredScanner[]>;
  readonly macAddresses: MacAddresses;
}

const noScanners: DesiredScanners = {
  version: 0,
  facts: [],
  scanners: new Map(),
  inShard: new Map(),
  macAddresses: new Map(),
};

/**
 * Reads the scanners of the current version. If this version is known, it reads only the number.
 * @throws DatabaseUnavailable, and the errors of `read`
 */
async function desiredScanners(
  database: Database,
  read: ReadFleet,
  known: DesiredScanners,
): Promise<DesiredScanners> {
  if ((await fleetVersion(database)) === known.version) return known;
  const fleet = await desiredFleet(database);
  if (fleet === undefined) return known;
  const [facts, listed] = await Promise.all([read(fleet), scannersOf(database)]);
  const scanners = new Map(listed.map((scanner) => [scanner.serial, scanner]));
  return {
    version: fleet.version,
    facts,
    scanners,
    inShard: byShard(facts, scanners),
    macAddresses: macAddressesOf(facts.map(({ serial }) => serial)),
  };
}

function byShard(
  all: readonly MemberFacts[],
  scanners: ReadonlyMap<string, ShardScanner>,
): ReadonlyMap<number, readonly DesiredScanner[]> {
  const inShard = new Map<number, DesiredScanner[]>();
  for (const facts of all) {
    const scanner = scanners.get(facts.serial);
    if (scanner === undefined) continue;
    const { shard, since } = scanner;
    const others = inShard.get(shard);
    if (others === undefined) inShard.set(shard, [{ facts, since }]);
    else others.push({ facts, since });
  }
  return inShard;
}

interface Options {
  readonly database: Database;
  readonly log: Log;
  readonly read: ReadFleet;
}

/** The fleet that was applied last. If a new one cannot be read, the one before it stays. */
export class FollowedFleet {
  readonly #options: Options;
  #current: DesiredScanners = noScanners;
  #isUnreadable = false;

  constructor(options: Options) {
    this.#options = options;
  }

  get current(): DesiredScanners {
    return this.#current;
  }

  /**
   * Reads the fleet that was applied last, if it is new.
   * @throws DatabaseUnavailable, and, if there is no fleet yet, the errors of `read`
   */
  async refresh(): Promise<void> {
    const { database, read, log } = this.#options;
    try {
      this.#current = await desiredScanners(database, read, this.#current);
      this.#isUnreadable = false;
    } catch (error) {
      if (error instanceof DatabaseUnavailable || this.#current === noScanners) throw error;
      if (!this.#isUnreadable)
        log.error('The fleet that was applied cannot be followed', { reason: String(error) });
      this.#isUnreadable = true;
    }
  }
}
