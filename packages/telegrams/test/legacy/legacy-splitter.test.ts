import { bytesOfCharacters, frameBinary, frameText, LegacySplitter } from '@azimuth/telegrams/legacy';
import { bytesOf, hexOf, joined } from '@azimuth/test-support/golden/hex';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

const limit = 100;
const markers = bytesOf('02 02 02 02');

interface Came {
  readonly framing: string;
  readonly payload: string;
}

/** Splits a stream that comes in pieces of these sizes, in turn. */
function split(stream: Uint8Array, sizes: readonly number[] = [stream.length], most = limit) {
  const splitter = new LegacySplitter(most);
  const telegrams: Came[] = [];
  let at = 0;
  let mostHeld = 0;
  for (let turn = 0; at < stream.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    for (const { framing, payload } of splitter.push(stream.subarray(at, at + size))) {
      telegrams.push({ framing, payload: hexOf(payload) });
    }
    mostHeld = Math.max(mostHeld, splitter.held);
    at += size;
  }
  expect(mostHeld).toBeLessThanOrEqual(most + 8);
  const { skipped, damaged, oversized, held } = splitter;
  return { telegrams, skipped, damaged, oversized, held };
}

function text(characters: string): Came {
  return { framing: 'text', payload: hexOf(bytesOfCharacters(characters)) };
}

function binary(payload: string): Came {
  return { framing: 'binary', payload: hexOf(bytesOf(payload)) };
}

const run = frameText('sMN Run');
const runs = text('sMN Run');
const level = bytesOf('0202020200000017 734d4e205365744163636573734d6f64652003f4724744 b3');
const levels = binary('734d4e205365744163636573734d6f64652003f4724744');
const markerInside = frameBinary(bytesOf('02 03 02 02 02 02 00 00 00 01 41 41 02'));
const markersInside = binary('02 03 02 02 02 02 00 00 00 01 41 41 02');
const stream = joined(run, level, level, run, run, markerInside, level);
const all = [runs, levels, levels, runs, runs, markersInside, levels];

describe('a stream of both framings', () => {
  test('is split where one telegram ends and the next begins', () => {
    expect(split(stream)).toEqual({ telegrams: all, skipped: 0, damaged: 0, oversized: 0, held: 0 });
  });

  test.each(Array.from({ length: 40 }, (_, size) => size + 1))('comes in pieces of %i bytes', (size) => {
    const came = split(stream, [size]);
    expect(came.telegrams).toEqual(all);
    expect(came.skipped).toBe(0);
  });

  test('returns a telegram as soon as it is complete', () => {
    const splitter = new LegacySplitter(limit);
    expect(splitter.push(level.subarray(0, -1))).toEqual([]);
    expect(splitter.held).toBe(level.length - 1);
    expect(splitter.push(level.subarray(-1))).toHaveLength(1);
    expect(splitter.held).toBe(0);
    expect(splitter.push(run.subarray(0, -1))).toEqual([]);
    expect(splitter.push(run.subarray(-1))).toHaveLength(1);
  });

  test('returns copies of the bytes', () => {
    const splitter = new LegacySplitter(limit);
    const piece = level.slice();
    const [telegram] = splitter.push(piece);
    piece.fill(0xff);
    splitter.push(new Uint8Array(5000).fill(0xff));
    expect(hexOf(telegram?.payload ?? piece)).toBe(levels.payload);
  });

  test('may have telegrams without anything in them', () => {
    const empty = [text(''), { framing: 'binary', payload: '' }, runs];
    const bytes = joined(bytesOf('02 03'), bytesOf('02 02 02 02 00 00 00 00 00'), run);
    expect(split(bytes).telegrams).toEqual(empty);
    expect(split(bytes, [1]).telegrams).toEqual(empty);
  });

  test('leaves open what markers at the end of a piece begin', () => {
    for (const [rest, expected, skipped] of [
      [level.subarray(4), levels, 0],
      [run, runs, 4],
      [run.subarray(1), runs, 3],
      [level, levels, 4],
      [level.subarray(1), levels, 3],
    ] as const) {
      const splitter = new LegacySplitter(limit);
      expect(splitter.push(markers)).toEqual([]);
      expect(splitter.held).toBe(4);
      const came = splitter.push(rest).map(({ framing, payload }) => ({ framing, payload: hexOf(payload) }));
      expect(came).toEqual([expected]);
      expect(splitter.skipped).toBe(skipped);
    }
  });

  test('has telegrams of 64 KiB and more', () => {
    const payload = Uint8Array.from({ length: 70_000 }, (_, index) => (index % 200) + 4);
    const large = joined(frameBinary(payload), frameText(payload), run);
    for (const size of [7, 1448, 16_384, 100_000, large.length]) {
      const came = split(large, [size], 70_000);
      expect(came.telegrams.map(({ framing }) => framing)).toEqual(['binary', 'text', 'text']);
      expect(came.telegrams[0]?.payload).toBe(hexOf(payload));
      expect(came.telegrams[1]?.payload).toBe(hexOf(payload));
      expect(came.skipped).toBe(0);
    }
  });
});

