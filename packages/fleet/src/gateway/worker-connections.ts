import http, {
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { isFromThisComputer, SharedLimit, valuesOf } from '@azimuth/server';
import { type GatewayKey, keyHeader, notHere } from '../front/gateway-key.js';

/** Where a worker is reached. */
export interface WorkerAddress {
  /** Without a slash at its end. */
  readonly url: string;
}

/** Bytes of a body that is kept, so that it can be sent again to another worker. */
const mostKept = 256 * 1024;

/** ms without a byte of an answer, and for the first one. Acts of a scanner may take tens of seconds. */
const silentFor = 60_000;

/** Bytes of all bodies that are kept, if nobody says otherwise. */
const usuallyKeptTogether = 64 * 1024 * 1024;

/** ms for the whole of what a worker says itself. */
const answersWithin = 10_000;

/** Bytes of what a worker says itself: the list of some hundred thousand scanners. A worker that sends more is none. */
const longestAnswer = 64 * 1024 * 1024;

/** Characters of a line of a stream. A worker that sends longer ones is none. */
const longestLine = 1024 * 1024;

/** Headers that belong to one connection, or that the gateway says anew. */
const ownHeaders = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authorization', 'te', 'trailer', 'upgrade'],
  ...['transfer-encoding', 'host', 'origin', 'referer', 'cookie', 'expect', keyHeader],
  ...['forwarded', 'x-forwarded-for'],
]);

/**
 * Headers of a request that are never taken over. The gateway itself says how long a body is: if the length were that of the client,
 * and left out because `Connection` names it, the worker would take the body for another request.
 */
const ownOfRequests = new Set([...ownHeaders, 'content-length']);

/** A request that has no answer, because of the worker. */
export class WorkerFailure extends Error {
  override readonly name = 'WorkerFailure';
}

interface Options {
  /** The key of the deployment; undefined where workers are processes of this computer that take requests from it alone. */
  readonly key?: GatewayKey;
  /** PEM of the authority that has signed the certificates of workers; that of the system by default. */
  readonly authority?: string;
  /** Bytes of all bodies that are kept, at most. Beside so many, others are sent to one worker only. By default, 64 MiB. */
  readonly keptTogether?: number;
}

/** Sends requests on to workers, over connections that are kept. */
export class WorkerConnections {
  readonly #key: GatewayKey | undefined;
  readonly #plain = new http.Agent({ keepAlive: true, maxFreeSockets: 256 });
  readonly #secure: https.Agent;
  readonly #kept: SharedLimit;

