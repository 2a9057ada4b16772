import { type Layout, numberBytes, offsetsOf } from '../../layout.js';

/** Bits of 16 inputs or outputs: of 1 to 8, and of 9 to 16 (the external outputs). Bit 0 is the first one. */
export type LmdBits = readonly [first: number, second: number];

/** One scan of `LMDscandata`, in the units of the wire. */
export interface LmdScan {
  /** Version of the telegram: 1 on most devices. */
  readonly version: number;
  readonly deviceNumber: number;
  readonly serialNumber: number;
  /** 0 is good, 1 is an error; the low byte first. Other families have 2 and 5 for a contamination warning and error. */
  readonly status: LmdBits;
  /** Counts the telegrams, 16 bits. */
  readonly telegramCounter: number;
  /** Counts the scans measured, 16 bits. */
  readonly scanCounter: number;
  /** µs since the start of the device when the scan began, 32 bits. */
  readonly scanTime: number;
  /** Time of the same clock when the scan was passed to the network. */
  readonly transmitTime: number;
  readonly inputs: LmdBits;
  readonly outputs: LmdBits;
  /** 0 on a 2D scanner; other devices have units of their own. */
  readonly layerAngle: number;
  /** Scans a second in 1/100 Hz. */
  readonly scanFrequency: number;
  /** Other families: beams a second in 100 Hz, as if the whole revolution were measured. Reserved here: 0. */
  readonly measurementFrequency: number;
  readonly encoders: readonly LmdEncoder[];
  /** Channels of 16 bits: distances. Other families have strengths behind them. All have the same number of values. */
  readonly channels16: readonly LmdChannel<Uint16Array>[];
  /** Channels of 8 bits: strengths. */
  readonly channels8: readonly LmdChannel<Uint8Array>[];
  readonly position?: LmdPosition | undefined;
  /** At most 16 characters on real devices. */
  readonly deviceName?: string | undefined;
  /** At most 16 or 128 characters on real devices. */
  readonly comment?: string | undefined;
  readonly time?: LmdTime | undefined;
  readonly event?: LmdEvent | undefined;
}

export interface LmdEncoder {
  readonly ticks: number;
  /** 16 bits: ticks per mm in the manuals of devices, mm/s in Azimuth. */
  readonly speed: number;
}

/** Values along the scan, one per beam, by increasing angle. A value is `data × scale + offset`. */
export interface LmdChannel<Data extends Uint8Array | Uint16Array> {
  /**
   * Five characters: `DIST1` to `DIST5` distance of an echo in mm (0 none, 1 to 15 reserved), `RSSI1` to `RSSI5` its strength
   * (0 none; of 8 bits: 254 a reflector, 255 reserved).
   */
  readonly content: string;
  /** A 32-bit float. */
  readonly scale: number;
  /** A 32-bit float. */
  readonly offset: number;
  /** Angle of the first value in 1/10000 degree; 90 degrees are straight ahead. */
  readonly startAngle: number;
  /** 1/10000 degree. */
  readonly angularStep: number;
  readonly data: Data;
}

/** The position of the device; 32-bit floats. */
export interface LmdPosition {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly rotationX: number;
  readonly rotationY: number;
  readonly rotationZ: number;
  /** 0 none, 1 pitch, 2 roll, 3 free. */
  readonly rotationType: number;
}

/** Date and time of day of the device. */
export interface LmdTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly microsecond: number;
}

export interface LmdEvent {
  /** Four characters, as `FDIN`. */
  readonly type: string;
  readonly encoderTicks: number;
  /** µs. */
  readonly time: number;
  /** 1/10000 degree. */
  readonly angle: number;
}

/** The word in front of a scan: the response to a request, or an event. */
export type LmdHead = 'sRA' | 'sSN';

/** The name of the variable and of the event. */
export const lmdName = 'LMDscandata';

/*
 * The fields of a scan in their order, the same in both encodings. Binary: big-endian, nothing in between. Text: one token a
 * field with a blank in between.
 *
 * | type | binary | text |
 * |---|---|---|
 * | u8, u16, u32 | as they are | upper-case hex without leading zeros |
 * | i16, i32 | two's complement | the same as hex: negative numbers have all their digits |
 * | f32 | IEEE 754 | the 8 hex digits of it |
 * | characters | as they are | a token |
 * | string | bytes of UTF-8 (u16), the bytes | the number of bytes, a blank, the bytes; an empty one has no second token |
 */

const lowAndHigh = ['low', 'high'] as const;

