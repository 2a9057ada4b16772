import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../src/mcp/command-process.js';

const limits = { seconds: 20, outputBytes: 1000 };

/** Runs a program of Node in place of the command. */
function run(source: string, more: Partial<Parameters<typeof runCommand>[0]> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'azimuth-mcp-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = join(folder, 'program.cjs');
  writeFileSync(program, source);
  const { signal } = new AbortController();
  return runCommand({
    program: [program],
    words: ['a', '--', '$(id)'],
    environment: { A: 'b' },
    limits,
    signal,
    ...more,
  });
}

test('a command gets its words, its environment and its standard input, and no shell', async () => {
  const source = `process.stdin.on('data', (input) => {
    console.log(JSON.stringify([process.argv.slice(2), process.env.A, process.env.PATH ?? null, String(input)]));
    console.error('remark');
    process.exitCode = 5;
  });`;
  const { stdout, stderr, end } = await run(source, { standardInput: 'points' });
  expect(JSON.parse(String(stdout))).toEqual([['a', '--', '$(id)'], 'b', null, 'points']);
  expect([stderr, end]).toEqual(['remark\n', { exitCode: 5 }]);
});

test.each([
  ['prints without end', 'for (;;) process.stdout.write("x".repeat(999));', {}, 'output'],
  ['takes too long', 'setInterval(() => {}, 1000);', { limits: { ...limits, seconds: 0.1 } }, 'time'],
  ['is cancelled', 'setInterval(() => {}, 1000);', { signal: AbortSignal.timeout(50) }, 'cancelled'],
] as const)('a command that %s is ended', async (_, source, more, interrupted) => {
  const { stdout, end } = await run(source, more);
  expect(end).toEqual({ interrupted });
  expect(stdout.length).toBeLessThanOrEqual(limits.outputBytes);
});

test('errors without end use a limited part of the memory', async () => {
  const { stderr, end } = await run('process.stderr.write("x".repeat(1e6));');
  expect([stderr.length, end]).toEqual([16 * 1024, { exitCode: 0 }]);
});