  constructor({ key, authority, keptTogether = usuallyKeptTogether }: Options = {}) {
    this.#key = key;
    this.#kept = new SharedLimit(keptTogether);
    this.#secure = new https.Agent({
      keepAlive: true,
      maxFreeSockets: 256,
      ...(authority === undefined ? {} : { ca: authority }),
    });
  }

  /**
   * Lets `act` have what is to be sent to whichever worker takes it: the body if it is small, and kept until `act` has ended.
   * Larger bodies go to the first worker only: they are undefined.
   * @throws Error if the client breaks off
   */
  async withBody<T>(request: IncomingMessage, act: (body: Buffer | undefined) => Promise<T>): Promise<T> {
    const length = Number(request.headers['content-length'] ?? 0);
    if (request.headers['transfer-encoding'] !== undefined || length > mostKept) return act(undefined);
    if (length === 0) return act(nothing);
    if (!this.#kept.take(length)) return act(undefined);
    try {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(Buffer.from(piece));
      return await act(Buffer.concat(pieces));
    } finally {
      this.#kept.add(-length);
    }
  }

  /**
   * Sends a request to a worker, and its answer to the client.
   * @param body undefined if it is still to be read from the request
   * @param moved aborted when another worker has the scanner: the answer of this one is not waited for any more
   * @returns false if the worker is not there, or does not have the scanner: then nothing was done, and nothing answered
   * @throws WorkerFailure if the worker breaks off before it answers
   */
  send(
    { url }: WorkerAddress,
    request: IncomingMessage,
    body: Buffer | undefined,
    response: ServerResponse,
    moved: AbortSignal,
  ): Promise<boolean> {
    return new Promise((done, failed) => {
      const outgoing = this.#open(url, request, body);
      let isConnected = false;
      outgoing.once('socket', (socket) => {
        if (!socket.connecting) isConnected = true;
        else
          socket.once('connect', () => {
            isConnected = true;
          });
      });
      outgoing.on('error', (error) => {
        // Whoever has begun to answer is followed to the end of the answer, which says by itself whether it is whole.
        if (response.headersSent) return;
        // Reads are sent again, unless the worker is silent: that may go on.
        if (!isConnected || (isRead(request) && (!isSilent || moved.aborted))) return done(false);
        failed(new WorkerFailure(error.message, { cause: error }));
      });
      let isSilent = false;
      outgoing.setTimeout(silentFor, () => {
        isSilent = true;
        outgoing.destroy(new Error(`no answer for ${silentFor / 1000} s`));
      });
      const gone = () => void outgoing.destroy();
      const left = () => {
        if (!response.headersSent) outgoing.destroy(new Error('another worker has taken the scanner over'));
      };
      response.once('close', gone);
      moved.addEventListener('abort', left, { once: true });
      outgoing.once('close', () => {
        response.off('close', gone);
        moved.removeEventListener('abort', left);
      });
      outgoing.once('response', (answer) => {
        if (answer.headers[notHere] !== undefined) {
          // The next attempt may use this connection again.
          answer.resume().once('close', () => done(false));
          return;
        }
        // A worker that answers before it has the whole body does not want the rest of it.
        if (body === undefined) request.unpipe(outgoing).resume();
        response.writeHead(answer.statusCode ?? 502, answer.statusMessage, withoutOwn(answer.rawHeaders));
        // Errors end both: the client sees that the answer is not whole.
        pipeline(answer, response, () => done(true));
      });
      // Not a pipeline: that takes the connection from a request whose worker has failed, while the client goes on sending.
      if (body === undefined) request.pipe(outgoing);
      else outgoing.end(body);
    });
  }

  /** Hands a connection over to a worker that makes it a WebSocket of a scanner. Otherwise the worker's answer ends it. */
  upgrade({ url }: WorkerAddress, request: IncomingMessage, client: Socket, head: Buffer): void {
    const { method = 'GET', rawHeaders, url: path = '/' } = request;
    const upgrade = ['connection', 'Upgrade', 'upgrade', request.headers.upgrade ?? ''];
    // Without a length: what follows is no body.
    const headers = [...withoutOwn(rawHeaders, ownOfRequests), ...this.#headersFor(request), ...upgrade];
    const outgoing = this.#request(url, { method, path, headers });
    outgoing.setTimeout(silentFor, () => outgoing.destroy());
    outgoing.once('error', () => client.destroy());
    client.once('close', () => outgoing.destroy());
    outgoing.once('upgrade', ({ rawHeaders: answered }, worker, first) => {
      worker.setTimeout(0);
      client.setTimeout(0);
      client.write(`HTTP/1.1 101 Switching Protocols\r\n${linesOf(answered)}\r\n`);
      if (first.length > 0) client.write(first);
      if (head.length > 0) worker.write(head);
      worker.once('error', () => client.destroy()).once('close', () => client.destroy());
      client.once('close', () => worker.destroy());
      worker.pipe(client);
      client.pipe(worker);
    });
    outgoing.once('response', (answer) => {
      const { statusCode = 502, statusMessage = '', headers: answered } = answer;
      const status =
        answered[notHere] === undefined ? `${statusCode} ${statusMessage}` : '503 Service Unavailable';
      client.write(
        `HTTP/1.1 ${status}\r\n${linesOf(withoutOwn(answer.rawHeaders))}Connection: close\r\n\r\n`,
      );
      pipeline(answer, client, () => undefined);
    });
    outgoing.end();
  }

  /**
   * Asks a worker itself.
   * @param body of a POST; without it, it is a GET
   * @param within ms for the whole answer
   * @returns status 0 if the worker does not answer
   */
  ask({ url }: WorkerAddress, path: string, body?: string, within = answersWithin): Promise<WorkerAnswer> {
    const method = body === undefined ? 'GET' : 'POST';
    const headers = ['host', '127.0.0.1', ...this.#signed(method, path)];
    if (body !== undefined) headers.push('content-length', String(Buffer.byteLength(body)));
    return new Promise((done) => {
      const outgoing = this.#request(url, { method, path, headers });
      const limit = setTimeout(() => outgoing.destroy(new Error('it does not answer')), within);
      outgoing.once('close', () => clearTimeout(limit));
      outgoing.once('error', (error) => done({ ok: false, status: 0, content: error.message }));
      outgoing.once('response', (answer) => void contentOf(answer).then(done));
      outgoing.end(body);
    });
  }

  /**
   * Follows a stream of lines that a worker sends. A worker that sends nothing for a minute is taken for gone.
   * @returns a function that ends it; nothing is called then
   */
  follow({ url }: WorkerAddress, path: string, { opened, line, ended }: FollowOptions): () => void {
    const headers = ['host', '127.0.0.1', ...this.#signed('GET', path)];
    const outgoing = this.#request(url, { method: 'GET', path, headers });
    let isOver = false;
    const end = () => {
      isOver = true;
      outgoing.destroy();
    };
    outgoing.setTimeout(silentFor, () => outgoing.destroy());
    outgoing.on('error', () => undefined);
    outgoing.once('close', () => {
      if (!isOver) ended();
      isOver = true;
    });
    outgoing.once('response', (answer) => {
      if (answer.statusCode !== 200) {
        outgoing.destroy();
        return;
      }
      if (!isOver) opened();
      let rest = '';
      answer.setEncoding('utf8').on('error', () => undefined);
      answer.on('data', (text: string) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        for (const one of lines) if (!isOver) line(one);
        if (rest.length > longestLine) outgoing.destroy();
      });
      answer.once('close', () => outgoing.destroy());
    });
    outgoing.end();
    return end;
  }

  close(): void {
    this.#plain.destroy();
    this.#secure.destroy();
  }

  #open(url: string, request: IncomingMessage, body: Buffer | undefined): ClientRequest {
    const { method = 'GET', rawHeaders, url: path = '/' } = request;
    const headers = [...withoutOwn(rawHeaders, ownOfRequests), ...this.#headersFor(request)];
    const length = body === undefined ? request.headers['content-length'] : lengthOf(body);
    if (length !== undefined) headers.push('content-length', length);
    else if (body === undefined) headers.push('transfer-encoding', 'chunked');
    return this.#request(url, { method, path, headers });
  }

  /** What a worker has to see beside what the client has sent. Names and values alternate. */
  #headersFor(request: IncomingMessage): readonly string[] {
    const { method = 'GET', url = '/' } = request;
    const from = request.socket.remoteAddress ?? '';
    // The gateway has checked the name of the host: a worker need not know how others call it.
    const headers = ['host', '127.0.0.1', ...this.#signed(method, url)];
    return isFromThisComputer(request) ? headers : [...headers, 'x-forwarded-for', from];
  }

  #signed(method: string, path: string): readonly string[] {
    return this.#key === undefined ? [] : [keyHeader, this.#key.sign(method, path)];
  }

  #request(url: string, asked: Pick<RequestOptions, 'method' | 'path' | 'headers'>): ClientRequest {
    const { protocol, hostname, port } = new URL(url);
    const isSecure = protocol === 'https:';
    return (isSecure ? https : http).request({
      ...asked,
      host: hostname.replace(/^\[|\]$/g, ''),
      ...(port === '' ? {} : { port: Number(port) }),
      setHost: false,
      agent: isSecure ? this.#secure : this.#plain,
    });
  }
}

