import { generateKeyPairSync } from 'node:crypto';
import { readContainer, writeContainer, writeSigned } from '@azimuth/device/firmware';
import { deviceFamily, isFrom, type Release, releases } from '@azimuth/model';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');

/** The public key, in PEM, of all firmware files that are made here. */
export const firmwareKey = publicKey.export({ type: 'spki', format: 'pem' }).toString();

/** Firmware files by the release that they install. They are signed from 2.2.0 on. */
export const checkedFirmware: ReadonlyMap<string, Uint8Array> = new Map(
  await Promise.all(releases.map(async (release) => [release, await made(release)] as const)),
);

async function made(release: Release): Promise<Uint8Array> {
  const payload = () => oneByOne([Buffer.from('conformance check\n')]);
  const plain = await joined(writeContainer({ deviceType: deviceFamily, release }, payload));
  if (!isFrom(release, '2.2.0')) return plain;
  const { seal } = await readContainer(oneByOne([plain]));
  return joined(writeSigned(oneByOne([plain]), seal, privateKey));
}

async function* oneByOne(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

async function joined(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}
