import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isObject } from '@azimuth/model';
import { Client } from '@azimuth/test-support/client';
import { number } from '@azimuth/test-support/json';
import { ended, Reader, serve, temporaryFolder } from '@azimuth/test-support/serve-process';
import { framesOf } from '@azimuth/test-support/streams/frames';
import { UdpReceiver } from '@azimuth/test-support/streams/receiver';
import { Setup } from '@azimuth/test-support/streams/virtual-scanner';
import { until } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';

const example = fileURLToPath(new URL('../../../examples/my-core.mjs', import.meta.url));
const text = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

/** A module with this content. */
function moduleOf(content: string): string {
  const path = join(temporaryFolder(), 'core.mjs');
  writeFileSync(path, content);
  return path;
}

const start = (...flags: readonly string[]) =>
  serve({ flags: ['--json', '--search-port', '0', '--no-dns-sd', '--data', temporaryFolder(), ...flags] });

/** A scanner of its own process that measures by this module, set up over REST. */
async function measuringBy(module: string): Promise<Setup> {
  const stdout = new Reader(start('--core', module).stdout);
  await stdout.until((told) => told.includes('\n'));
  const ready: unknown = JSON.parse(stdout.text);
  return new Setup(new Client(number(isObject(ready) ? ready.http : undefined)));
}

test('the example of the documentation measures what it says, run by azimuth serve', async () => {
  const scanner = await measuringBy(example);
  const receiver = await UdpReceiver.open();
  await scanner.send('scan', 'UDP', receiver.port);
  await until(() => receiver.unread > 50);
  const frames = framesOf(receiver.rest());
  const beams = frames.flatMap((frame) => frame.beams);
  expect(beams.length).toBeGreaterThan(500);
  for (const { distance } of beams) {
    const [nearest = 0, ...others] = distance;
    expect(others).toEqual([0, 0]);
    expect(Math.abs(nearest - 3000)).toBeLessThanOrEqual(1001);
  }
});

test('the example is what the documentation prints', () => {
  const [, printed] = /```js\n([\s\S]*?)```/.exec(text('docs/measuring-core.md')) ?? [];
  expect(printed).toBe(text('examples/my-core.mjs'));
});

test('a core that fails when it is started does not end the scanner', async () => {
  const failing = moduleOf(
    'export default async () => ({ start() { throw new Error("no laser"); }, stop() {} });',
  );
  const scanner = await measuringBy(failing);
  await scanner.send('scan', 'UDP', (await UdpReceiver.open()).port);
  await expect.poll(() => scanner.status()).toBe(7);
});

test.each([
  ['cannot be parsed', 'export default (', /cannot be loaded: SyntaxError: /],
  ['throws', 'throw new Error("no driver");', /cannot be loaded: Error: no driver$/m],
  [
    'exports no function',
    'export const core = 1;',
    /the default export must be a function, but is undefined$/m,
  ],
  [
    'exports a core and no function',
    'export default { start() {}, stop() {} };',
    /the default export must be a function, but is an object with start, stop$/m,
  ],
  [
    'fails in a timer of its own while its core is made',
    'setTimeout(() => { throw new Error("late"); }, 0); export default () => new Promise(() => {});',
    /failed while it was loaded: Error: late$/m,
  ],
  [
    'fails in a promise of its own while its core is made',
    'Promise.reject(new Error("lost")); export default () => new Promise(() => {});',
    /failed while it was loaded: Error: lost$/m,
  ],
  [
    'fails when it makes its core',
    'export default async () => { throw new Error("no laser\\nfound"); };',
    /its function failed: Error: no laser$/m,
  ],
  [
    'makes no core',
    'export default () => ({ begin() {} });',
    /its function must return a core with the methods start and stop, but returned an object with begin$/m,
  ],
  [
    'makes nothing',
    'export default async () => {};',
    /its function must return a core with the methods start and stop, but returned undefined$/m,
  ],
])('a module that %s ends the start with one line that names the file', async (_, content, reason) => {
  const module = moduleOf(content);
  const { stdout, stderr, exitCode } = await ended(start('--core', module));
  expect(stdout).toBe('');
  expect(stderr).toMatch(reason);
  expect(stderr).toContain(`--core ${module}: `);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(exitCode).toBe(2);
});

test('a module that is not there is named', async () => {
  const { stderr, exitCode } = await ended(start('--core', 'no-such-core.mjs'));
  expect(stderr).toMatch(/^azimuth: --core no-such-core\.mjs: cannot be loaded: .*no-such-core\.mjs/);
  expect(exitCode).toBe(2);
});

test.each([
  [['--core', example], '--core-socket and --core cannot be used together'],
  [['--scene', 'gate'], '--core-socket and --scene cannot be used together'],
  [['--replay', 'monday.pcap'], '--core-socket and --replay cannot be used together'],
  [['--clock', 'virtual'], '--core-socket cannot be used with --clock virtual or --time-factor'],
  [['--time-factor', '2'], '--core-socket cannot be used with --clock virtual or --time-factor'],
])('%j and --core-socket are refused together', async (others, reason) => {
  const { stderr, exitCode } = await ended(start('--core-socket', ':0', ...others));
  expect(stderr).toBe(`azimuth: ${reason}\n`);
  expect(exitCode).toBe(2);
});

test('a core socket where something else is ends the start with one line', async () => {
  const { stderr, exitCode } = await ended(start('--core-socket', example));
  expect(stderr).toBe(`azimuth: --core-socket: ${example}: there is already something that is no socket\n`);
  expect(exitCode).toBe(2);
});

test.each(['--scene', '--replay'])('%s and --core cannot be used together', async (other) => {
  const { stderr, exitCode } = await ended(start('--core', example, other, 'gate'));
  expect(stderr).toBe(`azimuth: --core and ${other} cannot be used together\n`);
  expect(exitCode).toBe(2);
});
