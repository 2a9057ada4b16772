import type { Scan } from '@azimuth/device';
import type { FaultPlan } from '@azimuth/simulation/faults';
import { decodeTelegram } from '@azimuth/telegrams';
import { describe, expect, test } from 'vitest';
import { UdpReceiver } from '../streams/receivers.js';
import { imu, StreamingScanner, scan, settled, udp } from '../streams/scanner.js';
import { type OutputName, outputs, type ReceivedScan } from './scan-outputs.js';

type Faults = FaultPlan['faults'];

const names = ['Compact', 'MSGPACK', '/x/scan', 'LMDscandata', 'ROS 2'] as const satisfies OutputName[];
/** Outputs with a time of sending. */
const timed = ['Compact', 'MSGPACK', '/x/scan', 'LMDscandata'] as const satisfies OutputName[];

/** µs of a revolution. */
const turn = 1_000_000 / 15;

/** The distance in mm of a beam: it tells the scan and the beam. */
const distanceOf = (number: number, beam: number): number => 1000 + 1000 * (number % 40) + beam;
const scanIn = (distance: number | undefined): number => Math.floor(((distance ?? 0) - 1000) / 1000);

function numberBeams(scan: Scan): Scan {
  for (let beam = 0; beam < scan.geometry.beams; beam++) {
    scan.distance[3 * beam] = distanceOf(scan.number, beam);
  }
  return scan;
}

/** The scans that come through an output in a second, with these faults from the start on. */
async function received(output: OutputName, ...faults: Faults): Promise<readonly ReceivedScan[]> {
  const scanner = await StreamingScanner.start({ faults: { seed: 3, faults } });
  scanner.core.prepared = numberBeams;
  const scans = await outputs[output](scanner);
  await settled();
  await scanner.run(1000);
  await settled();
  const all = scans();
  expect(all.length).toBeGreaterThan(10);
  return all;
}

/** The scans whose echoes are shown. */
const shown = (scans: readonly ReceivedScan[]): number[] =>
  scans.map(({ distances }) => scanIn(distances[400]));

describe.each(names)('over %s', (output) => {
  test('scan-stuck repeats the echoes of the scan before, while times go on', async () => {
    const scans = await received(output, { kind: 'scan-stuck', after: 3 });
    const numbers = shown(scans);
    expect(new Set(numbers.slice(4)).size).toBe(1);
    expect(scans.at(-1)?.distances).toEqual(scans.at(-2)?.distances);
    for (const [index, { stamp }] of scans.entries()) {
      expect(Math.abs(stamp - (scans[0]?.stamp ?? 0) - index * turn)).toBeLessThan(2);
    }
  });

  test('scan-swapped lets the kept scan and the present one alternate', async () => {
    const numbers = shown(await received(output, { kind: 'scan-swapped' }));
    const kept = numbers.filter((number, index) => numbers.indexOf(number) !== index);
    expect(new Set(kept).size).toBe(1);
    const isKept = numbers.map((number) => number === kept[0]);
    expect(isKept.slice(1)).toEqual(isKept.slice(0, -1).map((before) => !before));
  });

  test('scan-rotated moves all echoes to other beams', async () => {
    const [right] = await received(output);
    const by = async (fault: object) =>
      (await received(output, { kind: 'scan-rotated', ...fault }))[0]?.distances;
    const beams = right?.distances ?? [];
    expect(beams).toHaveLength(829);
    expect(await by({ beams: 2 })).toEqual([0, 0, ...beams.slice(0, -2)]);
    expect(await by({ degrees: -1 })).toEqual([...beams.slice(3), 0, 0, 0]);
  });

  test('scan-bias moves and scales all distances', async () => {
    const [right] = await received(output);
    const [wrong] = await received(output, { kind: 'scan-bias', offset: -20, scale: 1.2 });
    expect(wrong?.distances).toEqual(
      right?.distances.map((distance) => expect.closeTo(1.2 * distance - 20, -0.5)),
    );
  });

  test('range-noise has the deviation that is planned', async () => {
    const scans = await received(output, { kind: 'range-noise', deviation: 40 });
    const errors = scans.flatMap(({ distances }) => {
      const number = Math.round((distances.reduce((sum, one) => sum + one, 0) / 829 - 1414) / 1000);
      return distances.map((distance, beam) => distance - distanceOf(number, beam));
    });
    const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
    const variance = errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length;
    expect(Math.abs(mean)).toBeLessThan(3);
    expect(Math.sqrt(variance)).toBeGreaterThan(38);
    expect(Math.sqrt(variance)).toBeLessThan(42);
  });

  test('sector-blind takes the echoes of a range of angles', async () => {
    const [ahead] = await received(output, { kind: 'sector-blind', from: -1, to: 2 });
    const blind = (scan?: ReceivedScan) =>
      (scan?.distances ?? []).flatMap((distance, beam) => (distance === 0 ? [beam] : []));
    // Beam 414 is straight ahead, three beams are 1°.
    expect(blind(ahead)).toEqual([411, 412, 413, 414, 415, 416, 417, 418, 419, 420]);
    const [behind] = await received(output, { kind: 'sector-blind', from: 137, to: -137.5 });
    expect(blind(behind)).toEqual([0, 1, 825, 826, 827, 828]);
  });

  test('stamp-jitter moves the stamps of single scans', async () => {
    const right = await received(output);
    const scans = await received(output, { kind: 'stamp-jitter', jitter: 8 });
    const errors = scans.map(({ stamp }, index) => stamp - (right[index]?.stamp ?? 0));
    expect(new Set(errors).size).toBe(errors.length);
    expect(Math.max(...errors.map(Math.abs))).toBeLessThanOrEqual(8000);
    expect(Math.max(...errors)).toBeGreaterThan(2000);
    expect(Math.min(...errors)).toBeLessThan(-2000);
  });

  test('clock-skew lets the stamps drift', async () => {
    const scans = await received(output, { kind: 'clock-skew', ppm: 5000 });
    const [first] = scans;
    for (const [index, { stamp }] of scans.entries()) {
      expect(Math.abs(stamp - (first?.stamp ?? 0) - index * turn * 1.005)).toBeLessThan(3);
    }
  });
});

