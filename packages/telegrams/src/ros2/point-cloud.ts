import { TelegramError } from '../telegram-error.js';
import { CdrReader, CdrWriter } from './cdr.js';
import { type Header, headerBytes, readHeader, writeHeader } from './message-types.js';

/** The types of a field of a point (sensor_msgs/PointField). */
const fieldType = { u8: 2, f32: 7 } as const;

/** Bits of the field p. */
export const pointProperty = { reflector: 0x01 } as const;

/**
 * The fields of a point, 20 bytes, little-endian:
 *
 * | offset | type | what |
 * |---|---|---|
 * | 0 | f32 × 3 | x, y, z in m |
 * | 12 | f32 | i: signal strength (RSSI), 0 to 1 |
 * | 16 | u8 | p: properties; bit 0 is 1 if the echo comes from a reflector |
 * | 17 | 3 bytes | 0 |
 */
export const pointFields = [
  { name: 'x', offset: 0, type: fieldType.f32 },
  { name: 'y', offset: 4, type: fieldType.f32 },
  { name: 'z', offset: 8, type: fieldType.f32 },
  { name: 'i', offset: 12, type: fieldType.f32 },
  { name: 'p', offset: 16, type: fieldType.u8 },
] as const;

export const pointBytes = 20;

/** Largest number of bytes of a message without its points and its frame. */
const overheadBytes = 512;

/** Returns the largest number of bytes of a message with this many points. */
export function pointCloudBytes(header: Header, points: number): number {
  return headerBytes(header) + overheadBytes + points * pointBytes;
}

/**
 * Writes sensor_msgs/PointCloud2 point by point into a buffer that must be large enough (`pointCloudBytes`). After the
 * header (as in LaserScan), each aligned to its own size: u32 height 1, u32 width, the fields (a list of name, u32
 * offset, u8 type, u32 count), u8 is_bigendian 0, u32 point_step, u32 row_step, the points (u32 bytes, then 20 bytes
 * each), u8 is_dense 1.
 */
export class PointCloudWriter {
  #view: DataView = new DataView(new ArrayBuffer(0));
  #cdr = new CdrWriter(new Uint8Array(4));
  #widthOffset = 0;
  #pointsAt = 0;
  #at = 0;

  begin(header: Header, target: Uint8Array): void {
    const cdr = new CdrWriter(target);
    this.#view = new DataView(target.buffer, target.byteOffset, target.length);
    this.#cdr = cdr;
    writeHeader(cdr, header);
    cdr.u32(1);
    this.#widthOffset = cdr.at;
    cdr.u32(0);
    cdr.u32(pointFields.length);
    for (const { name, offset, type } of pointFields) {
      cdr.text(name);
      cdr.u32(offset);
      cdr.u8(type);
      cdr.u32(1);
    }
    cdr.u8(0);
    cdr.u32(pointBytes);
    cdr.u32(0);
    cdr.u32(0);
    this.#pointsAt = cdr.at;
    this.#at = cdr.at;
  }

  /** @param strength 0 to 1 */
  point(x: number, y: number, z: number, strength: number, isReflector: boolean): void {
    const view = this.#view;
    const at = this.#at;
    view.setFloat32(at, x, true);
    view.setFloat32(at + 4, y, true);
    view.setFloat32(at + 8, z, true);
    view.setFloat32(at + 12, strength, true);
    view.setUint32(at + 16, isReflector ? pointProperty.reflector : 0, true);
    this.#at = at + pointBytes;
  }

  /** Returns the complete message. */
  end(): Uint8Array {
    const bytes = this.#at - this.#pointsAt;
    this.#view.setUint32(this.#widthOffset, bytes / pointBytes, true);
    this.#view.setUint32(this.#pointsAt - 8, bytes, true);
    this.#view.setUint32(this.#pointsAt - 4, bytes, true);
    this.#cdr.skip(bytes);
    this.#cdr.u8(1);
    return this.#cdr.end();
  }
}

export interface PointCloud extends Header {
  readonly height: number;
  readonly width: number;
  readonly fields: readonly { readonly name: string; readonly offset: number; readonly type: number }[];
  readonly pointStep: number;
  readonly rowStep: number;
  /** The points. They are not copied. */
  readonly data: Uint8Array;
  readonly isDense: boolean;
}

/** Most fields of a point that are read. */
const mostFields = 256;

/** @throws TelegramError if it is cut off, has too many fields, or is encoded in another way than plain CDR */
export function decodePointCloud(payload: Uint8Array): PointCloud {
  const cdr = new CdrReader(payload);
  const header = readHeader(cdr);
  const [height, width] = [cdr.u32(), cdr.u32()];
  const count = cdr.length(16);
  if (count > mostFields) throw new TelegramError(`up to ${mostFields} fields`, `${count}`, 0);
  const fields = Array.from({ length: count }, () => {
    const field = { name: cdr.text(), offset: cdr.u32(), type: cdr.u8() };
    cdr.u32();
    return field;
  });
  if (cdr.u8() !== 0) throw new TelegramError('little-endian points', 'others', 0);
  const [pointStep, rowStep] = [cdr.u32(), cdr.u32()];
  const data = cdr.bytes(cdr.length(1));
  return { ...header, height, width, fields, pointStep, rowStep, data, isDense: cdr.u8() === 1 };
}