describe('what is of no telegram', () => {
  const xor = level.slice();
  xor[20] = 0xff;

  test.each([
    ['noise', bytesOf('00112233 03 445566'), 0, 0],
    ['the start of a text that another one begins behind', bytesOf('02 734d4e'), 0, 0],
    ['three markers and something else', bytesOf('02 02 02 ff'), 0, 0],
    ['a marker too many', bytesOf('02'), 0, 0],
    ['a wrong checksum', xor, 1, 0],
    ['a binary payload above the limit', frameBinary(new Uint8Array(101).fill(0x41)), 0, 1],
    ['a length of gigabytes', bytesOf('02020202 ffffffff'), 0, 1],
    ['a text above the limit', frameText('x'.repeat(101)), 0, 1],
  ])('is skipped and counted: %s', (_, noise, damaged, oversized) => {
    const bytes = joined(level, noise, level, run, noise, run, level);
    const telegrams = [levels, levels, runs, runs, levels];
    const expected = { telegrams, skipped: 2 * noise.length, damaged: 2 * damaged, oversized: 2 * oversized };
    expect(split(bytes)).toEqual({ ...expected, held: 0 });
    expect(split(bytes, [1])).toEqual({ ...expected, held: 0 });
    expect(split(bytes, [7, 1, 64])).toEqual({ ...expected, held: 0 });
  });

  test('hides no telegram behind a wrong length', () => {
    const hidden = joined(bytesOf('02020202 00000040'), run, level, bytesOf('ff'.repeat(60)), run);
    for (const sizes of [[hidden.length], [1], [13]]) {
      const came = split(hidden, sizes);
      expect(came.telegrams).toEqual([runs, levels, runs]);
      expect(came.damaged).toBe(1);
      expect(came.skipped).toBe(8 + 60);
    }
  });

  test('are texts in a broken frame that look like no command', () => {
    // Measured data that happen to be between a start and an end.
    const data = bytesOf('02 68 00 11 03  02 73 00 03  02 73 7f 03');
    const broken = frameBinary(data);
    broken.set([1], broken.length - 1);
    expect(split(joined(broken, run))).toMatchObject({ telegrams: [runs], skipped: broken.length });
    // If the stream is in step, the reader of such telegrams reports the problem.
    expect(split(data).telegrams).toEqual([text('h\0\x11'), text('s\0'), text('s\x7f')]);
    expect(split(joined(broken, run, data)).telegrams).toHaveLength(4);
  });

  test('is so until a telegram is found that is one', () => {
    const claim = bytesOf('02020202 ffffffff');
    const broken = bytesOf('02020202 00000001 41 42');
    const greeting = frameText('hello');
    expect(split(joined(claim, broken, greeting)).telegrams).toEqual([]);
    for (const found of [run, level]) {
      expect(split(joined(claim, found, greeting)).telegrams.slice(1)).toEqual([text('hello')]);
    }
  });

  test('of a text that is too long is not kept', () => {
    const splitter = new LegacySplitter(limit);
    for (let piece = 0; piece < 50; piece++) {
      expect(splitter.push(bytesOf(`${piece === 0 ? '02' : '41'}${'41'.repeat(30)}`))).toEqual([]);
      expect(splitter.held).toBeLessThanOrEqual(limit + 1);
    }
    expect(splitter.oversized).toBe(1);
    expect(splitter.push(run)).toHaveLength(1);
  });

  test('counts for the limit by the payload alone', () => {
    const payload = new Uint8Array(limit).fill(0x41);
    for (const sizes of [[1000], [1]]) {
      const came = split(joined(frameText(payload), frameBinary(payload)), sizes);
      expect(came.telegrams).toHaveLength(2);
      expect(came.oversized).toBe(0);
    }
  });

  test.each([
    ['a frame whose checksum is wrong, again and again', '02020202 0000fff0'],
    ['markers only', '02020202 02020202'],
    ['a text that is begun, again and again', '02414141 41414141'],
    ['a length that is too large, again and again', '02020202 ffffffff'],
  ])('costs no more than in proportion: %s', (_, bait) => {
    const bytes = new Uint8Array(4 << 20);
    const eight = bytesOf(bait);
    for (let at = 0; at < bytes.length; at += 8) bytes.set(eight, at);
    const splitter = new LegacySplitter(65_536);
    for (let at = 0; at < bytes.length; at += 65_536) {
      expect(splitter.push(bytes.subarray(at, at + 65_536))).toEqual([]);
    }
    expect(splitter.held + splitter.skipped).toBe(bytes.length);
    expect(splitter.held).toBeLessThanOrEqual(65_544);
  });
});

