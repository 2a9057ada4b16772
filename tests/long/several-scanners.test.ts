import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@azimuth/test-support/client';
import { number, object, parse } from '@azimuth/test-support/json';
import { temporaryFolder } from '@azimuth/test-support/scanner-process';
import { until } from '@azimuth/test-support/waiting';
import { describe, expect, it, onTestFinished } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const numbers = [1, 2, 3, 4, 5];

/** The shell block of docs/simulation.md that starts several scanners. */
const [, section = ''] = readFileSync(join(root, 'docs/simulation.md'), 'utf8').split('## Several at once');
const [, script = ''] = /^```sh\n(.*?)^```$/ms.exec(section) ?? [];

interface Started {
  readonly ready: Readonly<Record<string, unknown>>;
  readonly log: string;
  readonly serial: unknown;
  readonly mac: unknown;
}

/** Runs the block as it is printed, in this folder; with Enter it ends. */
async function five(folder: string): Promise<{ scanners: readonly Started[]; end: () => Promise<void> }> {
  const readyFile = (n: number) => join(folder, 'hall', `${n}.ready`);
  for (const n of numbers) rmSync(readyFile(n), { force: true });
  writeFileSync(
    join(folder, 'azimuth'),
    `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'packages/cli/bin/azimuth.js')}" "$@"\n`,
    { mode: 0o755 },
  );
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('AZIMUTH_'));
  const shell = spawn('sh', ['-c', script], {
    cwd: folder,
    stdio: ['pipe', 'ignore', 'inherit'],
    env: {
      ...Object.fromEntries(inherited),
      PATH: [folder, process.env.PATH].join(delimiter),
      AZIMUTH_DNS_SD: 'off',
    },
  });
  const ended = once(shell, 'close');
  const end = async () => {
    shell.stdin.end('\n');
    await ended;
  };
  onTestFinished(end);
  const isReady = (n: number) =>
    existsSync(readyFile(n)) && readFileSync(readyFile(n), 'utf8').includes('\n');
  await until(() => numbers.every(isReady), 60_000);
  const scanners = numbers.map(async (n): Promise<Started> => {
    const ready = object(parse(readFileSync(readyFile(n), 'utf8')));
    const client = new Client(number(ready.http));
    const [serial, mac] = [await client.value('SerialNumber'), await client.value('EtherMACAddress')];
    return { ready, serial, mac, log: readFileSync(join(folder, 'hall', `${n}.log`), 'utf8') };
  });
  return { scanners: await Promise.all(scanners), end };
}

describe('five scanners that are started at once as docs/simulation.md says', () => {
  it('do not disturb each other, and each keeps its identity', async () => {
    const folder = temporaryFolder();
    const { scanners, end } = await five(folder);
    const ports = ['http', 'https', 'legacyA', 'legacyB', 'control'];
    const all = scanners.flatMap(({ ready }) => ports.map((port) => number(ready[port])));
    expect(new Set(all).size).toBe(ports.length * numbers.length);
    for (const { log } of scanners) {
      const lines = log.split('\n').filter((line) => line !== '');
      const levels = lines.map((line) => object(parse(line)).level);
      // 40 is a warning: of the factory passwords.
      expect(levels.filter((level) => number(level) > 30)).toEqual([40]);
    }
    expect(new Set(scanners.map(({ serial }) => serial)).size).toBe(numbers.length);
    expect(new Set(scanners.map(({ mac }) => JSON.stringify(mac))).size).toBe(numbers.length);
    await end();

    const again = await five(folder);
    expect(again.scanners.map(({ serial }) => serial)).toEqual(scanners.map(({ serial }) => serial));
    await again.end();
    const elsewhere = await five(temporaryFolder());
    expect(elsewhere.scanners.map(({ mac }) => mac)).toEqual(scanners.map(({ mac }) => mac));
  });
});
