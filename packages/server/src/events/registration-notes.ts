import type { Journal } from '@azimuth/device/journal';
import type { Message } from './client-messages.js';

/** The registrations of one client of WebSockets, for the journal. */
export class RegistrationNotes {
  readonly #journal: Journal;
  readonly #path: string;
  readonly #client: string;

  constructor(journal: Journal, path: string, client: string) {
    this.#journal = journal;
    this.#path = path;
    this.#client = client;
  }

  /** Adds a message of a client of events. @param accepted false if it was refused */
  readonly registered = (message: Exclude<Message, { readonly kind: 'wrong' }>, accepted: boolean): void => {
    const { kind: action, event, clientId } = message;
    this.#add({ action, event, clientId, accepted });
  };

  /** Adds what a client under `/x/` watches. */
  watched(events: readonly string[]): void {
    for (const event of events) this.#add({ action: 'register', event, clientId: undefined, accepted: true });
  }

  #add(registration: {
    readonly action: 'register' | 'deregister';
    readonly event: string;
    readonly clientId: number | undefined;
    readonly accepted: boolean;
  }): void {
    const bytes = registration.event.length;
    this.#journal.add(
      { kind: 'registration', client: this.#client, path: this.#path, ...registration },
      bytes,
    );
  }
}
