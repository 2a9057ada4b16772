import { ethernet, isObject, LegacyScanMode, legacyProtocols } from '@azimuth/model';
import { number } from '@azimuth/test-support/json';
import { TestScanner, type TestScannerOptions } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import { describe, expect, test } from 'vitest';
import { scannerTable } from '../../src/commands/discover.js';
import { azimuth } from '../run.js';

const { EtherIPAddress, EtherIPMask, EtherAddressingMode } = ethernet.members;
/** The MAC address of the serial number 12345678. */
const mac = '00:06:77:ef:79:7c';

const start = (options: TestScannerOptions = {}) => TestScanner.start({ searchPort: 0, ...options });
const portOf = (testScanner: TestScanner) => number(testScanner.service.ports.search);
const discoverAt = (testScanner: TestScanner, ...argv: readonly string[]) =>
  azimuth(
    'discover',
    ...[
      '--address',
      '127.255.255.255',
      '--port',
      String(portOf(testScanner)),
      '--timeout',
      '0.4',
      '--no-dns-sd',
    ],
    ...argv,
  );

describe('discover', () => {
  test('prints a table', async () => {
    const testScanner = await start();
    const { stdout, exitCode } = await discoverAt(testScanner);
    const url = `http://127.0.0.1:${testScanner.httpPort}`;
    expect(stdout).toBe(
      [
        'MAC                URL                     CONFIGURED      TYPE         SERIAL    FIRMWARE  LOCATION',
        `${mac}  ${url}  192.168.0.1/24  picoScan1xx  12345678  2.4.4.0R  not defined`,
        '',
      ].join('\n'),
    );
    expect(exitCode).toBe(0);
  });

  test('with --json prints a line for each scanner, including its URL for --device', async () => {
    const testScanner = await start();
    await TestScanner.start({ serial: '2', searchPort: portOf(testScanner) });
    const { stdout } = await discoverAt(testScanner, '--json');
    const lines = stdout
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(lines).toMatchObject([{ serialNumber: '2' }, { mac, serialNumber: '12345678' }]);
    const [, second] = lines;
    const url = isObject(second) ? String(second.url) : '';
    expect((await azimuth('get', 'SerialNumber', '--device', url)).stdout).toBe('12345678\n');
  });

  test('finds by DNS-SD a scanner that does not answer the device search', async () => {
    const testScanner = await start({ dnsSd: true, serial: '87654321' });
    const {
      parameters,
      features: { network },
    } = testScanner.service.device;
    parameters.change((change) =>
      change.set(legacyProtocols.members.EtherLegacyScanMode, LegacyScanMode.DISABLED),
    );
    network.activate();
    const search = () =>
      azimuth(
        'discover',
        ...[
          '--address',
          '127.255.255.255',
          '--port',
          String(portOf(testScanner)),
          '--timeout',
          '0.4',
          '--json',
        ],
      );
    let stdout = '';
    while (!stdout.includes('87654321')) stdout = (await search()).stdout;
    const line = stdout.split('\n').find((text) => text.includes('87654321')) ?? '';
    expect(JSON.parse(line)).toMatchObject({
      url: `http://127.0.0.1:${testScanner.httpPort}`,
      firmware: '2.4.4.0R',
    });
    expect(line).not.toContain('configuration');
  });

  test('shows several scanners of one serial number, each with its URL', async () => {
    const one = await start();
    const two = await start({ searchPort: portOf(one) });
    const { stdout } = await discoverAt(one);
    for (const { httpPort } of [one, two]) expect(stdout).toContain(`http://127.0.0.1:${httpPort} `);
    expect(stdout.match(new RegExp(mac, 'g'))).toHaveLength(2);
  });

  test('finds a web server at ::1 by DNS-SD, and has no URL without DNS-SD', async () => {
    const testScanner = await start({ dnsSd: true, serial: '87654322', network: { address: '::1' } });
    const search = async (...argv: readonly string[]) => {
      const given = [
        '--address',
        '127.0.0.1',
        '--port',
        String(portOf(testScanner)),
        '--timeout',
        '0.4',
        '--json',
      ];
      const { stdout } = await azimuth('discover', ...given, ...argv);
      return stdout.split('\n').filter((line) => line.includes('87654322'));
    };
    const [alone = '', ...others] = await search('--no-dns-sd');
    expect(JSON.parse(alone)).not.toHaveProperty('url');
    expect(others).toEqual([]);
    let lines: readonly string[] = [];
    while (!lines.some((line) => line.includes('"url"'))) lines = await search();
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      url: `http://[::1]:${testScanner.httpPort}`,
      form: 'tagged',
    });
  });

  test('ends with code 3 if there is no scanner', async () => {
    const testScanner = await start();
    const port = portOf(testScanner);
    await testScanner.service.close();
    const outcome = await azimuth(
      'discover',
      ...['--address', '127.0.0.1', '--port', String(port), '--timeout', '0.2', '--no-dns-sd'],
    );
    expect(outcome).toEqual({ stdout: '', stderr: 'azimuth: no scanner answered\n', exitCode: 3 });
  });

  test.each([
    [['--address', 'gate'], '--address gate: expected an address like 192.168.0.255'],
    [['--set-address', 'x'], '--set-address: expected MAC=ADDRESS/BITS[,GATEWAY] or MAC=dhcp'],
    [
      ['--set-address', `${mac}=10.0.0.300/8`],
      '--set-address: expected MAC=ADDRESS/BITS[,GATEWAY] or MAC=dhcp',
    ],
    [['--set-address', `${mac}=10.0.0.3`], 'the number of bits of the network is missing'],
    [['--timeout', '0'], 'Expected a number from 0.05 to 600'],
  ])('refuses %j', async (argv, reason) => {
    const { stderr, exitCode } = await azimuth('discover', ...argv);
    expect(stderr).toContain(reason);
    expect(exitCode).toBe(2);
  });

  test('has examples in its help', async () => {
    const { stdout, exitCode } = await azimuth('discover', '--help');
    expect(stdout).toContain('azimuth discover --set-address 00:06:77:0a:1b:2c=192.168.0.7/24');
    expect(exitCode).toBe(0);
  });
});