test('a long telegram costs no more than in proportion where it comes byte by byte', () => {
  const most = 400_000;
  const payload = new Uint8Array(most).fill(0x41);
  const telegrams = [frameText(payload), frameBinary(payload)].flatMap((frame) => {
    const splitter = new LegacySplitter(most);
    return [...frame].flatMap((byte) => splitter.push(Uint8Array.of(byte)));
  });
  expect(telegrams.map(({ framing, payload: { length } }) => [framing, length])).toEqual([
    ['text', most],
    ['binary', most],
  ]);
});

const payloads = fc.uint8Array({ maxLength: limit });
const telegramsOfBoth = fc.oneof(
  payloads
    .map((bytes) => bytes.filter((byte) => byte !== 2 && byte !== 3))
    .map((bytes) => ({ framing: 'text', payload: bytes, frame: frameText(bytes) })),
  payloads.map((bytes) => ({ framing: 'binary', payload: bytes, frame: frameBinary(bytes) })),
);
const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 10 });

describe('any stream', () => {
  test('gives all its telegrams, cut anywhere and with noise without a marker in between', () => {
    const noise = fc.uint8Array({ maxLength: 20 }).map((bytes) => bytes.filter((byte) => byte !== 2));
    fc.assert(
      fc.property(fc.array(fc.tuple(noise, telegramsOfBoth), { maxLength: 12 }), sizes, (parts, cuts) => {
        const bytes = joined(...parts.flatMap(([before, { frame }]) => [before, frame]));
        expect(split(bytes, cuts)).toEqual({
          telegrams: parts.map(([, { framing, payload }]) => ({ framing, payload: hexOf(payload) })),
          skipped: parts.reduce((sum, [before]) => sum + before.length, 0),
          damaged: 0,
          oversized: 0,
          held: 0,
        });
      }),
      { numRuns: 300 },
    );
  });

  test('is read without a fault, the same however it is cut, and not kept beyond the limit', () => {
    const bits = fc.array(
      fc.oneof(
        fc.uint8Array({ maxLength: 12 }),
        fc.constantFrom('02', '02020202', '0202020200000004', '0202020200000070', '03').map(bytesOf),
        telegramsOfBoth.map(({ frame }) => frame),
      ),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(bits, sizes, (parts, cuts) => {
        const bytes = joined(...parts);
        const came = split(bytes, cuts);
        expect(came).toEqual(split(bytes));
        const frames = came.telegrams.reduce(
          (sum, { framing, payload }) => sum + payload.length / 2 + (framing === 'text' ? 2 : 9),
          0,
        );
        expect(frames + came.skipped + came.held).toBe(bytes.length);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a frame', () => {
  test('of text cannot hold what begins or ends one, or a character of more than a byte', () => {
    expect(() => frameText('a\x03')).toThrow('03, got it at 1');
    expect(() => frameText('\x02')).toThrow('02, got it at 0');
    expect(() => frameText(Uint8Array.of(65, 66, 3))).toThrow(RangeError);
    expect(() => frameText('€')).toThrow('got "€"');
  });

  test('of binary holds any bytes', () => {
    expect(hexOf(frameBinary(bytesOf('02 03')))).toBe('0202020200000002020301');
    expect(hexOf(frameBinary(new Uint8Array(0)))).toBe('020202020000000000');
  });

  test.each([0, -1, 2 ** 24, Number.NaN])('has a limit that makes sense: %d does not', (wrong) => {
    expect(() => new LegacySplitter(wrong)).toThrow(RangeError);
  });
});

describe('who wants to know of broken frames', () => {
  const reported = (...pieces: readonly Uint8Array[]) => {
    const splitter = new LegacySplitter(limit, true);
    const words = pieces
      .flatMap((piece) => splitter.push(piece))
      .map(({ framing, payload, broken }) => `${framing} ${broken ?? payload.length}`);
    return { splitter, words };
  };
  const damaged = frameBinary(bytesOf('41 42'));
  damaged[damaged.length - 1] = 0;

  test('is told in their place, each once', () => {
    const tooLong = bytesOf('02 02 02 02 00 00 00 65');
    expect(
      reported(run, damaged, run, tooLong, tooLong, run, frameText('s'.repeat(101)), level).words,
    ).toEqual([
      ...['text 7', 'binary damaged', 'text 7'],
      ...['binary oversized', 'text 7', 'text oversized', 'binary 23'],
    ]);
  });

  test('is told of none that has not ended until it is given up, and then gets what it hid', () => {
    const { splitter, words } = reported(bytesOf('02 02 02 02 00 00 00 60'), run, level);
    expect([words, splitter.isInsideFrame]).toEqual([[], true]);
    expect(splitter.giveUp().map(({ framing, broken }) => broken ?? framing)).toEqual([
      'unfinished',
      'text',
      'binary',
    ]);
    expect([splitter.isInsideFrame, splitter.held]).toEqual([false, 0]);
    expect(splitter.giveUp()).toEqual([]);
  });

  test('has no text given up, which people may type', () => {
    const { splitter } = reported(run.subarray(0, 5));
    expect([splitter.isInsideFrame, splitter.giveUp()]).toEqual([false, []]);
    expect(splitter.push(run.subarray(5))).toHaveLength(1);
  });
});
