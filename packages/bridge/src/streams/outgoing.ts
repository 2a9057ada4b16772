import { once } from 'node:events';
import type { Server } from 'node:net';
import type { Destination } from './destination.js';
import type { Tallied } from './tally.js';

/** A destination to which telegrams are sent. */
export interface Outgoing {
  /** The destination with the port that is open: `tcp-listen://127.0.0.1:2120`. */
  readonly url: string;
  /** Number of connected clients; undefined if there are no connections. */
  readonly clients: number | undefined;
  /** Address from which datagrams are sent, as in `Arrived`; undefined if there are only connections. */
  readonly sender: string | undefined;
  readonly tally: Tallied;
  /** Sends a telegram in this turn of the event loop, or queues it. Its bytes must not be changed afterwards. */
  send(telegram: Uint8Array): void;
  close(): Promise<void>;
}

/** A port cannot be opened. The message names it, and what can be done. */
export class OpenError extends Error {
  override readonly name = 'OpenError';

  constructor(url: string, cause: unknown) {
    super(`${url} cannot be opened: ${reasonOf(cause)}`, { cause });
  }
}

/** Opens the port of a listener. @returns its URL, with the port that is open @throws OpenError */
export async function listening(server: Server, { url, host, port }: Destination): Promise<string> {
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
  } catch (error) {
    throw new OpenError(url, error);
  }
  const address = server.address();
  const opened = typeof address === 'object' && address !== null ? address.port : port;
  return `${url.slice(0, url.indexOf(':'))}://${host}:${opened}`;
}

const advice: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses this port (EADDRINUSE)',
  EACCES: 'only administrators may use ports below 1024 (EACCES)',
  EADDRNOTAVAIL: 'this computer has no such address (EADDRNOTAVAIL)',
};

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return (
    ('code' in error && typeof error.code === 'string' ? advice[error.code] : undefined) ?? error.message
  );
}
