import {
  device as deviceGroup,
  ethernet,
  extensions,
  LegacyScanMode,
  legacyProtocols,
  measurementDataOutput,
  type Release,
  releases,
} from '@azimuth/model';
import { TestDevice } from '@azimuth/test-support/test-device';
import { describe, expect, test } from 'vitest';
import { altered, idOf, plainBackup, restored, success } from './files.js';

const { LocationName } = deviceGroup.members;
const { EtherIPAddress } = ethernet.members;
const { EtherLegacyScanMode, EtherAuxIPPort } = legacyProtocols.members;

const withBackups = releases.filter((release) => !['1.4.0', '1.5.0', '2.1.0'].includes(release));
const steps = withBackups.flatMap((from, index) =>
  withBackups.slice(index).map((to): [Release, Release] => [from, to]),
);

describe('a backup of an older release', () => {
  test.each(steps)('of %s is restored on %s', async (from, to) => {
    const old = await TestDevice.open({ release: from });
    old.device.parameters.change((change) =>
      change.set(LocationName, `of ${from}`).set(EtherIPAddress, [10, 0, 0, 7]),
    );
    const file = await plainBackup(old);
    const testDevice = await TestDevice.open({ release: to });
    expect(await restored(testDevice, file)).toEqual(success);
    expect(testDevice.device.parameters.stored(LocationName)).toBe(`of ${from}`);
    expect(testDevice.device.read(EtherIPAddress)).toEqual([10, 0, 0, 7]);
  });

  test('does not change parameters that it does not know', async () => {
    const file = await plainBackup(await TestDevice.open({ release: '2.2.0' }));
    const testDevice = await TestDevice.open({ release: '2.4.4' });
    testDevice.device.parameters.change((change) => change.set(EtherAuxIPPort, 3000));
    expect(await restored(testDevice, file)).toEqual(success);
    expect(testDevice.device.read(EtherAuxIPPort)).toBe(3000);
  });

  test('carries a device search that was switched off over, as an update does', async () => {
    // No release below 2.2.0 makes backups. A handmade one has the same result as an update.
    const old = altered(await plainBackup(await TestDevice.open({ release: '2.2.0' })), (backup) => {
      backup.version = '1.5.0.0R';
      for (const group of backup.parameters) {
        group.parameters = group.parameters.map((entry) =>
          entry.name === 'EtherLegacyScanMode'
            ? { name: 'EnableColaScan', id: idOf('EnableColaScan'), value: false }
            : entry,
        );
      }
    });
    const testDevice = await TestDevice.open({ release: '2.4.4' });
    expect(testDevice.device.read(EtherLegacyScanMode)).not.toBe(LegacyScanMode.DISABLED);
    expect(await restored(testDevice, old)).toEqual(success);
    expect(testDevice.device.read(EtherLegacyScanMode)).toBe(LegacyScanMode.DISABLED);
  });

  test('with values that are not allowed any more is restored as what they mean now', async () => {
    const { fields } = extensions.members;
    const { ScanMergeTrigger } = measurementDataOutput.members;
    const Points = [
      { x: 0, y: 0 },
      { x: 3000, y: 0 },
      { x: 3000, y: 2000 },
    ];
    const evaluations = [{ Id: 1, Points, LowerZLimit: -500, UpperZLimit: 2000 }];
    const values = new Map<string, unknown>([
      ['fields', { evaluations, groups: [] }],
      ['ScanMergeTrigger', 1],
    ]);
    const old = altered(await plainBackup(await TestDevice.open({ release: '2.3.3' })), (backup) => {
      for (const entry of backup.parameters.flatMap((group) => group.parameters)) {
        if (values.has(entry.name)) entry.value = values.get(entry.name);
      }
    });
    const testDevice = await TestDevice.open({ release: '2.4.4' });
    expect(await restored(testDevice, old)).toEqual(success);
    expect(testDevice.device.parameters.read(fields).evaluations).toMatchObject([
      { Id: 1, Points, LowerZLimit: 0, UpperZLimit: 0 },
    ]);
    expect(testDevice.device.parameters.read(ScanMergeTrigger)).toBe(0);
  });

  test('stays good over the update of the scanner that made it', async () => {
    const old = await TestDevice.open({ release: '2.2.0' });
    old.device.parameters.change((change) => change.set(LocationName, 'before the update'));
    await old.respond('CreateParameterBackup', {});
    const testDevice = await old.afterPowerCut({ release: '2.4.4' });
    expect(await testDevice.respond('RestoreParameterBackup', {})).toEqual(success);
    expect(testDevice.device.read(LocationName)).toBe('before the update');
  });
});
