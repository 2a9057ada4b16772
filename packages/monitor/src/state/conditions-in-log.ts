import type { LogStore } from '../log/log-store.js';
import type { ActiveCondition } from './scanner-snapshot.js';

/** Conditions that have begun and not ended, by the names of scanners. */
export type ConditionsInLog = ReadonlyMap<string, readonly ActiveCondition[]>;

/** Reads from the log which conditions have begun and not ended. */
export async function conditionsInLog(store: Pick<LogStore, 'read'>): Promise<ConditionsInLog> {
  const scanners = new Map<string, Map<string, ActiveCondition>>();
  for await (const entry of store.read({ kinds: ['condition'] })) {
    if (entry.kind !== 'condition') continue;
    const { scanner, condition: id, part, severity, text, since } = entry;
    const active = scanners.get(scanner) ?? new Map<string, ActiveCondition>();
    scanners.set(scanner, active);
    const key = JSON.stringify([id, part]);
    if (entry.change === 'begins') active.set(key, { id, part, severity, text, since });
    else active.delete(key);
  }
  return new Map([...scanners].map(([name, active]) => [name, [...active.values()]]));
}
