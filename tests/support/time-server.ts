import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { onTestFinished } from 'vitest';

/** 1900-01-01 to 1970-01-01 (70 years of 365 days, and 17 leap days), in seconds. */
const from1900to1970 = (70 * 365 + 17) * 86_400;

/** A time stamp of the protocol: seconds since 1900 and parts of 2^32, eight bytes. `utc` is in ms since 1970. */
export function stamp(utc: number): Buffer {
  const bytes = Buffer.alloc(8);
  const seconds = Math.floor(utc / 1000);
  bytes.writeUInt32BE((seconds + from1900to1970) % 2 ** 32, 0);
  bytes.writeUInt32BE(Math.round(((utc - seconds * 1000) / 1000) * 2 ** 32), 4);
  return bytes;
}

export interface ResponseOptions {
  readonly first?: number;
  readonly stratum?: number;
  readonly code?: string;
  readonly origin?: Uint8Array;
  readonly received?: Uint8Array;
  readonly sent?: Uint8Array;
}

/** Returns the response to a request; by default a valid one of 2030-06-01 12:00 UTC. */
export function responseTo(request: Uint8Array, options: ResponseOptions = {}): Buffer {
  const noon = stamp(Date.UTC(2030, 5, 1, 12));
  const { first = 0x24, stratum = 1, code = 'GPS\0', received = noon, sent = noon } = options;
  return Buffer.concat([
    Buffer.from([first, stratum, 0, 0xec]),
    Buffer.alloc(8),
    Buffer.from(code, 'latin1'),
    noon,
    options.origin ?? request.subarray(40, 48),
    received,
    sent,
  ]);
}

type Reaction = (request: Buffer, from: RemoteInfo, socket: Socket) => void;

/** A time server on a free port of 127.0.0.1. A test decides its responses. */
export class TimeServer {
  readonly requests: Buffer[] = [];
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  static async open(react: Reaction): Promise<TimeServer> {
    const socket = createSocket('udp4');
    const server = new TimeServer(socket);
    socket.on('message', (request, from) => {
      server.requests.push(request);
      react(request, from, socket);
    });
    await new Promise<void>((resolve) => {
      socket.bind(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => server.close());
    return server;
  }

  /** Starts a time server whose responses have these options. */
  static responding(options: ResponseOptions = {}): Promise<TimeServer> {
    return TimeServer.open((request, { port }, socket) => socket.send(responseTo(request, options), port));
  }

  get port(): number {
    return this.#socket.address().port;
  }

  #isClosed = false;

  close(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#isClosed = true;
    return new Promise((resolve) => {
      this.#socket.close(resolve);
    });
  }
}
