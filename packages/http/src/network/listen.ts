import type { Server, Socket } from 'node:net';
import { backlog } from '../limits.js';

/** Error for a port that cannot be opened, with advice on what to do. */
export class PortTaken extends Error {
  override readonly name = 'PortTaken';
  /** The problem, without the advice. */
  readonly problem: string;

  /**
   * Creates the error.
   * @param problem what is wrong, for example `port 80 is in use`
   * @param advice what to do, as a sentence
   */
  constructor(problem: string, advice: string) {
    super(`${problem}. ${advice}`);
    this.problem = problem;
  }
}

/** Error for a port that is held by another listener. */
export class PortInUse extends PortTaken {}

/**
 * Opens a listener and returns its port.
 * @param flag the command-line option of the port
 * @param open a listener that is open there already, and is taken over
 * @throws PortTaken
 */
export async function listen(
  server: Server,
  host: string,
  port: number,
  flag: string,
  open?: Server,
): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explained(error, host, port, flag)));
    const opened = () => {
      server.removeAllListeners('error');
      // If the system fails to accept a connection, the connection is lost. The process goes on.
      server.on('error', () => undefined);
      resolve();
    };
    if (open === undefined) server.listen({ host, port, exclusive: true, backlog }, opened);
    else server.listen(open, backlog, opened);
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

function explained(error: NodeJS.ErrnoException, host: string, port: number, flag: string): Error {
  const { code } = error;
  if (code === 'EADDRINUSE') {
    return new PortInUse(
      `Port ${port} on ${host} is in use`,
      `Stop the program that uses it, or choose another port with ${flag} (0: any free port).`,
    );
  }
  if (code === 'EACCES') {
    return new PortTaken(
      `Port ${port} needs more rights than this process has`,
      `Choose one above 1023 with ${flag}.`,
    );
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new PortTaken(`this machine does not have the address ${host}`, 'Choose another one with --host.');
  }
  return error;
}

/** The address of a listener. */
export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

/** Returns true if a listener at this host covers all addresses of this machine. */
export function isEverywhere(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

/** Returns the URL of a server at this address. */
export function urlOf({ host, port }: HostAndPort, scheme: 'http' | 'https' | 'tcp'): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Port that was opened for a scanner before the scanner was started. */
export interface OpenPort {
  /** Listening server. A scanner that takes it over listens in its place, without a moment in between. */
  readonly server: Server;
  /** Accepted connections from which nothing has been read. */
  readonly waiting: readonly Socket[];
}

/** Ports of a scanner that are open before it is started, so that the first connection can start it. */
export interface OpenPorts {
  /** Hands over the port at this address; undefined if there is none, or if it was handed over before. */
  claim(place: HostAndPort): OpenPort | undefined;
}
