import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { array, type JsonObject, number, object, parse, string } from '@azimuth/test-support/json';
import { describe, expect, it, onTestFinished } from 'vitest';

const script = fileURLToPath(new URL('../../../scripts/bench.mjs', import.meta.url));
const patience = 600_000;

interface Exit {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function bench(...args: readonly string[]): Promise<Exit> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    onTestFinished(() => {
      child.kill('SIGTERM');
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

function objects(value: unknown): JsonObject[] {
  return array(value).map(object);
}

function expectSpread(value: unknown, rounds: number): void {
  const { median, min, max, values } = object(value);
  expect(array(values)).toHaveLength(rounds);
  expect(number(min)).toBeLessThanOrEqual(number(median));
  expect(number(median)).toBeLessThanOrEqual(number(max));
}

describe('the benchmark', () => {
  it(
    'prints its measurements as text or JSON, and whether the targets were reached',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'azimuth-bench-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const file = join(folder, 'figures.json');
      const names = ['get', 'write', 'start', 'save', 'raycast', 'telegram', 'streams', 'growth'];
      const flags = ['--only', names.join(), '--rounds', '1', '--seconds', '0.1', '--json', file];
      const { code, stdout, stderr } = await bench(...flags);
      expect([0, 1], stderr).toContain(code);

      const told = object(parse(readFileSync(file, 'utf8')));
      expect(told).toMatchObject({ rounds: 1, seconds: 0.1, reached: code === 0 });
      expect(string(object(told.machine).node)).toBe(process.versions.node);
      const measurements = objects(told.measurements);
      expect(measurements.map(({ name }) => name)).toEqual(names);

      for (const { name, rows, ratios } of measurements) {
        const rounds = name === 'start' ? 2 : 1;
        expect(array(rows).length, string(name)).toBeGreaterThan(1);
        for (const { subject, figures } of objects(rows)) {
          expect(stdout).toContain(string(subject));
          for (const spread of Object.values(object(figures))) expectSpread(spread, rounds);
        }
        for (const { spread } of objects(ratios)) expectSpread(spread, rounds);
      }

      const targets = measurements.flatMap((measurement) => objects(measurement.targets));
      expect(targets.length).toBeGreaterThanOrEqual(10);
      expect(targets.every(({ reached }) => reached === true)).toBe(code === 0);
      for (const { name } of targets) expect(stdout).toContain(string(name));
    },
    patience,
  );

  it(
    'prints its usage and refuses unknown arguments',
    async () => {
      expect(await bench('--help')).toMatchObject({ code: 0, stdout: expect.stringContaining('Examples:') });
      const wrong = await bench('--only', 'speed');
      expect(wrong).toMatchObject({ code: 2, stdout: '' });
      expect(wrong.stderr).toContain('--only takes get, write');
      expect((await bench('--rounds', '0')).code).toBe(2);
    },
    patience,
  );
});
