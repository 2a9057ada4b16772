import { FrameAssembly } from '@azimuth/client';
import type { ScanTelegram } from '@azimuth/telegrams';
import { framesOf, telegramOf } from '@azimuth/test-support/scan-telegrams';
import { describe, expect, it } from 'vitest';

/**
 * Describes the effect of each telegram: frame number, segments and `+` for a complete frame, `-` for an incomplete
 * one.
 */
function told(assembly: FrameAssembly, telegrams: readonly ScanTelegram[]): string[] {
  return telegrams.map((telegram) =>
    assembly
      .push(telegram)
      .map(({ number, segments, complete }) => `${number}:${segments.join('')}${complete ? '+' : '-'}`)
      .join(' '),
  );
}

const given = (assembly: FrameAssembly, telegrams: readonly ScanTelegram[]) =>
  told(assembly, telegrams).filter((text) => text !== '');

describe('frames', () => {
  it('are complete when the next one begins, or immediately if the number of segments is known', () => {
    expect(told(new FrameAssembly(), framesOf([7, 8, 9], 2))).toEqual([
      '',
      '',
      '',
      '7:012+',
      '',
      '8:012+',
      '',
      '',
      '9:012+',
    ]);
  });

  it('hold the beams of all segments in order', () => {
    const assembly = new FrameAssembly();
    const [frame] = framesOf([7, 8], 1).flatMap((telegram) => assembly.push(telegram));
    expect(frame).toMatchObject({ number: 7, sender: 24_000_001, beams: 6, echoes: 1, segments: [0, 1] });
    expect([...(frame?.distance ?? [])]).toEqual([1000, 1001, 1002, 1000, 1001, 1002]);
    expect([...(frame?.rssi ?? [])]).toEqual([500, 500, 500, 501, 501, 501]);
    expect([...(frame?.properties ?? [])]).toEqual([0, 0, 0, 0, 0, 0]);
    expect(frame?.time).toBe(1_001_000);
    expect(frame?.endTime).toBe(1_012_000);
    const degrees = [...(frame?.azimuth ?? [])].map((rad) => Math.round((rad * 180) / Math.PI));
    expect(degrees).toEqual([-138, -137, -136, -108, -107, -106]);
  });

  it('contain the azimuth of each beam, and nothing that was not sent', () => {
    const assembly = new FrameAssembly();
    const azimuth = Float32Array.of(0.25, 0.5, 0.75);
    const bare = (frame: number): ScanTelegram => {
      const { modules, ...telegram } = telegramOf({ sequence: frame, frame, segment: 0, more: { azimuth } });
      return { ...telegram, modules: modules.map(({ rssi: _, properties: __, ...module }) => module) };
    };
    assembly.push(bare(1));
    const [frame] = assembly.push(bare(2));
    expect([...(frame?.azimuth ?? [])]).toEqual([0.25, 0.5, 0.75]);
    expect([frame?.rssi, frame?.properties]).toEqual([undefined, undefined]);
  });

  it('have as many echoes per beam as the segment with the most', () => {
    const assembly = new FrameAssembly();
    assembly.push(telegramOf({ sequence: 1, frame: 1, segment: 0, columns: 2, echoes: 1 }));
    assembly.push(telegramOf({ sequence: 2, frame: 1, segment: 1, columns: 2, echoes: 3 }));
    const [frame] = assembly.push(telegramOf({ sequence: 3, frame: 2, segment: 0 }));
    expect(frame?.echoes).toBe(3);
    expect([...(frame?.distance ?? [])]).toEqual([1000, 0, 0, 1001, 0, 0, 1000, 0, 0, 1001, 0, 0]);
  });

  it('whose beginning was missed are not complete', () => {
    expect(given(new FrameAssembly(), framesOf([7, 8, 9], 2).slice(1))).toEqual([
      '7:12-',
      '8:012+',
      '9:012+',
    ]);
  });

  it('with any lost segment are not complete', () => {
    const whole = framesOf([1, 2, 3, 4], 2);
    const without = (lost: number) => whole.filter(({ sequence }) => sequence !== lost);
    const assemblies = [7, 8, 9].map((lost) => {
      const assembly = new FrameAssembly();
      return [given(assembly, without(lost)), assembly.losses.telegrams, assembly.losses.frames];
    });
    expect(assemblies).toEqual([
      [['1:012+', '2:012+', '3:12-', '4:012+'], 1, 0],
      [['1:012+', '2:012+', '3:02-', '4:012+'], 1, 0],
      [['1:012+', '2:012+', '3:01-', '4:012+'], 1, 0],
    ]);
  });

  it('accept telegrams in another order', () => {
    const [a, b, c, d, e, f, g] = framesOf([1, 2, 3], 2);
    if (!a || !b || !c || !d || !e || !f || !g) throw new Error('there are nine');
    const assembly = new FrameAssembly();
    expect(given(assembly, [a, c, b, d, f, e, g])).toEqual(['1:012+', '2:012+']);
    expect(assembly.losses).toEqual({ telegrams: 0, frames: 0, restarts: 0, outOfOrder: 2, damaged: 0 });
  });

  it('are not affected by a telegram that comes after its frame was complete', () => {
    const [a, b, c, d, e, f] = framesOf([1, 2], 2);
    if (!a || !b || !c || !d || !e || !f) throw new Error('there are six');
    expect(given(new FrameAssembly(), [a, b, d, c, e, f, ...framesOf([3], 2, 7)])).toEqual([
      '1:01-',
      '2:012+',
      '3:012+',
    ]);
  });
});

