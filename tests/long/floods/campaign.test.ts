import { readFileSync } from 'node:fs';
import { bundleOf, issue } from '@azimuth/test-support/certificates';
import { expectData } from '@azimuth/test-support/envelope';
import { ScannerFolder, type ScannerProcess } from '@azimuth/test-support/scanner-process';
import { expect, test } from 'vitest';
import { attacksOn, publicPaths } from './attacks.js';
import { ScanLag } from './scan-lag.js';

/** ms for each attack in the long form (npm run campaign flood). The short form has fewer clients. */
const long = process.env.AZIMUTH_FLOOD_MS;
/** A command that starts the scanner in its own place, as `nice` does, where the machine is busy with other things. */
const launcher = process.env.AZIMUTH_FLOOD_LAUNCHER ?? '';
const only = process.env.AZIMUTH_FLOOD_ONLY ?? '';

/**
 * How long (ms) scan data may be held back by what a stranger sends. The short form runs beside other tests, which take the
 * processor from the scanner at times.
 */
const longest = long === undefined ? 1000 : 50;

function residentMegabytes({ pid }: ScannerProcess): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

test(
  'no input without a login, to any path or port, ends the scanner or delays its scan data',
  async () => {
    const scanner = await new ScannerFolder().start(
      [],
      launcher === '' ? {} : { launcher: launcher.split(' ') },
    );
    const client = scanner.client();
    expectData(await client.call('setCertificateBundle', bundleOf([issue()])), {
      success: true,
      errorCode: { error: 'None' },
    });
    const lag = await ScanLag.of(client);
    const all = await publicPaths(scanner);
    const paths = long === undefined ? all.filter((_, index) => index % 10 === 0) : all;
    const clients = long === undefined ? 8 : 300;
    const late: string[] = [];
    for (const { name, run } of attacksOn(scanner, { clients, paths })) {
      if (!name.includes(only)) continue;
      lag.reset();
      await run(Number(long ?? 15));
      const line = `${lag.worst.toFixed(1).padStart(8)} ms ${residentMegabytes(scanner).toFixed(0).padStart(6)} MB  ${name}`;
      if (long !== undefined) process.stdout.write(`${line}\n`);
      if (lag.worst > longest) late.push(line);
    }
    expect(await client.value('DeviceStatus')).toBe(3);
    lag.close();
    await scanner.stop();
    expect(late).toEqual([]);
  },
  long === undefined ? 300_000 : 7_200_000,
);
