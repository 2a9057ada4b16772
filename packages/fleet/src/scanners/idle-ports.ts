import { createServer, type Server, type Socket } from 'node:net';
import {
  type HostAndPort,
  listen,
  type OpenPort,
  type OpenPorts,
  type SharedConnectionLimit,
} from '@azimuth/http';
import type { ScannerPorts } from './scanner-facts.js';

/** Connections of one port that may wait for the start of a scanner. */
const mostWaiting = 64;

interface IdlePort {
  readonly server: Server;
  readonly host: string;
  readonly port: number;
  readonly waiting: Set<Socket>;
}

const names = ['http', 'legacyA', 'legacyB'] as const;

/** The ports of an idle scanner. The first connection at one of them starts the scanner, which then takes the ports over. */
export class IdlePorts implements OpenPorts {
  readonly #open: IdlePort[] = [];
  readonly #connections: SharedConnectionLimit;
  readonly #needed: () => void;
  #ports: ScannerPorts;

  private constructor(wanted: ScannerPorts, connections: SharedConnectionLimit, needed: () => void) {
    this.#ports = wanted;
    this.#connections = connections;
    this.#needed = needed;
  }

  /**
   * Opens the ports that have a number. `openAny` later opens those that may be any free ones, when all scanners have opened
   * their numbered ports: the system could choose one of these numbers.
   * @param connections of all scanners of the fleet
   * @param needed called at a connection
   * @throws PortTaken
   */
  static async open(
    wanted: ScannerPorts,
    connections: SharedConnectionLimit,
    needed: () => void,
  ): Promise<IdlePorts> {
    const ports = new IdlePorts(wanted, connections, needed);
    await ports.#openIf((port) => port !== 0);
    return ports;
  }

  /** Opens the other ports. @throws PortTaken: then none is open any more */
  openAny(): Promise<void> {
    return this.#openIf((port) => port === 0);
  }

  /** The open ports, with their numbers. */
  get ports(): ScannerPorts {
    return this.#ports;
  }

  /** True if a client has connected. */
  get isNeeded(): boolean {
    return this.#open.some(({ waiting }) => waiting.size > 0);
  }

  async #openIf(condition: (port: number) => boolean): Promise<void> {
    try {
      for (const name of names) {
        const port = this.#ports[name];
        if (condition(port)) this.#ports = { ...this.#ports, [name]: await this.#openOne(port) };
      }
    } catch (error) {
      this.close();
      throw error;
    }
  }

  async #openOne(wanted: number): Promise<number> {
    const { host } = this.#ports;
    const waiting = new Set<Socket>();
    // Nothing is read before the scanner itself reads.
    const server = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (socket) => {
      socket.on('error', () => socket.destroy());
      if (waiting.size >= mostWaiting || !this.#connections.admit(socket)) {
        socket.destroy();
        return;
      }
      waiting.add(socket);
      socket.once('close', () => {
        waiting.delete(socket);
      });
      this.#needed();
    });
    const port = await listen(server, host, wanted, '--port');
    this.#open.push({ server, waiting, host, port });
    return port;
  }

  claim({ host, port }: HostAndPort): OpenPort | undefined {
    const index = this.#open.findIndex((open) => open.host === host && open.port === port);
    if (index < 0) return undefined;
    const [open] = this.#open.splice(index, 1);
    if (open === undefined) return undefined;
    // From now on, the scanner counts them.
    const waiting = [...open.waiting];
    open.waiting.clear();
    for (const socket of waiting) this.#connections.release(socket);
    return { server: open.server, waiting };
  }

  /** Closes the ports that were not taken over, for example because their interface is switched off. */
  close(): void {
    for (const { server, waiting } of this.#open.splice(0)) {
      server.close();
      for (const socket of waiting) socket.destroy();
    }
  }
}
