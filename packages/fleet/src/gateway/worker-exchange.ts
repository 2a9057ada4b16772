import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { codeOf } from '@azimuth/device/documents';
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
import { notHereHeader, unsignedHeader } from '../port/gateway-key.js';
import { refusals } from '../port/refusals.js';
import { scannerPathOf } from '../port/scanner-path.js';
import { idleTimeout, type WorkerAddress, type WorkerConnections } from './worker-connections.js';

/** ms until a worker accepts a connection. */
const connectTimeout = 3000;

const hasMovedReason = 'another worker has taken the scanner over';

/** A request has no response, because of the worker. */
export class WorkerFailure extends Error {
  override readonly name = 'WorkerFailure';
}

/** A worker has closed the connection before its response: the worker has ended, or its scanner has reset the connection. */
export class ConnectionLost extends WorkerFailure {
  /** True if it was reset, and not just closed. */
  readonly isReset: boolean;
  /** The reason to send the request again; undefined if this is not allowed. */
  readonly retryReason: string | undefined;

  constructor(cause: Error, mayTryAnother: boolean) {
    super(reasonOf(cause), { cause });
    this.isReset = 'syscall' in cause;
    this.retryReason = mayTryAnother ? refusals.unreachable(reasonOf(cause)) : undefined;
  }
}

/** A worker does not accept the key of this gateway. */
export class KeyRefused extends WorkerFailure {
  constructor() {
    super(refusals.unsigned);
  }
}

/** A request of a client, and its response. */
export interface Exchange {
  readonly context: RequestContext;
  /** Undefined if it is still to be read from the request. */
  readonly body: Buffer | undefined;
  readonly response: ServerResponse;
  /** Called when the worker begins to respond. */
  readonly responding: () => void;
}

/** A request that was sent to a worker. */
interface Exchanging {
  /**
   * The reason why the worker does not respond: it is not there, or does not have the scanner. Then nothing was done.
   * Undefined when the client has its response. Rejects with WorkerFailure if the worker breaks off before its response, or
   * does not accept the request.
   */
  readonly refusal: Promise<string | undefined>;
  /** Stops waiting for the response, if it has not begun: another worker has the scanner. */
  abandon(): void;
}

/** Sends a request to a worker, and its response to the client. */
export function exchange(
  connections: WorkerConnections,
  worker: WorkerAddress,
  { context, body, response, responding }: Exchange,
): Exchanging {
  const { request } = context;
  const outgoing = opened(connections, worker, context, body);
  let hasMoved = false;
  const abandon = () => {
    if (response.headersSent) return;
    hasMoved = true;
    outgoing.destroy(new Error(hasMovedReason));
  };
  const isConnected = connectionOf(outgoing);
  let isSilent = false;
  outgoing.once('timeout', () => {
    isSilent = true;
    outgoing.destroy(new Error(`no answer for ${idleTimeout / 1000} s`));
  });
  const inspectResponse = (answer: IncomingMessage): Promise<string> | undefined => {
    responding();
    if (answer.headers[unsignedHeader] !== undefined) {
      outgoing.destroy();
      return Promise.reject(new KeyRefused());
    }
    if (answer.headers[notHereHeader] === undefined) return undefined;
    // The next attempt may use this connection again, unless a part of the body has been sent.
    return new Promise((over) => answer.resume().once('close', () => over(refusals.waiting)));
  };
  const failed = (error: unknown): string => {
    if (error instanceof WorkerFailure) throw error;
    if (error instanceof InvalidResponse || !(error instanceof Error)) throw noResponseOf(error);
    // Reads are sent again, unless the worker does not respond: that may last.
    const mayTryAnother = !isConnected() || (isRead(request) && (!isSilent || hasMoved));
    if (isConnected() && !hasMoved && codeOf(error) === 'ECONNRESET')
      throw new ConnectionLost(error, mayTryAnother);
    if (mayTryAnother) return refusals.unreachable(reasonOf(error));
    throw new WorkerFailure(reasonOf(error), { cause: error });
  };
  const content = contentAt(targetOf(request));
  const headOf = (incoming: IncomingMessage) => headOfResponse(incoming, content);
  return {
    refusal: forward({ request, response, outgoing, body, headOf, inspect: inspectResponse }).catch(failed),
    abandon,
  };
}

