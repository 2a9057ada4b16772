import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The header by which a gateway shows that it knows the key of the deployment. */
export const keyHeader = 'azimuth-fleet';

/** The header with which a worker says that the scanner of the request is not its own. Nothing was done then. */
export const notHere = 'azimuth-not-here';

/** ms: clocks of computers may differ by this much, and a header that somebody has read is useless after it. */
const validFor = 60_000;

/** Characters of a key, at least. */
export const shortestKey = 16;

/**
 * The key that gateways and workers of a deployment share. It never goes over the network: a request carries the time, and a
 * code (HMAC-SHA-256) over the time, the method and the path.
 */
export class GatewayKey {
  readonly #secret: string;

  /** @throws RangeError if the key is too short */
  constructor(secret: string) {
    if (secret.length < shortestKey)
      throw new RangeError(`the key of a fleet needs at least ${shortestKey} characters`);
    this.#secret = secret;
  }

  /** The value of the header for a request. @param now ms since 1970 */
  sign(method: string, path: string, now = Date.now()): string {
    return `${now} ${this.#codeOf(method, path, now)}`;
  }

  /** Does the request carry a code of this key that is not too old? @param now ms since 1970 */
  signed({ headers, method = '', url = '' }: IncomingMessage, now = Date.now()): boolean {
    const value = headers[keyHeader];
    const [, time, code = ''] = /^(\d{1,15}) ([\w-]{43})$/.exec(typeof value === 'string' ? value : '') ?? [];
    if (time === undefined || Math.abs(now - Number(time)) > validFor) return false;
    return timingSafeEqual(Buffer.from(code), Buffer.from(this.#codeOf(method, url, Number(time))));
  }

  #codeOf(method: string, path: string, time: number): string {
    return createHmac('sha256', this.#secret).update(`${time}\n${method}\n${path}`).digest('base64url');
  }
}
