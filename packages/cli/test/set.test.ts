import { inputsAndOutputs, measurementDataOutput } from '@azimuth/model';
import { FakeDevice } from '@azimuth/test-support/fake-device';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { azimuth } from './run.js';

let device: FakeDevice;
const settings = { Protocol: 1, IPAddress: [192, 168, 0, 100], Port: 2115 };

beforeEach(async () => {
  device = await FakeDevice.start();
  device.values.set('ScanDataEthSettings', settings);
  for (const name of ['EtherIPAddress', 'EtherAddressingMode', 'ScanDataEnable'])
    device.values.set(name, null);
  vi.stubEnv('AZIMUTH_DEVICE', device.url);
  vi.stubEnv('AZIMUTH_PASSWORD', 'servicelevel');
});
afterEach(() => device.stop());

describe('a value is parsed by its type', () => {
  test.each([
    ['LocationName', ['Gate 3'], 'Gate 3'],
    ['LocationName', ['Gate', '3'], 'Gate 3'],
    ['LocationName', ['"Gate  3"'], 'Gate  3'],
    ['LocationName', [''], ''],
    ['LocationName', ['Port=2116'], 'Port=2116'],
    ['LocationName', ['"C:\\x"'], '"C:\\x"'],
    ['LocationName', ['--', '--dashes'], '--dashes'],
    ['EtherIPAddress', ['192.168.0.7'], [192, 168, 0, 7]],
    ['EtherIPAddress', ['[192,168,0,7]'], [192, 168, 0, 7]],
    ['ScanDataEnable', ['on'], true],
    ['ScanDataEnable', ['y'], true],
    ['ScanDataEnable', ['n'], false],
    ['ScanDataEnable', ['false'], false],
    ['EtherAddressingMode', ['TX_IP_DHCP'], 1],
    ['EtherAddressingMode', ['1'], 1],
    [
      'ScanDataEthSettings',
      ['{"Protocol":2,"IPAddress":[10,0,0,1],"Port":1}'],
      {
        Protocol: 2,
        IPAddress: [10, 0, 0, 1],
        Port: 1,
      },
    ],
  ])('%s %j', async (name, words, value) => {
    expect(await azimuth('set', name, ...words)).toEqual({ stdout: '', stderr: '', exitCode: 0 });
    expect(device.values.get(name)).toEqual(value);
  });
});

describe('members of a struct', () => {
  test('are changed, and the others kept', async () => {
    await azimuth('set', 'ScanDataEthSettings', 'Port=0x844', 'IPAddress=10.0.0.1', 'Protocol=TCP');
    expect(device.values.get('ScanDataEthSettings')).toEqual({
      Protocol: 2,
      IPAddress: [10, 0, 0, 1],
      Port: 2116,
    });
    await azimuth('set', 'ScanDataEthSettings', 'Port=7');
    expect(device.values.get('ScanDataEthSettings')).toMatchObject({ Protocol: 2, Port: 7 });
  });

  test.each([
    ['Port.x=1', 'ScanDataEthSettings.Port has no members'],
    ['IPAddress.0=10', 'ScanDataEthSettings.IPAddress has no members'],
    ['Prot=1', 'ScanDataEthSettings has no member "Prot"; did you mean Port?'],
    ['Port=70000', 'ScanDataEthSettings.Port: expected 0 to 65535, got 70000 (Out Of Range)'],
    ['Port=many', 'ScanDataEthSettings.Port: expected a number, got "many" (Invalid Data)'],
  ])('%s is refused before anything is written', async (word, line) => {
    expect(await azimuth('set', 'ScanDataEthSettings', word)).toEqual({
      stdout: '',
      stderr: `azimuth: ${line}\n`,
      exitCode: 2,
    });
    expect(device.requests).not.toContain('getChallenge');
  });
});

