import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePort } from '@azimuth/test-support/free-port';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What the README has a picture drawn into. */
const picture = join(root, 'scan.png');

/** The shell blocks of the README's first screen and of the page about curl, as a person would type them. */
const [start = '', ...blocks] = [
  ...shellBlocks(sectionOf(readFileSync(join(root, 'README.md'), 'utf8'), 'The first five minutes')),
  ...shellBlocks(readFileSync(join(root, 'docs', 'curl.md'), 'utf8')).filter((block) =>
    block.includes('post '),
  ),
];

describe('the first section of the README', () => {
  let port: number;
  let folder: string;
  let tools: string;
  let scanner: ChildProcess;

  beforeAll(async () => {
    port = await freePort();
    folder = mkdtempSync(join(tmpdir(), 'azimuth-readme-'));
    tools = mkdtempSync(join(tmpdir(), 'azimuth-tools-'));
    // Another port and folder than a person would get are all that differs from what is printed.
    const environment = {
      ...process.env,
      AZIMUTH_PORT: String(port),
      AZIMUTH_LEGACY_A_PORT: '0',
      AZIMUTH_LEGACY_B_PORT: '0',
      AZIMUTH_DATA: folder,
    };
    scanner = spawn('sh', ['-c', `exec ${start.trim()}`], {
      cwd: root,
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await lineWith(scanner, 'is ready');
  });

  afterAll(async () => {
    // Only npm is told; `close` comes when the scanner that it started has ended too.
    const ended = once(scanner, 'close');
    scanner.kill('SIGTERM');
    await ended;
    for (const made of [folder, tools]) rmSync(made, { recursive: true, force: true });
  });

  it('has a block that starts a scanner and one that uses it; the page about curl has another', () => {
    expect(start.trim()).toBe('npm start');
    expect(blocks).toHaveLength(2);
    for (const block of blocks) expect(promisedOutput(block).length).toBeGreaterThan(1);
  });

  it('works with azimuth as printed', async () => {
    const [block = ''] = blocks;
    rmSync(picture, { force: true });
    expect(await typed(block, port, standIns(tools))).toEqual(promisedOutput(block));
    expect(readFileSync(picture).subarray(1, 4).toString()).toBe('PNG');
    rmSync(picture);
  });

  it('works with curl and openssl as printed', async () => {
    const [, block = ''] = blocks;
    expect(await typed(block, port, standIns(tools))).toEqual(promisedOutput(block));
  });

  it('works with the replacements of both that are used on machines without them', async () => {
    const [, block = ''] = blocks;
    await typed("AZIMUTH_PASSWORD=servicelevel npx azimuth set LocationName 'Gate 3'", port);
    expect(await typed(block, port, standIns(tools, true))).toEqual(promisedOutput(block));
  });
});

/** The tools that the README takes for granted, on machines that lack them: a folder to put in front of PATH. */
function standIns(folder: string, always = false): string {
  for (const tool of ['curl', 'openssl']) {
    if (!always && spawnSync('sh', ['-c', `command -v ${tool}`]).status === 0) continue;
    const script = join(root, 'tests', 'support', 'stand-ins', `${tool}.mjs`);
    writeFileSync(join(folder, tool), `#!/bin/sh\nexec "${process.execPath}" "${script}" "$@"\n`, {
      mode: 0o755,
    });
  }
  return folder;
}

function sectionOf(markdown: string, heading: string): string {
  return markdown.split(/^## /m).find((section) => section.startsWith(heading)) ?? '';
}

function shellBlocks(markdown: string): string[] {
  return [...markdown.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
}

/** What the comments say that the commands print. */
function promisedOutput(block: string): string[] {
  return [...block.matchAll(/# prints: (.*)$/gm)].map(([, line = '']) => line);
}

async function typed(block: string, port: number, tools = ''): Promise<string[]> {
  const shell = spawn('sh', ['-e', '-c', block.replaceAll('8080', String(port))], {
    cwd: root,
    env: {
      ...process.env,
      PATH: [tools, process.env.PATH].filter(Boolean).join(delimiter),
      AZIMUTH_DEVICE: `http://127.0.0.1:${port}`,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  shell.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const [code] = await once(shell, 'close');
  expect(code, output).toBe(0);
  return output
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
}

async function lineWith(process: ChildProcess, text: string): Promise<void> {
  if (process.stdout === null) throw new Error('no output to wait for');
  for await (const line of createInterface({ input: process.stdout })) {
    if (line.includes(text)) return;
  }
  throw new Error(`the scanner ended without saying "${text}"`);
}
