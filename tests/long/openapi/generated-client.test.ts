import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from '@azimuth/test-support/json';
import { newest, scannerOf } from '@azimuth/test-support/openapi-scanner';
import { createClient } from '@hey-api/openapi-ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { callerProgram } from './caller-program.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const run = promisify(execFile);

/** A folder with a client that a public generator makes of what the scanner serves. */
async function generateClient(scanner: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'azimuth-client-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'client'));
  await createClient({
    input: `${scanner}/openapi.json`,
    output: { path: join(folder, 'client'), importFileExtension: '.js' },
    plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
    logs: { level: 'silent', file: false },
  });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  return folder;
}

const compilerOptions = {
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'nodenext',
  strict: true,
  skipLibCheck: true,
  noUncheckedIndexedAccess: true,
  types: ['node'],
  typeRoots: [join(root, 'node_modules', '@types')],
};

/** Compiles programs beside the generated client, by their names; answers what the compiler complains about. */
async function compile(folder: string, programs: Readonly<Record<string, string>>): Promise<string[]> {
  for (const [name, program] of Object.entries(programs)) writeFileSync(join(folder, name), program);
  const end = spawn(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], { cwd: folder });
  const complaints = await text(end.stdout);
  return complaints.split('\n').filter((line) => line !== '');
}

describe('a client that a public generator makes of the description', () => {
  const scanner = scannerOf(newest);

  test('compiles, and reads, logs in, writes and calls', { timeout: 180_000 }, async () => {
    const folder = await generateClient(scanner());
    const wrong = callerProgram
      .replace('LocationName: name', 'LocationName: 3')
      .replace('Protocol: 2', 'Protocol: 3');
    const complaints = await compile(folder, { 'caller.ts': callerProgram, 'wrong.ts': wrong });
    expect(complaints.filter((line) => !line.startsWith('wrong.ts'))).toEqual([]);
    expect(complaints).toHaveLength(2);
    expect(complaints.join()).toMatch(/Type 'number' is not assignable to type 'string'/);
    expect(complaints.join()).toMatch(/Type '3' is not assignable to type/);

    const { stdout } = await run(process.execPath, [join(folder, 'caller.js'), scanner()]);
    const destination = { Protocol: 2, IPAddress: [10, 0, 0, 7], Port: 2200 };
    expect(parse(stdout)).toEqual({
      name: ['picoScan', 'picoScan'],
      mode: 0,
      address: [192, 168, 0, 1],
      certificates: [],
      before: 'not defined',
      refused: { status: 4, message: 'Access Denied' },
      done: { status: 0, message: 'Ok' },
      after: 'Gate 3',
      stream: { ScanDataEthSettings: destination, ...destination },
      saved: true,
      stored: 'Gate 3',
      health: 'ok',
    });
  });
});
