import { echoesPerBeam } from '@azimuth/device';

/**
 * Version of the protocol. Both sides send theirs in `hello`; the scanner closes the connection if they differ.
 */
export const protocolVersion = 1;

/** The first bytes of the content of `hello`: `AZCO`. */
export const magic = 0x4f_43_5a_41;

/**
 * Every message begins with this header. All numbers are little-endian.
 *
 * | offset | type | content |
 * |---|---|---|
 * | 0 | u32 | length of the message in bytes, with this header |
 * | 4 | u16 | type of the message |
 * | 6 | u16 | 0 |
 */
export const headerBytes = 8;

/** Types of messages from the scanner to the core. */
export const scannerMessage = { hello: 1, order: 2, stop: 3, ping: 4, refusal: 5 } as const;

/** Types of messages from the core to the scanner. */
export const coreMessage = {
  hello: 129,
  started: 130,
  segment: 131,
  motion: 132,
  status: 133,
  pong: 134,
} as const;

/** What a core can do, as bits in its `hello`. */
export const capability = {
  /** It sends `motion`. */
  motion: 1,
  /** It sends `started` when it is ready to measure. Without it, an order takes effect at once. */
  started: 2,
} as const;

/**
 * `hello`, in both directions.
 *
 * | offset | type | content |
 * |---|---|---|
 * | 8 | u32 | `AZCO` |
 * | 12 | u16 | version of the protocol |
 * | 14 | u16 | 0 |
 * | 16 | u32 | from the core: capabilities; from the scanner: 0 |
 * | 20 | text | name of the program, UTF-8, up to 64 bytes |
 */
export const helloAt = { magic: 8, version: 12, capabilities: 16, name: 20 } as const;
export const mostNameBytes = 64;

/**
 * `order`: measure from now on.
 *
 * | offset | type | content |
 * |---|---|---|
 * | 8 | u32 | number of the order |
 * | 12 | u8 | sensitivity: 0 robust, 1 standard, 2 sensitive |
 * | 13 | u8 | 1 with long range |
 * | 14 | u16 | 0 |
 * | 16 | u32 | beams of a scan |
 * | 20 | u32 | beams of a segment; the last one may have fewer |
 * | 24 | f64 | revolutions per second in Hz |
 * | 32 | f64 | angle of the first beam in degrees |
 * | 40 | f64 | angle from one beam to the next in degrees |
 * | 48 | i64 | origin: when the last known revolution began, in ns of the core's clock |
 * | 56 | u32 | origin: number of that revolution |
 * | 60 | u32 | 0 |
 */
export const orderAt = {
  order: 8,
  sensitivity: 12,
  longRange: 13,
  beams: 16,
  beamsPerSegment: 20,
  frequency: 24,
  firstAngle: 32,
  step: 40,
  originTime: 48,
  originNumber: 56,
  bytes: 64,
} as const;

/** `stop` and `started`: at 8, u32, the number of the order. */
export const orderNumberAt = { order: 8, bytes: 12 } as const;

/** `ping`: at 8, u64, a token that the core sends back. */
export const pingAt = { token: 8, bytes: 16 } as const;

/**
 * `pong`
 *
 * | offset | type | content |
 * |---|---|---|
 * | 8 | u64 | token of the ping |
 * | 16 | u64 | the core's clock in ns, read when the ping was received |
 */
export const pongAt = { token: 8, time: 16, bytes: 24 } as const;

/** `refusal`: at 8, a text, UTF-8. The scanner closes the connection. */
export const refusalAt = { text: 8 } as const;
export const mostRefusalBytes = 500;

/**
 * `segment`: the beams `first` to `first + count - 1` of a scan. Each beam has three places in each array, the nearest
 * echo first, and 0 where there is no echo.
 *
 * | offset | type | content |
 * |---|---|---|
 * | 8 | u32 | number of the order |
 * | 12 | u32 | number of the scan: rises by one with every revolution |
 * | 16 | u64 | when the first beam of this segment was measured, in ns of the core's clock |
 * | 24 | u32 | first beam |
 * | 28 | u32 | count |
 * | 32 | f32 | 3 × count distances in mm |
 * | 32 + 12 × count | u16 | 3 × count signal strengths |
 * | 32 + 18 × count | u8 | 3 × count flags: 1 reflector, 2 blooming |
 */
export const segmentAt = { order: 8, scan: 12, time: 16, first: 24, count: 28, distances: 32 } as const;
const bytesPerEcho = { distance: 4, rssi: 2, flags: 1 } as const;

/** Where the arrays of a segment begin, and its length in bytes. */
export function segmentLayout(count: number) {
  const echoes = echoesPerBeam * count;
  const rssi = segmentAt.distances + bytesPerEcho.distance * echoes;
  const flags = rssi + bytesPerEcho.rssi * echoes;
  return { rssi, flags, bytes: flags + bytesPerEcho.flags * echoes };
}

/** Maximum number of beams of a scan, and so of a segment. */
export const mostBeams = 65_535;
/** Maximum length of a message in bytes. */
export const mostMessageBytes = segmentLayout(mostBeams).bytes;

/**
 * `motion`: how the scanner moves now, in its axes: x ahead, y left, z up.
 *
 * | offset | type | content |
 * |---|---|---|
 * | 8 | 3 f32 | acceleration in m/s², with gravity |
 * | 20 | 3 f32 | angular velocity in rad/s |
 * | 32 | 4 f32 | orientation: unit quaternion w, x, y, z |
 */
export const motionAt = { acceleration: 8, angularVelocity: 20, orientation: 32, bytes: 48 } as const;

/**
 * `status`
 *
 * | offset | type | content |
 * |---|---|---|
 * | 8 | u8 | 0: the core works; 1: it has an error |
 * | 9 | 3 u8 | 0 |
 * | 12 | text | for the log, UTF-8, up to 500 bytes; may be empty |
 */
export const statusAt = { error: 8, text: 12 } as const;
export const mostStatusBytes = 500;
