import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { array, number, object, parse } from '@azimuth/test-support/json';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { componentsOf, expectCycloneDx } from './cyclone-dx.js';
import { root, run } from './installed.js';

const folder = mkdtempSync(join(tmpdir(), 'azimuth-executable-'));
const azimuth = join(folder, 'azimuth');

beforeAll(() => run(process.execPath, [join(root, 'scripts', 'executable.mjs'), azimuth], root), 110_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts a scanner by the executable. Returns its URL. */
async function serve(...flags: string[]): Promise<string> {
  const data = mkdtempSync(join(folder, 'data-'));
  const words = ['serve', '--json', '--any-ports', '--data', data, ...flags];
  const child: ChildProcess = spawn(azimuth, words, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  if (child.stdout === null) throw new Error('no output to read');
  for await (const line of createInterface({ input: child.stdout })) {
    return `http://127.0.0.1:${number(object(parse(line)).http)}`;
  }
  throw new Error('it printed nothing');
}

test('one file is all: it answers REST, and serves the GUI, the description and a scene', async () => {
  expect(readdirSync(folder)).toEqual(['azimuth']);
  const url = await serve('--scene', 'gate');
  const page = await (await fetch(`${url}/`)).text();
  const [, script = ''] = /src="\.(\/assets\/[^"]+\.js)"/.exec(page) ?? [];
  const paths = [
    '/',
    script,
    '/docs',
    '/docs/page.js',
    '/docs/hashes/sha2.js',
    '/api/DeviceIdent',
    '/metrics',
  ];
  for (const path of paths) {
    const response = await fetch(`${url}${path}`);
    expect((await response.arrayBuffer()).byteLength, path).toBeGreaterThan(50);
    expect(response.status, path).toBe(200);
  }
  expect(await run(azimuth, ['get', 'DeviceStatus', '--device', url], folder)).toBe('3 DS_NormalOperation\n');
});

test('it runs itself for each tool of an assistant', async () => {
  const asked = spawn(azimuth, ['mcp'], { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] });
  onTestFinished(async () => {
    asked.stdin.end();
    await once(asked, 'exit');
  });
  const client = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  const call = { name: 'describe', arguments: { name: 'LocationName' } };
  for (const message of [
    { id: 1, method: 'initialize', params: client },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: call },
  ])
    asked.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const lines: string[] = [];
  for await (const line of createInterface({ input: asked.stdout })) {
    lines.push(line);
    if (lines.length === 2) break;
  }
  expect(object(parse(lines[1] ?? ''))).toMatchObject({ id: 2, result: { content: [{ type: 'text' }] } });
  expect(lines[1]).not.toContain('unknown command');
});

test('it runs a measuring core in a file of yours', async () => {
  const core = join(folder, 'core.mjs');
  writeFileSync(core, 'export default () => ({ start: () => undefined, stop: () => undefined });');
  const url = await serve('--core', core);
  expect((await fetch(`${url}/api/DeviceStatus`)).status).toBe(200);
});

test('it tells the licenses and the bill of materials of what is in it, with Node', async () => {
  const bill = parse(await run(azimuth, ['sbom'], folder));
  expectCycloneDx(bill);
  expect(array(object(bill).components)).toContainEqual(
    expect.objectContaining({ type: 'platform', name: 'node', version: process.versions.node }),
  );
  const licenses = await run(azimuth, ['licenses'], folder);
  for (const each of componentsOf(bill)) {
    const at = each.lastIndexOf('@');
    expect(licenses).toContain(`${each.slice(0, at)} ${each.slice(at + 1)} (`);
  }
});

test('it has the program of a scanner as it is, so that a start has nothing to unpack', () => {
  const bundle = join(root, 'packages', 'cli', 'bundle');
  const program = readdirSync(bundle).find((file) => /^serve-main-.*\.cjs$/.test(file)) ?? '';
  const begin = readFileSync(join(bundle, program)).subarray(0, 1000);
  expect(readFileSync(azimuth).includes(begin)).toBe(true);
});

test('it is little more than the program of Node', () => {
  expect(statSync(azimuth).size - statSync(process.execPath).size).toBeLessThan(12e6);
});
