import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Content, headOfAnswer, headOfWebSocket, NoAnswer } from './forwarded-answers.js';

interface Forwarded {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The request to the scanner, of which only the headers were given. */
  readonly outgoing: ClientRequest;
  /** Undefined if it is still to be read from the request. */
  readonly body?: Buffer | undefined;
  /** What the path answers with. */
  readonly content: Content;
  /** Called with the head of an answer. Returns why it is not for the client, as soon as it is over; undefined if it is. */
  readonly heed?: (answer: IncomingMessage) => Promise<string> | undefined;
}

/**
 * Forwards a request, and its answer to the client. Fulfilled when the client is answered or gone, or with what `heed` has returned.
 * @throws NoAnswer, and errors of the connection, before anything was sent to the client
 */
export async function forward(forwarded: Forwarded): Promise<string | undefined> {
  const { request, outgoing, body } = forwarded;
  const { socket: client } = request;
  let gone = () => {};
  try {
    return await new Promise<string | undefined>((resolve, reject) => {
      // Not of the response: of those that wait behind others, Node closes none when the connection ends.
      gone = () => {
        outgoing.destroy();
        resolve(undefined);
      };
      passAnswer(forwarded, resolve, reject);
      // Not a pipeline: that takes the connection from a request whose scanner has failed, while the client goes on sending.
      if (body === undefined) request.pipe(outgoing);
      else outgoing.end(body);
      if (client.destroyed) gone();
      else client.once('close', gone);
    });
  } finally {
    client.off('close', gone);
  }
}

type Resolve = (refusal: string | undefined | Promise<string>) => void;

function passAnswer(
  { request, response, outgoing, body, content, heed }: Forwarded,
  resolve: Resolve,
  reject: (error: unknown) => void,
): void {
  const fail = (error: unknown) => {
    if (body === undefined) request.unpipe(outgoing);
    outgoing.destroy();
    reject(error);
  };
  outgoing.on('error', (error) => {
    // Whoever has begun to answer is followed to the end of the answer, which says by itself whether it is whole.
    if (!response.headersSent) fail(error);
  });
  // Without this, Node would tell nobody that there is no answer.
  outgoing.once('upgrade', (_, joined) => {
    joined.destroy();
    fail(new NoAnswer('it has answered with another protocol'));
  });
  outgoing.once('response', (answer) => {
    const heeded = heed?.(answer);
    if (heeded !== undefined) {
      if (body === undefined) {
        request.unpipe(outgoing);
        outgoing.destroy();
      }
      resolve(heeded);
      return;
    }
    // A scanner that answers before it has the whole body does not want the rest of it.
    if (body === undefined) request.unpipe(outgoing).resume();
    // What is wrong with the request itself was found behind its head, and was said: as a chunk that is none.
    if (response.headersSent || response.destroyed) {
      outgoing.destroy();
      resolve(undefined);
      return;
    }
    try {
      const { status, headers } = headOfAnswer(answer, content);
      response.writeHead(status, headers);
    } catch (error) {
      fail(error);
      return;
    }
    // The client sees that the answer is not whole. A pipeline would do the same, at a tenth of the time of a read.
    answer.once('error', () => response.destroy());
    response.once('close', () => {
      // A request whose body the scanner did not want is not complete, and would keep its connection.
      outgoing.destroy();
      resolve(undefined);
    });
    answer.pipe(response);
  });
}

/**
 * Joins a client and a scanner that has accepted its WebSocket: what one of them sends, the other one gets.
 * @param head bytes that followed the request
 * @param first bytes that followed the answer
 */
export function joinWebSocket(
  client: Socket,
  head: Buffer,
  answer: IncomingMessage,
  joined: Socket,
  first: Buffer,
): void {
  joined.setTimeout(0);
  client.setTimeout(0);
  client.write(headOfWebSocket(answer));
  if (first.length > 0) client.write(first);
  if (head.length > 0) joined.write(head);
  joined.once('error', () => client.destroy()).once('close', () => client.destroy());
  client.once('close', () => joined.destroy());
  joined.pipe(client);
  client.pipe(joined);
}
