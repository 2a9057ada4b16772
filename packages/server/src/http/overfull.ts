import type { Duplex } from 'node:stream';

const overfull = new WeakSet<Duplex>();

/** This connection has brought too much: nothing that comes behind what was refused is wanted. */
export function noteOverfull(connection: Duplex): void {
  overfull.add(connection);
}

/** Is nothing more of what this connection has brought wanted? */
export function isUnwanted(connection: Duplex): boolean {
  return connection.destroyed || overfull.has(connection);
}
