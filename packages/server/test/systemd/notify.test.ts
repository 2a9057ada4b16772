import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { LogBook } from '@azimuth/test-support/log-book';
import { expect, onTestFinished, test, vi } from 'vitest';
import { notifySystemd } from '../../src/systemd/notify.js';

/** A `systemd-notify` that writes each message into a file. */
function recorder(): () => readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'azimuth-systemd-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const messages = join(folder, 'messages');
  writeFileSync(messages, '');
  const program = `#!/bin/sh\nprintf '%s\\n' "$2" >> '${messages}'\n`;
  writeFileSync(join(folder, 'systemd-notify'), program, { mode: 0o755 });
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`);
  return () => readFileSync(messages, 'utf8').split('\n').slice(0, -1);
}

/** A program that systemd has started, as its variables say. */
async function started(variables: NodeJS.ProcessEnv, status = () => 'works') {
  const log = new LogBook();
  const environment = { NOTIFY_SOCKET: '/run/systemd/notify', ...variables };
  const systemd = await notifySystemd({ status, log, environment });
  onTestFinished(() => systemd?.stopping());
  return { systemd, log };
}

test('a program that systemd has not started tells nothing', async () => {
  const messages = recorder();
  expect(await notifySystemd({ status: () => 'works', log: new LogBook(), environment: {} })).toBeUndefined();
  expect(messages()).toEqual([]);
});

test('a status is sent again only when it has changed', async () => {
  const messages = recorder();
  let status = 'works\nwell';
  const { systemd } = await started({ WATCHDOG_USEC: '40000' }, () => status);
  const signs = () => messages().filter((each) => each === 'WATCHDOG=1').length;
  await expect.poll(signs).toBeGreaterThan(2);
  status = 'is dirty';
  await expect.poll(messages).toContain('STATUS=is dirty');
  systemd?.stopping();
  await expect.poll(messages).toContain('STOPPING=1');
  expect(messages().filter((each) => each !== 'WATCHDOG=1')).toEqual([
    'READY=1',
    'STATUS=works well',
    'STATUS=is dirty',
    'STOPPING=1',
  ]);
});

test('signs of life are for the process that systemd names', async () => {
  const messages = recorder();
  await started({ WATCHDOG_USEC: '40000', WATCHDOG_PID: String(process.pid) });
  await expect.poll(messages).toContain('WATCHDOG=1');
});

test('if the process that sends has ended, the next message starts another one, and the log says so', async () => {
  const messages = recorder();
  const { log } = await started({ WATCHDOG_USEC: '40000' });
  await expect.poll(messages).toContain('WATCHDOG=1');
  for (const pid of shells()) process.kill(pid, 'SIGKILL');
  await expect
    .poll(() => log.errors.map(({ message }) => message))
    .toEqual(['systemd was not told about the service']);
  const before = messages().length;
  await expect.poll(() => messages().length).toBeGreaterThan(before + 2);
});

/** The shells that this process has started. */
function shells(): readonly number[] {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8');
  const pids = children.trim().split(' ').map(Number);
  return pids.filter((pid) => readFileSync(`/proc/${pid}/comm`, 'utf8') === 'sh\n');
}
