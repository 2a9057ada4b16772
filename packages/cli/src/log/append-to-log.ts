import { appendCommand, type CommandEntry } from '@azimuth/monitor';
import type { LogPlace } from './log-place.js';

/** Appends what a command did to a log. When it resolves, it is on disk. @throws errors of the system or the database */
export async function appendToLog(place: LogPlace, entries: readonly CommandEntry[]): Promise<void> {
  if (place.store === undefined) {
    for (const entry of entries) await appendCommand(place.folder, entry);
    return;
  }
  const { appendToDatabase } = await import('./log-database.js');
  await appendToDatabase(place.store, entries);
}
