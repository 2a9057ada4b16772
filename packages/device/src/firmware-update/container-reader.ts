import { createHash, type Hash } from 'node:crypto';
import { ByteStream } from './byte-stream.js';
import {
  type Container,
  DamagedContainer,
  decodeManifest,
  layout,
  type Manifest,
  type Pieces,
} from './container.js';

/**
 * Reads a container from one end to the other, piece by piece, whatever its size.
 * @throws DamagedContainer where it is none, or a bit of it is not as it was written. Only a signature, which the seal
 * cannot cover, is left to whoever has the key.
 */
export async function readContainer(pieces: Pieces): Promise<Container> {
  const stream = new ByteStream(pieces);
  try {
    return await read(stream);
  } finally {
    await stream.close();
  }
}

async function read(stream: ByteStream): Promise<Container> {
  const whole = createHash('sha256');
  const manifest = await readManifest(stream, whole);
  const payload = createHash('sha256');
  for await (const part of stream.pass(manifest.payloadBytes)) {
    whole.update(part);
    payload.update(part);
  }
  const seal = await stream.take(layout.sealBytes);
  if (!seal.equals(whole.digest())) throw new DamagedContainer('the seal does not fit: the file was altered');
  if (payload.digest('hex') !== manifest.payloadSha256) {
    throw new DamagedContainer('the payload is not the one that the manifest is about');
  }
  const signature = (await stream.isAtEnd()) ? undefined : await stream.take(layout.signatureBytes);
  if (!(await stream.isAtEnd())) throw new DamagedContainer('something stands behind the signature');
  return { manifest, seal, signature };
}

async function readManifest(stream: ByteStream, whole: Hash): Promise<Manifest> {
  const magic = await stream.take(layout.magic.length);
  if (!magic.equals(layout.magic)) throw new DamagedContainer('this is no firmware file of this layout');
  const length = await stream.take(layout.lengthBytes);
  const count = length.readUInt32BE();
  if (count > layout.mostManifestBytes) {
    throw new DamagedContainer(`a manifest of ${count} bytes, ${layout.mostManifestBytes} at most`);
  }
  const bytes = await stream.take(count);
  whole.update(magic).update(length).update(bytes);
  return decodeManifest(bytes);
}
