import {
  bytesOfGuid,
  decodeMessage,
  entityId,
  keyHashOf,
  MessageWriter,
  numberSet,
  type Submessage,
  statusInfoOf,
  writerId,
} from '@azimuth/telegrams/rtps';
import { bytesOf, hexOf } from '@azimuth/test-support/golden/hex';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';

const prefix = '0102030405060708090a0b0c';
const other = 'f1f2f3f4f5f6f7f8f9fafbfc';
const writer = writerId(1);
const reader = 0x000004c7;
const header = '5254505302 05 017f 0102030405060708090a0b0c';

/** Returns the written bytes after the header, as hexadecimal digits. */
function written(write: (message: MessageWriter) => void): string {
  const message = new MessageWriter(prefix).begin();
  write(message);
  return hexOf(message.message).slice(40);
}

const hex = (text: string) => text.replaceAll(/\s/g, '');

function decoded(write: (message: MessageWriter) => void): readonly Submessage[] {
  const message = new MessageWriter(prefix).begin();
  write(message);
  return decodeMessage(message.message).submessages;
}

test('a message begins with RTPS, the version 2.5, the vendor and the GUID prefix', () => {
  const { message } = new MessageWriter(prefix).begin();
  expect(hexOf(message)).toBe(hex(header));
  expect(decodeMessage(message)).toEqual({ vendor: 0x017f, prefix, submessages: [] });
});

test('a heartbeat has these bytes', () => {
  const facts = { reader, writer, first: 1, last: 2 ** 32 + 5, count: 7, isFinal: true };
  const bytes = '07 03 1c00 000004c7 00000103 00000000 01000000 01000000 05000000 07000000';
  expect(written((message) => message.heartbeat(facts))).toBe(hex(bytes));
  expect(decoded((message) => message.heartbeat(facts))).toEqual([{ kind: 'heartbeat', ...facts }]);
});

test('an acknowledgement has these bytes: the first number is the highest bit', () => {
  const missing = numberSet(10, [10, 12, 45]);
  const facts = { reader, writer, missing, count: 3, isFinal: false };
  const bytes = '06 01 2000 000004c7 00000103 00000000 0a000000 24000000 000000a0 00000010 03000000';
  expect(written((message) => message.ackNack(facts))).toBe(hex(bytes));
  expect(decoded((message) => message.ackNack(facts))).toEqual([{ kind: 'ackNack', ...facts }]);
});

test('a request for fragments, a gap and a destination have these bytes', () => {
  const nack = { reader, writer, sequence: 4, missing: numberSet(3, [3]), count: 1 };
  expect(written((message) => message.nackFragment(nack))).toBe(
    hex('12 01 2000 000004c7 00000103 00000000 04000000 03000000 01000000 00000080 01000000'),
  );
  const gap = { reader, writer, first: 2, list: numberSet(5, []) };
  expect(written((message) => message.gap(gap))).toBe(
    hex('08 01 1c00 000004c7 00000103 00000000 02000000 00000000 05000000 00000000'),
  );
  expect(written((message) => message.infoDestination(other))).toBe(hex(`0e 01 0c00 ${other}`));
  const all = decoded((message) => message.infoDestination(other).nackFragment(nack).gap(gap));
  expect(all).toEqual([
    { kind: 'infoDestination', prefix: other },
    { kind: 'nackFragment', ...nack },
    { kind: 'gap', ...gap },
  ]);
});

test('a sample has these bytes, and a time before it', () => {
  const sample = { reader: entityId.unknown, writer, sequence: 9 };
  const payload = bytesOf('00010000aabbccdd');
  expect(written((message) => message.infoTimestamp(1_500_000).data(sample, payload))).toBe(
    hex(`09 01 0800 01000000 00000080
      15 05 1c00 0000 1000 00000000 00000103 00000000 09000000 00010000aabbccdd`),
  );
  expect(decoded((message) => message.infoTimestamp(1_500_000).data(sample, payload))).toEqual([
    { kind: 'infoTimestamp', time: 1_500_000 },
    { kind: 'data', ...sample, inlineQos: new Map(), isKey: false, payload },
  ]);
});

