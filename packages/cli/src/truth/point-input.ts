import { createSocket } from 'node:dgram';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { isPcd, PcdError } from '@azimuth/client';
import { CommandFailure, systemErrorText, unreadable } from '../command-failure.js';
import { bytesOfFile, inputName } from '../input/bounded-file.js';
import { addPointCloud, mostPcdBytes } from './point-cloud.js';
import { PointLineError, PointLines } from './point-lines.js';
import type { Points } from './points.js';

/** Longest line in bytes: a scan of `azimuth scan --json` needs a tenth of that. */
const longestLine = 4 * 1024 * 1024;

/**
 * Splits bytes into lines. @throws PointLineError if a line is too long */
class LineSplitter {
  #rest: Buffer[] = [];
  #length = 0;

  *lines(piece: Buffer): Generator<string> {
    let at = 0;
    for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, at)) {
      this.#keep(piece.subarray(at, end));
      yield this.end();
      at = end + 1;
    }
    this.#keep(piece.subarray(at));
  }

  /** Returns what is behind the last line feed. */
  end(): string {
    const line = Buffer.concat(this.#rest).toString('utf8');
    this.#rest = [];
    this.#length = 0;
    return line;
  }

  #keep(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#length > longestLine)
      throw new PointLineError(`expected lines of at most ${longestLine} bytes`);
    if (piece.length > 0) this.#rest.push(piece);
  }
}

/**
 * Reads the points of a file, or of standard input: a table, lines of JSON, or PCD.
 * @throws CommandFailure with the number of a wrong line
 */
export async function readPointFile(
  path: string,
  points: Points,
  { columns, signal }: { readonly columns: readonly string[] | undefined; readonly signal: AbortSignal },
): Promise<void> {
  const name = inputName(path);
  if (path !== '-' && (await startsAsPcd(path))) {
    try {
      addPointCloud(await bytesOfFile(path, { limit: mostPcdBytes }), points);
    } catch (error) {
      throw error instanceof PcdError ? new CommandFailure(`${name}: ${error.message}`) : error;
    }
    return;
  }
  const lines = new PointLines(points, columns);
  const splitter = new LineSplitter();
  let number = 0;
  const add = (line: string) => {
    number++;
    lines.add(line);
  };
  try {
    for await (const piece of path === '-' ? process.stdin : createReadStream(path)) {
      for (const line of splitter.lines(Buffer.from(piece))) add(line);
      if (signal.aborted) return;
    }
    const last = splitter.end();
    if (last !== '') add(last);
  } catch (error) {
    if (error instanceof PointLineError)
      throw new CommandFailure(`${name}: line ${Math.max(1, number)}: ${error.message}`);
    unreadable(name)(error instanceof Error ? error : new Error(String(error)));
  }
}

async function startsAsPcd(path: string): Promise<boolean> {
  const file = await open(path).catch(unreadable(path));
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0);
    return isPcd(buffer.subarray(0, bytesRead));
  } catch {
    // A pipe cannot be read at a place.
    return false;
  } finally {
    await file.close();
  }
}

/** Points that are received. */
interface ReceivedPoints {
  /** Lines that were no points, and why the first one was not. */
  readonly refused: number;
  readonly firstRefusal: string | undefined;
}

interface ListenOptions {
  readonly port: number;
  readonly host: string;
  readonly columns: readonly string[] | undefined;
  /** ms from the first point on. */
  readonly duration: number;
  /** ms until the first point. */
  readonly wait: number;
  readonly signal: AbortSignal;
  /** Is called when both ports are open. */
  readonly opened: (port: number) => void;
  readonly progress: (points: number) => void;
}

/** Most connections at a time. */
const mostConnections = 16;

/**
 * Receives lines of points over TCP and UDP. It ends when the time is over, or when all senders have closed their
 * connections.
 * @throws CommandFailure if the port cannot be opened, or nothing comes
 */
export async function receivePoints(points: Points, options: ListenOptions): Promise<ReceivedPoints> {
  const { port, host, columns, duration, wait, signal, opened, progress } = options;
  const refusals: string[] = [];
  let refused = 0;
  const refuse = (error: unknown) => {
    if (!(error instanceof PointLineError)) throw error;
    refused++;
    if (refusals.length === 0) refusals.push(error.message);
  };
  const connections = new Set<Socket>();
  await new Promise<void>((resolve, reject) => {
    const udp = createSocket({ type: 'udp4', recvBufferSize: 4 * 1024 * 1024 });
    const tcp = createServer();
    let limit = setTimeout(() => end(), wait);
    let isStarted = false;
    let isEnded = false;
    const end = () => {
      if (isEnded) return;
      isEnded = true;
      clearTimeout(limit);
      signal.removeEventListener('abort', end);
      for (const socket of connections) socket.destroy();
      tcp.close();
      udp.close();
      resolve();
    };
    const fail = (error: Error) => {
      if (isEnded) return;
      isEnded = true;
      clearTimeout(limit);
      tcp.close();
      reject(new CommandFailure(`port ${port} cannot be opened: ${systemErrorText(error)}`, 'refused'));
    };
    const took = (lines: PointLines, texts: Iterable<string>) => {
      for (const text of texts) {
        try {
          lines.add(text);
        } catch (error) {
          refuse(error);
        }
      }
      progress(points.count + points.dropped);
      if (isStarted || points.count === 0) return;
      isStarted = true;
      clearTimeout(limit);
      limit = setTimeout(end, duration);
    };
    const datagrams = new PointLines(points, columns);
    udp.on('message', (datagram) => took(datagrams, datagram.toString('utf8').split('\n')));
    tcp.on('connection', (socket) => {
      if (connections.size >= mostConnections) {
        socket.destroy();
        return;
      }
      connections.add(socket);
      const lines = new PointLines(points, columns);
      const splitter = new LineSplitter();
      socket.on('data', (piece) => {
        try {
          took(lines, splitter.lines(piece));
        } catch (error) {
          refuse(error);
          socket.destroy();
        }
      });
      socket.on('error', () => undefined);
      socket.on('end', () => took(lines, [splitter.end()]));
      socket.on('close', () => {
        connections.delete(socket);
        if (connections.size === 0 && isStarted) end();
      });
    });
    udp.on('error', fail);
    tcp.on('error', fail);
    signal.addEventListener('abort', end);
    // A driver that can connect can also send datagrams.
    udp.bind(port, host, () => {
      const free = udp.address().port;
      tcp.listen(free, host, () => opened(free));
    });
  });
  return { refused, firstRefusal: refusals[0] };
}
