import type { IncomingMessage } from 'node:http';
import type { Device } from '@azimuth/device';
import { eventsSince, isFrom } from '@azimuth/model';
import { pathOf } from '../http/target.js';
import type { Traffic } from '../metrics/traffic.js';

/** Where events are told as the specification has it. */
export const eventsPath = '/apievents';
const sameUnderApi = '/api/apievents';

/** Where every change is told, in every release. */
export const watchPath = '/x/events';

/** Does the release of this scanner have events? */
export function hasEvents({ edition }: Device): boolean {
  return isFrom(edition.release, eventsSince);
}

/** What takes the connections over, each after its request. */
interface Served {
  register(request: IncomingMessage, head: Buffer): void;
  watch(request: IncomingMessage, head: Buffer): void;
}

/** Takes connections over that become WebSockets. What serves them is loaded when the first one comes. */
export class EventDesk {
  readonly #device: Device;
  readonly #traffic: Traffic;
  readonly #strict: boolean;
  #server: Promise<Served> | undefined;

  /** @param strict whether clients are treated as strictly as devices do */
  constructor(device: Device, traffic: Traffic, strict: boolean) {
    this.#device = device;
    this.#traffic = traffic;
    this.#strict = strict;
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
        if (pathOf(request.url ?? '') === watchPath) server.watch(request, head);
        else server.register(request, head);
      })
      .catch((error: unknown) => {
        this.#device.host.log.error('Events cannot be told', { reason: String(error) });
        gone();
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
    const { EventServer } = await import('./event-server.js');
    return new EventServer(this.#device, this.#traffic, this.#strict);
  }
}
