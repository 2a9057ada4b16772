import type { Server, Socket } from 'node:net';
import type { HostAndPort } from './listen.js';

/** A port that was opened for a scanner before the scanner was started. */
export interface OpenPort {
  /** It listens. Whoever takes it over listens in its place, without a moment at which nobody does. */
  readonly server: Server;
  /** Connections that it has accepted, of which nothing has been read. */
  readonly waiting: readonly Socket[];
}

/** Ports of a scanner that are open before it is started, so that it need not be started before somebody connects. */
export interface OpenPorts {
  /** Hands over the port at this place; undefined if there is none, or if it was handed over before. */
  take(place: HostAndPort): OpenPort | undefined;
}
