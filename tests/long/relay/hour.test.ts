import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { encodeCompactScan, TelegramSplitter } from '@azimuth/telegrams';
import { freePort, freeUdpPort } from '@azimuth/test-support/free-port';
import { growthOf } from '@azimuth/test-support/growth';
import { telegramOf } from '@azimuth/test-support/scan-telegrams';
import { until } from '@azimuth/test-support/waiting';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';

const minutes = Number(process.env.AZIMUTH_RELAY_MINUTES ?? 0.05);
/** Telegrams a second. */
const rate = 250;
/** More than this (MB) from one part of the run to the next is a leak. */
const mostGrowth = 32;
const host = '127.0.0.1';
const command = fileURLToPath(new URL('../../../packages/cli/bin/azimuth.js', import.meta.url));
/** Offset of the number of a telegram. */
const numberAt = 8;

/** Checks that numbers rise by one, and keeps no telegram. */
class Program {
  last = 0;
  readonly missed: string[] = [];

  add(telegram: Uint8Array): void {
    const number = Number(Buffer.from(telegram).readBigUInt64LE(numberAt));
    if (number !== this.last + 1) this.missed.push(`${number} after ${this.last}`);
    this.last = number;
  }
}

async function startRelay(words: readonly string[]): Promise<ChildProcess> {
  const relay = spawn(process.execPath, [command, 'relay', '--host', host, ...words], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void relay.kill('SIGKILL'));
  const lines: string[] = [];
  for await (const line of createInterface(relay.stderr)) {
    lines.push(line);
    if (line.includes('passes on')) return relay;
  }
  throw new Error(`the relay has ended: ${lines.join('\n')}`);
}

async function killed(relay: ChildProcess): Promise<void> {
  const exited = once(relay, 'exit');
  relay.kill('SIGKILL');
  await exited;
}

function megabytes({ pid }: ChildProcess): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

/** Sends telegrams as a scanner does. They have the numbers from `first` on. */
async function sendTelegrams(port: number, first: number, count: number, each: () => void): Promise<void> {
  const socket = createSocket('udp4');
  const begin = performance.now();
  for (let sent = 0; sent < count; sent++) {
    await pause(Math.max(0, begin + (sent * 1000) / rate - performance.now()));
    const facts = { frame: 1 + Math.floor(sent / 5), segment: sent % 5, columns: 276 };
    const telegram = telegramOf({ sequence: first + sent, ...facts });
    const bytes = encodeCompactScan(telegram);
    await new Promise<void>((resolve) => void socket.send(bytes, port, host, () => resolve()));
    if (sent % (rate / 10) === 0) each();
  }
  await new Promise<void>((resolve) => void socket.close(resolve));
}

test(
  `${rate} telegrams a second for ${minutes} min reach three programs, beside one that does not read; a killed relay goes on`,
  async () => {
    const [from, tcpPort, webPort] = [await freeUdpPort(), await freePort(), await freePort()];
    const [udp, tcp, web] = [new Program(), new Program(), new Program()];
    const socket = createSocket('udp4', (datagram) => udp.add(datagram));
    onTestFinished(() => void socket.close());
    socket.bind(0, host);
    await once(socket, 'listening');
    socket.setRecvBufferSize(4 * 2 ** 20);
    const words = [
      ...['--listen', `${from}`, '--to', `udp://${host}:${socket.address().port}`],
      ...['--to', `tcp-listen://${host}:${tcpPort}`, '--to', `ws-listen://${host}:${webPort}`],
    ];
    const relay = await startRelay(words);
    const splitter = new TelegramSplitter();
    const overTcp = connect(tcpPort, host, () => undefined);
    overTcp.on('data', (chunk) => {
      for (const telegram of splitter.push(chunk)) tcp.add(telegram);
    });
    overTcp.on('error', () => undefined);
    const overWeb = new WebSocket(`ws://${host}:${webPort}`);
    overWeb.on('message', (message) => Buffer.isBuffer(message) && web.add(message));
    overWeb.on('error', () => undefined);
    const silent = connect(tcpPort, host);
    silent.on('error', () => undefined).pause();
    onTestFinished(() => {
      for (const one of [overTcp, silent]) one.destroy();
      overWeb.terminate();
    });
    await Promise.all([once(overTcp, 'connect'), once(silent, 'connect'), once(overWeb, 'open')]);

    const count = Math.round(minutes * 60 * rate);
    const memory: number[] = [];
    await sendTelegrams(from, 1, count, () => memory.push(megabytes(relay)));
    await until(() => [udp, tcp, web].every(({ last }) => last === count));
    expect([udp, tcp, web].map(({ missed }) => missed)).toEqual([[], [], []]);
    expect(growthOf(memory), memory.map(Math.round).join(' ')).toBeLessThan(mostGrowth);

    await killed(relay);
    await startRelay(words);
    await sendTelegrams(from, count + 1, rate, () => undefined);
    await until(() => udp.last === count + rate);
    expect(udp.missed).toEqual([]);
  },
  minutes * 60_000 + 120_000,
);
