import type { ServerResponse } from 'node:http';
import { eventText, type FleetEvent, type LostEvents } from '../events/fleet-event.js';

/** Characters of events that wait for one slow follower: 300,000 power-ons. */
const mostWaiting = 32 * 1024 * 1024;

/** Characters of events that wait for all followers of a port together. An event for several followers counts once. */
const mostWaitingInAll = 128 * 1024 * 1024;

/** Characters that are written to a connection in one piece. */
const pieceLength = 64 * 1024;

/** Sent events at the head of a queue before the queue is shortened. So shortening costs little for each event. */
const mostSent = 1024;

/** The text of an event. All followers that wait for it share it. */
interface SharedText {
  readonly text: string;
  /** Number of events that it stands for. */
  readonly events: number;
  waiting: number;
}

/** The texts of events that followers wait for. */
export class EventTexts {
  readonly #most: number;
  #latest: FleetEvent | LostEvents | undefined;
  #text: SharedText | undefined;
  #length = 0;

  /** @param most characters of all texts together */
  constructor(most = mostWaitingInAll) {
    this.#most = most;
  }

  /** Returns the text of an event. All followers get one event before the next one. */
  of(event: FleetEvent | LostEvents): SharedText {
    if (this.#text === undefined || this.#latest !== event) {
      const events = event.event === 'lost' ? event.events : 1;
      this.#text = { text: eventText(event), events, waiting: 0 };
      this.#latest = event;
    }
    return this.#text;
  }

  get isFull(): boolean {
    return this.#length > this.#most;
  }

  hold(shared: SharedText): void {
    if (shared.waiting++ === 0) this.#length += shared.text.length;
  }

  release(shared: SharedText): void {
    if (--shared.waiting === 0) this.#length -= shared.text.length;
  }
}

/** The events to send to one follower. Above the limits, the oldest events are lost, and the follower gets their number. */
export class WaitingEvents {
  readonly #response: ServerResponse;
  readonly #texts: EventTexts;
  readonly #waiting: SharedText[] = [];
  /** Number of events, from the first one on, that were sent or lost. */
  #sent = 0;
  #length = 0;
  #lost = 0;

  constructor(response: ServerResponse, texts: EventTexts) {
    this.#response = response;
    this.#texts = texts;
    response.on('drain', () => this.#sendWaiting());
    response.once('close', () => this.#forget());
  }

  send(event: FleetEvent | LostEvents): void {
    const shared = this.#texts.of(event);
    if (!this.#response.writableNeedDrain) {
      this.#response.write(shared.text);
      return;
    }
    this.#waiting.push(shared);
    this.#length += shared.text.length;
    this.#texts.hold(shared);
    while (this.#length > mostWaiting || (this.#texts.isFull && this.#length > 0))
      this.#lost += this.#removeFirst()?.events ?? 0;
  }

  sayAlive(): void {
    if (!this.#response.writableNeedDrain) this.#response.write(':\n\n');
  }

  #sendWaiting(): void {
    while (!this.#response.writableNeedDrain && (this.#lost > 0 || this.#length > 0)) {
      let piece = this.#lost > 0 ? eventText({ event: 'lost', events: this.#lost }) : '';
      this.#lost = 0;
      while (piece.length < pieceLength && this.#length > 0) piece += this.#removeFirst()?.text ?? '';
      this.#response.write(piece);
    }
  }

  #removeFirst(): SharedText | undefined {
    const oldest = this.#waiting[this.#sent];
    if (oldest === undefined) return undefined;
    this.#sent++;
    this.#length -= oldest.text.length;
    this.#texts.release(oldest);
    if (this.#sent === this.#waiting.length || this.#sent >= Math.max(mostSent, this.#waiting.length / 2)) {
      this.#waiting.splice(0, this.#sent);
      this.#sent = 0;
    }
    return oldest;
  }

  #forget(): void {
    while (this.#length > 0) this.#removeFirst();
  }
}