describe.each(timed)('over %s', (output) => {
  test('with stamp-jitter, telegrams leave in time and tell the right time of sending', async () => {
    const right = await received(output);
    const scans = await received(output, { kind: 'stamp-jitter', jitter: 8 });
    expect(scans.map(({ sent }) => sent)).toEqual(right.map(({ sent }) => sent));
  });

  test('with clock-skew, the time of sending drifts as the stamps do', async () => {
    const right = await received(output);
    const scans = await received(output, { kind: 'clock-skew', ppm: 5000 });
    for (const [index, { stamp, sent = 0 }] of scans.entries()) {
      const before = right[index];
      const error = sent - (before?.sent ?? 0);
      expect(error).toBeGreaterThan(0.004 * (before?.sent ?? 0));
      expect(Math.abs(error - (stamp - (before?.stamp ?? 0)))).toBeLessThan(0.005 * turn + 2);
    }
  });
});

test('stamps of an output are those of all others: IMU and encoder drift, too', async () => {
  const scanner = await StreamingScanner.start({ faults: { faults: [{ kind: 'clock-skew', ppm: 10_000 }] } });
  const imuReceiver = await UdpReceiver.open();
  const encoderReceiver = await UdpReceiver.open();
  scanner.set(scan.EncSetting, 4);
  scanner.set(imu.ImuDataEthSettings, udp(imuReceiver.port));
  scanner.set(imu.ImuDataEnable, true);
  scanner.set(scan.EncoderDataEthSettings, udp(encoderReceiver.port));
  scanner.set(scan.ActualEncPosition1Enable, true);
  scanner.set(scan.EncoderDataEnable, true);
  await scanner.run(1000);
  await settled();
  for (const { telegrams } of [imuReceiver, encoderReceiver]) {
    const times = telegrams.map((bytes) => {
      const { kind, telegram } = decodeTelegram(bytes);
      return kind === 'scan' ? Number.NaN : telegram.time;
    });
    const nominal = telegrams === imuReceiver.telegrams ? 10_000 : 40_000;
    expect(times.length).toBeGreaterThan(20);
    const passed = (times.at(-1) ?? 0) - (times[0] ?? 0);
    expect(passed / (times.length - 1)).toBeCloseTo(nominal * 1.01, 0);
  }
});

test('a time server sets a skewed clock right, and it drifts again from there', async () => {
  const scanner = await StreamingScanner.start({ faults: { faults: [{ kind: 'clock-skew', ppm: 10_000 }] } });
  const { features } = scanner.testScanner.service.device;
  const scans = await outputs.Compact(scanner);
  await scanner.run(1000);
  features.telegramTime.follow(
    { at: 0, ahead: 5_000_000, rate: 0, isSlewed: false },
    features.measuring.nextScan,
  );
  await scanner.run(1000);
  const errors = scans().map(({ number = 0, stamp }) => {
    const right = (number - 1) * turn;
    return Math.round((stamp - right) % 5_000_000);
  });
  const step = errors.findIndex((error, index) => index > 0 && error < (errors[index - 1] ?? 0));
  expect(errors[step - 1]).toBeGreaterThan(8000);
  expect(errors[step]).toBeLessThan(1000);
  expect(errors.at(-1)).toBeGreaterThan(6000);
});

