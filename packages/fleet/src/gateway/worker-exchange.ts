import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { codeOf } from '@azimuth/device';
import {
  endWith,
  forward,
  framingOf,
  headOfResponse,
  InvalidResponse,
  joinWebSocket,
  lastHead,
  type RequestContext,
  requestHeaders,
} from '@azimuth/http';
import { contentAt } from '@azimuth/server/pages';
import { notHere, unsigned } from '../port/gateway-key.js';
import { refusals } from '../port/refusals.js';
import { scannerPathOf } from '../port/scanner-path.js';
import { silentFor, type WorkerAddress, type WorkerConnections } from './worker-connections.js';

/** ms until a worker takes a connection. */
const connectsWithin = 3000;

const hasMovedReason = 'another worker has taken the scanner over';

/** A request that has no answer, because of the worker. */
export class WorkerFailure extends Error {
  override readonly name = 'WorkerFailure';
}

/** A worker has ended the connection before it has answered: it has ended itself, or its scanner has reset the connection. */
export class BrokenOff extends WorkerFailure {
  /** Was it reset, and not just closed? */
  readonly isReset: boolean;
  /** Why the request has to be sent again; undefined if it may not be. */
  readonly again: string | undefined;

  constructor(cause: Error, mayAskAnother: boolean) {
    super(reasonOf(cause), { cause });
    this.isReset = 'syscall' in cause;
    this.again = mayAskAnother ? refusals.unreachable(reasonOf(cause)) : undefined;
  }
}

/** A worker does not accept the key of this gateway. */
export class KeyRefused extends WorkerFailure {
  constructor() {
    super(refusals.unsigned);
  }
}

/** A request of a client, and what it is answered with. */
export interface Exchange {
  readonly context: RequestContext;
  /** Undefined if it is still to be read from the request. */
  readonly body: Buffer | undefined;
  readonly response: ServerResponse;
  /** Called when the worker begins to answer. */
  readonly answered: () => void;
}

/** A request that was sent to a worker. */
interface Exchanging {
  /**
   * Why the worker does not answer: it is not there, or does not have the scanner. Then nothing was done. Undefined when the
   * client is answered. Rejects with WorkerFailure if the worker breaks off before it answers, or does not accept the request.
   */
  readonly refusal: Promise<string | undefined>;
  /** Another worker has the scanner: an answer of this one that has not begun is not waited for any more. */
  leave(): void;
}

/** Sends a request to a worker, and its answer to the client. */
export function exchange(
  connections: WorkerConnections,
  worker: WorkerAddress,
  { context, body, response, answered }: Exchange,
): Exchanging {
  const { request } = context;
  const outgoing = opened(connections, worker, context, body);
  let hasMoved = false;
  const leave = () => {
    if (response.headersSent) return;
    hasMoved = true;
    outgoing.destroy(new Error(hasMovedReason));
  };
  const isConnected = connectionOf(outgoing);
  let isSilent = false;
  outgoing.setTimeout(silentFor, () => {
    isSilent = true;
    outgoing.destroy(new Error(`no answer for ${silentFor / 1000} s`));
  });
  const heed = (answer: IncomingMessage): Promise<string> | undefined => {
    answered();
    if (answer.headers[unsigned] !== undefined) {
      outgoing.destroy();
      return Promise.reject(new KeyRefused());
    }
    if (answer.headers[notHere] === undefined) return undefined;
    // The next attempt may use this connection again, unless a part of the body is on its way.
    return new Promise((over) => answer.resume().once('close', () => over(refusals.waiting)));
  };
  const failed = (error: unknown): string => {
    if (error instanceof WorkerFailure) throw error;
    if (error instanceof InvalidResponse || !(error instanceof Error)) throw noAnswerOf(error);
    // Reads are sent again, unless the worker is silent: that may go on.
    const mayAskAnother = !isConnected() || (isRead(request) && (!isSilent || hasMoved));
    if (isConnected() && !hasMoved && codeOf(error) === 'ECONNRESET')
      throw new BrokenOff(error, mayAskAnother);
    if (mayAskAnother) return refusals.unreachable(reasonOf(error));
    throw new WorkerFailure(reasonOf(error), { cause: error });
  };
  const content = contentAt(targetOf(request));
  return {
    refusal: forward({ request, response, outgoing, body, content, inspect: heed }).catch(failed),
    leave,
  };
}

