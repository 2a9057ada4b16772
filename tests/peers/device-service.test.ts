import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expectData, expectDone } from '@azimuth/test-support/envelope';
import { parse, string } from '@azimuth/test-support/json';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { Served } from '@azimuth/test-support/serve-process';
import { until } from '@azimuth/test-support/waiting';
import { expect, onTestFinished, test } from 'vitest';

const device = fileURLToPath(new URL('../../deploy/device/', import.meta.url));
const unit = readFileSync(join(device, 'azimuth.service'), 'utf8');

/** The values of a setting of the unit, in order. */
const settings = (name: string): readonly string[] =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);

const setting = (name: string): string => {
  const [value, ...others] = settings(name);
  if (value === undefined || others.length > 0) throw new Error(`${name} is not there once`);
  return value;
};

/** What a service tells its manager. */
class Messages {
  readonly texts: string[] = [];
  readonly socket: string;
  readonly #child: ChildProcess;

  private constructor(socket: string, child: ChildProcess) {
    this.socket = socket;
    this.#child = child;
  }

  static async listen(folder: string): Promise<Messages> {
    const socket = join(folder, 'notify');
    const program = fileURLToPath(new URL('service-manager.py', import.meta.url));
    const child = spawn('python3', [program, socket], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(async () => {
      child.kill();
      await once(child, 'exit');
    });
    const messages = new Messages(socket, child);
    messages.#read();
    await until(() => messages.texts.includes('bound'));
    messages.texts.length = 0;
    return messages;
  }

  /** The last status line. */
  get status(): string | undefined {
    return this.texts.findLast((text) => text.startsWith('STATUS='))?.slice('STATUS='.length);
  }

  count(text: string): number {
    return this.texts.filter((each) => each === text).length;
  }

  #read(): void {
    const { stdout } = this.#child;
    if (stdout === null) throw new Error('there is no output to read');
    createInterface({ input: stdout }).on('line', (line) => {
      this.texts.push(string(parse(line)));
    });
  }
}

const second = 1_000_000;

test('systemd is told when the ports are open, signs of life, the status, and the end', async () => {
  const folder = new ScannerFolder();
  const messages = await Messages.listen(folder.folder);
  const scanner = await folder.start([], {
    env: { NOTIFY_SOCKET: messages.socket, WATCHDOG_USEC: String(second / 2) },
  });
  await until(() => messages.count('WATCHDOG=1') >= 3);
  expect(messages.texts.slice(0, 3)).toEqual([
    'READY=1',
    `STATUS=DeviceStatus 3, http://127.0.0.1:${scanner.httpPort}`,
    'WATCHDOG=1',
  ]);
  expectDone(await scanner.client().call('SoftReset', { ProcessorNbr: 0 }));
  await until(() => messages.status === 'The scanner reboots');
  await scanner.boot();
  await until(() => messages.status?.startsWith('DeviceStatus 3') === true);
  const { code, log } = await scanner.stop();
  expect(code, log).toBe(0);
  await until(() => messages.texts.at(-1) === 'STOPPING=1');
});

test('signs of life end when the event loop hangs, although the process lives', async () => {
  const folder = new ScannerFolder();
  const messages = await Messages.listen(folder.folder);
  const core = join(folder.folder, 'hangs.mjs');
  writeFileSync(
    core,
    `process.once('SIGUSR2', () => { for (;;); });
     export default () => ({ start: () => undefined, stop: () => undefined });`,
  );
  const scanner = await folder.start(['--core', core], {
    env: { NOTIFY_SOCKET: messages.socket, WATCHDOG_USEC: String(second / 5) },
  });
  await until(() => messages.count('WATCHDOG=1') >= 3);
  process.kill(scanner.pid, 'SIGUSR2');
  // What is on its way arrives within this time.
  await new Promise((resolve) => setTimeout(resolve, 500));
  const before = messages.count('WATCHDOG=1');
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(messages.count('WATCHDOG=1')).toBe(before);
  expect(() => process.kill(scanner.pid, 0)).not.toThrow();
});

test('a process that systemd did not ask for signs of life gives none', async () => {
  const folder = new ScannerFolder();
  const messages = await Messages.listen(folder.folder);
  const env = { NOTIFY_SOCKET: messages.socket, WATCHDOG_USEC: String(second / 5), WATCHDOG_PID: '1' };
  await folder.start([], { env });
  await until(() => messages.texts.some((text) => text.startsWith('STATUS=')));
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(messages.count('WATCHDOG=1')).toBe(0);
});

test('the relay ends with its scanner, however that ends', async () => {
  const folder = new ScannerFolder();
  const messages = await Messages.listen(folder.folder);
  const scanner = await folder.start([], { env: { NOTIFY_SOCKET: messages.socket } });
  await until(() => messages.count('READY=1') === 1);
  const relays = childrenOf(scanner.pid);
  expect(relays).toHaveLength(1);
  await scanner.kill();
  await until(() => relays.every((pid) => !isRunning(pid)));
});

function childrenOf(pid: number): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
}

