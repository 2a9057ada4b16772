import { createServer, type Server, type Socket } from 'node:net';
import { type HostAndPort, listen, type OpenPort, type OpenPorts, type SharedLimit } from '@azimuth/server';
import type { UnitPorts } from './unit-facts.js';

/** Connections of one port that may wait for the start of a scanner. */
const mostWaiting = 64;

interface Early {
  readonly server: Server;
  readonly host: string;
  readonly port: number;
  readonly waiting: Set<Socket>;
}

/**
 * The ports of a scanner that is switched on and was not needed yet. The first connection at one of them makes somebody
 * start the scanner, which takes the ports over.
 */
export class EarlyPorts implements OpenPorts {
  readonly #open: Early[];
  readonly #connections: SharedLimit;
  /** The ports that it has opened, in place of those that were wanted. */
  readonly ports: UnitPorts;

  private constructor(open: Early[], connections: SharedLimit, ports: UnitPorts) {
    this.#open = open;
    this.#connections = connections;
    this.ports = ports;
  }

  /**
   * @param connections of all scanners of the fleet
   * @param needed is called when somebody connects
   * @throws PortTaken
   */
  static async open(wanted: UnitPorts, connections: SharedLimit, needed: () => void): Promise<EarlyPorts> {
    const open: Early[] = [];
    const openOne = async (name: 'http' | 'legacyA' | 'legacyB'): Promise<number> => {
      const waiting = new Set<Socket>();
      // Nothing is read before the scanner itself reads.
      const server = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (socket) => {
        socket.on('error', () => socket.destroy());
        if (waiting.size >= mostWaiting || !connections.take(1)) {
          socket.destroy();
          return;
        }
        waiting.add(socket);
        socket.once('close', () => {
          if (waiting.delete(socket)) connections.add(-1);
        });
        needed();
      });
      const port = await listen(server, wanted.host, wanted[name], '--port');
      open.push({ server, waiting, host: wanted.host, port });
      return port;
    };
    try {
      const http = await openOne('http');
      const legacyA = await openOne('legacyA');
      const legacyB = await openOne('legacyB');
      return new EarlyPorts(open, connections, { ...wanted, http, legacyA, legacyB });
    } catch (error) {
      close(open);
      throw error;
    }
  }

  take({ host, port }: HostAndPort): OpenPort | undefined {
    const index = this.#open.findIndex((early) => early.host === host && early.port === port);
    if (index < 0) return undefined;
    const [early] = this.#open.splice(index, 1);
    if (early === undefined) return undefined;
    // The scanner counts them from now on.
    const waiting = [...early.waiting];
    early.waiting.clear();
    this.#connections.add(-waiting.length);
    return { server: early.server, waiting };
  }

  /** Closes what nobody has taken over, as the port of an interface that is switched off. */
  close(): void {
    close(this.#open);
    this.#open.length = 0;
  }
}

function close(open: readonly Early[]): void {
  for (const { server, waiting } of open) {
    server.close();
    for (const socket of waiting) socket.destroy();
  }
}