interface FollowOptions {
  /** Called when the worker begins to send. */
  readonly opened: () => void;
  /** Called with each line, without its end. */
  readonly line: (line: string) => void;
  /** Called when it has ended, or could not begin. */
  readonly ended: () => void;
}

/** What a worker says itself. */
export interface WorkerAnswer {
  readonly ok: boolean;
  /** 0 if there is no answer. */
  readonly status: number;
  /** JSON, or the text of a refusal. */
  readonly content: unknown;
}

async function contentOf(answer: IncomingMessage): Promise<WorkerAnswer> {
  const { statusCode: status = 0 } = answer;
  const isJson = answer.headers['content-type']?.startsWith('application/json') === true;
  try {
    const pieces: Buffer[] = [];
    let length = 0;
    for await (const piece of answer) {
      const bytes = Buffer.from(piece);
      length += bytes.length;
      if (length > longestAnswer) throw new Error(`it has sent more than ${longestAnswer} bytes`);
      pieces.push(bytes);
    }
    const whole = Buffer.concat(pieces).toString();
    const content: unknown = isJson ? JSON.parse(whole) : whole;
    return { ok: status === 200, status, content };
  } catch (error) {
    return { ok: false, status: 0, content: String(error) };
  }
}

const nothing = Buffer.alloc(0);

/** Undefined for no body. */
function lengthOf({ length }: Buffer): string | undefined {
  return length === 0 ? undefined : String(length);
}

/** Names and values alternate. */
function linesOf(headers: readonly string[]): string {
  let lines = '';
  for (let index = 0; index + 1 < headers.length; index += 2)
    lines += `${headers[index]}: ${headers[index + 1]}\r\n`;
  return lines;
}

const isRead = ({ method }: IncomingMessage) => method === 'GET' || method === 'HEAD';

/** Without the headers of one connection, among them those that `Connection` names (RFC 9110 §7.6.1). Names and values alternate. */
function withoutOwn(rawHeaders: readonly string[], own: ReadonlySet<string> = ownHeaders): string[] {
  const kept: string[] = [];
  const named = valuesOf(rawHeaders, 'connection')
    .join()
    .toLowerCase()
    .split(/\s*,\s*/);
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = [rawHeaders[index], rawHeaders[index + 1]];
    const known = name.toLowerCase();
    if (!own.has(known) && !named.includes(known)) kept.push(name, value);
  }
  return kept;
}
