import { randomBytes } from 'node:crypto';

/** RFC 6455 §11.8. */
export const opcode = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** One frame as it was on the wire, its payload unmasked. */
export interface Frame {
  readonly fin: boolean;
  /** RSV1, RSV2 and RSV3 as the bits 4, 2 and 1. */
  readonly reserved: number;
  readonly opcode: number;
  readonly masked: boolean;
  readonly payload: Buffer;
  /** Bytes of the whole frame. */
  readonly wireBytes: number;
}

/** A frame to be sent, right or wrong. */
export interface FrameWishes {
  readonly opcode: number;
  readonly payload?: Buffer | string;
  readonly fin?: boolean;
  readonly reserved?: number;
  /** Four bytes; null for a frame without a mask. */
  readonly mask?: Buffer | null;
  /** The length that the frame states, where it is not that of the payload. */
  readonly length?: bigint;
}

/** A frame as RFC 6455 §5.2 lays it out. */
export function encodeFrame(wishes: FrameWishes): Buffer {
  const { fin = true, reserved = 0, mask = randomBytes(4) } = wishes;
  const payload = Buffer.from(wishes.payload ?? '');
  const length = wishes.length ?? BigInt(payload.length);
  const first = (fin ? 0x80 : 0) | (reserved << 4) | wishes.opcode;
  const head = Buffer.concat([Buffer.of(first), lengthOf(length)]);
  if (mask === null) return Buffer.concat([head, payload]);
  head.writeUInt8((head[1] ?? 0) | 0x80, 1);
  return Buffer.concat([head, mask, masked(payload, mask)]);
}

/** The payload of a close frame: RFC 6455 §5.5.1. */
export function closePayload(code: number, reason = ''): Buffer {
  const payload = Buffer.alloc(2);
  payload.writeUInt16BE(code);
  return Buffer.concat([payload, Buffer.from(reason)]);
}

/** Takes what comes in pieces of any size, and hands out whole frames. */
export class FrameCutter {
  #rest: Buffer = Buffer.alloc(0);

  push(piece: Buffer): readonly Frame[] {
    this.#rest = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    const frames: Frame[] = [];
    for (;;) {
      const frame = firstFrame(this.#rest);
      if (frame === undefined) return frames;
      frames.push(frame);
      this.#rest = this.#rest.subarray(frame.wireBytes);
    }
  }
}

function firstFrame(bytes: Buffer): Frame | undefined {
  if (bytes.length < 2) return undefined;
  const [first = 0, second = 0] = bytes;
  const short = second & 0x7f;
  const extended = short === 126 ? 2 : short === 127 ? 8 : 0;
  const maskBytes = (second & 0x80) === 0 ? 0 : 4;
  const start = 2 + extended + maskBytes;
  if (bytes.length < start) return undefined;
  const length =
    extended === 0 ? short : extended === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  const end = start + length;
  if (bytes.length < end) return undefined;
  const payload = bytes.subarray(start, end);
  return {
    fin: (first & 0x80) !== 0,
    reserved: (first >> 4) & 7,
    opcode: first & 15,
    masked: maskBytes > 0,
    payload: maskBytes > 0 ? masked(payload, bytes.subarray(2 + extended, start)) : Buffer.from(payload),
    wireBytes: end,
  };
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

function masked(payload: Buffer, mask: Buffer): Buffer {
  return Buffer.from(payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0)));
}