export const lmdHeadLayout = {
  version: { type: 'u16', text: 'version of the telegram' },
  deviceNumber: { type: 'u16', text: 'number of the device' },
  serialNumber: { type: 'u32', text: 'serial number' },
  status: { type: 'u8', of: lowAndHigh, text: 'status, 0 is good' },
  telegramCounter: { type: 'u16', text: 'counter of telegrams' },
  scanCounter: { type: 'u16', text: 'counter of scans' },
  scanTime: { type: 'u32', unit: 'µs', text: 'time of the scan since the start of the device' },
  transmitTime: { type: 'u32', unit: 'µs', text: 'time of transmission since the start of the device' },
  inputs: { type: 'u8', of: lowAndHigh, text: 'inputs' },
  outputs: { type: 'u8', of: lowAndHigh, text: 'outputs' },
  layerAngle: { type: 'i16', text: 'layer angle' },
  scanFrequency: { type: 'u32', unit: '1/100 Hz', text: 'scan frequency' },
  measurementFrequency: {
    type: 'u32',
    unit: '100 Hz',
    text: 'reserved; of other families the measurement frequency',
  },
} as const;

/** Behind the head, a list: the number of encoders (u16), then each of them. */
export const lmdEncoderLayout = {
  ticks: { type: 'u32', text: 'ticks' },
  speed: { type: 'u16', text: 'speed' },
} as const;

/** Then two lists, of channels of 16 and of 8 bits. A channel has these fields, the number of its values (u16), and the values. */
export const lmdChannelLayout = {
  content: { type: 'characters', length: 5, text: 'content' },
  scale: { type: 'f32', text: 'scale' },
  offset: { type: 'f32', text: 'offset' },
  startAngle: { type: 'i32', unit: '1/10000 °', text: 'angle of the first value' },
  angularStep: { type: 'u16', unit: '1/10000 °', text: 'angle between two values' },
} as const;

/** Each of the next five parts follows a flag (u16): 1 if it is there. This is the first one. */
export const lmdPositionLayout = {
  x: { type: 'f32', text: 'x' },
  y: { type: 'f32', text: 'y' },
  z: { type: 'f32', text: 'z' },
  rotationX: { type: 'f32', text: 'rotation about x' },
  rotationY: { type: 'f32', text: 'rotation about y' },
  rotationZ: { type: 'f32', text: 'rotation about z' },
  rotationType: {
    type: 'u8',
    values: { none: 0, pitch: 1, roll: 2, free: 3 },
    text: 'type of the rotation',
  },
} as const;

/** The name and the comment are strings. The fourth part is the time. */
export const lmdTimeLayout = {
  year: { type: 'u16', text: 'year' },
  month: { type: 'u8', text: 'month' },
  day: { type: 'u8', text: 'day' },
  hour: { type: 'u8', text: 'hour' },
  minute: { type: 'u8', text: 'minute' },
  second: { type: 'u8', text: 'second' },
  microsecond: { type: 'u32', unit: 'µs', text: 'microsecond' },
} as const;

export const lmdEventLayout = {
  type: { type: 'characters', length: 4, text: 'type of the event' },
  encoderTicks: { type: 'u32', text: 'ticks of the encoder' },
  time: { type: 'u32', unit: 'µs', text: 'time of the event' },
  angle: { type: 'i32', unit: '1/10000 °', text: 'angle' },
} as const;

/** A part of a scan behind its head: a list of parts with a number in front, or a part with a flag in front. */
export type LmdPart =
  | { readonly kind: 'list'; readonly of: Layout; readonly data?: 'u8' | 'u16'; readonly text: string }
  | { readonly kind: 'optional'; readonly of: Layout | 'string'; readonly text: string };

/** The parts behind the head, in their order. */
export const lmdParts = {
  encoders: { kind: 'list', of: lmdEncoderLayout, text: 'encoders' },
  channels16: { kind: 'list', of: lmdChannelLayout, data: 'u16', text: 'channels of 16 bits' },
  channels8: { kind: 'list', of: lmdChannelLayout, data: 'u8', text: 'channels of 8 bits' },
  position: { kind: 'optional', of: lmdPositionLayout, text: 'position' },
  deviceName: { kind: 'optional', of: 'string', text: 'name of the device' },
  comment: { kind: 'optional', of: 'string', text: 'comment' },
  time: { kind: 'optional', of: lmdTimeLayout, text: 'time of the device' },
  event: { kind: 'optional', of: lmdEventLayout, text: 'event' },
} as const satisfies Readonly<Record<string, LmdPart>>;

const countBytes = numberBytes.u16;

/** Bytes of a part, or of what is in front of it. */
export const lmdBytes = {
  /** All counts and flags are in it. */
  head: offsetsOf(lmdHeadLayout).bytes + countBytes * Object.keys(lmdParts).length,
  encoder: offsetsOf(lmdEncoderLayout).bytes,
  /** Bytes of a channel without its values. */
  channel: offsetsOf(lmdChannelLayout).bytes + countBytes,
  position: offsetsOf(lmdPositionLayout).bytes,
  stringLength: countBytes,
  time: offsetsOf(lmdTimeLayout).bytes,
  event: offsetsOf(lmdEventLayout).bytes,
} as const;

export const lmdCharacters = {
  content: lmdChannelLayout.content.length,
  event: lmdEventLayout.type.length,
} as const;

/** Characters that a content or the type of an event may have. Other characters would break a text telegram. */
export const visible = /^[\x21-\x7e]*$/;
