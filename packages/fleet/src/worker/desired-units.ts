import {
  type AppliedFleet,
  type Database,
  desiredFleet,
  fleetVersion,
  scannersOf,
} from '../database/index.js';
import { type MacAddresses, macAddressesOf } from '../units/mac-addresses.js';
import type { UnitFacts } from '../units/unit-facts.js';

/** Reads the scanners of a fleet that was applied. */
export type ReadFleet = (fleet: AppliedFleet) => Promise<readonly UnitFacts[]>;

/** The scanners of the fleet that was applied last, and where they belong. */
export interface DesiredUnits {
  /** 0 if nothing was applied yet. */
  readonly version: number;
  readonly units: readonly UnitFacts[];
  readonly shardOf: ReadonlyMap<string, number>;
  /** Those of each shard that has any. */
  readonly inShard: ReadonlyMap<number, readonly UnitFacts[]>;
  readonly macAddresses: MacAddresses;
}

export const noUnits: DesiredUnits = {
  version: 0,
  units: [],
  shardOf: new Map(),
  inShard: new Map(),
  macAddresses: new Map(),
};

/**
 * What is wanted now. If that is the version which is known, nothing is read but its number.
 * @throws DatabaseAway, and what `read` throws
 */
export async function desiredUnits(
  database: Database,
  read: ReadFleet,
  known: DesiredUnits,
): Promise<DesiredUnits> {
  if ((await fleetVersion(database)) === known.version) return known;
  const fleet = await desiredFleet(database);
  if (fleet === undefined) return known;
  const [units, scanners] = await Promise.all([read(fleet), scannersOf(database)]);
  const shardOf = new Map(scanners.map(({ serial, shard }) => [serial, shard]));
  return {
    version: fleet.version,
    units,
    shardOf,
    inShard: inShardsOf(units, shardOf),
    macAddresses: macAddressesOf(units.map(({ serial }) => serial)),
  };
}

function inShardsOf(
  units: readonly UnitFacts[],
  shardOf: ReadonlyMap<string, number>,
): ReadonlyMap<number, readonly UnitFacts[]> {
  const inShard = new Map<number, UnitFacts[]>();
  for (const facts of units) {
    const shard = shardOf.get(facts.serial);
    if (shard === undefined) continue;
    const others = inShard.get(shard);
    if (others === undefined) inShard.set(shard, [facts]);
    else others.push(facts);
  }
  return inShard;
}