/**
 * Hands a connection over to a worker that makes it a WebSocket of a scanner. Otherwise the worker's answer ends it. Until the
 * worker answers, nothing was done, and another one may be asked.
 */
export function upgrade(
  connections: WorkerConnections,
  worker: WorkerAddress,
  context: RequestContext,
  client: Socket,
  head: Buffer,
): Exchanging {
  const { request } = context;
  const { method = 'GET', url: path = '/' } = request;
  const asks = ['connection', 'Upgrade', 'upgrade', request.headers.upgrade ?? ''];
  // Without a length: what follows is no body.
  const outgoing = connections.open(worker, { method, path, headers: [...requestHeaders(context), ...asks] });
  const isConnected = connectionOf(outgoing);
  let isAnswered = false;
  let hasMoved = false;
  const leave = () => {
    hasMoved = true;
    // As when the power of the scanner fails: its client connects again.
    if (isAnswered) client.destroy();
    else outgoing.destroy(new Error(hasMovedReason));
  };
  const refusal = new Promise<string | undefined>((resolve, failed) => {
    const gone = () => {
      outgoing.destroy();
      resolve(undefined);
    };
    if (client.destroyed) gone();
    else client.once('close', gone);
    const waits = (why: string) => {
      client.off('close', gone);
      outgoing.destroy();
      resolve(why);
    };
    const answered = () => {
      isAnswered = true;
      resolve(undefined);
    };
    outgoing.setTimeout(silentFor, () => client.destroy());
    const fail = (why: WorkerFailure) => {
      client.off('close', gone);
      outgoing.destroy();
      failed(why);
    };
    outgoing.on('error', (error) => {
      if (isAnswered) client.destroy();
      else if (isConnected() && !hasMoved && codeOf(error) === 'ECONNRESET') fail(new BrokenOff(error, true));
      else waits(refusals.unreachable(reasonOf(error)));
    });
    outgoing.once('upgrade', (answer, joined, first) => {
      joinWebSocket(client, head, answer, joined, first);
      answered();
    });
    outgoing.once('response', (answer) => {
      if (answer.headers[unsigned] !== undefined) {
        fail(new KeyRefused());
        return;
      }
      if (answer.headers[notHere] !== undefined) {
        waits(refusals.waiting);
        return;
      }
      try {
        client.write(lastHead(headOfResponse(answer, contentAt(targetOf(request)))));
      } catch (error) {
        fail(noAnswerOf(error));
        return;
      }
      pipeline(answer, client, () => endWith(client));
      answered();
    });
    outgoing.end();
  });
  return { refusal, leave };
}

/** What is asked of the scanner itself. */
function targetOf({ url = '/' }: IncomingMessage): string {
  return scannerPathOf(url)?.target ?? url;
}

/** A worker has answered what cannot be passed on. */
function noAnswerOf(error: unknown): WorkerFailure {
  return new WorkerFailure(error instanceof InvalidResponse ? error.message : String(error), {
    cause: error,
  });
}

/**
 * Ends a request whose worker cannot be reached, as that of a computer that is off.
 * @returns a function that tells whether the request can have been sent: over TLS, nothing is before the certificate was checked
 */
function connectionOf(outgoing: ClientRequest): () => boolean {
  let isConnected = false;
  outgoing.once('socket', (socket) => {
    if (!socket.connecting) {
      isConnected = true;
      return;
    }
    const limit = setTimeout(
      () => outgoing.destroy(new Error(`no connection for ${connectsWithin / 1000} s`)),
      connectsWithin,
    );
    outgoing.once('close', () => clearTimeout(limit));
    socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', () => {
      clearTimeout(limit);
      isConnected = true;
    });
  });
  return () => isConnected;
}

function opened(
  connections: WorkerConnections,
  worker: WorkerAddress,
  context: RequestContext,
  body: Buffer | undefined,
): ClientRequest {
  const { request } = context;
  const { method = 'GET', url: path = '/' } = request;
  const headers = [
    ...requestHeaders(context),
    ...(body === undefined ? framingOf(request) : framingOfBody(body)),
  ];
  return connections.open(worker, { method, path, headers });
}

/** Without the address of the worker, which is no business of clients. */
function reasonOf(error: Error): string {
  return 'code' in error ? String(error.code) : error.message;
}

function framingOfBody({ length }: Buffer): readonly string[] {
  return length === 0 ? [] : ['content-length', String(length)];
}

const isRead = ({ method }: IncomingMessage) => method === 'GET' || method === 'HEAD';
