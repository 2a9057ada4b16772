import { ethernet, isObject, LegacyScanMode, legacyProtocols } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { number } from '../../../tests/support/json.js';
import { Bench, type BenchOptions } from '../../../tests/support/service-test-bench.js';
import { until } from '../../../tests/support/waiting.js';
import { tableOf } from '../src/commands/discover.js';
import { azimuth } from './run.js';

const { EtherIPAddress, EtherIPMask, EtherAddressingMode } = ethernet.members;
/** Of the serial number 12345678. */
const mac = '00:06:77:ef:79:7c';

const start = (options: BenchOptions = {}) => Bench.start({ searchPort: 0, ...options });
const portOf = (bench: Bench) => number(bench.service.ports.search);
const ask = (bench: Bench, ...argv: readonly string[]) =>
  azimuth(
    'discover',
    ...['--address', '127.255.255.255', '--port', String(portOf(bench)), '--timeout', '0.4', '--no-dns-sd'],
    ...argv,
  );

describe('discover', () => {
  test('prints a table for people', async () => {
    const bench = await start();
    const { stdout, exitCode } = await ask(bench);
    const url = `http://127.0.0.1:${bench.httpPort}`;
    expect(stdout).toBe(
      [
        'MAC                URL                     CONFIGURED      TYPE         SERIAL    FIRMWARE  LOCATION',
        `${mac}  ${url}  192.168.0.1/24  picoScan1xx  12345678  2.4.4.0R  not defined`,
        '',
      ].join('\n'),
    );
    expect(exitCode).toBe(0);
  });

  test('prints a line of JSON a scanner for machines, its URL for --device among them', async () => {
    const bench = await start();
    await Bench.start({ serial: '2', searchPort: portOf(bench) });
    const { stdout } = await ask(bench, '--json');
    const lines = stdout
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(lines).toMatchObject([{ serialNumber: '2' }, { mac, serialNumber: '12345678' }]);
    const [, second] = lines;
    const url = isObject(second) ? String(second.url) : '';
    expect((await azimuth('get', 'SerialNumber', '--device', url)).stdout).toBe('12345678\n');
  });

  test('finds by DNS-SD alone what the device search must not tell', async () => {
    const bench = await start({ dnsSd: true, serial: '87654321' });
    const { parameters, network } = bench.service.device;
    parameters.change((change) =>
      change.set(legacyProtocols.members.EtherLegacyScanMode, LegacyScanMode.DISABLED),
    );
    network.activate();
    const search = () =>
      azimuth(
        'discover',
        ...['--address', '127.255.255.255', '--port', String(portOf(bench)), '--timeout', '0.4', '--json'],
      );
    let stdout = '';
    while (!stdout.includes('87654321')) stdout = (await search()).stdout;
    const line = stdout.split('\n').find((text) => text.includes('87654321')) ?? '';
    expect(JSON.parse(line)).toMatchObject({
      url: `http://127.0.0.1:${bench.httpPort}`,
      firmware: '2.4.4.0R',
    });
    expect(line).not.toContain('configuration');
  });

  test('shows scanners of one serial number, each with its URL', async () => {
    const one = await start();
    const two = await start({ searchPort: portOf(one) });
    const { stdout } = await ask(one);
    for (const { httpPort } of [one, two]) expect(stdout).toContain(`http://127.0.0.1:${httpPort} `);
    expect(stdout.match(new RegExp(mac, 'g'))).toHaveLength(2);
  });

  test('finds the web server of one at ::1 by DNS-SD, and has no URL without', async () => {
    const bench = await start({ dnsSd: true, serial: '87654322', network: { host: '::1' } });
    const search = async (...argv: readonly string[]) => {
      const given = ['--address', '127.0.0.1', '--port', String(portOf(bench)), '--timeout', '0.4', '--json'];
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
      url: `http://[::1]:${bench.httpPort}`,
      form: 'tagged',
    });
  });

  test('ends with code 3 where there is none', async () => {
    const bench = await start();
    const port = portOf(bench);
    await bench.service.close();
    const outcome = await azimuth(
      'discover',
      ...['--address', '127.0.0.1', '--port', String(port), '--timeout', '0.2', '--no-dns-sd'],
    );
    expect(outcome).toEqual({ stdout: '', stderr: 'azimuth: no scanner has answered\n', exitCode: 3 });
  });

  test.each([
    [['--address', 'gate'], '--address gate: expected an address like 192.168.0.255'],
    [['--set-address', 'x'], '--set-address takes MAC=ADDRESS/BITS[,GATEWAY] or MAC=dhcp'],
    [['--set-address', `${mac}=10.0.0.300/8`], '--set-address takes MAC=ADDRESS/BITS[,GATEWAY] or MAC=dhcp'],
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
    const bench = await start();
    const other = await Bench.start({ serial: '2', searchPort: portOf(bench) });
    const outcome = await ask(bench, '--set-address', `${mac}=10.0.3.4/16,10.0.0.1`);
    expect(outcome).toEqual({ stdout: '', stderr: '', exitCode: 0 });
    const { parameters, network } = bench.service.device;
    expect(parameters.stored(EtherIPAddress)).toEqual([10, 0, 3, 4]);
    expect(parameters.stored(EtherIPMask)).toEqual([255, 255, 0, 0]);
    await until(() => network.active.read(EtherIPAddress)[0] === 10);
    expect(other.service.device.read(EtherIPAddress)).toEqual([192, 168, 0, 1]);
    expect((await ask(bench)).stdout).toContain('10.0.3.4/16');
  });

  test('sets none of several that have this MAC address', async () => {
    const one = await start();
    const two = await start({ searchPort: portOf(one) });
    const { stderr, exitCode } = await ask(one, '--set-address', `${mac}=10.0.3.4/16`);
    expect(stderr).toContain(`2 scanners have the MAC address ${mac}`);
    for (const { httpPort, service } of [one, two]) {
      expect(stderr).toContain(`http://127.0.0.1:${httpPort}`);
      expect(service.device.read(EtherIPAddress)).toEqual([192, 168, 0, 1]);
    }
    expect(exitCode).toBe(2);
  });

  test('takes a MAC address as it may be written', async () => {
    const bench = await start();
    const outcome = await ask(bench, '--set-address', '00-06-77-EF-79-7C=10.0.3.4/16');
    expect(outcome).toEqual({ stdout: '', stderr: '', exitCode: 0 });
  });

  test('switches to DHCP', async () => {
    const bench = await start();
    expect((await ask(bench, '--set-address', `${mac}=dhcp`)).exitCode).toBe(0);
    expect(bench.service.device.parameters.stored(EtherAddressingMode)).toBe(1);
    expect((await ask(bench)).stdout).toContain('192.168.0.1/24 DHCP');
  });

  test('tells that it is too late', async () => {
    const bench = await start();
    bench.clock.advance(60_000);
    const { stderr, exitCode } = await ask(bench, '--set-address', `${mac}=10.0.3.4/16`);
    expect(stderr).toContain('does not accept an address from search tools now');
    expect(exitCode).toBe(1);
  });

  test('tells that the scanner is not there, and that it has not confirmed', async () => {
    const bench = await start();
    const missing = await ask(bench, '--set-address', '00:06:77:00:00:00=10.0.3.4/16');
    expect(missing).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('has answered') });
    const refused = await ask(bench, '--set-address', `${mac}=240.0.3.4/16`);
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
])('of %j no more is told than is known', (configuration, cell) => {
  const scanner = { mac: '00:06:77:0a:1b:2c', address: '127.0.0.1', ...(configuration && { configuration }) };
  const [, line = ''] = tableOf([scanner]).split('\n');
  expect(line.split(/ {2,}/).slice(0, 4)).toEqual([scanner.mac, '-', cell, '-']);
});
