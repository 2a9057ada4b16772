import { hexOf, joined } from '@azimuth/test-support/golden/hex';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodePtp, encodePtp, PtpFlag, type PtpMessage } from '../../src/ptp/index.js';
import { TelegramError } from '../../src/telegram-error.js';
import * as golden from './golden.js';

const master = { clock: '001122fffe334455', port: 1 };
const scanner = { clock: '00067bfffe0a1b2c', port: 1 };
const zero = { seconds: 0, nanoseconds: 0 };
const common = { domain: 0, sdoId: 0, flags: 0, correction: 0n, source: master, tlvs: [] };

const messages: readonly (readonly [name: string, bytes: Uint8Array, message: PtpMessage])[] = [
  [
    'an Announce',
    golden.announce,
    {
      ...common,
      kind: 'announce',
      flags:
        PtpFlag.utcOffsetValid | PtpFlag.ptpTimescale | PtpFlag.timeTraceable | PtpFlag.frequencyTraceable,
      sequence: 258,
      logInterval: 1,
      time: zero,
      utcOffset: 37,
      priority1: 128,
      clockClass: 6,
      clockAccuracy: 0x21,
      variance: 0x4e5d,
      priority2: 127,
      grandmaster: '001122fffe334455',
      stepsRemoved: 0,
      timeSource: 0x20,
    },
  ],
  [
    'a Sync of a two-step master',
    golden.twoStepSync,
    { ...common, kind: 'sync', flags: PtpFlag.twoStep, sequence: 65_535, logInterval: 0, time: zero },
  ],
  [
    'a Follow_Up',
    golden.followUp,
    {
      ...common,
      kind: 'followUp',
      correction: 0x18000n,
      sequence: 65_535,
      logInterval: 0,
      time: { seconds: 1_700_000_000, nanoseconds: 999_999_999 },
    },
  ],
  [
    'a Delay_Req',
    golden.delayRequest,
    { ...common, kind: 'delayRequest', source: scanner, sequence: 9, logInterval: 127, time: zero },
  ],
  [
    'a Delay_Resp',
    golden.delayResponse,
    {
      ...common,
      kind: 'delayResponse',
      sequence: 9,
      logInterval: 2,
      time: { seconds: 1_700_000_001, nanoseconds: 16 },
      requester: scanner,
    },
  ],
];

describe('golden bytes', () => {
  test.each(messages)('of %s are decoded', (_, bytes, message) => expect(decodePtp(bytes)).toEqual(message));

  test.each(messages)('of %s are encoded', (_, bytes, message) =>
    expect(hexOf(encodePtp(message))).toBe(hexOf(bytes)),
  );

  test('of a Sync of a one-step master and of version 2.0 are decoded', () => {
    expect(decodePtp(golden.oneStepSync)).toEqual({
      ...common,
      kind: 'sync',
      correction: -0x18000n,
      sequence: 7,
      logInterval: -3,
      time: { seconds: 2 ** 32 + 2, nanoseconds: 3 },
    });
  });

  test('of a type without a decoder give its header', () => {
    expect(decodePtp(golden.peerDelayRequest)).toEqual({
      kind: 'other',
      type: 2,
      domain: 1,
      sdoId: 0x103,
      flags: PtpFlag.unicast,
      correction: 0n,
      source: { clock: '001122fffe334455', port: 2 },
      sequence: 1,
      logInterval: 127,
    });
  });
});

