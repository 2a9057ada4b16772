import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startScanner } from '../src/index.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Runs a program of Node that uses the built packages as others do, until it ends by itself. */
async function ended(program: string): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, output: stdout + stderr };
}

const use = `
  import { startScanner } from 'azimuth-scanner/testing';
  import { Scanner } from 'azimuth-scanner/client';
`;

const following = `
  const seen = [];
  const follow = async (stream) => { for await (const value of stream) seen.push(value); };
  const streams = [
    follow(scanner.client.events('DeviceStatus')),
    follow(scanner.client.changes()),
    follow(scanner.client.scans()),
  ];
  await scanner.client.write('LocationName', 'Gate 3');
  await scanner.advance(500);
`;

test.each([
  [
    'close',
    `const scanner = await startScanner(); ${following} await scanner.close(); await Promise.all(streams);`,
  ],
  [
    'close while its streams connect again',
    `const scanner = await startScanner(); ${following}
     await scanner.client.call('SoftReset', { ProcessorNbr: 0 }); await scanner.advance(100);
     await scanner.close(); await Promise.all(streams);`,
  ],
  [
    'close of a scanner that answers a client of its own kind no more',
    `const scanner = await startScanner({ clock: 'real' });
     const client = new Scanner({ url: scanner.url, password: 'servicelevel' });
     const other = (async () => { for await (const _ of client.events('DeviceStatus')); })();
     await client.read('DeviceStatus'); await scanner.close(); client.close(); await other;`,
  ],
  [
    'close while a reboot is waited out, which has failed then',
    `const scanner = await startScanner(); await scanner.client.call('SoftReset', { ProcessorNbr: 0 });
     const back = scanner.client.rebooted().catch((error) => { if (!String(error).includes('was closed')) throw error; });
     await scanner.close(); await back;`,
  ],
  [
    'close while a download is not read',
    `const scanner = await startScanner({ clock: 'real' }); await scanner.client.diagnose({}); await scanner.close();`,
  ],
])('after %s, nothing keeps the process alive', async (_, program) => {
  const { code, output } = await ended(`${use} ${program} console.log('closed');`);
  expect(output).toBe('closed\n');
  expect(code).toBe(0);
});

test('a stream of a scanner that is closed ends without an error, and so does a new one', async () => {
  const scanner = await startScanner();
  const events = scanner.client.events('DeviceStatus')[Symbol.asyncIterator]();
  expect((await events.next()).done).toBe(false);
  const next = events.next();
  await scanner.close();
  expect((await next).done).toBe(true);
  expect((await scanner.client.changes()[Symbol.asyncIterator]().next()).done).toBe(true);
});

test('events connect again by the clock of the scanner', async () => {
  const scanner = await startScanner();
  onTestFinished(() => scanner.close());
  const states: string[] = [];
  const events = scanner.client.events('DeviceStatus', { onState: (state) => states.push(state) });
  const iterator = events[Symbol.asyncIterator]();
  await iterator.next();
  // No other clock runs.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await scanner.client.call('SoftReset', { ProcessorNbr: 0 });
  // Two seconds for the boot, and the pauses between attempts.
  for (let second = 0; second < 60 && states.at(-1) !== 'reconnected'; second++) await scanner.advance(1000);
  expect(states).toEqual(['connected', 'lost', 'reconnected']);
});
