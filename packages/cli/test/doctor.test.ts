import { allVariables } from '@azimuth/model';
import { FakeDevice } from '@azimuth/test-support/fake-device';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { azimuth } from './run.js';

let device: FakeDevice;

beforeEach(async () => {
  device = await FakeDevice.start();
  for (const { name, type } of allVariables) device.values.set(name, type.initial);
  device.values.set('DeviceIdent', { Name: 'picoScan', Version: '2.4.4.0R' });
  device.values.set('DeviceStatus', 3);
  vi.stubEnv('AZIMUTH_DEVICE', device.url);
  vi.stubEnv('AZIMUTH_PASSWORD', 'servicelevel');
  vi.stubEnv('AZIMUTH_USER', '');
});
afterEach(() => device.stop());

const doctor = (...options: readonly string[]) => azimuth('doctor', '--no-discover', ...options);

function reportOf(stdout: string): { findings: { check: string; severity: string; fixable: boolean }[] } {
  return JSON.parse(stdout);
}

describe('azimuth doctor', () => {
  test('says in a line what is wrong and what to do, and ends with exit code 1', async () => {
    const { stdout, stderr, exitCode } = await doctor();
    expect(stdout).toContain(
      'problem  the scan data stream is off, so no program gets scans from it – azimuth set ScanDataEnable on\n',
    );
    expect(stderr).toBe('azimuth: there is a problem\n');
    expect(exitCode).toBe(1);
  });

  test('ends with exit code 0 if nothing worse than a warning is found', async () => {
    device.values.set('ScanDataFormat', 3);
    const { stdout, exitCode } = await doctor();
    expect(stdout).toContain('note     scan data has the format LMDscandata');
    expect(exitCode).toBe(0);
  });

  test.each(['nested', 'flat'] as const)('reads %s structs', async (structs) => {
    device.structs = structs;
    device.values.set('ScanDataEnable', true);
    device.values.set('ScanDataEthSettings', { Protocol: 1, IPAddress: [127, 0, 0, 1], Port: 0 });
    const { stdout } = await doctor('--json');
    expect(reportOf(stdout).findings).toContainEqual(
      expect.objectContaining({ check: 'scan-destination', severity: 'problem', fixable: true }),
    );
  });

  test('changes nothing and tries no password unless it is asked to', async () => {
    await doctor();
    expect(device.exchanges.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('logs in once with --login', async () => {
    const { stdout } = await doctor('--login', '--all');
    expect(stdout).toContain('Service can log in');
    expect(stdout).toContain('warning  Service has the password of the factory');
    expect(device.requests.filter((name) => name === 'checkCredentials')).toHaveLength(1);
  });

  test('reports a wrong password without printing it', async () => {
    vi.stubEnv('AZIMUTH_PASSWORD', 'opensesame');
    const { stdout, stderr, exitCode } = await doctor('--login', '--try-factory-passwords');
    expect(stdout).toContain('problem  Service cannot log in');
    expect(stdout + stderr).not.toContain('opensesame');
    expect(exitCode).toBe(1);
    expect(device.requests.filter((name) => name === 'checkCredentials')).toHaveLength(1);
  });

  test('needs a terminal to offer fixes', async () => {
    const { stderr, exitCode } = await doctor('--fix');
    expect(stderr).toContain('there is no terminal to ask at');
    expect(exitCode).toBe(2);
    expect(device.requests).toEqual([]);
  });

  test('says why nothing answers', async () => {
    await device.stop();
    const { stdout, stderr, exitCode } = await doctor();
    expect(stdout).toContain('problem  nothing runs at 127.0.0.1');
    expect(stderr).toContain('cannot be reached');
    expect(exitCode).toBe(3);
    device = await FakeDevice.start();
  });

  test('looks at several scanners, and goes on if one does not answer', async () => {
    const stopped = await FakeDevice.start();
    await stopped.stop();
    const { stdout, stderr, exitCode } = await doctor(
      '--device',
      device.url,
      '--device',
      stopped.url,
      '--json',
    );
    const reports = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(reports.map(({ scanner }) => scanner)).toEqual([device.url, stopped.url]);
    expect(reports[1].result.findings[0].check).toBe('answer');
    expect(stderr.match(/"exitCode":(\d+)/g)).toContain('"exitCode":3');
    expect(exitCode).not.toBe(0);
  });
});