describe('the number of segments', () => {
  /** Frames whose segments begin at `from` and end at `to`. */
  function ranged(numbers: readonly number[], from: number, to: number, sequence: number, span = 30) {
    return numbers.flatMap((frame) =>
      Array.from({ length: to - from + 1 }, (_, i) =>
        telegramOf({ sequence: sequence++, frame, segment: from + i, span }),
      ),
    );
  }

  it('may begin above 0 and end early, if the angle range is narrow', () => {
    expect(given(new FrameAssembly(), ranged([1, 2, 3, 4], 2, 4, 1))).toEqual([
      '1:234-',
      '2:234+',
      '3:234+',
      '4:234+',
    ]);
  });

  it('may decrease: frames are complete only when the next one begins, until the number is known again', () => {
    const telegrams = [...ranged([1, 2], 0, 3, 1), ...ranged([3, 4, 5], 1, 2, 9)];
    expect(told(new FrameAssembly(), telegrams)).toEqual([
      '',
      '',
      '',
      '',
      '1:0123+',
      '',
      '',
      '2:0123+',
      '',
      '',
      '3:12+',
      '4:12+',
      '',
      '5:12+',
    ]);
  });

  it('may increase: after one frame that ends too early, frames are complete again', () => {
    const telegrams = [...ranged([1, 2], 0, 1, 1), ...ranged([3, 4, 5], 0, 3, 5)];
    expect(given(new FrameAssembly(), telegrams)).toEqual(['1:01+', '2:01+', '3:01+', '4:0123+', '5:0123+']);
  });

  it('is detected from the angles of segments when the profile changes: no frame ends early', () => {
    const telegrams = [...ranged([1, 2], 0, 1, 1, 60), ...ranged([3, 4, 5], 0, 3, 5, 30)];
    expect(given(new FrameAssembly(), telegrams)).toEqual([
      '1:01+',
      '2:01+',
      '3:0123+',
      '4:0123+',
      '5:0123+',
    ]);
  });

  it('is unknown again if the last segment has another resolution', () => {
    const finer = framesOf([3, 4], 1, 5).map((telegram) => ({
      ...telegram,
      modules: telegram.modules.map((module) => ({ ...module, lastAzimuth: [module.firstAzimuth[0] ?? 0] })),
    }));
    expect(told(new FrameAssembly(), [...framesOf([1, 2], 1), ...finer])).toEqual([
      '',
      '',
      '1:01+',
      '2:01+',
      '',
      '',
      '3:01+',
      '4:01+',
    ]);
  });

  it('may be one', () => {
    expect(given(new FrameAssembly(), framesOf([1, 2, 3], 0))).toEqual(['1:0+ 2:0+', '3:0+']);
  });
});

