import { readFile } from 'node:fs/promises';
import type { Log } from '@azimuth/device';
import { shortestKey } from '@azimuth/fleet';
import {
  BadDatabaseUrl,
  Database,
  DatabaseAway,
  type DatabaseOptions,
  DatabaseRefused,
  limitsOfLeases,
  SchemaMismatch,
} from '@azimuth/fleet/database';
import type { Command } from 'commander';
import { CommandFailure } from '../command-failure.js';

/** What commands are told that work with the database of a fleet. */
export interface StoreOptions {
  readonly store?: string;
}

/** What processes of a fleet are told beside that. */
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
    `file with the key of the deployment: ${shortestKey} characters or more, the same for all workers and gateways (env: AZIMUTH_FLEET_KEY)`,
  );
}

/** @throws CommandFailure if there is none */
export async function keyOf({ keyFile }: KeyOptions): Promise<string> {
  const key =
    keyFile === undefined
      ? (process.env.AZIMUTH_FLEET_KEY ?? '')
      : await readFile(keyFile, 'utf8').catch((error: Error) => {
          throw new CommandFailure(`--key-file: ${error.message}`);
        });
  if (key.trim().length >= shortestKey) return key.trim();
  throw new CommandFailure(
    key.trim() === ''
      ? 'a worker and a gateway need the key of the deployment: set AZIMUTH_FLEET_KEY, or give --key-file (openssl rand -hex 32 makes one)'
      : `the key of the deployment has ${key.trim().length} characters: expected ${shortestKey} or more`,
  );
}

/** @param program as the database lists it @throws CommandFailure if there is no URL, or a wrong one */
export function databaseOf(
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

/** The database with connections of its own for leases. @param lease s that they are good for */
export function leaseDatabaseOf(options: StoreOptions, program: string, log: Log, lease: number): Database {
  return databaseOf(options, `${program}, leases`, log, limitsOfLeases(lease * 1000));
}

/** Does something with the database; its failures are those of the command. */
export async function fromDatabase<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof DatabaseAway) throw new CommandFailure(error.message, 'unreachable');
    if (error instanceof SchemaMismatch || error instanceof DatabaseRefused)
      throw new CommandFailure(error.message, 'refused');
    throw error;
  }
}
