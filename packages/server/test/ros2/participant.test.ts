import { createSocket, Socket } from 'node:dgram';
import { once } from 'node:events';
import { builtinEndpoint, entityId } from '@azimuth/telegrams/rtps';
import { firstPort, freeDomain } from '@azimuth/test-support/dds-domain';
import { DdsProgram } from '@azimuth/test-support/dds-program';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  announcementInterval,
  deafTime,
  firstAnnouncements,
  mostPeers,
  peerPorts,
  scanHistory,
  unprovenFactor,
} from '../../src/ros2/limits.js';
import { scan, settled } from '../streams/scanner.js';
import { RosScanner, scanTopic, transforms } from './scanner.js';

test('a participant that never answers gets at most three times the bytes that it sends', async () => {
  const ros = await RosScanner.start();
  const program = await DdsProgram.open(ros.domain, [scanTopic]);
  program.isMute = true;
  for (let count = 0; count < 5; count++) {
    program.announce();
    await ros.scanner.runUntil(() => program.scanner !== undefined);
    await ros.scanner.run(5000);
    expect(program.received.bytes).toBeLessThanOrEqual(unprovenFactor * program.sentBytes);
  }
  expect(program.received.datagrams).toBeGreaterThan(5);
});

test('two scanners in a domain send their announcements, and nothing else', async () => {
  const send = vi.spyOn(Socket.prototype, 'send');
  onTestFinished(() => {
    send.mockRestore();
  });
  const domain = await freeDomain();
  const scanners = [await RosScanner.start({ domain }), await RosScanner.start({ domain })];
  const seconds = 10;
  for (let step = 0; step < seconds * 10; step++) {
    for (const { scanner } of scanners) await scanner.run(100, 50);
  }
  const announcements = firstAnnouncements.length + Math.ceil((seconds * 1000) / announcementInterval);
  expect(send.mock.calls.length).toBeGreaterThan(0);
  // Sends to the multicast group, and to the first ports of this machine.
  expect(send.mock.calls.length).toBeLessThanOrEqual(scanners.length * announcements * (1 + peerPorts));
});

test('a participant that reads no announcements of writers is left alone', async () => {
  const ros = await RosScanner.start();
  const program = await DdsProgram.open(ros.domain, [scanTopic]);
  program.builtinEndpoints &= ~builtinEndpoint.publicationsReader;
  program.announce();
  await ros.scanner.run(1000);
  expect(program.received.datagrams).toBe(0);
  expect((await ros.scanner.metrics()).get('azimuth_ros_participants')).toBe(0);
});

test('a participant that never answers is greeted once a second at most, however often it announces itself', async () => {
  const ros = await RosScanner.start();
  const program = await DdsProgram.open(ros.domain);
  program.isMute = true;
  program.announce();
  await ros.scanner.run(2000);
  const before = program.received.datagrams;
  expect(before).toBeGreaterThan(0);
  for (let count = 0; count < 20; count++) {
    program.announce();
    await ros.scanner.run(100);
  }
  expect(program.received.datagrams - before).toBe(2);
});

test('a participant of another domain tag is in another domain', async () => {
  const ros = await RosScanner.start();
  const program = await DdsProgram.open(ros.domain, [scanTopic]);
  program.announce(20_000, 'other');
  await ros.scanner.run(1000);
  expect(program.received.datagrams).toBe(0);
});

test('the numbers of announcements are different for each participant', async () => {
  const ros = await RosScanner.start();
  const firsts: number[] = [];
  for (let count = 0; count < 3; count++) {
    await ros.program([], (program) => {
      program.loses = (submessage) => {
        const { publicationsWriter } = entityId;
        if (submessage.kind === 'heartbeat' && submessage.writer === publicationsWriter)
          firsts.push(submessage.first);
        return false;
      };
    });
  }
  expect(new Set(firsts).size).toBe(3);
});

test('a reader of a participant that has not shown that it gets messages gets no data', async () => {
  const ros = await RosScanner.start();
  const program = await DdsProgram.open(ros.domain, [scanTopic]);
  // The peer announces its reader, but does not know the numbers of the announcements of the scanner.
  program.loses = ({ kind, ...rest }) =>
    kind === 'heartbeat' && 'writer' in rest && rest.writer === entityId.publicationsWriter;
  program.announce();
  await ros.scanner.runUntil(() => program.scanner !== undefined);
  await ros.scanner.run(2000);
  expect((await ros.scanner.metrics()).get('azimuth_ros_participants')).toBe(1);
  expect((await ros.scanner.metrics()).get('azimuth_ros_readers')).toBe(0);
  expect(program.of(0)).toEqual([]);
  expect(program.received.bytes).toBeLessThanOrEqual(unprovenFactor * program.sentBytes);
  // Nothing is measured for it, either.
  expect(ros.scanner.core.orders).toEqual([]);
});

