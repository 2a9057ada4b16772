import { dataOf } from '@azimuth/test-support/client';
import { expectData, expectWritten } from '@azimuth/test-support/envelope';
import { firmware } from '@azimuth/test-support/firmware';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { expect, test } from 'vitest';
import { env, extentOf, fuzz } from './fuzz-run.js';
import { uploadCategories } from './uploads.js';

const extent = extentOf({ inputs: 10_000, seconds: 10 });
const { seed, inputs, seconds, again } = extent;

test(
  `any upload, ${inputs} inputs or ${seconds} s (seed ${seed}): a reply, or a closed connection`,
  async () => {
    // The release that takes files without a token.
    const scanner = await new ScannerFolder().start(['--firmware', '2.2.0'], { env });
    const client = scanner.client();
    expectData(await client.call('CreateParameterBackup'), { Result: true });
    const { text } = await client.send({ method: 'GET', path: '/api/parameterbackup' });
    const backup = Buffer.from(text);
    // A valid file of an older release: the scanner never installs it.
    const older = firmware({ release: '2.1.0' });
    const counts = await fuzz(scanner, extent, {
      port: client.port,
      categories: uploadCategories({ backup, firmware: older }),
      between: () => scanner.advance(31_000),
    });
    for (const status of [0, 1]) expect(counts.status(status), again).toBeGreaterThan(0);

    await scanner.advance(31_000);
    const whole = await client.send({ method: 'PUT', path: '/api/parameterbackup', body: backup });
    expect(whole.httpStatus).toBe(200);
    expect(dataOf(await client.call('RestoreParameterBackup'))).toMatchObject({ RestoreResult: 0 });
    await expectWritten(client, 'LocationName', 'after the run');
  },
  seconds * 1000 + 120_000,
);
