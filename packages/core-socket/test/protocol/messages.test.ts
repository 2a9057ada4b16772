import { readFileSync } from 'node:fs';
import { Scan } from '@azimuth/device';
import { describe, expect, test } from 'vitest';
import { copyEchoes, decodeCoreMessage, decodeScannerMessage } from '../../src/protocol/decode.js';
import {
  encodeHello,
  encodeMotion,
  encodeOrder,
  encodePing,
  encodePong,
  encodeRefusal,
  encodeScannerHello,
  encodeSegment,
  encodeStarted,
  encodeStatus,
  encodeStop,
} from '../../src/protocol/encode.js';
import { type Order, ProtocolError } from '../../src/protocol/messages.js';

const order: Order = {
  order: 7,
  geometry: { frequency: 50, firstAngle: -138, step: 0.25, beams: 1105, beamsPerSegment: 123 },
  sensitivity: 2,
  longRange: true,
  origin: { number: 41, time: -20_000_000n },
};
const segment = {
  ...{ order: 7, scan: 99, time: 0x0102_0304_0506_0708n, first: 3, count: 1 },
  distance: Float32Array.of(1500.5, 0, 0),
  rssi: Uint16Array.of(0x0a0b, 0, 0),
  flags: Uint8Array.of(3, 0, 0),
};
const motion = {
  acceleration: [0, 0, 9.75],
  angularVelocity: [0.5, 0, 0],
  orientation: [1, 0, 0, -1],
} as const;
const hello = { version: 1, capabilities: 3, name: 'wall' };

/** The bytes of each message, written down by hand from docs/core-socket.md. */
const golden: readonly (readonly [name: string, bytes: Uint8Array, hex: string])[] = [
  [
    'hello of the core',
    encodeHello('core', hello),
    '18000000 8100 0000 415a434f 0100 0000 03000000 77616c6c',
  ],
  [
    'hello of the scanner',
    encodeScannerHello('Azimuth'),
    '1b000000 0100 0000 415a434f 0100 0000 00000000 417a696d757468',
  ],
  [
    'order',
    encodeOrder(order),
    '40000000 0200 0000 07000000 02 01 0000 51040000 7b000000 0000000000004940 00000000004061c0 000000000000d03f' +
      '00d3cefeffffffff 29000000 00000000',
  ],
  ['stop', encodeStop(7), '0c000000 0300 0000 07000000'],
  ['ping', encodePing(5n), '10000000 0400 0000 0500000000000000'],
  ['refusal', encodeRefusal('no'), '0a000000 0500 0000 6e6f'],
  ['started', encodeStarted(7), '0c000000 8200 0000 07000000'],
  [
    'segment',
    encodeSegment(segment),
    '35000000 8300 0000 07000000 63000000 0807060504030201 03000000 01000000' +
      '0090bb44 00000000 00000000 0b0a 0000 0000 03 00 00',
  ],
  [
    'motion',
    encodeMotion(motion),
    '30000000 8400 0000 00000000 00000000 00001c41 0000003f 00000000 00000000 0000803f 00000000 00000000 000080bf',
  ],
  ['status', encodeStatus({ isError: true, text: 'hot' }), '0f000000 8500 0000 01 000000 686f74'],
  ['pong', encodePong(5n, 6n), '18000000 8600 0000 0500000000000000 0600000000000000'],
];

test.each(golden)('the bytes of %s are those of the documentation', (_, bytes, hex) => {
  expect(Buffer.from(bytes).toString('hex')).toBe(hex.replaceAll(' ', ''));
});

