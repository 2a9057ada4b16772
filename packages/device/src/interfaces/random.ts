import { randomFillSync } from 'node:crypto';

/** Unpredictable bytes for nonces, salts and keys. */
export interface Random {
  bytes(count: number): Uint8Array;
}

/** Random bytes of the operating system, fetched 4096 at a time: a call for each nonce costs ten times as much. */
export class SystemRandom implements Random {
  readonly #pool = new Uint8Array(4096);
  #used = this.#pool.length;

  bytes(count: number): Uint8Array {
    if (count > this.#pool.length) return randomFillSync(new Uint8Array(count));
    if (this.#used + count > this.#pool.length) {
      randomFillSync(this.#pool);
      this.#used = 0;
    }
    const bytes = this.#pool.slice(this.#used, this.#used + count);
    // Each byte is used once, and no copy of it is kept.
    this.#pool.fill(0, this.#used, this.#used + count);
    this.#used += count;
    return bytes;
  }
}

/** A random UUID (RFC 9562, version 4). */
export function uuidOf(random: Random): string {
  const bytes = Buffer.from(random.bytes(16));
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
