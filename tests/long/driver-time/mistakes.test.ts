import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { namedMistakes } from '@azimuth/test-support/driver-time';
import { temporaryFolder } from '@azimuth/test-support/files';
import { object, parse } from '@azimuth/test-support/json';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Runs the tests of the page, each with a driver that makes its mistake. */
async function failuresByFile(): Promise<ReadonlyMap<string, readonly unknown[]>> {
  const results = join(temporaryFolder(), 'results.json');
  const config = fileURLToPath(new URL('vitest.config.ts', import.meta.url));
  const words = ['vitest', 'run', '--config', config, '--reporter=json', `--outputFile=${results}`];
  const code = await new Promise((resolve) => {
    execFile('npx', words, { cwd: root }, (error) => resolve(error?.code ?? 0));
  });
  expect(code).toBe(1);
  const { testResults } = object(parse(readFileSync(results, 'utf8')));
  return new Map(
    list(testResults).map((result) => {
      const { name, assertionResults } = object(result);
      return [
        basename(String(name)),
        list(assertionResults).flatMap((each) => list(object(each).failureMessages)),
      ];
    }),
  );
}

test('each test of the page fails for a driver with the mistake named for it', async () => {
  const failures = await failuresByFile();
  expect([...failures.keys()].sort()).toEqual(namedMistakes.map(({ file }) => file).sort());
  for (const { mistake, file } of namedMistakes) {
    const messages = failures.get(file) ?? [];
    expect(messages, `${file} with ${mistake}`).toHaveLength(1);
    expect(String(messages[0]), `${file} with ${mistake}`).toContain('AssertionError');
  }
});
