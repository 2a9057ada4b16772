import { FolderStorage, type Log, type Storage } from '@azimuth/device';
import { CommandFailure } from '../command-failure.js';
import type { Stored } from './startup-output.js';

/** Storage options of `azimuth serve`. */
interface OpenStorage {
  readonly storage: Storage;
  readonly stored: Stored;
}

interface StorageOptions {
  /** The folder, used without a database. */
  readonly folder: string;
  /** URL of a database. */
  readonly store: string | undefined;
  readonly keyFile: string | undefined;
  /** Duration of the lease of a scanner in a database without renewal, in s. */
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
}: StorageOptions): Promise<OpenStorage> {
  if (store === undefined)
    return { storage: await FolderStorage.open(folder, log), stored: { in: 'folder', where: folder } };
  const [
    { databaseFromOptions, fromDatabase, deploymentKeys, leaseDatabase },
    { checkSchema, limitsOfSaves, ScannerInUse },
    { StandaloneStorage },
  ] = await Promise.all([
    import('../database/database-options.js'),
    import('@azimuth/fleet/database'),
    import('@azimuth/fleet/worker'),
  ]);
  const keys = await deploymentKeys({ keyFile });
  const program = `azimuth serve ${serial}`;
  const limits = { connections: 4, ...limitsOfSaves(lease * 1000) };
  const database = databaseFromOptions({ store }, program, log, limits);
  const forLease = leaseDatabase({ store }, program, log, lease);
  try {
    const storage = await fromDatabase(async () => {
      await checkSchema(database);
      return StandaloneStorage.open({
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
