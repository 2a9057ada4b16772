import type { Down } from './down.js';
import type { Route } from './route.js';
import type { Sending } from './sending.js';
import type { TelegramPort } from './telegram-port.js';

/** Telegrams one behind the other, to every client of a port. */
export class TcpRoute implements Route {
  readonly sending: Sending;
  readonly #port: TelegramPort;
  readonly #leave: () => void;
  #room = new Uint8Array(0);

  constructor(port: TelegramPort, number: number, sending: Sending, changed: () => void) {
    this.#port = port;
    this.sending = sending;
    let isSaid = false;
    const opened = () => {
      if (!isSaid) sending.begins(' to clients that connect');
      isSaid = true;
    };
    this.#leave = port.join(number, { clientsChanged: changed, opened });
  }

  get opening(): Promise<void> | undefined {
    return this.#port.opening;
  }

  get isWanted(): boolean {
    return this.#port.clients.size > 0;
  }

  get down(): Down | undefined {
    return this.#port.down;
  }

  room(bytes: number): Uint8Array {
    if (this.#room.length < bytes) this.#room = new Uint8Array(bytes);
    return this.#room;
  }

  /** Most clients take a telegram at once, and the room can be used again. Those that do not get a copy to keep. */
  send(telegram: Uint8Array): void {
    let copy: Uint8Array | undefined;
    let isTaken = false;
    for (const client of this.#port.clients) {
      if (client.isBusy) {
        copy ??= new Uint8Array(telegram);
        if (!client.keep(copy)) {
          this.sending.missedBy(client, 'slow');
          continue;
        }
      } else {
        client.write(telegram);
        isTaken ||= client.isBusy;
      }
      this.sending.sentTo(client, telegram.length);
    }
    if (isTaken) this.#room = new Uint8Array(0);
  }

  close(): void {
    this.#leave();
  }
}