describe('discover --set-address', () => {
  test('sets the address of one scanner, and it keeps it', async () => {
    const testScanner = await start();
    const other = await TestScanner.start({ serial: '2', searchPort: portOf(testScanner) });
    const outcome = await discoverAt(testScanner, '--set-address', `${mac}=10.0.3.4/16,10.0.0.1`);
    expect(outcome).toEqual({ stdout: '', stderr: '', exitCode: 0 });
    const {
      parameters,
      features: { network },
    } = testScanner.service.device;
    expect(parameters.stored(EtherIPAddress)).toEqual([10, 0, 3, 4]);
    expect(parameters.stored(EtherIPMask)).toEqual([255, 255, 0, 0]);
    await until(() => network.active.read(EtherIPAddress)[0] === 10);
    expect(other.service.device.read(EtherIPAddress)).toEqual([192, 168, 0, 1]);
    expect((await discoverAt(testScanner)).stdout).toContain('10.0.3.4/16');
  });

  test('refuses if several scanners have this MAC address', async () => {
    const one = await start();
    const two = await start({ searchPort: portOf(one) });
    const { stderr, exitCode } = await discoverAt(one, '--set-address', `${mac}=10.0.3.4/16`);
    expect(stderr).toContain(`2 scanners have the MAC address ${mac}`);
    for (const { httpPort, service } of [one, two]) {
      expect(stderr).toContain(`http://127.0.0.1:${httpPort}`);
      expect(service.device.read(EtherIPAddress)).toEqual([192, 168, 0, 1]);
    }
    expect(exitCode).toBe(2);
  });

  test('accepts a MAC address in several forms', async () => {
    const testScanner = await start();
    const outcome = await discoverAt(testScanner, '--set-address', '00-06-77-EF-79-7C=10.0.3.4/16');
    expect(outcome).toEqual({ stdout: '', stderr: '', exitCode: 0 });
  });

  test('switches to DHCP', async () => {
    const testScanner = await start();
    expect((await discoverAt(testScanner, '--set-address', `${mac}=dhcp`)).exitCode).toBe(0);
    expect(testScanner.service.device.parameters.stored(EtherAddressingMode)).toBe(1);
    expect((await discoverAt(testScanner)).stdout).toContain('192.168.0.1/24 DHCP');
  });

  test('reports that it is too late', async () => {
    const testScanner = await start();
    testScanner.clock.advance(60_000);
    const { stderr, exitCode } = await discoverAt(testScanner, '--set-address', `${mac}=10.0.3.4/16`);
    expect(stderr).toContain('does not accept an address from search tools now');
    expect(exitCode).toBe(1);
  });

  test('reports that there is no such scanner, or that it has not confirmed', async () => {
    const testScanner = await start();
    const missing = await discoverAt(testScanner, '--set-address', '00:06:77:00:00:00=10.0.3.4/16');
    expect(missing).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('answered') });
    const refused = await discoverAt(testScanner, '--set-address', `${mac}=240.0.3.4/16`);
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('did not confirm') });
  });
});

test.each([
  [{ address: '192.168.0.1', mask: '255.255.255.0', gateway: '0.0.0.0', dhcp: false }, '192.168.0.1/24'],
  [{ address: '192.168.0.1', mask: '255.255.255.255', dhcp: true }, '192.168.0.1/32 DHCP'],
  [{ address: '192.168.0.1', mask: '0.0.0.0' }, '192.168.0.1/0'],
  [{ address: '192.168.0.1', mask: '255.0.255.0' }, '192.168.0.1/255.0.255.0'],
  [{ address: '192.168.0.1' }, '192.168.0.1'],
  [{ mask: '255.255.255.0', dhcp: true }, 'DHCP'],
  [{}, '-'],
  [undefined, '-'],
])('for %j reports only what is known', (configuration, cell) => {
  const scanner = { mac: '00:06:77:0a:1b:2c', address: '127.0.0.1', ...(configuration && { configuration }) };
  const [, line = ''] = scannerTable([scanner]).split('\n');
  expect(line.split(/ {2,}/).slice(0, 4)).toEqual([scanner.mac, '-', cell, '-']);
});
