import { PortType } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../src/index.js';
import { PortsTestDevice, tristate } from './ports-test-device.js';

const { INPUT, OUTPUT, ENCODER } = PortType;

describe('a port that the plug lacks', () => {
  test.each([
    [5, 3],
    [12, 6],
  ] as const)('comes after those of a plug with %i pins: the first %i are there', (pins, there) => {
    const testDevice = new PortsTestDevice({}, new VirtualClock(), pins);
    expect(testDevice.ports.overview.map(({ port }) => port)).toEqual(
      Array.from({ length: there }, (_, index) => index + 1),
    );
    testDevice.drive(there + 1, true);
    testDevice.clock.advance(20);
    expect(testDevice.ports.isActive(there + 1)).toBe(false);
  });

  test('is neither input nor output, however it is configured, and counts nothing', () => {
    const testDevice = new PortsTestDevice(
      {
        4: { PortType: INPUT },
        5: { PortType: OUTPUT, Sources: ['DRDY', 'SC05'] },
        6: { PortType: ENCODER },
      },
      new VirtualClock(),
      5,
    );
    testDevice.signal('DRDY');
    for (const port of [4, 5, 6]) {
      expect([testDevice.inputLevel(port), testDevice.level(port), testDevice.state(port)]).toEqual([
        tristate,
        tristate,
        2,
      ]);
      expect([testDevice.switched(port), testDevice.counter(port)]).toEqual([0, 0]);
    }
    expect(testDevice.ports.setOutput(5, 1)).toBe(false);
  });

  test('is configured all the same, and stays neither when the configuration changes or the scanner boots', () => {
    const testDevice = new PortsTestDevice({}, new VirtualClock(), 5);
    testDevice.configure({ 4: { PortType: OUTPUT, Sources: ['SC04'] } });
    testDevice.boot({ 4: { PortType: OUTPUT, Sources: ['SC04'] } });
    expect([testDevice.state(4), testDevice.ports.setOutput(4, 1)]).toEqual([2, false]);
  });
});
