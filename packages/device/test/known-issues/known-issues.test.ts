import {
  ContaminationStrategy,
  contaminationIndication,
  dataReduction,
  ScanDataFormat as Format,
  filter,
  inputsAndOutputs,
  type KnownIssue,
  measurementDataOutput,
  PortType,
  type Release,
  status,
} from '@azimuth/model';
import { FlatCore } from '@azimuth/test-support/flat-core';
import { LogBook } from '@azimuth/test-support/log-book';
import { configuration } from '@azimuth/test-support/port-configuration';
import { atService, TestDevice } from '@azimuth/test-support/test-device';
import { describe, expect, test } from 'vitest';

const { ContaminationConfig } = contaminationIndication.members;
const { PortConfiguration, OutputState } = inputsAndOutputs.members;
const { DeviceStatus } = status.members;
const { ScanDataEnable, ScanDataFormat } = measurementDataOutput.members;
const { LFPangleRangeFilter } = dataReduction.members;
const { LFPmovingAveragingFilter, LFPparticle } = filter.members;

/** A scanner with an issue since its boot. */
async function scannerWith(issue: KnownIssue, release: Release, dirt = { level: 0 }) {
  const hardware = {
    log: new LogBook(),
    temperature: () => 20,
    contamination: () => Array.from({ length: 12 }, () => dirt.level),
    onChange: () => undefined,
  };
  const testDevice = await TestDevice.open({ release, hardware: hardware, core: new FlatCore() });
  const end = testDevice.device.features.issues.begin(issue);
  return { testDevice, device: testDevice.device, end, dirt };
}

const sensitive = { eStrategy: ContaminationStrategy.CM_STRATEGY_SENSITIVE, usiResponseTime: 3 };

describe('all/diagnosis-file', () => {
  test('refuses an archive while particle filter, moving average and stream are on, and only then', async () => {
    const { testDevice, device, end } = await scannerWith('all/diagnosis-file', '2.4.4');
    const made = () => testDevice.respond('DoDiagnosisDump', {});
    device.write(LFPparticle, { ...device.read(LFPparticle), bEnable: true }, atService);
    device.write(
      LFPmovingAveragingFilter,
      { ...device.read(LFPmovingAveragingFilter), bEnable: true },
      atService,
    );
    expect(await made()).toMatchObject({ Successful: true });
    device.write(ScanDataEnable, true, atService);
    await expect(made()).rejects.toMatchObject({ status: 'internalServerError' });
    end();
    expect(await made()).toMatchObject({ Successful: true });
  });
});

describe('2.1.0/angle-filter', () => {
  test('leaves the angle range of LMDscandata on, and that of other formats off', async () => {
    const { testDevice, device, end } = await scannerWith('2.1.0/angle-filter', '2.1.0');
    /** Output beams of a complete scan. */
    const beams = () => {
      const byScan = new Map<number, number>();
      const ignore = device.features.measuring.watch({
        segment: ({ frame, beams }) => byScan.set(frame, (byScan.get(frame) ?? 0) + beams),
      });
      testDevice.clock.advance(1000);
      ignore();
      return Math.max(...byScan.values());
    };
    device.write(
      LFPangleRangeFilter,
      { ...device.read(LFPangleRangeFilter), bEnable: false, fThetaStart: -100_000, fThetaStop: 100_000 },
      atService,
    );
    const allBeams = beams();
    device.write(ScanDataFormat, Format.LMDscandata, atService);
    expect(beams()).toBeLessThan(allBeams / 5);
    expect(device.read(LFPangleRangeFilter).bEnable).toBe(false);
    end();
    expect(beams()).toBe(allBeams);
  });
});

describe('2.2.0/too-many-functions', () => {
  test('shows DeviceStatus 7 for a second after each boot', async () => {
    const { testDevice, device } = await scannerWith('2.2.0/too-many-functions', '2.3.1');
    const before = device.read(DeviceStatus);
    await testDevice.reboot();
    expect(device.read(DeviceStatus)).toBe(7);
    testDevice.clock.advance(1000);
    expect(device.read(DeviceStatus)).toBe(before);
  });
});

describe('2.3.3/contamination-output', () => {
  const output = { PortType: PortType.OUTPUT, Sources: ['CWRN'] } as const;
  const active = (testDevice: TestDevice) =>
    testDevice.device.read(OutputState).aDigitalOut[1]?.IOState.eIOState;

  test('inverts outputs for contamination after a boot, until the contamination changes', async () => {
    const { testDevice, device, dirt } = await scannerWith('2.3.3/contamination-output', '2.3.3');
    device.write(PortConfiguration, configuration({ 2: output }), atService);
    device.write(ContaminationConfig, { ...device.read(ContaminationConfig), ...sensitive }, atService);
    expect(active(testDevice)).toBe(0);
    await testDevice.respond('WriteEeprom');
    await testDevice.reboot();
    expect(active(testDevice)).toBe(1);
    dirt.level = 0.95;
    device.features.contamination.levelsChanged();
    testDevice.clock.advance(5000);
    expect(active(testDevice)).toBe(1);
    dirt.level = 0;
    device.features.contamination.levelsChanged();
    testDevice.clock.advance(5000);
    expect(active(testDevice)).toBe(0);
  });
});

test('a release that does not have an issue does not show it', async () => {
  const { device } = await scannerWith('2.1.0/angle-filter', '2.4.4');
  expect(device.features.issues.has('2.1.0/angle-filter')).toBe(false);
});

test('an issue that was begun twice lasts until both have ended', async () => {
  const { device, end } = await scannerWith('all/late-start', '2.4.4');
  const again = device.features.issues.begin('all/late-start');
  end();
  expect(device.features.issues.has('all/late-start')).toBe(true);
  again();
  expect(device.features.issues.has('all/late-start')).toBe(false);
});
