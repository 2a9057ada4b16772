import { createHash, type Hash, type KeyObject, sign, verify } from 'node:crypto';
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

/** Refuses a file that is not a complete container. The message names the problem. */
export class DamagedContainer extends Error {
  override readonly name = 'DamagedContainer';
}

/** The content of a complete container: seal and payload hash are correct. The signature is not checked. */
export interface Container {
  readonly manifest: Manifest;
  readonly seal: Uint8Array;
  /** Undefined if the file is not signed. */
  readonly signature: Uint8Array | undefined;
}

/** The bytes of a file, in pieces, in order. */
export type Pieces = AsyncIterable<Uint8Array>;

/** The manifest of a firmware file. */
interface Manifest {
  /** The device type of the file, as in the variable DeviceType: up to 18 characters. */
  readonly deviceType: string;
  /** Name of the product; undefined for the built-in one. */
  readonly product?: string | undefined;
  /** The release of the file, or the version of the product. The scanner may not know it. */
  readonly release: string;
  /** Length of the payload in bytes. */
  readonly payloadBytes: number;
  /** SHA-256 of the payload in lower-case hexadecimal digits. */
  readonly payloadSha256: string;
}

const members: readonly string[] = ['product', 'deviceType', 'release', 'payloadBytes', 'payloadSha256'];

function encodeManifest(manifest: Manifest): Buffer {
  return Buffer.from(JSON.stringify(manifest, [...members]));
}

/** @throws DamagedContainer for other members than these. */
function decodeManifest(bytes: Uint8Array): Manifest {
  const json = parse(bytes);
  if (!isObject(json)) throw new DamagedContainer('the manifest is not a JSON object');
  const { product, deviceType, release, payloadBytes, payloadSha256, ...others } = json;
  const [stranger] = Object.keys(others);
  if (stranger !== undefined) throw new DamagedContainer(`the manifest has an unknown member, ${stranger}`);
  if (product !== undefined && typeof product !== 'string') {
    throw new DamagedContainer('product of the manifest must be a string');
  }
  if (typeof deviceType !== 'string' || typeof release !== 'string') {
    throw new DamagedContainer('deviceType and release of the manifest must be strings');
  }
  if (typeof payloadBytes !== 'number' || !Number.isSafeInteger(payloadBytes) || payloadBytes < 0) {
    throw new DamagedContainer('payloadBytes of the manifest must be a number of bytes');
  }
  if (typeof payloadSha256 !== 'string' || !/^[\da-f]{64}$/.test(payloadSha256)) {
    throw new DamagedContainer('payloadSha256 of the manifest must be 64 hexadecimal digits');
  }
  return { product, deviceType, release, payloadBytes, payloadSha256 };
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new DamagedContainer('the manifest is not JSON');
  }
}

/** Reads pieces of any length as blocks of given lengths, with at most one piece in memory. */
class ByteStream {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #held: Uint8Array = new Uint8Array();

  constructor(pieces: Pieces) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /**
   * The next `count` bytes as one array, for small counts.
   * @throws DamagedContainer if the file ends before
   */
  async read(count: number): Promise<Buffer> {
    const parts: Uint8Array[] = [];
    for await (const part of this.pass(count)) parts.push(part);
    return Buffer.concat(parts);
  }

