import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dissector } from '@azimuth/bridge/wireshark';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { azimuth } from './run.js';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'azimuth-wireshark-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

/** Puts a program named tshark in front of all others. */
function fakeTshark(lines: string): void {
  const program = join(folder, 'tshark');
  writeFileSync(program, `#!/bin/sh\n${lines}\n`);
  chmodSync(program, 0o755);
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
}

test('writes the dissector to standard output, or into a file that is not there yet', async () => {
  expect((await azimuth('wireshark')).stdout).toBe(dissector());
  const file = join(folder, 'a.lua');
  expect((await azimuth('wireshark', file)).stdout).toBe(`${file}\n`);
  expect(readFileSync(file, 'utf8')).toBe(dissector());
});

test('replaces its own file, and that of another program only if it must', async () => {
  const file = join(folder, 'b.lua');
  writeFileSync(file, dissector().slice(0, 200));
  expect((await azimuth('wireshark', file)).stdout).toBe(`${file}\n`);
  writeFileSync(file, '-- of somebody else\n');
  expect((await azimuth('wireshark', file)).stderr).toContain('already exists; use --force');
  expect(readFileSync(file, 'utf8')).toBe('-- of somebody else\n');
  await azimuth('wireshark', file, '--force');
  expect(readFileSync(file, 'utf8')).toBe(dissector());
});

test('installs into the folder that tshark names, else into the usual one', async () => {
  const named = join(folder, 'named plugins');
  fakeTshark(`echo "Personal Plugins:    \t/elsewhere"; echo "Personal Lua Plugins:\t${named}"`);
  expect((await azimuth('wireshark', '--install')).stdout).toBe(`${join(named, 'azimuth.lua')}\n`);
  fakeTshark('exit 1');
  vi.stubEnv('HOME', folder);
  const usual = join(folder, '.local', 'lib', 'wireshark', 'plugins', 'azimuth.lua');
  expect((await azimuth('wireshark', '--install')).stdout).toBe(`${usual}\n`);
  expect((await azimuth('wireshark', '--install', 'c.lua')).stderr).toContain('not both');
});
