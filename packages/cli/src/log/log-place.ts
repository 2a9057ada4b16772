import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Options that say where the log of the monitor is. */
export interface LogPlaceOptions {
  readonly log?: string;
  readonly store?: string;
}

/** Where the log is: a folder, or a database if its URL is given. */
export type LogPlace =
  | { readonly folder: string; readonly store?: undefined }
  | { readonly folder?: undefined; readonly store: string };

/** The place of the options, else of the environment, else the folder of this user. */
export function logPlace({ log, store }: LogPlaceOptions): LogPlace {
  if (store !== undefined) return { store };
  if (log !== undefined) return { folder: resolve(log) };
  return placeOfEnvironment() ?? { folder: usualLogFolder() };
}

/** The place that AZIMUTH_LOG or AZIMUTH_LOG_STORE names; undefined if neither is set. */
export function placeOfEnvironment(): LogPlace | undefined {
  const { AZIMUTH_LOG: folder, AZIMUTH_LOG_STORE: store } = process.env;
  if (store) return { store };
  return folder ? { folder: resolve(folder) } : undefined;
}

/** The folder of the log without options: below XDG_STATE_HOME, else below `~/.local/state`. */
export function usualLogFolder(): string {
  return join(process.env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'azimuth', 'log');
}

/** The folder of the options, else of the environment, else that of this user; also if the log is in a database. */
export function logFolder({ log }: LogPlaceOptions): string {
  const named = log || process.env.AZIMUTH_LOG;
  return named ? resolve(named) : usualLogFolder();
}
