import { statusOf } from '@azimuth/test-support/client';
import { expectDone } from '@azimuth/test-support/envelope';
import { portsOf, serviceSession } from '@azimuth/test-support/legacy/scanner';
import { text } from '@azimuth/test-support/legacy/types';
import type { LegacyClient } from '@azimuth/test-support/legacy-client';
import { ScannerFolder, type ScannerProcess } from '@azimuth/test-support/scanner-process';
import { until } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';

const slowDisk = new URL('../../support/stand-ins/slow-disk.mjs', import.meta.url).href;

/** Writes one variable again and again, until a write is not acknowledged. */
class Writer {
  readonly name: string;
  /** Writes that were acknowledged: the last one has this number as its value. */
  acknowledged = 0;
  /** How the one that was not has ended. */
  readonly ended: Promise<unknown>;

  constructor(name: string, write: (value: string) => Promise<unknown>) {
    this.name = name;
    this.ended = this.#run(write).catch((error: unknown) => error);
  }

  async #run(write: (value: string) => Promise<unknown>): Promise<void> {
    for (;;) {
      await write(`n${this.acknowledged + 1}`);
      this.acknowledged += 1;
    }
  }
}

async function rest(scanner: ScannerProcess, name: string, keepAlive: boolean): Promise<Writer> {
  const client = scanner.client({ keepAlive });
  return new Writer(name, async (value) => {
    const reply = await client.write(name, value);
    if (statusOf(reply) !== 0) throw new Error(`answered ${reply.text}`);
  });
}

async function legacy(scanner: ScannerProcess, name: string, dialect: 'A' | 'B'): Promise<Writer> {
  const client: LegacyClient = await serviceSession(portsOf(scanner), dialect);
  return new Writer(name, (value) => client.write(name, text(0, 32), value));
}

/** How RebootDevice is asked for. */
const ways: readonly [string, (scanner: ScannerProcess) => Promise<void>][] = [
  ['REST', async (scanner) => expectDone(await scanner.client().call('RebootDevice'))],
  [
    'the legacy protocol',
    async (scanner) => {
      const client = await serviceSession(portsOf(scanner), 'A');
      expect((await client.request('sMN mSCreboot')).command).toBe('sAN');
    },
  ],
];

test.each(ways)(
  'while RebootDevice over %s saves, every write that is answered is stored',
  async (_, reboot) => {
    const scanner = await new ScannerFolder().start([], {
      env: { NODE_OPTIONS: `--import=${slowDisk}`, SLOW_DISK_MS: '250' },
    });
    const writers = await Promise.all([
      rest(scanner, 'LocationName', false),
      rest(scanner, 'rosNamespace', true),
      legacy(scanner, 'rosFrameId', 'A'),
      legacy(scanner, 'rosParentFrameId', 'B'),
    ]);
    await until(() => writers.every(({ acknowledged }) => acknowledged > 3));
    let answered = false;
    const rebooting = reboot(scanner).then(() => {
      answered = true;
    });
    const ends = await Promise.all(writers.map(({ ended }) => ended));
    expect(answered, 'they were refused while it was being stored').toBe(false);
    for (const end of ends) expect(String(end)).toMatch(/hang up|ECONNRESET|connection is closed/);
    await rebooting;
    await scanner.boot();
    for (const { name, acknowledged } of writers) {
      expect(await scanner.client().value(name), name).toBe(`n${acknowledged}`);
    }
  },
);
