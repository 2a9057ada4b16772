import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '@azimuth/model';
import { azimuth } from '@azimuth/test-support/command-process';
import { temporaryFolder } from '@azimuth/test-support/files';
import { FleetProcess } from '@azimuth/test-support/fleet-process';
import { until } from '@azimuth/test-support/waiting';
import { expect, onTestFinished, test } from 'vitest';

const serials = Array.from({ length: 12 }, (_, index) => String(10_000_001 + index));
/** All of them are in the same process at first. */
const streaming = serials.filter((_, index) => index % 2 === 0);

/** Where data streams may go. */
async function receiver(): Promise<number> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => new Promise((closed) => void socket.close(() => closed())));
  return socket.address().port;
}

/** The scanners of a process, by what it was told. */
function scannersOf(data: string, part: number): readonly string[] {
  const told: unknown = JSON.parse(readFileSync(join(data, `part-${part}`, 'serials.json'), 'utf8'));
  return Array.isArray(told) ? told.map(String) : [];
}

const countOf = (own: readonly string[], of: readonly string[]) =>
  own.filter((one) => of.includes(one)).length;

/** Everybody has what it had saved, sends if it did, and was switched on so many times. */
async function expectKept(fleet: FleetProcess, powerOns: number): Promise<void> {
  for (const serial of serials) {
    const scanner = fleet.scanner(serial);
    expect(await scanner.read('LocationName')).toBe(`kept ${serial}`);
    expect(await scanner.read('ScanDataEnable')).toBe(streaming.includes(serial));
    expect(await scanner.read('PowerOnCnt')).toBe(powerOns);
  }
}

test('scanners that stream are spread evenly at the next start, by any number of processes, and nothing is lost', async () => {
  const data = join(temporaryFolder(), 'data');
  const start = (processes: number) =>
    FleetProcess.start('--count', '12', '--data', data, '--processes', String(processes));
  const Port = await receiver();
  const first = await start(2);
  expect(countOf(scannersOf(data, 0), streaming)).toBe(6);
  for (const serial of serials) {
    const scanner = first.scanner(serial);
    await scanner.write('LocationName', `kept ${serial}`);
    await scanner.write('ScanDataEthSettings', { Protocol: 1, IPAddress: [127, 0, 0, 1], Port });
    await scanner.write('ScanDataEnable', streaming.includes(serial));
    await scanner.call('WriteEeprom');
  }
  expect(await first.end('SIGTERM')).toBe(0);
  const second = await start(2);
  for (const part of [0, 1]) {
    const own = scannersOf(data, part);
    expect([own.length, countOf(own, streaming)]).toEqual([6, 3]);
  }
  await until(async () => (await runningOf(second)) === 6);
  await expectKept(second, 2);
  expect(await second.end('SIGTERM')).toBe(0);
  const third = await start(3);
  for (const part of [0, 1, 2]) {
    const own = scannersOf(data, part);
    expect([own.length, countOf(own, streaming)]).toEqual([4, 2]);
  }
  await expectKept(third, 3);
  expect(await third.end('SIGTERM')).toBe(0);
  const alone = await start(1);
  for (const part of [0, 1, 2]) expect(existsSync(join(data, `part-${part}`))).toBe(false);
  await expectKept(alone, 4);
  const other = await azimuth(['fleet', 'run', '--count', '12', '--data', data, '--processes', '2']);
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining(data)]);
  expect(await alone.end('SIGTERM')).toBe(0);
  const again = await start(2);
  expect(existsSync(join(data, 'journal'))).toBe(false);
  for (const part of [0, 1]) expect(countOf(scannersOf(data, part), streaming)).toBe(3);
  await expectKept(again, 5);
  for (const processes of ['1', '2']) {
    const { code } = await azimuth([
      'fleet',
      'run',
      '--count',
      '12',
      '--data',
      data,
      '--processes',
      processes,
    ]);
    expect(code).toBe(2);
  }
  expect(await again.end('SIGTERM')).toBe(0);
});

/** How many run, without being asked. */
async function runningOf({ url }: FleetProcess): Promise<number> {
  const overview: unknown = await (await fetch(`${url}/fleet`)).json();
  return isObject(overview) && isObject(overview.states) ? Number(overview.states.running) : 0;
}

test('events of several processes are told as one stream, also after one of them was started again', async () => {
  const data = join(temporaryFolder(), 'data');
  const fleet = await FleetProcess.start('--count', '4', '--data', data, '--processes', '2');
  const all = azimuth(['fleet', 'events', '--json', '--fleet', fleet.url]);
  const text = async (path: string) => (await fetch(fleet.url + path)).text();
  const isFollowed = async () => (await text('/metrics')).includes('azimuth_fleet_event_followers 1\n');
  /** Whoever follows has the headers of the answer only when all processes are followed. */
  const allFollowed = async () => {
    const abort = new AbortController();
    await fetch(`${fleet.url}/fleet/events`, { signal: abort.signal });
    abort.abort();
  };
  await until(isFollowed);
  await allFollowed();
  await azimuth(['fleet', 'power-cycle', '*', '--fleet', fleet.url]);
  const children = readFileSync(`/proc/${fleet.child.pid}/task/${fleet.child.pid}/children`, 'utf8');
  process.kill(Number(children.split(' ', 1)[0]), 'SIGKILL');
  const isWaited = async () => (await text('/scanners')).includes('"waiting"');
  await until(isWaited);
  await until(async () => !(await isWaited()));
  await allFollowed();
  await azimuth(['fleet', 'stop', '*', '--fleet', fleet.url]);
  expect(await fleet.end('SIGTERM')).toBe(0);
  const { stdout, code } = await all;
  expect(code).toBe(3);
  const events = stdout
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
    .filter(isObject);
  for (const serial of serials.slice(0, 4)) {
    const own = events.filter(({ serialNumber }) => serialNumber === serial).map(({ event }) => event);
    expect(own.filter((event) => event === 'power-on')).toHaveLength(1);
    expect(own.filter((event) => event === 'power-off')).toHaveLength(2);
  }
});

test('the processes end with the command, also if that is killed', async () => {
  const data = join(temporaryFolder(), 'data');
  const start = () => FleetProcess.start('--count', '4', '--data', data, '--processes', '2');
  const first = await start();
  const children = readFileSync(`/proc/${first.child.pid}/task/${first.child.pid}/children`, 'utf8')
    .trim()
    .split(' ');
  expect(children).toHaveLength(2);
  await first.scanner('10000002').write('LocationName', 'kept');
  await first.scanner('10000002').call('WriteEeprom');
  expect(await first.end('SIGKILL')).toBe('SIGKILL');
  await until(() => children.every((child) => !existsSync(`/proc/${child}`)));
  const second = await start();
  expect(await second.scanner('10000002').read('LocationName')).toBe('kept');
});