describe('what follows a message', () => {
  const withTlvs = joined(golden.announce, golden.tlvs);
  withTlvs[3] = withTlvs.length;

  test('is read as TLVs, and encoded again', () => {
    const message = decodePtp(withTlvs);
    if (message.kind !== 'announce') throw new Error('not an Announce');
    expect(message.tlvs).toEqual([
      { type: 8, value: golden.announce.slice(20, 28) },
      { type: 0x7fff, value: new Uint8Array() },
    ]);
    expect(hexOf(encodePtp(message))).toBe(hexOf(withTlvs));
  });

  test('is ignored behind the stated length', () => {
    expect(decodePtp(joined(golden.twoStepSync, Uint8Array.of(1, 2)))).toEqual(decodePtp(golden.twoStepSync));
  });

  test.each([1, 3, 4, 5, 15])('is refused if %i bytes of the last TLV are missing', (missing) => {
    const cut = withTlvs.slice(0, withTlvs.length - missing);
    cut[3] = cut.length;
    // The second TLV is missing, the first one is complete.
    if (missing === 4) expect(decodePtp(cut)).toMatchObject({ tlvs: [{ type: 8 }] });
    else expect(() => decodePtp(cut)).toThrow(TelegramError);
  });
});

describe('a message is refused', () => {
  test.each(messages)('if %s is cut off anywhere', (_, bytes) => {
    for (let length = 0; length < bytes.length; length++) {
      const cut = bytes.slice(0, length);
      expect(() => decodePtp(cut), 'with its length').toThrow(TelegramError);
      if (length >= 4) cut[3] = length;
      expect(() => decodePtp(cut), 'with a shorter length').toThrow(TelegramError);
    }
  });

  test('of version 1 or 3', () => {
    for (const version of [0x11, 0x13]) {
      const bytes = golden.announce.slice();
      bytes[1] = version;
      expect(() => decodePtp(bytes)).toThrow('expected version 2 at byte 1');
    }
  });

  test('with a second of nanoseconds', () => {
    const bytes = golden.followUp.slice();
    bytes.set([0x3b, 0x9a, 0xca, 0x00], 40);
    expect(() => decodePtp(bytes)).toThrow('expected less than 1000000000 ns at byte 40');
  });
});

const uint = (bits: number) => fc.integer({ min: 0, max: 2 ** bits - 1 });
const clock = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((id) => id.toString(16).padStart(16, '0'));
const port = fc.record({ clock, port: uint(16) });
const anyHeader = {
  domain: uint(8),
  sdoId: uint(12),
  flags: uint(16),
  correction: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  source: port,
  sequence: uint(16),
  logInterval: fc.integer({ min: -128, max: 127 }),
  time: fc.record({
    seconds: fc.integer({ min: 0, max: 2 ** 48 - 1 }),
    nanoseconds: fc.integer({ min: 0, max: 999_999_999 }),
  }),
  tlvs: fc.array(fc.record({ type: uint(16), value: fc.uint8Array({ maxLength: 20 }) }), { maxLength: 4 }),
};
const anyMessage: fc.Arbitrary<PtpMessage> = fc.oneof(
  fc.record({ kind: fc.constantFrom('sync', 'followUp', 'delayRequest'), ...anyHeader }),
  fc.record({ kind: fc.constant('delayResponse'), ...anyHeader, requester: port }),
  fc.record({
    kind: fc.constant('announce'),
    ...anyHeader,
    utcOffset: fc.integer({ min: -32_768, max: 32_767 }),
    priority1: uint(8),
    clockClass: uint(8),
    clockAccuracy: uint(8),
    variance: uint(16),
    priority2: uint(8),
    grandmaster: clock,
    stepsRemoved: uint(16),
    timeSource: uint(8),
  }),
);

test('every message is decoded as it was encoded', () => {
  fc.assert(
    fc.property(anyMessage, (message) => {
      expect(decodePtp(encodePtp(message))).toEqual(message);
    }),
  );
});

test('any bytes are a message or a TelegramError', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 100 }),
    fc
      .tuple(fc.constantFrom(...messages.map(([, golden]) => golden)), uint(6), uint(8))
      .map(([golden, at, byte]) => golden.with(Math.min(at, golden.length - 1), byte)),
  );
  fc.assert(
    fc.property(bytes, (datagram) => {
      try {
        decodePtp(datagram);
      } catch (error) {
        expect(error).toBeInstanceOf(TelegramError);
      }
    }),
  );
});
