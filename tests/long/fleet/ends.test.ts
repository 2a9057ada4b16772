import { expect, test } from 'vitest';
import { busyClients } from '../../support/busy-clients.js';
import { temporaryFolder } from '../../support/files.js';
import { FleetProcess } from '../../support/fleet-process.js';

const ends = 20;

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
      expect(met.answered).toBeGreaterThan(320);
      expect(await ended).toBe(0);
      expect(fleet.log.text).toBe('');
    }
  },
  300_000,
);
