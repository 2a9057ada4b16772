import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { PtpState } from '@azimuth/model';
import { decodePtp, ptpGroup } from '@azimuth/telegrams/ptp';
import { expectDone } from '@azimuth/test-support/envelope';
import { Health, metric } from '@azimuth/test-support/health';
import { freePtpPorts, PtpMaster } from '@azimuth/test-support/ptp-master';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { SeededRandom } from '@azimuth/test-support/seeded-random';
import { until } from '@azimuth/test-support/waiting';
import { expect, onTestFinished, test } from 'vitest';
import { env, extentOf, mostGrowth } from './fuzz-run.js';
import { ptpInput, wildResponses } from './ptp-input.js';

const { seed, inputs, seconds, again } = extentOf({ inputs: 10_000, seconds: 60 });
const addresses = Array.from({ length: 10 }, (_, index) => `127.0.4.${index + 1}`);
/** Messages of one round from each address: fewer than are ignored. */
const perRound = 100;
/** The most Delay_Req a second, and how many may be under way when a master changes. */
const requestsPerSecond = 8;
const spare = 20;

/** A hostile master at a loopback address. It hears what the scanner sends to it alone. */
class HostileMaster {
  readonly heard: Buffer[] = [];
  /** Called with each request that was sent to it alone. */
  asked: (request: Buffer) => void = () => {};
  readonly #socket: Socket;
  readonly #ports: { readonly event: number; readonly general: number };

  private constructor(socket: Socket, ports: HostileMaster['ports']) {
    this.#socket = socket;
    this.#ports = ports;
    socket.on('message', (bytes) => {
      this.heard.push(bytes);
      this.asked(bytes);
    });
  }

  static async open(address: string, ports: HostileMaster['ports']): Promise<HostileMaster> {
    const socket = createSocket({ type: 'udp4', reuseAddr: true });
    socket.bind({ port: ports.event, address, exclusive: true });
    await once(socket, 'listening');
    socket.setMulticastInterface(address);
    onTestFinished(() => {
      socket.close();
    });
    return new HostileMaster(socket, ports);
  }

  get ports() {
    return this.#ports;
  }

  send(bytes: Buffer, port: 'event' | 'general', to: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.send(bytes, this.#ports[port], to, (error) =>
        error === null ? resolve() : reject(error),
      );
    });
  }
}

test(
  `${inputs} hostile PTP messages (seed ${seed}): a slave sends little, and follows a good master afterwards`,
  async () => {
    const ports = await freePtpPorts();
    const flags = ['--ptp-event-port', String(ports.event), '--ptp-general-port', String(ports.general)];
    const scanner = await new ScannerFolder().start(flags, { env });
    const health = new Health(scanner);
    const client = scanner.client();
    const now = () => performance.timeOrigin + performance.now();
    const master = await PtpMaster.open({ ports, utc: now });
    const timer = setInterval(() => {
      void master.announce({ priority1: 100 });
      void master.sync();
    }, 500);
    onTestFinished(() => clearInterval(timer));
    const state = () => metric(scanner, 'azimuth_ptp_state');
    const begin = performance.now();
    expectDone(await client.write('TSCRole', 3));
    await until(async () => (await state()) === PtpState.SLAVE, 30_000);

    const hostile = await Promise.all(addresses.map((address) => HostileMaster.open(address, ports)));
    const answers = new SeededRandom(`${seed}/answers`);
    let answered = 0;
    /** Masters that are followed answer what nobody could use, and what would move the clock. */
    const answer = (masters: readonly HostileMaster[], bytes: Buffer): void => {
      const request = decodePtp(bytes);
      if (request.kind !== 'delayRequest' || performance.now() >= end) return;
      for (const sender of masters) {
        for (const response of wildResponses(answers, request, now())) {
          // The scanner may end first, and then the test has failed elsewhere.
          sender.send(response, 'general', '127.0.0.1').catch(() => undefined);
          answered += 1;
        }
      }
    };
    for (const sender of hostile) sender.asked = (bytes) => answer([sender], bytes);
    master.onRequest = (bytes) => answer(hostile, bytes);
    const files = health.openFiles;
    const end = performance.now() + seconds * 1000;
    let sent = 0;
    let followed = 0;
    // A fast run would be over before the scanner selects its next master: it lasts until it has asked a hostile one.
    const isEnough = () => sent >= inputs && followed >= 2 && answered > 0;
    for (let round = 0; !isEnough() && performance.now() < end; round += 1) {
      const random = new SeededRandom(`${seed}/${round}`);
      try {
        for (const [index, sender] of hostile.entries()) {
          for (let count = 0; count < perRound; count += 1) {
            const { bytes, port } = ptpInput(random, now());
            // Some come from the address of the good master, too.
            if (index === 0 && count % 10 === 0) await master.sendBytes(bytes, port);
            else await sender.send(bytes, port, count % 2 === 0 ? ptpGroup : '127.0.0.1');
            sent += 1;
          }
        }
        expectDone(await client.call('checkCredentials'));
        followed = Math.max(followed, scanner.log.split('The scanner follows a PTP master').length - 1);
        health.check();
      } catch (error) {
        throw new Error(`${again}: round ${round}\n${scanner.log.slice(-2000)}`, { cause: error });
      }
    }

    await until(async () => (await state()) === PtpState.SLAVE, 60_000);
    await until(async () => (await metric(scanner, 'azimuth_time_synchronised')) === 1);
    await until(async () => Math.abs(await metric(scanner, 'azimuth_time_offset_seconds')) < 0.1, 60_000);
    const elapsed = (performance.now() - begin) / 1000;
    const requests = [...master.requests.map(({ bytes }) => bytes), ...hostile.flatMap(({ heard }) => heard)];
    console.log(
      `${again}: ${sent} inputs, ${followed} masters followed, ${requests.length} requests in ${elapsed} s, ${answered} wild answers`,
    );
    console.log(`memory ${health.memory.slice(-10).map(Math.round).join(' ')} MB`);
    // The run proves nothing unless some hostile masters were followed.
    expect(followed, again).toBeGreaterThan(1);
    expect(answered, again).toBeGreaterThan(0);
    expect(requests.length, again).toBeLessThan(elapsed * requestsPerSecond + spare);
    for (const bytes of requests) {
      expect(bytes.length).toBe(44);
      expect(decodePtp(bytes).kind).toBe('delayRequest');
    }
    await until(() => health.openFiles <= files + 3);
    expect(health.growth, `${again} ${health.memory.map(Math.round).join(' ')}`).toBeLessThan(mostGrowth);
    expect(await client.value('DeviceStatus')).toBe(3);
  },
  seconds * 1000 + 240_000,
);
