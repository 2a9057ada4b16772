import { isObject } from '@azimuth/model';
import { DamagedContainer } from './container.js';

/** What a firmware file says of itself. */
export interface Manifest {
  /** The device type that it is for, as the variable DeviceType reads: up to 18 characters. */
  readonly deviceType: string;
  /** The release that a scanner is once it is installed; a scanner may know it or not. */
  readonly release: string;
  /** Length of the payload in bytes. */
  readonly payloadBytes: number;
  /** SHA-256 of the payload in lower-case hexadecimal digits. */
  readonly payloadSha256: string;
}

const members: readonly string[] = ['deviceType', 'release', 'payloadBytes', 'payloadSha256'];

export function encodeManifest(manifest: Manifest): Buffer {
  return Buffer.from(JSON.stringify(manifest, [...members]));
}

/** @throws DamagedContainer for anything but these four members. */
export function decodeManifest(bytes: Uint8Array): Manifest {
  const json = parse(bytes);
  if (!isObject(json)) throw new DamagedContainer('the manifest is not a JSON object');
  const { deviceType, release, payloadBytes, payloadSha256, ...others } = json;
  const [stranger] = Object.keys(others);
  if (stranger !== undefined) throw new DamagedContainer(`the manifest has an unknown member, ${stranger}`);
  if (typeof deviceType !== 'string' || typeof release !== 'string') {
    throw new DamagedContainer('deviceType and release of the manifest have to be texts');
  }
  if (typeof payloadBytes !== 'number' || !Number.isSafeInteger(payloadBytes) || payloadBytes < 0) {
    throw new DamagedContainer('payloadBytes of the manifest has to be a number of bytes');
  }
  if (typeof payloadSha256 !== 'string' || !/^[\da-f]{64}$/.test(payloadSha256)) {
    throw new DamagedContainer('payloadSha256 of the manifest has to be 64 hexadecimal digits');
  }
  return { deviceType, release, payloadBytes, payloadSha256 };
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new DamagedContainer('the manifest is not JSON');
  }
}
