import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { assertLong, type DeploymentKeys } from '../deployment-keys.js';

/** The header with which a gateway proves that it knows the key of the deployment. */
export const keyHeader = 'azimuth-fleet';

/** The header with which a worker says that it does not have the scanner of the request. Nothing was done then. */
export const notHereHeader = 'azimuth-not-here';

/** The header with which a worker says that it does not accept the signature of a request. Nothing was done then. */
export const unsignedHeader = 'azimuth-unsigned';

/** Validity of a header in ms: clocks of computers may differ by this much. Later, a stolen header is useless. */
const validFor = 60_000;

/**
 * The keys that gateways and workers of a deployment share. They never go over the network. A request carries the time, and a
 * code (HMAC-SHA-256) over the time, the URL of its worker, the method and the path.
 */
export class GatewayKey {
  readonly #signing: KeyObject;
  /** The first one signs. */
  readonly #accepted: readonly KeyObject[];

  /** @throws RangeError if a key is too short */
  constructor(...keys: DeploymentKeys) {
    assertLong(keys);
    const [signing, ...others] = keys;
    this.#signing = keyOf(signing);
    this.#accepted = [this.#signing, ...others.map(keyOf)];
  }

  /**
   * Returns the value of the header for a request.
   * @param worker its URL: the header is useless for another worker
   * @param now ms since 1970
   */
  sign(worker: string, method: string, path: string, now = Date.now()): string {
    return `${now} ${codeOf(this.#signing, [now, worker, method, path])}`;
  }

  /**
   * True if the request carries a code of one of the keys that is not too old.
   * @param worker the URL by which gateways know this one
   * @param now ms since 1970
   */
  signed(worker: string, { headers, method = '', url = '' }: IncomingMessage, now = Date.now()): boolean {
    const value = headers[keyHeader];
    const [, time, code = ''] = /^(\d{1,15}) ([\w-]{43})$/.exec(typeof value === 'string' ? value : '') ?? [];
    if (time === undefined || Math.abs(now - Number(time)) > validFor) return false;
    const given = Buffer.from(code);
    return this.#accepted.some((key) =>
      timingSafeEqual(given, Buffer.from(codeOf(key, [Number(time), worker, method, url]))),
    );
  }
}

/** Node would convert a text anew for each code. */
function keyOf(key: string): KeyObject {
  return createSecretKey(key, 'utf8');
}

function codeOf(key: KeyObject, signed: readonly (string | number)[]): string {
  return createHmac('sha256', key).update(signed.join('\n')).digest('base64url');
}
