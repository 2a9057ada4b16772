import { readdirSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { expectData, expectDone } from '@azimuth/test-support/envelope';
import { firmware } from '@azimuth/test-support/firmware';
import { ScannerProcess, temporaryFolder } from '@azimuth/test-support/scanner-process';
import { SeededRandom } from '@azimuth/test-support/seeded-random';
import { expect, onTestFinished, test } from 'vitest';

const seed = process.env.AZIMUTH_FUZZ_SEED ?? String(Math.floor(Math.random() * 2 ** 31));
const cuts = 40;
const old = '1.5.0.0R';
const next = '2.1.0.0R';

/** Large enough that a transfer is under way for some time. */
const file = firmware({ release: '2.1.0', payload: Buffer.alloc(30_000_000, 'x') });

async function prepared(): Promise<{ folder: string; scanner: ScannerProcess }> {
  const folder = temporaryFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const scanner = await ScannerProcess.start({ folder, flags: ['--firmware', '1.5.0'] });
  const client = scanner.client();
  expectDone(await client.write('LocationName', 'Gate 3'));
  expectDone(await client.write('EnableColaScan', false));
  expectData(await client.call('WriteEeprom'), { Success: true });
  return { folder, scanner };
}

/** Transfers and installs, as far as it comes; how far that was. */
async function update(scanner: ScannerProcess, reached: (step: string) => void): Promise<void> {
  const client = scanner.client();
  reached('transfer');
  expectDone(await client.send({ method: 'PUT', path: '/api/update', body: file }));
  reached('check');
  expectDone(await client.call('RunFirmwareUpdate'));
  for (;;) {
    const state = await client.value('UpdateState');
    if (state === 2) break;
    await scanner.advance(1000);
    reached('write');
  }
  reached('finished');
  await scanner.throughReboot(() => scanner.advance(2000));
  reached('new release');
}

async function expectWhole(folder: string): Promise<string> {
  const scanner = await ScannerProcess.start({ folder });
  try {
    const client = scanner.client();
    const version = String(await client.value('FirmwareVersion'));
    expect([old, next]).toContain(version);
    expect(await client.value('LocationName')).toBe('Gate 3');
    expect(await client.value('DeviceStatus')).toBe(3);
    expect(await client.value('UpdateState')).toBe(0);
    if (version === next) expect(await client.value('EtherLegacyScanMode')).toBe(2);
    else expect(await client.value('EnableColaScan')).toBe(false);
    expect(readdirSync(folder).filter((name) => name.includes('unfinished'))).toEqual([]);
    expect(scanner.log).not.toContain('lost');
    return version;
  } finally {
    await scanner.kill();
  }
}

/** How long (ms) after the beginning of each step, at most, the power is cut. */
const steps = [
  ['transfer', 120],
  ['check', 60],
  ['write', 60],
  ['finished', 30],
] as const;

test(`a power cut at any moment of an update leaves the old release or the new one, ${cuts} times (seed ${seed})`, async () => {
  const random = new SeededRandom(seed);
  const seen = new Map<string, number>();
  for (let cut = 0; cut < cuts; cut++) {
    const { folder, scanner } = await prepared();
    const [target, longest] = steps[cut % steps.length] ?? steps[0];
    let step = '';
    let updating: Promise<void> | undefined;
    await new Promise<void>((resolve) => {
      updating = update(scanner, (now) => {
        step = now;
        if (now === target) resolve();
      }).catch(() => resolve());
    });
    await pause(random.fraction() * longest);
    const cutIn = step;
    await scanner.kill();
    await updating;
    const version = await expectWhole(folder);
    if (cutIn === 'transfer') expect(version).toBe(old);
    if (cutIn === 'finished' || cutIn === 'new release') expect(version).toBe(next);
    seen.set(`${cutIn}: ${version}`, (seen.get(`${cutIn}: ${version}`) ?? 0) + 1);
    rmSync(folder, { recursive: true });
  }
  console.log(`AZIMUTH_FUZZ_SEED=${seed}`, Object.fromEntries(seen));
  expect([...seen.keys()].some((key) => key.endsWith(old))).toBe(true);
  expect([...seen.keys()].some((key) => key.endsWith(next))).toBe(true);
}, 600_000);
