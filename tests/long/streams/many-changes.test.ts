import { StreamAudit } from '@azimuth/test-support/streams/audit';
import { profileOf, segmentSizes } from '@azimuth/test-support/streams/profiles';
import { demandCounted, encoderOf } from '@azimuth/test-support/streams/pulses';
import { UdpReceiver } from '@azimuth/test-support/streams/receiver';
import { room } from '@azimuth/test-support/streams/room';
import { serial, VirtualScanner } from '@azimuth/test-support/streams/virtual-scanner';
import { expect, it } from 'vitest';

/** Numbers below `limit`, the same in every run. */
function random(seed: number) {
  let state = seed;
  return (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

it('after any changes in any order, the stream has only whole telegrams with consecutive numbers', async () => {
  const scene = {
    ...room,
    walls: [{ from: [1, -1], to: [1, 0.5], material: 'glass' }],
    fog: [{ center: [-1, 0], radius: 1, density: 0.2 }],
  };
  const scanner = await VirtualScanner.start({ scene });
  const receiver = await UdpReceiver.open();
  await scanner.send('scan', 'UDP', receiver.port);
  const roll = random(20_260_115);
  const on = () => roll(2) === 1;
  const changes: readonly (() => Promise<void>)[] = [
    () => scanner.profile(1 + roll(11)),
    () => scanner.format(on() ? 'Compact' : 'MSGPACK'),
    () => scanner.write('compactTelegramType1Content', { includeRssi: on(), includeProperties: on() }),
    () => scanner.enable('scan', roll(4) > 0),
    () => scanner.call(roll(4) === 0 ? 'mStopMeasure' : 'mStartMeasure'),
    () => scanner.write('FREchoFilter', roll(3)),
    () => scanner.write('MCSenseLevel', roll(2)),
    () => scanner.write('LFPparticle', { bEnable: on(), uiThreshold: 20 + roll(1000) }),
    () => scanner.write('LFPmovingAveragingFilter', { bEnable: on(), uiAveragingDepth: 2 + roll(3) }),
    () => scanner.write('LFPintervalFilter', { bEnable: on(), uiReductionFactor: 2 + roll(3) }),
    () => scanner.write('EnableLongRangeMode', on()),
    () => scanner.write('SensitivityMode', roll(3)),
    () =>
      scanner.write('LFPangleRangeFilter', {
        ...{ bEnable: on(), fThetaStart: -1_380_000 + roll(1_400_000), fThetaStop: roll(1_380_000) },
        ...{ fPhiStart: -900_000, fPhiStop: 900_000, uiBeamIncrement: 1 + roll(20) },
      }),
    () =>
      scanner.write('LFPradialDistanceRangeFilter', {
        bEnable: on(),
        ulDistMin: roll(3000),
        ulDistMax: roll(9000),
      }),
  ];
  for (let turn = 0; turn < 300; turn += 1) {
    await changes[roll(changes.length)]?.();
    await scanner.pass(roll(150));
  }
  expect(receiver.unread).toBeGreaterThan(300);

  let frame = 0;
  let time = -1;
  let index = -1;
  for (const [at, telegram] of receiver.rest().entries()) {
    const segment = telegram.kind === 'scan' ? telegram.segments[0] : undefined;
    if (segment === undefined) throw new Error(`telegram ${at} is none of scan data`);
    expect(segment.sequence).toBe(at + 1);
    expect(segment.beams).toBeGreaterThan(1);
    expect(segment.firstTime).toBeGreaterThan(time);
    expect(segment.frame).toBeGreaterThanOrEqual(frame);
    expect(segment.index).toBe(segment.frame === frame ? index + 1 : 0);
    ({ frame, index, firstTime: time } = segment);
  }
  expect(scanner.log.errors).toEqual([]);
});

it('the stream continues after a jump of the clock', async () => {
  const scanner = await VirtualScanner.start();
  const scan = await UdpReceiver.open();
  const encoder = await UdpReceiver.open();
  await scanner.write('EncSetting', 4);
  await scanner.send('scan', 'UDP', scan.port);
  await scanner.send('encoder', 'UDP', encoder.port);
  await scanner.pass(500);
  const audit = new StreamAudit({ sender: serial, sizes: segmentSizes(profileOf(2)) });
  audit.add(scan.rest());
  await scanner.control('/clock/advance', { ms: 3_600_000 });
  audit.change();
  await scanner.pass(500);
  const after = scan.rest();
  audit.add(after);
  expect(after.length).toBeGreaterThan(55);
  expect(after.length).toBeLessThan(85);

  const readings = encoderOf(encoder.rest());
  demandCounted(readings, serial);
  expect(readings.length).toBeLessThanOrEqual(26);
  // A tick a millisecond, the hour included.
  for (const { ticks, time } of readings) expect(Math.abs(ticks - time / 1000)).toBeLessThanOrEqual(1);
});
