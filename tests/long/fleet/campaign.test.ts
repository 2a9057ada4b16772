import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Scanner } from '@azimuth/client';
import { temporaryFolder } from '@azimuth/test-support/files';
import { FleetProcess } from '@azimuth/test-support/fleet-process';
import { RawConnection } from '@azimuth/test-support/raw-connection';
import { SeededRandom } from '@azimuth/test-support/seeded-random';
import { until } from '@azimuth/test-support/waiting';
import { expect, onTestFinished, test } from 'vitest';

/** Seconds; one run of the fleet, which ends by kill -9, takes a quarter of them. */
const seconds = Number(process.env.AZIMUTH_FLEET_SECONDS ?? 16);
const seed = Number(process.env.AZIMUTH_FUZZ_SEED ?? Date.now() % 1_000_000);
const runs = 4;
const scanners = 300;
/** Scanners that nobody disturbs. */
const quiet = 20;
const workers = 8;
/** Scanners that stream from each power-on on, without being asked; nobody disturbs them, either. */
const streaming = 3;
const undisturbed = quiet + streaming;
/** Seconds of one run after which all scanners run, and the garbage collector knows how much memory they need. */
const warm = 150;
/** MB of the fleet at any time. */
const mostMemory = 450;

/** What is known of a scanner, and the least and the most times that it was switched on. */
interface Known {
  readonly serial: string;
  /** What it may have stored: what was saved last, and what was sent since, without an answer. */
  stored: Set<string>;
  leastPowerOns: number;
  mostPowerOns: number;
}

/** Counts the datagrams of one stream. */
class StreamReader {
  readonly #socket = createSocket('udp4', () => this.#count++);
  #count = 0;

