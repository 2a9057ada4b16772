import { SystemClock } from '@azimuth/device';
import type { Faults } from '@azimuth/device/faults';
import { eventPathOf, FaultyMessages } from '@azimuth/server/faults';
import type { RawData, WebSocket } from 'ws';
import type { Direction } from '../timeline/timeline-entry.js';
import { mostUnsent } from './limits.js';

interface Options {
  readonly program: WebSocket;
  readonly scanner: WebSocket;
  /** Path of the connection: `/apievents`. */
  readonly path: string;
  /** Resets the connection of the program (RST). */
  readonly reset: () => void;
  /** Planned faults of messages to the program. */
  readonly faults: Pick<Faults, 'events'> | undefined;
  /** Called with each message, before it is sent on. */
  readonly passed: (direction: Direction, message: string | Uint8Array) => void;
  /** Called once, with the side that ended it. */
  readonly closed: (direction: Direction, code: number) => void;
  /** Called if the scanner sends what is no frame. */
  readonly isWrong: (came: string) => void;
}

/** No code, and the code of an end without a closing handshake (RFC 6455 §7.4.1). No side sends them. */
const [withoutCode, lost] = [1005, 1006];

/** Two WebSockets, of a program and of a scanner, that are one for both. */
export class WebSocketPair {
  readonly #options: Options;
  readonly #faulty: FaultyMessages | undefined;
  #isClosed = false;

  constructor(options: Options) {
    const { program, scanner } = options;
    this.#options = options;
    this.#faulty = options.faults && this.#faultyMessages(options.faults);
    this.#connect('to scanner', program, scanner);
    this.#connect('from scanner', scanner, program);
    // The library has told the program already, and closes.
    program.on('error', () => undefined);
    scanner.on('error', (error) => {
      options.isWrong(error.message);
      scanner.terminate();
    });
  }

  close(): void {
    this.#options.scanner.terminate();
    this.#options.program.terminate();
  }

  #connect(direction: Direction, from: WebSocket, to: WebSocket): void {
    const sent = (error?: Error | null) => {
      if (error === undefined || error === null) this.#flow(from, to);
    };
    from.on('message', (data, isBinary) => {
      const message = messageIn(data, isBinary);
      this.#options.passed(direction, message);
      if (direction === 'from scanner' && this.#faulty !== undefined) this.#faulty.send(message);
      else if (to.readyState === to.OPEN) to.send(message, sent);
      this.#flow(from, to);
    });
    from.on('ping', (data) => {
      if (to.readyState === to.OPEN) to.ping(data, undefined, sent);
      this.#flow(from, to);
    });
    from.on('pong', (data) => {
      if (to.readyState === to.OPEN) to.pong(data, undefined, sent);
      this.#flow(from, to);
    });
    from.once('close', (code, reason) => {
      this.#faulty?.end();
      if (!this.#isClosed) {
        this.#isClosed = true;
        this.#options.closed(direction, code);
      }
      if (code === lost) to.terminate();
      else if (code === withoutCode) to.close();
      else to.close(code, reason);
    });
  }

  #faultyMessages(faults: Pick<Faults, 'events'>): FaultyMessages {
    const { program, scanner, path, reset } = this.#options;
    const flow = () => this.#flow(scanner, program);
    return new FaultyMessages(
      { path: eventPathOf(path), faults, clock: new SystemClock() },
      {
        transmit: (message) => {
          if (program.readyState === program.OPEN) program.send(message, flow);
        },
        cut: () => program.terminate(),
        reset,
        onSent: (act) => {
          // A ping that is sent shows that all messages before it are.
          if (program.readyState === program.OPEN) program.ping(undefined, undefined, act);
          else act();
        },
        released: flow,
      },
    );
  }

  /** Reads from one side as long as the other one takes what comes. */
  #flow(from: WebSocket, to: WebSocket): void {
    const isStalled = to === this.#options.program && this.#faulty?.isStalled === true;
    const isFull = isStalled || to.bufferedAmount > mostUnsent;
    if (isFull && !from.isPaused) from.pause();
    else if (!isFull && from.isPaused) from.resume();
  }
}

/** Returns a message of a WebSocket: text, or bytes. */
export function messageIn(data: RawData, isBinary: boolean): string | Uint8Array {
  const bytes = Array.isArray(data)
    ? Buffer.concat(data)
    : Buffer.from(data instanceof ArrayBuffer ? new Uint8Array(data) : data);
  return isBinary ? bytes : bytes.toString();
}
