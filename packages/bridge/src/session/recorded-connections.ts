import type { Direction } from '../timeline/timeline-entry.js';
import { delayBetween } from './recorded-answers.js';

/** A message of a recorded connection. */
export interface RecordedMessage<M> {
  /** µs. */
  readonly at: number;
  readonly connection: number;
  readonly direction: Direction;
  readonly message: M;
}

/** The ends of a recorded connection. Times are in µs. */
export interface RecordedEnds {
  readonly connection: number;
  readonly opened: number;
  /** Set if the scanner closed it. */
  readonly closed: { readonly at: number; readonly code: number | undefined } | undefined;
}

/** A message of a program, as its protocol has it. */
export interface Request {
  /** The same text for messages that are the same. */
  readonly key: string;
  /** What its answer, and the events that follow, have in common: a name. */
  readonly topic: string;
  /** True if the scanner answers it. */
  readonly isAnswered: boolean;
  /** True if it ends the events of an earlier message of its topic. */
  readonly endsEvents: boolean;
}

/** How messages of a protocol belong together. */
export interface Dialogue<M> {
  readonly requestIn: (message: M) => Request;
  /** Returns to what a message of the scanner belongs. An answer without a topic belongs to the oldest request without one. */
  readonly ownerOf: (message: M) => { readonly topic: string | undefined; readonly isAnswer: boolean };
}

/** A message of the scanner that follows one of a program, or the begin of the connection. */
export interface SentMessage<M> {
  /** ms after what it follows. */
  readonly delay: number;
  readonly message: M;
}

/** What a recorded connection sent by itself, and how it ended. */
export interface RecordedConnection<M> {
  readonly opening: readonly SentMessage<M>[];
  /** Set if the scanner ended it. */
  readonly end: { readonly delay: number; readonly code: number | undefined } | undefined;
}

interface Begun<M> extends Request {
  readonly at: number;
  readonly sent: SentMessage<M>[];
}

/**
 * The messages of a scanner in all recorded connections of one kind. What follows a message of a program is sent again after
 * the same message, in the order of the session. After the last time, it is what followed the last time.
 */
export class RecordedConnections<M> {
  readonly #dialogue: Dialogue<M>;
  readonly #sent = new Map<string, (readonly SentMessage<M>[])[]>();
  readonly #connections: RecordedConnection<M>[] = [];

  constructor(
    connections: readonly RecordedEnds[],
    messages: readonly RecordedMessage<M>[],
    dialogue: Dialogue<M>,
  ) {
    this.#dialogue = dialogue;
    const byConnection = new Map<number, RecordedMessage<M>[]>();
    for (const { connection } of connections) byConnection.set(connection, []);
    for (const message of messages) byConnection.get(message.connection)?.push(message);
    for (const ends of connections)
      this.#connections.push(this.#read(ends, byConnection.get(ends.connection) ?? []));
  }

  /** Returns what follows this message of a program; undefined if it was never sent. */
  next(key: string): readonly SentMessage<M>[] | undefined {
    const all = this.#sent.get(key);
    return all !== undefined && all.length > 1 ? all.shift() : all?.[0];
  }

  /** Returns the connection for a program that connects; undefined if none was made. */
  nextConnection(): RecordedConnection<M> | undefined {
    return this.#connections.length > 1 ? this.#connections.shift() : this.#connections[0];
  }

  #read(ends: RecordedEnds, messages: readonly RecordedMessage<M>[]): RecordedConnection<M> {
    const opening: SentMessage<M>[] = [];
    const requests = new OpenRequests<M>();
    for (const { at, direction, message } of messages) {
      if (direction === 'to scanner') {
        const begun = { ...this.#dialogue.requestIn(message), at, sent: [] };
        requests.add(begun);
        this.#add(begun);
        continue;
      }
      const begun = requests.of(this.#dialogue.ownerOf(message));
      if (begun === undefined) opening.push({ delay: delayBetween(ends.opened, at), message });
      else begun.sent.push({ delay: delayBetween(begun.at, at), message });
    }
    const { closed } = ends;
    return {
      opening,
      end: closed && { delay: delayBetween(ends.opened, closed.at), code: closed.code },
    };
  }

  #add({ key, sent }: Begun<M>): void {
    const before = this.#sent.get(key);
    if (before === undefined) this.#sent.set(key, [sent]);
    else before.push(sent);
  }
}

/** The messages of a program to which later ones of the scanner may belong. */
class OpenRequests<M> {
  readonly #latest = new Map<string, Begun<M>>();
  /** Those without an answer yet, oldest first. */
  readonly #unanswered = new Set<Begun<M>>();

  add(begun: Begun<M>): void {
    this.#latest.set(begun.topic, begun);
    if (begun.isAnswered) this.#unanswered.add(begun);
  }

  /** Returns the request to which a message of the scanner belongs; undefined if there is none. */
  of({ topic, isAnswer }: ReturnType<Dialogue<M>['ownerOf']>): Begun<M> | undefined {
    if (isAnswer) {
      for (const begun of this.#unanswered) {
        if (topic !== undefined && begun.topic !== topic) continue;
        this.#unanswered.delete(begun);
        return begun;
      }
    }
    return topic === undefined ? undefined : this.#latest.get(topic);
  }
}
