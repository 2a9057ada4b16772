import { once } from 'node:events';
import { device as deviceGroup } from '@azimuth/model';
import type { FaultPlan } from '@azimuth/simulation/faults';
import { loadScene, SceneCore } from '@azimuth/simulation/world';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { LegacyWire, textFrame } from '../legacy/legacy-wire.js';
import { UdpReceiver } from '../streams/receivers.js';
import { scan, settled, udp } from '../streams/scanner.js';

const locationName = deviceGroup.members.LocationName;

const faults: FaultPlan['faults'] = [
  { kind: 'stream-loss', probability: 0.1 },
  { kind: 'stream-corrupt', probability: 0.1, bytes: 2 },
  { kind: 'stream-jitter', probability: 0.3, jitter: 30 },
  { kind: 'stream-duplicate', probability: 0.1 },
  { kind: 'http-latency', latency: 50, jitter: 100, endpoint: 'LocationName' },
  { kind: 'http-status', probability: 0.3, endpoint: 'SerialNumber' },
  { kind: 'http-429', probability: 0.3, endpoint: 'SerialNumber' },
  { kind: 'legacy-garble', probability: 0.4 },
  { kind: 'events-reorder', probability: 0.5, wait: 200 },
  { kind: 'device-status', at: 300, for: 100, repeat: 250, probability: 0.7 },
  { kind: 'device-clock-step', at: 400, step: 60_000 },
  { kind: 'scan-swapped', at: 500, for: 300, repeat: 900 },
  { kind: 'range-noise', deviation: 20, probability: 0.5 },
  { kind: 'stamp-jitter', jitter: 3 },
  { kind: 'clock-skew', at: 200, ppm: 300 },
];

interface Run {
  readonly datagrams: readonly string[];
  readonly messages: readonly string[];
  readonly telegrams: string;
  readonly replies: readonly string[];
}

/** Returns the data that clients get from a scanner within 1.5 s of time: equal requests at equal times. */
async function run(seed: number, plan = faults): Promise<Run> {
  const core = new SceneCore({ scene: await loadScene('warehouse-aisle'), seed: 5 });
  const scanner = await TestScanner.start({ core, serial: '4711', faults: { seed, faults: plan } });
  const { device } = scanner.service;
  const receiver = await UdpReceiver.open();
  const wire = await LegacyWire.open(scanner.portA);
  const socket = new WebSocket(`ws://127.0.0.1:${scanner.httpPort}/x/events?names=LocationName,DeviceStatus`);
  const messages: string[] = [];
  socket.on('message', (data) => messages.push(String(data)));
  await once(socket, 'open');
  device.parameters.change((change) => {
    change.set(scan.ScanDataEthSettings, udp(receiver.port));
    change.set(scan.ScanDataEnable, true);
  });
  await settled();
  const replies: string[] = [];
  // In small steps, so that the datagrams fit the buffers of the receiver.
  const pass = async (milliseconds: number) => {
    for (let left = milliseconds; left > 0; left -= 15) {
      scanner.clock.advance(15);
      await settled(3);
    }
  };
  const client = scanner.client();
  const isLatency = (one: { readonly fault: object }) => JSON.stringify(one.fault).includes('http-latency');
  const occasions = () => scanner.faults.list.find(isLatency)?.occasions ?? 0;
  for (let step = 0; step < 10; step++) {
    await pass(150);
    const { httpStatus, text } = await client.get('SerialNumber');
    replies.push(`${httpStatus} ${text}`);
    const before = occasions();
    const late = client.get('LocationName');
    if (plan === faults) await until(() => occasions() > before);
    await pass(150);
    replies.push((await late).text);
    wire.write(textFrame(`sWN LocationName ${step.toString(16)}`));
    wire.write(textFrame('sRN SerialNumber'));
    const length = wire.received.length;
    await until(() => wire.received.filter((byte) => byte === 3).length === 2 * (step + 1));
    expect(wire.received.length).toBeGreaterThan(length);
    device.parameters.change((change) => change.set(locationName, `step ${step}`));
    await settled();
  }
  await pass(300);
  const { text: metrics } = await client.send({ method: 'GET', path: '/metrics' });
  const sent = Number(/^azimuth_telegrams_total\{stream="scan"\} (\d+)$/m.exec(metrics)?.[1]);
  await until(() => receiver.telegrams.length === sent);
  socket.close();
  await once(socket, 'close');
  return {
    datagrams: receiver.telegrams.map((telegram) => telegram.toString('hex')),
    messages,
    telegrams: wire.received.toString('latin1'),
    replies,
  };
}

test('two runs with equal serial numbers, seeds and requests get equal bytes', async () => {
  const first = await run(7);
  expect(first.datagrams.length).toBeGreaterThan(100);
  expect(first.messages.length).toBeGreaterThan(10);
  expect(first.replies.join()).toMatch(/^(?=[\s\S]*429)(?=[\s\S]*"status":3)/);
  const again = await run(7);
  expect(again.replies).toEqual(first.replies);
  expect(again.messages).toEqual(first.messages);
  expect(again.telegrams).toBe(first.telegrams);
  expect(again.datagrams.filter((one, index) => one !== first.datagrams[index])).toEqual([]);
  const other = await run(8);
  expect(other.datagrams).not.toEqual(first.datagrams);
  expect(other.replies).not.toEqual(first.replies);
});

test('a fault more leaves the others as they were', async () => {
  const first = await run(7);
  const more = await run(7, [
    { kind: 'legacy-no-end', at: 60_000 },
    ...faults.slice(0, 4),
    { kind: 'stream-loss', stream: 'imu' },
    ...faults.filter(({ kind }) => /^(scan|range|stamp|clock)-/.test(kind)),
    { kind: 'scan-stuck', at: 60_000 },
  ]);
  expect(more.datagrams).toEqual(first.datagrams);
});
