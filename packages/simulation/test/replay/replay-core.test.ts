import type { MeasuringOrder, Scan } from '@azimuth/device';
import { VirtualClock } from '@azimuth/device';
import { sectorCount } from '@azimuth/model';
import { RecordingError } from '@azimuth/telegrams';
import { describe, expect, test } from 'vitest';
import { ReplayCore, ReplayError, type ReplayOptions } from '../../src/replay/index.js';
import {
  compact,
  distanceOf,
  imu,
  msgpack,
  type Piece,
  received,
  recordingOf,
  segment,
  small,
  turn,
} from './recordings.js';

interface PlayedScan {
  readonly number: number;
  readonly time: number;
  readonly distance: readonly number[];
}

/** A scanner that plays a recording: its clock begins at 0, its revolutions with number 1. */
class Player {
  readonly clock = new VirtualClock(0);
  readonly seen: PlayedScan[] = [];
  readonly core: ReplayCore;

  constructor(pieces: readonly Piece[], options?: ReplayOptions) {
    this.core = new ReplayCore(recordingOf(...pieces), options);
  }

  start(origin = { number: 1, time: 0 }): void {
    this.core.start(this.#order(origin), (scan) => {
      this.seen.push(nearestEchoes(scan));
    });
  }

  #order(origin: MeasuringOrder['origin']): MeasuringOrder {
    const geometry = { frequency: 50, firstAngle: -138, step: 0.25, beams: 1105, beamsPerSegment: 240 };
    const { clock } = this;
    const now = () => clock.utc() * 1000;
    return { geometry, sensitivity: 0, longRange: false, origin, now, bootedAt: 0, clock };
  }
}

/** The nearest echo of each beam. */
function nearestEchoes({ number, time, distance }: Scan): PlayedScan {
  return { number, time: Math.round(time), distance: [...distance].filter((_, place) => place % 3 === 0) };
}

/** All beams of a recorded turn. */
function beamsOf(recorded: number): number[] {
  return Array.from({ length: small.beams }, (_, beam) => distanceOf(recorded, beam));
}

const three = [...turn(0), ...turn(1), ...turn(2)];

describe('a recording that is played', () => {
  test('has its beams and its scan frequency', () => {
    const { core } = new Player(three);
    expect(core.geometry).toEqual({ frequency: 10, firstAngle: -3, step: 1, beams: 8, beamsPerSegment: 3 });
    expect(core.scans).toBe(3);
    expect(core.scanTelegrams).toBe(9);
  });

  test.each([
    ['forwards', 1_800_000_000_000_000],
    ['a little forwards', 12_345],
    ['a little backwards', -12_345],
  ])('is played at its rate if the clock of the scanner jumped %s meanwhile', (_, jump) => {
    const later = (number: number) =>
      [0, 1, 2].map((index) => {
        const { firstBeamTime, lastBeamTime } = segment(number, index);
        const times = {
          firstBeamTime: Array.from(firstBeamTime, (time) => time + jump),
          lastBeamTime: Array.from(lastBeamTime, (time) => time + jump),
        };
        return compact(segment(number, index, times), received + 100_000 * number);
      });
    const many = [...turn(0), ...turn(1), ...later(2), ...later(3)];
    expect(new Player(many).core.geometry.frequency).toBe(10);
  });

  test('is played repeatedly at its rate, with the numbers and times of the scanner that plays it', () => {
    const player = new Player(three);
    player.start();
    player.clock.advance(450);
    expect(player.seen).toEqual([
      { number: 1, time: 0, distance: beamsOf(0) },
      { number: 2, time: 100_000, distance: beamsOf(1) },
      { number: 3, time: 200_000, distance: beamsOf(2) },
      { number: 4, time: 300_000, distance: beamsOf(0) },
      { number: 5, time: 400_000, distance: beamsOf(1) },
    ]);
  });

  test('ends after its last turn if it is not repeated', () => {
    const player = new Player(three, { loop: false });
    player.start();
    player.clock.advance(10_000);
    expect(player.seen.map(({ number }) => number)).toEqual([1, 2, 3]);
    player.start();
    player.clock.advance(10_000);
    expect(player.seen.length).toBe(3);
  });

  test('can be played faster or slower', () => {
    const player = new Player(three, { speed: 2.5 });
    expect(player.core.geometry.frequency).toBe(25);
    player.start();
    player.clock.advance(90);
    expect(player.seen.map(({ time }) => time)).toEqual([0, 40_000, 80_000]);
    expect(() => new Player(three, { speed: 0 })).toThrow(
      new RangeError('expected a speed from 0.01 to 100, got 0'),
    );
  });

  test('continues at the right turn after a pause in measuring', () => {
    const player = new Player(three);
    player.start();
    player.clock.advance(150);
    player.core.stop();
    player.clock.advance(1000);
    expect(player.seen.length).toBe(2);
    player.start();
    player.clock.advance(100);
    // 1150 ms: scans 0 and 1 were played, 12 is the next one.
    expect(player.seen.slice(2)).toEqual([{ number: 13, time: 1_200_000, distance: beamsOf(0) }]);
    player.start({ number: 20, time: 1_300_000 });
    player.clock.advance(100);
    expect(player.seen.slice(3)).toEqual([{ number: 20, time: 1_300_000, distance: beamsOf(19 % 3) }]);
  });

  test('hands over nothing after it was stopped', () => {
    const player = new Player(three);
    player.start();
    player.core.stop();
    player.clock.advance(1000);
    expect(player.seen).toEqual([]);
  });
});