describe('losses', () => {
  const lossesOf = (telegrams: readonly ScanTelegram[]) => {
    const assembly = new FrameAssembly();
    for (const telegram of telegrams) assembly.push(telegram);
    return assembly.losses;
  };
  const none = { telegrams: 0, frames: 0, restarts: 0, outOfOrder: 0, damaged: 0 };

  it('are 0 if nothing is lost, whatever the step of the frame numbers is', () => {
    expect(lossesOf(framesOf([1, 2, 3], 2))).toEqual(none);
    expect(lossesOf(framesOf([5, 10, 15, 20, 21, 22], 2))).toEqual(none);
  });

  it('count whole frames by the step of their numbers', () => {
    const without = framesOf([5, 10, 15, 20], 2).filter(({ modules }) => modules[0]?.frameNumber !== 15);
    expect(lossesOf(without)).toEqual({ ...none, telegrams: 3, frames: 1 });
    const many = framesOf([1, 2, 3, 4, 5, 6], 1).filter(({ sequence }) => sequence < 4 || sequence > 10);
    expect(lossesOf(many)).toEqual({ ...none, telegrams: 7, frames: 3 });
  });

  it('a restart is detected, and the frame that had begun is given incomplete', () => {
    const assembly = new FrameAssembly();
    const before = framesOf([100, 101, 102], 2, 500).slice(0, 8);
    const again = framesOf([1, 2], 2, 1);
    expect(given(assembly, [...before, ...again])).toEqual([
      '100:012+',
      '101:012+',
      '102:01-',
      '1:012+',
      '2:012+',
    ]);
    expect(assembly.losses).toEqual({ ...none, restarts: 1 });
  });

  it('a restart with low counters is detected by the clock that went back', () => {
    const again = framesOf([1, 2], 2).map((telegram) => ({ ...telegram, transmitTime: 90_000_000 }));
    expect(lossesOf([...framesOf([1, 2, 3], 2), ...again])).toEqual({ ...none, restarts: 1, telegrams: 0 });
  });

  it.each([
    ['forwards', 0, 1_800_000_000_000_000],
    ['backwards', 1_800_000_000_000_000, 0],
  ])(
    'are 0 if the clock of the scanner jumps %s, also if telegrams come in another order',
    (_, before, after) => {
      const told = framesOf([1, 2, 3, 4], 2).map((telegram) => ({
        ...telegram,
        transmitTime: telegram.transmitTime + (telegram.sequence <= 6 ? before : after),
      }));
      expect(lossesOf(told)).toEqual(none);
      const [five, six, seven, eight] = told.slice(4, 8);
      if (!five || !six || !seven || !eight) throw new Error('there are twelve');
      const mixed = [...told.slice(0, 4), seven, five, eight, six, ...told.slice(8)];
      expect(lossesOf(mixed)).toEqual({ ...none, outOfOrder: 2 });
    },
  );

  it('frame numbers that go back are a restart', () => {
    expect(lossesOf([...framesOf([8, 9], 2), ...framesOf([1, 2], 2, 7)])).toEqual({ ...none, restarts: 1 });
  });

  it('telegrams with a repeated number are counted as other receivers do', () => {
    const [a, b, c] = framesOf([1], 2);
    if (!a || !b || !c) throw new Error('there are three');
    expect(lossesOf([a, b, b, c])).toEqual({ ...none, telegrams: 1 });
  });

  it('impossible telegrams are counted', () => {
    const empty = { sequence: 1, transmitTime: 1, modules: [] };
    const torn = telegramOf({ sequence: 1, frame: 1, segment: 0, more: { distance: new Float32Array(1) } });
    expect(lossesOf([empty, torn])).toEqual({ ...none, damaged: 2 });
  });

  it('are right with counters above 2^53', () => {
    const losses = lossesOf(
      [2 ** 60, 2 ** 61, 2 ** 63].map((sequence) => telegramOf({ sequence, frame: sequence, segment: 0 })),
    );
    expect(losses.restarts).toBe(0);
    expect(losses.telegrams).toBeGreaterThan(2 ** 62);
  });
});

describe('several senders', () => {
  it('with different serial numbers do not disturb each other', () => {
    const assembly = new FrameAssembly();
    const one = framesOf([1, 2], 1);
    const other = framesOf([501, 502], 1, 9000).map((telegram) => ({
      ...telegram,
      modules: telegram.modules.map((module) => ({ ...module, sender: 25_000_002 })),
    }));
    const mixed = one.flatMap((telegram, i) => [telegram, ...other.slice(i, i + 1)]);
    expect(given(assembly, mixed)).toEqual(['1:01+', '501:01+', '2:01+', '502:01+']);
    expect(assembly.losses.telegrams).toBe(0);
  });

  it('with one serial number are distinguished by their addresses', () => {
    const assembly = new FrameAssembly();
    const frames = framesOf([1, 2], 1).flatMap((telegram) => [
      ...assembly.push(telegram, '10.0.0.1:2115'),
      ...assembly.push(telegram, '10.0.0.2:2115'),
    ]);
    expect(frames.map(({ number, complete }) => [number, complete])).toEqual([
      [1, true],
      [1, true],
      [2, true],
      [2, true],
    ]);
  });

  it('are forgotten if there are too many, the one that has been silent for longest first', () => {
    const assembly = new FrameAssembly();
    for (let sender = 1; sender <= 1000; sender++) {
      assembly.push(telegramOf({ sequence: 1, frame: 1, segment: 0, sender }));
    }
    const left = assembly.flush().map(({ sender }) => sender);
    expect(left).toEqual(Array.from({ length: 32 }, (_, i) => 969 + i));
  });
});

describe('a stream without an end of its frames', () => {
  it('is cut at a limit and not kept in memory', () => {
    const assembly = new FrameAssembly();
    const columns = 10_000;
    const frames = Array.from({ length: 300 }, (_, segment) =>
      assembly.push(telegramOf({ sequence: segment + 1, frame: 1, segment, columns, span: 0 })),
    ).flat();
    expect(frames).toHaveLength(1);
    expect(frames.every(({ complete, beams }) => !complete && beams <= 1_000_000)).toBe(true);
  });

  it('gives the frame that has begun when it is flushed', () => {
    const assembly = new FrameAssembly();
    assembly.push(telegramOf({ sequence: 1, frame: 1, segment: 0 }));
    expect(assembly.flush().map(({ complete, segments }) => [complete, segments])).toEqual([[false, [0]]]);
    expect(assembly.flush()).toEqual([]);
  });
});
