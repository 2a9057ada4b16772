import type { LogEntry } from '../log/log-entry.js';
import type { LogStore } from '../log/log-store.js';
import type { LastParameters, LastSeen } from './last-parameters.js';

/** What the last run of the monitor has left about one scanner. */
export interface LastRun {
  readonly seen: LastSeen;
  /** Entries that were stored after `seen` was written: the monitor ended between the two. */
  readonly logged: readonly LogEntry[];
}

/** Reads what the last run has left about scanners, by their names. */
export async function lastRunOf(
  names: readonly string[],
  {
    lastParameters,
    store,
  }: { readonly lastParameters: LastParameters; readonly store: Pick<LogStore, 'read'> },
): Promise<ReadonlyMap<string, LastRun>> {
  const runs = new Map<string, { readonly seen: LastSeen; readonly logged: LogEntry[] }>();
  for (const name of names) {
    const seen = await lastParameters.read(name);
    if (seen !== undefined) runs.set(name, { seen, logged: [] });
  }
  if (runs.size === 0) return runs;
  const since = Math.min(...[...runs.values()].map(({ seen }) => seen.at));
  for await (const entry of store.read({ since, kinds: ['parameter', 'value', 'happening'] })) {
    const run = runs.get(entry.scanner);
    if (run !== undefined && entry.at > run.seen.at) run.logged.push(entry);
  }
  return runs;
}
