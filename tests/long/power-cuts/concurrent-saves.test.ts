import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, dataOf, statusOf } from '@azimuth/test-support/client';
import { ScannerProcess, temporaryFolder } from '@azimuth/test-support/scanner-process';
import { SeededRandom } from '@azimuth/test-support/seeded-random';
import { until } from '@azimuth/test-support/waiting';
import { expect, onTestFinished, test } from 'vitest';

const seed = process.env.AZIMUTH_FUZZ_SEED ?? String(Math.floor(Math.random() * 2 ** 31));
const cuts = Math.ceil(Number(process.env.AZIMUTH_POWER_CUTS ?? 200) / 5);

/** Parameters that hold a text. Each has a client of its own, which counts it up and saves. */
const names = ['LocationName', 'rosFrameId', 'rosParentFrameId', 'rosNamespace'] as const;

/** A client that writes and saves until the power is cut. */
class Saver {
  /** The last value whose save was acknowledged. */
  acknowledged = 0;
  /** The last value that was sent: a save of another client may have stored it. */
  sent = 0;
  saves = 0;

  constructor(readonly name: string) {}

  async run(client: Client): Promise<void> {
    try {
      for (;;) {
        const value = this.sent + 1;
        this.sent = value;
        if (statusOf(await client.write(this.name, String(value))) !== 0) continue;
        if (statusOf(await client.call('WriteEeprom')) !== 0) continue;
        this.acknowledged = value;
        this.saves++;
      }
    } catch {
      // The power is gone.
    }
  }

  /** A value that was acknowledged, or one that was sent later. */
  check(stored: unknown): void {
    const value = Number(stored);
    expect(value, `${this.name} (seed ${seed})`).toBeGreaterThanOrEqual(this.acknowledged);
    expect(value, `${this.name} (seed ${seed})`).toBeLessThanOrEqual(this.sent);
    this.acknowledged = value;
  }
}

test(
  `${names.length} clients save at once, and the power is cut ${cuts} times (seed ${seed}): nothing acknowledged is lost`,
  async () => {
    const folder = temporaryFolder();
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const random = new SeededRandom(seed);
    const savers = names.map((name) => new Saver(name));
    let scanner = await ScannerProcess.start({ folder });
    onTestFinished(async () => {
      await scanner.kill();
    });
    for (const { name } of savers) expect(statusOf(await scanner.client().write(name, '0'))).toBe(0);
    expect(statusOf(await scanner.client().call('WriteEeprom'))).toBe(0);
    for (let cut = 0; cut < cuts; cut++) {
      const running = savers.map((saver) => saver.run(scanner.client()));
      // Some cuts come at any time, the others after some saves of one client: on a slow disk a save takes long.
      const watched = savers[cut % savers.length];
      const enough = (watched?.saves ?? 0) + random.below(4);
      await until(() => (watched?.saves ?? 0) >= enough, 60_000);
      await pause(100 * random.fraction());
      await scanner.kill();
      await Promise.all(running);
      scanner = await ScannerProcess.start({ folder });
      const stored = dataOf(await scanner.client().send({ method: 'GET', path: '/x/stored' }));
      for (const saver of savers) saver.check(stored[saver.name]);
    }
    const saves = savers.map((saver) => saver.saves);
    console.log(`AZIMUTH_FUZZ_SEED=${seed}: ${cuts} cuts, saves of each client`, saves);
    for (const each of saves) expect(each).toBeGreaterThan(cuts / 4);
  },
  Math.max(240_000, cuts * 8000),
);
