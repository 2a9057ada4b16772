import type { EventCounts } from '../traffic/traffic.js';
import type { Line } from './line.js';
import type { Tail } from './tail.js';

/** Characters of values that may wait for one client, whatever its queues allow. */
const mostWaiting = 1024 * 1024;

/** The same of replies: who registers on and reads nothing is cut off. */
const mostReplies = 1024 * 1024;

export const priorities = ['HIGH', 'MID', 'LOW'] as const;
export type Priority = (typeof priorities)[number];

/** How values of one registration wait while its client reads too slowly. */
export interface QueueRules {
  readonly priority: Priority;
  /** Values. */
  readonly maxSize: number;
  /** What is dropped for a value that comes when the queue is full: the oldest one, or that one. */
  readonly discardIfFull: 'OLDEST' | 'NEWEST';
}

/** What it needs of a line. */
export type Way = Pick<Line, 'isFull' | 'onDrain' | 'send' | 'pause' | 'resume' | 'cut'>;

interface Waiting {
  readonly tail: Tail;
  /** Which of all that wait came first. */
  readonly turn: number;
}

/** The values of one registration on their way to its client. */
export class Outlet {
  readonly rules: QueueRules;
  readonly head: Buffer;
  readonly waiting: Waiting[] = [];

  /** @param head what its messages begin with */
  constructor(rules: QueueRules, head: Buffer) {
    this.rules = rules;
    this.head = head;
  }
}

/**
 * What goes to one client: at once while it reads; else replies wait first, then values by the priority of their
 * registrations, the oldest first.
 */
export class Outbox {
  readonly #line: Way;
  readonly #counts: EventCounts;
  readonly #outlets = new Set<Outlet>();
  readonly #replies: { readonly tail: Tail; readonly head: Buffer }[] = [];
  #replyLength = 0;
  #valueLength = 0;
  #turns = 0;

  constructor(line: Way, counts: EventCounts) {
    this.#line = line;
    this.#counts = counts;
    line.onDrain(() => this.#empty());
  }

  /** Nothing more is read from a client that does not read replies. */
  reply(tail: Tail, head: Buffer): void {
    if (!this.#line.isFull) {
      this.#line.send(tail, head);
      return;
    }
    this.#replyLength += tail.text.length + head.length;
    this.#replies.push({ tail, head });
    if (this.#replyLength > mostReplies) this.#line.cut();
    else this.#line.pause();
  }

  send(tail: Tail, outlet: Outlet): void {
    if (this.#line.isFull) {
      this.#keep(tail, outlet);
      return;
    }
    this.#counts.pushed++;
    this.#line.send(tail, outlet.head);
  }

  /** What waits of this one is not sent any more. */
  drop(outlet: Outlet): void {
    for (const { tail } of outlet.waiting) this.#valueLength -= tail.text.length;
    outlet.waiting.length = 0;
    this.#outlets.delete(outlet);
  }

  /** Each turn of the loop discards one value: one that waits, or the one that comes. */
  #keep(tail: Tail, outlet: Outlet): void {
    const { waiting, rules } = outlet;
    const { length } = tail.text;
    while (waiting.length >= rules.maxSize || this.#valueLength + length > mostWaiting) {
      this.#counts.discarded++;
      const from = waiting.length >= rules.maxSize ? outlet : this.#leastUrgent(outlet);
      if (from === undefined || (from === outlet && rules.discardIfFull === 'NEWEST')) return;
      this.#shift(from);
    }
    waiting.push({ tail, turn: this.#turns++ });
    this.#valueLength += length;
    this.#outlets.add(outlet);
  }

  /** Takes the oldest value that waits there. */
  #shift(outlet: Outlet): Tail | undefined {
    const tail = outlet.waiting.shift()?.tail;
    if (outlet.waiting.length === 0) this.#outlets.delete(outlet);
    this.#valueLength -= tail?.text.length ?? 0;
    return tail;
  }

  #empty(): void {
    while (!this.#line.isFull) {
      const reply = this.#replies.shift();
      if (reply === undefined) break;
      this.#replyLength -= reply.tail.text.length + reply.head.length;
      this.#line.send(reply.tail, reply.head);
    }
    if (this.#replies.length > 0) return;
    this.#line.resume();
    while (!this.#line.isFull) {
      const outlet = this.#next();
      const first = outlet === undefined ? undefined : this.#shift(outlet);
      if (outlet === undefined || first === undefined) return;
      this.send(first, outlet);
    }
  }

  #next(): Outlet | undefined {
    let next: Outlet | undefined;
    for (const outlet of this.#outlets) if (next === undefined || isBefore(outlet, next)) next = outlet;
    return next;
  }

  /**
   * Whose oldest value goes for one of `newcomer`: of the lowest priority, which is not above that of `newcomer`; there
   * rather of one that has others waiting; and the oldest among those.
   */
  #leastUrgent(newcomer: Outlet): Outlet | undefined {
    const isOnly = (outlet: Outlet) => outlet !== newcomer && outlet.waiting.length === 1;
    const goesBefore = (one: Outlet, other: Outlet) => {
      if (rankOf(one) !== rankOf(other)) return rankOf(one) > rankOf(other);
      if (isOnly(one) !== isOnly(other)) return isOnly(other);
      return turnOf(one) < turnOf(other);
    };
    let least: Outlet | undefined;
    for (const outlet of this.#outlets) {
      if (rankOf(outlet) < rankOf(newcomer)) continue;
      if (least === undefined || goesBefore(outlet, least)) least = outlet;
    }
    return least;
  }
}

const rankOf = ({ rules }: Outlet) => priorities.indexOf(rules.priority);
const turnOf = ({ waiting }: Outlet) => waiting[0]?.turn ?? 0;

function isBefore(one: Outlet, other: Outlet): boolean {
  if (rankOf(one) !== rankOf(other)) return rankOf(one) < rankOf(other);
  return turnOf(one) < turnOf(other);
}
