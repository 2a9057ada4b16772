import { detailOf, expectRefusal, expectStatus, expectWritten } from '@azimuth/test-support/envelope';
import { resetFailedLogins } from '@azimuth/test-support/failed-logins';
import { array, type JsonObject, object } from '@azimuth/test-support/json';
import { sharedScanner } from '@azimuth/test-support/scanner-process';
import { beforeEach, describe, expect, test } from 'vitest';

const scanner = sharedScanner();
const client = () => scanner().client();

beforeEach(() => resetFailedLogins(scanner()));

const filter = {
  bEnable: true,
  fThetaStart: -450_000,
  fThetaStop: 450_000,
  fPhiStart: -100_000,
  fPhiStop: 100_000,
  uiBeamIncrement: 2,
};

const destination = { Protocol: 1, IPAddress: [192, 168, 0, 100], Port: 2115 };

function without(value: JsonObject, ...members: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !members.includes(name)));
}

describe('a struct', () => {
  test('is taken whole, at both ends of its ranges', async () => {
    await expectWritten(client(), 'LFPangleRangeFilter', filter);
    await expectWritten(client(), 'LFPangleRangeFilter', {
      bEnable: false,
      fThetaStart: -1_380_000,
      fThetaStop: 1_380_000,
      fPhiStart: -900_000,
      fPhiStop: 900_000,
      uiBeamIncrement: 20,
    });
    await expectWritten(client(), 'ScanDataEthSettings', {
      Protocol: 2,
      IPAddress: [10, 0, 0, 1],
      Port: 65535,
    });
    await expectWritten(client(), 'ScanDataEthSettings', destination);
  });

  test.each([
    ['a missing member', without(filter, 'bEnable'), 1],
    ['no member at all', {}, 1],
    ['a missing member, and an unknown one', { ...without(filter, 'bEnable'), enable: true }, 1],
    ['an unknown member', { ...filter, x: 1 }, 2],
    ['a member in another case', { ...without(filter, 'bEnable'), benable: true }, 1],
    ['a member that is null', { ...filter, bEnable: null }, 2],
    ['a boolean that is a number', { ...filter, bEnable: 1 }, 2],
    ['an integer that is a boolean', { ...filter, uiBeamIncrement: true }, 2],
    ['an integer that is a fraction', { ...filter, fThetaStart: 0.5 }, 2],
    ['an integer below its range', { ...filter, fThetaStart: -1_380_001 }, 6],
    ['an integer above its range', { ...filter, fPhiStop: 900_001 }, 6],
    ['an integer above its width', { ...filter, uiBeamIncrement: 65536 }, 6],
    ['an integer at 0 where 1 is the least', { ...filter, uiBeamIncrement: 0 }, 6],
    ['an integer just above the greatest', { ...filter, uiBeamIncrement: 21 }, 6],
    ['an array', [filter], 2],
    ['null', null, 2],
    ['text', 'x', 2],
    ['a number', 1, 2],
  ])('%s is refused and nothing of it is kept', async (_, value, status) => {
    const write = () => client().write('LFPangleRangeFilter', value);
    await expectRefusal(client(), 'LFPangleRangeFilter', write, status);
  });

  test.each([
    ['a Protocol outside the set', { ...destination, Protocol: 3 }, 9],
    ['a Protocol of any size', { ...destination, Protocol: 2 ** 40 }, 9],
    ['a short address', { ...destination, IPAddress: [1, 2, 3] }, 7],
    ['an item of the address', { ...destination, IPAddress: [1, 2, 3, 256] }, 6],
    ['a type in the address', { ...destination, IPAddress: [1, 2, 3, '4'] }, 2],
    ['a Port above its width', { ...destination, Port: 65536 }, 6],
    ['a negative Port', { ...destination, Port: -1 }, 6],
    ['a missing Port', without(destination, 'Port'), 1],
  ])('a fault in %s', async (_, value, status) => {
    const write = () => client().write('ScanDataEthSettings', value);
    await expectRefusal(client(), 'ScanDataEthSettings', write, status);
  });

  test('is not written by members that lie flat in data, as a read shows them', async () => {
    await expectRefusal(
      client(),
      'ScanDataEthSettings',
      () => client().call('ScanDataEthSettings', destination),
      1,
    );
    const both = { ScanDataEthSettings: destination, ...destination };
    await expectRefusal(client(), 'ScanDataEthSettings', () => client().call('ScanDataEthSettings', both), 2);
  });

  test('has no member of what every object has', async () => {
    const text = JSON.stringify(destination);
    for (const member of ['"__proto__":{"x":1}', '"constructor":1']) {
      const data = `{"ScanDataEthSettings":{${member},${text.slice(1)}}`;
      const write = () => client().callText('ScanDataEthSettings', data);
      await expectRefusal(client(), 'ScanDataEthSettings', write, 2);
    }
    const hidden = `{"ScanDataEthSettings":{"__proto__":${text}}}`;
    const write = () => client().callText('ScanDataEthSettings', hidden);
    await expectRefusal(client(), 'ScanDataEthSettings', write, 1);
  });
});

