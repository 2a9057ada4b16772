import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type Client, dataOf } from '@azimuth/test-support/client';
import { expectData, expectDone } from '@azimuth/test-support/envelope';
import { Health } from '@azimuth/test-support/health';
import { object } from '@azimuth/test-support/json';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { openSocket } from '@azimuth/test-support/subscriber';
import { until } from '@azimuth/test-support/waiting';
import type { WebSocketClient } from '@azimuth/test-support/web-socket';
import { expect, test } from 'vitest';

const minutes = Number(process.env.AZIMUTH_SOAK_MINUTES ?? 2);
const subscribers = 5;
const requests = 50;
const telegramsPerRound = 50;
const roundsPerReboot = 5;
/** More than this (MB) from one part of the run to the next is a leak. */
const mostGrowth = 32;
/** Answers may take so much longer in the end: the machine may have become busier meanwhile. */
const mostSlowdown = 2;
/** Answers below this (ms) are quick, whatever they were before. */
const quick = 2;

/** Counts the datagrams that come, and keeps none. */
async function countingReceiver() {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  let count = 0;
  socket.on('message', () => {
    count++;
  });
  return { port: socket.address().port, come: () => count, close: () => socket.close() };
}

async function isTold(socket: WebSocketClient, name: string, value: unknown): Promise<void> {
  for (;;) {
    const { changed } = object(await socket.nextJson(10_000));
    if (object(changed)[name] === value) return;
  }
}

/** Milliseconds that a read takes, the median of some. */
async function latencyOf(client: Client): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < requests; count++) {
    const begin = performance.now();
    expect(await client.value('DeviceStatus')).toBe(3);
    times.push(performance.now() - begin);
  }
  return median(times);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** The second quarter of a run, and the last one: in the first one a process warms up. */
function quartersOf(values: readonly number[]): readonly [number, number] {
  const quarter = Math.floor(values.length / 4);
  return [median(values.slice(quarter, 2 * quarter)), median(values.slice(-quarter))];
}

test(
  `streams, events, saves and reboots for ${minutes} min: memory, open files and answers stay as they were`,
  async () => {
    const scanner = await new ScannerFolder().start();
    const port = Number(scanner.httpPort);
    const health = new Health(scanner);
    const scan = await countingReceiver();
    const setup = scanner.client();
    const destination = { Protocol: 1, IPAddress: [127, 0, 0, 1], Port: scan.port };
    expectDone(await setup.write('ScanDataEthSettings', destination));
    expectDone(await setup.write('ScanDataEnable', true));
    const files: number[] = [];
    const latencies: number[] = [];
    const end = performance.now() + minutes * 60_000;
    for (let round = 0; performance.now() < end || files.length < 8; round++) {
      const client = scanner.client({ keepAlive: true });
      const sockets = await Promise.all(
        Array.from({ length: subscribers }, () => openSocket(port, { path: '/x/events' })),
      );
      for (let turn = 0; turn < roundsPerReboot; turn++) {
        const name = `Gate ${round}/${turn}`;
        expectDone(await client.write('LocationName', name));
        await Promise.all(sockets.map((socket) => isTold(socket, 'LocationName', name)));
        const before = scan.come();
        await until(() => scan.come() >= before + telegramsPerRound, 10_000);
        latencies.push(await latencyOf(client));
        expectData(await client.call('WriteEeprom'), { Success: true });
        health.check();
      }
      for (const socket of sockets) socket.destroy();
      client.close();
      await until(async () => {
        const { text } = await setup.send({ method: 'GET', path: '/metrics' });
        return /^azimuth_event_connections 0$/m.test(text);
      });
      await scanner.throughReboot(() => setup.call('SoftReset', { ProcessorNbr: 0 }));
      const stored = dataOf(await setup.send({ method: 'GET', path: '/x/stored' }));
      expect(stored.LocationName).toBe(`Gate ${round}/${roundsPerReboot - 1}`);
      files.push(health.openFiles);
    }
    scan.close();
    const [latencyBefore, latency] = quartersOf(latencies);
    const [filesBefore, filesAfter] = quartersOf(files);
    console.log(
      `${files.length} reboots, ${latencies.length} saves; answers ${latencyBefore.toFixed(2)} then ${latency.toFixed(2)} ms; ` +
        `files ${filesBefore} then ${filesAfter}; memory ${Math.min(...health.memory).toFixed(0)} to ` +
        `${Math.max(...health.memory).toFixed(0)} MB, grown by ${health.growth.toFixed(1)} MB`,
    );
    expect(health.growth, health.memory.map(Math.round).join(' ')).toBeLessThan(mostGrowth);
    expect(filesAfter, files.join(' ')).toBeLessThanOrEqual(filesBefore + 2);
    expect(latency).toBeLessThan(Math.max(quick, mostSlowdown * latencyBefore));
  },
  minutes * 60_000 + 180_000,
);
