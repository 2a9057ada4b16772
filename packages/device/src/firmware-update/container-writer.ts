import { createHash, type KeyObject } from 'node:crypto';
import { encodeManifest, layout, type Manifest, type Pieces } from './container.js';
import { signatureOf } from './signature.js';

/** What a manifest says that does not follow from the payload. */
export type Purpose = Pick<Manifest, 'deviceType' | 'release'>;

/**
 * An unsigned container, piece by piece. `payload` is asked for twice, as its hash stands in front of it, and has to
 * give the same bytes both times.
 */
export async function* writeContainer(
  { deviceType, release }: Purpose,
  payload: () => Pieces,
): AsyncGenerator<Uint8Array> {
  const { payloadBytes, payloadSha256 } = await measure(payload());
  const manifest = encodeManifest({ deviceType, release, payloadBytes, payloadSha256 });
  const length = Buffer.alloc(layout.lengthBytes);
  length.writeUInt32BE(manifest.length);
  const whole = createHash('sha256');
  const head = Buffer.concat([layout.magic, length, manifest]);
  whole.update(head);
  yield head;
  for await (const part of payload()) {
    whole.update(part);
    yield part;
  }
  yield whole.digest();
}

/** The same container with a signature behind it. `seal` is that of the container, which must be whole and unsigned. */
export async function* writeSigned(
  container: Pieces,
  seal: Uint8Array,
  privateKey: KeyObject,
): AsyncGenerator<Uint8Array> {
  yield* container;
  yield signatureOf(seal, privateKey);
}

async function measure(payload: Pieces): Promise<Pick<Manifest, 'payloadBytes' | 'payloadSha256'>> {
  const hash = createHash('sha256');
  let payloadBytes = 0;
  for await (const part of payload) {
    hash.update(part);
    payloadBytes += part.length;
  }
  return { payloadBytes, payloadSha256: hash.digest('hex') };
}
