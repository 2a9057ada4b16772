import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { bodyOf, type ListedUnit, partOf, Refused, scannerPathOf, sendOverviewPage } from '@azimuth/fleet';
import { isObject } from '@azimuth/model';
import {
  HostAndOrigin,
  httpListener,
  isFromThisComputer,
  listen,
  replyForbidden,
  replyJson,
  replyText,
  urlOf,
} from '@azimuth/server';
import type { Forwarding } from '../gui/forwarding.js';

/** What runs a part of the fleet. */
interface Worker {
  readonly forwarding: Forwarding | undefined;
}

interface Options {
  readonly host: string;
  readonly port: number;
  readonly maxConnections: number;
  readonly workers: readonly Worker[];
  /** Which worker has each scanner, in the order of the list. */
  readonly workerOf: ReadonlyMap<string, Worker>;
}

/** ms for the answer of a worker about all its scanners. */
const answersWithin = 60_000;

/**
 * The port of a fleet that runs in several processes: it forwards what is asked of a scanner to the process that has it, and
 * asks all of them about the whole.
 */
export class Gateway {
  readonly #options: Options;
  readonly #server: Server;
  readonly #hostAndOrigin = new HostAndOrigin();
  readonly #sockets = new Set<Socket>();
  #url = '';

  constructor(options: Options) {
    this.#options = options;
    this.#server = httpListener({}, ({ url = '' }) => scannerPathOf(url) !== undefined);
    this.#server.maxConnections = options.maxConnections;
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    this.#server.on('request', (request, response) => {
      this.#serve(request, response).catch((error: unknown) => {
        if (response.headersSent) response.destroy();
        else replyText(response, error instanceof Refused ? 400 : 502, messageOf(error));
      });
    });
    this.#server.on('upgrade', (request, socket, head) => void this.#upgrade(request, socket, head));
  }

  /** Opens the port. @returns its URL @throws PortTaken */
  async open(): Promise<string> {
    const { host, port } = this.#options;
    this.#url = urlOf({ host, port: await listen(this.#server, host, port, '--port') }, 'http');
    return this.#url;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = this.#hostAndOrigin.refusalOf(request);
    if (refusal !== undefined) {
      request.resume();
      replyForbidden(response, refusal.why);
      return;
    }
    const { url = '/' } = request;
    const asked = scannerPathOf(url);
    if (asked !== undefined) await this.#forward(this.#options.workerOf.get(asked.serial), request, response);
    else await this.#answer(new URL(url, 'http://fleet'), request, response);
  }

  async #forward(
    worker: Worker | undefined,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    if (worker?.forwarding === undefined) {
      request.resume();
      if (worker === undefined)
        replyText(response, 404, 'This fleet has no scanner with this serial number.');
      else replyText(response, 502, 'The process of this scanner is starting again.');
      return;
    }
    tellOrigin(request);
    await worker.forwarding.request(request.url ?? '/', request, response);
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    const asked = scannerPathOf(request.url ?? '');
    const worker = asked === undefined ? undefined : this.#options.workerOf.get(asked.serial);
    const isForeign = this.#hostAndOrigin.refusalOf(request) !== undefined;
    if (isForeign || worker?.forwarding === undefined) {
      const status = isForeign ? '403 Forbidden' : '404 Not Found';
      socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    tellOrigin(request);
    if (socket instanceof Socket) await worker.forwarding.upgrade(request.url ?? '/', request, socket, head);
    else socket.destroy();
  }

  async #answer(
    { pathname, searchParams }: URL,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    if (request.method === 'POST' && pathname === '/fleet/power') {
      await this.#power(request, response);
      return;
    }
    request.resume();
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      replyText(response, 405, 'Only GET is answered here, and POST at /fleet/power.');
    } else if (pathname === '/scanners') replyJson(response, 200, await this.#list(searchParams));
    else if (pathname === '/metrics') {
      replyText(response, 200, sumOfMetrics(await this.#askAll('/metrics')));
    } else if (pathname === '/') {
      const pattern = searchParams.get('q') ?? '';
      const units = await this.#list(new URLSearchParams(pattern === '' ? '' : { q: pattern }));
      sendOverviewPage(response, units, this.#options.workerOf.size, pattern);
    } else if (pathname === '/fleet')
      replyJson(response, 200, { ...sumOf(await this.#askAll('/fleet')), uptime: process.uptime() });
    else
      replyText(
        response,
        404,
        'Nothing is here. /scanners lists the scanners, /scanners/SERIAL/ is one of them.',
      );
  }

  /** The lists of all processes, in the order of the fleet. */
  async #list(asked: URLSearchParams): Promise<readonly ListedUnit[]> {
    const chosen = new URLSearchParams(asked);
    for (const name of ['from', 'limit']) chosen.delete(name);
    const lists = await this.#askAll(`/scanners?${chosen}`);
    const listed = new Map(
      lists.flatMap((list) => (isList(list) ? list : [])).map((one) => [one.serialNumber, one]),
    );
    const inOrder = [...this.#options.workerOf].flatMap(([serial, { forwarding }]) => {
      const one = listed.get(serial);
      if (one === undefined) return [];
      // Only this port is known outside.
      return forwarding !== undefined && one.url.startsWith(`${forwarding.url}/`)
        ? { ...one, url: this.#url + one.path }
        : one;
    });
    return partOf(inOrder, asked);
  }

  async #power(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isFromThisComputer(request)) {
      request.resume();
      replyForbidden(response, 'only programs on the computer of the fleet switch its scanners on and off');
      return;
    }
    const body = await bodyOf(request);
    const answers = await Promise.all(this.#urls().map((url) => ask(`${url}/fleet/power`, body)));
    const done = answers.filter(({ ok }) => ok).map(({ content }) => content);
    const [first] = answers;
    if (done.length > 0) replyJson(response, 200, sumOf(done));
    else replyText(response, first?.status ?? 502, String(first?.content).trim());
  }

  async #askAll(path: string): Promise<readonly unknown[]> {
    const answers = await Promise.all(this.#urls().map((url) => ask(url + path)));
    return answers.map(({ ok, content, status }) => {
      if (ok) return content;
      throw new Error(`a process of the fleet answers HTTP ${status}`);
    });
  }

  #urls(): readonly string[] {
    return this.#options.workers.flatMap(({ forwarding }) => forwarding?.url ?? []);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** To a worker, all connections come from this computer: one that does not is marked, as proxies do. */
function tellOrigin(request: IncomingMessage): void {
  if (!isFromThisComputer(request)) request.headers['x-forwarded-for'] ??= request.socket.remoteAddress ?? '';
}

interface Answer {
  readonly ok: boolean;
  readonly status: number;
  /** JSON, or the text of a refusal. */
  readonly content: unknown;
}

async function ask(url: string, body?: string): Promise<Answer> {
  const how = body === undefined ? {} : { method: 'POST', body };
  const response = await fetch(url, { ...how, signal: AbortSignal.timeout(answersWithin) });
  const { ok, status } = response;
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return { ok, status, content: isJson ? await response.json() : await response.text() };
}

/** Objects of numbers, added up at every depth. */
function sumOf(parts: readonly unknown[]): Readonly<Record<string, unknown>> {
  const sum: Record<string, unknown> = {};
  for (const part of parts) {
    for (const [name, value] of Object.entries(isObject(part) ? part : {})) {
      const before = sum[name];
      if (typeof value === 'number') sum[name] = value + (typeof before === 'number' ? before : 0);
      else if (isObject(value)) sum[name] = sumOf([before, value]);
    }
  }
  return sum;
}

function isList(content: unknown): content is readonly ListedUnit[] {
  return (
    Array.isArray(content) && content.every((one) => isObject(one) && typeof one.serialNumber === 'string')
  );
}

/** Pages of metrics, with the values of equal samples added up. */
function sumOfMetrics(pages: readonly unknown[]): string {
  const lines = new Map<string, number | undefined>();
  for (const line of pages.join('').split('\n')) {
    const [, sample, value] = /^([^#].*) (\S+)$/.exec(line) ?? [];
    if (sample === undefined) lines.set(line, undefined);
    else lines.set(sample, (lines.get(sample) ?? 0) + Number(value));
  }
  return [...lines].map(([line, value]) => (value === undefined ? line : `${line} ${value}`)).join('\n');
}
