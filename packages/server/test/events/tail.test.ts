import { inflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { Tail } from '../../src/events/tail.js';

const head = Buffer.from('{"type":"event","clientId":1');

/** The payload of a frame, its first byte and the length of its header. */
function taken(frame: Buffer) {
  const short = (frame[1] ?? 0) & 0x7f;
  const header = short === 127 ? 10 : short === 126 ? 4 : 2;
  const length =
    short === 127 ? Number(frame.readBigUInt64BE(2)) : short === 126 ? frame.readUInt16BE(2) : short;
  expect(frame).toHaveLength(header + length);
  return { first: frame[0], header, payload: frame.subarray(header) };
}

describe.each([0, 1, 96, 97, 98, 65_506, 65_507, 65_508, 200_000])(
  '%d bytes behind a head of 28',
  (length) => {
    const text = 'x'.repeat(length);

    test('are one plain frame of text with the shortest length', () => {
      const { first, header, payload } = taken(new Tail(text).frame(head, undefined));
      expect(first).toBe(0x81);
      expect(payload.toString()).toBe(head + text);
      expect(header).toBe(payload.length < 126 ? 2 : payload.length < 65_536 ? 4 : 10);
    });

    test.each([8, 9, 12, 15])('are one compressed frame that a window of %d bits can read', (bits) => {
      const { first, payload } = taken(new Tail(text).frame(head, bits));
      expect(first).toBe(0xc1);
      const whole = Buffer.concat([payload, Buffer.of(0, 0, 0xff, 0xff)]);
      expect(inflateRawSync(whole, { windowBits: Math.max(9, bits), finishFlush: 2 }).toString()).toBe(
        head + text,
      );
    });
  },
);

test.each([65_535, 65_536, 70_000, 131_071])(
  'a head of %d bytes is compressed into as many blocks as it takes',
  (length) => {
    const { payload } = taken(new Tail('}').frame(Buffer.alloc(length, 'h'), 15));
    const whole = Buffer.concat([payload, Buffer.of(0, 0, 0xff, 0xff)]);
    expect(inflateRawSync(whole, { finishFlush: 2 }).toString()).toBe(`${'h'.repeat(length)}}`);
  },
);

test('letters beyond ASCII count as the bytes that they are', () => {
  const { payload } = taken(new Tail('Tür 3').frame(head, undefined));
  expect(payload.toString()).toBe(`${head}Tür 3`);
});

test('receivers of equal bytes get the same ones, others their own', () => {
  const tail = new Tail('}');
  const first = tail.frame(head, 15);
  expect(tail.frame(Buffer.from(head), 15)).toBe(first);
  expect(tail.frame(Buffer.from('{"type":"event","clientId":2'), 15)).not.toBe(first);
  expect(tail.frame(head, undefined)).not.toEqual(first);
});