describe('what is kept of a beam', () => {
  /** Returns the first three beams of the scan made from a module. */
  function played(pieces: readonly Piece[]) {
    const player = new Player(pieces);
    const scans: { distance: number[]; rssi: number[]; flags: number[] }[] = [];
    player.core.start(
      {
        geometry: player.core.geometry,
        sensitivity: 0,
        longRange: false,
        origin: { number: 0, time: 0 },
        now: () => player.clock.utc() * 1000,
        bootedAt: 0,
        clock: player.clock,
      },
      ({ distance, rssi, flags }) => {
        scans.push({ distance: [...distance], rssi: [...rssi], flags: [...flags] });
      },
    );
    player.clock.advance(50);
    return scans[0];
  }

  const echoes = segment(0, 0, {
    columns: 2,
    echoes: 3,
    lastAzimuth: [(-2 * Math.PI) / 180],
    distance: Float32Array.of(100, 200, 300, 0, 500, 0),
    rssi: Uint16Array.of(1, 2, 3, 4, 5, 6),
    properties: Uint8Array.of(0x01 | 0x40, 0x01),
  });

  test.each([
    ['Compact', compact],
    ['MSGPACK', msgpack],
  ])('are three echoes, their strength, reflector and blooming: %s', (_, make) => {
    expect(played([make(echoes)])).toEqual({
      // The second beam has one echo, in the second place of the recording.
      distance: [100, 200, 300, 500, 0, 0],
      rssi: [1, 2, 3, 5, 0, 0],
      flags: [0, 2, 1, 1, 0, 0],
    });
  });

  test.each([
    ['Compact', compact],
    ['MSGPACK', msgpack],
  ])('have the reflector where their strengths say: %s', (_, make) => {
    const rssi = Uint16Array.of(65_278, 2, 3, 0, 65_278, 0);
    expect(played([make({ ...echoes, rssi })])?.flags).toEqual([1, 2, 0, 1, 0, 0]);
  });

  test('are three echoes of four', () => {
    const four = segment(0, 0, {
      columns: 2,
      echoes: 4,
      lastAzimuth: [(-2 * Math.PI) / 180],
      distance: Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8),
      rssi: new Uint16Array(8),
    });
    const { properties, ...without } = four;
    expect(properties).toBeDefined();
    expect(played([compact({ ...without, properties: new Uint8Array(2) })])?.distance).toEqual([
      1, 2, 3, 5, 6, 7,
    ]);
  });

  test('is the row nearest to the horizontal', () => {
    const rows = segment(0, 0, {
      rows: 3,
      columns: 2,
      elevation: [0.2, -0.01, 0.1],
      firstBeamTime: [1, 2, 3],
      lastBeamTime: [1001, 1002, 1003],
      firstAzimuth: [0, 0, 0],
      lastAzimuth: [Math.PI / 180, Math.PI / 180, Math.PI / 180],
      distance: Float32Array.of(11, 12, 13, 21, 22, 23),
      rssi: new Uint16Array(6),
      properties: new Uint8Array(6),
    });
    expect(played([compact(rows)])?.distance).toEqual([12, 0, 0, 22, 0, 0]);
    expect(played([msgpack(rows)])?.distance).toEqual([12, 0, 0, 22, 0, 0]);
  });

  test('is at its angle, also if the mirror turned the other way', () => {
    const back = segment(0, 0, {
      firstAzimuth: [(-1 * Math.PI) / 180],
      lastAzimuth: [(-3 * Math.PI) / 180],
      distance: Float32Array.of(1, 2, 3),
    });
    expect(played([compact(back)])?.distance.filter((_, place) => place % 3 === 0)).toEqual([3, 2, 1]);
  });
});

