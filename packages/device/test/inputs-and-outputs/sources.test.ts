import { inputsAndOutputs, PortType } from '@azimuth/model';
import type { Settings } from '@azimuth/test-support/port-configuration';
import { describe, expect, test } from 'vitest';
import { PortsTestDevice } from './ports-test-device.js';

const { PortConfiguration } = inputsAndOutputs.members;

/** Port 3 with these sources. The last one is tested. */
function withSources(...Sources: string[]): Record<number, Settings> {
  return { 3: { PortType: PortType.OUTPUT, Sources } };
}

describe('a source of an output', () => {
  test.each([
    ...['DRDY', 'SROT', 'ROTS', 'SCLK', 'CWRN', 'CERR', 'TALM', '    '],
    ...['SC01', 'SC08', 'IN01', 'IN08', 'FE01', 'FE48'],
  ])('may be "%s"', (code) => {
    const testDevice = new PortsTestDevice();
    testDevice.configure(withSources(code));
    expect(testDevice.parameters.read(PortConfiguration)[2]?.OutputSettings.Sources[0]?.Name).toBe(code);
  });

  test.each([
    ...['drdy', 'DRDX', 'XXXX', '   X', 'SC00', 'SC09', 'IN00', 'IN09', 'FE00', 'FE49', 'FE99'],
    ...['FE1 ', 'FE 1', 'FE+1', 'FE.5', 'XX01', 'FEAB', 'fe01', 'FE٠١', '0000'],
  ])('may not be "%s"', (code) => {
    const testDevice = new PortsTestDevice();
    const before = testDevice.parameters.read(PortConfiguration);
    expect(() => testDevice.configure(withSources('DRDY', code))).toThrow(
      expect.objectContaining({
        code: 9,
        at: 'PortConfiguration[2].OutputSettings.Sources[1].Name',
        reason: expect.stringContaining(`"${code}" is not a source`),
      }),
    );
    expect(testDevice.parameters.read(PortConfiguration)).toBe(before);
    expect(testDevice.announced).toEqual([]);
  });

  test('is reported with the existing ones', () => {
    expect(() => new PortsTestDevice().configure(withSources('ABCD'))).toThrow(
      'PortConfiguration[2].OutputSettings.Sources[0].Name: "ABCD" is not a source: expected DRDY, FE01 to FE48, ' +
        'IN01 to IN08, SC01 to SC08, CWRN, CERR, TALM, SROT, ROTS, SCLK, or four blanks for none',
    );
  });

  test('has to exist on a port that is no output, too', () => {
    const testDevice = new PortsTestDevice();
    expect(() => testDevice.configure({ 8: { Sources: ['NONE'] } })).toThrow(
      expect.objectContaining({ code: 9, at: 'PortConfiguration[7].OutputSettings.Sources[0].Name' }),
    );
  });

  test('that was stored and does not exist is none', () => {
    const testDevice = new PortsTestDevice({ 3: { PortType: PortType.OUTPUT, Sources: ['NONE', 'DRDY'] } });
    testDevice.signal('DRDY');
    expect(testDevice.state(3)).toBe(1);
  });

  test('may be one of 128', () => {
    const testDevice = new PortsTestDevice();
    testDevice.configure(withSources(...Array.from({ length: 127 }, () => '    '), 'TALM'));
    testDevice.signal('TALM');
    expect(testDevice.state(3)).toBe(1);
  });
});
