import { FrameAssembly } from '@azimuth/client';
import {
  decodeTelegram,
  encodeCompactScan,
  encodeMsgpackScan,
  type ScanModule,
  type ScanTelegram,
} from '@azimuth/telegrams';
import { framesOf, telegramOf } from '@azimuth/test-support/scan-telegrams';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

type Facts = Parameters<typeof telegramOf>[0];

/** A telegram of one module for each of these facts. */
function together(...facts: readonly [Facts, ...Facts[]]): ScanTelegram {
  const modules = facts.flatMap((one) => telegramOf(one).modules);
  return { ...telegramOf(facts[0]), modules };
}

/** A module without beams, with any number of echoes. */
const beamless = (echoes: number) => ({
  rows: 0,
  columns: 0,
  echoes,
  distance: new Float32Array(0),
  rssi: new Uint16Array(0),
  properties: new Uint8Array(0),
  firstBeamTime: [],
  lastBeamTime: [],
  elevation: [],
  firstAzimuth: [],
  lastAzimuth: [],
});

/** The decoded form of an encoded telegram. */
function sent(telegram: ScanTelegram): ScanTelegram {
  const decoded = decodeTelegram(encodeCompactScan(telegram));
  if (decoded.kind !== 'scan') throw new Error('a scan was sent');
  return decoded.telegram;
}

const wide = { columns: 30_000, echoes: 1 };
const deep = { columns: 1, echoes: 30_000 };
const none = { telegrams: 0, frames: 0, restarts: 0, outOfOrder: 0, damaged: 0 };

describe('echoes', () => {
  it.each([20_000_000, 4_294_967_295])('of a module without beams take no memory: %i of them', (echoes) => {
    const assembly = new FrameAssembly();
    const at = { sequence: 1, frame: 1, segment: 0 };
    assembly.push(sent(together({ ...at, columns: 10 }, { ...at, more: beamless(echoes) })));
    const [frame] = assembly.push(telegramOf({ sequence: 2, frame: 2, segment: 0 }));
    expect(frame).toMatchObject({ beams: 10, echoes: 1, segments: [0] });
    expect([frame?.distance.length, frame?.rssi?.length]).toEqual([10, 10]);
    expect(assembly.losses).toEqual(none);
  });

  it('that only one beam of a telegram has make the telegram damaged', () => {
    const assembly = new FrameAssembly();
    const at = { sequence: 1, frame: 1, segment: 0 };
    for (const modules of [
      together({ ...at, ...wide }, { ...at, ...deep }),
      together({ ...at, ...deep }, { ...at, ...wide }),
    ]) {
      expect(assembly.push(modules)).toEqual([]);
    }
    expect([assembly.losses, assembly.flush()]).toEqual([{ ...none, damaged: 2 }, []]);
    const after = framesOf([1, 2], 0, 2).flatMap((telegram) => assembly.push(telegram));
    expect(after.map(({ number, beams, complete }) => [number, beams, complete])).toEqual([
      [1, 3, true],
      [2, 3, true],
    ]);
  });

  it.each([
    [wide, deep],
    [deep, wide],
  ])('that only one beam of a frame has cut the frame: %j, %j', (first, second) => {
    const assembly = new FrameAssembly();
    assembly.push(telegramOf({ sequence: 1, frame: 1, segment: 0, ...first }));
    const [frame] = assembly.push(telegramOf({ sequence: 2, frame: 1, segment: 1, ...second }));
    expect(frame).toMatchObject({ beams: first.columns, echoes: first.echoes, complete: false });
    expect(assembly.flush()).toMatchObject([{ beams: second.columns, echoes: second.echoes }]);
  });
});

