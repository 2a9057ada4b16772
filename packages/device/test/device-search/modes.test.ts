import { LegacyScanMode, legacyProtocols } from '@azimuth/model';
import { TestDevice } from '@azimuth/test-support/test-device';
import { describe, expect, test } from 'vitest';
import { DeviceSearch } from '../../src/device-search/index.js';
import { change, search, searched, telegrams } from './search-test-device.js';

const { EnableColaScan, EtherLegacyScanMode } = legacyProtocols.members;
const found = ['95', '90'];
const done = ['91'];

describe('EtherLegacyScanMode', () => {
  test.each([
    ['ENABLED', found, done, done],
    ['IP_CONFIG_DISABLED', found, [], []],
    ['DISABLED', [], [], []],
    ['IP_CONFIG_TIME_LIMIT', found, done, []],
  ] as const)('%s', async (mode, whenAsked, inTime, late) => {
    const { search: deviceSearch, testDevice } = await searched(mode);
    testDevice.clock.advance(59_999);
    expect(await telegrams(deviceSearch, search())).toEqual(whenAsked);
    expect(await telegrams(deviceSearch, change())).toEqual(inTime);
    testDevice.clock.advance(1);
    expect(await telegrams(deviceSearch, search())).toEqual(whenAsked);
    expect(await telegrams(deviceSearch, change())).toEqual(late);
  });

  test('counts the minute anew from every boot', async () => {
    const { search: deviceSearch, testDevice } = await searched('IP_CONFIG_TIME_LIMIT');
    testDevice.clock.advance(100_000);
    expect(await telegrams(deviceSearch, change())).toEqual([]);
    await testDevice.reboot();
    testDevice.clock.advance(59_999);
    expect(await telegrams(deviceSearch, change())).toEqual(done);
  });

  test('is IP_CONFIG_TIME_LIMIT at the factory', async () => {
    const testDevice = await TestDevice.open();
    const deviceSearch = new DeviceSearch(testDevice.device, () => ({}));
    expect(await telegrams(deviceSearch, search())).toEqual(found);
    testDevice.clock.advance(60_000);
    expect(await telegrams(deviceSearch, change())).toEqual([]);
  });

  test('holds from EthernetUpdate on, not from when it is written', async () => {
    const { search: deviceSearch, testDevice } = await searched('ENABLED');
    const { parameters } = testDevice.device;
    parameters.change((next) => next.set(EtherLegacyScanMode, LegacyScanMode.DISABLED));
    expect(await telegrams(deviceSearch, search())).toEqual(found);
    (await testDevice.call('EthernetUpdate')).afterwards?.();
    expect(await telegrams(deviceSearch, search())).toEqual([]);
  });

  test('says in XML whether the address may be set', async () => {
    const { search: deviceSearch, testDevice } = await searched('IP_CONFIG_TIME_LIMIT');
    const right = async () => {
      const [response = new Uint8Array()] = (await deviceSearch.respond(search('02'))).datagrams;
      return /key="IPAddress" value="192.168.0.1" readonly="(\w+)"/.exec(
        Buffer.from(response).toString(),
      )?.[1];
    };
    expect(await right()).toBe('FALSE');
    testDevice.clock.advance(60_000);
    expect(await right()).toBe('TRUE');
  });
});

describe.each(['1.4.0', '1.5.0'] as const)('EnableColaScan of release %s', (release) => {
  test('true finds and sets, however late', async () => {
    const { search: deviceSearch, testDevice } = await searched('ENABLED', { release });
    testDevice.clock.advance(600_000);
    expect(await telegrams(deviceSearch, search())).toEqual(found);
    expect(await telegrams(deviceSearch, change())).toEqual(done);
  });

  test('false is silence, from the next boot on', async () => {
    const { search: deviceSearch, testDevice } = await searched('ENABLED', { release });
    testDevice.device.parameters.change((next) => next.set(EnableColaScan, false));
    expect(await telegrams(deviceSearch, search())).toEqual(found);
    await testDevice.device.features.saving.storeWorking();
    await testDevice.reboot();
    expect(await telegrams(deviceSearch, search())).toEqual([]);
    expect(await telegrams(deviceSearch, change())).toEqual([]);
  });
});

test.each(['2.1.0', '2.2.0', '2.3.1', '2.3.3'] as const)(
  'release %s has the newer variable',
  async (release) => {
    const { search: deviceSearch, testDevice } = await searched('IP_CONFIG_TIME_LIMIT', { release });
    expect(await telegrams(deviceSearch, change())).toEqual(done);
    testDevice.clock.advance(60_000);
    expect(await telegrams(deviceSearch, change())).toEqual([]);
    expect(await telegrams(deviceSearch, search())).toEqual(found);
  },
);
