import { dataOf } from '@azimuth/test-support/client';
import { expectData, expectDone, expectWritten } from '@azimuth/test-support/envelope';
import { freePort } from '@azimuth/test-support/free-port';
import { object } from '@azimuth/test-support/json';
import { ScannerFolder, type ScannerProcess } from '@azimuth/test-support/scanner-process';
import { expect, test } from 'vitest';
import { bytesAtTheSocket } from './bytes-at-the-socket.js';
import { catalogueOf } from './catalogue.js';
import { type Category, env, extentOf, fuzz, mostTimes, type OutcomeCounts } from './fuzz-run.js';
import { challenges, malformedHeaders, passwordMessages, replays } from './logins.js';
import { bodies, calls, readOnly, unknownMembers, valuesOutsideEnumerations, writes } from './payloads.js';
import { largeBodies, pages, pipelines, slices, unknownNames } from './valid-http.js';

const categories: readonly Category[] = [
  ...bytesAtTheSocket,
  ...[pipelines, slices, largeBodies, unknownNames, pages],
  ...[bodies, writes, calls, valuesOutsideEnumerations, unknownMembers, readOnly],
  ...[malformedHeaders, replays, challenges, passwordMessages],
];

const extent = extentOf({ inputs: Number.POSITIVE_INFINITY, seconds: 30 });
const { seed, inputs, seconds, again } = extent;
/** How many inputs there are of each kind, and responses with each status, at the very least. */
const least = Math.min(seconds / 2, inputs / 2000);

async function storedOf(scanner: ScannerProcess): Promise<unknown> {
  return dataOf(await scanner.client().send({ method: 'GET', path: '/x/stored' }));
}

/** What a user does now and then: store, go back to defaults, reboot, whether logins are locked or not. */
async function maintain(scanner: ScannerProcess, round: number): Promise<void> {
  await scanner.advance(31_000);
  const client = scanner.client();
  if (round % 3 === 1) {
    expectData(await client.call('WriteEeprom'), { Success: true });
    expect(object(await storedOf(scanner)).LocationName).toEqual(await client.value('LocationName'));
  }
  if (round % 4 === 3) {
    expectData(await client.call('CreateParameterBackup'), { Result: true });
    expectDone(await client.call('LoadApplicationDefaults'));
    expect(dataOf(await client.call('RestoreParameterBackup'))).toMatchObject({ RestoreResult: 0 });
  }
  if (round % 6 === 2) expectDone(await client.call('LoadFactoryDefaults'));
  if (round % 3 === 2) {
    await scanner.control('/webserver', { enabled: true });
    const stored = await storedOf(scanner);
    await scanner.throughReboot(() => client.call('SoftReset', { ProcessorNbr: 0 }));
    expect(await storedOf(scanner)).toEqual(stored);
  }
}

/** The run proves nothing unless its inputs reach every category and every status: those that came too seldom. */
function tooSeldom(counts: OutcomeCounts): readonly string[] {
  const seen = [
    ...categories.map(({ name }) => ({ what: name, times: counts.inputs(name), least })),
    ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((status) => ({
      what: `status ${status}`,
      times: counts.status(status),
      least,
    })),
    ...[0, 1, 2, 6, 7, 9].map((status) => ({
      what: `status ${status} of writes`,
      times: counts.status(status, 'writes at edges'),
      least: least / 5,
    })),
    { what: 'status 0 of calls', times: counts.status(0, 'calls at edges'), least: least / 5 },
  ];
  return seen.filter(({ times, least }) => times <= least).map(({ what, times }) => `${what}: ${times}`);
}

test(
  `any input at the HTTP port, ${inputs} inputs or ${seconds} s (seed ${seed}): a well-formed reply or a closed connection`,
  async () => {
    // Inputs close these ports and open them again: in between, no connection of another program may get them.
    const legacyPorts = ['--legacy-a-port', `${await freePort()}`, '--legacy-b-port', `${await freePort()}`];
    const scanner = await new ScannerFolder().start(legacyPorts, { env });
    let stored = await storedOf(scanner);
    const counts = await fuzz(scanner, extent, {
      port: scanner.client().port,
      categories,
      catalogue: await catalogueOf(scanner.client()),
      roundMilliseconds: 2000,
      isEnough: (counts) => tooSeldom(counts).length === 0,
      between: async (round) => {
        // Inputs change working values only: no input has stored anything.
        expect(await storedOf(scanner)).toEqual(stored);
        await maintain(scanner, round);
        stored = await storedOf(scanner);
      },
      rest: async () => {
        await scanner.advance(31_000);
        expectDone(await scanner.client().call('LoadFactoryDefaults'));
      },
    });

    expect(tooSeldom(counts), `${again}\n${counts}`).toEqual([]);

    const client = scanner.client();
    await scanner.advance(31_000);
    expectDone(await client.call('checkCredentials'));
    await expectWritten(client, 'LocationName', 'after the run');
  },
  mostTimes * seconds * 1000 + 120_000,
);
