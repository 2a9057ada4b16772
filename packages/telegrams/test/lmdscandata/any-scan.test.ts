import {
  decodeLmdBinary,
  decodeLmdText,
  encodeLmdBinary,
  encodeLmdText,
  type LmdChannel,
  type LmdScan,
} from '@azimuth/telegrams/legacy';
import { everythingBinary, everythingText } from '@azimuth/test-support/golden/lmdscandata';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TelegramError } from '../../src/index.js';

const u8 = fc.integer({ min: 0, max: 0xff });
const u16 = fc.integer({ min: 0, max: 0xffff });
const u32 = fc.integer({ min: 0, max: 0xffffffff });
const i32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const f32 = fc.float({ noNaN: true });
const bits = fc.tuple(u8, u8);

function visible(length: number): fc.Arbitrary<string> {
  const character = fc.integer({ min: 0x21, max: 0x7e });
  return fc
    .array(character, { minLength: length, maxLength: length })
    .map((codes) => String.fromCharCode(...codes));
}

function channelsOf<Data extends Uint8Array | Uint16Array>(
  data: fc.Arbitrary<Data>,
): fc.Arbitrary<LmdChannel<Data>[]> {
  const channel = fc.record({
    content: visible(5),
    scale: f32,
    offset: f32,
    startAngle: i32,
    angularStep: u16,
    data,
  });
  return fc.array(channel, { maxLength: 3 });
}

const text = fc.string({ unit: 'grapheme', maxLength: 20 });

const scans: fc.Arbitrary<LmdScan> = fc.record(
  {
    version: u16,
    deviceNumber: u16,
    serialNumber: u32,
    status: bits,
    telegramCounter: u16,
    scanCounter: u16,
    scanTime: u32,
    transmitTime: u32,
    inputs: bits,
    outputs: bits,
    layerAngle: fc.integer({ min: -32_768, max: 32_767 }),
    scanFrequency: u32,
    measurementFrequency: u32,
    encoders: fc.array(fc.record({ ticks: u32, speed: u16 }), { maxLength: 3 }),
    channels16: channelsOf(fc.uint16Array({ maxLength: 30 })),
    channels8: channelsOf(fc.uint8Array({ maxLength: 30 })),
    position: fc.record({
      x: f32,
      y: f32,
      z: f32,
      rotationX: f32,
      rotationY: f32,
      rotationZ: f32,
      rotationType: u8,
    }),
    deviceName: text,
    comment: text,
    time: fc.record({
      year: u16,
      month: u8,
      day: u8,
      hour: u8,
      minute: u8,
      second: u8,
      microsecond: u32,
    }),
    event: fc.record({ type: visible(4), encoderTicks: u32, time: u32, angle: i32 }),
  },
  {
    requiredKeys: [
      'version',
      'deviceNumber',
      'serialNumber',
      'status',
      'telegramCounter',
      'scanCounter',
      'scanTime',
      'transmitTime',
      'inputs',
      'outputs',
      'layerAngle',
      'scanFrequency',
      'measurementFrequency',
      'encoders',
      'channels16',
      'channels8',
    ],
  },
);

/** Returns the message of the error of a decoder. Any other error is thrown. */
function messageOf(decode: () => unknown): string {
  try {
    decode();
    return '';
  } catch (error) {
    if (error instanceof TelegramError) return error.message;
    throw error;
  }
}

describe('any scan', () => {
  test('comes out of both encodings as it went in', () => {
    fc.assert(
      fc.property(scans, (scan) => {
        expect(decodeLmdBinary(encodeLmdBinary(scan))).toEqual(scan);
        expect(decodeLmdText(encodeLmdText(scan))).toEqual(scan);
      }),
      { numRuns: 500 },
    );
  });
});

describe('any bytes', () => {
  const changes = fc.array(fc.tuple(fc.nat(), u8), { minLength: 1, maxLength: 6 });
  const textBytes = new TextEncoder().encode(everythingText);

  test.each([
    ['binary', decodeLmdBinary, everythingBinary],
    ['text', decodeLmdText, textBytes],
  ])('are a scan or a fault that tells a place: %s', (_, decode, whole) => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), changes, (bytes, places) => {
        messageOf(() => decode(bytes));
        const changed = whole.slice();
        for (const [at, byte] of places) changed[at % changed.length] = byte;
        const message = messageOf(() => decode(changed));
        if (message !== '') expect(message).toMatch(/^expected .* at byte \d+, got .*$/s);
      }),
      { numRuns: 1000 },
    );
  });
});
