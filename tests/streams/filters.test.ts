import { StreamAudit } from '@azimuth/test-support/streams/audit';
import { type Beam, beamAt, frameNow, framesOver } from '@azimuth/test-support/streams/frames';
import { UdpReceiver } from '@azimuth/test-support/streams/receiver';
import { room, stillRoom, toNearest } from '@azimuth/test-support/streams/room';
import { serial, VirtualScanner } from '@azimuth/test-support/streams/virtual-scanner';
import { describe, expect, it } from 'vitest';

const still = { enabled: false };
const wallAhead = { from: [5, -20], to: [5, 20] };

/** A scanner in a scene whose scans arrive at a receiver in this process. */
async function watch(scene: object, format: 'MSGPACK' | 'Compact' = 'MSGPACK') {
  const scanner = await VirtualScanner.start({ scene });
  await scanner.format(format);
  const receiver = await UdpReceiver.open();
  await scanner.send('scan', 'UDP', receiver.port);
  return { scanner, receiver, look: () => frameNow(scanner, receiver) };
}

/** Distances of the echoes of a beam, to a tenth of a millimetre. */
const seen = ({ distance }: Beam) => distance.map((one) => Math.round(one * 10) / 10);

describe('the fog filter', () => {
  const foggy = { walls: [wallAhead], fog: [{ center: [0, 0], radius: 4, density: 0.3 }], noise: still };
  const apparent = (distance: number, rssi: number) => (rssi * (1 + (distance / 10_000) ** 2)) / 65_535;

  it('removes near and weak echoes, keeps the others, and can be switched off', async () => {
    const off = await watch(foggy);
    const on = await watch(foggy);
    await on.scanner.write('MCSenseLevel', 1);
    const plain = await off.look();
    const filtered = await on.look();
    expect(filtered.number).toBe(plain.number);
    let taken = 0;
    for (const [index, { distance, rssi }] of plain.beams.entries()) {
      const isFog = (one: number, echo: number) => one < 3000 && apparent(one, rssi[echo] ?? 0) < 0.02;
      const kept = distance.filter((one, echo) => one > 0 && !isFog(one, echo));
      taken += distance.filter((one) => one > 0).length - kept.length;
      expect(filtered.beams[index]?.distance.filter((one) => one > 0)).toEqual(kept);
      expect(filtered.beams[index]?.distance).toHaveLength(3);
    }
    expect(taken).toBeGreaterThan(100);

    await on.scanner.write('MCSenseLevel', 0);
    expect((await on.look()).beams).toEqual((await off.look()).beams);
  });
});

describe('the particle filter', () => {
  // A grain that flies by, 2 m ahead: one beam sees it, and in each scan it is another one.
  const flight = {
    waypoints: [
      { t: 0, x: 2, y: -3 },
      { t: 0.31, x: 2, y: 3 },
    ],
    repeat: 'loop',
  };
  const scene = {
    walls: [wallAhead],
    actors: [{ name: 'grain', circles: [{ center: [0, 0], radius: 0.005 }], path: flight }],
    noise: still,
  };
  /** Whether a beam sees something in front of the wall. */
  const isBefore = ({ angle, distance: [nearest = 0] }: Beam) =>
    nearest > 0 && nearest * Math.cos((angle * Math.PI) / 180) < 4990;

  it('shows the wall in the place of what only one beam sees in only one scan', async () => {
    const { scanner, receiver } = await watch(scene);
    const before = (await framesOver(scanner, receiver, 1000)).flatMap(({ beams }) => beams.filter(isBefore));
    expect(before.length).toBeGreaterThan(3);

    await scanner.write('LFPparticle', { bEnable: true, uiThreshold: 500 });
    await scanner.pass(200);
    const frames = await framesOver(scanner, receiver, 1000);
    expect(frames.flatMap(({ beams }) => beams.filter(isBefore))).toEqual([]);
    const walls = frames.map(
      ({ beams }) => beams.filter(({ distance: [nearest = 0] }) => nearest > 0).length,
    );
    expect(new Set(walls).size).toBe(1);

    // Now the wall, 3 m behind, is near enough to the grain.
    await scanner.write('LFPparticle', { bEnable: true, uiThreshold: 5000 });
    await scanner.pass(200);
    const after = (await framesOver(scanner, receiver, 1000)).flatMap(({ beams }) => beams.filter(isBefore));
    expect(after.length).toBeGreaterThan(3);
  });

  it('keeps what stays where it is, even if only one beam sees it', async () => {
    const { scanner, look } = await watch({
      walls: [wallAhead],
      circles: [{ center: [2, 0], radius: 0.005 }],
      noise: still,
    });
    await scanner.write('LFPparticle', { bEnable: true, uiThreshold: 500 });
    await scanner.pass(200);
    expect(seen(beamAt(await look(), 0))).toEqual([1995, 0, 0]);
  });
});