describe('a frame', () => {
  it('is cut if telegrams without beams continue endlessly', () => {
    const assembly = new FrameAssembly();
    const frames = Array.from({ length: 10_000 }, (_, segment) =>
      assembly.push(
        telegramOf({ sequence: segment + 1, frame: 1, segment, more: { ...beamless(1), rows: 0 } }),
      ),
    ).flat();
    expect(frames).toHaveLength(1);
    expect(frames[0]?.segments.length).toBeLessThan(5000);
  });

  it('does not begin with a telegram with thousands of rows and modules', () => {
    const assembly = new FrameAssembly();
    const rows = { ...beamless(1), rows: 100_000 };
    const at = { sequence: 1, frame: 1, segment: 0 };
    const module: Facts = { ...at, more: beamless(1) };
    expect(assembly.push(telegramOf({ ...at, more: rows }))).toEqual([]);
    expect(assembly.push(together(module, ...Array<Facts>(10_000).fill(module)))).toEqual([]);
    expect([assembly.losses.damaged, assembly.flush()]).toEqual([2, []]);
  });
});

describe('any telegrams', () => {
  const made = new Map<string, ScanModule>();
  function plain(columns: number, echoes: number): ScanModule {
    const known = made.get(`${columns} ${echoes}`);
    const [module] = known
      ? [known]
      : telegramOf({ sequence: 1, frame: 1, segment: 0, columns, echoes }).modules;
    if (module === undefined) throw new Error('there is one');
    made.set(`${columns} ${echoes}`, module);
    return module;
  }

  const odd = fc.oneof(
    fc.constantFrom(0, 1, 2, 255, 65_535, 2 ** 32, 2 ** 53, 2 ** 53 + 2, 2 ** 63, 2 ** 64),
    fc.nat({ max: 5 }),
    fc.nat(),
  );
  const float = fc.float();
  const telegrams: fc.Arbitrary<ScanTelegram> = fc
    .record({
      sequence: odd,
      transmitTime: odd,
      segmentIndex: odd,
      frameNumber: odd,
      sender: fc.nat({ max: 2 ** 31 }),
      shapes: fc.array(
        fc.record({
          columns: fc.constantFrom(0, 1, 3, 700),
          echoes: fc.constantFrom(1, 2, 64, 700),
          firstAzimuth: float,
          lastAzimuth: float,
          scale: float,
        }),
        { minLength: 1, maxLength: 3 },
      ),
    })
    .map(({ sequence, transmitTime, segmentIndex, frameNumber, sender, shapes }) => ({
      sequence,
      transmitTime,
      modules: shapes.map(({ columns, echoes, firstAzimuth, lastAzimuth, scale }): ScanModule => {
        const module = plain(columns, echoes);
        const told = { segmentIndex, frameNumber, sender, scale };
        return { ...module, ...told, firstAzimuth: [firstAzimuth], lastAzimuth: [lastAzimuth] };
      }),
    }));

  it('give frames of limited size and countable losses without an exception', () => {
    fc.assert(
      fc.property(fc.array(telegrams, { minLength: 1, maxLength: 12 }), fc.boolean(), (all, isOne) => {
        const assembly = new FrameAssembly();
        const frames = all.flatMap(({ modules, ...telegram }) =>
          assembly.push({
            ...telegram,
            modules: isOne ? modules.map((module) => ({ ...module, sender: 1 })) : modules,
          }),
        );
        for (const { beams, echoes, distance } of [...frames, ...assembly.flush()]) {
          expect(distance).toHaveLength(beams * echoes);
          expect(beams * (echoes + 1)).toBeLessThanOrEqual(500_000);
        }
        for (const count of Object.values(assembly.losses)) expect(count).toSatisfy(Number.isFinite);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ['Compact', encodeCompactScan],
    ['MSGPACK', encodeMsgpackScan],
  ])('the bounds hold for counters of 64 bits in %s', (_, encode) => {
    const assembly = new FrameAssembly();
    for (const number of [0, 2 ** 53, 2 ** 64 - 2048, 1, 2 ** 53 + 2, 2 ** 63, 2 ** 64 - 2048]) {
      const decoded = decodeTelegram(
        encode(telegramOf({ sequence: number, frame: number, segment: number, transmitTime: 1 })),
      );
      if (decoded.kind !== 'scan') throw new Error('a scan was sent');
      assembly.push(decoded.telegram);
    }
    expect(assembly.losses.restarts).toBe(1);
    for (const count of Object.values(assembly.losses)) expect(count).toSatisfy(Number.isFinite);
  });
});
