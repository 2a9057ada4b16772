import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Memory, memory, sharedClock } from '../proc.js';
import { type Child, cores, end, start } from './children.js';
import { freePort } from './free-port.js';
import type { LoadProcess } from './load.js';

/** Things that a server needs beside itself. */
export interface Place {
  readonly load: LoadProcess;
  /** A folder of this run, on the disk of the repository. */
  readonly folder: string;
}

interface Options {
  readonly name: string;
  /** The command line for a port. */
  readonly command: (port: number) => readonly string[];
  /** The path that is requested until the response is 200. */
  readonly path: string;
  /** Additional environment variables; NODE_ENV=production by default. */
  readonly env?: Readonly<Record<string, string>>;
}

let started = 0;

/** A server in its own process that has sent one response. */
export class Server {
  readonly name: string;
  readonly port: number;
  readonly pid: number;
  /** Milliseconds from the start of the process to its first response. */
  readonly firstResponse: number;
  readonly #child: Child;

  private constructor(name: string, port: number, child: Child, firstResponse: number) {
    this.name = name;
    this.port = port;
    this.pid = child.pid;
    this.firstResponse = firstResponse;
    this.#child = child;
  }

  static async start(
    { load, folder }: Place,
    { name, command, path, env = { NODE_ENV: 'production' } }: Options,
  ): Promise<Server> {
    const port = await freePort();
    const log = join(folder, `${name.replaceAll(/\W+/g, '-')}-${++started}.log`);
    const file = openSync(log, 'a');
    // The requests begin before the server starts.
    const responded = load.firstResponse({ port, path });
    const begun = sharedClock();
    const child = start({
      core: cores.server,
      command: command(port),
      stdio: ['ignore', 'ignore', file],
      env,
    });
    closeSync(file);
    const exited = new Promise<never>((_resolve, reject) => {
      child.once('exit', () =>
        reject(new Error(`${name} has ended: ${readFileSync(log, 'utf8').slice(-2000)}`)),
      );
    });
    // Nothing awaits it after the first response.
    exited.catch(() => undefined);
    return new Server(name, port, child, (await Promise.race([responded, exited])) - begun);
  }

  get memory(): Memory {
    return memory(this.pid);
  }

  async get(path: string): Promise<string> {
    const response = await fetch(`http://127.0.0.1:${this.port}${path}`);
    if (response.status !== 200) throw new Error(`${this.name}: GET ${path} is answered ${response.status}`);
    return response.text();
  }

  async end(): Promise<void> {
    await end(this.#child);
  }
}
