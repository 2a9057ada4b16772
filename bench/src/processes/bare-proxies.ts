import { program } from './child-program.js';
import { type Place, Server } from './server.js';

interface Proxied {
  readonly count: number;
  /** The path that is requested. */
  readonly path: string;
  /** The body of every response. */
  readonly body: string;
}

/** Bare `node:http` proxies, each before a server of its own that sends constant bytes. */
export class BareProxies {
  /** The proxies, without the servers behind them. */
  readonly servers: readonly Server[];
  readonly #behind: readonly Server[];

  private constructor(servers: readonly Server[], behind: readonly Server[]) {
    this.servers = servers;
    this.#behind = behind;
  }

  static async start(place: Place, { count, path, body }: Proxied): Promise<BareProxies> {
    const servers: Server[] = [];
    const behind: Server[] = [];
    for (let index = 0; index < count; index++) {
      const server = await Server.start(place, {
        name: 'node:http behind the proxy',
        command: (port) => program('bare-get', String(port), body),
        path,
      });
      behind.push(server);
      servers.push(
        await Server.start(place, {
          name: 'node:http proxy',
          command: (port) => program('bare-proxy', String(port), String(server.port)),
          path,
        }),
      );
    }
    return new BareProxies(servers, behind);
  }

  get ports(): readonly number[] {
    return this.servers.map(({ port }) => port);
  }

  async end(): Promise<void> {
    await Promise.all([...this.servers, ...this.#behind].map((server) => server.end()));
  }
}