describe('a recording of an angle range', () => {
  test.each([
    ['at the end', [1, 2], -0],
    ['in the middle', [1], -0],
    ['at the beginning', [0, 1], -3],
  ])('plays the segments %s, which are all that there are', (_, indices, first) => {
    const player = new Player([0, 1, 2].flatMap((number) => turn(number, indices)));
    expect(player.core.scans).toBe(3);
    expect(player.core.geometry.firstAngle).toBeCloseTo(first);
    expect(player.core.geometry.frequency).toBe(small.frequency);
    player.start();
    player.clock.advance(150);
    const beams = indices.flatMap((index) => [0, 1, 2].map((beam) => 3 * index + beam));
    const there = beams.filter((beam) => beam < small.beams).map((beam) => distanceOf(1, beam));
    expect(player.seen[1]?.distance).toEqual(there);
  });

  test('keeps zeros for a segment in between that the scanner leaves out', () => {
    const player = new Player([0, 1, 2].flatMap((number) => turn(number, [0, 2])));
    player.start();
    player.clock.advance(50);
    expect(player.seen[0]?.distance).toEqual(beamsOf(0).map((mm, beam) => (beam >= 3 && beam < 6 ? 0 : mm)));
  });
});

describe('a recording with gaps', () => {
  test('keeps zeros where a segment was lost', () => {
    const player = new Player([...turn(0), ...turn(1, [0, 2]), ...turn(2)]);
    player.start();
    player.clock.advance(150);
    expect(player.seen[1]?.distance).toEqual(beamsOf(1).map((mm, beam) => (beam >= 3 && beam < 6 ? 0 : mm)));
  });

  test('begins and ends with a whole turn', () => {
    const { core } = new Player([...turn(0, [1, 2]), ...turn(1), ...turn(2), ...turn(3, [0])]);
    expect(core.scans).toBe(2);
  });

  test('is played if every turn has lost something else', () => {
    const pieces = [...turn(0, [2]), ...turn(1, [0, 1]), ...turn(2, [1, 2]), ...turn(3, [0])];
    expect(new Player(pieces).core.scans).toBe(2);
  });

  test('accepts telegrams that came twice, or after the next turn began', () => {
    const [a, b, c] = turn(0);
    const [d, e, f] = turn(1);
    const pieces = [a, a, b, d, c, e, f, e].flatMap((piece) => piece ?? []);
    const player = new Player(pieces);
    expect(player.core.scans).toBe(2);
    player.start();
    player.clock.advance(150);
    expect(player.seen.map(({ distance }) => distance)).toEqual([beamsOf(0), beamsOf(1)]);
  });

  test('plays the first of two scanners and skips damaged telegrams', () => {
    const other = compact(segment(0, 0, { sender: 43 }));
    const broken = { ...other, telegram: other.telegram.slice(0, 50) };
    const { core } = new Player([...turn(0), other, broken]);
    expect([core.scanTelegrams, core.unused]).toEqual([3, 2]);
  });
});

