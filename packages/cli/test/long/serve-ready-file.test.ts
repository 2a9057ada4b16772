import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ended, Reader, serve, temporaryFolder } from '@azimuth/test-support/serve-process';
import { expect, test } from 'vitest';

/** Starts a scanner with a ready file, and waits for its ready line. */
async function started(path: string, data = temporaryFolder()) {
  const child = serve({ flags: ['--any-ports', '--json', '--data', data, '--ready-file', path] });
  const stdout = new Reader(child.stdout);
  await stdout.until((text) => text.includes('\n'));
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await once(child, 'exit');
  };
  return { line: stdout.text, end };
}

test('the ready file holds the ready line, alone in its folder, until the scanner ends', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'ready.json');
  const scanner = await started(path);
  expect(readFileSync(path, 'utf8')).toBe(scanner.line);
  expect(readdirSync(folder)).toEqual(['ready.json']);
  // It has no secrets: another user may wait for it.
  expect(statSync(path).mode & 0o777).toBe(0o666 & ~process.umask());
  await scanner.end('SIGTERM');
  expect(readdirSync(folder)).toEqual([]);
});

test('the file of a scanner that was killed does not make the next one look ready', async () => {
  const path = join(temporaryFolder(), 'ready.json');
  const killed = await started(path);
  await killed.end('SIGKILL');
  expect(existsSync(path)).toBe(true);

  const next = await started(path);
  expect(readFileSync(path, 'utf8')).toBe(next.line);
  expect(next.line).not.toBe(killed.line);
});

test('a start that fails removes the file of an earlier scanner', async () => {
  const path = join(temporaryFolder(), 'ready.json');
  writeFileSync(path, 'of an earlier scanner');
  const data = '/dev/null/nothing';
  const { exitCode } = await ended(serve({ flags: ['--data', data, '--ready-file', path] }));
  expect(exitCode).toBe(1);
  expect(existsSync(path)).toBe(false);
});

test('a scanner leaves a ready file alone that another one has replaced', async () => {
  const path = join(temporaryFolder(), 'ready.json');
  const first = await started(path);
  const second = await started(path);
  await first.end('SIGTERM');
  expect(readFileSync(path, 'utf8')).toBe(second.line);
});

test('a ready file that cannot be written is one line, and nothing listens', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'taken'));
  const missing = join(folder, 'missing', 'ready.json');
  const taken = join(folder, 'taken');
  for (const [path, reason] of [
    [missing, `--ready-file ${missing} cannot be written: no such file or directory (ENOENT)`],
    [taken, `--ready-file ${taken}: there is already something that is no regular file`],
    ['', '--ready-file: expected the name of a file'],
  ] as const) {
    const data = join(folder, 'data');
    const child = serve({ flags: ['--any-ports', '--data', data, '--ready-file', path] });
    const { stdout, stderr, exitCode } = await ended(child);
    expect(stderr).toBe(`azimuth: ${reason}\n`);
    expect(stdout).toBe('');
    expect(exitCode).not.toBe(0);
    // The folder of the scanner is opened before anything listens.
    expect(existsSync(data)).toBe(false);
  }
});
