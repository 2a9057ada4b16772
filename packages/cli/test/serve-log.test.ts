import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Reader, Served, temporaryFolder } from './serve-process.js';

const forms = [
  ['JSON', ['--json']],
  ['lines', []],
] as const;

const isReady = (text: string) => text.includes('ready');

describe.each(forms)('a log of %s', (_, flags) => {
  test('whose reader goes away leaves the scanner running, to a clean end', async () => {
    const served = await Served.start({ flags });
    await new Reader(served.child.stdout).until(isReady);
    served.child.stderr?.destroy();
    await served.failLogins(10);
    expect(await served.name()).toBe('not defined');
    served.child.kill('SIGTERM');
    expect(await once(served.child, 'exit')).toEqual([0, null]);
  });

  test('that nobody reads leaves the scanner running, and tells how much was lost', async () => {
    const { end, into } = unreadPipe();
    const served = await Served.start({ flags, stderr: into });
    closeSync(into);
    await new Reader(served.child.stdout).until(isReady);
    const logins = 1500;
    await served.failLogins(logins);
    expect(await served.name()).toBe('not defined');

    const socket = new Socket({ fd: end, readable: true, writable: false });
    const log = new Reader(socket);
    // More than the pipe held: what waited inside the scanner comes through too.
    await log.until((text) => text.length > 100_000);
    await served.failLogins(1);
    await log.until((text) => /are missing.*\n.*A login failed.*\n$/.test(text));
    const lost = Number(/\blines"?[=:](\d+)/.exec(log.text)?.[1]);
    expect(lost).toBeGreaterThan(0);
    // Beside the logins one line tells of factory passwords, and one of what is missing.
    expect(linesOf(log.text) + lost).toBe(logins + 1 + 2);
    socket.destroy();
  });

  test('is handed over whole at a clean end', async () => {
    const { end, into } = unreadPipe();
    const served = await Served.start({ flags, stderr: into });
    closeSync(into);
    await new Reader(served.child.stdout).until(isReady);
    await served.failLogins(750);
    served.child.kill('SIGTERM');
    const log = new Reader(new Socket({ fd: end, readable: true, writable: false }));
    expect(await once(served.child, 'exit')).toEqual([0, null]);
    await log.until((text) => linesOf(text) === 751);
  });
});

test('without a reader of its output the scanner runs all the same', async () => {
  const served = await Served.start({ flags: ['--json'] });
  served.child.stdout?.destroy();
  // What is told of the passwords comes after the line that says that it is ready.
  await new Reader(served.child.stderr).until((text) => text.includes('Factory passwords'));
  expect(await served.name()).toBe('not defined');
  served.child.kill('SIGTERM');
  expect(await once(served.child, 'exit')).toEqual([0, null]);
});

function linesOf(text: string): number {
  return text.split('\n').length - 1;
}

/** A pipe that holds 64 KiB, and that nobody reads yet. */
function unreadPipe() {
  const path = join(temporaryFolder(), 'pipe');
  execFileSync('mkfifo', [path]);
  const end = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return { end, into: openSync(path, 'w') };
}