test('after a fault, and after it is cleared, everything is right', async () => {
  const scanner = await StreamingScanner.start({
    faults: {
      faults: [
        { kind: 'clock-skew', ppm: 50_000, for: 300 },
        { kind: 'scan-bias', first: 2 },
        { kind: 'scan-stuck', at: 400 },
      ],
    },
  });
  scanner.core.prepared = numberBeams;
  const scans = await outputs.Compact(scanner);
  await scanner.run(700);
  const { faults } = scanner.testScanner;
  expect(faults.list.map(({ state }) => state)).toEqual(['over', 'over', 'active']);
  faults.clear();
  await scanner.run(500);
  const last = scans().at(-1);
  expect(last?.stamp).toBe(Math.round(((last?.number ?? 0) - 1) * turn));
  expect(last?.distances[5]).toBe(distanceOf(last?.number ?? 0, 5));
  expect(faults.list).toEqual([]);
});

test('by count and by chance, an occasion is a scan', async () => {
  const scans = await received('Compact', { kind: 'scan-bias', offset: 7, every: 3 });
  const isWrong = scans.map(({ number = 0, distances }) => distances[0] !== distanceOf(number, 0));
  expect(isWrong.slice(0, 6)).toEqual([false, false, true, false, false, true]);
  const chance = await received('Compact', { kind: 'scan-bias', offset: 7, probability: 0.5 });
  const wrong = chance.filter(({ number = 0, distances }) => distances[0] !== distanceOf(number, 0));
  expect(wrong.length).toBeGreaterThan(1);
  expect(wrong.length).toBeLessThan(chance.length - 1);
});

test('several faults happen to one scan: a stuck scan is rotated and moved', async () => {
  const scans = await received(
    'Compact',
    { kind: 'scan-bias', offset: 3 },
    { kind: 'scan-rotated', beams: 1 },
    { kind: 'scan-stuck', after: 1 },
  );
  const number = scans[0]?.number ?? 0;
  for (const { distances } of scans) expect(distances[10]).toBe(distanceOf(number, 9) + 3);
});

test('echoes that are moved too near or too far are lost, and the core has no error', async () => {
  const near = await received('Compact', { kind: 'scan-bias', offset: -60_000 });
  const far = await received('Compact', { kind: 'scan-bias', offset: 70_000 });
  expect(new Set([...near, ...far].flatMap(({ distances }) => distances))).toEqual(new Set([0]));
  const scanner = await StreamingScanner.start({
    faults: {
      faults: [
        { kind: 'scan-bias', offset: 70_000 },
        { kind: 'range-noise', deviation: 10_000 },
      ],
    },
  });
  await outputs.Compact(scanner);
  await scanner.run(1000);
  expect(scanner.lines('error', '')).toEqual([]);
});

test('impossible values of a core are reported as without faults', async () => {
  const scanner = await StreamingScanner.start({ faults: { faults: [{ kind: 'scan-bias', offset: 10 }] } });
  scanner.core.prepared = (one) => {
    one.distance[30] = -5;
    return one;
  };
  await outputs.Compact(scanner);
  await scanner.run(1000);
  expect(
    scanner.lines('error', 'The measuring core passes values that no measurement can have'),
  ).toHaveLength(1);
});

test('TimeStamp of the inertial measurement unit drifts as telegrams do', async () => {
  const scanner = await StreamingScanner.start({ faults: { faults: [{ kind: 'clock-skew', ppm: 50_000 }] } });
  await scanner.run(1000);
  const { device } = scanner.testScanner.service;
  const { TimeStamp } = device.read(imu.InertialMeasurementUnit);
  expect(TimeStamp).toBe(Math.round(scanner.testScanner.clock.monotonic() * 1050));
});

test('a skewed clock drifts from zero again after a boot', async () => {
  const scanner = await StreamingScanner.start({
    faults: { faults: [{ kind: 'clock-skew', at: 500, ppm: 50_000 }] },
  });
  await scanner.run(1000);
  await scanner.reboot();
  const { uptime, telegramTime } = scanner.testScanner.service.device.features;
  const before = uptime.microseconds;
  expect(telegramTime.errorAt(before)).toBe(Math.round(before / 20));
  await scanner.run(400);
  expect(telegramTime.errorAt(uptime.microseconds)).toBe(Math.round(uptime.microseconds / 20));
});

test('a scan of before an earlier fault is not shown again', async () => {
  const scanner = await StreamingScanner.start({ faults: { faults: [{ kind: 'scan-stuck' }] } });
  const { faults } = scanner.testScanner;
  const scans = await outputs.Compact(scanner);
  await scanner.run(300);
  faults.clear();
  scanner.core.distance = 3000;
  await scanner.run(300);
  faults.add({ faults: [{ kind: 'scan-stuck' }] });
  await scanner.run(300);
  const distances = scans().map((one) => one.distances[0]);
  expect(distances.lastIndexOf(2000)).toBeLessThan(distances.indexOf(3000));
  expect(distances.at(-1)).toBe(3000);
});
