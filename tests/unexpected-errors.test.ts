import { expectDone, expectStatus } from '@azimuth/test-support/envelope';
import { temporaryFolder } from '@azimuth/test-support/files';
import { FleetProcess } from '@azimuth/test-support/fleet-process';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { until } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';

const failing = `--import=${new URL('./support/stand-ins/fail-when-told.mjs', import.meta.url).href}`;
const sources = ['a timer', 'an emitter', 'a tick', 'a microtask', 'a promise'];

test('uncaught errors are logged once each, set DeviceStatus 7, and do not end the scanner', async () => {
  const scannerFolder = new ScannerFolder();
  const scanner = await scannerFolder.start([], { env: { NODE_OPTIONS: failing } });
  const client = scanner.client({ keepAlive: true });
  expect(await client.value('DeviceStatus')).toBe(3);
  for (let round = 1; round <= 3; round++) {
    process.kill(scanner.pid, 'SIGUSR2');
    await until(async () => {
      const { text } = await client.send({ method: 'GET', path: '/metrics' });
      return text.includes(`azimuth_unexpected_errors_total{where="process"} ${round * sources.length}`);
    });
  }
  expect(await client.value('DeviceStatus')).toBe(7);
  expectDone(await client.write('LocationName', 'Gate 3'));
  client.close();
  await scanner.throughReboot(async () => expectDone(await scanner.client().call('RebootDevice')));
  expect(await scanner.client().value('DeviceStatus')).toBe(3);
  expect(await scanner.client().value('LocationName')).toBe('Gate 3');
  const { code, log } = await scanner.stop();
  expect(code).toBe(0);
  for (const source of sources) {
    const lines = log.split('\n').filter((line) => line.includes(`out of order: ${source}`));
    expect(lines, source).toHaveLength(1);
    expect(lines[0]).toContain('Unexpected error inside the scanner; the scanner continues');
    expect(lines[0]).toContain('"where":"process"');
  }
});

test('uncaught errors do not end a fleet, and are counted', async () => {
  const words = ['--count', '3', '--data', temporaryFolder()];
  const fleet = await FleetProcess.startWith({ NODE_OPTIONS: failing }, ...words);
  const scanner = fleet.scanner('10000001');
  await scanner.write('LocationName', 'not saved');
  for (let round = 1; round <= 2; round++) {
    process.kill(Number(fleet.child.pid), 'SIGUSR2');
    await until(async () => {
      const metrics = await (await fetch(`${fleet.url}/metrics`)).text();
      return metrics.includes(
        `azimuth_fleet_unexpected_errors_total{where="process"} ${round * sources.length}\n`,
      );
    });
  }
  expect(await scanner.read('LocationName')).toBe('not saved');
  expect(await fleet.scanner('10000003').read('DeviceStatus')).toBe(3);
  expect(await fleet.end('SIGTERM')).toBe(0);
});

test('an uncaught error before the scanner is ready ends the start', async () => {
  const exit = await new ScannerFolder().refuse([], { env: { NODE_OPTIONS: failing, FAIL_AT_START: 'yes' } });
  expect(exit.code).not.toBe(0);
  expect(exit.stdout).toBe('');
  expect(exit.log).toContain('out of order: the start');
});

test('an error of the archive library in a callback is status 3, and measuring goes on', async () => {
  const scanner = await new ScannerFolder().start([], {
    env: { NODE_OPTIONS: failing, FAIL_IN_ARCHIVE: 'yes' },
  });
  const client = scanner.client();
  for (let time = 0; time < 2; time++) {
    expectStatus(await client.call('DoDiagnosisDump', { DoRunlevelLoop: true }), 3);
    expect(await client.value('DeviceStatus')).toBe(7);
  }
  expect((await scanner.stop()).code).toBe(0);
});