describe('an array of structs', () => {
  const source = { Name: 'DRDY', Invert: false, Reserved5: 0, Reserved6: 0 };

  /** The ports as they are, but for one member deep in port 3. */
  async function ports(change: (port: JsonObject, output: JsonObject, input: JsonObject) => void) {
    const value = structuredClone(array(await client().value('PortConfiguration')));
    const port = object(value[3]);
    change(port, object(port.OutputSettings), object(port.InputSettings));
    return value;
  }

  test('has eight ports with every member, the reserved ones included', async () => {
    const value = array(await client().value('PortConfiguration'));
    expect(value).toHaveLength(8);
    for (const port of value) {
      expect(Object.keys(object(port)).sort()).toEqual(
        [
          'PortType',
          'Name',
          'InputSettings',
          'OutputSettings',
          'EncoderPortType',
          'Reserved8',
          'Reserved9',
          'Reserved10',
        ].sort(),
      );
    }
  });

  test('is taken whole and comes back as it was', async () => {
    const value = await ports((port, output) => {
      port.PortType = 1;
      port.Name = 'Ampel \u{1f6a6}';
      output.Sources = [source, { ...source, Name: 'FE01', Invert: true }];
    });
    await expectWritten(client(), 'PortConfiguration', value);
  });

  test.each<[string, (port: JsonObject, output: JsonObject, input: JsonObject) => void, number, string]>([
    ['a name of 21 characters', (port) => (port.Name = 'x'.repeat(21)), 7, 'PortConfiguration[3].Name'],
    ['a port type outside the set', (port) => (port.PortType = 3), 9, 'PortConfiguration[3].PortType'],
    ['a reserved member above its width', (port) => (port.Reserved8 = 65536), 6, 'Reserved8'],
    ['a missing reserved member', (port) => delete port.Reserved8, 1, 'Reserved8'],
    ['a debounce of 0', (_p, _o, input) => (input.Debounce = 0), 6, 'InputSettings.Debounce'],
    ['a debounce of 1001', (_p, _o, input) => (input.Debounce = 1001), 6, 'InputSettings.Debounce'],
    ['a restart time of 19', (_p, output) => (output.RestartTime = 19), 6, 'OutputSettings.RestartTime'],
    ['a restart time of 600001', (_p, output) => (output.RestartTime = 600_001), 6, 'RestartTime'],
    ['a restart input of 9', (_p, output) => (output.RestartInput = 9), 6, 'RestartInput'],
    ['a combination outside the set', (_p, output) => (output.Combination = 3), 9, 'Combination'],
    ['sources that are an object', (_p, output) => (output.Sources = {}), 2, 'Sources'],
    [
      'a source of three characters',
      (_p, output) => (output.Sources = [{ ...source, Name: 'DRD' }]),
      7,
      'PortConfiguration[3].OutputSettings.Sources[0].Name',
    ],
    [
      'a source without its name',
      (_p, output) => (output.Sources = [without(source, 'Name')]),
      1,
      'Sources[0]',
    ],
    ['a source that is null', (_p, output) => (output.Sources = [source, null]), 2, 'Sources[1]'],
    [
      '129 sources',
      (_p, output) => (output.Sources = Array.from({ length: 129 }, () => source)),
      7,
      'Sources',
    ],
    [
      'an unknown member deep inside',
      (_p, output) => (output.Sources = [{ ...source, x: 1 }]),
      2,
      'Sources[0]',
    ],
    ['input settings that are null', (port) => (port.InputSettings = null), 2, 'InputSettings'],
  ])('%s is refused, and the detail names the place', async (_, change, status, place) => {
    const value = await ports(change);
    const before = await client().value('PortConfiguration');
    const reply = await client().write('PortConfiguration', value);
    expectStatus(reply, status);
    expect(detailOf(reply)).toContain(place);
    expect(await client().value('PortConfiguration')).toEqual(before);
  });

  test.each([0, 7, 9])('%i ports are refused', async (length) => {
    const [first] = array(await client().value('PortConfiguration'));
    const value = Array.from({ length }, () => first);
    await expectRefusal(client(), 'PortConfiguration', () => client().write('PortConfiguration', value), 7);
  });
});

describe('a method', () => {
  test.each([undefined, null, {}, { x: 1 }, [], 'x', 5])(
    'without members ignores the data %j',
    async (data) => {
      expectStatus(await client().call('WriteEeprom', data), 0);
      expectStatus(await client().call('checkCredentials', data), 0);
      expectStatus(await client().post('GetWebserverEnabled', { data }), 0);
    },
  );

  test.each([
    ['no data', undefined, 1],
    ['a missing member, its default notwithstanding', {}, 1],
    ['a lone wrong key', { enable: true }, 1],
    ['a number for a boolean', { Enable: 1 }, 2],
    ['null for a boolean', { Enable: null }, 2],
    ['an unknown member', { Enable: true, x: 1 }, 2],
    ['data that is null', null, 2],
    ['data that is an array', [true], 2],
  ])('with members refuses %s', async (_, data, status) => {
    expectStatus(await client().call('SetWebserverEnabled', data), status);
    expect(object(expectStatus(await client().post('GetWebserverEnabled'), 0).data).IsEnabled).toBe(true);
  });
});
