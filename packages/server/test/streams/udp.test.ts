import { createSocket } from 'node:dgram';
import { ethernet } from '@azimuth/model';
import { expect, test } from 'vitest';
import { UdpReceiver } from './receivers.js';
import { imu, StreamingScanner, scan, settled, udp } from './scanner.js';

const failing = 'Scan data: telegrams do not get through';
const working = 'Scan data: telegrams get through again';
const refusals = 'azimuth_telegram_errors_total{stream="scan",reason="refused"}';

/** A port on which no program receives datagrams. */
async function deserted(): Promise<number> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => {
    socket.bind(0, '127.0.0.1', resolve);
  });
  const { port } = socket.address();
  await new Promise<void>((resolve) => {
    socket.close(resolve);
  });
  return port;
}

test('if no receiver listens, sending continues; this is logged once, and again when one does', async () => {
  const scanner = await StreamingScanner.start();
  const port = await deserted();
  scanner.sendScans(port);
  await scanner.run(2000);
  const [line, ...more] = scanner.lines('warn', failing);
  expect(more).toEqual([]);
  expect(line?.facts.destination).toBe(`UDP, 127.0.0.1:${port}`);
  expect(line?.facts.reason).toMatch(/^nobody listens at that port .*ECONNREFUSED/);
  expect((await scanner.metrics()).get(refusals)).toBeGreaterThan(100);
  expect(scanner.lines('info', working)).toEqual([]);

  const receiver = await UdpReceiver.open(port);
  await scanner.runUntil(() => receiver.telegrams.length > 10);
  // The first telegram that comes was not the first that was sent.
  expect(receiver.telegrams[0]?.readBigUInt64LE(8)).toBeGreaterThan(100n);
  await scanner.run(5000);
  expect(scanner.lines('info', working)).toHaveLength(1);
  const count = (await scanner.metrics()).get(refusals);
  await scanner.run(1000);
  expect((await scanner.metrics()).get(refusals)).toBe(count);

  receiver.close();
  await scanner.run(1000);
  expect(scanner.lines('warn', failing)).toHaveLength(2);
  expect(scanner.testScanner.log.errors).toEqual([]);
});

test('a refusal in between does not count as working, and is not logged again', async () => {
  const scanner = await StreamingScanner.start();
  scanner.sendScans(await deserted());
  await scanner.run(20_000, 20);
  expect(scanner.lines('warn', failing)).toHaveLength(1);
  expect(scanner.lines('info', working)).toEqual([]);
});

test('nothing is sent to port 0, which is logged once and counted', async () => {
  const scanner = await StreamingScanner.start();
  scanner.sendScans(0);
  await scanner.run(500);
  expect(scanner.lines('warn', failing).map(({ facts }) => facts.reason)).toEqual(['port 0 cannot be used']);
  expect((await scanner.metrics()).get('azimuth_telegram_errors_total{stream="scan",reason="no_port"}')).toBe(
    1,
  );
  expect((await scanner.metrics()).get('azimuth_stream_down{stream="scan",reason="no_port"}')).toBe(1);
  expect(scanner.core.orders).toEqual([]);
  const receiver = await UdpReceiver.open();
  scanner.set(scan.ScanDataEthSettings, udp(receiver.port));
  await scanner.runUntil(() => receiver.telegrams.length > 0);
  const samples = await scanner.metrics();
  expect([...samples.keys()].filter((name) => name.startsWith('azimuth_stream_down'))).toEqual([]);
});

test('telegrams that the network does not take are dropped and counted', async () => {
  const scanner = await StreamingScanner.start();
  const receiver = await UdpReceiver.open();
  scanner.sendScans(receiver.port);
  await scanner.runUntil(() => receiver.telegrams.length > 0);
  await settled();
  const before = receiver.telegrams.length;
  // Two seconds pass at once: 300 telegrams before the next turn of the event loop.
  scanner.testScanner.clock.advance(2000);
  await scanner.run(200);
  const samples = await scanner.metrics();
  const dropped = samples.get('azimuth_telegram_errors_total{stream="scan",reason="congested"}') ?? 0;
  expect(dropped).toBeGreaterThan(100);
  expect(scanner.lines('warn', failing)).toHaveLength(1);
  // Dropped telegrams are missing in the count, so that a receiver knows.
  const numbers = receiver.telegrams.map((telegram) => Number(telegram.readBigUInt64LE(8)));
  expect(numbers.length).toBeGreaterThan(before + 64);
  expect((numbers.at(-1) ?? 0) - numbers.length).toBe(dropped);
});