describe('the moving average', () => {
  it('gives each result the number of the first scan that went in, and the time of the last', async () => {
    const { scanner, receiver } = await watch(stillRoom);
    /** How many turns the time of each scan is ahead of its number. */
    const ahead = async () =>
      (await framesOver(scanner, receiver, 600)).map(({ number, segments: [first] }) => {
        return Math.round((first?.firstTime ?? 0) / 66_667) - number;
      });
    const [before = 0] = await ahead();
    await scanner.write('LFPmovingAveragingFilter', { bEnable: true, uiAveragingDepth: 4 });
    await scanner.pass(300);
    expect(new Set(await ahead())).toEqual(new Set([before + 3]));
  });

  it('lowers the spread by the root of its depth', async () => {
    const { scanner, receiver } = await watch({ ...room, circles: [] });

    /** Deviation of all beams from where the walls are, in deviations of a single measurement. */
    async function spread(): Promise<number> {
      await scanner.pass(300);
      let squares = 0;
      let count = 0;
      for (const { beams } of await framesOver(scanner, receiver, 600)) {
        for (const { angle, distance, rssi } of beams) {
          const [measured = 0] = distance;
          const direction = (angle * Math.PI) / 180;
          // Towards the post that this room has not.
          if (measured === 0 || (angle > 20 && angle < 33)) continue;
          squares += ((measured - toNearest(direction)) / (6 * Math.sqrt(1 + 2000 / (rssi[0] ?? 1)))) ** 2;
          count += 1;
        }
      }
      expect(count).toBeGreaterThan(3000);
      return Math.sqrt(squares / count);
    }

    expect(await spread()).toBeCloseTo(1, 1);
    for (const depth of [2, 4]) {
      await scanner.write('LFPmovingAveragingFilter', { bEnable: true, uiAveragingDepth: depth });
      expect(await spread()).toBeCloseTo(1 / Math.sqrt(depth), 1);
    }
    await scanner.write('LFPmovingAveragingFilter', { bEnable: false, uiAveragingDepth: 3 });
    expect(await spread()).toBeCloseTo(1, 1);
  });
});

describe('the echo filter', () => {
  const shopWindow = {
    walls: [wallAhead, { from: [2, -3], to: [2, 3], material: 'glass' }],
    noise: still,
  };

  it('keeps the first or the last echo behind glass, one for each beam', async () => {
    const { scanner, look } = await watch(shopWindow);
    expect(seen(beamAt(await look(), 0))).toEqual([2000, 5000, 0]);
    await scanner.write('FREchoFilter', 0);
    expect(seen(beamAt(await look(), 0))).toEqual([2000]);
    await scanner.write('FREchoFilter', 2);
    expect(seen(beamAt(await look(), 0))).toEqual([5000]);
    // Beside the pane, there is but one.
    expect(seen(beamAt(await look(), 60))).toEqual([10_000]);
    await scanner.write('FREchoFilter', 1);
    expect(seen(beamAt(await look(), 0))).toEqual([2000, 5000, 0]);
  });

  it('does the same in Compact', async () => {
    const { scanner, look } = await watch(shopWindow, 'Compact');
    await scanner.write('FREchoFilter', 2);
    const frame = await look();
    expect(seen(beamAt(frame, 0))).toEqual([5000]);
    expect(frame.segments.map(({ bytes }) => bytes)).toEqual([
      ...Array(9).fill(32 + 72 + 90 * 7 + 4),
      32 + 72 + 19 * 7 + 4,
    ]);
  });

  it('runs before the radial distance filter: no other echo replaces a removed one', async () => {
    const { scanner, look } = await watch(shopWindow);
    await scanner.write('LFPradialDistanceRangeFilter', {
      bEnable: true,
      ulDistMin: 2500,
      ulDistMax: 200_000,
    });
    expect(seen(beamAt(await look(), 0))).toEqual([5000, 0, 0]);
    await scanner.write('FREchoFilter', 0);
    expect(seen(beamAt(await look(), 0))).toEqual([0]);
  });
});

