import { allParameters, basicSettings, device, operatingData } from '@azimuth/model';
import { expect, test } from 'vitest';
import { channel, LegacyScanner } from './legacy-scanner.js';

test('a picoScan120 sends scans of 20 Hz and 0.1°, with one echo', async () => {
  const lmd = await LegacyScanner.open({ variant: 'picoScan120' });
  const sink = lmd.follow('binary');
  lmd.turns(2);
  const scan = sink.last;
  expect(scan.wide.map(({ content }) => content)).toEqual(['DIST1']);
  expect(scan.frequency).toBe(2000);
  expect(channel(scan, 'DIST1')).toMatchObject({ start: -480_000, step: 1000 });
  expect(channel(scan, 'DIST1').data).toHaveLength(2761);
});

test('a picoScan120 says so, and has the fixed scan in ScanConfig', async () => {
  const lmd = await LegacyScanner.open({ variant: 'picoScan120' });
  expect(lmd.device.read(device.members.DeviceType)).toBe('picoScan120');
  expect(lmd.device.read(basicSettings.members.ScanConfig)).toMatchObject({
    udiScanFreq: 2000,
    ScanRange: { aRange: [{ udiAngleRes: 1000 }] },
  });
  expect(lmd.device.served.endpoints.has('PerformanceProfileNumber')).toBe(false);
  expect(lmd.device.served.endpoints.has('LFPparticle')).toBe(true);
});

test('a parameter of no variant that lacks it has no value without it', async () => {
  const lmd = await LegacyScanner.open({ variant: 'picoScan120', release: '1.4.0' });
  const { LastParaDate } = operatingData.members;
  expect(() => lmd.device.parameters.read(LastParaDate)).toThrow('LastParaDate is not a parameter');
  const lacking = allParameters.filter((variable) => !lmd.device.parameters.has(variable));
  expect(lacking.some(({ name }) => name === 'FREchoFilter')).toBe(true);
});
