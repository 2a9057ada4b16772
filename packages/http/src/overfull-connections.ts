import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Fault } from '@azimuth/model';
import { refuseAndClose } from './admission.js';
import { noteOverfull } from './connections.js';
import { mostOverfull, mostWaitingRequests, overfullLinger } from './limits.js';

/**
 * Connections on which too many requests came at once. Node keeps all of them until the connection closes, so only a few may
 * linger until their clients have read the last answer, and only briefly.
 */
export class OverfullConnections {
  #lingering = 0;

  /** Answers the request of a connection that is one too many: HTTP 429, the last answer there. */
  refuse(request: IncomingMessage, response: ServerResponse): void {
    if (!this.#mayLinger(request.socket)) return;
    const why = `more than ${mostWaitingRequests} requests wait on this connection; the requests after this one are not handled`;
    response.setHeader('Retry-After', 1);
    refuseAndClose(request, response, new Fault('outOfConnections', '', why), 429);
  }

  /** May this connection have a last answer? Otherwise it is closed at once. */
  #mayLinger(socket: Duplex): boolean {
    if (this.#lingering >= mostOverfull) {
      socket.destroy();
      return false;
    }
    this.#lingering++;
    noteOverfull(socket);
    const timer = setTimeout(() => socket.destroy(), overfullLinger).unref();
    socket.once('close', () => {
      clearTimeout(timer);
      this.#lingering--;
    });
    return true;
  }
}
