import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allMethods, allParameters } from '@azimuth/model';
import { FakeDevice } from '@azimuth/test-support/fake-device';
import { temporaryFolder } from '@azimuth/test-support/serve-process';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { azimuth } from './run.js';

let north: FakeDevice;
let south: FakeDevice;

beforeEach(async () => {
  [north, south] = await Promise.all([FakeDevice.start(), FakeDevice.start()]);
  const path = join(temporaryFolder(), 'devices.yaml');
  writeFileSync(
    path,
    `devices:\n  hall/north: { url: "${north.url}" }\n  hall/south: { url: "${south.url}" }\n  yard/north: { url: "${north.url}" }\n`,
    { mode: 0o600 },
  );
  vi.stubEnv('AZIMUTH_DEVICES', path);
  vi.stubEnv('AZIMUTH_DEVICE', '');
  vi.stubEnv('AZIMUTH_PASSWORD', 'servicelevel');
});
afterEach(() => Promise.all([north.stop(), south.stop()]));

const allRequests = () => [...north.requests, ...south.requests];
const needsYes = /Nothing was sent: cannot ask for confirmation without a terminal: give --yes\n$/;
const losing = allMethods.filter(({ facts }) => facts.loses !== undefined);

/** The smallest request of a method, as words of the command line. */
const requests: Readonly<Record<string, readonly string[]>> = { SoftReset: ['ProcessorNbr=0'] };

test('the interface declares which calls lose data for good', () => {
  expect(losing.map(({ name }) => name).toSorted()).toEqual([
    'LoadApplicationDefaults',
    'LoadFactoryDefaults',
    'ResetDetectionHistory',
    'ResetScanMergeView',
    'RestoreParameterBackup',
    'RunFirmwareUpdate',
    'SoftReset',
    'mResetEncoderIncrement',
    'mResetOutputCounter',
    'removeCertificateBundle',
  ]);
});

describe('a call that loses data for good', () => {
  test.each(losing.map(({ name, facts }) => [name, facts.loses] as const))(
    '%s is refused without a terminal and without --yes, and says what is lost',
    async (name, loses) => {
      const { stdout, stderr, exitCode } = await azimuth('call', '@yard', name, ...(requests[name] ?? []));
      expect([stdout, exitCode]).toEqual(['', 2]);
      expect(stderr).toContain(`${name} at ${north.url} loses ${loses}, for good`);
      expect(stderr).toMatch(needsYes);
      expect(allRequests()).toEqual([]);
    },
  );

  test('is made with --yes', async () => {
    expect(await azimuth('call', '@yard', 'LoadFactoryDefaults', '--yes')).toEqual({
      stdout: '',
      stderr: '',
      exitCode: 0,
    });
    expect(north.requests).toEqual(['getChallenge', 'LoadFactoryDefaults']);
  });

  test.each(losing)('$name is described with what it loses', async ({ name, facts }) => {
    expect((await azimuth('describe', name)).stdout).toMatch(
      new RegExp(`^loses +${facts.loses}, for good$`, 'm'),
    );
    expect(JSON.parse((await azimuth('describe', name, '--json')).stdout)).toMatchObject({
      loses: facts.loses,
    });
  });

  test.each([
    [['certificate', 'remove', '@yard'], 'removeCertificateBundle'],
    [['reboot', '@hall/north', '--discard'], 'SoftReset'],
  ])('is the same behind %j', async (argv, method) => {
    const { stderr, exitCode } = await azimuth(...argv);
    expect(stderr).toContain(`${method} at ${north.url} loses `);
    expect(stderr).toMatch(needsYes);
    expect([exitCode, allRequests()]).toEqual([2, []]);
  });

  test('is reported as JSON with --json', async () => {
    const { stderr } = await azimuth('call', '@yard', 'ResetDetectionHistory', '--json');
    expect(JSON.parse(stderr)).toMatchObject({ error: expect.stringContaining('give --yes'), exitCode: 2 });
  });
});

describe('a reboot', () => {
  test.each([
    [['reboot', '@hall']],
    [['reboot', '@hall/*', '--wait']],
    [['reboot', '@hall/north', '@hall/south']],
    [['reboot', '@yard/*']],
    [['call', '@hall', 'RebootDevice']],
  ])('of several scanners is asked for first: %j', async (argv) => {
    const { stderr, exitCode } = await azimuth(...argv);
    expect(stderr).toMatch(
      /RebootDevice reboots (2 scanners \(hall\/north, hall\/south\)|http:\/\/127.0.0.1:\d+); /,
    );
    expect(stderr).toMatch(needsYes);
    expect([exitCode, allRequests()]).toEqual([2, []]);
  });

  test('of several scanners is made with --yes', async () => {
    expect((await azimuth('reboot', '@hall', '--yes')).exitCode).toBe(0);
    expect(north.requests).toEqual(['getChallenge', 'RebootDevice']);
    expect(south.requests).toEqual(['getChallenge', 'RebootDevice']);
  });

  test('of one scanner loses nothing, and is made at once', async () => {
    expect((await azimuth('reboot', '@hall/north')).exitCode).toBe(0);
    expect(north.requests).toEqual(['getChallenge', 'RebootDevice']);
  });
});

describe('a parameter that belongs to one scanner', () => {
  const words: Readonly<Record<string, string>> = {
    LocationName: 'Gate 3',
    EtherIPAddress: '192.168.0.7',
    EtherIPMask: '255.255.0.0',
    EtherIPGateAddress: '192.168.0.254',
    EtherAddressingMode: 'TX_IP_DHCP',
  };

  test('is one of these', () => {
    const own = allParameters.filter(({ facts }) => facts.ofOneScanner === true).map(({ name }) => name);
    expect(own.toSorted()).toEqual(Object.keys(words).toSorted());
  });

  test.each(Object.entries(words))('%s is not written to several unasked', async (name, value) => {
    const { stderr, exitCode } = await azimuth('set', '@hall', name, value);
    expect(stderr).toContain(
      `${name} belongs to one scanner, and 2 scanners (hall/north, hall/south) are about to get the same value`,
    );
    expect(stderr).toMatch(needsYes);
    expect([exitCode, allRequests()]).toEqual([2, []]);
    expect((await azimuth('describe', name)).stdout).toContain('one scanner alone');
  });

  test('is written to several with --yes', async () => {
    expect((await azimuth('set', '@hall', 'LocationName', 'x', '--yes')).exitCode).toBe(0);
    expect([north, south].map(({ values }) => values.get('LocationName'))).toEqual(['x', 'x']);
  });

  test('is written at once to one, also if a pattern has named it', async () => {
    expect((await azimuth('set', '@yard/*', 'LocationName', 'x')).exitCode).toBe(0);
    expect(north.values.get('LocationName')).toBe('x');
  });

  test('does not hold others up', async () => {
    for (const { values } of [north, south]) values.set('ScanDataEnable', false);
    expect((await azimuth('set', '@hall', 'ScanDataEnable', 'on')).exitCode).toBe(0);
    expect([north, south].map(({ values }) => values.get('ScanDataEnable'))).toEqual([true, true]);
  });
});
