import { freePort } from '@azimuth/test-support/free-port';
import { serviceSession } from '@azimuth/test-support/legacy/scanner';
import { encoderOf, imuOf } from '@azimuth/test-support/streams/pulses';
import { TcpReceiver, UdpReceiver } from '@azimuth/test-support/streams/receiver';
import { Setup, VirtualScanner } from '@azimuth/test-support/streams/virtual-scanner';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { describe, expect, it } from 'vitest';

/** A scanner as it is started: what a stream needs is loaded when the first one is switched on. */
async function started() {
  const testScanner = await TestScanner.start();
  return { testScanner, setup: new Setup(testScanner.client()) };
}

const udp = (Port: number) => ({ Protocol: 1, IPAddress: [127, 0, 0, 1], Port });

describe('once the write that switches a stream on is answered, time brings its telegrams at once', () => {
  it('of scan data', async () => {
    const { testScanner, setup } = await started();
    const receiver = await UdpReceiver.open();
    await setup.send('scan', 'UDP', receiver.port);
    testScanner.clock.advance(100);
    const telegrams = await receiver.next(10);
    const segments = telegrams.flatMap((telegram) => (telegram.kind === 'scan' ? telegram.segments : []));
    expect(segments.map(({ sequence, frame, index }) => [sequence, frame, index])).toEqual(
      Array.from({ length: 10 }, (_, index) => [index + 1, 1, index]),
    );
    expect(segments[0]?.firstTime).toBe(0);
  });

  it('of the IMU and the encoder', async () => {
    const { testScanner, setup } = await started();
    const [imu, encoder] = [await UdpReceiver.open(), await UdpReceiver.open()];
    await setup.send('imu', 'UDP', imu.port);
    await setup.send('encoder', 'UDP', encoder.port);
    testScanner.clock.advance(100);
    expect(imuOf(await imu.next(10)).map(({ time }) => time)).toEqual(
      Array.from({ length: 10 }, (_, index) => 10_000 * (index + 1)),
    );
    expect(encoderOf(await encoder.next(2)).map(({ sequence }) => sequence)).toEqual([1, 2]);
  });

  it('of scan data, over the legacy protocol', async () => {
    const { testScanner, setup } = await started();
    const receiver = await UdpReceiver.open();
    await setup.write('ScanDataEthSettings', udp(receiver.port));
    const session = await serviceSession({ A: testScanner.portA, B: testScanner.portB }, 'B');
    await session.write('ScanDataEnable', 'boolean', true);
    testScanner.clock.advance(100);
    const [first] = await receiver.next(10);
    expect(first?.kind === 'scan' && first.segments[0]).toMatchObject({ sequence: 1, frame: 1, index: 0 });
  });

  it('at another destination', async () => {
    const { testScanner, setup } = await started();
    const [one, other] = [await UdpReceiver.open(), await UdpReceiver.open()];
    await setup.send('encoder', 'UDP', one.port);
    testScanner.clock.advance(40);
    await one.next(1);
    await setup.write('EncoderDataEthSettings', udp(other.port));
    testScanner.clock.advance(40);
    expect(encoderOf(await other.next(1)).map(({ sequence }) => sequence)).toEqual([2]);
  });
});

it('a client can connect once the write that switches a stream over TCP on is answered', async () => {
  const { setup } = await started();
  const port = await freePort();
  await setup.send('scan', 'TCP', port);
  await TcpReceiver.open(port);
  await expect.poll(() => setup.clients()).toBe(1);
});

it('the write is answered even if the measuring core never starts', async () => {
  const testScanner = await TestScanner.start({ core: () => new Promise(() => undefined) });
  const setup = new Setup(testScanner.client());
  const receiver = await UdpReceiver.open();
  await setup.send('scan', 'UDP', receiver.port);
  expect(await setup.client.value('ScanDataEnable')).toBe(true);
});

/** All bytes that a scanner sends in its first second. */
async function bytesWith(seed: number): Promise<string> {
  const scanner = await VirtualScanner.start({ seed });
  const receiver = await UdpReceiver.open();
  await scanner.send('scan', 'UDP', receiver.port);
  await scanner.send('imu', 'UDP', receiver.port);
  await scanner.send('encoder', 'UDP', receiver.port);
  await scanner.pass(1000);
  const telegrams = await receiver.next(149 + 100 + 25);
  return Buffer.concat(telegrams.map(({ bytes }) => bytes)).toString('hex');
}

it('sends byte for byte the same with the same seed, something else with another', async () => {
  const first = await bytesWith(7);
  expect(await bytesWith(7)).toBe(first);
  expect(await bytesWith(8)).not.toBe(first);
});
