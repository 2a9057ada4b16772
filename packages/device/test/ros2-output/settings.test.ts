import { measurementDataOutput, type Release } from '@azimuth/model';
import { TestDevice } from '@azimuth/test-support/test-device';
import { expect, test } from 'vitest';
import { ros2SettingsOf } from '../../src/ros2-output/scan-content.js';

const { ScanDataEnable, ScanDataFormat, rosDomainId } = measurementDataOutput.members;

/** The settings of a scanner of a release that sends as native ROS 2. */
async function sending(release: Release, domain?: number) {
  const { parameters } = (await TestDevice.open({ release })).device;
  parameters.change((change) => {
    change.set(ScanDataFormat, 4).set(ScanDataEnable, true);
    if (domain !== undefined) change.set(rosDomainId, domain);
  });
  return ros2SettingsOf(parameters);
}

test.each(['2.2.0', '2.2.1'] as const)(
  'release %s, which has no rosDomainId, is in domain 0',
  async (release) => {
    expect(await sending(release)).toMatchObject({ domain: 0, frame: 'picoScan_' });
  },
);

test('from release 2.3.1 on, rosDomainId is the domain', async () => {
  expect(await sending('2.3.1', 42)).toMatchObject({ domain: 42 });
});

test('a release without native ROS 2 is in no domain', async () => {
  expect(await sending('2.1.0')).toBeUndefined();
});
