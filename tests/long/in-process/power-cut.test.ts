import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/** A program that has nothing but a scanner without power: no port of it is open, and none of the program either. */
const program = `
  import { startScanner } from '@azimuth/testing';
  const faults = { faults: [{ kind: 'device-power-cut', at: 1000, for: 3000 }] };
  const scanner = await startScanner({ faults });
  await scanner.advance(2000);
  console.log(scanner.ports.http);
  await scanner.advance(10_000);
  console.log(await scanner.client.read('PowerOnCnt'));
  await scanner.close();
`;

it('a program lives on while the power of its scanner is off and time passes', async () => {
  const words = ['--input-type=module', '--eval', program];
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: root, timeout: 60_000 });
  expect(stdout).toBe('null\n2\n');
});
