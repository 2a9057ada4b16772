import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { freePort } from '@azimuth/test-support/free-port';
import { metric } from '@azimuth/test-support/health';
import { plainEnvironment, root, run, temporaryFolder } from '@azimuth/test-support/recipe-program';
import { ScannerFolder, type ScannerProcess } from '@azimuth/test-support/scanner-process';
import { framesOf } from '@azimuth/test-support/streams/frames';
import { profileOf, segmentSizes } from '@azimuth/test-support/streams/profiles';
import { imuOf } from '@azimuth/test-support/streams/pulses';
import { UdpReceiver } from '@azimuth/test-support/streams/receiver';
import { Setup } from '@azimuth/test-support/streams/virtual-scanner';
import { Subscriber } from '@azimuth/test-support/subscriber';
import { until } from '@azimuth/test-support/waiting';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';

const examples = join(root, 'examples', 'core-c');
const works = 3;
const fails = 7;
/** ms of three revolutions at 50 Hz, and what a busy machine adds. */
const threeRevolutions = 60;
const busy = 400;

/** Compiles a program of a core. Returns its path. */
async function compile(program: string, file: string): Promise<string> {
  const path = join(root, '.cache', program);
  const words = ['cc', '-std=c99', '-O2', '-Wall', '-Wextra', '-Wpedantic', '-Wconversion', '-Werror'];
  const { code, output } = await run([...words, `-I${examples}`, file, '-o', path, '-lm'], root);
  expect(code, output).toBe(0);
  return path;
}

let compiled: string;
beforeAll(async () => {
  compiled = await compile('wall-core', join(examples, 'wall-core.c'));
});

const cores: readonly (readonly [name: string, command: () => readonly string[]])[] = [
  ['C', () => [compiled]],
  // -S: without the packages that are installed on this machine.
  ['Python', () => ['python3', '-S', '-W', 'error', join(root, 'examples', 'core-python', 'wall_core.py')]],
];

