import { Client } from '@azimuth/test-support/client';
import { expectWritten } from '@azimuth/test-support/envelope';
import { array, object, parse, string } from '@azimuth/test-support/json';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { until } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';
import { controlCategories } from './control-commands.js';
import { env, extentOf, fuzz } from './fuzz-run.js';

const extent = extentOf({ inputs: 10_000, seconds: 10 });
const { seed, inputs, seconds, again } = extent;

test(
  `any input at the control port, ${inputs} inputs or ${seconds} s (seed ${seed}): a reply in JSON, or a closed connection`,
  async () => {
    const scanner = await new ScannerFolder().start([], { env });
    const control = new Client(scanner.controlPort);
    const shown = async (path: string) => (await control.send({ method: 'GET', path })).text;
    const commands = array(object(parse(await shown('/'))).commands).map(string);
    const scene = await shown('/scene');
    const counts = await fuzz(scanner, extent, {
      port: scanner.controlPort,
      mayBeBare: true,
      categories: controlCategories(commands, scene),
      // Whatever the commands did, the scanner comes back after its boot time.
      between: async () => {
        await scanner.control('/webserver', { enabled: true });
        await until(async () => {
          if (await scanner.isUp()) return true;
          await scanner.advance(scanner.bootTime * 1000);
          return false;
        });
      },
    });
    for (const status of [200, 400, 403, 404]) expect(counts.status(status), again).toBeGreaterThan(0);

    // The web server may have been switched off in the last round: on again with the next boot.
    await scanner.control('/power-cycle');
    await scanner.boot();
    await expectWritten(scanner.client(), 'LocationName', 'after the run');
  },
  seconds * 1000 + 120_000,
);
