import { expect, test } from 'vitest';
import { dataOf } from '../support/client.js';
import { expectData } from '../support/envelope.js';
import { firmware } from '../support/firmware.js';
import { Health } from '../support/health.js';
import { Bench } from '../support/scanner-process.js';
import { until } from '../support/until.js';
import { expectTaken } from '../support/values.js';
import { Besetting } from './besetting.js';
import { extentOf } from './extent.js';
import { Calm, Lane } from './lane.js';
import { uploadCategories } from './uploads.js';

const { seed, inputs, seconds, again } = extentOf({ inputs: 10_000, seconds: 10 });

const lanes = 8;
const roundMilliseconds = 1000;
/** More than this (MB) from one part of the run to the next is a leak. */
const mostGrowth = 64;

test(
  `whatever is uploaded, ${inputs} inputs or ${seconds} s (seed ${seed}): an answer, or a closed connection`,
  async () => {
    const env = { NODE_OPTIONS: '--max-old-space-size=160' };
    // The release that takes files without a token.
    const scanner = await new Bench().start(['--firmware', '2.2.0'], { env });
    const client = scanner.client();
    expectData(await client.call('CreateParameterBackup'), { Result: true });
    const { text } = await client.send({ method: 'GET', path: '/api/parameterbackup' });
    const backup = Buffer.from(text);
    // Whole, and never installed: there is no way back.
    const older = firmware({ release: '2.1.0' });
    const health = new Health(scanner);
    const filesBefore = health.openFiles;
    const calm = new Calm(scanner);
    const besetting = new Besetting({
      lanes: Array.from({ length: lanes }, () => new Lane(client.port, calm)),
      categories: uploadCategories({ backup, firmware: older }),
      seed,
    });
    const end = performance.now() + seconds * 1000;
    try {
      for (let round = 0; performance.now() < end && besetting.cases < inputs; round++) {
        await besetting.round(round, { milliseconds: roundMilliseconds, cases: inputs });
        health.check();
        await scanner.advance(31_000);
      }
    } catch (error) {
      throw new Error(`${again}\n${scanner.log.slice(-2000)}`, { cause: error });
    }
    console.log(
      `${again}: ${besetting.cases} inputs\n${besetting.tally}\nmemory ${health.memory.map(Math.round).join(' ')} MB`,
    );
    await until('connections to be given back', () => health.openFiles <= filesBefore + 3);
    expect(health.growth, health.memory.join(' ')).toBeLessThan(mostGrowth);
    for (const status of [0, 1]) expect(besetting.tally.status(status), again).toBeGreaterThan(0);

    await scanner.advance(31_000);
    const whole = await client.send({ method: 'PUT', path: '/api/parameterbackup', body: backup });
    expect(whole.httpStatus).toBe(200);
    expect(dataOf(await client.call('RestoreParameterBackup'))).toMatchObject({ RestoreResult: 0 });
    await expectTaken(client, 'LocationName', 'after the storm');
  },
  seconds * 1000 + 120_000,
);
