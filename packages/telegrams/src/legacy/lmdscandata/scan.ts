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

/**
 * The fields of a scan in their order, the same in both encodings. Binary: big-endian, nothing in between. Text: one
 * token a field with a blank in between.
 *
 * | type | what |
 * |---|---|
 * | u16 | version of the telegram |
 * | u16 | number of the device |
 * | u32 | serial number |
 * | u8 × 2 | status |
 * | u16 | counter of telegrams |
 * | u16 | counter of scans |
 * | u32 | time of the scan, µs |
 * | u32 | time of transmission, µs |
 * | u8 × 2 | inputs |
 * | u8 × 2 | outputs |
 * | i16 | layer angle |
 * | u32 | scan frequency, 1/100 Hz |
 * | u32 | reserved; of other families the measurement frequency, 100 Hz |
 * | u16 | encoders; each: u32 ticks, u16 speed |
 * | u16 | channels of 16 bits; each: a channel, below |
 * | u16 | channels of 8 bits; each: a channel |
 * | u16 | 1 where a position follows: f32 × 3 place, f32 × 3 rotation, u8 type of the rotation |
 * | u16 | 1 where a name follows: a string |
 * | u16 | 1 where a comment follows: a string |
 * | u16 | 1 where a time follows: u16 year, u8 × 5 month to second, u32 microsecond |
 * | u16 | 1 where an event follows: 4 characters, u32 ticks, u32 µs, i32 angle |
 *
 * A channel: 5 characters, f32 scale, f32 offset, i32 start angle, u16 step, u16 number of values, the values.
 *
 * | type | binary | text |
 * |---|---|---|
 * | u8, u16, u32 | as they are | upper-case hex without leading zeros |
 * | i16, i32 | two's complement | the same as hex: negative numbers have all their digits |
 * | f32 | IEEE 754 | the 8 hex digits of it |
 * | characters | as they are | a token |
 * | string | bytes of UTF-8 (u16), the bytes | the number of bytes, a blank, the bytes; an empty one has no second token |
 */
export const lmdBytes = {
  /** Bytes up to the first channel, without encoders. */
  head: 40,
  encoder: 6,
  /** Bytes of a channel without its values. */
  channel: 21,
  /** Bytes behind the channels of 16 bits if all counts and flags are 0. */
  flags: 12,
  position: 25,
  stringLength: 2,
  time: 11,
  event: 16,
} as const;

export const lmdCharacters = { content: 5, event: 4 } as const;

/** Characters that a content or the type of an event may have. Other characters would break a text telegram. */
export const visible = /^[\x21-\x7e]*$/;
