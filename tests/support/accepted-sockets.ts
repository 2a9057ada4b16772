import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import { isObject } from '@azimuth/model';
import { onTestFinished } from 'vitest';

/**
 * The scanner's own ends of the connections that are opened from now on. To destroy one is to lose a connection: a
 * client that merely ends his may still wait for answers.
 */
export function acceptedSockets(): Socket[] {
  const accepted: Socket[] = [];
  const note = (message: unknown) => {
    if (isObject(message) && message.socket instanceof Socket) accepted.push(message.socket);
  };
  subscribe('net.server.socket', note);
  onTestFinished(() => {
    unsubscribe('net.server.socket', note);
  });
  return accepted;
}
