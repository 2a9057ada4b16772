import { Scanner } from '@azimuth/client';
import type { FaultPlan } from '@azimuth/model/faults';
import { temporaryFolder } from '@azimuth/test-support/files';
import { LogBook } from '@azimuth/test-support/log-book';
import { type SomeFleet, scannerFacts, someFleet, urlOf } from '@azimuth/test-support/some-fleet';
import { until } from '@azimuth/test-support/waiting';
import { expect, test, vi } from 'vitest';

const password = 'servicelevel';
const one = (some: SomeFleet) => new Scanner({ url: urlOf(some, '1'), password });

/** Asks the simulation of scanner 1. */
async function simulate(some: SomeFleet, command: string, body: object = {}): Promise<number> {
  const url = `${urlOf(some, '1')}/x/sim/${command}`;
  return (await fetch(url, { method: 'POST', body: JSON.stringify(body) })).status;
}

test('a scanner that runs a newer release than the file says keeps it', async () => {
  const data = temporaryFolder();
  const delivered = await someFleet(
    scannerFacts(1, () => ({ release: '2.2.0' })),
    { data },
  );
  await one(delivered).read('SerialNumber');
  await delivered.end();
  const updated = await someFleet(
    scannerFacts(1, () => ({ release: '2.4.4' })),
    { data },
  );
  await one(updated).read('SerialNumber');
  await updated.end();
  const again = await someFleet(
    scannerFacts(1, () => ({ release: '2.1.0' })),
    { data },
  );
  expect(await one(again).read('DeviceIdent')).toMatchObject({ Version: '2.4.4.0R' });
  expect(again.fleet.scanners.get('1')?.release).toBe('2.4.4');
  await again.fleet.powerCycle(again.fleet.virtualMatching('1'));
  expect(again.fleet.scanners.get('1')?.release).toBe('2.4.4');
});

test('whoever needs a scanner while its start waits for its turn gets the same', async () => {
  const { fleet } = await someFleet(scannerFacts(1));
  const [scanner] = fleet.virtualMatching('1');
  const [first, second] = await Promise.all([scanner?.started(), scanner?.started()]);
  expect(first).toBeDefined();
  expect(second).toBe(first);
});

test('passwords that were given are not called ignored by a start after the first one of a process', async () => {
  const log = new LogBook();
  const some = await someFleet(scannerFacts(1), { passwords: { Service: 'given' }, log });
  const { fleet } = some;
  await new Scanner({ url: urlOf(some, '1') }).changePassword('Service', 'given', 'changed');
  await fleet.powerCycle(fleet.virtualMatching('1'));
  await fleet.scanners.get('1')?.started();
  expect(log.lines.filter(({ message }) => message.includes('ignored'))).toEqual([]);
});

test('a web server that is switched off is gone after the next boot, and the simulation brings it back', async () => {
  const some = await someFleet(scannerFacts(1));
  await one(some).call('SetWebserverEnabled', { Enable: false });
  expect(await one(some).read('SerialNumber')).toBe('1');
  await some.fleet.powerCycle(some.fleet.virtualMatching('1'));
  await expect(one(some).read('SerialNumber')).rejects.toThrow('cannot be reached');
  expect(await simulate(some, 'webserver', { enabled: true })).toBe(200);
  expect(await simulate(some, 'power-cycle')).toBe(200);
  await until(
    async () =>
      (await one(some)
        .read('SerialNumber')
        .catch(() => '')) === '1',
  );
});

test('a power cycle by the simulation is answered, also while the scanner is down', async () => {
  const some = await someFleet(scannerFacts(1));
  await one(some).read('SerialNumber');
  expect(await simulate(some, 'power-cycle')).toBe(200);
  expect(await simulate(some, 'temperature', { celsius: 50 })).toBe(200);
  await until(
    async () =>
      (await one(some)
        .read('PowerOnCnt')
        .catch(() => 0)) === 2,
  );
});

test('faults of a plan count from the power-on, whenever the scanner is needed', async () => {
  const faults: FaultPlan['faults'] = [
    { kind: 'http-status', status: 8, for: 30_000 },
    { kind: 'device-status', status: 6, at: 20_000, for: 10_000 },
    { kind: 'http-reset', at: 3_600_000 },
  ];
  const now = performance.now.bind(performance);
  let passed = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now() + passed);
  const some = await someFleet(scannerFacts(1, () => ({ faults: { faults } })));
  const [scanner] = some.fleet.virtualMatching('1');
  if (scanner === undefined) throw new Error('it is there');
  passed = 60_000;
  expect(await one(some).read('SerialNumber')).toBe('1');
  expect(scanner.faults?.list.map(({ state }) => state)).toEqual(['over', 'over', 'planned']);
});
