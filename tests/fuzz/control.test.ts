import { expect, test } from 'vitest';
import { Client } from '../support/client.js';
import { Health } from '../support/health.js';
import { array, object, parse, string } from '../support/json.js';
import { Bench } from '../support/scanner-process.js';
import { until } from '../support/until.js';
import { expectTaken } from '../support/values.js';
import { Besetting } from './besetting.js';
import { controlCategories } from './control-commands.js';
import { extentOf } from './extent.js';
import { Calm, Lane } from './lane.js';

const { seed, inputs, seconds, again } = extentOf({ inputs: 10_000, seconds: 10 });

const lanes = 8;
const roundMilliseconds = 1000;
/** More than this (MB) from one part of the run to the next is a leak. */
const mostGrowth = 64;

test(
  `whatever comes in at the control port, ${inputs} inputs or ${seconds} s (seed ${seed}): an answer in JSON, or a closed connection`,
  async () => {
    const scanner = await new Bench().start([], { env: { NODE_OPTIONS: '--max-old-space-size=160' } });
    const control = new Client(scanner.controlPort);
    const shown = async (path: string) => (await control.send({ method: 'GET', path })).text;
    const commands = array(object(parse(await shown('/'))).commands).map(string);
    const scene = await shown('/scene');
    const health = new Health(scanner);
    const filesBefore = health.openFiles;
    const calm = new Calm(scanner);
    const besetting = new Besetting({
      lanes: Array.from({ length: lanes }, () => new Lane(scanner.controlPort, calm, true)),
      categories: controlCategories(commands, scene),
      seed,
    });
    const end = performance.now() + seconds * 1000;
    try {
      for (let round = 0; performance.now() < end && besetting.cases < inputs; round++) {
        await besetting.round(round, { milliseconds: roundMilliseconds, cases: inputs });
        health.check();
        // Whatever was ordered: the scanner goes on, and comes back when its boot time is over.
        await scanner.control('/webserver', { enabled: true });
        await until('the scanner to be up', async () => {
          if (await scanner.isUp()) return true;
          await scanner.advance(scanner.bootTime * 1000);
          return false;
        });
      }
    } catch (error) {
      throw new Error(`${again}\n${scanner.log.slice(-2000)}`, { cause: error });
    }
    console.log(
      `${again}: ${besetting.cases} inputs\n${besetting.tally}\nmemory ${health.memory.map(Math.round).join(' ')} MB`,
    );
    await until('connections to be given back', () => health.openFiles <= filesBefore + 3);
    expect(health.growth, health.memory.join(' ')).toBeLessThan(mostGrowth);
    for (const status of [200, 400, 403, 404])
      expect(besetting.tally.status(status), again).toBeGreaterThan(0);

    // The web server may have been switched off in the last round: on again with the next boot.
    await scanner.control('/power-cycle');
    await scanner.boot();
    await expectTaken(scanner.client(), 'LocationName', 'after the storm');
  },
  seconds * 1000 + 120_000,
);
