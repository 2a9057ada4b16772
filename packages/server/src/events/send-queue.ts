import { type discardRules, priorities } from '@azimuth/model';
import type { ClientConnection } from './client-connection.js';
import type { EventCounts } from './event-metrics.js';
import { mostWaitingResponses, mostWaitingTogether, mostWaitingValues } from './limits.js';

export type Priority = (typeof priorities)[number];

/** Limits of the values of one registration that wait while its client reads too slowly. */
export interface QueueRules {
  readonly priority: Priority;
  /** Number of values. */
  readonly maxSize: number;
  /** Value that is dropped when a value arrives at a full queue: the oldest one or the new one. */
  readonly discardIfFull: (typeof discardRules)[number];
}

/** Part of a connection that a send queue uses. */
export type Sender = Pick<ClientConnection, 'isFull' | 'onDrain' | 'send' | 'pause' | 'resume' | 'cut'>;

interface Waiting {
  readonly value: string;
  /** Arrival number of each waiting value. */
  readonly order: number;
}

/** The queue of values of one registration. */
export class ValueQueue {
  readonly rules: QueueRules;
  readonly head: string;
  readonly waiting: Waiting[] = [];

  /** @param head the beginning of its messages */
  constructor(rules: QueueRules, head: string) {
    this.rules = rules;
    this.head = head;
  }
}

/**
 * Queue of everything that is sent to one client. While the client reads, messages are sent at once. Otherwise responses
 * come first, then values by the priority of their registrations, oldest first.
 */
export class SendQueue {
  readonly #connection: Sender;
  readonly #counts: EventCounts;
  readonly #queues = new Set<ValueQueue>();
  readonly #responses: string[] = [];
  #responseLength = 0;
  #valueLength = 0;
  #counter = 0;

  constructor(connection: Sender, counts: EventCounts) {
    this.#connection = connection;
    this.#counts = counts;
    connection.onDrain(() => this.#empty());
  }

  /** While a client does not read its responses, the scanner does not read its messages. */
  respond(text: string): void {
    if (!this.#connection.isFull) {
      this.#connection.send(text);
      return;
    }
    this.#responseLength += text.length;
    this.#count(text.length);
    this.#responses.push(text);
    if (this.#responseLength > mostWaitingResponses || this.#isFullForAll(0)) this.#connection.cut();
    else this.#connection.pause();
  }

  send(value: string, queue: ValueQueue): void {
    if (this.#connection.isFull) {
      this.#keep(value, queue);
      return;
    }
    this.#counts.pushed++;
    this.#connection.send(queue.head + value);
  }

  /** Drops the waiting values of this registration. */
  drop(queue: ValueQueue): void {
    for (const { value } of queue.waiting) this.#addValues(-value.length);
    queue.waiting.length = 0;
    this.#queues.delete(queue);
  }

  /** Drops everything that waits, because the connection is closed. */
  end(): void {
    for (const queue of [...this.#queues]) this.drop(queue);
    this.#count(-this.#responseLength);
    this.#responseLength = 0;
    this.#responses.length = 0;
  }

  #addValues(length: number): void {
    this.#valueLength += length;
    this.#count(length);
  }

  #count(length: number): void {
    this.#counts.waiting += length;
    this.#counts.waitingOfAll?.add(length);
  }

  /** Each iteration discards one value: a waiting one or the new one. */
  #keep(value: string, queue: ValueQueue): void {
    const { waiting, rules } = queue;
    const { length } = value;
    while (waiting.length >= rules.maxSize || this.#hasNoRoom(length)) {
      this.#counts.discarded++;
      const from = waiting.length >= rules.maxSize ? queue : this.#leastUrgent(queue);
      if (from === undefined || (from === queue && rules.discardIfFull === 'NEWEST')) return;
      this.#shift(from);
    }
    waiting.push({ value, order: this.#counter++ });
    this.#addValues(length);
    this.#queues.add(queue);
  }

  #hasNoRoom(length: number): boolean {
    return this.#valueLength + length > mostWaitingValues || this.#isFullForAll(length);
  }

  #isFullForAll(more: number): boolean {
    const { waiting, waitingOfAll } = this.#counts;
    return waiting + more > mostWaitingTogether || waitingOfAll?.hasRoom(more) === false;
  }

  /** Removes and returns the oldest value that waits there. */
  #shift(queue: ValueQueue): string | undefined {
    const value = queue.waiting.shift()?.value;
    if (queue.waiting.length === 0) this.#queues.delete(queue);
    this.#addValues(-(value?.length ?? 0));
    return value;
  }

  #empty(): void {
    while (!this.#connection.isFull) {
      const response = this.#responses.shift();
      if (response === undefined) break;
      this.#responseLength -= response.length;
      this.#count(-response.length);
      this.#connection.send(response);
    }
    if (this.#responses.length > 0) return;
    this.#connection.resume();
    while (!this.#connection.isFull) {
      const queue = this.#next();
      const first = queue === undefined ? undefined : this.#shift(queue);
      if (queue === undefined || first === undefined) return;
      this.send(first, queue);
    }
  }

  #next(): ValueQueue | undefined {
    let next: ValueQueue | undefined;
    for (const queue of this.#queues) if (next === undefined || isBefore(queue, next)) next = queue;
    return next;
  }

  /**
   * Returns the queue whose oldest value is dropped for a value of `newcomer`. It has the lowest priority, not above
   * that of `newcomer`. Among these, queues with several waiting values come first, then the queue with the oldest
   * value.
   */
  #leastUrgent(newcomer: ValueQueue): ValueQueue | undefined {
    const isOnly = (queue: ValueQueue) => queue !== newcomer && queue.waiting.length === 1;
    const precedes = (one: ValueQueue, other: ValueQueue) => {
      if (rankOf(one) !== rankOf(other)) return rankOf(one) > rankOf(other);
      if (isOnly(one) !== isOnly(other)) return isOnly(other);
      return orderOf(one) < orderOf(other);
    };
    let least: ValueQueue | undefined;
    for (const queue of this.#queues) {
      if (rankOf(queue) < rankOf(newcomer)) continue;
      if (least === undefined || precedes(queue, least)) least = queue;
    }
    return least;
  }
}

const rankOf = ({ rules }: ValueQueue) => priorities.indexOf(rules.priority);
const orderOf = ({ waiting }: ValueQueue) => waiting[0]?.order ?? 0;

function isBefore(one: ValueQueue, other: ValueQueue): boolean {
  if (rankOf(one) !== rankOf(other)) return rankOf(one) < rankOf(other);
  return orderOf(one) < orderOf(other);
}
