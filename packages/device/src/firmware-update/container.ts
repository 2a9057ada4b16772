import type { Manifest } from './manifest.js';

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
