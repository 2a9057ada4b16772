import { CdrReader, CdrWriter } from './cdr.js';
import { type Header, headerBytes, readHeader, writeHeader } from './message-types.js';

/** The pose of a frame in its parent frame (geometry_msgs/TransformStamped). The header names the parent. */
export interface Transform extends Header {
  readonly childFrameId: string;
  /** x, y, z in m. */
  readonly translation: readonly [number, number, number];
  /** A unit quaternion w, x, y, z. */
  readonly rotation: readonly [number, number, number, number];
}

/**
 * Writes tf2_msgs/TFMessage: u32 count, then for each transform its header, the child frame as text, and f64, from a
 * multiple of 8 on: translation x, y, z; rotation x, y, z, w.
 */
export function encodeTransforms(transforms: readonly Transform[]): Uint8Array {
  const bytes = transforms.map(
    (transform) => headerBytes(transform) + 3 * transform.childFrameId.length + 80,
  );
  const cdr = new CdrWriter(new Uint8Array(bytes.reduce((sum, count) => sum + count, 16)));
  cdr.u32(transforms.length);
  for (const transform of transforms) {
    const [w, x, y, z] = transform.rotation;
    writeHeader(cdr, transform);
    cdr.text(transform.childFrameId);
    for (const value of [...transform.translation, x, y, z, w]) cdr.f64(value);
  }
  return cdr.end();
}

/** @throws TelegramError if it is cut off, or encoded in another way than plain CDR */
export function decodeTransforms(payload: Uint8Array): readonly Transform[] {
  const cdr = new CdrReader(payload);
  return Array.from({ length: cdr.length(80) }, () => {
    const header = readHeader(cdr);
    const childFrameId = cdr.text();
    const translation: [number, number, number] = [cdr.f64(), cdr.f64(), cdr.f64()];
    const [x, y, z, w] = [cdr.f64(), cdr.f64(), cdr.f64(), cdr.f64()];
    return { ...header, childFrameId, translation, rotation: [w, x, y, z] };
  });
}
