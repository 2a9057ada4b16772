import type { Server } from 'node:net';

/** A port that cannot be opened, with what a person can do about it. */
export class PortTaken extends Error {
  override readonly name = 'PortTaken';
  /** What is wrong, without the advice. */
  readonly problem: string;

  constructor(problem: string, advice: string) {
    super(`${problem}. ${advice}`);
    this.problem = problem;
  }
}

/** The port is held by another listener. */
export class PortInUse extends PortTaken {}

/** How many newcomers the system keeps for us while we are busy, where it allows as many: floods come unannounced. */
const backlog = 4096;

/**
 * Opens a listener and answers its port. `flag` is the option that chooses it.
 * @throws PortTaken
 */
export async function listen(server: Server, host: string, port: number, flag: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explained(error, host, port, flag)));
    server.listen({ host, port, exclusive: true, backlog }, () => {
      server.removeAllListeners('error');
      resolve();
    });
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

function explained(error: Error, host: string, port: number, flag: string): Error {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    return new PortInUse(
      `Port ${port} on ${host} is in use`,
      `Stop the program that has it, or choose another one with ${flag} (0 takes any free one).`,
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

/** Where something listens. */
export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

/** Does a listener there have all addresses of this machine? */
export function isEverywhere(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

/** The URL that a server answers under. */
export function urlOf({ host, port }: HostAndPort, scheme: 'http' | 'https' | 'tcp'): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