describe('what is encoded is decoded', () => {
  test('from the core', () => {
    const { distance, rssi, flags, ...head } = segment;
    const bytes = Buffer.from(encodeSegment(segment));
    expect(decodeCoreMessage(bytes)).toEqual({ kind: 'segment', ...head, bytes });
    expect(decodeCoreMessage(Buffer.from(encodeHello('core', hello)))).toEqual({ kind: 'hello', ...hello });
    expect(decodeCoreMessage(Buffer.from(encodeStarted(7)))).toEqual({ kind: 'started', order: 7 });
    expect(decodeCoreMessage(Buffer.from(encodeMotion(motion)))).toEqual({ kind: 'motion', motion });
    expect(decodeCoreMessage(Buffer.from(encodePong(5n, 6n)))).toEqual({ kind: 'pong', token: 5n, time: 6n });
    const status = { isError: false, text: 'wärmer' };
    expect(decodeCoreMessage(Buffer.from(encodeStatus(status)))).toEqual({ kind: 'status', ...status });
  });

  test('from the scanner', () => {
    expect(decodeScannerMessage(Buffer.from(encodeOrder(order)))).toEqual({ kind: 'order', ...order });
    expect(decodeScannerMessage(Buffer.from(encodeStop(7)))).toEqual({ kind: 'stop', order: 7 });
    expect(decodeScannerMessage(Buffer.from(encodePing(5n)))).toEqual({ kind: 'ping', token: 5n });
    expect(decodeScannerMessage(Buffer.from(encodeRefusal('no')))).toEqual({ kind: 'refusal', text: 'no' });
    expect(decodeScannerMessage(Buffer.from(encodeScannerHello('A')))).toEqual({
      ...{ kind: 'hello', version: 1, capabilities: 0, name: 'A' },
    });
  });
});

test('echoes are copied to their beams, and unknown flags are left out', () => {
  const scan = new Scan({ frequency: 50, firstAngle: 0, step: 1, beams: 5, beamsPerSegment: 5 });
  const bytes = Buffer.from(encodeSegment({ ...segment, flags: Uint8Array.of(0xff, 0, 0) }));
  copyEchoes({ bytes, first: 3, count: 1 }, scan);
  expect([...scan.distance]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1500.5, 0, 0, 0, 0, 0]);
  expect([...scan.rssi.subarray(9, 12)]).toEqual([0x0a0b, 0, 0]);
  expect([...scan.flags.subarray(9, 12)]).toEqual([3, 0, 0]);
});

test('a name and a text are cut between two characters', () => {
  const decoded = decodeCoreMessage(Buffer.from(encodeHello('core', { ...hello, name: 'ä'.repeat(33) })));
  expect(decoded).toMatchObject({ name: 'ä'.repeat(32) });
  expect(encodeStatus({ isError: true, text: `${'x'.repeat(499)}ä` })).toHaveLength(12 + 499);
});

/** A message with a part replaced. */
function changed(bytes: Uint8Array, at: number, part: readonly number[], length = bytes.length): Buffer {
  const copy = Buffer.alloc(length);
  copy.set(bytes.subarray(0, length));
  copy.set(part, at);
  copy.writeUInt32LE(length, 0);
  return copy;
}

test.each([
  ['an unknown type', changed(encodePong(1n, 2n), 4, [7]), 'a message of the unknown type 7'],
  ['a longer pong', changed(encodePong(1n, 2n), 0, [], 25), 'a pong of 25 bytes; expected 24'],
  ['a segment without its head', changed(encodeSegment(segment), 0, [], 31), 'a segment of 31 bytes'],
  ['a segment without beams', changed(encodeSegment(segment), 28, [0]), 'a segment of the beams 3 to 2'],
  ['a segment behind all beams', changed(encodeSegment(segment), 24, [255, 255, 255, 255]), 'a segment of'],
  ['a segment without its last byte', changed(encodeSegment(segment), 0, [], 52), 'of 52 bytes; expected 53'],
  ['a hello without its mark', changed(encodeHello('core', hello), 8, [0]), 'a hello without AZCO'],
  ['a hello with a long name', changed(encodeHello('core', hello), 0, [], 85), 'a hello of 85 bytes'],
  ['a long status', changed(encodeStatus({ isError: true, text: '' }), 0, [], 513), 'a status of 513 bytes'],
  ['a short motion', changed(encodeMotion(motion), 0, [], 47), 'a motion of 47 bytes; expected 48'],
])('%s is no message', (_, bytes, reason) => {
  expect(() => decodeCoreMessage(bytes)).toThrow(ProtocolError);
  expect(() => decodeCoreMessage(bytes)).toThrow(reason);
});

test('the tables of docs/core-socket.md are those of the source', () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
  const rows = (text: string) =>
    Array.from(text.matchAll(/^(?: \* )?(\| (?:\d[^|]*) \|.*\|)$/gm), ([, row = '']) => row);
  const printed = rows(read('../../../../docs/core-socket.md'));
  const source = rows(read('../../src/protocol/layout.ts'));
  expect(source.length).toBeGreaterThan(30);
  expect(printed).toEqual(source);
});