  static async open(): Promise<StreamReader> {
    const reader = new StreamReader();
    reader.#socket.bind(0, '127.0.0.1');
    await once(reader.#socket, 'listening');
    onTestFinished(() => void reader.#socket.close());
    return reader;
  }

  /** Makes a scanner send to it from each power-on on. */
  async order(scanner: Scanner): Promise<void> {
    const { port } = this.#socket.address();
    await scanner.write('ScanDataEthSettings', { Protocol: 1, IPAddress: [127, 0, 0, 1], Port: port });
    await scanner.write('ScanDataEnable', true);
    await scanner.call('WriteEeprom');
  }

  /** Waits for some more, or until it is over. */
  async more(isOver = () => false): Promise<void> {
    const before = this.#count;
    await until(() => this.#count > before + 2 || isOver());
  }
}

function residentMegabytes(pid: number | undefined): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

test(
  'random starts, stops, faults, saves and attacks lose nothing, and touch no other scanner',
  async () => {
    const draws = new SeededRandom(String(seed));
    const random = () => draws.fraction();
    const data = join(temporaryFolder(), 'data');
    const known = Array.from(
      { length: scanners },
      (_, index): Known => ({
        serial: String(10_000_001 + index),
        stored: new Set(['not defined']),
        leastPowerOns: 0,
        mostPowerOns: 0,
      }),
    );
    /** MB of each run, in the middle and at the end. */
    const memory: { readonly middle: number; readonly end: number }[] = [];
    const done = { saves: 0, cycles: 0, faults: 0, attacks: 0, watched: 0, streamed: 0 };
    const readers = await Promise.all(Array.from({ length: streaming }, () => StreamReader.open()));
    const streamers = known.slice(quiet, quiet + streaming);
    for (let run = 0; run < runs; run++) {
      const fleet = await FleetProcess.start('--count', String(scanners), '--data', data);
      for (const one of known) {
        one.leastPowerOns++;
        one.mostPowerOns++;
      }
      if (run === 0) {
        for (const [index, reader] of readers.entries())
          await reader.order(fleet.scanner(streamers[index]?.serial ?? ''));
      }
      for (const reader of readers) await reader.more();
      let killed = false;
      const goesOn = () => !killed;
      /** In the middle of what the others do. */
      const powerCut = async () => {
        const half = (seconds / runs) * 500 * (0.8 + random() * 0.4);
        await pause(half);
        const middle = residentMegabytes(fleet.child.pid);
        await pause(half);
        memory.push({ middle, end: residentMegabytes(fleet.child.pid) });
        killed = true;
        await fleet.end('SIGKILL');
        process.stderr.write(
          `run ${run + 1} of ${runs}: ${JSON.stringify(done)}, MB: ${JSON.stringify(memory.at(-1))}\n`,
        );
      };
      const busy = new Set<Known>();
      const worker = async () => {
        while (goesOn()) {
          const one = known[undisturbed + Math.floor(random() * (scanners - undisturbed))];
          if (one === undefined || busy.has(one)) continue;
          busy.add(one);
          try {
            await act(fleet, one, random, done);
          } catch (error) {
            if (!killed) throw new Error(`scanner ${one.serial}, seed ${seed}`, { cause: error });
          } finally {
            busy.delete(one);
          }
        }
      };
      const watcher = async () => {
        for (let index = 0; goesOn(); index = (index + 1) % quiet) {
          const { serial } = known[index] ?? { serial: '' };
          const answer = await fleet
            .scanner(serial)
            .read('SerialNumber')
            .catch((error: unknown) => (killed ? serial : error));
          expect(answer, `seed ${seed}`).toBe(serial);
          done.watched++;
        }
      };
      const receiver = async () => {
        while (goesOn()) {
          for (const reader of readers) await reader.more(() => killed);
          done.streamed++;
        }
      };
      await Promise.all([powerCut(), watcher(), receiver(), ...Array.from({ length: workers }, worker)]);
    }
    const last = await FleetProcess.start('--count', String(scanners), '--data', data);
    for (const reader of readers) await reader.more();
    for (const one of known) {
      const scanner = last.scanner(one.serial);
      const name = await scanner.read('LocationName');
      expect([...one.stored], `scanner ${one.serial}, seed ${seed}`).toContain(name);
      const powerOns = await scanner.read('PowerOnCnt');
      expect(powerOns, `scanner ${one.serial}, seed ${seed}`).toBeGreaterThanOrEqual(one.leastPowerOns + 1);
      expect(powerOns, `scanner ${one.serial}, seed ${seed}`).toBeLessThanOrEqual(one.mostPowerOns + 1);
    }
    for (const count of Object.values(done)) expect(count).toBeGreaterThan(0);
    process.stdout.write(`${JSON.stringify({ seed, seconds, ...done, memory })}\n`);
    for (const { middle, end } of memory) {
      expect(end).toBeLessThan(mostMemory);
      if (seconds / runs / 2 >= warm) expect(end).toBeLessThan(middle * 1.15);
    }
  },
  // Each run takes up to a fifth longer.
  (seconds * 1.2 + 240) * 1000,
);

type Done = Record<'saves' | 'cycles' | 'faults' | 'attacks' | 'watched' | 'streamed', number>;

/** Something that happens to one scanner. */
async function act(fleet: FleetProcess, one: Known, random: () => number, done: Done): Promise<void> {
  const scanner = fleet.scanner(one.serial);
  const dice = random();
  if (dice < 0.5) {
    const name = `saved ${Math.floor(random() * 1e6)}`;
    one.stored.add(name);
    await scanner.write('LocationName', name);
    await scanner.call('WriteEeprom');
    one.stored = new Set([name]);
    done.saves++;
  } else if (dice < 0.7) {
    one.mostPowerOns++;
    await power(fleet, one.serial, 'cycle');
    one.leastPowerOns++;
    const name = await scanner.read('LocationName');
    expect([...one.stored]).toContain(name);
    // What was not stored is gone.
    one.stored = new Set([name]);
    done.cycles++;
  } else if (dice < 0.8) {
    const url = `${fleet.url}/scanners/${one.serial}/x/sim/faults`;
    const fault = { kind: 'http-reset', probability: 0.5, for: 50 };
    await post(url, { faults: [fault] });
    await post(`${url}/clear`, {});
    done.faults++;
  } else {
    await attack(fleet, one.serial, random);
    done.attacks++;
  }
}

async function power(fleet: FleetProcess, scanners: string, to: 'cycle'): Promise<void> {
  await post(`${fleet.url}/fleet/power`, { scanners, power: to });
}

async function post(url: string, body: object): Promise<void> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  expect(response.status, await response.text()).toBe(200);
}

/** What a stranger sends to one scanner. */
async function attack(fleet: FleetProcess, serial: string, random: () => number): Promise<void> {
  const port = Number(new URL(fleet.url).port);
  const path = `/scanners/${serial}/api/LocationName`;
  const body = 'x'.repeat(Math.floor(random() * 5000));
  const attacks = [
    `POST ${path} HTTP/1.1\r\nHost: a.local\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    `POST ${path} HTTP/1.1\r\nHost: a.local\r\nContent-Length: 1000\r\n\r\nbroken off`,
    `GET ${path} HTTP/1.1\r\nHost: evil.example.com\r\n\r\n`.repeat(50),
    `GET ${path} HTTP/1.1\r\nHost: a.local\r\n${'X: y\r\n'.repeat(300)}\r\n`,
    `GET /scanners/${serial}/x/scan HTTP/1.1\r\nHost: a.local\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    `\u0016\u0003\u0001${body}`,
  ];
  const connection = await RawConnection.open(port);
  connection.write(attacks[Math.floor(random() * attacks.length)] ?? '');
  await new Scanner({ url: `${fleet.url}/scanners/${serial}`, password: 'guessed' })
    .write('LocationName', 'stolen')
    .catch(() => undefined);
  connection.destroy();
  // Five failed logins in a row would lock it.
  await fleet.scanner(serial).call('checkCredentials');
}