test('participants that do not answer give way to new ones, and those that do stay', async () => {
  const ros = await RosScanner.start();
  const faithful = await ros.program([scanTopic]);
  for (let count = 0; count < mostPeers + 5; count++) {
    const program = await DdsProgram.open(ros.domain);
    program.isMute = true;
    program.announce();
    await settled(3);
    // The rate of new participants is limited.
    if (count % 10 === 9) await ros.scanner.run(1000);
  }
  await ros.scanner.run(1000);
  expect((await ros.scanner.metrics()).get('azimuth_ros_participants')).toBe(mostPeers);
  const before = faithful.of(0).length;
  await ros.scanner.runUntil(() => faithful.of(0).length >= before + 3);
});

test('a participant whose lease is over is forgotten', async () => {
  const ros = await RosScanner.start();
  const program = await DdsProgram.open(ros.domain, [scanTopic]);
  program.announce(4000);
  await ros.scanner.runUntil(() => program.of(0).length > 0);
  program.isMute = true;
  await ros.scanner.run(8000, 100);
  const metrics = await ros.scanner.metrics();
  expect([metrics.get('azimuth_ros_participants'), metrics.get('azimuth_ros_readers')]).toEqual([0, 0]);
  expect(ros.scanner.core.stops).toBe(1);
});

test('a participant that comes back after its lease, and remembers the scanner, is served again', async () => {
  const ros = await RosScanner.start();
  // The numbers of its announcements are random: below and above those that it remembers.
  for (let count = 0; count < 8; count++) {
    const program = await DdsProgram.open(ros.domain, [scanTopic]);
    for (const lease of [1000, 20_000]) {
      program.announce(lease);
      const before = program.of(0).length;
      await ros.scanner.runUntil(() => program.of(0).length > before);
      program.isMute = true;
      if (lease === 1000) await ros.scanner.run(lease + announcementInterval + 500, 100);
      expect((await ros.scanner.metrics()).get('azimuth_ros_participants')).toBe(lease === 1000 ? 0 : 1);
      program.isMute = false;
    }
    program.leave();
    await settled(3);
  }
});

test('a participant that loses sight of the scanner, which still knows it, is served again', async () => {
  const ros = await RosScanner.start();
  const program = await ros.program([scanTopic]);
  await ros.scanner.runUntil(() => program.of(0).length > 3);
  program.isMute = true;
  await ros.scanner.run(5000, 100);
  program.forgetScanner();
  program.isMute = false;
  program.announce();
  // The peer requests the announcements of the scanner, as a reader that has received nothing.
  await ros.scanner.runUntil(() => program.scanner !== undefined);
  program.acknowledge(1);
  const before = program.of(0).length;
  await ros.scanner.runUntil(() => program.of(0).length > before + 3);
  expect(program.topics).toContain(scanTopic.topic);
});

test('who knows the numbers of a participant cannot direct its data at another address', async () => {
  const ros = await RosScanner.start();
  const program = await ros.program([scanTopic]);
  await ros.scanner.runUntil(() => program.of(0).length > 0);
  const victim = await DdsProgram.open(ros.domain, [scanTopic], program.prefix);
  victim.isMute = true;
  victim.announce();
  await settled(3);
  victim.acknowledge(program.nextAnnouncement);
  await ros.scanner.run(1000);
  expect((await ros.scanner.metrics()).get('azimuth_ros_readers')).toBe(0);
  expect(victim.received.bytes).toBeLessThanOrEqual(unprovenFactor * victim.sentBytes);
  expect(ros.scanner.core.stops).toBe(1);
  // At its own address, it shows again that it gets messages. The scanner responds to its announcement, at the latest
  // to the second one. If the numbers are below those that it remembers, its acknowledgement is ignored, and so are the
  // next ones for a time. They are then accepted at the latest behind the announcement that follows. In the last
  // interval, scans come.
  const before = program.of(0).length;
  for (let time = 0; time <= deafTime + 2 * announcementInterval; time += announcementInterval) {
    program.announce();
    await ros.scanner.run(announcementInterval, 100);
  }
  expect(program.of(0).length).toBeGreaterThan(before);
});

