import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CoreClient } from '@azimuth/test-support/core-client';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { imuOf } from '@azimuth/test-support/streams/pulses';
import { UdpReceiver } from '@azimuth/test-support/streams/receiver';
import { Setup } from '@azimuth/test-support/streams/virtual-scanner';
import { until } from '@azimuth/test-support/waiting';
import { expect, onTestFinished, test } from 'vitest';

const works = 3;
const fails = 7;

async function scanning(plan?: object) {
  const folder = new ScannerFolder();
  const address = join(folder.folder, 'core.sock');
  const file = join(folder.folder, 'plan.json');
  if (plan !== undefined) writeFileSync(file, JSON.stringify(plan));
  const simulated = plan === undefined ? [] : ['--synchronised', '--faults', file];
  const scanner = await folder.start(['--core-socket', address, ...simulated]);
  const setup = new Setup(scanner.client());
  const receiver = await UdpReceiver.open();
  await setup.send('scan', 'UDP', receiver.port);
  const status = (wanted: number) => until(async () => (await setup.status()) === wanted);
  return { address, scanner, setup, receiver, status };
}

/** Measures a wall at the ordered rate, in real time. */
function measure(core: CoreClient, distance = 2000): { distance: number } {
  const wall = { distance };
  let scan = 0;
  let begin = core.now;
  let order = 0;
  const timer = setInterval(() => {
    const { number, beams, beamsPerSegment, frequency } = core.current;
    if (number !== order) {
      order = number;
      begin = core.now;
      scan = 0;
    }
    const period = BigInt(Math.round(1e9 / frequency));
    for (; begin + BigInt(scan + 1) * period <= core.now; scan += 1) {
      const time = begin + BigInt(scan) * period;
      for (let first = 0; first < beams; first += beamsPerSegment)
        core.segment(scan, first, Math.min(beamsPerSegment, beams - first), { ...wall, time });
    }
  }, 5);
  onTestFinished(() => clearInterval(timer));
  return wall;
}

test('a scanner whose core is not there says so, and measures when it comes', async () => {
  const { address, scanner, receiver, status } = await scanning();
  await status(fails);
  await until(() => scanner.log.includes(`"reason":"Error: no core is connected at ${address}"`));
  expect(receiver.unread).toBe(0);
  const core = await CoreClient.connect(address);
  await core.order();
  measure(core);
  await status(works);
  await receiver.next(20);
});

test('another profile is another order: the core measures by it, and its scans arrive', async () => {
  const { address, setup, receiver } = await scanning();
  const core = await CoreClient.connect(address);
  const first = await core.order();
  expect(first).toMatchObject({ beams: 829, beamsPerSegment: 90, frequency: 15, firstAngle: -138 });
  measure(core);
  await receiver.next(20);
  await setup.profile(8);
  await until(() => core.current.beams === 1105);
  expect(core.current).toMatchObject({ beamsPerSegment: 240, frequency: 50, step: 0.25 });
  expect(core.stops).toEqual([first.number]);
  await receiver.find(
    'a segment of the other profile',
    (one) => one.kind === 'scan' && one.segments[0]?.beams === 240,
  );
  await setup.enable('scan', false);
  await until(() => core.stops.length === 2);
});

test('planned faults of scans act on the scans of a connected core, and its stamps are UTC from the first on', async () => {
  const { address, receiver } = await scanning({ faults: [{ kind: 'scan-bias', offset: 500 }] });
  const core = await CoreClient.connect(address);
  await core.order();
  measure(core);
  const [first] = await receiver.next(1);
  if (first?.kind !== 'scan') throw new Error('scan data expected');
  const [segment] = first.segments;
  expect(new Set(segment?.distance.map(([nearest]) => nearest))).toEqual(new Set([2500]));
  expect(Math.abs((segment?.firstTime ?? 0) / 1000 - Date.now())).toBeLessThan(10_000);
});

test('an error that the core reports is DeviceStatus 7 until it works again', async () => {
  const { address, scanner, status } = await scanning();
  const core = await CoreClient.connect(address);
  await core.order();
  measure(core);
  await status(works);
  core.status(true, 'laser too hot');
  await status(fails);
  await until(() =>
    scanner.log.includes('"reason":"laser too hot","msg":"The measuring core reports an error"'),
  );
  core.status(false, '');
  await status(works);
});

test('distances that are no numbers are DeviceStatus 7 until they are', async () => {
  const { address, scanner, status } = await scanning();
  const core = await CoreClient.connect(address);
  await core.order();
  const wall = measure(core);
  await status(works);
  wall.distance = Number.NaN;
  await status(fails);
  await until(() => scanner.log.includes('The measuring core passes values that no measurement can have'));
  wall.distance = 2000;
  await status(works);
});

test('the motion of the core is that of IMU telegrams', async () => {
  const { address, setup, status } = await scanning();
  const core = await CoreClient.connect(address, { capabilities: 1 });
  await core.order();
  measure(core);
  const timer = setInterval(() => core.motion([1, 2, 9.5, 0.25, 0, 0, 1, 0, 0, 0]), 20);
  onTestFinished(() => clearInterval(timer));
  await status(works);
  const imu = await UdpReceiver.open();
  await setup.send('imu', 'UDP', imu.port);
  const [motion] = imuOf(await imu.next(1));
  expect(motion).toMatchObject({ acceleration: [1, 2, 9.5], angularVelocity: [0.25, 0, 0] });
});
