import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fleet, FleetStore, headBytes, journalName } from '@azimuth/fleet';
import { Refusal } from '@azimuth/model';
import { temporaryFolder } from '@azimuth/test-support/files';
import { LogBook } from '@azimuth/test-support/log-book';
import { SeededRandom } from '@azimuth/test-support/seeded-random';
import { scannerFacts } from '@azimuth/test-support/some-fleet';
import { expect, test } from 'vitest';
import { casesOr, damaged } from './cases.js';

const { cases, seed } = casesOr(60);
const serials = ['1', '2', '3'];
const right = 'own';

async function started(folder: string) {
  const log = new LogBook();
  const fleet = await Fleet.start({
    store: await FleetStore.open(folder, log),
    scanners: scannerFacts(serials.length),
    log,
    maxConnections: 8,
    bootMilliseconds: 10,
    passwords: { Service: right },
  });
  return { fleet, log };
}

/** Who can log in with the password of this scanner or with that of the factory, and what it tells. */
async function stateOf(fleet: Fleet, serial: string) {
  const scanner = fleet.virtualMatching(serial)[0];
  const { device } =
    (await scanner?.started()) ??
    (() => {
      throw new Error(`no scanner ${serial}`);
    })();
  const admits = (password: string): boolean => {
    try {
      device.access.authenticatePassword('Service', [password], 'CreateSessionToken');
      return true;
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
  };
  return {
    status: device.features.deviceStatus.conditions.deviceStatus,
    own: admits(right),
    factory: admits('servicelevel'),
  };
}

test('whatever is damaged in the journal of a fleet is found, told to its scanners, and lets nobody in', {
  timeout: 3_600_000,
}, async () => {
  const random = new SeededRandom(seed);
  const first = temporaryFolder();
  for (let run = 0; run < 2; run++) {
    const { fleet } = await started(first);
    for (const serial of serials) expect((await stateOf(fleet, serial)).own).toBe(true);
    await fleet.close();
  }
  const journal = readFileSync(join(first, journalName));
  let locked = 0;
  for (let number = 0; number < cases; number++) {
    const damage = damaged(journal, journal, random);
    if (damage === undefined) continue;
    const where = `seed ${seed}, ${damage.what}`;
    const folder = temporaryFolder();
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, journalName), damage.bytes);
    const { fleet, log } = await started(folder);
    expect(log.errors[0]?.message, where).toBe('The journal of the fleet is damaged');
    const aside = readdirSync(folder).find((name) => name.startsWith(`${journalName}.unreadable-`)) ?? '';
    expect(readFileSync(join(folder, aside)).equals(damage.bytes), where).toBe(true);
    const states = await Promise.all(serials.map((serial) => stateOf(fleet, serial)));
    // The head is of no scanner.
    const isOfRecords = !damage.bytes.subarray(headBytes).equals(journal.subarray(headBytes));
    if (isOfRecords)
      expect(
        states.map(({ status }) => status),
        where,
      ).toContain(7);
    for (const { status, own, factory } of states) {
      expect(factory, where).toBe(false);
      if (!own) expect(status, where).toBe(7);
      if (!own) locked++;
    }
    // A sector hits two records at most; those of power-ons are of all scanners.
    expect(states.filter(({ own }) => own).length, where).toBeGreaterThanOrEqual(serials.length - 2);
    await fleet.close();
  }
  expect(locked).toBeGreaterThan(0);
});
