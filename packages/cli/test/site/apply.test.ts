import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FakeDevice } from '@azimuth/test-support/fake-device';
import { temporaryFolder } from '@azimuth/test-support/serve-process';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { azimuth } from '../run.js';

let gate: FakeDevice;
let yard: FakeDevice;
let file: string;

beforeEach(async () => {
  const folder = temporaryFolder();
  file = join(folder, 'site.yaml');
  gate = await FakeDevice.start();
  yard = await FakeDevice.start();
  for (const [index, device] of [gate, yard].entries()) {
    device.values.set('SerialNumber', `2450000${index}`);
    device.values.set('DeviceIdent', { Name: 'picoScan', Version: '2.4.4.0R' });
    device.values.set('EtherIPAddress', [192, 168, 0, 7 + index]);
    device.values.set('ScanDataEthSettings', { Protocol: 1, IPAddress: [192, 168, 0, 10], Port: 2115 });
    device.values.set('ScanDataEnable', false);
    device.responses.set('WriteEeprom', { Success: true });
  }
  vi.stubEnv('AZIMUTH_PASSWORD', 'servicelevel');
  const devices = join(folder, 'devices.yaml');
  writeFileSync(devices, `devices:\n  gate:\n    url: ${gate.url}\n  yard:\n    url: ${yard.url}\n`, {
    mode: 0o600,
  });
  vi.stubEnv('AZIMUTH_DEVICES', devices);
});
afterEach(() => Promise.all([gate.stop(), yard.stop()]));

/** Returns the writes and saves, in order. */
function posted(device: FakeDevice): string[] {
  return device.exchanges
    .filter(({ method, endpoint }) => method === 'POST' && endpoint !== 'getChallenge')
    .map(({ endpoint }) => endpoint);
}

function portOf(device: FakeDevice): unknown {
  return device.values.get('ScanDataEthSettings');
}

const port = (number: number) => ({ Protocol: 1, IPAddress: [192, 168, 0, 10], Port: number });

describe('azimuth export', () => {
  test('writes what scanners share once, and what is of one scanner with that scanner', async () => {
    expect(await azimuth('export', '@gate', '@yard', file)).toMatchObject({ exitCode: 0 });
    const text = readFileSync(file, 'utf8');
    expect(text).toMatch(/^parameters:\n(?: {2}.*\n|\n)* {2}ScanDataEthSettings:\n/m);
    expect(text.match(/Port: 2115/g)).toHaveLength(1);
    expect(text).toContain('EtherIPAddress: 192.168.0.7');
    expect(text).toContain('EtherIPAddress: 192.168.0.8');
    expect(text).not.toMatch(/password|servicelevel/i);
  });

  test('brings a file up to date, and keeps its comments', async () => {
    await azimuth('export', '@gate', '@yard', file);
    writeFileSync(file, readFileSync(file, 'utf8').replace('Port: 2115', 'Port: 2115 # to the robot'));
    for (const device of [gate, yard]) device.values.set('ScanDataEthSettings', port(2120));
    expect((await azimuth('export', '@gate', '@yard', file)).exitCode).toBe(0);
    expect(readFileSync(file, 'utf8')).toContain('Port: 2120 # to the robot');
  });
});

