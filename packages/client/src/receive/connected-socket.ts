import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { UnreachableError } from '../errors.js';

interface ConnectOptions {
  readonly host: string;
  readonly port: number;
  /** The name of the connection in errors: `tcp://192.168.0.1:2115`. */
  readonly label: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Opens a TCP connection, with one attempt.
 * @throws UnreachableError if nothing answers in time; the reason of the signal if it aborts
 */
export async function connectedSocket({
  host,
  port,
  label,
  timeoutMs,
  signal,
}: ConnectOptions): Promise<Socket> {
  signal?.throwIfAborted();
  const socket = connect({ host, port });
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    await once(socket, 'connect', {
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    });
  } catch (error) {
    socket.on('error', () => undefined).destroy();
    signal?.throwIfAborted();
    const reason = limit.aborted ? `no connection within ${timeoutMs / 1000} s` : socketErrorText(error);
    throw new UnreachableError(label, reason, error);
  }
  return socket;
}

/** Returns the error code of the system, else its message. */
export function socketErrorText(error: unknown): string {
  if (!(error instanceof Error)) return 'for no known reason';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
