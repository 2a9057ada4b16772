import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { onTestFinished } from 'vitest';
import { resolve } from '../../scripts/our-sources.mjs';

const cache = fileURLToPath(new URL('../../.cache', import.meta.url));

/** Makes a program for Node of a source and what it imports. Returns its path; it goes with the test. */
export async function bundledProgram(source: string): Promise<string> {
  await mkdir(cache, { recursive: true });
  // Below our folder, so that it finds the libraries.
  const folder = await mkdtemp(join(cache, 'test-program-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const program = await rolldown({
    input: source,
    platform: 'node',
    resolve,
    external: ['pg'],
    logLevel: 'silent',
  });
  const path = join(folder, 'program.mjs');
  await program.write({ file: path, format: 'es', codeSplitting: false });
  await program.close();
  return path;
}
