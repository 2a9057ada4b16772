import { crc32 } from 'node:zlib';

/** Telegrams encoded field by field, to test the decoders. */

export const u8 = (value: number): Buffer => Buffer.from([value]);

export function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

export function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

export function f32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
}

/** The parts, and the CRC of them all. */
export function sealed(...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([body, u32(crc32(body))]);
}

export interface ScanOptions {
  readonly marker?: number;
  readonly type?: number;
  readonly sequence?: number;
  readonly version?: number;
  readonly payload?: number;
  readonly index?: number;
  readonly frame?: number;
  readonly rows?: number;
  readonly columns?: number;
  readonly echoes?: number;
  readonly firstTime?: number;
  readonly lastTime?: number;
  readonly scale?: Buffer;
  readonly next?: number;
  readonly availability?: number;
  readonly reserved?: number;
  readonly contents?: readonly [number, number];
  readonly beams?: readonly Buffer[];
  readonly behind?: Buffer;
}

/** Two beams of two echoes: 1000 mm and nothing at -1 rad, 2000 mm and 3000 mm at 1 rad. */
const twoBeams = [
  Buffer.concat([u16(1000), u16(500), u16(0), u16(0), u8(0x21), u16(11_169)]),
  Buffer.concat([u16(2000), u16(600), u16(3000), u16(700), u8(0), u16(21_599)]),
];

/** A module of a scan telegram. Its payload is 72 bytes, and 11 a beam. */
export function scanModule(options: ScanOptions = {}): Buffer {
  return Buffer.concat([
    ...[u64(options.index ?? 3), u64(options.frame ?? 160), u32(23_370_016)],
    ...[u32(options.rows ?? 1), u32(options.columns ?? 2), u32(options.echoes ?? 2)],
    ...[u64(options.firstTime ?? 1000), u64(options.lastTime ?? 1092)],
    ...[f32(0), f32(-1), f32(1), options.scale ?? f32(1)],
    ...[u32(options.next ?? 0), u8(options.availability ?? 1)],
    ...[u8(options.contents?.[0] ?? 3), u8(options.contents?.[1] ?? 3), u8(options.reserved ?? 0)],
    ...(options.beams ?? twoBeams),
  ]);
}

export function scanTelegram(options: ScanOptions = {}): Buffer {
  const module = scanModule(options);
  return sealed(
    ...[u32(options.marker ?? 0x02020202), u32(options.type ?? 1), u64(options.sequence ?? 7), u64(1200)],
    ...[u32(options.version ?? 4), u32(options.payload ?? module.length), module],
    ...(options.behind === undefined ? [] : [options.behind]),
  );
}

export function imuTelegram({ version = 1, type = 2, time = 5000 } = {}): Buffer {
  const values = [0.5, -0.25, 9.8125, 0.125, 0, -0.5, 1, 0, 0, 0];
  return sealed(u32(0x02020202), u32(type), u32(version), ...values.map(f32), u64(time));
}

export function encoderTelegram({ version = 1, payload = 52, sequence = 9 } = {}): Buffer {
  return sealed(
    ...[u32(0x02020202), u32(4), u64(sequence), u64(7000), u32(version), u32(payload)],
    ...[u32(12_345_678), u64(11), u32(4_000_000_000), u32(40), u32(50), f32(-1000.5)],
    ...[u64(6999), u64(100), u64(200)],
  );
}

/** MSGPACK: `key` before its value. */
const key = (value: number): Buffer => (value < 0x80 ? u8(value) : Buffer.from([0xcc, value]));
const pair = (name: number, value: Buffer): Buffer => Buffer.concat([key(name), value]);
const map = (...pairs: readonly Buffer[]): Buffer => Buffer.concat([u8(0x80 + pairs.length), ...pairs]);
const list = (...items: readonly Buffer[]): Buffer => Buffer.concat([u8(0x90 + items.length), ...items]);
const big16 = (value: number): Buffer => Buffer.from([0xcd, value >> 8, value & 0xff]);
const bin = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from([0xc4, bytes.length]), bytes]);

function float(value: number): Buffer {
  const bytes = Buffer.alloc(5, 0xca);
  bytes.writeFloatBE(value, 1);
  return bytes;
}

function values(type: number, elements: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat(elements);
  return map(
    pair(0x12, u8(elements.length)),
    pair(0x13, u8(bytes.length / elements.length)),
    pair(0x14, u8(0x30)),
    pair(0x15, list(u8(type))),
    pair(0x11, bin(bytes)),
  );
}

export interface MsgpackOptions {
  readonly properties?: readonly Buffer[];
  readonly theta?: Buffer;
  readonly behind?: Buffer;
  readonly sequenceKey?: number;
}

/** The two beams of `scanTelegram`, in MSGPACK. */
export function msgpackTelegram(options: MsgpackOptions = {}): Buffer {
  const properties = options.properties ?? [values(0x33, [u8(1), u8(0)]), values(0x33, [u8(0), u8(0)])];
  const inside = [
    ...[pair(0x71, big16(1000)), pair(0x72, big16(1092)), pair(0x73, float(-1)), pair(0x74, float(1))],
    ...[pair(0x75, Buffer.from([0xcc, 160])), pair(0x76, u8(0))],
    ...[pair(0x50, options.theta ?? values(0x31, [f32(-1), f32(1)])), pair(0x51, values(0x31, [f32(0)]))],
    pair(0x52, list(values(0x31, [f32(1000), f32(2000)]), values(0x31, [f32(0), f32(3000.25)]))),
    pair(0x53, list(values(0x34, [u16(500), u16(600)]), values(0x34, [u16(0), u16(700)]))),
    ...[pair(0x54, list(...properties)), pair(0x77, u8(2)), pair(0x78, u8(2))],
  ];
  const scan = map(pair(0x10, u8(0x70)), pair(0x11, map(...inside)));
  const payload = Buffer.concat([
    map(
      pair(0x10, Buffer.from([0xcc, 0x90])),
      pair(
        0x11,
        map(
          ...[pair(options.sequenceKey ?? 0xb0, u8(7)), pair(0xb1, big16(1200)), pair(0x91, u8(3))],
          ...[pair(0x92, Buffer.from([0xcc, 160])), pair(0x93, u8(0xc3))],
          pair(0x94, Buffer.from([0xce, 0x01, 0x64, 0x99, 0x20])),
          ...[pair(0xa0, list(u8(0))), pair(0x96, list(scan))],
        ),
      ),
    ),
    options.behind ?? Buffer.alloc(0),
  ]);
  return Buffer.concat([u32(0x02020202), u32(payload.length), payload, u32(crc32(payload))]);
}
