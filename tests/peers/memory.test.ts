import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { expectDone } from '@azimuth/test-support/envelope';
import { ScannerFolder, type ScannerProcess } from '@azimuth/test-support/scanner-process';
import { expect, onTestFinished, test } from 'vitest';

/** Programs of Node that `npm run test:peers` has found: of Node 22. */
const nodes = (process.env.AZIMUTH_OTHER_NODES ?? '')
  .split(delimiter)
  .filter((program) => program !== '')
  .map((program) => [execFileSync(program, ['--version'], { encoding: 'utf8' }).trim(), program] as const)
  .filter(([version]) => version.startsWith('v22.'));

/** Memory of a process (MiB). */
function memoryOf(pid: number): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) / 1024;
}

/** The median of three. */
const middle = (numbers: readonly number[]) => [...numbers].sort((one, other) => one - other)[1] ?? 0;

test.each(nodes)(
  'on Node %s, a scanner takes less than 70 MiB idle and 80 MiB while it streams',
  async (_, node) => {
    // The C library keeps 1 or 2 MiB more or less, by where the system puts the memory of a process.
    const three = [new ScannerFolder(), new ScannerFolder(), new ScannerFolder()];
    const scanners = await Promise.all(three.map((folder) => folder.start([], { node })));
    const memory = () => middle(scanners.map(({ pid }) => memoryOf(pid)));
    // The first collection comes 15 s to 45 s after the start, and later on a busy machine.
    await expect.poll(memory, { timeout: 150_000, interval: 500 }).toBeLessThan(70);
    const received = await Promise.all(scanners.map(streamOf));
    const fewest = () => Math.min(...received.map((count) => count()));
    await expect.poll(fewest, { timeout: 60_000, interval: 500 }).toBeGreaterThan(3000);
    expect(memory()).toBeLessThan(80);
  },
  300_000,
);

/** Lets a scanner stream. Returns what tells the number of telegrams that have come. */
async function streamOf(scanner: ScannerProcess): Promise<() => number> {
  const receiver = createSocket('udp4').bind(0, '127.0.0.1');
  await once(receiver, 'listening');
  onTestFinished(() => void receiver.close());
  let telegrams = 0;
  receiver.on('message', () => telegrams++);
  const client = scanner.client();
  const to = { Protocol: 1, IPAddress: [127, 0, 0, 1], Port: receiver.address().port };
  expectDone(await client.write('ScanDataEthSettings', to));
  expectDone(await client.write('ScanDataEnable', true));
  return () => telegrams;
}