describe('the scan frequency', () => {
  const at = (module: ReturnType<typeof segment>, time: number, when?: number) =>
    compact({ ...module, firstBeamTime: [time], lastBeamTime: [time] }, when);

  test('follows from the times of scans, and is rounded if it is nearly a whole number of Hz', () => {
    const pieces = [0, 1, 2, 3].flatMap((number) => [
      at(segment(number, 0), 1000 + number * 66_500),
      ...turn(number, [1, 2]),
    ]);
    expect(new Player(pieces).core.geometry.frequency).toBe(15);
  });

  test('follows from the times of reception if the scanner sent no times', () => {
    const pieces = [0, 1, 2].flatMap((number) =>
      [0, 1, 2].map((index) => at(segment(number, index), 0, received + number * 40_000)),
    );
    expect(new Player(pieces).core.geometry.frequency).toBe(25);
  });

  test('follows from the times of beams if there is one turn', () => {
    // 1000 µs from degree to degree: 360 ms for a revolution.
    expect(new Player(turn(0)).core.geometry.frequency).toBeCloseTo(1 / 0.36, 6);
  });

  test('is required: a recording without it is refused', () => {
    expect(() => new Player([0, 1, 2].map((index) => at(segment(0, index), 0, received)))).toThrow(
      'the times of the recording do not show the scan rate',
    );
  });
});

describe('motion', () => {
  const moving = [
    ...turn(0),
    imu(received, 1),
    imu(received + 60_000, 2),
    ...turn(1),
    imu(received + 100_000, 3),
    ...turn(2),
  ];

  test('is the one that was recorded with the turn that is played', () => {
    const { core, ...player } = new Player(moving);
    const x = (time: number) => core.motion(time).acceleration[0];
    expect(x(0)).toBe(1);
    const replay = new Player(moving);
    replay.start();
    const played = (time: number) => replay.core.motion(time).acceleration[0];
    // The first telegram of a scan was received 2 ms after its first beam.
    expect([0, 57_000, 59_000, 97_000, 150_000, 250_000, 300_000, 359_000].map(played)).toEqual([
      1, 1, 2, 2, 3, 3, 1, 2,
    ]);
    expect(replay.core.motion(0)).toEqual({
      acceleration: [1, 0, 9.5],
      angularVelocity: [0, 0.5, 0],
      orientation: [1, 0, 0, 0],
    });
    expect(player.seen).toEqual([]);
  });

  test('is faster at a higher speed', () => {
    const player = new Player(moving, { speed: 2 });
    player.start();
    const x = (time: number) => player.core.motion(time).acceleration[0];
    expect([28_000, 30_000, 48_000, 51_000].map(x)).toEqual([1, 2, 2, 3]);
  });

  test('is rest if none was recorded', () => {
    expect(new Player(three).core.motion(1)).toEqual({
      acceleration: [0, 0, 9.81],
      angularVelocity: [0, 0, 0],
      orientation: [1, 0, 0, 0],
    });
  });
});

