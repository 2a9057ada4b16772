import { randomBytes } from 'node:crypto';

/** RFC 6455 §11.8. */
export const opcode = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** A frame to be sent, right or wrong. */
export interface FrameOptions {
  readonly opcode: number;
  readonly payload?: Buffer | string;
  readonly fin?: boolean;
  /** RSV1, RSV2 and RSV3 as the bits 4, 2 and 1. */
  readonly reserved?: number;
  /** Four bytes; null for a frame without a mask. */
  readonly mask?: Buffer | null;
  /** The length in the header, if it differs from that of the payload. */
  readonly length?: bigint;
}

/** Encodes a frame after RFC 6455 §5.2. `ws` does not send wrong ones. */
export function encodeFrame(options: FrameOptions): Buffer {
  const { fin = true, reserved = 0, mask = randomBytes(4) } = options;
  const payload = Buffer.from(options.payload ?? '');
  const length = options.length ?? BigInt(payload.length);
  const first = (fin ? 0x80 : 0) | (reserved << 4) | options.opcode;
  const head = Buffer.concat([Buffer.of(first), lengthOf(length)]);
  if (mask === null) return Buffer.concat([head, payload]);
  head.writeUInt8((head[1] ?? 0) | 0x80, 1);
  return Buffer.concat([head, mask, payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0))]);
}

/** The payload of a close frame: RFC 6455 §5.5.1. */
export function closePayload(code: number, reason = ''): Buffer {
  const payload = Buffer.alloc(2);
  payload.writeUInt16BE(code);
  return Buffer.concat([payload, Buffer.from(reason)]);
}

function lengthOf(length: bigint): Buffer {
  if (length < 126n) return Buffer.of(Number(length));
  if (length < 65_536n) {
    const bytes = Buffer.of(126, 0, 0);
    bytes.writeUInt16BE(Number(length), 1);
    return bytes;
  }
  const bytes = Buffer.alloc(9, 127);
  bytes.writeBigUInt64BE(length, 1);
  return bytes;
}
