import type { IncomingMessage } from 'node:http';
import { type Device, Later } from '@azimuth/device';
import { eventsSince, isFrom } from '@azimuth/model';
import { pathOf } from '../http/request-head.js';
import { SaidOnce } from '../said-once.js';
import type { Traffic } from '../traffic/traffic.js';

/** Where events are told as the specification has it. */
export const eventsPath = '/apievents';
const sameUnderApi = '/api/apievents';

/** Where every change is told, in every release. */
export const watchPath = '/x/events';

/** Does the release of this scanner have events? */
export function hasEvents({ edition }: Device): boolean {
  return isFrom(edition.release, eventsSince);
}

const notNow =
  'HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

const eventServer = new Later(async () => (await import('./event-server.js')).EventServer);

/** What takes the connections over, each after its request. */
interface Served {
  register(request: IncomingMessage, head: Buffer): void;
  watch(request: IncomingMessage, head: Buffer): void;
}

/** Takes connections over that become WebSockets. What serves them is loaded when the first one comes. */
export class EventUpgrades {
  readonly #device: Device;
  readonly #traffic: Traffic;
  readonly #strict: boolean;
  readonly #failures: SaidOnce;
  #server: Promise<Served> | undefined;

  /** @param strict whether clients are treated as strictly as devices do */
  constructor(device: Device, traffic: Traffic, strict: boolean) {
    this.#device = device;
    this.#traffic = traffic;
    this.#strict = strict;
    this.#failures = new SaidOnce(device.host.log);
  }

  /** Are WebSockets served at this path? */
  isAt(path: string): boolean {
    return path === watchPath || ((path === eventsPath || path === sameUnderApi) && hasEvents(this.#device));
  }

  /** Takes over what is at `isAt`. @param head what has come behind the request already */
  take(request: IncomingMessage, head: Buffer): void {
    const { socket } = request;
    const gone = () => socket.destroy();
    socket.on('error', gone);
    this.#served()
      .then((server) => {
        socket.off('error', gone);
        this.#failures.again();
        if (pathOf(request.url ?? '') === watchPath) server.watch(request, head);
        else server.register(request, head);
      })
      .catch((error: unknown) => {
        this.#failures.error('Events cannot be told', { reason: String(error) });
        // The handshake is all that was asked: any answer but 101 refuses it.
        socket.once('finish', gone);
        socket.end(notNow);
      });
  }

  async #served(): Promise<Served> {
    this.#server ??= this.#load();
    try {
      return await this.#server;
    } catch (error) {
      this.#server = undefined;
      throw error;
    }
  }

  async #load(): Promise<Served> {
    const Server = await eventServer.loaded();
    return new Server(this.#device, this.#traffic, this.#strict);
  }
}
