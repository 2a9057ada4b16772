import type { Log } from '@azimuth/device';
import { type DeploymentKeys, shortestKey } from '@azimuth/fleet';
import {
  BadDatabaseUrl,
  Database,
  type DatabaseOptions,
  DatabaseRefused,
  DatabaseUnavailable,
  KeyMismatch,
  limitsOfLeases,
  ScannersRunStandalone,
  SchemaMismatch,
} from '@azimuth/fleet/database';
import { CommandFailure } from '../command-failure.js';
import { maxFileBytes, readTextFile } from '../input/bounded-file.js';
import type { Command } from '../options/command.js';

/** Options of commands that work with the database of a fleet. */
export interface StoreOptions {
  readonly store?: string;
}

/** Further options of processes of a fleet. */
export interface KeyOptions {
  readonly keyFile?: string;
}

export function withStore(command: Command): Command {
  return command.option(
    '--store <url>',
    'the database: postgres://USER@HOST/DATABASE (env: AZIMUTH_STORE, with the password, so that no list of processes shows it)',
  );
}

export function withKey(command: Command): Command {
  return command.option(
    '--key-file <file>',
    `file with the key of the deployment: ${shortestKey} characters or more, the same for all workers and gateways; further lines are keys that are accepted, too, while the key is changed (env: AZIMUTH_FLEET_KEY)`,
  );
}

/** Reads the keys of the deployment, one on each line. @throws CommandFailure if there is none, or one is too short */
export async function deploymentKeys({ keyFile }: KeyOptions): Promise<DeploymentKeys> {
  const text =
    keyFile === undefined
      ? (process.env.AZIMUTH_FLEET_KEY ?? '')
      : await readTextFile(keyFile, { limit: maxFileBytes.secret, name: `--key-file ${keyFile}` });
  const lines = text.split('\n').map((line) => line.trim());
  const [first, ...others] = lines.filter((line) => line !== '');
  if (first === undefined)
    throw new CommandFailure(
      'the key of the deployment is needed: set AZIMUTH_FLEET_KEY, or give --key-file (openssl rand -hex 32 makes one)',
    );
  const keys: DeploymentKeys = [first, ...others];
  const short = keys.find(({ length }) => length < shortestKey);
  if (short === undefined) return keys;
  const which = keys.length === 1 ? '' : `, line ${lines.indexOf(short) + 1},`;
  throw new CommandFailure(
    `the key of the deployment${which} has ${short.length} characters: expected ${shortestKey} or more`,
  );
}

/** @param program its name in the database @throws CommandFailure if there is no URL, or a wrong one */
export function databaseFromOptions(
  { store }: StoreOptions,
  program: string,
  log: Log,
  limits: Partial<Omit<DatabaseOptions, 'url' | 'program' | 'log'>> = {},
): Database {
  const url = store ?? process.env.AZIMUTH_STORE ?? '';
  if (url === '')
    throw new CommandFailure(
      'expected --store postgres://USER@HOST/DATABASE, or the environment variable AZIMUTH_STORE',
    );
  try {
    return new Database({ url, program, log, ...limits });
  } catch (error) {
    if (error instanceof BadDatabaseUrl) throw new CommandFailure(`--store: ${error.message}`);
    throw error;
  }
}

/** Makes the database with connections of its own for leases. @param lease duration of a lease in s */
export function leaseDatabase(options: StoreOptions, program: string, log: Log, lease: number): Database {
  return databaseFromOptions(options, `${program}, leases`, log, limitsOfLeases(lease * 1000));
}

/** Runs an action with the database; its failures become those of the command. */
export async function fromDatabase<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw new CommandFailure(error.message, 'unreachable');
    if (
      [SchemaMismatch, KeyMismatch, DatabaseRefused, ScannersRunStandalone].some(
        (kind) => error instanceof kind,
      ) &&
      error instanceof Error
    )
      throw new CommandFailure(error.message, 'refused');
    throw error;
  }
}
