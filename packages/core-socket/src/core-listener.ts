import { once } from 'node:events';
import { lstatSync, rmSync } from 'node:fs';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { codeOf } from '@azimuth/device/documents';
import { mostConnections } from './limits.js';
import { addressText, type SocketAddress, SocketAddressError } from './socket-address.js';

/** Access to the file of a UNIX socket: the owner only. */
const ownerOnly = 0o177;

/**
 * Listens for cores.
 * @throws SocketAddressError if something else is at this address
 */
export class CoreListener {
  readonly #server: Server;
  readonly address: SocketAddress;

  private constructor(server: Server, address: SocketAddress) {
    this.#server = server;
    this.address = address;
  }

  static async open(address: SocketAddress, connected: (socket: Socket) => void): Promise<CoreListener> {
    const server = createServer({ noDelay: true }, connected);
    server.maxConnections = mostConnections;
    if (address.kind === 'unix') {
      await removeStaleFile(address.path);
      // The file never exists with other rights, not even for a moment.
      const mask = process.umask(ownerOnly);
      try {
        server.listen(address.path);
      } finally {
        process.umask(mask);
      }
    } else {
      server.listen(address.port, address.host);
    }
    try {
      await once(server, 'listening');
    } catch (error) {
      throw new SocketAddressError(`${addressText(address)}: ${reasonOf(error)}`);
    }
    return new CoreListener(server, portOf(server, address));
  }

  /** Accepts no more connections. Those that are open stay. A UNIX socket file is removed. */
  close(): void {
    this.#server.close();
  }
}

/** The address with the port that was chosen for port 0. */
function portOf(server: Server, address: SocketAddress): SocketAddress {
  const bound = server.address();
  return address.kind === 'tcp' && bound !== null && typeof bound === 'object'
    ? { ...address, port: bound.port }
    : address;
}

/** Removes the socket file of a scanner that was killed. */
async function removeStaleFile(path: string): Promise<void> {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (!stats.isSocket())
    throw new SocketAddressError(`${path}: there is already something that is no socket`);
  if (await isListening(path)) throw new SocketAddressError(`${path}: another program listens there`);
  rmSync(path, { force: true });
}

async function isListening(path: string): Promise<boolean> {
  const socket = createConnection(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch (error) {
    // Without the right to connect, or with a full queue, somebody may listen.
    return codeOf(error) !== 'ECONNREFUSED' && codeOf(error) !== 'ENOENT';
  } finally {
    socket.destroy();
  }
}

function reasonOf(error: unknown): string {
  if (codeOf(error) === 'EADDRINUSE') return 'another program listens there';
  return error instanceof Error ? error.message : String(error);
}
