import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { temporaryFolder } from '@azimuth/test-support/files';
import { expect, onTestFinished, test } from 'vitest';
import { FolderInUse, FolderStorage } from '../../src/index.js';
import { FolderLock } from '../../src/storage/folder-lock.js';
import { Child } from '../storage/child.js';

/** Name of the machine in a lock: with the namespace of process numbers. */
const host = `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;

/** Opens a folder for this process until the test ends. */
async function open(folder: string): Promise<FolderStorage> {
  const storage = await FolderStorage.open(folder);
  onTestFinished(() => storage.close());
  return storage;
}

function lockOf(folder: string): string {
  return readFileSync(join(folder, 'lock'), 'utf8');
}

/** Writes a lock of another process into a folder. */
function lock(folder: string, holder: Readonly<Record<string, unknown>> | string): void {
  writeFileSync(join(folder, 'lock'), typeof holder === 'string' ? holder : JSON.stringify(holder));
}

test('a folder that a process uses is refused, with what a person can do', async () => {
  const folder = temporaryFolder();
  const child = Child.open(folder);
  expect(await child.line()).toBe('open');
  const refused = FolderStorage.open(folder);
  await expect(refused).rejects.toThrow(FolderInUse);
  await expect(refused).rejects.toThrow(`${folder} is in use by process ${child.pid}. Stop that process`);
});

test('another process is refused the folder that this one uses', async () => {
  const folder = temporaryFolder();
  await open(folder);
  expect(await Child.open(folder).line()).toBe('FolderInUse');
});

test('one process cannot open a folder twice, one after the other or at once', async () => {
  const folder = temporaryFolder();
  await open(folder);
  await expect(FolderStorage.open(folder)).rejects.toThrow(FolderInUse);
  const other = temporaryFolder();
  const results = await Promise.allSettled([FolderStorage.open(other), FolderStorage.open(other)]);
  const opened = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  for (const storage of opened) onTestFinished(() => storage.close());
  const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  expect(opened).toHaveLength(1);
  expect(refusals).toEqual([expect.any(FolderInUse)]);
});

test('a folder that was closed is free, and does not contain the lock any more', async () => {
  const folder = temporaryFolder();
  const storage = await FolderStorage.open(folder);
  await storage.close();
  expect(readdirSync(folder)).toEqual([]);
  await open(folder);
});

test('a folder whose process was killed is taken over', async () => {
  const folder = temporaryFolder();
  const child = Child.open(folder);
  expect(await child.line()).toBe('open');
  await child.kill();
  expect(JSON.parse(lockOf(folder))).toMatchObject({ pid: child.pid });
  await open(folder);
  expect(JSON.parse(lockOf(folder))).toMatchObject({ pid: process.pid });
  expect(readdirSync(folder)).toEqual(['lock']);
});

test('a process that was killed and never collected by its parent holds no folder', async () => {
  const folder = temporaryFolder();
  const dead = spawn('sh', ['-c', 'sleep 1000 & echo $!; exec sleep 1000'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => {
    dead.kill('SIGKILL');
  });
  const [text] = await once(dead.stdout.setEncoding('utf8'), 'data');
  const pid = Number(text);
  const stat = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const started = `${stat()[19]}@${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}`;
  lock(folder, { pid, started, host });
  await expect(FolderStorage.open(folder)).rejects.toThrow(FolderInUse);
  process.kill(pid, 'SIGKILL');
  while (stat()[0] !== 'Z') await new Promise((resolve) => setImmediate(resolve));
  await open(folder);
});

test('the lock of a process that has ended is taken over', async () => {
  const ended = spawn(process.execPath, ['-e', '']);
  await once(ended, 'close');
  const folder = temporaryFolder();
  lock(folder, { pid: ended.pid, started: '1@boot', host });
  await open(folder);
  expect(JSON.parse(lockOf(folder))).toMatchObject({ pid: process.pid });
});

test('the lock of an earlier process whose number another one has now is taken over', async () => {
  const folder = temporaryFolder();
  const child = Child.open(temporaryFolder());
  await child.line();
  lock(folder, { pid: child.pid, started: '1@another boot', host });
  await open(folder);
  expect(JSON.parse(lockOf(folder))).toMatchObject({ pid: process.pid });
});

test.each(['', 'garbage', '{', '{}', 'null', '[1]', '7', '{"pid":"1","started":"","host":""}'])(
  'a lock that names no process ("%s") is taken over',
  async (content) => {
    const folder = temporaryFolder();
    lock(folder, content);
    await open(folder);
    expect(readdirSync(folder)).toEqual(['lock']);
  },
);

test('the lock of another process is not removed when the folder is closed', async () => {
  const folder = temporaryFolder();
  const storage = await FolderStorage.open(folder);
  lock(folder, 'of somebody else');
  await storage.close();
  expect(lockOf(folder)).toBe('of somebody else');
});

test('of several processes that find a stale lock at once, one acquires the folder', async () => {
  const folder = temporaryFolder();
  lock(folder, { pid: 2 ** 22 + 1, started: '1@boot', host });
  const children = Array.from({ length: 4 }, () => Child.open(folder));
  const said = await Promise.all(children.map((child) => child.line()));
  expect(said.toSorted()).toEqual([...Array(3).fill('FolderInUse'), 'open']);
  const winner = children[said.indexOf('open')];
  expect(JSON.parse(lockOf(folder))).toMatchObject({ pid: winner?.pid });
  await Promise.all(children.map((child) => child.kill()));
  expect(readdirSync(folder)).toEqual(['lock']);
});

test.each([
  ['another machine', `not-${host}`],
  ['a container of the same host name', `${hostname()} pid:[1]`],
])('the lock of %s holds while it is touched, and no longer', async (_, other) => {
  const folder = temporaryFolder();
  const elsewhere = { pid: process.pid, started: '', host: other };
  lock(folder, elsewhere);
  const touching = setInterval(() => utimesSync(join(folder, 'lock'), new Date(), new Date()), 5);
  await expect(FolderLock.acquire(folder, { heartbeat: 40 })).rejects.toThrow(FolderInUse);
  clearInterval(touching);
  expect(JSON.parse(lockOf(folder))).toEqual(elsewhere);
  const acquired = await FolderLock.acquire(folder, { heartbeat: 40 });
  expect(JSON.parse(lockOf(folder))).toMatchObject({ pid: process.pid, host });
  await acquired.release();
});

test('on a file system of several machines, the time of a lock is updated while it is held', async () => {
  const folder = temporaryFolder();
  const held = await FolderLock.acquire(folder, { heartbeat: 10, isShared: true });
  const old = new Date(0);
  utimesSync(join(folder, 'lock'), old, old);
  await expect.poll(() => statSync(join(folder, 'lock')).mtimeMs).toBeGreaterThan(0);
  await held.release();
});

test('on a disk of this machine, the lock is touched only when another container asks for it', async () => {
  const folder = temporaryFolder();
  const held = await FolderLock.acquire(folder, { heartbeat: 10 });
  const old = new Date(0);
  const lockTime = () => statSync(join(folder, 'lock')).mtimeMs;
  utimesSync(join(folder, 'lock'), old, old);
  const written = statSync(folder).mtimeMs;
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect([lockTime(), statSync(folder).mtimeMs]).toEqual([0, written]);
  writeFileSync(join(folder, 'lock.asked'), '');
  await expect.poll(lockTime).toBeGreaterThan(0);
  expect(readdirSync(folder)).toEqual(['lock']);
  await held.release();
});

test('a container is refused the folder that a process outside of it uses', async () => {
  const folder = temporaryFolder();
  const held = await FolderLock.acquire(folder, { heartbeat: 20 });
  // As another container sees it: the process cannot be looked up there.
  const elsewhere = { ...JSON.parse(lockOf(folder)), host: `${hostname()} pid:[1]` };
  lock(folder, elsewhere);
  await expect(FolderLock.acquire(folder, { heartbeat: 40 })).rejects.toThrow(FolderInUse);
  expect(readdirSync(folder)).toEqual(['lock']);
  await held.release();
});

test('many that find the same dead lock at once leave one holder', async () => {
  const ended = spawn(process.execPath, ['-e', '']);
  await once(ended, 'close');
  for (let round = 0; round < 10; round++) {
    const folder = temporaryFolder();
    lock(folder, { pid: ended.pid, started: '1@boot', host });
    const attempts = Array.from({ length: 8 }, () => FolderLock.acquire(folder));
    const results = await Promise.allSettled(attempts);
    const holders = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect(holders).toHaveLength(1);
    expect(readdirSync(folder)).toEqual(['lock']);
    for (const holder of holders) await holder.release();
  }
});

test('the claim of a process that has ended does not block the lock', async () => {
  const ended = spawn(process.execPath, ['-e', '']);
  await once(ended, 'close');
  const folder = temporaryFolder();
  const dead = { pid: ended.pid, started: '1@boot', host };
  lock(folder, dead);
  writeFileSync(join(folder, 'lock.claim'), JSON.stringify(dead));
  const acquired = await FolderLock.acquire(folder);
  expect(readdirSync(folder)).toEqual(['lock']);
  await acquired.release();
});
