import { FolderStorage, type Log, type Storage } from '@azimuth/device';
import { CommandFailure } from '../command-failure.js';
import type { Stored } from './startup-output.js';

/** Where the scanner of `azimuth serve` stores its data. */
interface OpenStorage {
  readonly storage: Storage;
  readonly stored: Stored;
}

interface Wanted {
  /** The folder that is used without a database. */
  readonly folder: string;
  /** URL of a database. */
  readonly store: string | undefined;
  readonly keyFile: string | undefined;
  /** How long the lease of a scanner in a database is good for without being renewed, in s. */
  readonly lease: number;
  readonly serial: string;
  readonly log: Log;
  /** Called when another process may run the scanner. */
  readonly lost: (why: string) => void;
}

/**
 * Opens a folder, or the rows of the scanner in a database.
 * @throws FolderInUse, CommandFailure
 */
export async function openStorage({
  folder,
  store,
  keyFile,
  lease,
  serial,
  log,
  lost,
}: Wanted): Promise<OpenStorage> {
  if (store === undefined)
    return { storage: await FolderStorage.open(folder, log), stored: { in: 'folder', where: folder } };
  const [
    { databaseOf, fromDatabase, keysOf, leaseDatabaseOf },
    { checkSchema, limitsOfSaves, ScannerInUse },
    { StandaloneStorage: LoneStorage },
  ] = await Promise.all([
    import('../database/database-options.js'),
    import('@azimuth/fleet/database'),
    import('@azimuth/fleet/worker'),
  ]);
  const keys = await keysOf({ keyFile });
  const program = `azimuth serve ${serial}`;
  const limits = { connections: 4, ...limitsOfSaves(lease * 1000) };
  const database = databaseOf({ store }, program, log, limits);
  const forLease = leaseDatabaseOf({ store }, program, log, lease);
  try {
    const storage = await fromDatabase(async () => {
      await checkSchema(database);
      return LoneStorage.open({
        ...{ database, forLease, serial, keys, log, lost },
        leaseMilliseconds: lease * 1000,
      });
    });
    return { storage, stored: { in: 'database', where: database.where } };
  } catch (error) {
    await Promise.all([database.close(), forLease.close()]);
    if (error instanceof ScannerInUse) throw new CommandFailure(error.message, 'refused');
    throw error;
  }
}
