import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';

/** Properties of a firmware file. */
interface Options {
  release?: string;
  deviceType?: string;
  /** The product that it is for, if that is not the built-in one. */
  product?: string;
  payload?: Buffer;
  /** The key to sign with; unsigned by default. */
  key?: KeyObject;
}

/** A firmware file as docs/firmware.md describes it. */
export function firmware({
  release = '2.4.4',
  deviceType = 'picoScan1xx',
  product,
  payload,
  key,
}: Options = {}): Buffer {
  const content = payload ?? Buffer.from('what a scanner is made of');
  const manifest = Buffer.from(
    JSON.stringify({
      product,
      deviceType,
      release,
      payloadBytes: content.length,
      payloadSha256: createHash('sha256').update(content).digest('hex'),
    }),
  );
  const length = Buffer.alloc(4);
  length.writeUInt32BE(manifest.length);
  const body = Buffer.concat([Buffer.from('AZIMUTH'), Buffer.of(1), length, manifest, content]);
  const seal = createHash('sha256').update(body).digest();
  if (key === undefined) return Buffer.concat([body, seal]);
  const signature = sign(null, Buffer.concat([Buffer.from('azimuth firmware 1\0'), seal]), key);
  return Buffer.concat([body, seal, signature]);
}

/** Creates a key pair, and writes the public key to a file for `--firmware-key`. */
export function signer(file: string): KeyObject {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(file, publicKey.export({ type: 'spki', format: 'pem' }));
  return privateKey;
}
