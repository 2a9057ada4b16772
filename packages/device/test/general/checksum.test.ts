import { device as deviceGroup, general } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { Bench } from '../../../../tests/support/device-test-bench.js';

const { LFTchecksum } = general.members;
const { LocationName } = deviceGroup.members;

const name = (bench: Bench, location: string) =>
  bench.device.parameters.change((change) => change.set(LocationName, location));

describe('LFTchecksum', () => {
  test('holds 32 hex digits each, and says that all is well', async () => {
    const { MD5SumOK, ...sums } = (await Bench.open()).device.read(LFTchecksum);
    expect(MD5SumOK).toBe(true);
    expect(Object.values(sums)).toEqual(
      Array.from({ length: 4 }, () => expect.stringMatching(/^[0-9a-f]{32}$/)),
    );
    expect(new Set(Object.values(sums)).size).toBe(4);
  });

  test('moves for the parameters when other values are stored, not when they are written', async () => {
    const bench = await Bench.open();
    const before = bench.device.read(LFTchecksum);
    name(bench, 'Gate 3');
    expect(bench.device.read(LFTchecksum)).toEqual(before);
    await bench.respond('WriteEeprom');
    const after = bench.device.read(LFTchecksum);
    expect(after.MD5Parameters).not.toBe(before.MD5Parameters);
    expect({ ...after, MD5Parameters: '' }).toEqual({ ...before, MD5Parameters: '' });
  });

  test('stays when the same values are stored again, and comes back with them', async () => {
    const bench = await Bench.open();
    const before = bench.device.read(LFTchecksum).MD5Parameters;
    await bench.respond('WriteEeprom');
    expect(bench.device.read(LFTchecksum).MD5Parameters).toBe(before);
    name(bench, 'Gate 3');
    await bench.respond('WriteEeprom');
    await bench.respond('LoadFactoryDefaults');
    expect(bench.device.read(LFTchecksum).MD5Parameters).toBe(before);
  });

  test('moves for the software with the release, and never for the calibration', async () => {
    const old = await Bench.open({ release: '2.2.0' });
    const before = old.device.read(LFTchecksum);
    const after = (await old.afterPowerCut({ release: '2.4.4' })).device.read(LFTchecksum);
    expect(after.MD5LinuxRoot).not.toBe(before.MD5LinuxRoot);
    expect(after.MD5App).not.toBe(before.MD5App);
    expect(after.MD5Calibration).toBe(before.MD5Calibration);
  });

  test('says so when what was stored could not be read', async () => {
    const bench = await Bench.open();
    await bench.respond('WriteEeprom');
    bench.storage.documents.set('parameters.json', Buffer.from('{'));
    await bench.reboot();
    expect(bench.device.read(LFTchecksum).MD5SumOK).toBe(false);
    await bench.respond('WriteEeprom');
    expect(bench.device.read(LFTchecksum).MD5SumOK).toBe(true);
  });
});
