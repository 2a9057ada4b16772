import { expect, test } from 'vitest';
import { expectDone, expectWritten } from '../../support/envelope.js';
import { Bench } from '../../support/scanner-process.js';
import { until } from '../../support/waiting.js';
import { Campaign, categories } from './campaign.js';

const seconds = Number(process.env.AZIMUTH_FUZZ_SECONDS ?? 60);
const seed = Number(process.env.AZIMUTH_FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** More than this (MB) from one part of the run to the next is a leak. */
const mostGrowth = 64;

// A leak that the memory of the machine would hide ends the process.
const env = { NODE_OPTIONS: '--max-old-space-size=160' };

test(
  `whatever comes in at the HTTP port, for ${seconds} s (seed ${seed}): a well-formed reply or a closed connection`,
  async () => {
    const scanner = await new Bench().start([], { env });
    const { pid } = scanner;
    const campaign = new Campaign(scanner, seed);
    const { health, tally } = campaign;
    const filesBefore = health.openFiles;
    const again = `AZIMUTH_FUZZ_SEED=${seed} AZIMUTH_FUZZ_SECONDS=${seconds}`;
    let ended = false;
    void scanner.exited.then(() => {
      ended = true;
    });
    try {
      await campaign.run(seconds);
    } catch (error) {
      throw new Error(`${again}\n${ended ? 'the scanner has ended' : ''}\n${scanner.log.slice(-2000)}`, {
        cause: error,
      });
    }
    console.log(`${again}\n${tally}\nmemory ${health.memory.map(Math.round).join(' ')} MB`);

    expect(ended, scanner.log.slice(-2000)).toBe(false);
    expect(scanner.readyLine.pid).toBe(pid);
    await until(() => health.openFiles <= filesBefore + 3);
    expect(health.growth, health.memory.join(' ')).toBeLessThan(mostGrowth);

    // Nothing of this says anything where the cases did not get to where they were meant to.
    for (const { name } of categories)
      expect(tally.cases(name), `${again}: ${name}`).toBeGreaterThan(seconds / 2);
    for (const status of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) {
      expect(tally.status(status), `${again}: status ${status}\n${tally}`).toBeGreaterThan(seconds / 2);
    }
    for (const status of [0, 1, 2, 6, 7, 9]) {
      expect(
        tally.status(status, 'writes at edges'),
        `${again}: writes, ${status}\n${tally}`,
      ).toBeGreaterThan(seconds / 10);
    }
    expect(tally.status(0, 'calls at edges'), again).toBeGreaterThan(seconds / 10);

    const witness = scanner.client();
    await scanner.advance(31_000);
    expectDone(await witness.call('checkCredentials'));
    await expectWritten(witness, 'LocationName', 'after the storm');
  },
  seconds * 1000 + 120_000,
);
