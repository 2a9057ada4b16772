import type { Device } from '@azimuth/device';
import type { ClientConnection } from './client-connection.js';
import { type Echo, type Message, messageOf } from './client-messages.js';
import type { EventCounts } from './event-metrics.js';
import { leastRegisterInterval, mostRegistrations, mostRegistrationsTogether } from './limits.js';
import type { RegistrationNotes } from './registration-notes.js';
import type { Feed, Feeds } from './registrations.js';
import { Registration } from './registrations.js';
import { SendQueue } from './send-queue.js';

interface Options {
  readonly device: Device;
  readonly feeds: Feeds;
  readonly connection: ClientConnection;
  readonly counts: EventCounts;
  readonly strict: boolean;
  /** Called for each valid message with a registration, or with the end of one. */
  readonly registered?: RegistrationNotes['registered'] | undefined;
}

type Register = Message & { readonly kind: 'register' };

/** A client of events with its registrations, until its connection is closed. */
export class Subscriber {
  readonly #options: Options;
  readonly #sendQueue: SendQueue;
  readonly #registrations = new Map<string, { readonly registration: Registration; readonly feed: Feed }>();
  #registeredAt = Number.NEGATIVE_INFINITY;

  constructor(options: Options) {
    const { connection, counts, strict } = options;
    const { socket } = connection;
    this.#options = options;
    this.#sendQueue = new SendQueue(connection, counts);
    socket.once('close', () => this.#end());
    if (strict && !connection.isCompressed) {
      socket.close(1002, 'permessage-deflate is needed');
      return;
    }
    connection.onMessage((data, isBinary) => {
      options.device.clock.catchUp();
      if (!connection.isOpen) return;
      if (isBinary) socket.close(1003, 'expected text frames of JSON');
      else this.#receive(messageOf(String(data)));
    });
  }

  #receive(message: Message): void {
    if (message.kind === 'wrong') {
      this.#refuse(message.echo, message.error);
      return;
    }
    const accepted = message.kind === 'deregister' ? this.#remove(keyOf(message)) : this.#register(message);
    this.#options.registered?.(message, accepted);
  }

  /** Returns false if the registration is refused. */
  #register(message: Register): boolean {
    if (this.#options.strict && this.#isTooFast()) {
      this.#options.connection.reset();
      return false;
    }
    const { feeds, device } = this.#options;
    const { event, clientId } = message;
    const echo: Echo = { type: 'register', event, clientId };
    const feed = feeds.of(event);
    const key = keyOf(message);
    if (feed === undefined) return this.#refuse(echo, this.#unknown(event));
    if (this.#isFull && !this.#registrations.has(key)) {
      const where = this.#registrations.size >= mostRegistrations ? 'this connection' : 'all connections';
      const count =
        this.#registrations.size >= mostRegistrations ? mostRegistrations : mostRegistrationsTogether;
      return this.#refuse(echo, `There are ${count} registrations on ${where}, which is the limit.`);
    }
    try {
      this.#add(key, feed, message);
      return true;
    } catch (error) {
      device.hardware.log.error('An event could not be registered', { event, reason: String(error) });
      return this.#refuse(echo, 'The scanner failed to read it; its log says why.');
    }
  }

  get #isFull(): boolean {
    return (
      this.#registrations.size >= mostRegistrations ||
      this.#options.counts.registrations >= mostRegistrationsTogether
    );
  }

  /** Registers. A registration with the same event and clientId replaces the earlier one. */
  #add(key: string, feed: Feed, { event, clientId, requested }: Register): void {
    const { current } = feed;
    const { counts, device } = this.#options;
    this.#remove(key);
    const registration = new Registration(
      {
        requested,
        head: headOf({ type: 'event', event, clientId }),
        sendQueue: this.#sendQueue,
        clock: device.clock,
        counts,
      },
      current,
    );
    this.#registrations.set(key, { registration, feed });
    feed.add(registration);
    this.#sendQueue.respond(headOf({ type: 'register', event, clientId }) + current);
  }

  /** Returns false if there is no such registration. */
  #remove(key: string): boolean {
    const registration = this.#registrations.get(key);
    if (registration === undefined) return false;
    this.#registrations.delete(key);
    registration.feed.delete(registration.registration);
    registration.registration.end();
    return true;
  }

  #refuse(echo: Echo, error: string): false {
    this.#sendQueue.respond(JSON.stringify({ ...echo, status: 1, error }));
    return false;
  }

  #unknown(event: string): string {
    const { names } = this.#options.feeds;
    const similar = names.find((name) => name.toLowerCase() === event.toLowerCase());
    const hint = similar === undefined ? `There are ${names.join(', ')}.` : `Did you mean ${similar}?`;
    return `Failed to register event ${JSON.stringify(event)}. Does the event exist? ${hint}`;
  }

  #isTooFast(): boolean {
    const now = this.#options.device.clock.monotonic();
    const isTooFast = now - this.#registeredAt < leastRegisterInterval;
    this.#registeredAt = now;
    return isTooFast;
  }

  #end(): void {
    for (const key of [...this.#registrations.keys()]) this.#remove(key);
    this.#sendQueue.end();
  }
}

function keyOf({ event, clientId }: { readonly event: string; readonly clientId: number }): string {
  return `${clientId} ${event}`;
}

/** Returns the beginning of a message: its members without the closing brace. */
function headOf(echo: Echo): string {
  return JSON.stringify(echo).slice(0, -1);
}
