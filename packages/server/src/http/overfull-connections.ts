import type { Duplex } from 'node:stream';
import { noteOverfull } from './connections.js';
import { mostOverfull, overfullLinger } from './limits.js';

/**
 * Connections on which too many requests came at once. Node keeps all of them until the connection closes, so only a few may
 * linger until their clients have read the last answer, and only briefly.
 */
export class OverfullConnections {
  #lingering = 0;

  /** May this connection have a last answer? Otherwise it is closed at once. */
  admits(socket: Duplex): boolean {
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
