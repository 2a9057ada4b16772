import type {
  Dialogue,
  RecordedConnection,
  RecordedConnections,
  SentMessage,
} from './recorded-connections.js';

/** Messages of a program at a time whose answers are still to come. */
const mostRunning = 1000;

interface Options<M> {
  readonly recorded: RecordedConnections<M>;
  readonly dialogue: Dialogue<M>;
  readonly send: (message: M) => void;
  /** Ends the connection, as the scanner did. */
  readonly end: (code: number | undefined) => void;
  /** Called with a message that was never sent in the session. */
  readonly isUnknown: (message: M) => void;
}

/** One connection of a program to a session that is served: it gets what the scanner sent, at the times of the session. */
export class PlayedConnection<M> {
  readonly #options: Options<M>;
  readonly #running = new Set<Playing>();
  #isEnding = false;

  constructor(options: Options<M>) {
    this.#options = options;
  }

  /** Begins with what the scanner sent by itself. */
  begin({ opening, end }: RecordedConnection<M>): void {
    this.#play(undefined, opening);
    if (end === undefined) return;
    const playing: Playing = { topic: undefined, timer: undefined };
    playing.timer = setTimeout(() => this.#options.end(end.code), end.delay);
    this.#running.add(playing);
  }

  /** Handles a message of the program. */
  receive(message: M): void {
    const { recorded, dialogue, end, isUnknown } = this.#options;
    const { key, topic, endsEvents } = dialogue.requestIn(message);
    if (endsEvents) for (const playing of this.#running) if (playing.topic === topic) this.#stop(playing);
    const following = recorded.next(key);
    if (following === undefined) isUnknown(message);
    else if (this.#running.size >= mostRunning) end(undefined);
    else this.#play(topic, following);
  }

  /** The program sends nothing more, and reads on: the connection ends as soon as it has all answers. */
  finish(): void {
    this.#isEnding = true;
    this.#endIfDone();
  }

  close(): void {
    for (const playing of this.#running) this.#stop(playing);
  }

  #play(topic: string | undefined, sent: readonly SentMessage<M>[]): void {
    const playing: Playing = { topic, timer: undefined };
    this.#running.add(playing);
    const begun = performance.now();
    const goOn = (index: number) => {
      const next = sent[index];
      if (next === undefined) {
        this.#running.delete(playing);
        this.#endIfDone();
        return;
      }
      playing.timer = setTimeout(
        () => {
          this.#options.send(next.message);
          if (this.#running.has(playing)) goOn(index + 1);
        },
        begun + next.delay - performance.now(),
      );
    };
    goOn(0);
  }

  #endIfDone(): void {
    if (this.#isEnding && this.#running.size === 0) this.#options.end(undefined);
  }

  #stop(playing: Playing): void {
    clearTimeout(playing.timer);
    this.#running.delete(playing);
  }
}

/** Messages that are sent one after the other. */
interface Playing {
  readonly topic: string | undefined;
  timer: NodeJS.Timeout | undefined;
}
