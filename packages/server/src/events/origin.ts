import type { IncomingMessage } from 'node:http';

/** Names of the machine that somebody sits at. */
const loopback = /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Does a handshake come from a page that the scanner is not to be read by? Browsers ask nobody before a page opens a
 * WebSocket to another place, but they say truthfully where the page is from, and at which address they reach us.
 *
 * A page of the same host and port may read; `http` or `https` makes no difference, as somebody else may speak TLS in
 * front of us. So may a page of the machine that the browser runs on, when it reaches the scanner at a name of that
 * machine too. `null` may be any page, and what is no origin is refused like it.
 */
export function isForeign({ headers }: IncomingMessage): boolean {
  const { origin, host = '' } = headers;
  if (origin === undefined) return false;
  if (!URL.canParse(origin)) return true;
  const its = new URL(origin);
  // Parsed as well, as an origin leaves a usual port out.
  const address = `${its.protocol}//${host}`;
  if (its.host === '' || !URL.canParse(address)) return true;
  const ours = new URL(address);
  return its.host !== ours.host && !(loopback.test(its.hostname) && loopback.test(ours.hostname));
}
