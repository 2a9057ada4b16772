import { FaultyStorage } from '@azimuth/test-support/faulty-storage';
import { factoryPassword } from '@azimuth/test-support/test-device';
import { describe, expect, test } from 'vitest';
import { decodeBackup } from '../../src/backup-restore/backup-file.js';
import { MemoryPlug, PlugScanner, plugOf } from './plug-scanner.js';

const nothingWrong = { Fault: '' };

describe('a save', () => {
  test.each(['WriteEeprom', 'RebootDevice', 'LoadApplicationDefaults', 'LoadFactoryDefaults'] as const)(
    '%s puts the stored parameters on the plug before it is answered',
    async (method) => {
      const plug = new MemoryPlug();
      const scanner = await PlugScanner.open('11111111', plug);
      scanner.set('Gate 3');
      await scanner.test.respond(method, {});
      const { device } = scanner.test;
      const stored = method === 'LoadFactoryDefaults' || method === 'LoadApplicationDefaults' ? '' : 'Gate 3';
      expect(plug.text).toContain(`"name":"LocationName","id":"`);
      expect(valueOn(plug, 'LocationName')).toBe(
        stored === '' ? device.parameters.storedSet.LocationName : stored,
      );
      expect(decodeBackup(plug.file ?? new Uint8Array()).serialNumber).toBe('11111111');
      expect(scanner.plug).toEqual({ State: 'CURRENT', SerialNumber: '11111111', ...nothingWrong });
    },
  );

  test('by a restore puts them there, too', async () => {
    const plug = new MemoryPlug();
    const scanner = await PlugScanner.open('11111111', plug);
    scanner.set('in the backup');
    await scanner.test.respond('CreateParameterBackup', {});
    scanner.set('later');
    await scanner.test.respond('RestoreParameterBackup', {});
    expect(valueOn(plug, 'LocationName')).toBe('in the backup');
  });

  test('leaves out values that are not saved', async () => {
    const plug = new MemoryPlug();
    const scanner = await PlugScanner.open('11111111', plug);
    await scanner.set('saved').save();
    scanner.set('not saved');
    await scanner.test.respond('LoadApplicationDefaults');
    expect(valueOn(plug, 'LocationName')).toBe('saved');
  });

  test('writes nothing if the plug has the same', async () => {
    const plug = new MemoryPlug();
    const scanner = await PlugScanner.open('11111111', plug);
    await scanner.save();
    await scanner.save();
    await scanner.test.reboot();
    expect(plug.writes).toBe(1);
  });

  test('writes no plug while cloning is off, and the plug keeps what it had while it was on', async () => {
    const plug = new MemoryPlug();
    const scanner = await PlugScanner.open('11111111', plug);
    await scanner.set('with cloning').save();
    await scanner.setCloning(false);
    await scanner.set('without cloning').save();
    expect(scanner.plug).toEqual({ State: 'IGNORED', SerialNumber: '', ...nothingWrong });
    expect(valueOn(plug, 'LocationName')).toBe('with cloning');
    expect(valueOn(plug, 'enableCloningPlug')).toBe(true);
    await scanner.setCloning(true);
    expect(valueOn(plug, 'LocationName')).toBe('without cloning');
  });
});

describe('a boot with the plug of another scanner', () => {
  test('adopts its parameters, address and name included, before anything comes up', async () => {
    const plug = await plugOf('Gate 3');
    const scanner = await PlugScanner.open('22222222', plug);
    expect(scanner.name).toBe('Gate 3');
    expect(scanner.address).toEqual([10, 0, 0, 7]);
    expect(scanner.plug).toEqual({ State: 'CURRENT', SerialNumber: '22222222', ...nothingWrong });
    expect(scanner.warnings).toEqual([
      'The scanner has taken the parameters on the system plug, with address and name: undefined',
    ]);
    expect(scanner.deviceStatus).toBe(3);
  });

  test('keeps serial number, MAC address, passwords and levels', async () => {
    const plug = new MemoryPlug();
    const first = await PlugScanner.open('11111111', plug, { passwords: { Service: 'secret of the first' } });
    await first.test.respond('EnableUserLevel', { userLevel: 3, isEnabled: true });
    await first.set('Gate 3').save();
    const second = await PlugScanner.open('22222222', plug, { passwords: { Service: 'of the second' } });
    const { device } = second.test;
    expect(second.name).toBe('Gate 3');
    expect(device.identity.serialNumber).toBe('22222222');
    expect(device.identity.macAddress).not.toEqual(first.test.device.identity.macAddress);
    expect(() => second.test.logIn('Service', 'of the second')).not.toThrow();
    expect(() => second.test.logIn('Service', 'secret of the first')).toThrow();
    expect(second.test.context.state.content.userLevels.AuthorizedClient).toBe(false);
    expect(plug.text).not.toMatch(/secret|password|hash|salt/i);
  });

  test('adopts them once: later changes stay, and go to the plug', async () => {
    const plug = await plugOf('Gate 3');
    const scanner = await PlugScanner.open('22222222', plug);
    await scanner.set('Gate 4').save();
    expect(valueOn(plug, 'LocationName')).toBe('Gate 4');
    await scanner.test.reboot();
    expect(scanner.name).toBe('Gate 4');
  });

  test('adopts them in place of its own saved parameters', async () => {
    const storage = new FaultyStorage();
    const before = await PlugScanner.open('22222222', undefined, { storage });
    await before.set('of its own').save();
    const scanner = await PlugScanner.open('22222222', await plugOf('Gate 3'), {
      storage: storage.afterPowerCut(),
    });
    expect(scanner.name).toBe('Gate 3');
  });

  test('adopts nothing if cloning is off, and leaves the plug alone', async () => {
    const storage = new FaultyStorage();
    await (await PlugScanner.open('22222222', undefined, { storage })).setCloning(false);
    const plug = await plugOf('Gate 3');
    const before = plug.text;
    const scanner = await PlugScanner.open('22222222', plug, { storage: storage.afterPowerCut() });
    await scanner.save();
    expect(scanner.name).not.toBe('Gate 3');
    expect(plug.text).toBe(before);
    expect(scanner.plug.State).toBe('IGNORED');
  });

  test('adopts nothing in a release that does not have cloning', async () => {
    const plug = await plugOf('Gate 3');
    const scanner = await PlugScanner.open('22222222', plug, { release: '2.2.0' });
    expect(scanner.name).not.toBe('Gate 3');
    expect(plug.writes).toBe(1);
  });

  test('back in the first scanner, the plug brings the changes of the second', async () => {
    const storage = new FaultyStorage();
    const plug = new MemoryPlug();
    const first = await PlugScanner.open('11111111', plug, { storage });
    await first.set('Gate 3').save();
    const second = await PlugScanner.open('22222222', plug);
    await second.set('Gate 4').save();
    const again = await PlugScanner.open('11111111', plug, { storage: storage.afterPowerCut() });
    expect(again.name).toBe('Gate 4');
  });

  test('adopts a backup file without a serial number, once', async () => {
    const maker = await PlugScanner.open('11111111');
    maker.set('from a backup');
    await maker.test.respond('CreateParameterBackup', {});
    const plug = new MemoryPlug(await maker.test.device.features.backups.file());
    const scanner = await PlugScanner.open('22222222', plug);
    expect(scanner.name).toBe('from a backup');
  });
});

