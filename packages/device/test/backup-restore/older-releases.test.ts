import {
  device as deviceGroup,
  ethernet,
  LegacyScanMode,
  legacyProtocols,
  type Release,
  releases,
} from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { Bench } from '../../../../tests/support/device-test-bench.js';
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
    const old = await Bench.open({ release: from });
    old.device.parameters.change((change) =>
      change.set(LocationName, `of ${from}`).set(EtherIPAddress, [10, 0, 0, 7]),
    );
    const file = await plainBackup(old);
    const bench = await Bench.open({ release: to });
    expect(await restored(bench, file)).toEqual(success);
    expect(bench.device.parameters.stored(LocationName)).toBe(`of ${from}`);
    expect(bench.device.read(EtherIPAddress)).toEqual([10, 0, 0, 7]);
  });

  test('leaves alone what it does not know', async () => {
    const file = await plainBackup(await Bench.open({ release: '2.2.0' }));
    const bench = await Bench.open({ release: '2.4.4' });
    bench.device.parameters.change((change) => change.set(EtherAuxIPPort, 3000));
    expect(await restored(bench, file)).toEqual(success);
    expect(bench.device.read(EtherAuxIPPort)).toBe(3000);
  });

  test('carries a device search that was switched off over, as an update does', async () => {
    // No release below 2.2.0 makes backups; whoever writes one by hand gets what an update would have left.
    const old = altered(await plainBackup(await Bench.open({ release: '2.2.0' })), (backup) => {
      backup.version = '1.5.0.0R';
      for (const group of backup.parameters) {
        group.parameters = group.parameters.map((entry) =>
          entry.name === 'EtherLegacyScanMode'
            ? { name: 'EnableColaScan', id: idOf('EnableColaScan'), value: false }
            : entry,
        );
      }
    });
    const bench = await Bench.open({ release: '2.4.4' });
    expect(bench.device.read(EtherLegacyScanMode)).not.toBe(LegacyScanMode.DISABLED);
    expect(await restored(bench, old)).toEqual(success);
    expect(bench.device.read(EtherLegacyScanMode)).toBe(LegacyScanMode.DISABLED);
  });

  test('stays good over the update of the scanner that made it', async () => {
    const old = await Bench.open({ release: '2.2.0' });
    old.device.parameters.change((change) => change.set(LocationName, 'before the update'));
    await old.respond('CreateParameterBackup', {});
    const bench = await old.afterPowerCut({ release: '2.4.4' });
    expect(await bench.respond('RestoreParameterBackup', {})).toEqual(success);
    expect(bench.device.read(LocationName)).toBe('before the update');
  });
});
