import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { service } from '@azimuth/test-support/client';
import { object, parse } from '@azimuth/test-support/json';
import { ScannerFolder, type ScannerProcess } from '@azimuth/test-support/scanner-process';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const bin = join(root, 'packages', 'cli', 'bin', 'azimuth.js');

interface Outcome {
  readonly code: unknown;
  readonly causes: readonly unknown[];
  readonly report: Readonly<Record<string, unknown>>;
}

/**
 * Watches a scanner with the command as a process. That the machine of the tests is busy does not count.
 * @param stopped stops the process for a while
 */
async function watched(
  scanner: ScannerProcess,
  options: readonly string[],
  stopped?: (child: ChildProcessByStdio<null, Readable, Readable>) => Promise<void>,
): Promise<Outcome> {
  const device = `http://127.0.0.1:${scanner.httpPort}`;
  const words = ['timing', '--json', '--progress', '--aim', '--device', device, ...options];
  const child = spawn(process.execPath, [bin, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, AZIMUTH_PASSWORD: service.password },
  });
  const [stdout, [code]] = await Promise.all([
    text(child.stdout),
    once(child, 'close'),
    stopped?.(child) ?? text(child.stderr),
  ]);
  const report = object(parse(stdout));
  const { findings } = report;
  const causes = Array.isArray(findings) ? findings.map((finding) => object(finding).cause) : [];
  return {
    code,
    causes: stopped === undefined ? causes.filter((cause) => cause !== 'receiver-late') : causes,
    report,
  };
}

/** Starts a scanner with a plan of examples/timing. */
function startWith(...options: readonly string[]): Promise<ScannerProcess> {
  return new ScannerFolder().start(['--any-ports', ...options]);
}

const plan = (name: string) => join(root, 'examples', 'timing', name);

describe('azimuth timing, with a scanner in another process', () => {
  test('finds nothing wrong with one of them', async () => {
    const scanner = await startWith();
    const { causes, report } = await watched(scanner, ['--for', '15s']);
    expect(causes, JSON.stringify(report)).toEqual([]);
    const [scan] = Array.isArray(report.streams) ? report.streams.map((stream) => object(stream)) : [];
    expect(Number(object(scan?.drift).ppm)).toBeGreaterThan(-30);
    expect(Number(object(scan?.drift).ppm)).toBeLessThan(30);
    expect(Number(object(scan?.firstBeamToWholeScan).median)).toBeGreaterThan(50);
  });

  test.each(['lost-segments', 'lost-scans', 'duplicated', 'damaged', 'network-delay', 'stamp-jitter'])(
    'names %s, and nothing else',
    async (name) => {
      const scanner = await startWith('--faults', plan(`${name}.yaml`));
      const { causes, code, report } = await watched(scanner, ['--for', '10s']);
      expect([causes, code], JSON.stringify(report)).toEqual([[name], 5]);
    },
  );

  test('names a core that waits for 360°', async () => {
    const scanner = await startWith('--core', plan('whole-scans.mjs'));
    expect((await watched(scanner, ['--for', '5s'])).causes).toEqual(['whole-scans']);
  });

  test('names the drift of a clock', async () => {
    const scanner = await startWith('--clock-drift', '400');
    // In 15 s, the delays of a busy computer leave an uncertainty of 40 ppm.
    const { causes, report } = await watched(scanner, ['--for', '45s']);
    expect(causes).toEqual(['clock-drift']);
    expect(JSON.stringify(report)).toMatch(/(39\d|40\d) ppm too fast/);
  });

  test('does not blame the scanner if it was stopped itself', async () => {
    const scanner = await startWith();
    const { causes, report } = await watched(scanner, ['--for', '8s'], async (child) => {
      for await (const line of child.stderr) if (/ [45]\d ?%/.test(String(line))) break;
      child.kill('SIGSTOP');
      // The stop itself: so long it is late.
      await setTimeout(1000);
      child.kill('SIGCONT');
    });
    expect(causes).toEqual(['receiver-late']);
    expect(Number(object(report.lateness).longest)).toBeGreaterThan(900);
  });
});
