import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { Purpose } from '../../src/firmware-update/firmware-container.js';
import { type Pieces, readContainer, writeContainer, writeSigned } from '../../src/firmware-update/index.js';

/** The trusted key of the scanners of these tests, and an untrusted one. */
export const trusted = generateKeyPairSync('ed25519');
export const foreign = generateKeyPairSync('ed25519');

export const deviceType = 'picoScan1xx';

/** Bytes as they may come over a wire: `size` at a time. */
export async function* pieces(content: Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
}

export async function complete(content: Pieces): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of content) parts.push(part);
  return Buffer.concat(parts);
}

/** An unsigned firmware file. */
export function built(wishes: Partial<Purpose> = {}, payload = 'the payload'): Promise<Buffer> {
  const purpose = { deviceType, release: '2.4.4', ...wishes };
  return complete(writeContainer(purpose, () => pieces(Buffer.from(payload))));
}

/** A firmware file with a signature, by the trusted key unless another is named. */
export async function signed(
  wishes: Partial<Purpose> = {},
  key: KeyObject = trusted.privateKey,
): Promise<Buffer> {
  const file = await built(wishes);
  const { seal } = await readContainer(pieces(file));
  return complete(writeSigned(pieces(file), seal, key));
}
