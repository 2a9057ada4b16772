import type { DeploymentKeys } from '@azimuth/fleet';
import {
  applyFleet,
  checkSchema,
  type Database,
  type DatabaseOptions,
  migrate,
  reseal,
  resetCredentials,
} from '@azimuth/fleet/database';
import { counted } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import {
  databaseFromOptions,
  deploymentKeys,
  fromDatabase,
  type KeyOptions,
  type StoreOptions,
} from '../database/database-options.js';
import { jsonText, print } from '../output/output.js';
import { logTo } from '../serve/log.js';
import { passwordsOfEnvironment } from '../serve/service-options.js';
import { packedFleet } from './applied-fleet.js';

/**
 * Runs an action with the database of a fleet, and closes the database.
 * @param program its name in the database
 * @throws CommandFailure if there is no database, or it refuses the action
 */
async function withDatabase<T>(
  options: StoreOptions,
  program: string,
  limits: Partial<Omit<DatabaseOptions, 'url' | 'program' | 'log'>>,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const log = logTo('lines');
  const database = databaseFromOptions(options, program, log, limits);
  try {
    return await fromDatabase(() => work(database));
  } finally {
    await database.close();
    await log.close();
  }
}

const limits = {
  connections: 1,
  /** Time limit for one step of a migration in ms: large tables may be rewritten. */
  statementMilliseconds: 3_600_000,
  /** Time limit for a lock on a table that others use, in ms: others, such as a save, wait behind it as long. */
  lockMilliseconds: 5000,
};

/** `azimuth fleet migrate`: makes the tables of the database, or updates them. */
export async function runMigrate(options: StoreOptions): Promise<void> {
  const migrated = await withDatabase(options, 'azimuth fleet migrate', limits, migrate);
  const { applied, version, shards, missingRoles } = migrated;
  const done =
    applied.length === 0 ? 'The tables are up to date' : `The tables were changed by ${applied.join(', ')}`;
  const roles =
    missingRoles.length === 0
      ? ''
      : ` The roles ${missingRoles.join(', ')} are missing: this user may not create them.`;
  await print(`${done}: version ${version}, ${shards} shards.${roles}\n`);
}

interface ApplyOptions extends StoreOptions, KeyOptions {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `azimuth fleet apply`: puts the file into the database. The workers run it from now on. */
export async function runApply(path: string, options: ApplyOptions): Promise<void> {
  const { sealedText } = await import('./sealed-password.js');
  const keys = await optionalKeys(options);
  const { yaml, files, scanners } = await packedFleet(path, {
    seal: (group, password) => {
      if (keys !== undefined) return sealedText(keys, group, password);
      throw new CommandFailure(
        `${path}: the group ${group} has a password-file, which is sealed with the key of the deployment: set AZIMUTH_FLEET_KEY, or give --key-file`,
      );
    },
  });
  if (options.dryRun === true) {
    await print(
      options.json === true
        ? `${jsonText({ scanners: scanners.length, files: files.size })}\n`
        : `${path} is right: ${counted(scanners.length, 'scanner')}, ${counted(files.size, 'file')}. Nothing was applied.\n`,
    );
    return;
  }
  const applied = await withDatabase(options, 'azimuth fleet apply', { connections: 1 }, async (database) => {
    await checkSchema(database);
    return applyFleet(database, {
      ...{ yaml, files },
      scanners: scanners.map(({ serial, group }) => ({ serial, group })),
    });
  });
  const { version, added, removed, kept } = applied;
  const stays =
    removed === 0 ? '' : ' What a removed scanner has stored stays, and it finds it if it comes back.';
  await print(
    options.json === true
      ? `${jsonText(applied)}\n`
      : `Version ${version} of the fleet: ${counted(Number(added), 'scanner')} added, ${removed} removed, ${kept} kept.${stays}\n`,
  );
}

/** Returns the keys of the deployment; undefined if none are given. @throws CommandFailure if one is too short */
async function optionalKeys(options: KeyOptions): Promise<DeploymentKeys | undefined> {
  const isGiven = options.keyFile !== undefined || (process.env.AZIMUTH_FLEET_KEY ?? '') !== '';
  return isGiven ? deploymentKeys(options) : undefined;
}

interface ResealOptions extends StoreOptions, KeyOptions {
  readonly json?: boolean;
}

/**
 * `azimuth fleet reseal`: seals secret documents with the first key. @throws CommandFailure if some cannot be opened
 */
export async function runReseal(options: ResealOptions): Promise<void> {
  const keys = await deploymentKeys(options);
  const resealed = await withDatabase(
    options,
    'azimuth fleet reseal',
    { connections: 1 },
    async (database) => {
      await checkSchema(database);
      return reseal(database, keys);
    },
  );
  const { documents, changed, broken } = resealed;
  await print(
    options.json === true
      ? `${jsonText({ documents, changed, broken: broken.length })}\n`
      : `${documents} secret documents; ${changed} were resealed with the first key.\n`,
  );
  if (broken.length > 0) throw new CommandFailure(broken.join('; '), 'refused');
}

/** `azimuth fleet reset-passwords`. @throws CommandFailure if the fleet lacks one of the scanners */
export async function runResetPasswords(
  typed: readonly string[],
  options: StoreOptions & KeyOptions,
): Promise<void> {
  const serials = [...new Set(typed)];
  const keys = await deploymentKeys(options);
  const name = 'azimuth fleet reset-passwords';
  const unknown = await withDatabase(options, name, { connections: 1 }, async (database) => {
    await checkSchema(database);
    return resetCredentials(database, keys, serials, passwordsOfEnvironment(process.env));
  });
  const count = serials.length - unknown.length;
  if (count > 0)
    await print(
      `The passwords of ${counted(count, 'scanner')} were reset. They count from the next power-on of each: azimuth fleet power-cycle SERIAL\n`,
    );
  if (unknown.length > 0)
    throw new CommandFailure(`the fleet has no scanner ${unknown.join(', ')}`, 'refused');
}
