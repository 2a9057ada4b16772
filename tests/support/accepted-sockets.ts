import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import { isObject } from '@azimuth/model';
import { onTestFinished } from 'vitest';

/**
 * The scanner's sockets of the connections that are opened from now on. Destroying one simulates a lost connection; a
 * client that only ends its side can still wait for responses.
 */
export function acceptedSockets(): Socket[] {
  const accepted: Socket[] = [];
  const add = (message: unknown) => {
    if (isObject(message) && message.socket instanceof Socket) accepted.push(message.socket);
  };
  subscribe('net.server.socket', add);
  onTestFinished(() => {
    unsubscribe('net.server.socket', add);
  });
  return accepted;
}