test('telegrams can be sent to a multicast group', async () => {
  const scanner = await StreamingScanner.start();
  const receiver = await UdpReceiver.open(0, '0.0.0.0', '239.255.21.15');
  scanner.set(scan.ScanDataEthSettings, udp(receiver.port, [239, 255, 21, 15]));
  scanner.set(scan.ScanDataEnable, true);
  await scanner.runUntil(() => receiver.telegrams.length > 2);
  expect(receiver.senders[0]?.address).toBe('127.0.0.1');
});

test('a broadcast address may be a destination', async () => {
  const scanner = await StreamingScanner.start();
  const receiver = await UdpReceiver.open(0, '0.0.0.0');
  scanner.set(imu.ImuDataEthSettings, udp(receiver.port, [127, 255, 255, 255]));
  scanner.set(imu.ImuDataEnable, true);
  await scanner.runUntil(() => receiver.telegrams.length > 2);
  expect(receiver.senders[0]?.address).toBe('127.0.0.1');
});

function goTo({ testScanner }: StreamingScanner, address: readonly number[]): void {
  const { device } = testScanner.service;
  device.parameters.change((change) => change.set(ethernet.members.EtherIPAddress, address));
  device.features.network.activate();
}

test('a scanner that moves sends from the address that it is at', async () => {
  const scanner = await StreamingScanner.start({ network: { follows: true, address: '127.0.0.9' } });
  goTo(scanner, [127, 0, 0, 2]);
  const receiver = await UdpReceiver.open();
  scanner.sendScans(receiver.port);
  await scanner.runUntil(() => receiver.telegrams.length > 2);
  expect(receiver.senders[0]?.address).toBe('127.0.0.2');
  await settled();
  const before = receiver.telegrams.length;
  goTo(scanner, [127, 0, 0, 5]);
  await scanner.runUntil(() => receiver.telegrams.length > before);
  expect(receiver.senders[before]?.address).toBe('127.0.0.5');
  expect(receiver.telegrams[before]?.readBigUInt64LE(8)).toBe(BigInt(before + 1));
});

test('if this machine does not have the address, the system chooses the address to send from', async () => {
  const scanner = await StreamingScanner.start({ network: { follows: true, address: '127.0.0.9' } });
  goTo(scanner, [192, 0, 2, 77]);
  const receiver = await UdpReceiver.open();
  scanner.sendScans(receiver.port);
  await scanner.runUntil(() => receiver.telegrams.length > 2);
  expect(receiver.senders[0]?.address).toBe('127.0.0.1');
});

test('a scanner without an address sends nothing until DHCP offers one', async () => {
  const scanner = await StreamingScanner.start({ network: { follows: true, address: '127.0.0.9' } });
  const receiver = await UdpReceiver.open();
  scanner.sendScans(receiver.port);
  const {
    parameters,
    features: { network },
  } = scanner.testScanner.service.device;
  parameters.change((change) =>
    change.set(ethernet.members.EtherAddressingMode, 1).set(ethernet.members.EtherDHCPFallback, 1),
  );
  network.activate();
  expect(network.reachable.source).toBe('none');
  await settled();
  const before = receiver.telegrams.length;
  await scanner.run(500);
  expect(receiver.telegrams).toHaveLength(before);
  scanner.testScanner.hardware.offerLease({
    address: [127, 0, 0, 6],
    mask: [255, 0, 0, 0],
    gateway: [0, 0, 0, 0],
  });
  await scanner.runUntil(() => receiver.telegrams.length > before);
  expect(receiver.senders[before]?.address).toBe('127.0.0.6');
});

test('without rebind, the system chooses the address to send from', async () => {
  const scanner = await StreamingScanner.start({ network: { address: '127.0.0.3' } });
  goTo(scanner, [127, 0, 0, 2]);
  const receiver = await UdpReceiver.open();
  scanner.sendScans(receiver.port);
  await scanner.runUntil(() => receiver.telegrams.length > 2);
  expect(receiver.senders[0]?.address).toBe('127.0.0.1');
});