test('a fragment has these bytes', () => {
  const sample = { reader: entityId.unknown, writer, sequence: 9 };
  const place = { first: 2, fragmentBytes: 1280, sampleBytes: 1284, bytes: 4 };
  expect(written((message) => message.fragmentHead(sample, place))).toBe(
    hex('16 01 2400 0000 1c00 00000000 00000103 00000000 09000000 02000000 0100 0005 04050000'),
  );
  const message = new MessageWriter(prefix).begin().fragmentHead(sample, place).message;
  const { submessages } = decodeMessage(Uint8Array.of(...message, 1, 2, 3, 4));
  expect(submessages).toEqual([
    {
      kind: 'dataFragment',
      ...sample,
      first: 2,
      fragments: 1,
      fragmentBytes: 1280,
      sampleBytes: 1284,
      payload: Uint8Array.of(1, 2, 3, 4),
    },
  ]);
});

test('the end of an instance carries its key and its status', () => {
  const key = bytesOfGuid({ prefix, entity: writer });
  const sample = { reader: entityId.unknown, writer: entityId.publicationsWriter, sequence: 2 };
  const [ended] = decoded((message) => message.dispose(sample, key, Uint8Array.of(0, 3, 0, 0)));
  if (ended?.kind !== 'data') throw new Error('a sample expected');
  expect(statusInfoOf(ended)).toBe(3);
  expect(keyHashOf(ended)).toEqual(key);
  expect(ended.isKey).toBe(true);
  expect(ended.payload).toEqual(Uint8Array.of(0, 3, 0, 0));
});

test('messages of other byte order, with unknown submessages and with a last length of 0 are read', () => {
  const bytes = bytesOf(
    hex(`${header}
      80 00 0004 01020304
      07 00 001c 000004c7 00000103 00000000 00000001 00000000 00000002 00000003
      15 05 0000 0000 1000 00000000 00000103 00000000 09000000 0001000011223344`),
  );
  expect(decodeMessage(bytes).submessages).toEqual([
    { kind: 'heartbeat', reader, writer, first: 1, last: 2, count: 3, isFinal: false },
    expect.objectContaining({ kind: 'data', sequence: 9, payload: bytesOf('0001000011223344') }),
  ]);
});

test.each([
  ['fewer than 20 bytes', '52545053', 'expected 20 bytes'],
  ['another first word', hex(header).replace('52', '53'), 'expected RTPS'],
  ['version 3', hex(header).replace('5053 02'.replace(' ', ''), '505303'), 'expected version 2'],
])('a message with %s is refused', (_, bytes, reason) => {
  expect(() => decodeMessage(bytesOf(bytes))).toThrow(reason);
});

test.each([
  ['that is cut off', '07031c0000', 'expected 28 more bytes'],
  [
    'with a bitmap of 257 numbers',
    hex(`06 01 1800 000004c7 00000103 00000000 0a000000 01010000 00000000`),
    'at most 256 numbers',
  ],
  [
    'with a sample below 0',
    hex(`07 01 1c00 000004c7 00000103 ffffffff 01000000 00000000 02000000 03000000`),
    'the number of a sample',
  ],
])('a submessage %s ends a message, and those before it are read', (_, bytes, reason) => {
  const before = '0e010c00ffffffffffffffffffffffff';
  const { submessages, error } = decodeMessage(bytesOf(`${hex(header)}${before}${bytes}`));
  expect(submessages).toEqual([{ kind: 'infoDestination', prefix: 'f'.repeat(24) }]);
  expect(error?.message).toContain(reason);
});

test('damaged messages are read or refused, and nothing else happens', () => {
  const valid = new MessageWriter(prefix)
    .begin()
    .infoDestination(other)
    .infoTimestamp(1)
    .data({ reader, writer, sequence: 1 }, new Uint8Array(40))
    .ackNack({ reader, writer, missing: numberSet(1, [1, 200]), count: 1, isFinal: false })
    .dispose({ reader, writer, sequence: 1 }, new Uint8Array(16), new Uint8Array(4)).message;
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(valid.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 }),
      fc.nat(valid.length),
      (changes, length) => {
        const damaged = valid.slice(0, length);
        for (const [at, byte] of changes) if (at < length) damaged[at] = byte;
        try {
          decodeMessage(damaged);
        } catch (error) {
          expect(error).toMatchObject({ name: 'TelegramError' });
        }
      },
    ),
  );
});
