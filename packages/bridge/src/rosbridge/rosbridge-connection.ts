import { doubledPause, pause } from '@azimuth/async';
import { isObject } from '@azimuth/model';
import { WebSocket } from 'ws';

/** Bytes that the socket may hold unsent before messages wait. */
const mostUnsentBytes = 512 * 1024;
/** Largest message of the server: it sends states only. */
const mostMessageBytes = 64 * 1024;
/** Time in ms that the server has to open a connection, and to answer a ping. */
const openTime = 10_000;
const pingInterval = 10_000;
/** First and longest pause in ms before the connection is opened again. */
const firstPause = 500;
const longestPause = 30_000;
/** Time in ms after which a connection counts as good: the next pause is short again. */
const goodAfter = 10_000;
/** Characters of a message of the server that are shown, and messages of a connection. */
const longestText = 300;
const mostShown = 50;

/** A topic as it is advertised. */
export interface AdvertisedTopic {
  readonly topic: string;
  readonly type: string;
  /** True if subscribers that come later get its last message. */
  readonly latch: boolean;
}

export interface RosbridgeConnectionOptions {
  readonly url: string;
  readonly topics: readonly AdvertisedTopic[];
  /** Called with true when topics are advertised, and with false when the connection is lost. */
  readonly onConnected: (isConnected: boolean) => void;
  /** Gets a line for each thing that happens. */
  readonly onLine: (line: string) => void;
  /** Waits; by default by the timers of the system. */
  readonly wait?: typeof pause;
}

/**
 * A connection to a rosbridge server, which is opened again when it is lost. Of each topic only the newest message waits
 * for a slow server: it loses frames, and no memory grows.
 */
export class RosbridgeConnection {
  readonly #options: RosbridgeConnectionOptions;
  /** The newest message of each topic that waits, as text. */
  readonly #waiting = new Map<string, string>();
  #socket: WebSocket | undefined;
  #dropped = 0;
  /** Lines that were said since the connection was opened. */
  readonly #said = new Set<string>();

  constructor(options: RosbridgeConnectionOptions) {
    this.#options = options;
  }

  /** Number of messages that the server was too slow for. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Publishes a message, or drops it while there is no connection. */
  publish(topic: string, message: unknown): void {
    if (this.#socket === undefined) return;
    if (this.#waiting.has(topic)) this.#dropped++;
    this.#waiting.set(topic, JSON.stringify({ op: 'publish', topic, msg: message }));
    this.#sendNext(this.#socket);
  }

  /** Holds the connection until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    const { wait = pause } = this.#options;
    let failures = 0;
    while (!signal.aborted) {
      const begun = performance.now();
      const why = await this.#connect(signal);
      if (signal.aborted) return;
      if (performance.now() - begun > goodAfter) failures = 0;
      this.#say(`${this.#server}: ${why}`);
      await wait(doubledPause(firstPause, failures++, longestPause), signal);
    }
  }

  /** Resolves with the reason when the connection has ended. */
  #connect(signal: AbortSignal): Promise<string> {
    const { url, onConnected } = this.#options;
    const socket = new WebSocket(url, {
      handshakeTimeout: openTime,
      maxPayload: mostMessageBytes,
      perMessageDeflate: false,
    });
    return new Promise((resolve) => {
      let why = '';
      let isAnswered = true;
      const pings = setInterval(() => {
        if (socket.readyState !== WebSocket.OPEN) return;
        if (!isAnswered) socket.terminate();
        isAnswered = false;
        socket.ping();
      }, pingInterval).unref();
      const end = () => this.#end(socket);
      signal.addEventListener('abort', end);
      socket.on('open', () => this.#opened(socket));
      socket.on('pong', () => {
        isAnswered = true;
      });
      socket.on('message', (data, isBinary) => {
        if (!isBinary) this.#hear(String(data));
      });
      socket.on('error', (error: NodeJS.ErrnoException) => {
        why = error.code ?? error.message;
      });
      socket.on('close', (code, reason) => {
        clearInterval(pings);
        signal.removeEventListener('abort', end);
        if (this.#socket === socket) onConnected(false);
        this.#socket = undefined;
        this.#waiting.clear();
        const text = why === '' ? `closed with code ${code} ${String(reason)}`.trim() : why;
        resolve(`the connection was lost or refused: ${text.slice(0, longestText)}`);
      });
    });
  }

  #opened(socket: WebSocket): void {
    const { topics, onConnected } = this.#options;
    // The topic is the name of the advertisement, so the server names it in errors.
    for (const topic of topics) socket.send(JSON.stringify({ op: 'advertise', id: topic.topic, ...topic }));
    this.#socket = socket;
    this.#said.clear();
    this.#say(`${this.#server}: publishes ${topics.map(({ topic }) => topic).join(', ')}`);
    onConnected(true);
  }

  /** Takes the topics back, so that nobody waits for them. */
  #end(socket: WebSocket): void {
    if (socket.readyState === WebSocket.OPEN)
      for (const { topic } of this.#options.topics)
        socket.send(JSON.stringify({ op: 'unadvertise', id: topic, topic }));
    socket.close(1000);
    setTimeout(() => socket.terminate(), 1000).unref();
  }

  /** Reads what the server says. Only its errors and warnings are shown. */
  #hear(text: string): void {
    const message = parsed(text);
    if (!isObject(message) || message.op !== 'status') return;
    const { level, msg, id } = message;
    if ((level !== 'error' && level !== 'warning') || this.#said.size > mostShown) return;
    const of = typeof id === 'string' ? ` about ${id.slice(0, longestText)}` : '';
    const words = typeof msg === 'string' ? msg : JSON.stringify(msg ?? '');
    this.#say(`the server says${of}: ${words.slice(0, longestText)}`);
  }

  /** Says a line, but the same one only once for each connection: a server may refuse each message of each topic. */
  #say(line: string): void {
    if (this.#said.has(line)) return;
    this.#said.add(line);
    this.#options.onLine(line);
  }

  /** The URL for people, without a query: it may hold a token. */
  get #server(): string {
    const { protocol, host, pathname } = new URL(this.#options.url);
    return `${protocol}//${host}${pathname.replace(/\/$/, '')}`;
  }

  #sendNext(socket: WebSocket): void {
    while (socket.readyState === WebSocket.OPEN && socket.bufferedAmount < mostUnsentBytes) {
      const [next] = this.#waiting;
      if (next === undefined) return;
      const [topic, message] = next;
      this.#waiting.delete(topic);
      socket.send(message, () => this.#sendNext(socket));
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
