import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, existsSync, openSync, writeSync } from 'node:fs';
import { createServer, Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listening } from '@azimuth/test-support/listening';
import { Reader, Served, serve, temporaryFolder } from '@azimuth/test-support/serve-process';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LineWriter } from '../../src/serve/line-writer.js';
import { logOn } from '../../src/serve/log.js';

const forms = [
  ['JSON', 'json', ['--json']],
  ['lines', 'lines', []],
] as const;

const isReady = (text: string) => text.includes('ready');

describe.each(forms)('a log of %s', (_, form, flags) => {
  test('whose reader goes away does not stop the scanner, which ends cleanly', async () => {
    const served = await Served.start({ flags });
    await new Reader(served.child.stdout).until(isReady);
    served.child.stderr?.destroy();
    await served.failLogins(10);
    expect(await served.name()).toBe('not defined');
    served.child.kill('SIGTERM');
    expect(await once(served.child, 'exit')).toEqual([0, null]);
  });

  test('that is not read does not delay the scanner, and states how much was lost', async () => {
    const { end, into } = unreadPipe();
    const log = logOn(new LineWriter({ fd: into, mostWaiting: 16 * 1024 }), form);
    const logins = 900;
    for (let login = 0; login < logins; login++) log.warn('A login failed', { login });

    const socket = new Socket({ fd: end, readable: true, writable: false });
    const reader = new Reader(socket);
    await reader.until((text) => text.includes('are missing'));
    log.warn('A login failed', { login: logins });
    await reader.until((text) => /are missing[^\n]*\n[^\n]*A login failed[^\n]*\n$/.test(text));
    const lost = Number(/\blines"?[=:](\d+)/.exec(reader.text)?.[1]);
    expect(lost).toBeGreaterThan(0);
    // In addition to the logins, one line reports missing parts.
    expect(linesOf(reader.text) + lost).toBe(logins + 1 + 1);
    await log.close();
    socket.destroy();
  });

  test('is written completely at a clean end', async () => {
    const { end, into } = unreadPipe();
    const served = await Served.start({ flags, stderr: into });
    closeSync(into);
    await new Reader(served.child.stdout).until(isReady);
    await served.failLogins(30);
    served.child.kill('SIGTERM');
    const log = new Reader(new Socket({ fd: end, readable: true, writable: false }));
    expect(await once(served.child, 'exit')).toEqual([0, null]);
    await log.until((text) => linesOf(text) === 31);
  });
});

test('a log that is never read does not delay the end', async () => {
  const { end, into } = unreadPipe();
  const served = await Served.start({ flags: ['--json'], stderr: into });
  closeSync(into);
  await new Reader(served.child.stdout).until(isReady);
  await served.failLogins(30);
  served.child.kill('SIGTERM');
  expect(await once(served.child, 'exit')).toEqual([0, null]);
  closeSync(end);
});

test('a log that is never read does not delay another kind of end', async () => {
  const { end, into } = unreadPipe();
  const log = fileURLToPath(new URL('../../dist/serve/log.js', import.meta.url));
  const script = `import { logTo } from ${JSON.stringify(log)};
    const log = logTo('lines');
    for (const name of ['one', 'two', 'three']) log.info(name);
    process.exit(3);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'ignore', into],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  expect(await once(child, 'exit')).toEqual([3, null]);
  closeSync(into);
  closeSync(end);
});

test('a log that cannot be written does not stop the scanner', async () => {
  const full = openSync('/dev/full', 'w');
  const served = await Served.start({ flags: ['--json'], stderr: full });
  closeSync(full);
  await new Reader(served.child.stdout).until(isReady);
  await served.failLogins(10);
  expect(await served.name()).toBe('not defined');
  served.child.kill('SIGTERM');
  expect(await once(served.child, 'exit')).toEqual([0, null]);
});

test('a refusal to start is written after the log, also if the log is read slowly', async () => {
  const { end, into } = unreadPipe();
  const port = await listening(createServer());
  const data = temporaryFolder();
  const flags = ['--data', data, '--port', `${port}`];
  // Too few for its connections: that is reported first.
  const child = serve({ before: 'ulimit -n 1000', flags, stderr: into });
  closeSync(into);
  // Passwords are stored after the first log line, and before the port is opened.
  await expect.poll(() => existsSync(join(data, 'credentials.json')), { timeout: 20_000 }).toBe(true);
  const log = new Reader(new Socket({ fd: end, readable: true, writable: false }));
  expect(await once(child, 'exit')).toEqual([1, null]);
  await log.until((text) => / WARN [^\n]*\nazimuth: Port \d+ on 127\.0\.0\.1 is in use\..*\n$/.test(text));
});

test('without a reader of its output the scanner runs', async () => {
  const served = await Served.start({ flags: ['--json'] });
  served.child.stdout?.destroy();
  // The report about passwords comes after the ready line.
  await new Reader(served.child.stderr).until((text) => text.includes('factory password'));
  expect(await served.name()).toBe('not defined');
  served.child.kill('SIGTERM');
  expect(await once(served.child, 'exit')).toEqual([0, null]);
});

function linesOf(text: string): number {
  return text.split('\n').length - 1;
}

/** A full pipe, filled with other data, without a reader so far. */
function unreadPipe() {
  const path = join(temporaryFolder(), 'pipe');
  execFileSync('mkfifo', [path]);
  const end = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const into = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  const page = Buffer.alloc(4096, '-');
  try {
    for (;;) writeSync(into, page);
  } catch (error) {
    expect(error).toMatchObject({ code: 'EAGAIN' });
  }
  return { end, into };
}