function isRunning(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

test('systemd finds no mistake in the unit, and few ways out of it', () => {
  const folder = new ScannerFolder();
  const file = join(folder.folder, 'azimuth.service');
  writeFileSync(file, unit.replace('/usr/bin/azimuth', process.execPath));
  const analyze = (...words: string[]) =>
    execFileSync('systemd-analyze', [...words, file], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  expect(analyze('verify', '--man=no', '--recursive-errors=no')).toBe('');
  const report = analyze('security', '--offline=true', '--no-pager', '--threshold=30');
  expect(report).toMatch(/Overall exposure level for azimuth.service: [0-2]\.\d OK/);
});

/** Starts a program as the unit does: its user has one right, and only its folder can be written. */
function asTheUnit(folder: string): readonly string[] {
  const right = setting('CapabilityBoundingSet');
  expect(setting('AmbientCapabilities')).toBe(right);
  expect(setting('ProtectSystem')).toBe('strict');
  expect(setting('NoNewPrivileges')).toBe('yes');
  const only = `-all,+${right.toLowerCase().replace('cap_', '')}`;
  const readOnlyRoot = [
    'mount --make-rprivate /',
    'mount --bind "$0" "$0"',
    'mount -o remount,bind,ro /',
    'mount -o remount,bind,rw "$0"',
    'exec "$@"',
  ].join(' && ');
  const user = ['--reuid=65534', '--regid=65534', '--clear-groups', '--no-new-privs'];
  const rights = [`--bounding-set=${only}`, `--inh-caps=${only}`, `--ambient-caps=${only}`];
  return ['unshare', '--mount', 'sh', '-c', readOnlyRoot, folder, 'setpriv', ...user, ...rights];
}

test('with a read-only root and the rights of the unit, it serves at a port below 1024, saves and starts again', async () => {
  const folder = new ScannerFolder();
  chownSync(folder.folder, 65534, 65534);
  chmodSync(folder.folder, Number.parseInt(setting('StateDirectoryMode'), 8));
  const launcher = asTheUnit(folder.folder);
  const start = () => folder.start(['--port', '999'], { launcher });
  const scanner = await start();
  expect(scanner.httpPort).toBe(999);
  expectDone(await scanner.client().write('LocationName', 'Gate 3'));
  expectData(await scanner.client().call('WriteEeprom'), { Success: true });
  await scanner.kill();
  const again = await start();
  expect(await again.client().value('LocationName')).toBe('Gate 3');
  expect((await again.stop()).code).toBe(0);
});

test('the commands of the page install the service, with its user and its rights', () => {
  const { folder } = new ScannerFolder();
  const board = join(folder, 'board');
  const files = join(folder, 'files');
  cpSync(device, files, { recursive: true });
  writeFileSync(join(files, 'azimuth'), '#!/bin/sh\n');
  mkdirSync(join(folder, 'bin'));
  const called = join(folder, 'called');
  writeFileSync(join(folder, 'bin', 'systemctl'), `#!/bin/sh\necho "$@" >> ${called}\n`, { mode: 0o755 });
  mkdirSync(join(board, 'etc'), { recursive: true });
  const [, , commands = ''] = readFileSync(join(device, 'README.md'), 'utf8').split('```sh\n');
  const [script = ''] = commands.split('```');
  // Everything goes to a folder in place of the root.
  const onBoard = script.replaceAll(/ (?=\/(?:usr|etc)\/)/g, ` ${board}`);
  const users = onBoard.replace(/^systemd-sysusers$/m, `systemd-sysusers --root=${board}`);
  expect(users).not.toBe(onBoard);
  const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}` };
  execFileSync('sh', ['-e', '-c', users], { cwd: files, env, stdio: ['ignore', 'pipe', 'pipe'] });
  expect(readFileSync(join(board, 'etc', 'passwd'), 'utf8')).toMatch(/^azimuth:.*:\/var\/lib\/azimuth:/m);
  const installed = readFileSync(join(board, 'etc', 'systemd', 'system', 'azimuth.service'), 'utf8');
  expect(installed).toBe(unit);
  expect(/^ExecStart=(\S+)/m.exec(installed)?.[1]).toBe('/usr/bin/azimuth');
  expect(statSync(join(board, 'usr', 'bin', 'azimuth')).mode & 0o777).toBe(0o755);
  expect(statSync(join(board, 'etc', 'azimuth', 'azimuth.env')).mode & 0o777).toBe(0o600);
  expect(readFileSync(called, 'utf8')).toBe('daemon-reload\nenable --now azimuth\nstatus azimuth\n');
});

test('where there is no journal, the log is rotated while the scanner writes it', async () => {
  const { folder } = new ScannerFolder();
  const log = join(folder, 'azimuth.log');
  const configuration = join(folder, 'logrotate.conf');
  const ours = readFileSync(join(device, 'azimuth.logrotate'), 'utf8').replace('/var/log/azimuth.log', log);
  writeFileSync(configuration, ours.replace('size 1M', 'size 1'), { mode: 0o644 });
  const served = await Served.start({ stderr: openSync(log, 'a') });
  await until(() => statSync(log).size > 0);
  execFileSync('logrotate', ['--state', join(folder, 'state'), configuration]);
  expect(readdirSync(folder)).toContain('azimuth.log.1.gz');
  expect(statSync(log).size).toBe(0);
  await served.failLogins(1);
  await until(() => statSync(log).size > 0);
  expect(readFileSync(log, 'latin1')).toMatch(/^\S+Z WARN A login failed /);
});
