import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { busyClients } from '@azimuth/test-support/busy-clients';
import { temporaryFolder } from '@azimuth/test-support/files';
import { FleetProcess } from '@azimuth/test-support/fleet-process';
import { expect, test } from 'vitest';

/** More in the long form (npm run campaign fleet). */
const ends = process.env.AZIMUTH_FLEET_SECONDS === undefined ? 8 : 100;

test.each([1, 2])(
  'a fleet in %i processes that is ended breaks no request of 20 busy clients',
  async (processes) => {
    const data = temporaryFolder();
    for (let round = 0; round < ends; round++) {
      const fleet = await FleetProcess.start(
        ...['--count', '4', '--data', data, '--processes', String(processes)],
      );
      const urls = ['1', '2', '3', '4'].map((n) => `${fleet.url}/scanners/1000000${n}/api/LocationName`);
      let ended: Promise<unknown> = Promise.resolve('not yet');
      const met = await busyClients(20, urls, 300, () => {
        ended = fleet.end('SIGTERM');
      });
      expect(met).toMatchObject({ broken: [], refused: 0 });
      // They have asked on while it ended.
      expect(met.served).toBeGreaterThan(320);
      expect(await ended).toBe(0);
      expect(fleet.log.text).toBe('');
    }
  },
  60_000 + ends * 15_000,
);

test('a signal to all processes of a fleet at once, as of a terminal, breaks no request and logs nothing', async () => {
  const fleet = await FleetProcess.start('--count', '4', '--data', temporaryFolder(), '--processes', '2');
  const { pid } = fleet.child;
  const parts = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  expect(parts).toHaveLength(2);
  const ended = once(fleet.child, 'exit');
  const met = await busyClients(20, [`${fleet.url}/scanners/10000001/api/LocationName`], 300, () => {
    for (const one of [...parts, Number(pid)]) process.kill(one, 'SIGINT');
  });
  expect(met).toMatchObject({ broken: [], refused: 0 });
  expect(await ended).toEqual([0, null]);
  expect(fleet.log.text).toBe('');
});
