import type { EncoderTelegram, ImuTelegram, ScanModule, ScanTelegram } from '@azimuth/telegrams';
import * as fc from 'fast-check';

const u32 = fc.integer({ min: 0, max: 0xffffffff });
const u64 = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const f32 = fc.float({ noNaN: true });

/** Numbers as arrays of the given length. */
function times(length: number): fc.Arbitrary<number[]> {
  return fc.array(u64, { minLength: length, maxLength: length });
}

function floats(length: number): fc.Arbitrary<number[]> {
  return fc.array(f32, { minLength: length, maxLength: length });
}

function u16s(length: number): fc.Arbitrary<number[]> {
  return fc.array(fc.integer({ min: 0, max: 65535 }), { minLength: length, maxLength: length });
}

interface Shape {
  readonly rows: number;
  readonly columns: number;
  readonly echoes: number;
  readonly scale: number;
  readonly tells: readonly [rssi: boolean, properties: boolean, azimuth: boolean];
}

const shapes = (scale: fc.Arbitrary<number>): fc.Arbitrary<Shape> =>
  fc.record({
    rows: fc.integer({ min: 1, max: 3 }),
    columns: fc.integer({ min: 0, max: 5 }),
    echoes: fc.integer({ min: 1, max: 4 }),
    scale,
    tells: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
  });

function moduleOf(shape: Shape): fc.Arbitrary<ScanModule> {
  const { rows, columns, echoes, scale, tells } = shape;
  const beams = rows * columns;
  const numbers = fc.record({
    segmentIndex: u64,
    frameNumber: u64,
    sender: u32,
    firstBeamTime: times(rows),
    lastBeamTime: times(rows),
    elevation: floats(rows),
    firstAzimuth: floats(rows),
    lastAzimuth: floats(rows),
    availability: fc.integer({ min: 0, max: 1 }),
    distances: u16s(beams * echoes),
    rssis: u16s(beams * echoes),
    properties: u16s(beams),
    azimuths: u16s(beams),
  });
  return numbers.map(({ distances, rssis, properties, azimuths, ...rest }) => ({
    ...rest,
    rows,
    columns,
    echoes,
    scale,
    distance: Float32Array.from(distances, (code) => code * scale),
    ...(tells[0] && { rssi: Uint16Array.from(rssis) }),
    ...(tells[1] && { properties: Uint8Array.from(properties, (value) => value & 0xff) }),
    ...(tells[2] && { azimuth: Float32Array.from(azimuths, (code) => (code - 16384) / 5215) }),
  }));
}

/** Scans that Compact can represent. */
export const compactScans: fc.Arbitrary<ScanTelegram> = fc
  .constantFrom(3 as const, 4 as const)
  .chain((version) =>
    fc.record({
      sequence: u64,
      transmitTime: u64,
      version: fc.constant(version),
      modules: fc.array(
        shapes(fc.constantFrom(...(version === 3 ? [1] : [1, 2, 0.5, Math.fround(0.1)]))).chain(moduleOf),
        {
          maxLength: 3,
        },
      ),
    }),
  );

/** Scans that MSGPACK can represent: one module, and only the properties of echoes. */
export const msgpackScans: fc.Arbitrary<ScanTelegram> = fc.record({
  sequence: u64,
  transmitTime: u64,
  modules: shapes(fc.constant(1))
    .chain(moduleOf)
    .map((module) => [withEchoProperties(module)]),
});

function withEchoProperties(module: ScanModule): ScanModule {
  const { properties, echoes } = module;
  if (properties === undefined) return module;
  const known = 1 | [0x20, 0x40, 0x80].slice(0, echoes).reduce((bits, bit) => bits | bit, 0);
  return { ...module, properties: properties.map((byte) => byte & known) };
}

const three = fc.tuple(f32, f32, f32);

export const imus: fc.Arbitrary<ImuTelegram> = fc.record({
  acceleration: three,
  angularVelocity: three,
  orientation: fc.tuple(f32, f32, f32, f32),
  time: u64,
});

export const encoders: fc.Arbitrary<EncoderTelegram> = fc.record({
  sequence: u64,
  transmitTime: u64,
  sender: u32,
  frameNumber: u64,
  ticks: u32,
  references: fc.tuple(u32, u32),
  speed: f32,
  time: u64,
  referenceTimes: fc.tuple(u64, u64),
});