describe('a file that cannot be played', () => {
  test.each([
    [
      'nothing',
      [],
      'the recording holds no scan: no telegram of Compact or MSGPACK that can be played, 0 that cannot',
    ],
    ['motions alone', [imu(1, 1)], 'the recording holds no scan'],
    [
      'segments in the middle of a scan',
      [2, 3, 4].map((index) => compact(segment(0, 1, { segmentIndex: index }))),
      'the recording holds no complete scan: 3 telegrams, segments 2, 3, 4 of frame 160',
    ],
    [
      'halves of scans',
      [...turn(0, [1, 2]), ...turn(1, [0])],
      'the recording holds no complete scan: 3 telegrams, segments 0, 1, 2 of frames 160, 161',
    ],
    [
      'a segment that is missing in the only scan',
      turn(0, [0, 2]),
      'the recording holds no complete scan: 2 telegrams, segments 0, 2 of frame 160',
    ],
    [
      'scans of which none has all segments',
      [...turn(0, [1]), ...turn(1, [2]), ...turn(2, [1])],
      'the recording holds no complete scan',
    ],
    [
      'beams that change',
      [...turn(0), ...[0, 1, 2].map((index) => compact(segment(1, index, { lastAzimuth: [1] })))],
      /^the angle between beams changes in the recording: 1° in frame 160, .*° in frame 161\. Cut the recording there$/,
    ],
    [
      'beams in one place',
      [compact(segment(0, 0, { lastAzimuth: segment(0, 0).firstAzimuth }))],
      'the angle between two beams cannot be determined: 0° in the segment with most beams, 0.01° at least',
    ],
    [
      'more than a revolution',
      [0, 7].map((from, index) =>
        compact(segment(0, 0, { segmentIndex: index, firstAzimuth: [from], lastAzimuth: [from + 1] })),
      ),
      /^the beams of the recording cover \d+°, but a revolution has 360°$/,
    ],
  ])('is refused: %s', (_, pieces, message) => {
    expect(() => new Player(pieces)).toThrow(message);
    expect(() => new Player(pieces)).toThrow(ReplayError);
  });

  test('is refused if it is not a recording', () => {
    expect(() => new ReplayCore(Buffer.from('no recording'))).toThrow(RecordingError);
  });
});

describe('what is played', () => {
  /** A player that returns complete scans. */
  function playerOfCompleteScans(pieces: readonly Piece[], options?: ReplayOptions) {
    const player = new Player(pieces, options);
    const strengths: number[][] = [];
    player.core.start(orderOf(player), ({ rssi }) => {
      strengths.push([...rssi].filter((_, place) => place % 3 === 0));
    });
    return { player, strengths };
  }

  function orderOf({ clock }: Player): MeasuringOrder {
    const geometry = { frequency: 50, firstAngle: -138, step: 0.25, beams: 1105, beamsPerSegment: 240 };
    const origin = { number: 1, time: 0 };
    const now = () => clock.monotonic() * 1000;
    return { geometry, sensitivity: 1, longRange: false, origin, now, bootedAt: 0, clock };
  }

  const bright = [0, 1, 2].flatMap((number) =>
    turn(number, [0, 1, 2], (module) =>
      compact({ ...module, rssi: new Uint16Array(module.columns).fill(20_000) }),
    ),
  );

  test('is weakened by dirt on the simulated front screen, again and again by the same', () => {
    let share = 0.5;
    const dirt = { contamination: () => Array.from({ length: sectorCount }, () => share) };
    const { player, strengths } = playerOfCompleteScans(bright, { dirt });
    player.clock.advance(250);
    expect(strengths).toEqual([0, 1, 2].map(() => Array.from({ length: small.beams }, () => 5000)));
    share = 0;
    player.clock.advance(100);
    expect(strengths.at(-1)).toEqual(Array.from({ length: small.beams }, () => 20_000));
  });

  test('is nothing where telegrams cannot carry the distance', () => {
    const far = segment(0, 0, { scale: 2, distance: Float32Array.of(65_534, 65_536, 100_000) });
    const player = new Player([compact(far), ...turn(0, [1, 2]), ...turn(1)]);
    player.start();
    player.clock.advance(10);
    expect(player.seen[0]?.distance.slice(0, 3)).toEqual([65_534, 0, 0]);
  });

  test('has an end, which is no fault, unless it begins again', () => {
    const [once, again] = [new Player(three, { loop: false }), new Player(three)];
    for (const player of [once, again]) {
      expect(player.core.finished).toBe(false);
      player.start();
      player.clock.advance(1000);
    }
    expect([once.core.finished, again.core.finished]).toEqual([true, false]);
    expect(once.core.frequency).toBe(10);
  });
});