  /**
   * The next `count` bytes in pieces.
   * @throws DamagedContainer if the file ends before
   */
  async *pass(count: number): AsyncGenerator<Uint8Array> {
    for (let left = count; left > 0; ) {
      if (!(await this.#fill())) throw new DamagedContainer(`the file is cut off: ${left} bytes are missing`);
      const part = this.#held.subarray(0, left);
      this.#held = this.#held.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }

  /** True at the end of the file. */
  async isAtEnd(): Promise<boolean> {
    return !(await this.#fill());
  }

  /** Closes the source at any position. */
  async close(): Promise<void> {
    await this.#pieces.return?.();
  }

  /** Reads a piece if none is in memory. Returns false at the end. */
  async #fill(): Promise<boolean> {
    while (this.#held.length === 0) {
      const next = await this.#pieces.next();
      if (next.done === true) return false;
      this.#held = next.value;
    }
    return true;
  }
}

/**
 * Reads a complete container, piece by piece.
 * @throws DamagedContainer if it is not a container or was altered. The signature, which the seal cannot cover, is not
 * checked.
 */
export async function readContainer(pieces: Pieces): Promise<Container> {
  const stream = new ByteStream(pieces);
  try {
    return await read(stream);
  } finally {
    await stream.close();
  }
}

/**
 * The payload of a container that was read before, piece by piece.
 * @throws DamagedContainer at its end, if the file is not the one that was read
 */
export async function* payloadOf({ manifest }: Container, pieces: Pieces): AsyncGenerator<Uint8Array> {
  const stream = new ByteStream(pieces);
  try {
    await readManifest(stream, createHash('sha256'));
    const hash = createHash('sha256');
    for await (const part of stream.pass(manifest.payloadBytes)) {
      hash.update(part);
      yield part;
    }
    if (hash.digest('hex') !== manifest.payloadSha256) {
      throw new DamagedContainer('the payload has changed since it was checked');
    }
  } finally {
    await stream.close();
  }
}

async function read(stream: ByteStream): Promise<Container> {
  const hash = createHash('sha256');
  const manifest = await readManifest(stream, hash);
  const payload = createHash('sha256');
  for await (const part of stream.pass(manifest.payloadBytes)) {
    hash.update(part);
    payload.update(part);
  }
  const seal = await stream.read(layout.sealBytes);
  if (!seal.equals(hash.digest()))
    throw new DamagedContainer('the hash does not match: the file was changed');
  if (payload.digest('hex') !== manifest.payloadSha256) {
    throw new DamagedContainer('the payload does not match the manifest');
  }
  const signature = (await stream.isAtEnd()) ? undefined : await stream.read(layout.signatureBytes);
  if (!(await stream.isAtEnd())) throw new DamagedContainer('there is data after the signature');
  return { manifest, seal, signature };
}

async function readManifest(stream: ByteStream, hash: Hash): Promise<Manifest> {
  const magic = await stream.read(layout.magic.length);
  if (!magic.equals(layout.magic)) throw new DamagedContainer('this is not a firmware file of this layout');
  const length = await stream.read(layout.lengthBytes);
  const count = length.readUInt32BE();
  if (count > layout.mostManifestBytes) {
    throw new DamagedContainer(
      `the manifest has ${count} bytes; at most ${layout.mostManifestBytes} are allowed`,
    );
  }
  const bytes = await stream.read(count);
  hash.update(magic).update(length).update(bytes);
  return decodeManifest(bytes);
}

/** The members of a manifest that do not follow from the payload. */
export type Purpose = Pick<Manifest, 'product' | 'deviceType' | 'release'>;

/**
 * An unsigned container, piece by piece. `payload` is called twice, because the hash comes before the payload. It must
 * return the same bytes both times.
 */
export async function* writeContainer(
  { product, deviceType, release }: Purpose,
  payload: () => Pieces,
): AsyncGenerator<Uint8Array> {
  const { payloadBytes, payloadSha256 } = await measure(payload());
  const manifest = encodeManifest({ product, deviceType, release, payloadBytes, payloadSha256 });
  const length = Buffer.alloc(layout.lengthBytes);
  length.writeUInt32BE(manifest.length);
  const hash = createHash('sha256');
  const head = Buffer.concat([layout.magic, length, manifest]);
  hash.update(head);
  yield head;
  for await (const part of payload()) {
    hash.update(part);
    yield part;
  }
  yield hash.digest();
}

/** Appends a signature to a complete, unsigned container with this seal. */
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

/** Beginning of the signed data, so that no signature for another purpose is valid for firmware. */
const prefix = 'azimuth firmware 1\0';
const purpose = Buffer.from(prefix, 'latin1');

/** The Ed25519 signature of a container with this seal, 64 bytes. */
function signatureOf(seal: Uint8Array, privateKey: KeyObject): Uint8Array {
  return sign(null, Buffer.concat([purpose, seal]), privateKey);
}

/** True if the owner of this key has signed the container with this seal. */
export function isSignedBy(seal: Uint8Array, signature: Uint8Array, publicKey: KeyObject): boolean {
  return verify(null, Buffer.concat([purpose, seal]), publicKey, signature);
}
