import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { longestDrain } from './limits.js';

/**
 * Answers of which the last one of a connection ends it only when its request is complete, or after 10 s. What the client still
 * sends is read and dropped: if the connection ended before, the system would reset it, and the client would lose the answer.
 */
export class Answer<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  constructor(request: Request) {
    super(request);
    // Runs before node ends the connection.
    this.once('finish', () => this.#awaitRequest());
  }

  #awaitRequest(): void {
    const { req, socket, shouldKeepAlive } = this;
    if (shouldKeepAlive || req.complete || socket === null || socket.destroyed) return;
    // Node calls it next.
    socket.destroySoon = () => {
      Reflect.deleteProperty(socket, 'destroySoon');
      endBehind(req, socket);
    };
  }
}

function endBehind(request: IncomingMessage, socket: Socket): void {
  const end = () => socket.destroySoon();
  const limit = setTimeout(end, longestDrain).unref();
  request.once('end', end).resume();
  socket.once('close', () => clearTimeout(limit));
}