describe('regions of interest', () => {
  it('keep what is between two radii', async () => {
    const { scanner, look } = await watch(stillRoom);
    const before = await look();
    await scanner.write('LFPradialDistanceRangeFilter', { bEnable: true, ulDistMin: 2500, ulDistMax: 4000 });
    const within = await look();
    expect(within.beams).toHaveLength(829);
    let kept = 0;
    for (const [index, { distance }] of before.beams.entries()) {
      const [nearest = 0] = distance;
      if (Math.abs(nearest - 2500) < 0.01 || Math.abs(nearest - 4000) < 0.01) continue;
      const stays = nearest > 2500 && nearest < 4000;
      if (stays) kept += 1;
      const beam = within.beams[index];
      expect(beam?.distance[0]).toBe(stays ? nearest : 0);
      if (!stays) expect(beam).toMatchObject({ rssi: [0, 0, 0], properties: [0, 0, 0] });
    }
    expect(kept).toBeGreaterThan(100);
    await scanner.write('LFPradialDistanceRangeFilter', { bEnable: false, ulDistMin: 0, ulDistMax: 200_000 });
    expect((await look()).beams).toEqual(before.beams);
  });

  const box = { bEnable: true, lXMin: 0, lXMax: 4000, lYMin: -1500, lYMax: 1500, lZMin: 5, lZMax: -5 };

  it.each([
    ['as it is delivered', {}],
    ['elsewhere, turned and looking down', { x: 500, y: -300, z: 400, yaw: 300_000, pitch: 200_000 }],
  ])('keep what is in a box around the scanner, with the scanner mounted %s', async (_, position) => {
    const { scanner, look } = await watch(stillRoom);
    const before = await look();
    await scanner.write('SensorPosition', { x: 0, y: 0, z: 0, yaw: 0, pitch: 0, roll: 0, ...position });
    await scanner.write('LFPcubicareafilter', box);
    const within = await look();
    let kept = 0;
    for (const [index, { angle, distance }] of before.beams.entries()) {
      const [nearest = 0] = distance;
      const direction = (angle * Math.PI) / 180;
      const [x, y] = [nearest * Math.cos(direction), nearest * Math.sin(direction)];
      const depth = Math.min(x - box.lXMin, box.lXMax - x, y - box.lYMin, box.lYMax - y);
      // Too close to a side to be told by the angle in a telegram.
      if (Math.abs(depth) < 0.05) continue;
      if (depth > 0) kept += 1;
      expect(within.beams[index]?.distance[0], `${angle}°, ${nearest} mm`).toBe(depth > 0 ? nearest : 0);
    }
    expect(kept).toBeGreaterThan(20);
    expect(kept).toBeLessThan(780);
    await scanner.write('LFPcubicareafilter', { ...box, bEnable: false });
    expect((await look()).beams).toEqual(before.beams);
  });
});

describe('data reduction', () => {
  const range = {
    bEnable: true,
    fThetaStart: -100_000,
    fThetaStop: 350_000,
    fPhiStart: -900_000,
    fPhiStop: 900_000,
  };

  it.each([
    { increment: 1, sizes: [90, 90], step: 1 / 3 },
    { increment: 7, sizes: [13, 13], step: 7 / 3 },
    { increment: 20, sizes: [5, 5], step: 20 / 3 },
  ])('shows a range of angles, every beam of $increment', async ({ increment, sizes, step }) => {
    const { scanner, receiver, look } = await watch(stillRoom, 'Compact');
    await scanner.write('LFPangleRangeFilter', { ...range, uiBeamIncrement: increment });
    const frame = await look();
    // -18° to 12° and 12° to 42° are the fifth and the sixth segment of a whole scan.
    expect(frame.segments.map(({ index, beams }) => [index, beams])).toEqual(
      sizes.map((beams, index) => [index, beams]),
    );
    for (const [index, { angle, distance }] of frame.beams.entries()) {
      const [first = 0] = sizes;
      const expected = index < first ? -18 + index * step : 12 + (index - first) * step;
      expect(Math.abs(angle - expected)).toBeLessThan(0.011);
      const isShown = expected > -10.001 && expected < 35.001;
      expect((distance[0] ?? 0) > 0, `${expected}°`).toBe(isShown);
    }
    await scanner.pass(500);
    const telegrams = receiver.rest();
    const [begin] = telegrams;
    if (begin?.kind !== 'scan') throw new Error('no scan');
    const whole = telegrams.slice(begin.segments[0]?.index === 0 ? 0 : 1);
    const [first] = whole;
    const before = first?.kind === 'scan' ? (first.segments[0]?.sequence ?? 0) - 1 : 0;
    const audit = new StreamAudit({ sender: serial, sizes }, before);
    audit.add(whole);
    expect(audit.frames).toBeGreaterThanOrEqual(6);

    await scanner.write('LFPangleRangeFilter', { ...range, bEnable: false, uiBeamIncrement: 1 });
    expect((await look()).beams.filter(({ distance: [nearest = 0] }) => nearest > 0)).toHaveLength(829);
  });
});

describe('the long range', () => {
  it('sees 80 m ahead, with 2 mm a count', async () => {
    const far = { walls: [{ from: [80, -20], to: [80, 20], material: 'white' }], noise: still };
    const { scanner, look } = await watch(far, 'Compact');
    expect(seen(beamAt(await look(), 0))).toEqual([0, 0, 0]);
    await scanner.write('EnableLongRangeMode', true);
    await scanner.pass(100);
    const frame = await look();
    expect(seen(beamAt(frame, 0))).toEqual([80_000, 0, 0]);
    expect(frame.segments[0]?.scale).toBe(2);
  });
});