/**
 * Hands a connection over to a worker, for a WebSocket of a scanner. If the worker refuses, its response ends the connection.
 * Before the response of the worker, nothing was done, and another worker may be tried.
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
  const upgradeHeaders = ['connection', 'Upgrade', 'upgrade', request.headers.upgrade ?? ''];
  // It has no length: there is no body.
  const outgoing = connections.open(worker, {
    method,
    path,
    headers: [...requestHeaders(context), ...upgradeHeaders],
  });
  const isConnected = connectionOf(outgoing);
  let hasResponse = false;
  let hasMoved = false;
  const abandon = () => {
    hasMoved = true;
    // The scanner behaves as after a power cut: its client connects again.
    if (hasResponse) client.destroy();
    else outgoing.destroy(new Error(hasMovedReason));
  };
  const refusal = new Promise<string | undefined>((resolve, failed) => {
    const clientClosed = () => {
      outgoing.destroy();
      resolve(undefined);
    };
    if (client.destroyed) clientClosed();
    else client.once('close', clientClosed);
    const retry = (why: string) => {
      client.off('close', clientClosed);
      outgoing.destroy();
      resolve(why);
    };
    const answered = () => {
      hasResponse = true;
      resolve(undefined);
    };
    outgoing.once('timeout', () => client.destroy());
    const fail = (why: WorkerFailure) => {
      client.off('close', clientClosed);
      outgoing.destroy();
      failed(why);
    };
    outgoing.on('error', (error) => {
      if (hasResponse) client.destroy();
      else if (isConnected() && !hasMoved && codeOf(error) === 'ECONNRESET')
        fail(new ConnectionLost(error, true));
      else retry(refusals.unreachable(reasonOf(error)));
    });
    outgoing.once('upgrade', (answer, joined, first) => {
      joinWebSocket(client, head, answer, joined, first);
      answered();
    });
    outgoing.once('response', (answer) => {
      if (answer.headers[unsignedHeader] !== undefined) {
        fail(new KeyRefused());
        return;
      }
      if (answer.headers[notHereHeader] !== undefined) {
        retry(refusals.waiting);
        return;
      }
      try {
        client.write(lastHead(headOfResponse(answer, contentAt(targetOf(request)))));
      } catch (error) {
        fail(noResponseOf(error));
        return;
      }
      pipeline(answer, client, () => endWith(client));
      answered();
    });
    outgoing.end();
  });
  return { refusal, abandon };
}

/** Returns the target for the scanner itself. */
function targetOf({ url = '/' }: IncomingMessage): string {
  return scannerPathOf(url)?.target ?? url;
}

/** The response of the worker cannot be passed on. */
function noResponseOf(error: unknown): WorkerFailure {
  return new WorkerFailure(error instanceof InvalidResponse ? error.message : String(error), {
    cause: error,
  });
}

/**
 * Ends a request whose worker cannot be reached, for example because its computer is off.
 * @returns a function that tells whether the request can have been sent. Over TLS, nothing is sent before the certificate was
 * checked
 */
function connectionOf(outgoing: ClientRequest): () => boolean {
  if (outgoing.reusedSocket) return () => true;
  let isConnected = false;
  outgoing.once('socket', (socket) => {
    if (!socket.connecting) {
      isConnected = true;
      return;
    }
    const limit = setTimeout(
      () => outgoing.destroy(new Error(`no connection for ${connectTimeout / 1000} s`)),
      connectTimeout,
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

/** Returns a reason without the address of the worker: clients must not see it. */
function reasonOf(error: Error): string {
  return 'code' in error ? String(error.code) : error.message;
}

function framingOfBody({ length }: Buffer): readonly string[] {
  return length === 0 ? [] : ['content-length', String(length)];
}

const isRead = ({ method }: IncomingMessage) => method === 'GET' || method === 'HEAD';
