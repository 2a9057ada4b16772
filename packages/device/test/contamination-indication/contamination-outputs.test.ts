import { contaminationIndication, DeviceStatus, inputsAndOutputs, sectorCount, status } from '@azimuth/model';
import { FlatCore } from '@azimuth/test-support/flat-core';
import { LogBook } from '@azimuth/test-support/log-book';
import { atService, TestDevice } from '@azimuth/test-support/test-device';
import { expect, test } from 'vitest';

const { PortConfiguration } = inputsAndOutputs.members;
const { ContaminationConfig } = contaminationIndication.members;

/** A scanner that watches its front screen, with port 1 as an output that follows `source`. */
async function watching(source: string) {
  const levels = Array<number>(sectorCount).fill(0);
  const testDevice = await TestDevice.open({
    core: new FlatCore(),
    hardware: { log: new LogBook(), temperature: () => 20, contamination: () => levels },
  });
  const { device, clock } = testDevice;
  const ports = device.read(PortConfiguration).map((port, index) =>
    index > 0
      ? port
      : {
          ...port,
          PortType: 1,
          OutputSettings: {
            ...port.OutputSettings,
            Sources: [{ Name: source, Invert: false, Reserved5: 0, Reserved6: 0 }],
          },
        },
  );
  device.write(PortConfiguration, ports, atService);
  const config = { ...device.read(ContaminationConfig), eStrategy: 2 };
  device.write(ContaminationConfig, config, atService);
  const soil = (level: number) => {
    levels.fill(level);
    device.features.contamination.levelsChanged();
    clock.advance(10_000);
  };
  const isOn = () => device.features.ports.overview[0]?.active;
  const deviceStatus = () => device.read(status.members.DeviceStatus);
  return { testDevice, device, soil, isOn, deviceStatus };
}

test.each([
  ['CWRN', 0.2],
  ['CERR', 0.4],
])('an output follows %s also while DeviceStatus shows something more severe', async (source, level) => {
  const { device, soil, isOn, deviceStatus } = await watching(source);
  device.features.deviceStatus.conditions.set('DS_RecoverableError', 'test', true);
  soil(level);
  expect(deviceStatus()).toBe(DeviceStatus.DS_RecoverableError);
  expect(isOn()).toBe(true);
  soil(0);
  expect(isOn()).toBe(false);
});

test('a scanner whose sectors are all blocked warns, although a single blocked sector is ignored', async () => {
  const { device, soil, deviceStatus } = await watching('CWRN');
  soil(1);
  expect(device.features.contamination.result).toEqual({ bWarningActive: true, bErrorActive: false });
  expect(deviceStatus()).toBe(DeviceStatus.DS_ServiceRecommended);
});
