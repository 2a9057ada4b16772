import { hostname } from 'node:os';
import { FolderInUse } from '@azimuth/device/documents';
import { FolderLog, type LogStore, systemClock, usualRetention } from '@azimuth/monitor';
import { CommandFailure, systemErrorText } from '../command-failure.js';
import { type LogPlaceOptions, logFolder, logPlace } from '../log/log-place.js';
import { remark } from '../output/output.js';

/** Options about the log of a monitor. */
export interface MonitorLogOptions extends LogPlaceOptions {
  /** Days. */
  readonly keep?: number;
  /** Name of the monitor in a database. */
  readonly name?: string;
}

/**
 * Opens the log of a monitor: a folder, or a database. Entries for a database are first in a folder, beside that of the log.
 * @throws CommandFailure if that is not possible
 */
export async function openMonitorLog(options: MonitorLogOptions): Promise<LogStore> {
  const { keep: keepDays = usualRetention.keepDays, name: monitor = hostname() } = options;
  const common = { clock: systemClock, report: remark, keepDays };
  const { store } = options.store === undefined ? logPlace(options) : options;
  const folder = logFolder(options);
  if (store === undefined) return opened(folder, () => FolderLog.open({ ...common, folder }));
  const { openDatabaseLog } = await import('../log/log-database.js');
  const spool = `${folder}-spool`;
  return opened(spool, () => openDatabaseLog(store, { ...common, folder: spool, monitor }));
}

/** @throws CommandFailure if another monitor has the folder, or the system refuses it */
async function opened(folder: string, open: () => Promise<LogStore>): Promise<LogStore> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof FolderInUse)
      throw new CommandFailure(
        `${folder} is in use by process ${error.holder}: it is the log of another monitor; stop that one, or choose another folder with --log`,
        'refused',
      );
    if (!(error instanceof Error) || !('errno' in error)) throw error;
    throw new CommandFailure(`the log in ${folder} cannot be opened: ${systemErrorText(error)}`, 'refused');
  }
}