test('a reader that lacks a message which is not kept any more is told so', async () => {
  const ros = await RosScanner.start();
  const program = await ros.program([scanTopic]);
  await ros.scanner.runUntil(() => program.of(0).length >= scanHistory + 3);
  program.request(0, 2);
  await ros.scanner.runUntil(() => program.gaps.length > 0);
  expect(program.gaps).toEqual([2]);
});

test('datagrams that are no messages of RTPS are counted, and nothing else happens', async () => {
  const ros = await RosScanner.start();
  const program = await ros.program([scanTopic]);
  for (const bytes of [[], [1, 2, 3], new Array(40).fill(0x52)]) program.sendBytes(Uint8Array.from(bytes));
  await settled();
  expect((await ros.scanner.metrics()).get('azimuth_ros_ignored_total')).toBe(3);
  const before = program.of(0).length;
  await ros.scanner.runUntil(() => program.of(0).length > before);
});

test('a change of the domain moves the scanner there', async () => {
  const ros = await RosScanner.start();
  const program = await ros.program([transforms]);
  const other = await freeDomain();
  ros.scanner.set(scan.rosDomainId, other);
  await settled();
  expect(program.ended).toBe(1);
  const there = await DdsProgram.open(other, [transforms]);
  there.announce();
  await ros.scanner.runUntil(() => there.of(0).length > 0);
});

test('a change of the namespace renames the topics, and a change of the frame does not', async () => {
  const ros = await RosScanner.start();
  const program = await ros.program([transforms]);
  await ros.scanner.runUntil(() => program.of(0).length === 1);
  ros.scanner.set(scan.rosFrameId, '/laser');
  await ros.scanner.runUntil(() => program.of(0).length === 2);
  expect(program.ended).toBe(0);
  ros.scanner.set(scan.rosNamespace, ' line 2/left/');
  await settled();
  expect(program.ended).toBe(1);
  const again = await ros.program([]);
  await ros.scanner.runUntil(() => again.topics.includes('rt/line_2/left/cloud/all_points'));
  expect(again.topics).toContain('rt/tf_static');
});

test('a reader that asks for more than is offered gets nothing, and the log says why', async () => {
  const ros = await RosScanner.start();
  const program = await ros.program([{ ...scanTopic, isLatched: true }]);
  await ros.scanner.run(500);
  expect(program.of(0)).toEqual([]);
  const [line] = ros.scanner.lines('info', 'A ROS 2 reader asks');
  expect(line?.facts).toMatchObject({ topic: scanTopic.topic, policy: 'durability' });
});

test('a reboot ends the participant, and another one comes back', async () => {
  const ros = await RosScanner.start();
  await ros.scanner.testScanner.service.device.features.saving.storeWorking();
  const program = await ros.program([scanTopic]);
  const before = program.scanner;
  await ros.scanner.reboot();
  expect(program.ended).toBe(1);
  const again = await ros.program([scanTopic]);
  await ros.scanner.runUntil(() => again.of(0).length > 0);
  expect(again.scanner).not.toBe(before);
});

test('a port that others hold is left to them: the scanner takes the next one', async () => {
  const domain = await freeDomain();
  const socket = createSocket('udp4');
  onTestFinished(() => {
    socket.close();
  });
  const listening = once(socket, 'listening');
  socket.bind(firstPort(domain), '127.0.0.1');
  await listening;
  const ros = await RosScanner.start({ domain });
  const [line] = ros.scanner.lines('info', 'ROS 2: the scanner has joined');
  expect(line?.facts).toMatchObject({ domain, port: firstPort(domain) + 2 });
});

test.each([
  ['of Fast DDS, which may remember the scanner, from base 0', '010f', 0],
  ['of others from base 1, as the standard says', '0110', 1],
])('a participant is asked for its readers from the beginning on: %s', async (_, vendor, base) => {
  const ros = await RosScanner.start();
  const program = await DdsProgram.open(ros.domain, [scanTopic], `${vendor}${'5a'.repeat(10)}`);
  const bases: number[] = [];
  program.loses = (submessage) => {
    const asks = submessage.kind === 'ackNack' && submessage.writer === entityId.subscriptionsWriter;
    if (asks) bases.push(submessage.missing.base);
    return false;
  };
  program.announce();
  await ros.scanner.runUntil(() => bases.length > 0);
  expect(bases[0]).toBe(base);
});
