// The same for scanners that are used otherwise than in false-alarms.test.ts: by other clients, with other values and passwords,
// and where things move. Each test takes one case in 300, each day others.
import { setTimeout } from 'node:timers/promises';
import { builtInInterface, type Edition, Refusal } from '@azimuth/model';
import { alarmsOf } from '@azimuth/test-support/mutants/alarms';
import { again, isInShare } from '@azimuth/test-support/mutants/case-share';
import { OtherClients } from '@azimuth/test-support/mutants/other-clients';
import { holdsAddress, randomValue } from '@azimuth/test-support/mutants/random-value';
import { SeededRandom } from '@azimuth/test-support/seeded-random';
import type { TestScanner } from '@azimuth/testing';
import { expect, it, onTestFinished } from 'vitest';

const newest: Edition = { release: '2.4.4', variant: 'full' };
const share = 300;

it('other clients that read, follow events and receive scans cause no false alarm', async () => {
  const names = builtInInterface.variables.map(({ name }) => name);
  let clients: OtherClients | undefined;
  const alarms = await alarmsOf({
    edition: newest,
    stages: ['read', 'write'],
    only: (id) => isInShare(id, 'load', share),
    options: { clock: 'real' },
    target: ({ device }) => ({
      clock: { now: () => device.clock.utc(), wait: (ms, signal) => setTimeout(ms, undefined, { signal }) },
      patienceSeconds: 2,
    }),
    prepare: async ({ url, ports, client }) => {
      // LMDscandata is only sent in this format.
      await client.write('ScanDataFormat', 3);
      clients = new OtherClients({ port: Number(new URL(url).port), legacyPort: ports.legacyA ?? 0, names });
      onTestFinished(() => clients?.[Symbol.asyncDispose]());
      // On some days, the cases are over before the first scan comes.
      await expect.poll(() => clients?.answers).toBeGreaterThan(100);
      await expect.poll(() => clients?.scanBytes).toBeGreaterThan(10_000);
    },
  });
  expect(alarms.false, again).toEqual([]);
}, 60_000);

const passwords = { Maintenance: 'Wärme 1', AuthorizedClient: 'x'.repeat(30), Service: '"\\ ' };

it('other stored values and other passwords cause no false alarm', async () => {
  const alarms = await alarmsOf({
    edition: newest,
    // With all stages, it took 45 s.
    stages: ['read', 'write'],
    options: { passwords },
    only: (id) => isInShare(id, 'values', share),
    target: () => ({ passwords }),
    prepare: (scanner) => storeOthers(scanner, new SeededRandom('values')),
  });
  expect(alarms.false, again).toEqual([]);
}, 60_000);

/** Stores random values, as far as they fit each other. */
async function storeOthers(scanner: TestScanner, random: SeededRandom): Promise<void> {
  let taken = 0;
  for (const variable of builtInInterface.variables) {
    const { type, facts } = variable;
    // Addresses stay: nothing is sent to anybody else.
    if (facts.write === undefined || !variable.isIn(newest) || holdsAddress(type.shape)) continue;
    try {
      await scanner.device.write(variable, randomValue(type.shape, random), { level: 'Service' });
      taken += 1;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
  expect(taken).toBeGreaterThan(50);
  await scanner.client.call('WriteEeprom');
}

it('things that move, and a scanner that turns, cause no false alarm', async () => {
  const alarms = await alarmsOf({
    edition: newest,
    options: { scene: 'packages/simulation/scenes/conveyor.json' },
    stages: ['read', 'write', 'lock', 'reboot'],
    only: (id) => isInShare(id, 'move', share),
    prepare: ({ simulation }) => simulation.drive({ speed: 0.1, turn: 20 }),
  });
  expect(alarms.false, again).toEqual([]);
}, 60_000);
