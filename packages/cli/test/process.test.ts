import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { FakeDevice } from '../../../tests/support/fake-device.js';

const bin = fileURLToPath(new URL('../bin/azimuth.js', import.meta.url));

let device: FakeDevice;

beforeEach(async () => {
  device = await FakeDevice.start();
});
afterEach(() => device.stop());

/** The command as a process of its own, from the build. */
function start(argv: readonly string[], nodeOptions: readonly string[] = []) {
  const env = { ...process.env, NODE_OPTIONS: '', AZIMUTH_DEVICE: device.url, AZIMUTH_PASSWORD: '' };
  return spawn(process.execPath, [...nodeOptions, bin, ...argv], { env });
}

async function outcome(child: ReturnType<typeof start>) {
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const [exitCode] = await once(child, 'close');
  return { stdout, stderr, exitCode: Number(exitCode) };
}

test('the command reads and ends by itself', async () => {
  expect(await outcome(start(['get', 'LocationName']))).toEqual({
    stdout: 'not defined\n',
    stderr: '',
    exitCode: 0,
  });
});

test('a failure sets the exit code of the process', async () => {
  const child = start(['set', 'LocationName', 'x']);
  child.stdin.end();
  const { stderr, exitCode } = await outcome(child);
  expect(exitCode).toBe(2);
  expect(stderr.split('\n')).toHaveLength(2);
});

test('a reader that has seen enough ends it quietly', async () => {
  const child = start(['get', 'LocationName']);
  child.stdout.destroy();
  expect(await outcome(child)).toMatchObject({ stderr: '', exitCode: 0 });
});

test('a failure that nobody reads keeps its exit code', async () => {
  const child = start(['get', 'Xyzzy']);
  child.stderr.destroy();
  expect(await once(child, 'exit')).toEqual([2, null]);
});

// Tells the address of every module that is loaded, on stderr.
const hook = `import { writeSync } from 'node:fs'; export async function load(url, context, next) {
  writeSync(2, url + '\\n'); return next(url, context); }`;
const spy = `import { register } from 'node:module'; register('data:text/javascript,${encodeURIComponent(hook).replaceAll("'", '%27')}');`;
const tellingModules = ['--import', `data:text/javascript,${encodeURIComponent(spy)}`];

/** The sources that the loaded files of the bundle are made of. */
function sourcesIn(stderr: string): string {
  const files = stderr.split('\n').filter((line) => /\/cli\/bundle\/(?!main-rolldown-runtime)/.test(line));
  return files
    .map((url) => readFileSync(new URL(`${url}.map`), 'utf8').split('"sourcesContent"')[0])
    .join('\n');
}

test.each([
  [['describe', 'LocationName'], ['model'], ['client', 'server', 'device']],
  [
    ['get', 'LocationName'],
    ['model', 'client'],
    ['server', 'device'],
  ],
  [['--help'], [], ['client', 'server', 'device']],
])('%j loads %j and leaves %j alone', async (argv, needed, unneeded) => {
  const { stderr, exitCode } = await outcome(start(argv, tellingModules));
  expect(exitCode).toBe(0);
  const sources = sourcesIn(stderr);
  expect(sources).toContain('../src/main.ts');
  for (const name of needed) expect(sources).toContain(`../../${name}/src/`);
  for (const name of unneeded) expect(sources).not.toContain(`../../${name}/src/`);
  expect(sources).not.toContain('node_modules/ws/');
});

test('watch alone loads what makes WebSockets', async () => {
  const { stderr } = await outcome(start(['watch', 'DeviceStatus'], tellingModules));
  expect(sourcesIn(stderr)).toContain('node_modules/ws/');
});

test.runIf(process.platform === 'linux')('output that cannot be written is one clear line', async () => {
  const full = openSync('/dev/full', 'w');
  onTestFinished(() => closeSync(full));
  const env = { ...process.env, AZIMUTH_DEVICE: device.url };
  const child = spawn(process.execPath, [bin, 'get', 'LocationName'], {
    env,
    stdio: ['ignore', full, 'pipe'],
  });
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr += String(chunk);
  });
  const [exitCode] = await once(child, 'close');
  expect(stderr).toMatch(/^azimuth: the output cannot be written: ENOSPC[^\n]*\n$/);
  expect(exitCode).toBe(74);
});