describe('azimuth apply', () => {
  beforeEach(() => {
    writeFileSync(
      file,
      `parameters:
  ScanDataEthSettings:
    Port: 2116
  ScanDataEnable: on
scanners:
  gate:
    unit:
      LocationName: Gate 3
  yard: {}
`,
    );
  });

  test('writes, reads back, and saves only then; the second time nothing is to do', async () => {
    const { exitCode, stdout } = await azimuth('apply', file, '--yes');
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: 'gate  3 parameters written and saved\nyard  2 parameters written and saved\n',
    });
    expect([portOf(gate), portOf(yard)]).toEqual([port(2116), port(2116)]);
    expect(gate.values.get('LocationName')).toBe('Gate 3');
    expect(posted(gate).at(-1)).toBe('WriteEeprom');
    const endpoints = gate.requests;
    const written = endpoints.lastIndexOf('ScanDataEnable', endpoints.indexOf('WriteEeprom'));
    expect(gate.exchanges[written]?.method).toBe('GET');

    const before = posted(gate).length;
    expect((await azimuth('apply', file, '--yes')).stdout).toBe(
      'gate  nothing to change\nyard  nothing to change\n',
    );
    expect(posted(gate)).toHaveLength(before);
  });

  test('only shows what would change with --dry-run, and needs no password', async () => {
    vi.stubEnv('AZIMUTH_PASSWORD', '');
    const { exitCode, stdout } = await azimuth('apply', file, '--dry-run');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/gate {2}ScanDataEthSettings\.Port +2115 +→ 2116/);
    expect(stdout).toMatch(/gate {2}of this scanner alone:\ngate {4}LocationName {2}not defined → Gate 3/);
    expect([...posted(gate), ...posted(yard)]).toEqual([]);
  });

  test('tells by its exit code with --check if anything differs, without a password and without a write', async () => {
    vi.stubEnv('AZIMUTH_PASSWORD', '');
    const differs = await azimuth('apply', file, '--check');
    expect(differs.exitCode).toBe(5);
    expect(differs.stdout).toMatch(/yard {2}ScanDataEthSettings\.Port +2115 +→ 2116/);
    for (const device of [gate, yard]) {
      device.values.set('ScanDataEthSettings', port(2116));
      device.values.set('ScanDataEnable', true);
    }
    const alsoGate = await azimuth('apply', file, '--check', '--json');
    expect(alsoGate.exitCode).toBe(5);
    const lines = alsoGate.stdout
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(lines).toMatchObject([
      { scanner: 'gate', result: { changes: [{ name: 'LocationName' }] } },
      { scanner: 'yard', result: { changes: [] } },
    ]);
    gate.values.set('LocationName', 'Gate 3');
    expect(await azimuth('apply', file, '--check')).toMatchObject({
      exitCode: 0,
      stdout: 'gate  nothing to change\nyard  nothing to change\n',
    });
    expect([...posted(gate), ...posted(yard)]).toEqual([]);
  });

  test('compares with --check also what the level of the user may not write', async () => {
    writeFileSync(file, 'scanners:\n  gate:\n    parameters:\n      ScanDataEnable: on\n');
    expect((await azimuth('apply', file, '--check', '--user', 'Maintenance')).exitCode).toBe(5);
  });

  test('ends with the error of a scanner that --check cannot compare, not with 5', async () => {
    await yard.stop();
    const { exitCode, stdout } = await azimuth('apply', file, '--check');
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 3, stdout: expect.stringContaining('gate ') });
  });

  test('writes everything back if a scanner refuses a value, and goes on with the others', async () => {
    // It is read twice before. A refused value is tried once more after the others.
    const read = { data: { ScanDataEnable: false } };
    gate.prepare('ScanDataEnable', read, read, { status: 6 }, { status: 6 });
    const { exitCode, stdout, stderr } = await azimuth('apply', file, '--yes');
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /gate: .*ScanDataEnable.*Nothing was saved, and the values that were written are written back/,
    );
    expect(stderr).toContain('1 of 2 scanners failed');
    expect(portOf(gate)).toEqual(port(2115));
    expect(gate.values.get('LocationName')).toBe('not defined');
    expect(posted(gate)).not.toContain('WriteEeprom');
    expect(stdout).toBe('yard  2 parameters written and saved\n');
  });

  test('prints the commands for what could not be written back', async () => {
    writeFileSync(
      file,
      'scanners:\n  gate:\n    parameters:\n      ScanDataEthSettings: { Port: 2116 }\n      ScanDataEnable: on\n',
    );
    const { refused, taken } = { refused: { status: 6 }, taken: { status: 0 } };
    const read = (value: unknown) => ({ data: { ScanDataEthSettings: value } });
    const enable = { data: { ScanDataEnable: false } };
    // Both are read for the plan and before the first write. The second one is written, and never set back.
    gate.prepare('ScanDataEnable', enable, enable, refused, refused);
    gate.prepare('ScanDataEthSettings', read(port(2115)), read(port(2115)), taken, refused, refused);
    const { exitCode, stdout, stderr } = await azimuth('apply', file, '--yes');
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/1 value could not be written back/);
    expect(stdout).toMatch(/^azimuth set --device @gate ScanDataEthSettings '.*2115.*'\n$/);
  });

  test('shows what others have changed and not saved, as saving stores it, too', async () => {
    const stored = {
      LocationName: 'not defined',
      ScanDataEnable: false,
      ScanDataEthSettings: port(2115),
      EtherIPAddress: [192, 168, 0, 99],
    };
    gate.prepare('/x/stored', { data: { stored } });
    const { stdout } = await azimuth('apply', '@gate', file, '--dry-run');
    expect(stdout).toMatch(
      /changed by others and not saved; this saves it, too:\n\s+EtherIPAddress {2}192\.168\.0\.99 → 192\.168\.0\.7/,
    );
  });

  test.each([
    ['parameters:\n  ScanDataEthSettings:\n    Prt: 2116\n', /3:5: .*Prt/],
    ['parameters:\n  LocationNme: x\n', /2:3: .*LocationNme.*did you mean LocationName/],
    ['parameters:\n  ScanDataEthSettings:\n    Port: 99999\n', /3:11: .*99999/],
    ['parameters: [\n', /:\d+:\d+: /],
  ])(
    'names line and column of a mistake, before anything but the description is asked for: %j',
    async (text, line) => {
      writeFileSync(file, text);
      const { exitCode, stderr } = await azimuth('apply', file, '--yes', '--device', '@gate');
      expect(exitCode).toBe(2);
      expect(stderr).toMatch(line);
      expect(gate.requests.filter((request) => request !== '/openapi.json')).toEqual([]);
    },
  );

  test('refuses to write the parameters of one scanner to another one', async () => {
    writeFileSync(
      file,
      'scanners:\n  gate:\n    serial: "24509999"\n    parameters: { ScanDataEnable: on }\n',
    );
    const { exitCode, stderr } = await azimuth('apply', file, '--yes');
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/is scanner 24500000, and .* has the parameters of scanner 24509999/);
    expect(posted(gate)).toEqual([]);
  });
});
