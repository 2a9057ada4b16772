import { createCipheriv } from 'node:crypto';

/** Bytes of a message, and of its MAC. */
export const blockBytes = 16;

/** The polynomial of the field GF(2^128), as AES-CMAC needs it to double a block. */
const polynomial = 0x87;

/**
 * AES-256-CMAC (NIST SP 800-38B) of messages of exactly 16 bytes. For such a message, it is one AES block: the message XOR
 * a subkey, encrypted. So the MACs of any number of messages take a single call of AES.
 */
export class Cmac {
  readonly #aes;
  readonly #subkey: Buffer;

  /** @param key 32 bytes */
  constructor(key: Uint8Array) {
    this.#aes = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
    this.#subkey = doubled(this.#aes.update(Buffer.alloc(blockBytes)));
  }

  /** The MACs of messages. @param messages one after the other, 16 bytes each */
  of(messages: Uint8Array): Buffer {
    if (messages.length % blockBytes !== 0) throw new RangeError('expected messages of 16 bytes');
    const masked = messages.map((byte, at) => byte ^ this.#subkey.readUInt8(at % blockBytes));
    return this.#aes.update(masked);
  }
}

/** Multiplies a block by x in GF(2^128). */
function doubled(block: Buffer): Buffer {
  const number = BigInt(`0x${block.toString('hex')}`);
  const product = BigInt.asUintN(8 * blockBytes, number << 1n);
  const overflows = number >> BigInt(8 * blockBytes - 1) === 1n;
  const hex = (overflows ? product ^ BigInt(polynomial) : product).toString(16);
  return Buffer.from(hex.padStart(2 * blockBytes, '0'), 'hex');
}
