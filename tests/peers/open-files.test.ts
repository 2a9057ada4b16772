import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { bundleOf, issue } from '@azimuth/test-support/certificates';
import { statusOf } from '@azimuth/test-support/client';
import { LegacyClient } from '@azimuth/test-support/legacy-client';
import type { RawConnection } from '@azimuth/test-support/raw-connection';
import { open } from '@azimuth/test-support/raw-connection';
import { ScannerFolder, type ScannerProcess } from '@azimuth/test-support/scanner-process';
import { UdpReceiver } from '@azimuth/test-support/streams/receiver';
import { Setup } from '@azimuth/test-support/streams/virtual-scanner';
import { Subscriber } from '@azimuth/test-support/subscriber';
import { until } from '@azimuth/test-support/waiting';
import { describe, expect, it, onTestFinished, test } from 'vitest';

test('with a low limit of open files, the limit of connections is lower, and half-open connections keep no client out', async () => {
  const scanner = await new ScannerFolder().start([], { launcher: ['prlimit', '--nofile=256:256'] });
  await until(() => scanner.log.includes('The limit of open files of this process is too low'));
  expect(scanner.log).toContain('"wanted":1024,"connections":72');
  await Promise.all(Array.from({ length: 400 }, () => open(Number(scanner.httpPort))));
  const client = scanner.client();
  expect(await client.value('LocationName')).toBe('not defined');
  expect(statusOf(await client.call('WriteEeprom'))).toBe(0);
});

test.each([24, 48, 64, 191])(
  'with a limit of %i open files, the start is refused in one line that says what to do',
  async (files) => {
    const { code, stdout, log } = await new ScannerFolder().refuse([], {
      launcher: ['prlimit', `--nofile=${files}:${files}`],
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(log).toMatch(
      new RegExp(`^azimuth: .*only ${files} files.*needs 192: raise the limit, with ulimit -n .*\\n$`),
    );
  },
);

test('the limit of open files that this line names is enough', async () => {
  const scanner = await new ScannerFolder().start([], { launcher: ['prlimit', '--nofile=192:192'] });
  expect(statusOf(await scanner.client().call('WriteEeprom'))).toBe(0);
});

/** Files that a process has open. */
function openFiles({ pid }: ScannerProcess): readonly number[] {
  return readdirSync(`/proc/${pid}/fd`).map(Number);
}

/** As many more files as the scanner may open while it is at its limit, beside what the connections of the test take. */
const left = 4;

/** A scanner that may open 80 more files than it needs now, with connections that hold all of them but a few. */
async function atItsLimit(flags: readonly string[] = []) {
  const scanner = await new ScannerFolder().start(flags);
  const client = scanner.client({ keepAlive: true });
  onTestFinished(() => client.close());
  expect(statusOf(await client.get('DeviceStatus'))).toBe(0);
  const before = openFiles(scanner);
  const limit = Math.max(...before) + 80;
  execFileSync('prlimit', ['--pid', `${scanner.pid}`, `--nofile=${limit}:`]);
  const taking: RawConnection[] = [];
  while (openFiles(scanner).length < limit - left) {
    const count = openFiles(scanner).length;
    taking.push(await open(Number(scanner.httpPort)));
    await until(() => openFiles(scanner).length > count);
  }
  const giveBack = async () => {
    for (const connection of taking) connection.destroy();
    await until(() => openFiles(scanner).length < before.length + 2 * left);
  };
  return { scanner, client, giveBack };
}

describe('a further file, while connections hold all but a few,', () => {
  it.each([
    ['CreateParameterBackup', undefined],
    ['DoDiagnosisDump', {}],
    ['setCertificateBundle', bundleOf([issue({ name: 'scanner' })])],
  ])('is not needed for %s', async (name, data) => {
    const { client } = await atItsLimit();
    expect(statusOf(await client.call(name, data))).toBe(0);
  });

  it('is not needed for data streams and teach-in', async () => {
    const { client } = await atItsLimit();
    const receiver = await UdpReceiver.open();
    await new Setup(client).send('scan', 'UDP', receiver.port);
    expect(await receiver.next(5)).toHaveLength(5);
    expect(statusOf(await client.call('StartTeachIn'))).toBe(0);
  });

  it.each([
    ['/metrics', 200],
    ['/openapi.json', 200],
    ['/docs', 200],
    ['/api/crown/file', 400],
  ])('is not needed for %s', async (path, httpStatus) => {
    const { client } = await atItsLimit();
    expect((await client.send({ method: 'GET', path })).httpStatus).toBe(httpStatus);
  });

  it('is not needed for events and legacy sessions', async () => {
    const { scanner } = await atItsLimit();
    const legacy = await LegacyClient.forTest(Number(scanner.readyLine.legacyA), 'A');
    expect((await legacy.request('sRN LocationName')).command).toBe('sRA');
    const subscriber = await Subscriber.connect(Number(scanner.httpPort));
    expect(await subscriber.follow('DeviceStatus')).toMatchObject({});
  });
});
