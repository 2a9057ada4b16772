import { Peer } from './peer.js';

/**
 * Runs a program until it has sent its message, and ends it then.
 * @throws Error where it ends without one.
 */
export async function messageOf(what: {
  readonly core: number;
  readonly command: readonly string[];
}): Promise<unknown> {
  const peer = await Peer.start(what);
  await peer.end();
  return peer.hello;
}
