import type { ConnectionProtocol } from '../timeline/timeline-entry.js';
import type { RecordedEnds } from './recorded-connections.js';
import type { SessionEntry } from './session-line.js';

/** A connection of a session. */
interface SessionConnection extends RecordedEnds {
  /** Path of a WebSocket. */
  readonly path: string | undefined;
}

/** Returns the connections of a protocol in a session, in their order. Each number counts once, as a relay writes it. */
export function endsIn(
  entries: readonly SessionEntry[],
  protocol: ConnectionProtocol,
): readonly SessionConnection[] {
  const closed = new Map<number, RecordedEnds['closed']>();
  for (const entry of entries) {
    if (entry.kind === 'closed' && entry.direction === 'from scanner')
      closed.set(entry.connection, { at: entry.at, code: entry.code });
  }
  const opened = new Map<number, SessionConnection>();
  for (const entry of entries) {
    if (entry.kind !== 'opened' || entry.protocol !== protocol || opened.has(entry.connection)) continue;
    const { connection, at, path } = entry;
    opened.set(connection, { connection, path, opened: at, closed: closed.get(connection) });
  }
  return [...opened.values()];
}
