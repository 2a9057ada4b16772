import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { decodeLaserScan } from '@azimuth/telegrams/ros2';
import { firstPort, freeDomain } from '@azimuth/test-support/dds-domain';
import { DdsProgram } from '@azimuth/test-support/dds-program';
import { Health } from '@azimuth/test-support/health';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { SeededRandom } from '@azimuth/test-support/seeded-random';
import { Setup } from '@azimuth/test-support/streams/virtual-scanner';
import { until } from '@azimuth/test-support/waiting';
import { expect, onTestFinished, test } from 'vitest';
import { env, extentOf, mostGrowth } from './fuzz-run.js';
import { ros2Input } from './ros2-input.js';

const extent = extentOf({ inputs: 20_000, seconds: 120 });
const { seed, inputs, seconds, again } = extent;

const laserScan = { topic: 'rt/scan/all_points_echo0', type: 'sensor_msgs::msg::dds_::LaserScan_' };
const inputsOfRound = 200;

async function socketAt(address: string, port = 0): Promise<Socket> {
  const socket = createSocket('udp4');
  const listening = once(socket, 'listening');
  socket.bind(port, address);
  await listening;
  onTestFinished(() => {
    socket.close();
  });
  return socket;
}

test(
  `${inputs} hostile datagrams at the ROS 2 port (seed ${seed}): the scanner publishes on, and floods nobody`,
  async () => {
    const scanner = await new ScannerFolder().start([], { env });
    const health = new Health(scanner);
    const setup = new Setup(scanner.client());
    const domain = await freeDomain();
    await setup.write('rosDomainId', domain);
    await setup.write('ScanDataFormat', 4);
    await setup.write('ScanDataEnable', true);

    const program = await DdsProgram.open(domain, [laserScan]);
    program.announce();
    await until(() => program.of(0).length > 0);
    // All have the same port, so that the answers to each are heard, wherever they go.
    const first = await socketAt('127.0.3.1');
    const { port } = first.address();
    const others = ['127.0.3.2', '127.0.3.3', '127.0.3.4', '127.0.4.1'];
    const attackers = [first, ...(await Promise.all(others.map((address) => socketAt(address, port))))];
    const victim = { address: '127.0.4.1', port };
    let heard = 0;
    let largest = 0;
    for (const socket of attackers) {
      socket.on('message', (datagram) => {
        heard += datagram.length;
        largest = Math.max(largest, datagram.length);
      });
    }
    const files = health.openFiles;
    const end = performance.now() + seconds * 1000;
    let sent = 0;
    let bytes = 0;
    for (let round = 0; sent < inputs && performance.now() < end; round += 1) {
      const random = new SeededRandom(`${seed}/${round}`);
      try {
        const senders = Array.from({ length: 4 }, () => random.bytes(12).toString('hex'));
        const known = { senders, scanner: program.scanner ?? '', victim, domain };
        for (let count = 0; count < inputsOfRound; count += 1) {
          const datagram = ros2Input(random, known);
          await new Promise((resolve) => {
            random.pick(attackers).send(datagram, firstPort(domain), '127.0.0.1', resolve);
          });
          sent += 1;
          bytes += datagram.length;
        }
        // The program is not disturbed, for only its prefix would be known to those that hear its messages.
        program.announce();
        const before = program.of(0).length;
        await until(() => program.of(0).length > before);
        health.check();
      } catch (error) {
        throw new Error(`${again}: round ${round}\n${scanner.log.slice(-2000)}`, { cause: error });
      }
    }
    console.log(`${again}: ${sent} inputs, ${bytes} bytes, ${heard} bytes back`);
    console.log(`memory ${health.memory.slice(-10).map(Math.round).join(' ')} MB`);
    // The run proves nothing unless some announcements are accepted.
    expect(heard, again).toBeGreaterThan(1000);
    expect(heard, again).toBeLessThan(bytes);
    // Whoever does not answer gets no scans, which have thousands of bytes.
    expect(largest, again).toBeLessThan(1000);
    expect(decodeLaserScan(program.of(0).at(-1) ?? Buffer.of()).ranges.length).toBeGreaterThan(100);
    await until(() => health.openFiles <= files + 3);
    expect(health.growth, `${again} ${health.memory.map(Math.round).join(' ')}`).toBeLessThan(mostGrowth);
    expect(await scanner.client().value('DeviceStatus')).toBe(3);
  },
  seconds * 1000 + 120_000,
);
