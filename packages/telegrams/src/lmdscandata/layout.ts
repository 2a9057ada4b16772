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
 * | u32 | measurement frequency, 100 Hz |
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
  /** Up to the first channel, no encoder among it. */
  head: 40,
  encoder: 6,
  /** Of a channel without its values. */
  channel: 21,
  /** What stands behind the channels of 16 bits where nothing is there. */
  flags: 12,
  position: 25,
  stringLength: 2,
  time: 11,
  event: 16,
} as const;

export const lmdCharacters = { content: 5, event: 4 } as const;

/** Characters that a content or the type of an event may have: none would break a text telegram apart. */
export const visible = /^[\x21-\x7e]*$/;
