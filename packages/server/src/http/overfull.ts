import type { Duplex } from 'node:stream';

const overfull = new Set<Duplex>();

/** This connection has brought too much: nothing that comes behind what was refused is wanted. */
export function noteOverfull(connection: Duplex): void {
  if (connection.destroyed) return;
  overfull.add(connection);
  connection.once('close', () => overfull.delete(connection));
}

/** Is nothing more of what this connection has brought wanted? */
export function isUnwanted(connection: Duplex): boolean {
  return connection.destroyed || (overfull.size > 0 && overfull.has(connection));
}
