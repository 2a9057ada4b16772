import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** Ms after which the system begins to probe a silent connection. */
const keepAliveAfter = 60_000;

/** Where a connection goes to. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

/** Authorities that vouch for the other side, if the connection is one of TLS. */
export interface Trust {
  /** Authorities in PEM; those of Node if undefined. */
  readonly ca?: string | undefined;
}

/**
 * Opens a connection over TCP, or over TLS if `trust` is given. What the other side sends is discarded.
 * @throws errors of the system, and of TLS if its certificate is not trusted
 */
export async function openConnection(
  { host, port }: Place,
  trust: Trust | undefined,
  signal: AbortSignal,
): Promise<Socket> {
  const socket =
    trust === undefined
      ? connect({ host, port })
      : connectTls({
          ...{ host, port, ca: trust.ca, minVersion: 'TLSv1.2' },
          // No server name is an address (RFC 6066, 3).
          ...(isIP(host) === 0 ? { servername: host } : {}),
        });
  const destroy = () => socket.destroy();
  signal.addEventListener('abort', destroy, { once: true });
  // Later errors close it, which its owner sees.
  socket.on('error', destroy);
  try {
    await once(socket, trust === undefined ? 'connect' : 'secureConnect', { signal });
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    signal.removeEventListener('abort', destroy);
  }
  socket.setKeepAlive(true, keepAliveAfter);
  socket.resume();
  return socket;
}