describe('parts of parts', () => {
  const { initial: config } = measurementDataOutput.members.ScanDataConfig.type;
  const { initial: ports } = inputsAndOutputs.members.PortConfiguration.type;

  beforeEach(() => {
    device.values.set('ScanDataConfig', config);
    device.values.set('PortConfiguration', ports);
  });

  test('are changed by their path, and the others kept', async () => {
    expect(await azimuth('set', 'ScanDataConfig', 'RemDataConfig.bEnable=off')).toEqual({
      stdout: '',
      stderr: '',
      exitCode: 0,
    });
    expect(config.RemDataConfig.bEnable).toBe(true);
    expect(device.values.get('ScanDataConfig')).toEqual({
      ...config,
      RemDataConfig: { ...config.RemDataConfig, bEnable: false },
    });
  });

  test('are changed in the items of a list by index', async () => {
    await azimuth(
      'set',
      'PortConfiguration',
      '7.Name=Gate 3',
      '0.OutputSettings.RestartTime=500',
      '0.Name=x',
    );
    expect(device.values.get('PortConfiguration')).toEqual(
      ports.map((port, index) => {
        if (index === 7) return { ...port, Name: 'Gate 3' };
        if (index !== 0) return port;
        return { ...port, Name: 'x', OutputSettings: { ...port.OutputSettings, RestartTime: 500 } };
      }),
    );
  });

  test.each([
    ['8.Name=x', 'PortConfiguration has no item 8: the items are 0 to 7'],
    ['Name=x', 'PortConfiguration is a list: expected the number of an item, got "Name"'],
    ['0.Nam=x', 'PortConfiguration[0] has no member "Nam"; did you mean Name?'],
    [
      '0.OutputSettings.RestartTim=1',
      'PortConfiguration[0].OutputSettings has no member "RestartTim"; did you mean RestartTime?',
    ],
    [
      '3.OutputSettings.RestartTime=1',
      'PortConfiguration[3].OutputSettings.RestartTime: expected 20 to 600000, got 1 (Out Of Range)',
    ],
    [
      '3.OutputSettings.Sources.0.Invert=on',
      'PortConfiguration[3].OutputSettings.Sources has no item 0: it is empty',
    ],
  ])('%s is refused, and nothing is written', async (word, line) => {
    expect(await azimuth('set', 'PortConfiguration', word)).toEqual({
      stdout: '',
      stderr: `azimuth: ${line}\n`,
      exitCode: 2,
    });
    expect(device.values.get('PortConfiguration')).toBe(ports);
  });
});

describe('an invalid value is reported with its place, and nothing but the description is asked for', () => {
  test.each([
    ['EtherIPAddress', '192.168.300.7', 'EtherIPAddress[2]: expected 0 to 255, got 300 (Out Of Range)'],
    ['EtherIPAddress', '192.168.0', 'EtherIPAddress: expected 4 items, got 3 (Out Of Bounds)'],
    [
      'EtherAddressingMode',
      '7',
      'EtherAddressingMode: expected one of 0 TX_IP_STATIC, 1 TX_IP_DHCP, got 7 (Illegal Value)',
    ],
    ['ScanDataEnable', 'maybe', 'ScanDataEnable: expected on or off, got "maybe" (Invalid Data)'],
    [
      'ScanDataEthSettings',
      '{"Port":1}',
      'ScanDataEthSettings.Protocol: required member missing (Parsing Failed)',
    ],
    ['PowerOnCnt', '-5', 'PowerOnCnt is read-only'],
    ['LocatonName', 'x', 'there is no variable "LocatonName"; did you mean LocationName?'],
    ['WriteEeprom', 'x', 'WriteEeprom is a method, not a variable: azimuth call WriteEeprom'],
    ['Xyzzy', 'x', 'there is no variable "Xyzzy"'],
  ])('%s %s', async (name, word, line) => {
    expect(await azimuth('set', name, word)).toEqual({
      stdout: '',
      stderr: `azimuth: ${line}\n`,
      exitCode: 2,
    });
    expect(device.requests.filter((request) => request !== '/openapi.json')).toEqual([]);
  });
});
