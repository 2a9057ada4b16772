import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import { inTime } from '@azimuth/async';
import { type GatewayKey, keyHeader } from '../port/gateway-key.js';

/** The URL of a worker. */
export interface WorkerAddress {
  /** Without a slash at its end. */
  readonly url: string;
}

/** Time limit (ms) without a byte of a response. Methods of a scanner may take tens of seconds. */
export const idleTimeout = 60_000;

/** Time limit (ms) of a complete response of a worker about itself. */
const responseTimeout = 10_000;

/** Limit (bytes) of a response of a worker about itself: some hundred thousand scanners. A longer one is an error. */
const longestResponse = 64 * 1024 * 1024;

/** Limit (characters) of a line of a stream. A longer line ends the stream. */
const longestLine = 1024 * 1024;

/** The content that {@link WorkerConnections.query} returns for a worker that has not responded in time. */
export const noResponseReason = 'it does not answer';

interface Options {
  /** The key that workers require. */
  readonly key: GatewayKey;
  /** PEM of the authority that has signed the certificates of workers; by default, the authorities of the system. */
  readonly authority?: string;
}

/** Sends requests to workers, over persistent connections. */
export class WorkerConnections {
  readonly #key: GatewayKey;
  readonly #plain = new http.Agent({ keepAlive: true, maxFreeSockets: 256 });
  readonly #secure: https.Agent;
  readonly #destinations = new WeakMap<WorkerAddress, Destination>();

  constructor({ key, authority }: Options) {
    this.#key = key;
    this.#secure = new https.Agent({
      keepAlive: true,
      maxFreeSockets: 256,
      ca: authority,
    });
  }

  /**
   * Begins a request to a worker, signed with the key of the deployment. It emits `timeout` if no byte comes for
   * {@link idleTimeout}.
   * @param headers names and values alternate
   */
  open(worker: WorkerAddress, { method, path, headers }: WorkerRequest): ClientRequest {
    const { request, host, port, agent } = this.#destinationOf(worker);
    // One literal: a spread took a twentieth of the time of a request.
    return request({
      host,
      port,
      agent,
      setHost: false,
      timeout: idleTimeout,
      method,
      path,
      // The worker need not know the names by which others reach it.
      headers: [...headers, 'host', '127.0.0.1', keyHeader, this.#key.sign(worker.url, method, path)],
    });
  }

  #destinationOf(worker: WorkerAddress): Destination {
    const known = this.#destinations.get(worker);
    if (known !== undefined) return known;
    const { protocol, hostname, port } = new URL(worker.url);
    const isSecure = protocol === 'https:';
    const destination = {
      request: isSecure ? https.request : http.request,
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? undefined : Number(port),
      agent: isSecure ? this.#secure : this.#plain,
    };
    this.#destinations.set(worker, destination);
    return destination;
  }

  /**
   * Queries a worker itself.
   * @param body of a POST; without it, it is a GET
   * @param timeLimit ms for the complete response
   * @returns status 0 if the worker does not respond
   */
  query(
    worker: WorkerAddress,
    path: string,
    body?: string,
    timeLimit = responseTimeout,
  ): Promise<WorkerResponse> {
    const method = body === undefined ? 'GET' : 'POST';
    const headers = body === undefined ? [] : ['content-length', String(Buffer.byteLength(body))];
    const outgoing = this.open(worker, { method, path, headers });
    const responded = new Promise<WorkerResponse>((done) => {
      outgoing.once('error', (error) => done({ ok: false, status: 0, content: error.message }));
      outgoing.once('upgrade', (_, joined) => {
        joined.destroy();
        done({ ok: false, status: 0, content: 'it has answered with another protocol' });
      });
      outgoing.once('response', (response) => void contentOf(response).then(done));
      outgoing.end(body);
    });
    return inTime(timeLimit, responded, () => {
      outgoing.destroy();
      return { ok: false, status: 0, content: noResponseReason };
    });
  }

  /**
   * Follows a stream of lines of a worker. If a worker sends nothing for a minute, the stream ends.
   * @returns a function that stops it; then nothing is called any more
   */
  follow(worker: WorkerAddress, path: string, { opened, line, ended }: FollowOptions): () => void {
    const outgoing = this.open(worker, { method: 'GET', path, headers: [] });
    let isOver = false;
    const end = () => {
      isOver = true;
      outgoing.destroy();
    };
    outgoing.once('timeout', () => outgoing.destroy());
    outgoing.on('error', () => undefined);
    outgoing.once('close', () => {
      if (!isOver) ended();
      isOver = true;
    });
    outgoing.once('response', (response) => {
      if (response.statusCode !== 200) {
        outgoing.destroy();
        return;
      }
      if (!isOver) opened();
      let rest = '';
      response.setEncoding('utf8').on('error', () => undefined);
      response.on('data', (text: string) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        for (const one of lines) if (!isOver) line(one);
        if (rest.length > longestLine) outgoing.destroy();
      });
      response.once('close', () => outgoing.destroy());
    });
    outgoing.end();
    return end;
  }

  close(): void {
    this.#plain.destroy();
    this.#secure.destroy();
  }
}

/** The part of a request that is the same for all requests to a worker. */
interface Destination extends Pick<RequestOptions, 'host' | 'port' | 'agent'> {
  /** The function of its protocol. */
  readonly request: (options: RequestOptions) => ClientRequest;
}

interface WorkerRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly string[];
}

interface FollowOptions {
  /** Called when the worker begins to send. */
  readonly opened: () => void;
  /** Called with each line, without its end. */
  readonly line: (line: string) => void;
  /** Called when it has ended, or could not begin. */
  readonly ended: () => void;
}

/** The response of a worker about itself. */
export interface WorkerResponse {
  readonly ok: boolean;
  /** 0 if there is no response. */
  readonly status: number;
  /** JSON, or the text of a refusal. */
  readonly content: unknown;
}

async function contentOf(response: IncomingMessage): Promise<WorkerResponse> {
  const { statusCode: status = 0 } = response;
  const isJson = response.headers['content-type']?.startsWith('application/json') === true;
  try {
    const pieces: Buffer[] = [];
    let length = 0;
    for await (const piece of response) {
      const bytes = Buffer.from(piece);
      length += bytes.length;
      if (length > longestResponse) throw new Error(`it has sent more than ${longestResponse} bytes`);
      pieces.push(bytes);
    }
    const text = Buffer.concat(pieces).toString();
    const content: unknown = isJson ? JSON.parse(text) : text;
    return { ok: status === 200, status, content };
  } catch (error) {
    return { ok: false, status: 0, content: String(error) };
  }
}
