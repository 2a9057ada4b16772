import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type ForwardedHead, headOfWebSocket, InvalidResponse } from './forwarded-responses.js';

interface Forwarded {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Request to the scanner, with only its headers given. */
  readonly outgoing: ClientRequest;
  /** Body of the request; undefined if it is still to be read from the request. */
  readonly body?: Buffer | undefined;
  /** Returns the head of a response for the client. @throws InvalidResponse for a response that no scanner sends */
  readonly headOf: (incoming: IncomingMessage) => ForwardedHead;
  /**
   * Called with the head of a response. Returns undefined if the response is for the client. Otherwise it returns a
   * promise of the reason, fulfilled as soon as the response is over.
   */
  readonly inspect?: (incoming: IncomingMessage) => Promise<string> | undefined;
}

/**
 * Forwards a request, and the response to the client. Fulfilled when the client has its response or has closed its
 * connection, or with the result of `inspect`.
 * @throws InvalidResponse, and errors of the connection, before anything was sent to the client
 */
export async function forward(forwarded: Forwarded): Promise<string | undefined> {
  const { request, outgoing, body } = forwarded;
  const { socket: client } = request;
  let clientClosed = () => {};
  try {
    return await new Promise<string | undefined>((resolve, reject) => {
      // Listens to the client's connection, not to the response: when a connection ends, Node does not close responses
      // that wait behind others.
      clientClosed = () => {
        outgoing.destroy();
        resolve(undefined);
      };
      forwardResponse(forwarded, resolve, reject);
      // Not a pipeline: if the scanner fails, a pipeline closes the connection of the request while the client goes on
      // sending.
      if (body === undefined) request.pipe(outgoing);
      else endWithBody(outgoing, body);
      if (client.destroyed) clientClosed();
      else client.once('close', clientClosed);
    });
  } finally {
    client.off('close', clientClosed);
  }
}

type Resolve = (refusal: string | undefined | Promise<string>) => void;

function forwardResponse(
  { request, response, outgoing, body, headOf, inspect }: Forwarded,
  resolve: Resolve,
  reject: (error: unknown) => void,
): void {
  const fail = (error: unknown) => {
    if (body === undefined) request.unpipe(outgoing);
    outgoing.destroy();
    reject(error);
  };
  outgoing.on('error', (error) => {
    // If a response has begun, its own end shows if it is complete.
    if (!response.headersSent) fail(error);
  });
  // Without this listener, Node would report nothing, and the client would get no response.
  outgoing.once('upgrade', (_, joined) => {
    joined.destroy();
    fail(new InvalidResponse('it has answered with another protocol'));
  });
  outgoing.once('response', (incoming) => {
    const rejected = inspect?.(incoming);
    if (rejected !== undefined) {
      if (body === undefined) {
        request.unpipe(outgoing);
        outgoing.destroy();
      }
      resolve(rejected);
      return;
    }
    // A scanner that responds before it has the complete body does not want the rest of it.
    if (body === undefined) request.unpipe(outgoing).resume();
    // The request was broken behind its head, for example by an invalid chunk, and has been refused already.
    if (response.headersSent || response.destroyed) {
      outgoing.destroy();
      resolve(undefined);
      return;
    }
    try {
      const { status, headers } = headOf(incoming);
      response.writeHead(status, headers);
    } catch (error) {
      fail(error);
      return;
    }
    // The client sees that the response is not complete. A pipeline would do the same, at a tenth of the time of a
    // read.
    incoming.once('error', () => response.destroy());
    response.once('close', () => {
      // If the scanner did not want the body, the request is not complete, and would keep its connection open.
      outgoing.destroy();
      resolve(undefined);
    });
    // If `inspect` reads the body, too, it flows already.
    if (incoming.readableFlowing !== null) incoming.pipe(response);
    // Most responses come with their body in one piece, which node hands over before the next tick.
    else process.nextTick(() => forwardBody(incoming, response));
  });
}

/** Forwards the body of a response. If it is complete, the client gets it together with the head. */
function forwardBody(incoming: IncomingMessage, response: ServerResponse): void {
  if (response.destroyed) return;
  if (!incoming.complete) {
    incoming.pipe(response);
    return;
  }
  const body: unknown = incoming.read();
  if (Buffer.isBuffer(body)) endWithBody(response, body);
  else response.end();
}

/** Largest body in bytes that is sent in one write together with its head. */
const mostInOneWrite = 16 * 1024;

/** Ends a message with its only piece. Node sends the head and a string in one piece, but not the head and bytes. */
function endWithBody(message: ClientRequest | ServerResponse, body: Buffer): void {
  if (body.length === 0) message.end();
  else if (body.length <= mostInOneWrite) message.end(body.toString('latin1'), 'latin1');
  else message.end(body);
}

/**
 * Joins a client and a scanner that has accepted its WebSocket. The bytes of one are written to the other.
 * @param head bytes that followed the request
 * @param first bytes that followed the response
 */
export function joinWebSocket(
  client: Socket,
  head: Buffer,
  incoming: IncomingMessage,
  joined: Socket,
  first: Buffer,
): void {
  joined.setTimeout(0);
  client.setTimeout(0);
  client.write(headOfWebSocket(incoming));
  if (first.length > 0) client.write(first);
  if (head.length > 0) joined.write(head);
  joined.once('error', () => client.destroy()).once('close', () => client.destroy());
  client.once('close', () => joined.destroy());
  joined.pipe(client);
  client.pipe(joined);
}