function startCore(command: readonly string[], address: string): ChildProcess {
  const [program = '', ...words] = command;
  const child = spawn(program, [...words, address], {
    env: plainEnvironment,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** A scanner at 50 Hz that sends what a core measures. */
async function measuring(address: string, command: readonly string[]) {
  const scanner = await new ScannerFolder().start(['--serial', '23450001', '--core-socket', address]);
  const core = startCore(command, address);
  await until(() => scanner.log.includes('A measuring core is connected'));
  const setup = new Setup(scanner.client());
  await setup.profile(8);
  const receiver = await UdpReceiver.open();
  await setup.send('scan', 'UDP', receiver.port);
  await until(() => receiver.unread >= 5);
  const subscriber = await Subscriber.connect(scanner.httpPort ?? 0);
  const first = await subscriber.follow('DeviceStatus');
  if (first.DeviceStatus !== works) await statusComes(subscriber, works);
  return { scanner, core, receiver, subscriber };
}

/** Waits for a DeviceStatus. Returns how long that took, in ms. */
async function statusComes(subscriber: Subscriber, status: number): Promise<number> {
  const begun = performance.now();
  for (;;)
    if ((await subscriber.push('DeviceStatus')).DeviceStatus === status) return performance.now() - begun;
}

const linesOf = ({ log }: ScannerProcess): readonly { level: number; time: string; msg: string }[] =>
  log.split('\n').flatMap((line) => (line.endsWith('}') ? JSON.parse(line) : []));
/** When the scanner logged a message first, in ms. NaN if it did not. */
const timeOf = (scanner: ScannerProcess, message: string) =>
  Date.parse(linesOf(scanner).find(({ msg }) => msg === message)?.time ?? '');
/** What the scanner says of a core that this computer has not run in time. It is no fault of either. */
const late: readonly string[] = [
  'The measuring core is silent',
  'The measuring core did not complete a scan',
];
const errorsOf = (scanner: ScannerProcess) =>
  linesOf(scanner).flatMap(({ level, msg }) => (level === 50 ? msg : []));

describe.each(cores)('the example in %s', (_, command) => {
  test.each([
    ['a UNIX socket', async () => join(temporaryFolder(), 'core.sock')],
    ['TCP', async () => `127.0.0.1:${await freePort()}`],
  ])('measures the wall over %s, and each segment arrives', async (_, address) => {
    const { receiver, scanner } = await measuring(await address(), command());
    const telegrams = await receiver.next(500);
    // On a busy host, cores leave turns out. What they measure arrives as a whole.
    const frames = framesOf(telegrams);
    const sizes = segmentSizes(profileOf(8));
    const whole = frames.filter(({ segments }) => segments.map(({ beams }) => beams).join() === sizes.join());
    expect(whole.length).toBeGreaterThan(0.8 * frames.length);
    expect(frames.length).toBeGreaterThan(80);
    for (const { beams } of whole.slice(0, 2)) {
      for (const { angle, distance } of beams.filter(({ angle }) => Math.abs(angle) < 80))
        expect(Math.abs((distance[0] ?? 0) * Math.cos((angle * Math.PI) / 180) - 2000)).toBeLessThan(15);
    }
    const error = await metric(scanner, 'azimuth_core_time_error_seconds');
    expect(error).toBeGreaterThan(0);
    expect(error).toBeLessThan(0.02);
    expect(scanner.log).toMatch(/"clockErrorMicroseconds":\d+,"msg":"A measuring core is connected"/);
  });

  test('is told of by DeviceStatus within three revolutions when it is killed or stopped, and again when it is back', async () => {
    const address = join(temporaryFolder(), 'core.sock');
    const { scanner, core, subscriber } = await measuring(address, command());

    core.kill('SIGSTOP');
    expect(await statusComes(subscriber, fails)).toBeLessThan(threeRevolutions + busy);
    core.kill('SIGCONT');
    await statusComes(subscriber, works);

    core.kill('SIGKILL');
    expect(await statusComes(subscriber, fails)).toBeLessThan(threeRevolutions + busy);
    const next = startCore(command(), address);
    await statusComes(subscriber, works);
    // It was killed in the middle of a scan, or between two.
    expect(
      errorsOf(scanner).filter((error) => error !== 'The measuring core did not complete a scan'),
    ).toEqual(['The measuring core is silent']);

    // It is stopped for longer than the scanner waits for an answer. It connects again by itself.
    next.kill('SIGSTOP');
    await statusComes(subscriber, fails);
    await until(() => scanner.log.includes('The connection of the measuring core was closed'));
    next.kill('SIGCONT');
    await statusComes(subscriber, works);
  });

  test('is not blocked by a scanner that reads nothing: it drops scans, and goes on with new ones', async () => {
    const { scanner, receiver } = await measuring(join(temporaryFolder(), 'core.sock'), command());
    process.kill(scanner.pid, 'SIGSTOP');
    await new Promise((resolve) => setTimeout(resolve, 2000));
    process.kill(scanner.pid, 'SIGCONT');
    // Two seconds are 100 scans. The socket holds fewer of them.
    const frames = () =>
      receiver.all.flatMap((one) => (one.kind === 'scan' ? (one.segments[0]?.frame ?? 0) : []));
    const gap = () => Math.max(...frames().map((frame, at) => frame - (frames()[at - 1] ?? frame)));
    await until(() => gap() > 40);
    const after = receiver.all.length;
    await until(() => receiver.all.length > after + 100);
    expect(scanner.log).not.toMatch(/disconnected|was closed/);
  });

  test('comes back by itself after the scanner was killed', async () => {
    const address = join(temporaryFolder(), 'core.sock');
    const folder = new ScannerFolder();
    const flags = ['--core-socket', address];
    const scanner = await folder.start(flags);
    startCore(command(), address);
    await until(() => scanner.log.includes('A measuring core is connected'));
    await scanner.kill();
    const again = await folder.start(flags);
    await until(() => again.log.includes('A measuring core is connected'));
    expect(again.log).not.toMatch(/"level":50/);
  });
});

test('a core that sends garbage is told of by DeviceStatus within three revolutions', async () => {
  const address = join(temporaryFolder(), 'core.sock');
  // The core in Python, which sends garbage from the hundredth segment of each connection on.
  const program = [
    'import os, sys',
    `sys.path.insert(0, ${JSON.stringify(join(root, 'examples', 'core-python'))})`,
    "source = open(os.path.join(sys.path[0], 'wall_core.py')).read()",
    'count = \'self.count = getattr(self, "count", 0) + 1\'',
    "mad = count + '\\n        head = os.urandom(24) if self.count > 100 else struct.pack('",
    "source = source.replace('head = struct.pack(', mad).replace('import math', 'import math, os', 1)",
    "sys.argv = ['wall_core.py', sys.argv[1]]",
    'exec(compile(source, sys.argv[0], "exec"))',
  ].join('\n');
  const { scanner, subscriber } = await measuring(address, ['python3', '-c', program]);
  await statusComes(subscriber, fails);
  await statusComes(subscriber, works);
  await statusComes(subscriber, fails);
  const closed = timeOf(scanner, 'The connection of the measuring core was closed');
  expect(timeOf(scanner, 'The measuring core is silent') - closed).toBeLessThan(threeRevolutions + busy);
});

test('every message of azimuth-core.h arrives', async () => {
  const program = await compile('core-messages', join(root, 'tests', 'peers', 'core-messages.c'));
  const { scanner, receiver, subscriber } = await measuring(join(temporaryFolder(), 'core.sock'), [program]);
  // Its motor needs a second. In this time, it is not silent.
  const connected = timeOf(scanner, 'A measuring core is connected');
  const early = linesOf(scanner).filter(({ time }) => Date.parse(time) < connected + 1000);
  expect(early.filter(({ level }) => level === 50)).toEqual([]);
  const [telegram] = await receiver.next(1);
  const [segment] = telegram?.kind === 'scan' ? telegram.segments : [];
  expect(segment?.distance[0]).toEqual([3000, 0, 0]);
  await statusComes(subscriber, fails);
  await statusComes(subscriber, works);
  await until(() => scanner.log.includes('"text":"motor at speed"'));
  const errors = errorsOf(scanner).filter((error) => !late.includes(error));
  expect(errors).toEqual(['The measuring core reports an error']);
  const imu = await UdpReceiver.open();
  await new Setup(scanner.client()).send('imu', 'UDP', imu.port);
  const [motion] = imuOf(await imu.next(1));
  expect(motion).toMatchObject({ acceleration: [1, 2, 9.5], angularVelocity: [0.25, 0, 0] });
});
