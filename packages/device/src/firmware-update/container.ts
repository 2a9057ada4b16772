import { isObject } from '@azimuth/model';

const name = 'AZIMUTH\x01';

/**
 * The firmware container (`.spk`, signed `.spk.signed`), byte by byte; numbers are unsigned and big-endian:
 *
 * | offset | bytes | what |
 * |---|---|---|
 * | 0 | 8 | `AZIMUTH` in ASCII and the version of this layout, 1 |
 * | 8 | 4 | M, the length of the manifest: 2 to 4096 |
 * | 12 | M | the manifest: a JSON object in UTF-8 |
 * | 12 + M | P | the payload; P is `payloadBytes` of the manifest |
 * | 12 + M + P | 32 | the seal: SHA-256 over everything in front of it |
 * | 44 + M + P | 64 | in a signed file, the Ed25519 signature: over `azimuth firmware 1`, a zero byte and the seal |
 */
export const layout = {
  magic: Buffer.from(name, 'latin1'),
  lengthBytes: 4,
  mostManifestBytes: 4096,
  sealBytes: 32,
  signatureBytes: 64,
} as const;

/** A file that is no container, or not a whole one. The message says what is wrong with it. */
export class DamagedContainer extends Error {
  override readonly name = 'DamagedContainer';
}

/** What stands in a container that is whole: seal and payload hash fit. The signature is there, and not checked. */
export interface Container {
  readonly manifest: Manifest;
  readonly seal: Uint8Array;
  /** Undefined where the file is not signed. */
  readonly signature: Uint8Array | undefined;
}

/** The bytes of one file, in pieces, in their order. */
export type Pieces = AsyncIterable<Uint8Array>;

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
