import { describe, expect, it } from 'vitest';
import { type Expected, StreamAudit } from './audit.js';
import { imuTelegram, type ScanOptions, scanTelegram } from './by-hand.js';
import { decodeTelegram } from './telegram.js';

const expected: Expected = { sender: 23_370_016, sizes: [2, 2] };

/** Frames of two segments, as hand-made telegrams; what is wrong with one of them is stated. */
function stream(count: number, wrongAt = -1, wrong: ScanOptions = {}) {
  return Array.from({ length: count }, (_, place) =>
    decodeTelegram(
      scanTelegram({
        ...{ sequence: place + 1, frame: 5 + Math.floor(place / 2), index: place % 2 },
        ...{ firstTime: 1000 + place * 10, lastTime: 1005 + place * 10 },
        ...(place === wrongAt ? wrong : {}),
      }),
    ),
  );
}

function audit(...[count, at, wrong]: Parameters<typeof stream>): number {
  const one = new StreamAudit(expected);
  one.add(stream(count, at, wrong));
  return one.frames;
}

describe('the audit of a stream', () => {
  it('counts the frames of a correct stream', () => {
    expect(audit(7)).toBe(3);
  });

  it.each<[string, ScanOptions]>([
    ['telegram sequence', { sequence: 9 }],
    ['frame', { frame: 8 }],
    ['frame', { index: 1 }],
    ['first beam', { firstTime: 1005, lastTime: 1006 }],
    ['before its first beam', { firstTime: 1300, lastTime: 1400 }],
    ['azimuth code', { beams: scanBeams(12_000) }],
    ['beams', { columns: 1, beams: scanBeams(11_169).slice(0, 1) }],
  ])('finds a wrong %s', (words, wrong) => {
    expect(() => audit(7, 4, wrong)).toThrow(words);
  });

  it('finds another sender, another kind, a missing frame and a late telegram', () => {
    expect(() => new StreamAudit({ ...expected, sender: 1 }).add(stream(1))).toThrow('sender');
    expect(() => new StreamAudit(expected).add([decodeTelegram(imuTelegram())])).toThrow('imu');
    expect(() => new StreamAudit({ ...expected, frameStep: 2 }).add(stream(3))).toThrow('frame');
    expect(() => new StreamAudit({ ...expected, latest: 100 }).add(stream(1))).toThrow('sent at');
  });

  it('allows an incomplete frame only after a change', () => {
    const broken = stream(4).filter((_, place) => place !== 1);
    const [first, ...rest] = broken;
    if (first === undefined) throw new Error('nothing');
    const one = new StreamAudit(expected);
    one.add([first]);
    one.change();
    expect(() => one.add(rest)).toThrow('telegram sequence');
    const unannounced = new StreamAudit(expected);
    expect(() => unannounced.add(stream(2, 1, { frame: 7, index: 0 }))).toThrow(
      'frame 5, segment 1 of 2 expected',
    );
    // The first frame has one segment of its two, then comes the third.
    const jump = [...stream(1), ...stream(2, 1, { frame: 7, index: 0 }).slice(1)];
    const lenient = new StreamAudit(expected);
    lenient.add(jump.slice(0, 1));
    lenient.change();
    lenient.add(jump.slice(1));
    const strict = new StreamAudit(expected);
    strict.add(jump.slice(0, 1));
    strict.change({}, 'whole');
    expect(() => strict.add(jump.slice(1))).toThrow('broken off');
  });
});

/** Two beams; the first one is said to look somewhere. */
function scanBeams(code: number): Buffer[] {
  const beam = (azimuth: number) => {
    const bytes = Buffer.alloc(11);
    bytes.writeUInt16LE(azimuth, 9);
    return bytes;
  };
  return [beam(code), beam(21_599)];
}
