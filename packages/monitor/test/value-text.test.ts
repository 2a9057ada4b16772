import { expect, test } from 'vitest';
import { valueText } from '../src/text/value-text.js';

test.each([
  ['ContaminationConfig.eStrategy', 2, '2 CM_STRATEGY_SENSITIVE'],
  ['DeviceStatus', 6, '6 DS_ServiceRequired'],
  ['LocationName', 'Gate 3', '"Gate 3"'],
  ['ScanDataEthSettings.Port', 2116, '2116'],
  ['DeviceStatus', 77, '77'],
  ['NoSuchName.part[3].more', 1, '1'],
  ['__proto__.constructor', 1, '1'],
  ['EtherIPAddress', [192, 168, 0, 3], '[192,168,0,3]'],
  ['LocationName', undefined, 'nothing'],
])('%s = %j is shown as %s', (path, value, text) => {
  expect(valueText(path, value)).toBe(text);
});

test('a long value is cut', () => {
  expect(valueText('LocationName', 'x'.repeat(1000))).toHaveLength(81);
});
