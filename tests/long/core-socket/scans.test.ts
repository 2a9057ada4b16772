import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CoreClient } from '@azimuth/test-support/core-client';
import { Health } from '@azimuth/test-support/health';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { StreamAudit } from '@azimuth/test-support/streams/audit';
import { profileOf, segmentSizes } from '@azimuth/test-support/streams/profiles';
import { decodeTelegram } from '@azimuth/test-support/streams/telegram';
import { Setup } from '@azimuth/test-support/streams/virtual-scanner';
import { until } from '@azimuth/test-support/waiting';
import { expect, onTestFinished, test } from 'vitest';

const minutes = Number(process.env.AZIMUTH_CORE_SOCKET_MINUTES ?? 0.5);
const profile = profileOf(8);
const period = 1e9 / profile.rate;
/** ns from one beam to the next. */
const beamTime = period / 360 / profile.beamsPerDegree;
/** More than this (MB) from one part of the run to the next is a leak. */
const mostGrowth = 32;

/** Checks each datagram, and keeps none. */
async function auditedReceiver() {
  // This process also measures: a scan that it sends late leaves late.
  const audit = new StreamAudit({ sender: 23_450_001, sizes: segmentSizes(profile), latest: 10_000_000 });
  let problem: unknown;
  const socket = createSocket('udp4', (bytes) => {
    try {
      audit.add([decodeTelegram(bytes)]);
    } catch (error) {
      problem ??= error;
    }
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  socket.setRecvBufferSize(4 * 2 ** 20);
  onTestFinished(() => void socket.close());
  return { audit, port: socket.address().port, problem: () => problem };
}

test(
  `50 scans a second of a core in another process for ${minutes} min: no segment is lost, and memory stays the same`,
  async () => {
    const folder = new ScannerFolder();
    const address = join(folder.folder, 'core.sock');
    const scanner = await folder.start(['--serial', '23450001', '--core-socket', address]);
    // Beside other tests, this process may not run for a while: then its core is silent, and late, but nothing is lost.
    const health = new Health(scanner, (message) => message === 'The measuring core is silent');
    const core = await CoreClient.connect(address);
    const setup = new Setup(scanner.client());
    await setup.profile(profile.number);
    const { audit, port, problem } = await auditedReceiver();
    await setup.send('scan', 'UDP', port);
    await core.order();

    const begin = core.now;
    const rounds = Math.ceil((minutes * 60_000_000_000) / period);
    const everySecond = profile.rate;
    for (let turn = 0; turn < rounds && problem() === undefined; turn += 1) {
      for (let first = 0; first < profile.beams; first += profile.beamsPerSegment) {
        const count = Math.min(profile.beamsPerSegment, profile.beams - first);
        const time = begin + BigInt(Math.round(turn * period + first * beamTime));
        const wait = Number(time - core.now) / 1e6 + (count * beamTime) / 1e6;
        // If this process was delayed, it also receives what it caused before it sends more.
        await pause(Math.max(0, wait));
        core.segment(turn, first, count, { time, distance: 1000 + (turn % 1000) });
      }
      if (turn % everySecond === 0) health.check();
    }
    await until(() => audit.frames === rounds || problem() !== undefined);
    expect(problem()).toBeUndefined();
    expect(audit.frames).toBe(rounds);
    expect(health.growth, health.memory.map(Math.round).join(' ')).toBeLessThan(mostGrowth);
    const exit = await scanner.stop();
    expect(exit.code, exit.log).toBe(0);
  },
  minutes * 60_000 + 120_000,
);
