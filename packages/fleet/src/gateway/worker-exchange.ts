import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { codeOf } from '@azimuth/device';
import { headOfAnswer, headOfWebSocket, lastHead, NoAnswer, requestHeaders } from '@azimuth/http';
import { contentAt } from '@azimuth/server/pages';
import { notHere, unsigned } from '../front/gateway-key.js';
import { endSoon, refusals } from '../front/refusals.js';
import { scannerPathOf } from '../front/scanner-path.js';
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
  readonly request: IncomingMessage;
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
  { request, body, response, answered }: Exchange,
): Exchanging {
  const outgoing = opened(connections, worker, request, body);
  let hasMoved = false;
  const leave = () => {
    if (response.headersSent) return;
    hasMoved = true;
    outgoing.destroy(new Error(hasMovedReason));
  };
  const { socket: client } = request;
  const refusal = new Promise<string | undefined>((resolve, failed) => {
    const done = (why?: string) => {
      client.off('close', gone);
      resolve(why);
    };
    // Not of the response: of those that wait behind others, Node closes none when the connection ends.
    const gone = () => {
      outgoing.destroy();
      done();
    };
    const fail = (why: WorkerFailure) => {
      client.off('close', gone);
      failed(why);
    };
    const isConnected = connectionOf(outgoing);
    let isSilent = false;
    // Reads are sent again, unless the worker is silent: that may go on.
    const mayAskAnother = () => !isConnected() || (isRead(request) && (!isSilent || hasMoved));
    outgoing.on('error', (error) => {
      // Whoever has begun to answer is followed to the end of the answer, which says by itself whether it is whole.
      if (response.headersSent) return;
      if (isConnected() && !hasMoved && codeOf(error) === 'ECONNRESET')
        fail(new BrokenOff(error, mayAskAnother()));
      else if (mayAskAnother()) done(refusals.unreachable(reasonOf(error)));
      else fail(new WorkerFailure(reasonOf(error), { cause: error }));
    });
    outgoing.setTimeout(silentFor, () => {
      isSilent = true;
      outgoing.destroy(new Error(`no answer for ${silentFor / 1000} s`));
    });
    // Without this, Node would tell nobody that there is no answer.
    outgoing.once('upgrade', (_, joined) => {
      joined.destroy();
      fail(new WorkerFailure('it has answered with another protocol'));
    });
    outgoing.once('response', (answer) => {
      answered();
      if (answer.headers[unsigned] !== undefined) {
        outgoing.destroy();
        fail(new KeyRefused());
        return;
      }
      if (answer.headers[notHere] !== undefined) {
        // The next attempt may use this connection again, unless a part of the body is on its way.
        answer.resume().once('close', () => done(refusals.waiting));
        if (body === undefined) {
          request.unpipe(outgoing);
          outgoing.destroy();
        }
        return;
      }
      // A worker that answers before it has the whole body does not want the rest of it.
      if (body === undefined) request.unpipe(outgoing).resume();
      // What is wrong with the request itself was found behind its head, and was said: as a chunk that is none.
      if (response.headersSent || response.destroyed) {
        outgoing.destroy();
        done();
        return;
      }
      try {
        const { status, headers } = headOfAnswer(answer, contentAt(targetOf(request)));
        response.writeHead(status, headers);
      } catch (error) {
        outgoing.destroy();
        fail(noAnswerOf(error));
        return;
      }
      // The client sees that the answer is not whole. A pipeline would do the same, at a tenth of the time of a read.
      answer.once('error', () => response.destroy());
      response.once('close', () => {
        // A request whose body the worker did not want is not complete, and would keep its connection.
        outgoing.destroy();
        done();
      });
      answer.pipe(response);
    });
    // Not a pipeline: that takes the connection from a request whose worker has failed, while the client goes on sending.
    if (body === undefined) request.pipe(outgoing);
    else outgoing.end(body);
    if (client.destroyed) gone();
    else client.once('close', gone);
  });
  return { refusal, leave };
}

/**
 * Hands a connection over to a worker that makes it a WebSocket of a scanner. Otherwise the worker's answer ends it. Until the
 * worker answers, nothing was done, and another one may be asked.
 */
export function upgrade(
  connections: WorkerConnections,
  worker: WorkerAddress,
  request: IncomingMessage,
  client: Socket,
  head: Buffer,
): Exchanging {
  const { method = 'GET', url: path = '/' } = request;
  const asks = ['connection', 'Upgrade', 'upgrade', request.headers.upgrade ?? ''];
  // Without a length: what follows is no body.
  const outgoing = connections.open(worker, { method, path, headers: [...requestHeaders(request), ...asks] });
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
      joined.setTimeout(0);
      client.setTimeout(0);
      client.write(headOfWebSocket(answer));
      if (first.length > 0) client.write(first);
      if (head.length > 0) joined.write(head);
      joined.once('error', () => client.destroy()).once('close', () => client.destroy());
      client.once('close', () => joined.destroy());
      joined.pipe(client);
      client.pipe(joined);
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
        client.write(lastHead(headOfAnswer(answer, contentAt(targetOf(request)))));
      } catch (error) {
        fail(noAnswerOf(error));
        return;
      }
      pipeline(answer, client, () => endSoon(client));
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
  return new WorkerFailure(error instanceof NoAnswer ? error.message : String(error), { cause: error });
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
  request: IncomingMessage,
  body: Buffer | undefined,
): ClientRequest {
  const { method = 'GET', url: path = '/' } = request;
  const headers = requestHeaders(request);
  const length = body === undefined ? request.headers['content-length'] : lengthOf(body);
  if (length !== undefined) headers.push('content-length', length);
  else if (body === undefined) headers.push('transfer-encoding', 'chunked');
  return connections.open(worker, { method, path, headers });
}

/** Without the address of the worker, which is no business of clients. */
function reasonOf(error: Error): string {
  return 'code' in error ? String(error.code) : error.message;
}

/** Undefined for no body. */
function lengthOf({ length }: Buffer): string | undefined {
  return length === 0 ? undefined : String(length);
}

const isRead = ({ method }: IncomingMessage) => method === 'GET' || method === 'HEAD';