describe('a boot with its own plug', () => {
  test('writes what was saved while the plug was away, and adopts nothing', async () => {
    const storage = new FaultyStorage();
    const plug = new MemoryPlug();
    const scanner = await PlugScanner.open('11111111', plug, { storage });
    await scanner.set('old').save();
    await scanner.plugIn(undefined);
    await scanner.set('new').save();
    const again = await PlugScanner.open('11111111', plug, { storage: storage.afterPowerCut() });
    expect(again.name).toBe('new');
    expect(valueOn(plug, 'LocationName')).toBe('new');
  });

  test('adopts it if nothing was ever saved on this scanner: its folder is new', async () => {
    const plug = await plugOf('Gate 3', '22222222');
    const scanner = await PlugScanner.open('22222222', plug);
    expect(scanner.name).toBe('Gate 3');
    await scanner.set('Gate 4').save();
    await scanner.test.reboot();
    expect(scanner.name).toBe('Gate 4');
  });

  test('adopts it if the stored parameters are lost', async () => {
    const storage = new FaultyStorage();
    const plug = new MemoryPlug();
    await (await PlugScanner.open('11111111', plug, { storage })).set('Gate 3').save();
    storage.documents.set('parameters.json', Buffer.from('{"form'));
    const again = await PlugScanner.open('11111111', plug, { storage: storage.afterPowerCut() });
    expect(again.name).toBe('Gate 3');
    expect(again.deviceStatus).toBe(3);
  });

  test('does not put factory defaults on an empty plug that nobody has saved', async () => {
    const plug = new MemoryPlug();
    const scanner = await PlugScanner.open('11111111', plug);
    expect(plug.file).toBeUndefined();
    expect(scanner.plug).toEqual({ State: 'DUE', SerialNumber: '', ...nothingWrong });
    await scanner.save();
    await scanner.plugIn(new MemoryPlug());
    await scanner.test.reboot();
    expect(scanner.plug.State).toBe('CURRENT');
  });
});

describe('a plug that is put in while the scanner runs', () => {
  test('of another scanner is adopted at the next boot, and not written before', async () => {
    const plug = await plugOf('Gate 3');
    const before = plug.text;
    const scanner = await PlugScanner.open('22222222');
    await scanner.set('of its own').save();
    await scanner.plugIn(plug);
    expect(scanner.plug).toEqual({ State: 'WAITING', SerialNumber: '11111111', ...nothingWrong });
    await scanner.set('of its own, changed').save();
    expect(plug.text).toBe(before);
    expect(scanner.name).toBe('of its own, changed');
    await scanner.test.reboot();
    expect(scanner.name).toBe('Gate 3');
  });

  test('of its own, or empty, gets the next save', async () => {
    const scanner = await PlugScanner.open('11111111', new MemoryPlug());
    await scanner.save();
    for (const plug of [await plugOf('Gate 3'), new MemoryPlug()]) {
      await scanner.plugIn(plug);
      expect(scanner.plug.State).toBe('DUE');
      await scanner.set('saved').save();
      expect(valueOn(plug, 'LocationName')).toBe(scanner.name);
      expect(scanner.plug.State).toBe('CURRENT');
    }
  });

  test('and pulled out again is not there any more', async () => {
    const scanner = await PlugScanner.open('11111111', new MemoryPlug());
    await scanner.plugIn(undefined);
    expect(scanner.plug).toEqual({ State: 'NONE', SerialNumber: '', ...nothingWrong });
    await scanner.save();
  });
});

test('the end of the scanner releases the plug', async () => {
  const plug = new MemoryPlug();
  const scanner = await PlugScanner.open('11111111', plug, { passwords: factoryPassword });
  await scanner.test.device.close();
  expect(plug.released).toBe(1);
});

function valueOn(plug: MemoryPlug, name: string): unknown {
  const { parameters } = decodeBackup(plug.file ?? new Uint8Array());
  return parameters.flatMap((group) => group.parameters).find((entry) => entry.name === name)?.value;
}
